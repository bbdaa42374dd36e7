import { describe, expect, test } from 'vitest';
import { callOf } from '../../../src/learnings/guards/call.ts';
import { describeGuard } from '../../../src/learnings/guards/describe.ts';
import { plainForm, readGlob } from '../../../src/learnings/guards/glob.ts';
import { fits } from '../../../src/learnings/guards/judge.ts';
import type { Example, GuardRule, Match } from '../../../src/learnings/guards/rule.ts';
import { bash, edit, write } from './support.ts';

const PLACE = { root: '/w', cwd: '/w', home: '/home/ann', tmp: '/tmp', branch: 'main' };
const NO_EXAMPLES = { breaks: [], keeps: [] };

/** Returns the calls among these that a rule is about. */
const hits = (match: Match, calls: (Example | string)[], more: Partial<GuardRule> = {}) =>
  calls.filter((call) => {
    const { tool, input } = typeof call === 'string' ? bash(call) : call;
    const rule = { when: [match], then: 'deny', ...NO_EXAMPLES, ...more } as GuardRule;
    return fits(rule, callOf({ tool_name: tool, tool_input: input }, PLACE));
  });

/** Each rule, with commands that it is about (+), and some that it is not about (-). */
const COMMANDS = `
{"program":"npm"}
+ npm i · cd web && npm ci · bash -c "npm test" · /usr/local/bin/npm x · A=1 npm ci · timeout 9 npm ci · x | xargs npm i
- pnpm add x · cat package.json · node npm-check.js · git commit -m "drop npm" · rg npm · echo npm install
{"program":"docker-compose"}
+ docker-compose up · docker compose -f a.yml up
- docker ps · podman compose up
{"program":"sudo"}
+ sudo ls · env sudo make
- ls sudo · man sudo
{"program":"tsc","without":["--noEmit"]}
+ npx tsc · pnpm exec tsc -p . · bunx tsc · node_modules/.bin/tsc
- npx tsc --noEmit · tsx a.ts
{"program":"npx playwright test"}
+ npx playwright test · pnpm exec playwright test a
- npx playwright install
{"program":"pip install"}
+ pip3 install x · python3.12 -m pip install x
- uv pip install x · pip list
{"program":"pytest","without":["uv"]}
+ pytest -q · python -m pytest
- uv run pytest
{"program":"git push","args":["--force"]}
+ git push -f · git push --force origin x · git -C a push -uf
- git push · git push --force-with-lease · git pull --force
{"program":"npm install","args":["moment"]}
+ npm i moment@2 · npm add -D moment · npm install moment
- npm i · npm i moments · npm uninstall moment
{"program":"scripts/deploy.sh"}
+ ./scripts/deploy.sh prod · bash scripts/deploy.sh · sh -x /w/scripts/deploy.sh
- cat scripts/deploy.sh · ./other/deploy.sh
{"program":"python manage.py migrate"}
+ python3 manage.py migrate · uv run manage.py migrate app
- python manage.py test
{"program":"prüfe"}
+ prüfe lauf · ${'prüfe lauf'.normalize('NFD')}
- prufe
{"program":"git push","args":["main"]}
+ git push · git push origin feat:main · git push origin HEAD · git switch main && git push
- git push origin feat · git switch -c feat && git push · git checkout feat; git push
`
  .trim()
  .split(/^(?={)/m);

test.each(COMMANDS)('a command: %s', (block) => {
  const [rule = '', ...lists] = block.trim().split(/\n[+-] /);
  const [breaks = [], keeps = []] = lists.map((list) => list.split(' · '));
  expect(hits({ kind: 'command', ...JSON.parse(rule) }, [...breaks, ...keeps])).toEqual(breaks);
});

const LICENSES: Match = { kind: 'path', globs: ['config/licenses.json'] };
describe('a path', () => {
  test('is what a tool or a command changes', () => {
    const breaks = [
      edit('/w/config/licenses.json', 'b'),
      edit('config/licenses.json', 'b'),
      bash('jq .x=1 config/licenses.json > t && mv t config/licenses.json'),
      bash('cd config && sed -i s/a/b/ licenses.json'),
      bash('echo {} | tee ./config/licenses.json'),
      bash('cp new/licenses.json config/'),
      bash('git checkout -- config/licenses.json'),
      bash('rm -rf config'),
    ];
    const keeps = [
      edit('/w/config/app.json', 'b'),
      edit('/elsewhere/config/licenses.json', 'b'),
      bash('cat config/licenses.json'),
      bash('sed -n 1p config/licenses.json'),
      { tool: 'Read', input: { file_path: '/w/config/licenses.json' } },
    ];
    expect(hits(LICENSES, [...breaks, ...keeps])).toEqual(breaks);
  });

  test('other than what is allowed', () => {
    const match: Match = { kind: 'path', globs: ['.env', '*.env'], except: ['example.env'] };
    const breaks = [edit('/w/api/.env', 'b'), bash('echo A=1 >> .env'), bash('cp .env.example prod.env')];
    const keeps = [bash('cat .env'), edit('example.env', 'b'), bash('cp .env.example x')];
    expect(hits(match, [...breaks, ...keeps])).toEqual(breaks);
  });

  test.each([
    ['app/', ['app/a.ts', 'app/b/c.ts', 'app'], ['app-staging/a.ts', 'web/app/a.ts', 'application.ts']],
    ['**/migrations/**', ['migrations/1.sql', 'db/migrations/a/1.sql'], ['db/migration/1.sql']],
    ['*.snap', ['a.snap', 'x/y/a.snap'], ['a.snap.ts', '/w2/a.snap']],
    ['src/*/index.ts', ['src/a/index.ts'], ['src/a/b/index.ts', 'src/index.ts']],
    ['src/**/index.ts', ['src/a/b/index.ts', 'src/index.ts'], ['lib/index.ts']],
    ['src/*.{ts,tsx}', ['src/a.ts', 'src/a.tsx'], ['src/a.js', 'a.ts']],
    ['a?c.txt', ['abc.txt'], ['ac.txt', 'abbc.txt']],
    ['docs/Größe/', ['docs/Größe/a.md'.normalize('NFD')], ['docs/Gr/a.md']],
    ['/etc/hosts', ['/etc/hosts'], ['etc/hosts']],
  ])('%s', (glob, fit, others) => {
    const fitting = [...fit, ...others].filter((path) => readGlob(glob)(plainForm(path)));
    expect(fitting).toEqual(fit);
  });

  test('with many stars is refused', () => expect(() => readGlob('*a'.repeat(100))).toThrow('too long'));
});

describe('content', () => {
  const MOMENT: Match = { kind: 'content', pattern: 'from .moment.', globs: ['*.ts'] };

  test('is only what is new', () => {
    const old = "import moment from 'moment'";
    const breaks = [
      write('/w/a.ts', `x\n${old}\n`),
      edit('/w/a.ts', `${old}\nx`),
      { tool: 'MultiEdit', input: { file_path: '/w/a.ts', edits: [{ old_string: 'a', new_string: old }] } },
    ];
    const keeps = [
      edit('/w/a.ts', `${old}\nconst x = 2;`, `${old}\nconst x = 1;`),
      write('/w/a.md', old),
      bash(`rg "${old}" a.ts`),
    ];
    expect(hits(MOMENT, [...breaks, ...keeps])).toEqual(breaks);
  });

  test('is tried line by line', () => {
    expect(
      hits({ kind: 'content', pattern: '^// \\w+$' }, [write('/w/a', 'x\n// y\nz'), write('/w/a', '// a b')]),
    ).toHaveLength(1);
  });
});

test('what must come first may stand earlier in the line', () => {
  const unless = { unless: { program: 'make lint' } };
  const breaks = ['git commit -m x', 'git commit -m x && make lint'];
  const keeps = ['make lint && git commit -m x', 'make -C . lint; git commit'];
  expect(hits({ kind: 'command', program: 'git commit' }, [...breaks, ...keeps], unless)).toEqual(breaks);
});

test('a field of a tool of a server', () => {
  const query = (tool: string, query: string) => ({ tool, input: { query, options: { force: true } } });
  const breaks = [query('mcp__db__run', 'DROP TABLE a')];
  const keeps = [query('mcp__db__run', 'select 1'), query('mcp__web__run', 'drop table a')];
  expect(
    hits({ kind: 'mcp', tool: 'mcp__db__*', field: 'query', pattern: '(?i)drop table' }, [
      ...breaks,
      ...keeps,
    ]),
  ).toEqual(breaks);
  expect(hits({ kind: 'mcp', tool: 'mcp__db__*', field: 'options.force', pattern: 'true' }, breaks)).toEqual(
    breaks,
  );
});

test('a rule says in words what it does', () => {
  const rule: GuardRule = {
    when: [
      { kind: 'command', program: 'git push', args: ['--force'], without: ['--dry-run'] },
      { kind: 'path', globs: ['generated/'] },
    ],
    unless: { program: 'make', args: ['lint'] },
    then: 'ask',
    ...NO_EXAMPLES,
  };
  expect(describeGuard(rule)).toBe(
    'asks before `git push` with `--force` without `--dry-run` or changes of files at `generated/`, unless `make lint` passed since the last change of a file',
  );
});
