import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { transcriptFolder } from '../support/left-behind.ts';
import { sharedServer, startTestServer } from '../support/server.ts';

const server = await startTestServer({ LORE_MODEL_DIR: '', LORE_MASK: 'on', LORE_OUTPUT_DAILY_MB: '0' });
const plain = await sharedServer({ model: false });

const line = (n: number) => `${n} all is well in this long line of a log`;
const log = (lines: number, at: Record<number, string> = {}) =>
  Array.from({ length: lines }, (_, i) => at[i + 1] ?? line(i + 1)).join('\n');
const folder = transcriptFolder();

/** Sends a shell command that went well. Returns what the model reads instead of its output; undefined: the output. */
async function shown(
  command: string,
  response: Record<string, unknown>,
  { on = server, key = undefined as string | undefined, id = randomUUID() as string } = {},
) {
  const event = {
    session_id: id,
    transcript_path: join(folder, `${id}.jsonl`),
    cwd: '/home/dev/mask',
    hook_event_name: 'PostToolUse',
    tool_name: 'Bash',
    tool_input: { command },
    tool_use_id: `toolu_${id}`,
    tool_response: { stderr: '', interrupted: false, isImage: false, noOutputExpected: false, ...response },
  };
  const answer = await on.hook(event, key);
  const again = await on.hook(event, key);
  expect(again).toEqual(answer);
  return answer.hookSpecificOutput?.updatedToolOutput;
}

const filed = (id: string, text: string) => {
  const path = join(folder, id, 'tool-results', 'b1.txt');
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
  return { stdout: text.slice(0, 30_000), persistedOutputPath: path, persistedOutputSize: text.length };
};

describe('a long output', () => {
  test('is answered by its size, its ends, its errors and how to read the rest, in the shape of the tool', async () => {
    const text = log(500, { 100: 'ERROR the pool is exhausted', 200: `fatal: ${'x'.repeat(300)}` });
    const output = await shown('cat app.log', { stdout: text, returnCodeInterpretation: 'fine' });
    const { stdout, ...rest } = output;
    expect(rest).toEqual({
      stderr: '',
      interrupted: false,
      isImage: false,
      noOutputExpected: false,
      returnCodeInterpretation: 'fine',
    });
    const [, id] = /^\[obs:([0-9a-f]{12})\] /.exec(stdout) ?? [];
    expect(stdout.split('\n')).toEqual([
      `[obs:${id}] ${text.length.toLocaleString('en-US')} characters, 500 lines`,
      ...Array.from({ length: 10 }, (_, i) => line(i + 1)),
      '… lines 11-470 are kept and not shown, but for errors …',
      '100: ERROR the pool is exhausted',
      expect.stringMatching(/^200: fatal: x+… \[\d+ more characters\]$/),
      '…',
      ...Array.from({ length: 30 }, (_, i) => line(i + 471)),
      `[read the rest: lore obs ${id} --lines 11-210, or: lore obs ${id} --grep WORD]`,
    ]);
    // kept, although this server keeps nothing else in a day
    const { body } = await server.request('GET', `/v1/observations/${id}?from=150&to=150`);
    expect(body.content[0].text).toBe(line(150));
  });

  test('that is in a file is answered from all of it, without the path', async () => {
    const id = randomUUID();
    const text = log(30_000, { 20000: 'Error: connection refused' });
    const output = await shown('make', filed(id, text), { id });
    expect(Object.keys(output)).not.toContain('persistedOutputPath');
    expect(output.stdout).toContain('20000: Error: connection refused');
    expect(output.stdout).toContain(line(30_000));
  });
});

describe('an output is shown as it is', () => {
  const long = log(500);
  test.each<[string, string, Record<string, unknown>]>([
    ['of 8,000 characters', 'cat a', { stdout: `${'x\n'.repeat(4_000)}`.slice(0, 8_000) }],
    ['of an interrupted command', 'cat a', { stdout: long, interrupted: true }],
    ['that is an image', 'cat a', { stdout: long, isImage: true }],
    ['of a background command', 'cat a', { stdout: long, backgroundTaskId: 'b1' }],
    ['that shows a failure', 'npm test | cat', { stdout: `${long}\nTests  2 failed | 3 passed (5)` }],
    [
      'that is read again',
      'lore obs 0123456789ab',
      { stdout: `[obs:0123456789ab] lines 1-400 of 900\n${long}` },
    ],
    [
      'in a file that is not there',
      'cat a',
      { stdout: long, persistedOutputPath: '/nonexistent/tool-results/b1.txt' },
    ],
    ['without text', 'cat a', { stdout: 7 }],
  ])('%s', async (_, command, response) => {
    expect(await shown(command, response)).toBeUndefined();
  });

  test('by default, and for a member whose file is elsewhere', async () => {
    expect(await shown('cat a', { stdout: long }, { on: plain, key: plain.key })).toBeUndefined();
    const { key } = await server.member();
    const id = randomUUID();
    expect(await shown('cat a', filed(id, log(3_000)), { id, key })).toBeUndefined();
    expect(await shown('cat a', { stdout: long }, { key })).toBeDefined();
  });
});
