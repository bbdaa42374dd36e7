import { expect, test, vi } from 'vitest';
import { startTestServer } from '../support/server.ts';

const server = await startTestServer();
const failing = async () => {
  const { status, workers } = (await server.request('GET', '/health', { key: null })).body;
  return [status, workers.failing];
};

test('a worker that has failed for a minute is named until it works again; once may be a connection that broke', async () => {
  const rename = (from: string, to: string) =>
    server.rows(`alter function lore.${from}(text, uuid) rename to ${to}`);
  await rename('waiting_work', 'gone');
  await server.settled();
  expect((await failing())[1]).toEqual([]);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
  const later = await failing();
  vi.useRealTimers();
  expect(later).toEqual(['degraded', ['look for work']]);
  await rename('gone', 'waiting_work');
  await server.settled();
  expect((await failing())[1]).toEqual([]);
});
