import { describe, expect, test } from 'vitest';
import { guardInRecord } from '../../src/distil/guard-in-record.ts';
import { readByModel } from '../../src/distil/read-by-model.ts';
import { GuardRule } from '../../src/guards/rule.ts';
import type { SessionStep } from '../../src/incidents/steps.ts';
import type { AskModel } from '../../src/llm/ask.ts';
import { createOpenAI } from '../../src/llm/openai.ts';
import { readLine } from '../../src/shell/line.ts';
import { fakeOpenAI } from '../support/openai.ts';

const openai = await fakeOpenAI();
const provider = createOpenAI({ url: openai.url, model: 'm', key: undefined, timeoutMs: 10_000 });
const ask: AskModel = async (_claims, request) => {
  const outcome = await provider.call(request);
  if ('failure' in outcome) throw outcome.failure;
  return { answer: outcome.answer, model: 'm', tokens: 0 };
};

const at = new Date();
const prompt = (text: string): SessionStep => ({ kind: 'prompt', text, at });
const call = (command: string, error?: string): SessionStep => ({
  kind: 'call',
  toolUseId: `toolu_${command}`,
  agentId: null,
  tool: 'Bash',
  line: readLine(command),
  target: command,
  input: { command },
  ok: error === undefined,
  signature: error === undefined ? null : 's',
  output: error ?? '',
  printed: error ?? 'ok',
  edits: [],
  at,
});
const bash = (command: string) => ({ tool: 'Bash', input: { command } });

const GUARD = {
  when: [{ kind: 'command', program: 'git push', args: ['--force'] }],
  then: 'deny',
  breaks: [bash('git push --force'), bash('git push origin x --force')],
  keeps: [bash('git push'), bash('git pull --force')],
};
const LESSON = {
  kind: 'preference',
  action: 'No force pushes in this repository.',
  cause: '',
  trigger: 'Pushing',
  lasting: 'lasting',
  general: true,
  incident: null,
  words: 'No force pushes here',
  guard: GUARD,
  keywords: ['push'],
  appliesTo: ['git'],
  confidence: 0.9,
};

async function read(steps: SessionStep[], ...lessons: object[]) {
  openai.reply = { content: JSON.stringify({ lessons, facts: [], relations: [], decisions: [] }) };
  const about = { sessionId: 's', project: 'app', branch: 'main', task: 'Tidy up' };
  return readByModel(ask, { userId: 'u', role: 'owner' }, about, steps, '');
}
const readOne = async (text: string, lesson: object) =>
  (await read([prompt(text), call('git status')], { ...LESSON, ...lesson })).lessons[0];

describe('what a person said', () => {
  test('comes with their sentence to the letter, whether it is general, and its guard', async () => {
    const one = await readOne('thanks. no force  pushes\nhere, ok?', {});
    expect(one).toMatchObject({ lasting: 'lasting', general: true, invented: null, toolUseId: null });
    expect(one?.words).toBe('no force  pushes\nhere');
    expect(one?.guard).toEqual(GUARD);
    // who sees nothing but the request can play the model
    const { messages, response_format: format } = openai.calls.at(-1)?.body ?? {};
    for (const said of [
      '"kind": "command"',
      '"kind": "path"',
      '"kind": "content"',
      '"kind": "mcp"',
      '"unless"',
    ]) {
      expect(messages?.[0]?.content).toContain(said);
    }
    expect(JSON.stringify(format?.json_schema.schema)).toContain('"enum":["tell","ask","deny"]');
  });

  test('is told in their own words if the model says it in another language, or names something else', async () => {
    const german = await readOne('Bitte nie direkt auf dem Hauptzweig arbeiten!', {
      words: 'nie direkt auf dem Hauptzweig arbeiten',
      action: 'Never work on the main branch.',
    });
    expect(german).toMatchObject({
      invented: null,
      written: { lesson: 'nie direkt auf dem Hauptzweig arbeiten' },
    });
    const named = await readOne('no force pushes here', {
      words: 'no force pushes here',
      action: 'No force pushes here: use `git push --force-with-lease`.',
      trigger: 'Before /etc/hosts',
    });
    expect(named).toMatchObject({ invented: null, written: { lesson: 'no force pushes here', context: '' } });
  });

  test('is not believed, and has no guard, if no prompt says it', async () => {
    const one = await readOne('Tidy up the docs', { words: 'no force pushes here' });
    expect(one).toMatchObject({ words: null, guard: null, invented: 'what the person did not say' });
  });

  test('is kept without a guard of another form, or one that names what nobody knows', async () => {
    const text = 'no force pushes here';
    const other = await readOne(text, { guard: { ...GUARD, then: 'explode' } });
    expect(other).toMatchObject({ guard: null, invented: null, words: text });
    const unknown = await readOne(text, {
      guard: { ...GUARD, when: [{ kind: 'command', program: './ship', args: ['--force'] }] },
    });
    expect(unknown).toMatchObject({ guard: null, invented: null });
    const fix = await read([prompt('go'), call('make', 'Error: no'), call('make all')], {
      ...LESSON,
      kind: 'fix',
      incident: 1,
      action: 'Run `make all`.',
    });
    expect(fix.lessons[0]).toMatchObject({
      guard: null,
      words: null,
      toolUseId: 'toolu_make',
      invented: null,
    });
  });
});

