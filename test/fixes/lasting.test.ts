// Longer than 400 lines because it is a table: fixes that transfer, and those that do not.
import { describe, expect, test } from 'vitest';
import { writeByRules } from '../../src/distil/write-lesson.ts';
import { isLasting } from '../../src/fixes/lasting.ts';
import type { LoadedIncident } from '../../src/incidents/incidents.ts';
import { answerInLater, type Resolved, readResolutions } from '../../src/incidents/resolve.ts';
import { errorSignature } from '../../src/incidents/signature.ts';
import type { Call, SessionStep } from '../../src/incidents/steps.ts';
import { lineOfTool } from '../../src/shell/line.ts';
import { toolTarget } from '../../src/shell/tool-target.ts';

// What a session teaches, from its calls to the lesson, without a database. `kept` sessions must teach something to the
// next one, `local` ones nothing.

const ROOT = '/home/dev/app';
let clock = 0;

const call = (tool: string, input: Record<string, unknown>, more: Partial<Call> = {}): Call => ({
  kind: 'call',
  toolUseId: `t${clock++}`,
  agentId: null,
  tool,
  line: lineOfTool(tool, input),
  target: toolTarget(tool, input, { cwd: ROOT, root: ROOT }),
  input,
  ok: true,
  signature: null,
  output: '',
  printed: '',
  edits: [],
  at: new Date(clock * 1000),
  ...more,
});

/** A call that failed, with its error read as the hooks read it. */
function failing(made: Call, error: string): Call {
  const { id, salient } = errorSignature({ tool: made.tool, target: made.target, error });
  return { ...made, ok: false, signature: id, output: salient, printed: error };
}

const bash = (command: string, printed = '') => call('Bash', { command }, { printed });
const fails = (command: string, error: string) => failing(bash(command), `Exit code 1\n${error}`);
const tool = (name: string, input: Record<string, unknown>, printed = '') => call(name, input, { printed });
const edit = (file: string, before = 'a', after = 'b') =>
  call('Edit', { file_path: `${ROOT}/${file}` }, { edits: [{ file: `${ROOT}/${file}`, before, after }] });
const says = (text: string): SessionStep => ({
  kind: 'said',
  text,
  agentId: null,
  at: new Date(clock * 1000),
});

/** Returns the verdict on what answered a failed call, and the lesson that rules write of it. */
function learn({ failed, resolution }: Resolved, steps: SessionStep[]) {
  const { errorType } = errorSignature({ tool: failed.tool, target: failed.target, error: failed.printed });
  const before = steps.slice(0, steps.indexOf(failed));
  const incident = {
    toolName: failed.tool,
    target: failed.target,
    line: failed.line,
    error: failed.output,
    errorType,
    signature: failed.signature,
    resolution,
    root: ROOT,
    projectName: 'app',
    task: null,
  } as LoadedIncident;
  const verdict = isLasting({
    ...{ tool: failed.tool, line: failed.line, target: failed.target, root: ROOT },
    ...{ error: failed.output, errorType, resolution, seenBefore: false },
    ownFiles: before.flatMap((step) => (step.kind === 'call' ? step.edits.map(({ file }) => file) : [])),
  });
  return { ...verdict, lesson: writeByRules(incident, resolution).lesson };
}

/** Returns what a session teaches: one entry for each failure that was answered. */
const learnedIn = (...steps: SessionStep[]) => readResolutions(steps).told.map((one) => learn(one, steps));

const REPORT = says(
  'The worker has a queue now. It is bounded, because the old one leaked memory. The loader needs the file to exist ' +
    'first. I also wrote a test. The readme is up to date. Next could be metrics.',
);
const GO_RED = '--- FAIL: TestQueue (0.00s)\n    queue_test.go:9: got 1, want 2\nFAIL\tapp/queue 0.01s';
const RUST = 'error[E0308]: mismatched types\n --> src/lib.rs:4:5\nerror: could not compile `app` (lib)';

