import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { transcriptFolder } from '../support/left-behind.ts';
import { preparedHome, startHere, startServerProcess } from '../support/process.ts';

const line = (n: number) => `${n} all is well in this long line of a log`;

test('what was masked is there after a kill', async () => {
  const env = { ...(await preparedHome()), LORE_MASK: 'on', LORE_KEY: 'lore-test-key-0123456789' };
  const first = await startServerProcess(env);
  const folder = transcriptFolder();
  const text = Array.from({ length: 20_000 }, (_, i) => line(i + 1)).join('\n');
  const id = randomUUID();
  const path = join(folder, id, 'tool-results', 'b1.txt');
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
  const send = (url: string, path: string, body?: object) =>
    fetch(`${url}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${env.LORE_KEY}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    }).then((answer) => answer.json() as Promise<Record<string, never>>);
  const answer = (await send(first.url, '/v1/hooks', {
    session_id: id,
    transcript_path: join(folder, `${id}.jsonl`),
    hook_event_name: 'PostToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'make' },
    tool_use_id: 't1',
    tool_response: {
      stdout: text.slice(0, 30_000),
      persistedOutputPath: path,
      persistedOutputSize: text.length,
    },
  })) as { hookSpecificOutput?: { updatedToolOutput: { stdout: string } } };
  first.kill('SIGKILL');
  await first.finished;
  // neither does the file have to be there any more
  rmSync(folder, { recursive: true });
  const [, obs] = /^\[obs:(\w+)\]/.exec(answer.hookSpecificOutput?.updatedToolOutput.stdout ?? '') ?? [];
  expect(obs).toBeDefined();
  const second = await startHere(env);
  const read = await send(second.url, `/v1/observations/${obs}?from=12345&to=12345`);
  second.kill('SIGTERM');
  await second.finished;
  expect(read).toMatchObject({ characters: text.length, content: [{ text: line(12_345) }] });
});
