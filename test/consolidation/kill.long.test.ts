import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { lessonRecord } from '../learnings/mend.ts';
import { asking } from '../support/asking.ts';
import { preparedHome, startServerProcess } from '../support/process.ts';
import { startTestServer } from '../support/server.ts';

// Starting processes takes long on a busy machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const undisturbed = await startTestServer({ LORE_MODEL_DIR: '' });

/** As many pairs of lessons that say the same, so that a night has many steps to do. */
const PAIRS = 60;
const records = Array.from({ length: 2 * PAIRS }, (_, n) => ({
  ...lessonRecord(
    `Start the emulator on port ${5000 + (n % PAIRS)} before the tests${n < PAIRS ? '' : '.'}`,
    new Date(Date.now() - (2 * PAIRS - n) * 60_000),
  ),
  successCount: n % 3,
}));
type Ask = (method: string, path: string, body?: unknown) => Promise<any>;

const fill = async (ask: Ask) =>
  expect(await ask('POST', '/v1/import', { records })).toMatchObject({ imported: 2 * PAIRS, failed: [] });
const begin = (ask: Ask) => ask('POST', '/v1/consolidation/runs');
const last = (ask: Ask) => ask('GET', '/v1/consolidation/runs/last');

/** Waits until the last night ended, or has merged so many. */
async function reached(ask: Ask, merged: number) {
  for (;;) {
    const run = await last(ask);
    if (run.finishedAt !== null || (run.counts.merged ?? 0) >= merged) return run;
    await sleep(20);
  }
}
const ended = (ask: Ask) => reached(ask, Number.POSITIVE_INFINITY);

/** What a night leaves behind, without ids of its own and instants. */
const state = async (ask: Ask) =>
  (
    await ask('POST', '/v1/sql', {
      query: `select l.id, l.valid_until is null as current, l.success_count, l.confidence,
          (select json_agg(json_build_array(i.action, i.kept_id, i.reason)) from consolidation_items i
           where i.record_id = l.id) as items
        from learnings l order by l.id`,
    })
  ).rows;

test('a night that is killed again and again ends as an undisturbed one, and the next one changes nothing', async () => {
  const calm: Ask = async (method, path, body) => (await undisturbed.request(method, path, { body })).body;
  await fill(calm);
  await begin(calm);
  const wanted = await ended(calm);
  expect(wanted.counts.merged).toBe(PAIRS);

  const env = { ...(await preparedHome()), LORE_MODEL_DIR: '' };
  let server = await startServerProcess(env);
  const ask: Ask = async (method, path, body) => {
    const key = readFileSync(join(env.LORE_HOME, 'key'), 'utf8').trim();
    return (await asking(server.url, key)(method, path, body)).body;
  };
  await fill(ask);
  await begin(ask);
  const seen: (string | null)[] = [];
  // killed at the beginning, and among the merges
  for (const merged of [0, 1]) {
    seen.push((await reached(ask, merged)).finishedAt);
    server.kill('SIGKILL');
    await server.finished;
    server = await startServerProcess(env);
  }
  // at least once there was something left to do
  expect(seen).toContain(null);
  const disturbed = await ended(ask);
  expect(await state(ask)).toEqual(await state(calm));
  expect(disturbed.counts).toEqual(wanted.counts);
  await begin(ask);
  expect((await ended(ask)).id).not.toBe(disturbed.id);
  expect((await last(ask)).items).toEqual([]);
  server.kill('SIGKILL');
  await server.finished;
});
