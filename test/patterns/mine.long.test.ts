import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { asUser, type Claims } from '../../src/db/as-user.ts';
import { type Database, query } from '../../src/db/open.ts';
import { minePatterns } from '../../src/patterns/mine.ts';
import { makeHistory, storeEpisodes } from '../eval/patterns/generate.ts';
import { minedOf, scoreOf } from '../eval/patterns/score.ts';
import { startTestServer } from '../support/server.ts';

const server = await startTestServer({ LORE_MODEL_DIR: '' });
const { db } = server;
const history = makeHistory({ seed: 11, projects: 2, episodes: 120 });

/** Ids of sessions are unique for all users, so each tenant has its own. */
const marked = (id: string, mark: string) => mark.repeat(6) + id.slice(6);

async function tenant(name: string): Promise<Claims> {
  const { userId } = await server.member(name);
  return { userId, role: 'member' };
}

/** Returns all that mining stores, but for the times at which it was written. */
const stored = (claims: Claims) =>
  asUser(db, claims, (tx) =>
    query<{ row: object }>(
      tx,
      sql`select jsonb_build_array(p.type, p.form, p.name, p.triggers, p.template, p.episodes, p.sessions, p.successes,
            p.failures, p.lift, p.evidence, p.confidence, p.last_used, p.valid_until is null, pr.name) as row
          from patterns p left join projects pr on pr.id = p.project_id order by pr.name, p.type, p.form`,
    ),
  );

const everything = (claims: Claims) =>
  asUser(db, claims, (tx) =>
    query<{ row: object }>(tx, sql`select to_jsonb(p) as row from patterns p order by p.id`),
  );

const episodesOf = (claims: Claims) =>
  asUser(db, claims, (tx) =>
    query(tx, sql`update episodes set description = description || '' where true returning 1`),
  );

describe('mining', async () => {
  const claims = await tenant('whole');
  await storeEpisodes(db, claims, history.episodes);
  await minePatterns(db, claims);
  const first = await everything(claims);

  test('finds what was planted, and no noise', async () => {
    const score = scoreOf(history.planted, await minedOf(db, claims));
    expect(score.wrong).toEqual([]);
    expect(score.traps).toBe(0);
    expect(score.sequences).toMatchObject({ precision: 1, recall: 1, planted: 6 });
    expect(score.templates).toMatchObject({ precision: 1, recall: 1 });
  });

  test('again changes nothing, also when all episodes are looked at again', async () => {
    expect(await minePatterns(db, claims)).toEqual({ mined: 0, more: false });
    expect((await episodesOf(claims)).length).toBe(history.episodes.length);
    expect(await minePatterns(db, claims)).toEqual({ mined: 2, more: false });
    expect(await everything(claims)).toEqual(first);
  });

  test('looks only at the projects in which something has changed', async () => {
    const project = history.planted[0]?.project;
    await asUser(db, claims, (tx) =>
      query(
        tx,
        sql`update episodes set outcome = 'unknown' where outcome = 'error' and project_id = (select id from projects where name = ${project})`,
      ),
    );
    expect(await minePatterns(db, claims)).toEqual({ mined: 1, more: false });
    const changed = await everything(claims);
    expect(changed.map(({ row }) => (row as { id: string }).id)).toEqual(
      first.map(({ row }) => (row as { id: string }).id),
    );
    expect(changed).not.toEqual(first);
  });

  test('closes what is not found any more, and opens it again', async () => {
    const gone = await tenant('gone');
    const made = history.episodes.filter(({ project }) => project === history.planted[0]?.project);
    const own = made.map((one) => ({
      ...one,
      id: marked(one.id, 'f'),
      session: marked(one.session, 'f'),
    }));
    await storeEpisodes(db, gone, own);
    await minePatterns(db, gone);
    const before = await stored(gone);
    expect(before.length).toBeGreaterThan(3);
    await asUser(db, gone, (tx) => query(tx, sql`delete from episodes`));
    expect(await minePatterns(db, gone)).toEqual({ mined: 1, more: false });
    expect(await minedOf(db, gone)).toEqual([]);
    await storeEpisodes(db, gone, own);
    await minePatterns(db, gone);
    expect(await stored(gone)).toEqual(before);
  });
});

test('mining that is killed anywhere and run again ends the same', async () => {
  const copy = (mark: string) =>
    history.episodes.map((one) => ({
      ...one,
      id: marked(one.id, mark),
      session: marked(one.session, mark),
    }));
  const calm = await tenant('calm');
  await storeEpisodes(db, calm, copy('a'));
  await minePatterns(db, calm);
  const wanted = (await stored(calm)).map(({ row }) => JSON.stringify(row).replaceAll('"aaaaaa', '"??????'));
  for (const [at, mark] of [
    [3, 'b'],
    [6, 'c'],
    [9, 'd'],
    [12, 'e'],
  ] as const) {
    const killed = await tenant(`killed ${at}`);
    await storeEpisodes(db, killed, copy(mark));
    await expect(minePatterns(dyingAfter(at), killed)).rejects.toThrow('killed');
    await minePatterns(db, killed);
    const rows = (await stored(killed)).map(({ row }) =>
      JSON.stringify(row).replaceAll(`"${mark.repeat(6)}`, '"??????'),
    );
    expect(rows.sort()).toEqual([...wanted].sort());
  }
});

/** Returns the database as a process sees it that is killed after so many transactions. */
function dyingAfter(transactions: number): Database {
  let left = transactions;
  const drizzle = new Proxy(db.drizzle, {
    get(target, name) {
      if (name === 'transaction' && left-- <= 0) {
        return () => Promise.reject(new Error('killed'));
      }
      const value = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { ...db, drizzle };
}

test('an episode that is new is counted by the patterns that it shows, before it is mined', async () => {
  const claims = await tenant('counted');
  const made = history.episodes
    .filter(({ project }) => project === history.planted[1]?.project)
    .map((one) => ({ ...one, id: marked(one.id, '9'), session: marked(one.session, '9') }));
  await storeEpisodes(db, claims, made);
  await minePatterns(db, claims);
  const [steps] = (history.planted[1]?.sequences ?? []).map((one) => one.steps);
  const count = async () =>
    (
      await asUser(db, claims, (tx) =>
        query<{ episodes: number; sessions: number; successes: number }>(
          tx,
          sql`select episodes, sessions, successes from patterns where form = ${(steps ?? []).join(' > ')} and project_id is not null`,
        ),
      )
    )[0];
  const before = await count();
  const [like] = made;
  if (!like || !before) throw new Error('nothing was mined');
  const later = {
    ...like,
    steps: ['Glob', ...(steps ?? [])],
    outcome: 'success' as const,
    at: new Date('2026-06-01'),
  };
  await storeEpisodes(db, claims, [
    { ...later, id: '99999999-0000-4000-8000-000000000001', session: '99999999-0000-4000-8000-0000000000aa' },
  ]);
  await server.settled();
  const counted = {
    episodes: before.episodes + 1,
    sessions: before.sessions + 1,
    successes: before.successes + 1,
  };
  expect(await count()).toEqual(counted);
  await minePatterns(db, claims);
  expect(await count()).toEqual(counted);
});
