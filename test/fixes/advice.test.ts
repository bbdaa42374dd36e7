import { describe, expect, test } from 'vitest';
import { type Advice, adviceOf, cureKey, effectOn, isFollowedBy, outcomeOf } from '../../src/fixes/advice.ts';
import type { LoadedIncident } from '../../src/incidents/incidents.ts';
import { readResolutions } from '../../src/incidents/resolve.ts';
import type { Call } from '../../src/incidents/steps.ts';
import { readLine } from '../../src/shell/line.ts';

const ROOT = '/home/dev/app';
let clock = 0;

const call = (fields: Partial<Call>): Call => ({
  kind: 'call',
  toolUseId: `t${clock++}`,
  agentId: null,
  tool: 'Bash',
  line: null,
  target: null,
  input: {},
  ok: true,
  signature: null,
  output: '',
  printed: '',
  edits: [],
  at: new Date(clock * 1000),
  ...fields,
});
const bash = (command: string) => call({ line: readLine(command), target: command });
const fails = (command: string, signature = 'E1') => ({ ...bash(command), ok: false, signature });
const edit = (file: string, before: string | null, after: string) =>
  call({ tool: 'Edit', target: file, edits: [{ file: `${ROOT}/${file}`, before, after }] });

/** Returns what the first failure of a session teaches. */
function learnedFrom(...steps: Call[]): Advice {
  const [first] = readResolutions(steps).answered;
  if (!first) throw new Error('nothing was answered');
  const { failed, resolution } = first;
  const advice = adviceOf({
    toolName: failed.tool,
    target: failed.target,
    line: failed.line,
    error: failed.output,
    signature: failed.signature,
    resolution,
    root: ROOT,
  } as LoadedIncident);
  if (!advice) throw new Error('it teaches nothing');
  return advice;
}

const STEP = learnedFrom(fails('npm test'), bash('docker compose up -d db'), bash('npm test'));
const SETTING = learnedFrom(fails('npx tsc'), edit('tsconfig.json', '"a": 1', '"a": 2'), bash('npx tsc'));
const LINE = learnedFrom(fails('pytest'), bash('source .venv/bin/activate && pytest'));
const OTHER = learnedFrom(fails('npm install'), bash('pnpm install'));
const FLAG = learnedFrom(fails('npm ci --offline'), bash('npm ci'));

describe('advice helped if it was followed before what had failed passed', () => {
  test.each<[string, Advice, Call[]]>([
    ['its command, beforehand', STEP, [bash('docker compose up --wait db'), bash('npm test')]],
    ['its command, in one line', STEP, [bash('docker compose up -d db && npm test -- users')]],
    ['after its error', STEP, [fails('npm test'), bash('docker compose up -d db'), bash('npm test')]],
    ['its edit', SETTING, [edit('tsconfig.json', '"a": 3, "b": 1', '"a": 2, "b": 1'), bash('npx tsc')]],
    ['its edit, as a whole file', SETTING, [edit('tsconfig.json', null, '{ "a": 2 }'), bash('npx tsc -p .')]],
    ['its line', LINE, [bash('source .venv/bin/activate && pytest tests/api -q')]],
    ['its program', OTHER, [bash('pnpm install')]],
    ['without its flag', FLAG, [bash('npm ci')]],
    [
      'after other tries',
      STEP,
      [fails('npm test'), bash('make x'), fails('npm test'), bash('docker compose up db'), bash('npm test')],
    ],
    [
      'at the second attempt',
      STEP,
      [
        call({ line: readLine('docker compose up -d db'), ok: false, signature: 'E2' }),
        bash('docker compose up -d db'),
        bash('npm test'),
      ],
    ],
  ])('%s', (_name, advice, steps) => expect(outcomeOf(advice, steps, ROOT)).toBe('helped'));
});

describe('advice failed if it was followed and the error stayed', () => {
  test.each<[string, Advice, Call[]]>([
    ['its command', STEP, [bash('docker compose up -d db'), fails('npm test')]],
    ['its edit', SETTING, [edit('tsconfig.json', '"a": 1', '"a": 2'), fails('npx tsc'), bash('npx tsc')]],
    ['its line', LINE, [fails('source .venv/bin/activate && pytest')]],
    [
      'its command never worked',
      STEP,
      [fails('docker compose up -d db', 'E2'), bash('make db'), bash('npm test')],
    ],
  ])('%s', (_name, advice, steps) => expect(outcomeOf(advice, steps, ROOT)).toBe('failed'));
});

