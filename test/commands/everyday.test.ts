import { describe, expect, test } from 'vitest';
import { judgeByPolicy } from '../../src/commands/judge.ts';
import { builtinPolicy } from '../../src/commands/policy/index.ts';

// What agents do every day runs unasked, as kinds of commands; beside each kind stands what only looks like it.

const root = '/home/dev/project';
const decisionOn = (line: string, cwd = root) =>
  judgeByPolicy(line, { cwd, root, home: '/home/dev', tmp: '/tmp' }, builtinPolicy).decision;

const allowed = (lines: string[]) =>
  test.each(lines)('%s is allowed', (line) => {
    expect(decisionOn(line)).toBe('allow');
  });
const questions = (lines: string[]) =>
  test.each(lines)('%s is a question', (line) => {
    expect(decisionOn(line)).toBe('unknown');
  });

describe('an absolute path of the project is a path of the project', () => {
  allowed([
    `./run.sh ${root}/src/a`,
    `${root}/.venv/bin/pytest ${root}/tests -q`,
    `./target/debug/app --input=${root}/data`,
    `git -C ${root} push -u origin feat/x`,
    `git -C ${root} fetch origin`,
    `./gradlew -p ${root} test`,
  ]);
  questions([
    './run.sh /home/dev/other/a',
    `./run.sh ${root}-other/a`,
    `./run.sh ${root}/../other/a`,
    `./run.sh --in=${root}/a --out=/home/dev/other/b`,
    'git -C /home/dev/other fetch origin',
    `git push ${root}/../other main`,
  ]);

  test('unless the project holds a home folder', () => {
    const place = { cwd: '/home/dev', root: '/home/dev', home: '/home/dev', tmp: '/tmp' };
    expect(judgeByPolicy('./run.sh /home/dev/other/a', place, builtinPolicy).decision).toBe('unknown');
  });
});

describe('what is left of a command that was cut at the end of a line runs nothing', () => {
  allowed([
    'go test ./...\n  -run TestX -v',
    'go test ./... \\ \n  -run TestX',
    'npx jest\n--coverage --ci > out.txt',
  ]);
  questions([
    'go test ./...\n  -run TestX > /etc/hosts',
    'sudo -run x',
    'alias -- -run="unknown-program x"\n-run',
    './-run x.test ../y',
    '- unknown-program',
  ]);

  test('a function of that name is followed', () => {
    expect(decisionOn('-run() { rm -rf ~; }\n-run x')).toBe('deny');
  });
});

describe('what the line itself compiled or wrote', () => {
  questions([
    '/tmp/app',
    'go build -o /tmp/app . && /tmp/app',
    'cat > /tmp/x.sh <<E\nnpm test\nE\nbash /tmp/x.sh',
    'tee -a /tmp/x.py <<E\nprint(1)\nE\npython3 /tmp/x.py',
  ]);
});

describe('variables of the line and of the project', () => {
  allowed([
    'export GH_PAGER=cat; gh pr list',
    'export PR=$(gh pr view --json number --jq .number)',
    'DB_HOST=localhost npm test',
  ]);
  questions([
    'export GH_PAGER=./x; gh pr list',
    'export NVM_DIR=/tmp/x',
    'export MY_VAR=/tmp/x; npm test',
    'export RUSTC_WRAPPER=evil; cargo build',
    'export MY_EDITOR=evil',
    'DB_HOST=db.example.com npm test',
  ]);
});

describe('a search that only asks for the name of a setting shows no secret', () => {
  allowed(['grep -q ^API_KEY= .env', 'grep -c "API_KEY=." apps/api/.env', 'grep -l API_KEY .env .env.local']);
  questions(['grep API_KEY .env', 'grep -q "^API_KEY=a" .env', 'grep -c -e . .env', 'grep -qo . .env']);
});
