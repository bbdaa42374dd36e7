import { expect, test } from 'vitest';
import { startTestServer } from '../support/server.ts';
const server = await startTestServer();
test('smoke', async () => {
  const { key } = await server.member();
  for (const lesson of ['Run `npm run emulator` before the integration tests of the ledger', 'Start the emulator with `npm run emulator` before you run the ledger integration tests']) {
    await server.db.drizzle;
    await server.request('POST', '/v1/import', { key, body: { records: [] } });
    console.log((await server.request('POST', '/v1/learnings', { key, body: { project: 'app', lesson, context: 'when the ledger is tested here', appliesTo: ['npm test'] } })).body);
  }
  await server.settled();
  console.log((await server.request('POST', '/v1/consolidation/runs', { key, body: { dryRun: true } })).body);
  console.log((await server.request('POST', '/v1/consolidation/runs', { key, body: {} })).body);
  await server.settled();
  console.log(JSON.stringify((await server.request('GET', '/v1/consolidation/runs/last', { key })).body, null, 1));
  console.log((await server.request('GET', '/health')).body);
  expect(1).toBe(1);
});