describe('advice that nobody followed is not judged', () => {
  test.each<[string, Advice, Call[]]>([
    ['nothing happened', STEP, []],
    ['a mere pass', STEP, [bash('npm test')]],
    ['its error came back', STEP, [fails('npm test')]],
    ['its error went away by something else', STEP, [fails('npm test'), bash('make db'), bash('npm test')]],
    ['another service', STEP, [bash('docker compose up -d redis'), bash('npm test')]],
    ['it was followed, and nothing was run', STEP, [bash('docker compose up -d db')]],
    ['another error', STEP, [bash('docker compose up -d db'), fails('npm test', 'E9')]],
    [
      'another edit of the file',
      SETTING,
      [edit('tsconfig.json', '"a": 2, "b": 1', '"a": 2, "b": 3'), bash('npx tsc')],
    ],
    ['the same edit elsewhere', SETTING, [edit('web/tsconfig.json', '"a": 1', '"a": 2'), bash('npx tsc')]],
    ['the old program', OTHER, [bash('npm install')]],
    ['with its flag', FLAG, [bash('npm ci --offline')]],
  ])('%s', (_name, advice, steps) => expect(outcomeOf(advice, steps, ROOT)).toBe('unused'));
});

describe('the key of a cure', () => {
  test('is about the kind of call and what is done, not about names and numbers of the moment', () => {
    const up = (failed: string) => learnedFrom(fails(failed), bash('docker compose up -d db'), bash(failed));
    expect(cureKey(up('npm test'))).toBe(cureKey(up('npx vitest run a.test.ts')));
    expect(cureKey(up('npm test'))).toContain('docker compose up db');
    expect(cureKey(up('npm start'))).not.toBe(cureKey(up('npm test')));
    const free = (pid: number) => learnedFrom(fails('npm start'), bash(`kill ${pid}`), bash('npm start'));
    expect(cureKey(free(4711))).toBe(cureKey(free(815)));
    expect(cureKey(SETTING)).not.toBe(cureKey(STEP));
  });
});

test('a call that does what the advice says follows it', () => {
  const line = '. ./.env.test && python3 -m unittest';
  const sourced = learnedFrom(fails('python3 -m unittest'), bash(line));
  expect(isFollowedBy(sourced, bash(`printf ok && ${line}`), ROOT)).toBe(true);
  expect(isFollowedBy(sourced, bash('python3 -m unittest tests.a'), ROOT)).toBe(false);
});

describe('a new piece of advice', () => {
  const effect = (stored: Advice, ...steps: Call[]) => effectOn(learnedFrom(...steps), stored);

  test('is the same if it answers the same error with the same actions', () => {
    expect(
      effect(STEP, fails('npm test -- a'), bash('docker compose up --wait db'), bash('npm test -- a')),
    ).toBe('same');
    expect(effect(STEP, fails('npm test'), bash('docker compose up -d db && npm test'))).toBe('same');
    expect(effect(LINE, fails('pytest -q'), bash('source .venv/bin/activate && pytest -q'))).toBe('same');
  });

  test('is the same if it cures the same kind of call in the same way, whatever its error says', () => {
    const up = bash('docker compose up -d db');
    expect(effect(STEP, fails('npm test', 'E2'), up, bash('npm test'))).toBe('same');
    expect(effect(STEP, fails('npm run build', 'E2'), up, bash('npm run build'))).toBe('same');
    expect(effect(STEP, fails('npm start', 'E2'), up, bash('npm start'))).toBe(null);
    expect(effect(STEP, fails('npm test', 'E2'), bash('make db'), bash('npm test'))).toBe(null);
  });

  test('replaces what it takes back, whatever the error was', () => {
    const back = [edit('tsconfig.json', '"a": 2', '"a": 1'), bash('npx tsc')];
    expect(effect(SETTING, fails('npx tsc', 'E2'), ...back)).toBe('replaces');
    const on = [edit('tsconfig.json', '"a": 2', '"a": 3'), bash('npx tsc')];
    expect(effect(SETTING, fails('npx tsc', 'E2'), ...on)).toBe('replaces');
    expect(effect(OTHER, fails('pnpm install', 'E2'), bash('npm install'))).toBe('replaces');
  });

  test('replaces what was tried in vain', () => {
    const again = [fails('npm test'), bash('docker compose up -d db'), fails('npm test')];
    expect(effect(STEP, ...again, bash('make db'), bash('npm test'))).toBe('replaces');
  });

  test('stands beside advice that it only adds to, or that was not tried', () => {
    const more = [edit('tsconfig.json', '"a": 2', '"a": 2, "b": 1'), bash('npx tsc')];
    expect(effect(SETTING, fails('npx tsc', 'E2'), ...more)).toBe(null);
    expect(effect(STEP, fails('npm test'), bash('make db'), bash('npm test'))).toBe(null);
    const flagged = bash('pnpm install --frozen-lockfile=false');
    expect(effect(OTHER, fails('pnpm install', 'E2'), flagged)).toBe(null);
  });
});
