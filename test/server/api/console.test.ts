import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asking } from '../../support/asking.ts';
import { type Process, preparedHome, startHere } from '../../support/process.ts';

// This server has its data on disk, because ending a statement ends the thread of the embedded database.
const key = `an-owner-key-for-tests-${randomUUID()}`;
let server: Process & { url: string };

beforeAll(async () => {
  server = await startHere({ ...(await preparedHome()), LORE_KEY: key, LORE_LOG_LEVEL: 'silent' });
});
afterAll(async () => {
  server.kill('SIGTERM');
  expect(await server.finished).toMatchObject({ code: 0 });
});

const request = (path: string, body?: unknown, as = key) =>
  asking(server.url, as)(body === undefined ? 'GET' : 'POST', path, body);

const ask = (query: string) => request('/v1/sql', { query });
const event = (id: string) => ({
  session_id: 'console',
  cwd: '/home/dev/console',
  hook_event_name: 'PostToolUse',
  tool_name: 'Bash',
  tool_use_id: id,
  tool_input: { command: 'npm test' },
  tool_response: { stdout: 'ok' },
});
const ids = async () =>
  (await ask('select tool_use_id as id from events order by id')).body.rows.map(
    (row: { id: string }) => row.id,
  );

test('a statement is ended after 5 s; hooks and /health answer meanwhile', async () => {
  const name = 'long';
  expect((await request('/v1/hooks', event(`${name}, before`))).status).toBe(200);
  expect(await ids()).toContain(`${name}, before`);
  // A key that was just looked up is trusted for 5 s.
  const fresh = (await request('/v1/keys', { name })).body.key;
  await request('/v1/me', undefined, fresh);
  let running = true;
  const long = ask('select count(*) from generate_series(1, 3000000000)').finally(() => {
    running = false;
  });
  let sent = 0;
  for (; running; sent++) {
    expect((await request('/health')).status).toBe(200);
    expect((await request('/v1/hooks', event(`${name}, ${sent}`), fresh)).status).toBe(200);
    await sleep(20);
  }
  expect(await long).toMatchObject({ status: 400, body: { detail: expect.stringContaining('after 5 s') } });
  // who waited for the statement would have had one answer
  expect(sent).toBeGreaterThan(3);
  const stored = await ids();
  expect(stored).toContain(`${name}, before`);
  expect(stored.filter((id: string) => id.startsWith(`${name}, `)).length).toBe(sent + 1);
  expect((await request('/health')).body.database).toMatchObject({ ok: true });
});

test('an answer has at most 10,000 rows, and says so', async () => {
  const { body } = await ask('select n, repeat(md5(n::text), 3) as text from generate_series(1, 50000) n');
  expect(body.rows).toHaveLength(10_000);
  expect(body.cut).toContain('Only the first 10,000 rows');
  expect(body.rows.at(-1).n).toBe(10_000);
  const all = (await ask('select n from generate_series(1, 10000) n')).body;
  expect([all.rows.length, all.cut]).toEqual([10_000, null]);
});
