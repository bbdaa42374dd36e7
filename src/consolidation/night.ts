import { sql } from 'drizzle-orm';
import { asUser, type Claims } from '../db/as-user.ts';
import { type Database, query, type Tx } from '../db/open.ts';
import { reasonOf } from '../db/queue.ts';
import { askSystem } from '../db/system.ts';
import { readStoredLessons } from '../distil/read-stored.ts';
import { abortable, type Embedder } from '../embedding/embedder.ts';
import { type Comparison, compareLessons, eachInTurn, mayAgree } from '../learnings/agreement.ts';
import {
  carryOut,
  currentLessons,
  type Effect,
  effectBetween,
  type Settlement,
  type Stored,
  settlementOf,
} from '../learnings/settle-pair.ts';
import type { ModelFor } from '../llm/choose.ts';
import type { Log } from '../log.ts';
import { mineAtNight } from '../patterns/nightly.ts';
import { redactStored } from './redact-stored.ts';
import { consolidationItems } from './schema.ts';

// A night is one run for each user (sql/consolidation). The database does the steps, and a worker of any
// server calls them. The worker also settles the pairs of lessons, because the functions that judge
// candidates judge these too.

export type NightServices = {
  db: Database;
  embedder: Embedder;
  log: Log;
  /** a model gives patterns their names */
  modelFor: ModelFor;
  config: { retentionDays: number; home?: string };
};

/** The hour (local time) at which a night is due. */
const NIGHT_HOUR = 3;
/** How long a step may take. The embedded engine answers nothing else meanwhile. */
const BUDGET_MS = { pglite: 20, postgres: 1_000 };
/** How many pairs are read at a time, and how many of these are compared at a time. */
const PAIRS = { pglite: { read: 72, compared: 24 }, postgres: { read: 600, compared: 200 } };
/** Steps before the next user has a turn. */
const STEPS_A_TURN = 50;

/** Returns the last time before `now` when a night was due. */
export function lastNight(now: Date): Date {
  const night = new Date(now);
  night.setHours(NIGHT_HOUR, 0, 0, 0);
  if (night > now) night.setDate(night.getDate() - 1);
  return night;
}

/** Returns when the next night is due: where pg_cron begins it, at three in its own time zone, which is usually UTC. */
export async function nextNight(db: Database, now: Date): Promise<Date> {
  const [row] = await askSystem<{ cron: boolean }>(db, sql`select lore.cron_is_set() as cron`);
  const night = new Date(now);
  if (row?.cron) night.setUTCHours(NIGHT_HOUR, 0, 0, 0);
  else night.setHours(NIGHT_HOUR, 0, 0, 0);
  if (night <= now) night.setDate(night.getDate() + 1);
  return night;
}

/**
 * Begins the runs that are due, also those that were missed, and continues the open ones, a little for each
 * user. If it fails for a user, the run stores the reason, and it is tried again later.
 *
 * @returns whether there is more to do at once
 */
export async function consolidatePending(given: NightServices, signal: AbortSignal): Promise<boolean> {
  const { db, log } = given;
  const services = { ...given, embedder: abortable(given.embedder, signal) };
  const users = await askSystem<{ id: string; open: boolean }>(
    db,
    sql`select id, open from lore.users_to_consolidate(${lastNight(new Date()).toISOString()}::timestamptz)`,
  );
  let more = false;
  for (const { id, open } of users) {
    if (signal.aborted) break;
    const claims: Claims = { userId: id, role: 'member' };
    try {
      if (!open) await beginRun(services, claims, 'timer');
      await redactStored(services, claims, signal);
      await readStoredLessons(services, claims, compareTonight);
      more = (await advance(services, claims, signal)) || more;
    } catch (error) {
      if (signal.aborted) break;
      log.error({ userId: id, reason: reasonOf(error) }, 'consolidation failed; trying again later');
      await keepError(db, claims, reasonOf(error)).catch(() => {});
    }
  }
  return more;
}

/** Begins a run of the caller. Returns its id, or that of the run that is open. */
export async function beginRun(
  { db, config }: Pick<NightServices, 'db' | 'config'>,
  claims: Claims,
  by: 'timer' | 'person',
): Promise<string> {
  const [row] = await asUser(db, claims, (tx) =>
    query<{ id: string }>(tx, sql`select begin_consolidation(${by}, ${config.retentionDays}::int) as id`),
  );
  return String(row?.id);
}

