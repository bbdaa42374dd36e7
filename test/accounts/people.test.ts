import { describe, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/base/config.ts';
import { openDatabase } from '../../src/db/open.ts';
import { startServer } from '../../src/server/compose.ts';
import { hookSession, startedSession } from '../support/hook-session.ts';
import { temporaryFolder } from '../support/left-behind.ts';
import { noEmbedder } from '../support/no-embedder.ts';
import { startTestServer, testDatabase } from '../support/server.ts';

const server = await startTestServer({ LORE_MODEL_DIR: '' });
const status = async (key: string) => (await server.request('GET', '/v1/me', { key })).status;
const NOBODY = '00000000-0000-4000-8000-000000000000';

type Listed = {
  userId: string;
  name: string;
  role: string;
  removedAt: string | null;
  keys: { id: string; name: string; revokedAt: string | null }[];
};
const users = async (): Promise<Listed[]> => (await server.request('GET', '/v1/users')).body.users;
const listed = async (userId: string) => (await users()).find((user) => user.userId === userId) as Listed;

describe('the owner', () => {
  test('lists all accounts with their keys, but no key', async () => {
    const ann = await server.member('ann');
    await server.request('POST', '/v1/keys', { key: ann.key, body: { name: 'tablet' } });
    const answer = await server.request('GET', '/v1/users');
    expect(answer.status).toBe(200);
    expect(answer.body.users[0]).toMatchObject({ role: 'owner', name: 'owner', removedAt: null });
    expect(await listed(ann.userId)).toMatchObject({
      name: 'ann',
      role: 'member',
      keys: [
        { name: 'tablet', revokedAt: null },
        { name: 'first device', revokedAt: null, createdAt: expect.any(String) },
      ],
    });
    const hashes = (await server.rows('select key_hash from api_keys')).map((row) => row.key_hash);
    for (const secret of [...hashes, ann.key, server.key])
      expect(JSON.stringify(answer.body)).not.toContain(secret);
  });

  test('adds nobody under a name that an account has, or had, also not of two at once', async () => {
    const { userId } = await server.member('tess');
    const add = (name: string) => server.request('POST', '/v1/users', { body: { name } });
    const taken = { status: 409, body: { detail: expect.stringContaining('Choose another name') } };
    for (const name of ['tess', 'owner']) expect(await add(name)).toMatchObject(taken);
    await server.request('DELETE', `/v1/users/${userId}`);
    expect(await add('tess')).toMatchObject(taken);
    await server.request('DELETE', `/v1/users/${userId}?erase=true`);
    const two = await Promise.all([add('tess'), add('tess')]);
    expect(two.map((answer) => answer.status).sort()).toEqual([201, 409]);
  });

  test('revokes one key of a member, and removes a member: keys stop at once, rows stay', async () => {
    const { key, userId } = await server.member('carl');
    const session = hookSession(server, { key });
    await session.bashWorks('make');
    const tablet = (await server.request('POST', '/v1/keys', { key, body: { name: 'tablet' } })).body;
    expect([await status(tablet.key), await status(key)]).toEqual([200, 200]);
    expect((await server.request('DELETE', `/v1/keys/${tablet.id}?user=${userId}`)).status).toBe(204);
    expect([await status(tablet.key), await status(key)]).toEqual([401, 200]);
    const answer = await server.request('DELETE', `/v1/users/${userId}`);
    expect(answer).toMatchObject({ status: 200, body: { userId, name: 'carl', erased: null } });
    expect(await status(key)).toBe(401);
    expect(await listed(userId)).toMatchObject({
      removedAt: expect.any(String),
      keys: [{ revokedAt: expect.any(String) }, { revokedAt: expect.any(String) }],
    });
    expect(await server.rows(`select event from events where user_id = '${userId}'`)).toHaveLength(1);
    expect((await server.request('DELETE', `/v1/users/${userId}`)).status).toBe(200);
  });

  test('removes a member with everything they had', async () => {
    const { key, userId } = await server.member('dora');
    const session = await startedSession(server, { key });
    await session.bashFails('node check.js', 'Exit code 1\nError: pool exhausted in dora');
    const note = { project: '/home/dev/p', content: 'a note of dora' };
    await server.request('POST', '/v1/notes', { key, body: note });
    await server.request('POST', '/v1/commands/check', { key, body: { command: 'frobnicate', cwd: '/x' } });
    await server.settled();
    const { status: done, body } = await server.request('DELETE', `/v1/users/${userId}?erase=true`);
    expect(done).toBe(200);
    const had = { sessions: 1, events: 2, incidents: 1, notes: 1, checks: 1, projects: 2 };
    expect(body.erased).toMatchObject(had);
    const tables = await server.rows(
      `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
    );
    for (const { relname } of tables) {
      const left = await server.rows(`select 1 from "${relname}" where user_id = '${userId}'`);
      expect(left, relname).toEqual([]);
    }
    expect(await listed(userId)).toBeUndefined();
    expect((await server.request('DELETE', `/v1/users/${userId}?erase=true`)).status).toBe(404);
  });
});

test('a member manages nobody, and sees and revokes own keys', async () => {
  const [eve, fred] = [await server.member('eve'), await server.member('fred')];
  const [freds] = (await listed(fred.userId)).keys;
  const { key } = eve;
  for (const userId of [fred.userId, eve.userId, NOBODY]) {
    const refused = [
      await server.request('DELETE', `/v1/users/${userId}`, { key }),
      await server.request('DELETE', `/v1/users/${userId}?erase=true`, { key }),
      await server.request('DELETE', `/v1/keys/${freds?.id}?user=${fred.userId}`, { key }),
    ];
    expect(refused.map((answer) => answer.status)).toEqual([403, 403, 403]);
  }
  expect((await server.request('GET', '/v1/users', { key })).status).toBe(403);
  expect((await server.request('DELETE', `/v1/keys/${freds?.id}`, { key })).status).toBe(404);
  expect([await status(key), await status(fred.key)]).toEqual([200, 200]);
});

describe('the key that a server is started with', async () => {
  const A = 'first-key-of-the-owner-000000';
  const B = 'second-key-of-the-owner-00000';

  /** One database that several servers are started with, one after the other. */
  async function place() {
    const database = await testDatabase();
    const db = await database.open();
    onTestFinished(() => db.close());
    const start = async (home: string, key?: string) => {
      const env = { LORE_HOME: home, LORE_PORT: '0', LORE_LOG_LEVEL: 'silent' };
      const more = { ...(database.url && { DATABASE_URL: database.url }), ...(key && { LORE_KEY: key }) };
      const config = readConfig({ ...env, ...more });
      const open = async () => (database.url ? openDatabase(config) : { ...db, close: async () => {} });
      const running = await startServer(config, { openDatabase: open, embedder: noEmbedder('not here') });
      const ask = (path: string, key: string, body?: object) => {
        const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
        const sent = body && { method: 'POST', body: JSON.stringify(body) };
        return fetch(`${running.url}${path}`, { headers, ...sent });
      };
      const made = async (body: object) =>
        ((await (await ask('/v1/keys', A, body)).json()) as { key: string }).key;
      const statuses = (...keys: string[]) =>
        Promise.all(keys.map(async (key) => (await ask('/v1/me', key)).status));
      return { ...running, made, statuses };
    };
    return { home: temporaryFolder(), start };
  }

  test('a new LORE_KEY replaces the one before it, and no key made by hand', async () => {
    const { home, start } = await place();
    const first = await start(home, A);
    const byHand = await first.made({ name: 'first device' });
    await first.stop();
    const second = await start(home, B);
    expect(await second.statuses(A, B, byHand)).toEqual([401, 200, 200]);
    await second.stop();
    // a key made by hand may be LORE_KEY too, and replaces nothing
    const third = await start(home, byHand);
    expect(await third.statuses(B, byHand)).toEqual([200, 200]);
    await third.stop();
  });

  test('a LORE_KEY replaces the key of its data folder, and not that of another', async () => {
    const { home, start } = await place();
    const other = await start(temporaryFolder());
    await other.stop();
    const generated = await start(home);
    await generated.stop();
    const named = await start(home, A);
    expect(await named.statuses(generated.key, A, other.key)).toEqual([401, 200, 200]);
    await named.stop();
    const detail = expect.stringMatching(/file.*key.*delete/);
    await expect(start(home)).rejects.toMatchObject({ status: 409, detail });
  });

  test('a key for hooks, as an agent sees it in its environment, is refused', async () => {
    const { home, start } = await place();
    const running = await start(home, A);
    const key = await running.made({ name: 'hooks', scope: 'hooks' });
    await running.stop();
    await expect(start(home, key)).rejects.toMatchObject({
      status: 409,
      title: "Key is not a person's",
      detail: expect.stringMatching(/LORE_KEY is only for hooks.*unset it/),
    });
    const again = await start(home, A);
    expect(await again.statuses(A, key)).toEqual([200, 200]);
    await again.stop();
  });
});