describe('teaches nothing', () => {
  test.each<[string, SessionStep[]]>([
    [
      'a check that holds the failed line',
      [
        fails('mise run lint', 'queue.go:12:2: ineffectual assignment'),
        edit('queue.go'),
        bash('mise run lint && mise run test'),
        bash('mise run lint'),
        REPORT,
      ],
    ],
    [
      'putting work aside, the same check, and taking the work up again',
      [
        fails('pnpm tsc', 'src/a.ts(3,4): error TS2339: no b'),
        bash('git stash && pnpm tsc && git stash pop'),
        bash('pnpm tsc'),
      ],
    ],
    [
      'red and green in Go',
      [
        fails('go test ./queue', GO_RED),
        edit('queue.go'),
        bash('go mod tidy'),
        bash('go test ./...'),
        REPORT,
      ],
    ],
    [
      'red and green in Rust',
      [fails('cargo test', RUST), edit('src/lib.rs'), bash('cargo fmt'), bash('cargo test'), REPORT],
    ],
    [
      'only some of the tests',
      [
        fails('swift test', "A.swift:3:4: error: cannot find 'foo' in scope"),
        edit('A.swift'),
        bash('swift test --filter ATests'),
      ],
    ],
    [
      'a linter that mends',
      [fails('ruff check .', 'a.py:1:8: F401 `os` imported but unused'), bash('ruff check --fix .')],
    ],
    [
      'a dependency that this task added',
      [
        fails('npx tsc', "a.ts(1,1): error TS2307: Cannot find module 'zod'"),
        bash('npm install zod'),
        bash('npx tsc'),
      ],
    ],
    ['a typing error', [fails('npm run biuld', 'npm error Missing script: "biuld"'), bash('npm run build')]],
    [
      'a filter',
      [
        fails(`curl -s x.test/a | jq '.a[' && make x`, 'jq: error: syntax error, unexpected end of file'),
        bash(`curl -s x.test/a | jq '.a[]' && make x`),
      ],
    ],
    [
      'inline code',
      [
        fails(`node -e 'console.log(require("./a").b.c)'`, 'TypeError: b is undefined'),
        bash(`node -e 'console.log(require("./a").b)'`),
      ],
    ],
    [
      'a query',
      [
        fails('psql $DB -c "select nme from users"', 'ERROR:  column "nme" does not exist'),
        bash('psql $DB -c "select name from users"'),
      ],
    ],
    [
      'a query, after a look',
      [
        fails('sqlite3 a.db "select * from user"', 'Error: no such table: user'),
        bash('sqlite3 a.db ".tables"'),
        bash('sqlite3 a.db "select * from users"'),
      ],
    ],
    [
      'the query of another tool',
      [
        failing(tool('mcp__db__query', { sql: 'selct 1' }), 'syntax error at or near "selct"'),
        tool('mcp__db__query', { sql: 'select 1' }),
      ],
    ],
    [
      'an element of a page',
      [
        failing(tool('mcp__browser__click', { ref: 'e12' }), 'Error: Ref e12 not found in the snapshot'),
        tool('mcp__browser__click', { ref: 'e19' }),
      ],
    ],
    [
      'a branch that is behind',
      [
        fails('git push', ' ! [rejected] feat -> feat (fetch first)\nerror: failed to push some refs'),
        bash('git pull --rebase'),
        bash('git push'),
      ],
    ],
    [
      'a branch that is there',
      [
        fails('git checkout -b feat', "fatal: a branch named 'feat' already exists"),
        bash('git checkout feat'),
      ],
    ],
    [
      'the lock of another process',
      [
        fails('git commit -m x', "fatal: Unable to create '.git/index.lock': File exists."),
        bash('rm .git/index.lock && git commit -m x'),
      ],
    ],
    [
      'a hook that formats',
      [
        fails(
          'git commit -am x',
          'ruff-format.......................Failed\n- files were modified by this hook',
        ),
        bash('git add -u && git commit -m x'),
      ],
    ],
    [
      'another question to a host',
      [
        fails('gh api repos/a/b/comments/7', 'gh: Not Found (HTTP 404)'),
        bash('gh api repos/a/b/pulls/7/comments'),
      ],
    ],
    [
      'another host',
      [
        fails('curl -sf https://a.test/keys', 'curl: (22) The requested URL returned error: 404'),
        bash('curl -sf https://b.test/keys -H "x: 1"'),
      ],
    ],
    [
      'another file',
      [fails('rm build/out.txt', 'rm: build/out.txt: No such file or directory'), bash('rm old.png')],
    ],
    [
      'a line that cannot fail',
      [
        fails('docker compose ls', 'docker: command not found'),
        bash('docker compose ls || echo "no docker"'),
      ],
    ],
    [
      'a flaky test, and other work meanwhile',
      [
        fails('npm run e2e', 'Error: page.goto: net::ERR_CONNECTION_RESET'),
        bash('git push'),
        bash('npm run e2e'),
      ],
    ],
    [
      'a script for this one time',
      [fails('python3 /tmp/probe.py', 'NameError: x'), bash('python3 /tmp/probe.py --all')],
    ],
  ])('%s', (_name, steps) =>
    expect(learnedIn(...steps).filter(({ verdict }) => verdict !== 'local')).toEqual([]),
  );
});