test('a long turn is cut to its size, and an answer without the new fields is read', async () => {
  const noise = 'x'.repeat(30_000);
  const steps = [prompt(noise), ...Array.from({ length: 60 }, (_, n) => call(`make part${n}`, noise))];
  const { guard: _guard, words: _words, general: _general, ...old } = LESSON;
  const { lessons } = await read(steps, { ...old, kind: 'fix', incident: 60, action: 'Run it once more.' });
  expect(openai.calls.at(-1)?.body.messages[1]?.content.length).toBeLessThanOrEqual(12_000);
  expect(lessons[0]).toMatchObject({
    general: false,
    words: null,
    guard: null,
    toolUseId: 'toolu_make part59',
  });
});

describe('a guard may name', () => {
  const guard = (match: object, more: object = {}) => GuardRule.parse({ ...GUARD, when: [match], ...more });
  const command = (program: string, ...args: string[]) => ({ kind: 'command', program, args });
  const path = (...globs: string[]) => ({ kind: 'path', globs });

  test.each([
    ['what a known program calls it', 'keine Force-Pushes', command('git push', '-f')],
    ['what a known program does', 'use uv, never pip', command('pip', 'install')],
    ['a program of the record', 'release only with ./ship.sh', command('./ship.sh')],
    ['a package that was named', 'we are done with moment', command('npm install', 'moment')],
    [
      'one whose words were named',
      'never use acme/errors again',
      command('go get', 'github.com/acme/errors'),
    ],
    ['a folder that was named', 'legal owns config/licenses', path('config/licenses/**')],
    ['a file that all projects have', 'hands off the lockfile', path('package-lock.json', 'yarn.lock')],
    ['a kind of file', 'no SQL by hand', path('**/*.sql', '*.svelte')],
    ['a pattern without words', 'no German comments', { kind: 'content', pattern: '^ *// [A-Za-z]{3,}' }],
    ['the signs of a comment', 'no comments, please', { kind: 'content', pattern: '^\\s*(//|#)' }],
    [
      'a word of the text',
      'amounts are cents',
      { kind: 'content', pattern: '\\bamount\\w*\\s*=\\s*\\d+\\.\\d' },
    ],
    [
      'a tool of the record',
      'never drop with mcp__db__query',
      { kind: 'mcp', tool: 'mcp__db__*', pattern: 'drop' },
    ],
  ])('%s', (_name, record, match) => {
    expect(guardInRecord(record, guard(match))).toEqual(guard(match));
  });

  test.each([
    ['a program that nobody knows', 'never deploy on fridays', command('shipit')],
    ['a package that nobody named', 'use pnpm, never npm', command('npm install', 'left-pad')],
    ['a folder that nobody named', 'leave the licenses alone', path('billing/**')],
    ['a text that nobody named', 'be brief', { kind: 'content', pattern: 'frobnicate' }],
    ['a server that nobody named', 'ask before you write', { kind: 'mcp', tool: 'mcp__crm__*' }],
  ])('not %s', (_name, record, match) => {
    expect(guardInRecord(record, guard(match))).toBeNull();
  });

  test('nothing made up in its conditions either', () => {
    const commits = command('git commit');
    const known = [{ unless: { program: 'npm test' } }, { branch: 'main', environment: 'prod' }];
    for (const more of known)
      expect(guardInRecord('tests first', guard(commits, more))).toEqual(guard(commits, more));
    for (const more of [{ unless: { program: 'verifyall' } }, { branch: 'acme/*' }])
      expect(guardInRecord('not on friday', guard(commits, more))).toBeNull();
  });

  test('only what is known: the rest of it is taken out, with the examples that it alone would see', () => {
    const rule = GuardRule.parse({
      when: [command('npm', 'install'), command('frobnicate'), path('billing/**', 'package.json')],
      then: 'deny',
      breaks: [bash('npm install'), bash('frobnicate')],
      keeps: [bash('pnpm install')],
    });
    expect(guardInRecord('never npm', rule)).toEqual({
      ...rule,
      when: [command('npm', 'install'), path('package.json')],
      breaks: [bash('npm install')],
    });
  });
});