/** Puts lessons into the open run. Their new keys put them into the queue after it began, and so into the next one. */
const compareTonight = (tx: Tx, ids: string[]) =>
  query(
    tx,
    sql`update consolidation_queue q set queued_at = least(q.queued_at, r.started_at)
        from consolidation_runs r
        where r.user_id = auth.uid() and r.finished_at is null and q.user_id = auth.uid()
          and q.learning_id = any (${sql.param(ids)}::uuid[])`,
  );

const keepError = (db: Database, claims: Claims, reason: string) =>
  asUser(db, claims, (tx) =>
    query(tx, sql`update consolidation_runs set error = ${reason.slice(0, 1000)} where finished_at is null`),
  );

/** Does some steps of the user's open run. Returns whether more can be done at once. */
async function advance(services: NightServices, claims: Claims, signal: AbortSignal): Promise<boolean> {
  const { db } = services;
  let worked: string | null = null;
  for (let n = 0; n < STEPS_A_TURN && !signal.aborted; n++) {
    const [row] = await asUser(db, claims, (tx) =>
      query<{ stage: string | null }>(
        tx,
        sql`select consolidation_step(${BUDGET_MS[db.engine]}::int, ${worked}) as stage`,
      ),
    );
    const stage: string | null = row?.stage ?? null;
    worked = null;
    if (stage === null || stage === 'done') return false;
    // if the model is being loaded, the run waits for it: without a model, only lessons with the same words
    // agree
    if (stage === 'settle' && services.embedder.status().state === 'loading') return false;
    if (stage === 'settle') await settleSome(services, claims);
    if (stage === 'patterns') {
      await mineAtNight(services, claims, signal);
      worked = stage;
    }
  }
  return true;
}

type Pair = { left: string; right: string };
/** `settle` returns the settlement of the same lessons as they are later, after other pairs were settled. */
type Judged = Pair & {
  settlement: Settlement | null;
  texts: readonly string[];
  settle: (a: Stored, b: Stored) => Settlement | null;
};

/** Settles the next pairs of the user's open run. */
async function settleSome(
  { db, embedder }: Pick<NightServices, 'db' | 'embedder'>,
  claims: Claims,
): Promise<void> {
  const { read, compared } = PAIRS[db.engine];
  const pairs = await asUser(
    db,
    claims,
    async (tx) => {
      const next = await nextPairs(tx, read);
      const ids = new Set(next.flatMap(({ left, right }) => [left, right]));
      return judgeable(tx, next, await currentLessons(tx, [...ids]));
    },
    { readOnly: true },
  );
  let judging = judgePairs(embedder, claims.userId, pairs.slice(0, compared));
  for (let n = compared; ; n += compared) {
    const judged = await judging;
    const more = n < pairs.length;
    // the model compares the next ones while the database stores what was decided about these
    if (more) judging = judgePairs(embedder, claims.userId, pairs.slice(n, n + compared));
    // if storing fails, the result of this comparison is not used, so its error must be caught here
    judging.catch(() => {});
    await carryOutAll(db, claims, judged);
    if (!more) return;
  }
}

/** Carries out what was decided about pairs, in their order. */
async function carryOutAll(db: Database, claims: Claims, judged: Judged[]): Promise<void> {
  // Pairs that change nothing share a transaction. Each change has one of its own, so that other work does
  // not wait long.
  let nothing: Pair[] = [];
  const settled = (pair: Judged | null) =>
    asUser(db, claims, async (tx) => {
      await query(tx, sql`select pg_advisory_xact_lock(hashtextextended('consolidation ' || auth.uid(), 0))`);
      if (pair?.settlement) await settlePair(tx, pair, pair.settlement.keep.projectId);
      await deletePairs(tx, pair ? [...nothing, pair] : nothing);
      nothing = [];
    });
  for (const pair of judged) {
    if (pair.settlement) await settled(pair);
    else nothing.push(pair);
  }
  if (nothing.length > 0) await settled(null);
}

const nextPairs = (tx: Tx, most: number) =>
  query<Pair>(
    tx,
    sql`select left_id as left, right_id as right from consolidation_pairs
        order by similarity desc nulls last, left_id, right_id limit ${most}::int`,
  );

