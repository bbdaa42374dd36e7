import type { Log } from '../base/log.ts';
import { asUser, type Claims } from '../db/as-user.ts';
import { type Database, query } from '../db/open.ts';
import { reasonOf } from '../db/queue.ts';
import { askSystem } from '../db/system.ts';
import type { Embedder } from '../search/embedding/embedder.ts';
import { redactStored } from './redact-stored.ts';

// A night is one run for each user (sql/consolidation). The database does the steps, and a worker of any server calls them.

export type NightServices = {
  db: Database;
  embedder: Embedder;
  log: Log;
  config: { retentionDays: number; home?: string };
};

/** The hour (local time) at which a night is due. */
const NIGHT_HOUR = 3;
/** How long a step may take. The embedded engine answers nothing else meanwhile. */
const BUDGET_MS = { pglite: 20, postgres: 1_000 };
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
  const [row] = await askSystem<{ cron: boolean }>(db)`select lore.cron_is_set() as cron`;
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
export async function consolidatePending(services: NightServices, signal: AbortSignal): Promise<boolean> {
  const { db, log } = services;
  const users = await askSystem<{ id: string; open: boolean }>(db)`
    select id, open from lore.users_to_consolidate(${lastNight(new Date()).toISOString()}::timestamptz)`;
  let more = false;
  for (const { id, open } of users) {
    if (signal.aborted) break;
    const claims: Claims = { userId: id, role: 'member' };
    try {
      if (!open) await beginRun(services, claims, 'timer');
      await redactStored(services, claims, signal);
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
  const [row] = await asUser(
    db,
    claims,
    (tx) => query<{ id: string }>(tx)`select begin_consolidation(${by}, ${config.retentionDays}::int) as id`,
  );
  return String(row?.id);
}

const keepError = (db: Database, claims: Claims, reason: string) =>
  asUser(
    db,
    claims,
    (tx) =>
      query(tx)`update consolidation_runs set error = ${reason.slice(0, 1000)} where finished_at is null`,
  );

/** Does some steps of the user's open run. Returns whether more can be done at once. */
async function advance(services: NightServices, claims: Claims, signal: AbortSignal): Promise<boolean> {
  const { db } = services;
  for (let n = 0; n < STEPS_A_TURN && !signal.aborted; n++) {
    const [row] = await asUser(
      db,
      claims,
      (tx) =>
        query<{ stage: string | null }>(tx)`select consolidation_step(${BUDGET_MS[db.engine]}::int) as stage`,
    );
    const stage: string | null = row?.stage ?? null;
    if (stage === null || stage === 'done') return false;
  }
  return true;
}
