import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { seeded } from '../bench/sessions.ts';
import { generate, recordOf } from '../eval/night/history.ts';
import { CHOSEN_WITH } from '../eval/night/topics.ts';
import { preparedHome, startServerProcess } from '../support/process.ts';
import { startTestServer } from '../support/server.ts';

// Starting processes takes long on a busy machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const undisturbed = await startTestServer();
const lessons = generate(CHOSEN_WITH, 10, seeded(3));

const records = lessons.map((one) => recordOf(one, 'app'));

type Ask = (method: string, path: string, body?: unknown) => Promise<Record<string, never>>;

/** Waits until the answer is as wanted. */
async function until(
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails if it is missing
  get: () => Promise<any>,
  // biome-ignore lint/suspicious/noExplicitAny: as above
  wanted: (answer: any) => boolean,
) {
  for (;;) {
    const answer = await get();
    if (wanted(answer)) return answer;
    await sleep(20);
  }
}

const fill = async (ask: Ask) => {
  await ask('POST', '/v1/import', { records });
  await until(
    () => ask('GET', '/v1/index'),
    ({ pending, model }) => pending === 0 && model !== null,
  );
};
const begin = (ask: Ask) => ask('POST', '/v1/consolidation/runs');
const last = (ask: Ask) => ask('GET', '/v1/consolidation/runs/last');
const ended = (ask: Ask) =>
  until(
    () => last(ask),
    ({ finishedAt }) => finishedAt !== null,
  );

/** What a night leaves behind, without ids of its own and instants. */
async function state(ask: Ask) {
  const { rows } = await ask('POST', '/v1/sql', {
    query: `select l.id, l.valid_until is null as current, l.keywords, l.success_count, l.confidence,
        (select json_agg(json_build_array(i.action, i.kept_id, i.reason)) from consolidation_items i
         where i.record_id = l.id) as items
      from learnings l order by l.id`,
  });
  return rows;
}

test('a night that is killed again and again ends as an undisturbed one, and the next one changes nothing', async () => {
  const calm: Ask = async (method, path, body) => (await undisturbed.request(method, path, { body })).body;
  await fill(calm);
  await begin(calm);
  const wanted = await ended(calm);
  expect(wanted.counts.merged).toBeGreaterThan(5);

  const env = await preparedHome();
  let server = await startServerProcess(env);
  const ask: Ask = async (method, path, body) => {
    const key = readFileSync(join(env.LORE_HOME, 'key'), 'utf8').trim();
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return (await response.json()) as Awaited<ReturnType<Ask>>;
  };
  await fill(ask);
  await begin(ask);
  // killed while lessons are looked up, and among the merges
  for (const reached of [0, 3]) {
    await until(
      () => last(ask),
      ({ counts, finishedAt }) => (counts.merged ?? 0) >= reached || finishedAt !== null,
    );
    server.kill('SIGKILL');
    await server.finished;
    server = await startServerProcess(env);
  }
  const disturbed = await ended(ask);
  expect(await state(ask)).toEqual(await state(calm));
  expect(disturbed.counts).toEqual(wanted.counts);
  await begin(ask);
  expect((await ended(ask)).id).not.toBe(disturbed.id);
  expect((await last(ask)).items).toEqual([]);
  server.kill('SIGKILL');
  await server.finished;
});
