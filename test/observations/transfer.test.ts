import { randomUUID } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { hookSession } from '../support/hook-session.ts';
import { sharedServer } from '../support/server.ts';
import { idOf, personOn, text } from './person.ts';

// What leaves with its sessions, and what an export takes along.

const server = await sharedServer({ model: false });
const person = () => personOn(server);

test('erasing a session erases what only it put out', async () => {
  const { key, userId, session, list } = await person();
  const other = hookSession(server, { key });
  const [shared, own] = [text(100, 'shared'), text(100, 'own')];
  await session.bashWorks('make', shared);
  await session.bashWorks('make own', own);
  await other.bashWorks('make', shared);
  const erased = async (body: object) =>
    (await server.request('POST', '/v1/erase', { key, body })).body.erased;
  expect(await erased({ session: session.session_id, dryRun: true })).toMatchObject({ observations: 1 });
  expect(await erased({ session: session.session_id })).toMatchObject({ observations: 1 });
  expect((await list()).map((one: { id: string }) => one.id)).toEqual([idOf(shared)]);
  expect(await erased({ before: '2100-01-01T00:00:00Z' })).toMatchObject({ observations: 1 });
  expect(await server.rows(`select 1 from observations where user_id = '${userId}'`)).toEqual([]);
  expect(await server.rows(`select 1 from observation_sources where user_id = '${userId}'`)).toEqual([]);
});

describe('an export', () => {
  const records = async (key: string, query: string) => {
    const all: Record<string, unknown>[] = [];
    for (let after: string | null = ''; after !== null; ) {
      const { body }: { body: { records: Record<string, unknown>[]; next: string | null } } =
        await server.request('GET', `/v1/export?${query}${after && `&after=${after}`}`, {
          key,
        });
      all.push(...body.records);
      after = body.next;
    }
    return all;
  };

  test('has observations with their links if asked for, and an import restores them once', async () => {
    const [ann, bob] = [await person(), await person()];
    const [first, second] = [text(100, randomUUID()), text(3_000, randomUUID())];
    await ann.session.bashWorks('one', first);
    await ann.session.bashWorks('two', second);
    await ann.session.bashWorks('two again', second);
    expect(await records(ann.key, 'limit=1')).toEqual([]);
    const exported = await records(ann.key, 'limit=1&observations=true');
    expect(exported.map(({ type, id }) => `${type} ${id}`).sort()).toEqual(
      [`observation ${idOf(first)}`, `observation ${idOf(second)}`].sort(),
    );
    const restore = async () =>
      (await server.request('POST', '/v1/import', { key: bob.key, body: { records: exported } })).body;
    expect(await restore()).toEqual({ imported: 2, skipped: 0, failed: [] });
    expect(await restore()).toEqual({ imported: 0, skipped: 2, failed: [] });
    const plain = (list: { session: string }[]) => list.map((one) => JSON.stringify(one)).sort();
    expect(plain(await bob.list())).toEqual(plain(await ann.list()));
    const by = `/v1/observations?session=${ann.session.session_id}`;
    expect((await bob.get(by)).observations).toHaveLength(3);
    const read = await bob.get(`/v1/observations/${idOf(second)}?from=2999&to=3000`);
    expect(read.content).toHaveLength(2);
  });

  test('of something else is refused by name, and what it holds is redacted', async () => {
    const { key, session, list } = await person();
    const source = {
      project: '/p',
      session: 's',
      eventKey: 'e',
      tool: 'Bash',
      about: '',
      at: '2026-01-01T00:00:00Z',
    };
    const record = (content: string) => ({
      type: 'observation',
      id: '0123456789ab',
      content,
      sources: [source],
    });
    const secret = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
    const bomb = deflateSync(Buffer.alloc(200_000_000)).toString('base64');
    const body = {
      records: [
        record('no base64 at all'),
        record(bomb),
        record(deflateSync(`${text(50)} ${secret}`).toString('base64')),
        { ...record(''), id: 'x' },
        { ...record(''), sources: [] },
      ],
    };
    const answer = (await server.request('POST', '/v1/import', { key, body })).body;
    expect(answer).toMatchObject({ imported: 1, skipped: 0 });
    expect(answer.failed.map(({ line }: { line: number }) => line)).toEqual([1, 2, 4, 5]);
    expect((await list())[0].id).toBe(idOf(`${text(50)} [redacted:github]`));
    expect(session.session_id).toBeTruthy();
  });
});
