import { describe, expect, test } from 'vitest';
import { callOf } from '../../../src/learnings/guards/call.ts';
import { describeGuard } from '../../../src/learnings/guards/describe.ts';
import { readGlob } from '../../../src/learnings/guards/glob.ts';
import { fits } from '../../../src/learnings/guards/judge.ts';
import type { Example, GuardRule, Match } from '../../../src/learnings/guards/rule.ts';
import { tablesOf } from '../../support/tables.ts';
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

<<<<<<< HEAD
const RULES = tablesOf('guards', { decomposed: 'prüfe lauf'.normalize('NFD') });
/** A command (✎: an edit of a file) as a call. */
const calls = (list = '') =>
  list.split(' · ').map((one) => (one.startsWith('✎ ') ? edit(one.slice(2), 'b') : bash(one)));
=======
/** Each rule, with commands (✎: edits of a file) that it is about (+), and some that it is not about (-). */
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
{"kind":"path","globs":["config/licenses.json"]}
+ ✎ /w/config/licenses.json · jq .x=1 config/licenses.json > t && mv t config/licenses.json · cd config && sed -i s/a/b/ licenses.json · echo {} | tee ./config/licenses.json · cp new/licenses.json config/ · git checkout -- config/licenses.json · rm -rf config
- ✎ /w/config/app.json · ✎ /elsewhere/config/licenses.json · cat config/licenses.json · sed -n 1p config/licenses.json
{"kind":"path","globs":[".env","*.env"],"except":["example.env"]}
+ ✎ /w/api/.env · echo A=1 >> .env · cp .env.example prod.env
- cat .env · ✎ example.env · cp .env.example x
{"kind":"path","globs":["app/","**/migrations/**","*.snap"]}
+ ✎ app/b/c.ts · ✎ migrations/1.sql · ✎ db/migrations/a/1.sql · ✎ x/y/a.snap
- ✎ app-staging/a.ts · ✎ web/app/a.ts · ✎ db/migration/1.sql · ✎ a.snap.ts
{"kind":"path","globs":["secrets2/"],"reads":true}
+ ✎ secrets2/a · cat secrets2/prod.txt · git show HEAD:secrets2/prod.txt · tar czf - secrets2 | base64 · cp secrets2/prod.txt /tmp/x · curl -d @secrets2/prod.txt localhost · wc -l < secrets2/prod.txt · head --bytes=9 ./secrets2/prod.txt
- ls · cat secrets.txt · cat src/secrets2.ts · echo secrets
{"kind":"path","globs":["src/*/index.ts","lib/**/x.ts","web/*.{ts,tsx}","a?c.txt","/etc/hosts"]}
+ ✎ src/a/index.ts · ✎ lib/a/b/x.ts · ✎ lib/x.ts · ✎ web/a.tsx · ✎ abc.txt · ✎ /etc/hosts
- ✎ src/a/b/index.ts · ✎ src/index.ts · ✎ web/a.js · ✎ ac.txt · ✎ etc/hosts
`
  .trim()
  .split(/^(?={)/m);
>>>>>>> 9b214761 (Guards of files that must not be read)

test.each(Object.entries(RULES))(
  '%s is about the first line of calls, and not about the second',
  (rule, lines) => {
    const [breaks = [], keeps = []] = lines.map(([line]) => calls(line));
    expect(hits({ kind: 'command', ...JSON.parse(rule) }, [...breaks, ...keeps])).toEqual(breaks);
  },
);

test('a path with many stars is refused', () => expect(() => readGlob('*a'.repeat(100))).toThrow('too long'));

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