describe('teaches', () => {
  test.each<[string, SessionStep[], string]>([
    [
      'a preparation',
      [
        fails('npm test', 'Error: connect ECONNREFUSED 127.0.0.1:5432'),
        bash('docker compose up -d db'),
        bash('npm test'),
      ],
      'docker compose up -d db',
    ],
    [
      'a preparation between other checks',
      [
        fails('go build ./...', 'api.go:4:2: undefined: pb.Thing'),
        bash('go vet ./api'),
        bash('git push'),
        bash('make generate'),
        bash('go build ./...'),
      ],
      'first run `make generate`. ',
    ],
    [
      'what ran before the failed line in one of its tries',
      [
        fails('npm start', 'Error: SECRET is not set'),
        bash('cp .env.example .env && npm start'),
        bash('npm start'),
      ],
      'cp .env.example .env',
    ],
    [
      'a variable',
      [
        fails('pnpm install', 'ERR_PNPM_ABORTED_REMOVE_MODULES_DIR_NO_TTY Aborted'),
        bash('CI=true pnpm install'),
      ],
      'CI=true pnpm install',
    ],
    [
      'another program',
      [fails('npm install', 'npm error code EUNSUPPORTEDPROTOCOL workspace:*'), bash('pnpm install')],
      'pnpm install',
    ],
    [
      'the folder of a package',
      [
        fails('npx vite build --filter web', 'sh: vite: command not found'),
        bash('cd apps/web && npx vite build'),
      ],
      'cd apps/web',
    ],
    [
      'a setting that the error names, among changes of the code',
      [
        fails('pytest', 'FAILED a.py::b - async def functions are not natively supported'),
        edit('a.py'),
        edit('pyproject.toml', '', 'asyncio_mode = "auto"'),
        bash('pytest'),
      ],
      'asyncio_mode',
    ],
    [
      'quotes around a name',
      [
        fails('psql $DB -c "select * from Order"', 'ERROR:  syntax error at or near "Order"'),
        bash(`psql $DB -c 'select * from "Order"'`),
      ],
      '"Order"',
    ],
    [
      'the first command of two, run by itself',
      [
        fails('git add -A && git commit -m x', 'ERROR: refusing to stage .env'),
        bash('git add src'),
        bash('git commit -m x'),
        says('The hook refuses `git add -A` because of .env: stage files by name.'),
      ],
      'git add src && git commit',
    ],
  ])('%s', (_name, steps, part) => {
    const [first] = learnedIn(...steps);
    expect(first?.verdict).toBe('lasting');
    expect(first?.lesson).toContain(part);
  });
});

test('an id is left out, and the call that prints it is named', () => {
  const id = '5d1f0c3e-9a41-4f57-8d0a-2d6b3c1f7e90';
  const create = (team: string) => tool('mcp__tracker__create', { team, title: 'Flaky' });
  const [made] = learnedIn(
    failing(create('SHOP'), 'team must be a UUID'),
    tool('mcp__tracker__list_teams', {}, `[{"key":"SHOP","id":"${id}"}]`),
    create(id),
  );
  expect(made?.lesson).toContain('(from `mcp__tracker__list_teams`)');
  expect(made?.lesson).not.toContain(id);
  const [freed] = learnedIn(
    fails('npm run dev', 'Error: listen EADDRINUSE: address already in use :::3000'),
    bash('lsof -ti :3000', '4411'),
    bash('kill 4411'),
    bash('npm run dev'),
  );
  expect(freed?.lesson).toContain('`kill <pid>` (from `lsof -ti :3000`)');
});

test('two errors that are mended in turns have a cure each', () => {
  const [database, login] = learnedIn(
    fails('npm test', 'Error: connect ECONNREFUSED 127.0.0.1:5432'),
    fails('docker push registry.example/app', 'denied: requested access to the resource is denied'),
    bash('docker compose up -d db'),
    bash('npm test'),
    bash('docker login registry.example'),
    bash('docker push registry.example/app'),
  );
  expect(database?.lesson).toContain('docker compose up -d db');
  expect(login?.lesson).toContain('docker login registry.example');
  expect(login?.lesson).not.toContain('compose');
});

test('the lesson quotes the cause, not the name of the test', () => {
  const [lesson] = learnedIn(
    fails('pytest', 'E   RuntimeError: LEDGER_DB is not set\nERROR tests/test_url.py'),
    bash('export LEDGER_DB=x.db'),
    bash('pytest'),
  );
  expect(lesson?.lesson).toContain('RuntimeError: LEDGER_DB is not set');
});

describe('an error of an earlier session is answered', () => {
  const failed = fails(
    'cargo build --target wasm32-unknown-unknown',
    "error[E0463]: can't find crate for `core`",
  );
  const add = bash('rustup target add wasm32-unknown-unknown');

  test('by the same line after something was done', () => {
    const again = bash('cargo build --target wasm32-unknown-unknown');
    expect(answerInLater(failed, [add, again])?.resolution.commands).toEqual([add.line?.text]);
    expect(answerInLater(failed, [again])).toBeNull();
  });

  test('by another program for the same, if what was done names what the failed line names', () => {
    const other = bash('wasm-pack build');
    expect(answerInLater(failed, [bash('cargo fetch'), add, other])?.resolution.commands).toEqual([
      add.line?.text,
    ]);
    expect(answerInLater(failed, [bash('cargo fetch'), other])).toBeNull();
  });
});
