import { expect, test, vi } from 'vitest';
import { startTestServer } from '../support/server.ts';

const server = await startTestServer();
const workers = async () => (await server.request('GET', '/v1/workers')).body.workers;
const health = async () => (await server.request('GET', '/health', { key: null })).body;
const looking = async () => (await workers()).find(({ name }: { name: string }) => name === 'look for work');

test('each worker tells its last run, and one that fails says why until it works again', async () => {
  await server.settled();
  const all = await workers();
  expect(all.length).toBeGreaterThan(8);
  expect(await looking()).toMatchObject({
    state: 'idle',
    lastRun: expect.stringMatching(/^20\d\d-/),
    tookMs: expect.any(Number),
    failingSince: null,
    error: null,
  });

  const rename = (from: string, to: string) =>
    server.rows(`alter function lore.${from}(text, uuid) rename to ${to}`);
  await rename('waiting_work', 'gone');
  await server.settled();
  expect(await looking()).toMatchObject({
    state: 'failing',
    failingSince: expect.any(String),
    error: expect.stringContaining('waiting_work'),
  });
  // once may be a connection that broke; for a minute is a fault
  expect((await health()).workers).toEqual({ failing: [] });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
  const later = await health();
  vi.useRealTimers();
  expect(later).toMatchObject({ status: 'degraded', workers: { failing: ['look for work'] } });

  await rename('gone', 'waiting_work');
  await server.settled();
  expect(await looking()).toMatchObject({ state: 'idle', failingSince: null, error: null });
  expect((await health()).workers).toEqual({ failing: [] });
});
