import { expect, test } from 'vitest';
import { contextOf, hookSession } from '../../support/hook-session.ts';
import { sharedServer } from '../../support/server.ts';

const server = await sharedServer();
const APP = '/home/dev/app';

async function person() {
  const { key } = await server.member();
  const ask = async (method: string, path: string, body?: unknown) =>
    (await server.request(method, path, { key, body })).body;
  const add = (title: string, fields: object = {}) =>
    ask('POST', '/v1/findings', { project: APP, title, ...fields });
  const session = () => hookSession(server, { key, cwd: APP });
  const findings = async () => {
    await server.settled();
    return (await ask('GET', '/v1/findings')).findings;
  };
  return { key, ask, add, session, findings };
}

async function work(s: ReturnType<typeof hookSession>, outcome: 'success' | 'error') {
  await s.start();
  await s.prompt('Close connections in the pool');
  await s.edit(`${APP}/src/pool.ts`, 'a', 'b');
  if (outcome === 'success') await s.bashWorks('npm test', ' Tests  3 passed (3)');
  else await s.bashFails('npm test', 'Exit code 1\n Tests  1 failed (1)');
  await s.stop('Connections are closed in finally.');
  await s.end();
}

test('an episode proposes the status of the findings whose files it changed; somebody decides', async () => {
  const { ask, add, session, findings } = await person();
  const leak = await add('The pool leaks', { file: 'src/pool.ts', severity: 'high' });
  const other = await add('The cache is slow', { file: 'src/cache.ts' });
  await work(session(), 'error');
  await server.settled();
  const first = await ask('GET', `/v1/findings/${leak.id}`);
  expect(first).toMatchObject({ status: 'open', proposedStatus: 'in_progress' });
  await work(session(), 'success');
  const found = await findings();
  const [episode] = (await ask('GET', '/v1/episodes')).episodes;
  expect(found.find(({ id }: { id: string }) => id === other.id).proposedStatus).toBeNull();
  expect(found.find(({ id }: { id: string }) => id === leak.id)).toMatchObject({
    status: 'open',
    proposedStatus: 'resolved',
    proposedBy: episode.id,
  });
  const told = contextOf(await session().start());
  expect(told).toContain(`maybe resolved by lore:${episode.id.slice(0, 8)}`);
  const decided = await ask('PATCH', `/v1/findings/${leak.id}`, { status: 'resolved' });
  expect(decided).toMatchObject({ status: 'resolved', proposedStatus: null, solvedBy: episode.id });
});

test('what was turned down is not proposed again by the same episode', async () => {
  const { key, ask, add, session, findings } = await person();
  await add('The pool leaks', { file: './src/pool.ts' });
  const s = session();
  await work(s, 'success');
  const [leak] = await findings();
  expect(leak.proposedStatus).toBe('resolved');
  await ask('PATCH', `/v1/findings/${leak.id}`, { proposedStatus: null });
  await server.rows(`insert into episode_cuts (user_id, session_id, part)
    select user_id, id, 'whole' from sessions where client_session_id = '${s.session_id}'`);
  expect(await findings()).toMatchObject([{ status: 'open', proposedStatus: null }]);
  expect(key).toBeTruthy();
});
