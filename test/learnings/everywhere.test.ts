import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { asUser } from '../../src/db/as-user.ts';
import { query } from '../../src/db/open.ts';
import { contextOf, hookSession, startedSession } from '../support/hook-session.ts';
import { sharedServer } from '../support/server.ts';
import { ERROR, learn, learnings, state } from './mend.ts';

const server = await sharedServer();

const RULE = 'Write commit messages in English';
const start = async (key: string, cwd: string) => contextOf(await hookSession(server, { key, cwd }).start());

test('what a person states for all projects is told in each of theirs, and in nobody else’s', async () => {
  const { key } = await server.member();
  const { learning } = await state(server, key, RULE, { everywhere: true });
  expect(learning).toMatchObject({ everywhere: true, status: 'active' });
  expect(await start(key, '/home/dev/shop')).toContain(RULE);
  expect(await start((await server.member()).key, '/home/dev/shop')).not.toContain(RULE);
  const only = await server.request('PATCH', `/v1/learnings/${learning.id}`, {
    key,
    body: { everywhere: false },
  });
  expect(only.body).toMatchObject({ everywhere: false, lesson: RULE });
  expect(await start(key, '/home/dev/shop')).not.toContain(RULE);
  expect(await start(key, '/home/dev/app')).toContain(RULE);
});

test('the lesson of an error holds its line in all projects', async () => {
  const { key } = await server.member();
  await learn(server, { key });
  const [{ id }] = await learnings(server, key);
  await server.request('PATCH', `/v1/learnings/${id}`, { key, body: { everywhere: true } });
  const session = await startedSession(server, { key, cwd: '/home/dev/shop' });
  expect((await session.before('node check.js')).additionalContext).toContain('npm run gen');
  const other = hookSession(server, { key, cwd: '/home/dev/store' });
  expect(contextOf(await other.bashFails('node check.js', ERROR))).toContain('npm run gen');
});

test('a key of one project reads what holds everywhere, and changes none of it', async () => {
  const { key, userId } = await server.member();
  await state(server, key, 'Run `make lint` first', { project: '/home/dev/shop' });
  const { learning } = await state(server, key, RULE, { everywhere: true, project: '/home/dev/shop' });
  const [{ project_id: projectId }] = await server.rows(
    `select project_id from learnings where id = '${learning.id}'`,
  );
  const bound = <T extends Record<string, unknown>>(statement: string) =>
    asUser(server.db, { userId, role: 'member', projectId }, (tx) => query<T>(tx, sql.raw(statement)));
  expect(await bound(`select lesson from learnings where id = '${learning.id}'`)).toEqual([{ lesson: RULE }]);
  expect(await bound(`update learnings set lesson = 'Write Latin' where everywhere returning 1`)).toEqual([]);
  expect(await bound(`delete from learnings where everywhere returning 1`)).toEqual([]);
  await expect(bound('update learnings set everywhere = true returning 1')).rejects.toThrow();
  expect(await start(key, '/home/dev/app')).toContain(RULE);
});
