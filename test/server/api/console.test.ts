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
}, 120_000);
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
  const begun = performance.now();
  const long = ask('select count(*) from generate_series(1, 3000000000)').then((answer) => ({
    ...answer,
    took: performance.now() - begun,
  }));
  const times: number[] = [];
  for (let i = 0; performance.now() - begun < 3_000; i++) {
    for (const send of [
      () => request('/health'),
      () => request('/v1/hooks', event(`${name}, ${i}`), fresh),
    ]) {
      const sent = performance.now();
      expect((await send()).status).toBe(200);
      times.push(performance.now() - sent);
    }
    await sleep(20);
  }
  const { status, body, took } = await long;
  expect(took).toBeGreaterThan(4_900);
  expect({ status, detail: body.detail }).toEqual({
    status: 400,
    detail: expect.stringContaining('after 5 s'),
  });
  // This is a fraction of the statement's time, and still enough on a busy machine.
  expect(Math.max(...times)).toBeLessThan(took / 5);
  expect(times.length).toBeGreaterThan(10);

  const stored = await ids();
  expect(stored).toContain(`${name}, before`);
  expect(stored.filter((id: string) => id.startsWith(`${name}, `)).length).toBe(times.length / 2 + 1);
  expect((await request('/health')).body.database).toMatchObject({ ok: true });
}, 60_000);

test.each([
  ...['select pg_advisory_lock(4242)', 'select pg_catalog."pg_advisory_lock_shared"(4242), 1/0'],
  ...['select * from PG_TRY_ADVISORY_LOCK_SHARED(4242)', `select pg_notify('lore_queue', 'x')`],
  ...[`select pg_logical_emit_message(false, 'x', repeat('x', 1000))`, 'select PG_SLEEP(1)'],
  ...[
    `select "lo_import"('/etc/passwd')`,
    `select lo_from_bytea(0, 'x')`,
    `select pg_read_file('/etc/passwd')`,
  ],
  ...[`select * from pg_ls_dir('/')`, `select * from dblink('host=x', 'select 1') as t(a int)`],
  ...['select pg_terminate_backend(1)', `select pg_create_logical_replication_slot('x', 'y')`],
])('%s is refused, because it does more than read rows', async (query) => {
  const { status, body } = await ask(query);
  expect([status, body.detail]).toEqual([400, expect.stringContaining('does more than read rows')]);
});

test('an answer has at most 10,000 rows, and says so', async () => {
  const { body } = await ask('select n, repeat(md5(n::text), 3) as text from generate_series(1, 50000) n');
  expect(body.rows).toHaveLength(10_000);
  expect(body.cut).toContain('Only the first 10,000 rows');
  expect(body.rows.at(-1).n).toBe(10_000);
  const all = (await ask('select n from generate_series(1, 10000) n')).body;
  expect([all.rows.length, all.cut]).toEqual([10_000, null]);
});
