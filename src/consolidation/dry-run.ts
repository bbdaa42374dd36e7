import { sql } from 'drizzle-orm';
import { asUser, type Claims } from '../db/as-user.ts';
import { query } from '../db/open.ts';
import { currentLessons } from '../learnings/settle-pair.ts';
import { judgeable, judgePairs, type NightServices } from './night.ts';

/** What a night would change. `keptId` null: the record would be closed. */
type Planned = {
  action: 'merged' | 'superseded' | 'closed';
  kind: string;
  recordId: string;
  keptId: string | null;
  reason: string;
};

/**
 * `old`: raw events and checks that are too old to be kept. Those that stay because they are cited are
 * included.
 */
export type Plan = { planned: Planned[]; old: { events: number; checks: number } };

/** Lessons whose neighbours are looked up in one transaction. */
const AT_ONCE = { pglite: 8, postgres: 100 };

type Pair = { left: string; right: string; similarity: number | null };

/**
 * Returns what a night would change if it began now, and changes nothing. It uses the same functions as a
 * night, in short transactions that only read. Lessons are closed by their present confidence, although a
 * merge might change it.
 */
export async function planNight(services: Omit<NightServices, 'modelFor'>, claims: Claims): Promise<Plan> {
  const { db, embedder, config } = services;
  const read = <T extends Record<string, unknown>>(statement: ReturnType<typeof sql>) =>
    // the search by the index changes settings of its transaction, so the transaction must not be read-only
    asUser(db, claims, (tx) => query<T>(tx, statement));
  const changed = await read<{ id: string }>(
    sql`select learning_id as id from lessons_to_compare(now(), 1000000) where project_id is not null`,
  );
  const pairs = new Map<string, Pair>();
  for (let n = 0; n < changed.length; n += AT_ONCE[db.engine]) {
    const ids = changed.slice(n, n + AT_ONCE[db.engine]).map(({ id }) => id);
    const found = await read<Pair>(
      sql`select distinct least(c.lesson, c.other) as left, greatest(c.lesson, c.other) as right, c.similarity
          from (
            select l.project_id, array_agg(l.id) as lessons from learnings l
            where l.id = any (${sql.param(ids)}::uuid[]) group by l.project_id
          ) p, consolidation_candidates(p.lessons, p.project_id, project_size(p.project_id)) c`,
    );
    for (const pair of found) pairs.set(`${pair.left} ${pair.right}`, pair);
  }
  const ordered = [...pairs.values()].sort(
    (a, b) =>
      (b.similarity ?? -1) - (a.similarity ?? -1) ||
      (a.left < b.left ? -1 : a.left > b.left ? 1 : a.right < b.right ? -1 : 1),
  );
  const planned: Planned[] = [];
  const gone = new Set<string>();
  for (let n = 0; n < ordered.length; n += AT_ONCE[db.engine]) {
    const some = ordered.slice(n, n + AT_ONCE[db.engine]);
    const loaded = await asUser(
      db,
      claims,
      async (tx) =>
        judgeable(
          tx,
          some,
          await currentLessons(
            tx,
            some.flatMap(({ left, right }) => [left, right]),
          ),
        ),
      { readOnly: true },
    );
    for (const { left, right, settlement } of await judgePairs(embedder, claims.userId, loaded)) {
      if (settlement === null || gone.has(left) || gone.has(right)) continue;
      const { action, keep, drop, reason } = settlement;
      gone.add(drop.id);
      planned.push({ action, kind: 'learning', recordId: drop.id, keptId: keep.id, reason });
    }
  }
  for (const [kind, rows] of [
    ['learning', await read<Closing>(sql`select id, reason from lessons_to_close(now(), 1000000)`)],
    ['note', await read<Closing>(sql`select id, reason from notes_to_close(now(), 1000000)`)],
  ] as const) {
    for (const { id, reason } of rows) {
      if (!gone.has(id)) planned.push({ action: 'closed', kind, recordId: id, keptId: null, reason });
    }
  }
  const days = config.retentionDays;
  const [old] = await read<{ events: number; checks: number }>(
    sql`select coalesce(events, 0)::int as events, coalesce(checks, 0)::int as checks
        from raw_before(case when ${days}::int > 0 then now() - make_interval(days => ${days}::int) end)`,
  );
  return { planned, old: old ?? { events: 0, checks: 0 } };
}

type Closing = { id: string; reason: string };