type Judgeable = Pair & { a: Stored | undefined; b: Stored | undefined; effect: Effect };

/** Returns pairs with their lessons, and what their incidents say about each other. */
export async function judgeable(tx: Tx, pairs: Pair[], lessons: Map<string, Stored>): Promise<Judgeable[]> {
  const found: Judgeable[] = [];
  for (const pair of pairs) {
    const [a, b] = [lessons.get(pair.left), lessons.get(pair.right)];
    found.push({ ...pair, a, b, effect: a && b ? await effectBetween(tx, a, b) : null });
  }
  return found;
}

const APART: Comparison = { similarity: 0, agreed: null };

/** Returns what becomes of pairs. The embedding model is asked, so it runs outside any transaction. */
export async function judgePairs(embedder: Embedder, userId: string, pairs: Judgeable[]): Promise<Judged[]> {
  // a lesson that is closed or gone is not compared
  const whole = pairs.flatMap(({ left, right, a, b, effect }) =>
    a && b ? [{ left, right, a, b, effect }] : [],
  );
  const may = await eachInTurn(whole, ({ a, b, effect }) => effect === null && mayAgree(a.lesson, b.lesson));
  const asked = whole.filter((_, i) => may[i]);
  const compared = await compareLessons(
    embedder,
    userId,
    asked.map(({ a, b }) => [a.lesson, b.lesson]),
  );
  const found = new Map(asked.map((pair, i) => [pair, compared[i]]));
  const judged = new Map(
    await eachInTurn(whole, (pair) => {
      const { left, right, a, b, effect } = pair;
      const settle = (one: Stored, other: Stored) =>
        settlementOf(one, other, found.get(pair) ?? APART, effect);
      return [`${left} ${right}`, { settlement: settle(a, b), texts: [a.lesson, b.lesson], settle }] as const;
    }),
  );
  return pairs.map(({ left, right }) => ({
    left,
    right,
    ...(judged.get(`${left} ${right}`) ?? { settlement: null, texts: [], settle: () => null }),
  }));
}

/**
 * Carries out what was decided about a pair, and puts it into the report. If a lesson of the pair has changed
 * since, it is left to the next comparison, because the changed lesson is in the queue again.
 */
async function settlePair(tx: Tx, pair: Judged, projectId: string): Promise<void> {
  const { left, right, texts, settle } = pair;
  const [run] = await query<{ id: string; at: string }>(
    tx,
    sql`select id, to_json(started_at) #>> '{}' as at from consolidation_runs where finished_at is null`,
  );
  if (!run) return;
  // as a candidate is admitted: one decision in a project at a time
  await query(tx, sql`select pg_advisory_xact_lock(hashtextextended(${projectId}, 0))`);
  const now = await currentLessons(tx, [left, right]);
  const [a, b] = [now.get(left), now.get(right)];
  if (a?.lesson !== texts[0] || b?.lesson !== texts[1]) return;
  const decided = a && b ? settle(a, b) : null;
  if (!decided) return;
  const { keep, drop, action, reason } = decided;
  const changes = await carryOut(tx, decided, run.at);
  await tx.insert(consolidationItems).values({
    runId: run.id,
    action,
    kind: 'learning',
    recordId: drop.id,
    keptId: keep.id,
    reason,
    changes,
  });
  // a lesson with this many neighbours may have more of them
  await query(
    tx,
    sql`insert into consolidation_queue (learning_id, queued_at)
        select ${keep.id}::uuid, ${run.at}::timestamptz
        where (select count(*) from consolidation_pairs p where ${keep.id}::uuid in (p.left_id, p.right_id)) >= 29
        on conflict (user_id, learning_id) do nothing`,
  );
}

/** Deletes settled pairs and counts them in the report. */
async function deletePairs(tx: Tx, pairs: Pair[]): Promise<void> {
  const [lefts, rights] = [pairs.map(({ left }) => left), pairs.map(({ right }) => right)];
  await query(
    tx,
    sql`with gone as (
          delete from consolidation_pairs p
          using unnest(${sql.param(lefts)}::uuid[], ${sql.param(rights)}::uuid[]) s(l, r)
          where p.left_id = s.l and p.right_id = s.r returning 1)
        select count_in_run(r, 'compared', (select count(*) from gone))
        from consolidation_runs r where r.finished_at is null`,
  );
}
