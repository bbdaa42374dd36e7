import { sql } from 'drizzle-orm';
import type { Log } from '../base/log.ts';
import { type InBackground, type Loop, startLoop } from '../base/timing/loop.ts';
import { consolidatePending } from '../consolidation/night.ts';
import { asUser, type Claims } from '../db/as-user.ts';
import type { Database } from '../db/open.ts';
import { reasonOf } from '../db/queue.ts';
import { askSystem, forEachUser } from '../db/system.ts';
import { createUpkeep } from '../db/upkeep.ts';
import { endSession } from '../hooks/end.ts';
import { auditPending } from '../kinds/audits.ts';
import { takeBaselines } from '../kinds/citations.ts';
import { cutPending } from '../kinds/episodes/cut.ts';
import { distilPending } from '../learnings/distil/distil.ts';
import type { ModelFor } from '../llm/choose.ts';
import { freeExpired } from '../plans/session-steps.ts';
import { decidePending } from '../search/amendments.ts';
import type { DatabaseEmbedder } from '../search/database-model.ts';
import { embedPending } from '../search/embedding-queue.ts';
import type { Finds } from '../search/finds.ts';
import type { Dashboard } from '../sessions/dashboard.ts';
import { completeIfIdle, idleSessions, noteUsage } from '../sessions/sessions.ts';
import { usageIn } from '../sessions/transcript.ts';

/** A session that has had no event for this long is completed. */
const IDLE_SESSION_MINUTES = 60;

/**
 * How often the queues are looked at, in milliseconds. Most work is found sooner, because the code that
 * queues it wakes the worker.
 */
const LOOK_EVERY_MS = 5_000;

export type Worker = keyof ReturnType<typeof worksOf>;

/** What the workers need. */
export type WorkServices = {
  db: Database;
  embedder: DatabaseEmbedder;
  /** where there is no model, plain rules write the lessons */
  modelFor: ModelFor;
  log: Log;
  /** the account whose transcripts are on this machine */
  ownerId: string;
  finds: Pick<Finds, 'store'>;
  config: { retentionDays: number; home?: string };
  dashboard: Dashboard;
};

/** A piece of a worker's work. Returns whether there is more of it to do at once. */
type Work = (signal: AbortSignal) => Promise<boolean>;

/**
 * Returns what each worker does, in the order in which they make work for each other.
 *
 * @param wake says that a worker has something to do
 */
export function worksOf(services: WorkServices, wake: (worker: string) => void) {
  const { db, embedder, log } = services;
  const works = {
    'free steps': () => freeExpired(db, log),
    'end idle sessions': (signal: AbortSignal) => endIdle(services, signal, () => wake('distil')),
    distil: (signal: AbortSignal) => distilPending({ ...services, wake }, signal),
    audit: (signal: AbortSignal) => auditPending({ ...services, wake }, signal),
    cut: (signal: AbortSignal) => cutPending({ ...services, wake }, signal),
    // reads the table of accounts only, unless a night is due or open
    consolidate: (signal: AbortSignal) => consolidatePending(services, signal),
    embed: (signal: AbortSignal) => embedPending(services, signal),
    'decide amendments': () => decidePending(db, embedder, log),
    baselines: () => takeBaselines(db, services.ownerId),
    'store finds': () => services.finds.store().then(() => false),
    upkeep: createUpkeep(db),
  } satisfies Record<string, Work>;
  return works;
}

/**
 * Returns the workers that have something to do now, by one look at all queues. It also takes note of the embedding model
 * that the database has.
 */
export async function waitingWork({ db, embedder, ownerId }: WorkServices): Promise<Worker[]> {
  const [found] = await askSystem<{ model: string | null; workers: Worker[] }>(db)`
    select i.embedding_model as model, array(
      select w.worker from lore.waiting_work(${embedder.own.status().model}, ${ownerId}::uuid) w
    ) as workers
    from lore.instance i`;
  if (found) embedder.note(found.model);
  return found?.workers ?? [];
}

/** How often a worker does something that nobody wakes it for. */
const EVERY_MS: Partial<Record<Worker, number>> = {
  'end idle sessions': 60_000,
  consolidate: 20_000,
  'store finds': 60_000,
  upkeep: 5_000,
};

/** Starts the background workers. */
export function startWorkers(services: WorkServices) {
  const { embedder, log } = services;
  /** makes a worker look for work soon; without a call it does so every few seconds */
  const wake = (worker: string) => loops[worker as Worker].wake();
  const start = (name: Worker | 'look for work', intervalMs: number | null, work: Work) =>
    startLoop({ name, intervalMs, work, log });
  /** looks at all queues at once: one by one they would take most of what an idle server uses */
  const look = async () => {
    for (const worker of await waitingWork(services)) wake(worker);
    return false;
  };
  // `settled` relies on this order: each worker may make work for the next one.
  const works = Object.entries(worksOf(services, wake)) as [Worker, Work][];
  const loops = Object.fromEntries([
    ['look for work', start('look for work', LOOK_EVERY_MS, look)],
    ...works.map(([name, work]) => [name, start(name, EVERY_MS[name] ?? null, work)]),
  ]) as Record<Worker | 'look for work', Loop>;
  embedder.ready.then(() => {
    wake('distil');
    wake('cut');
    wake('embed');
    // a night that was interrupted has waited for the model
    wake('consolidate');
  });
  // soon after a start if a night was missed
  wake('consolidate');
  return {
    wake,
    /** resolves when no worker has anything left to do */
    async settled() {
      for (const loop of Object.values(loops)) {
        loop.wake();
        await loop.idle();
      }
    },
    /** starts no new run; aborts those under way and waits 1.5 seconds at most until they have ended */
    async stop() {
      await Promise.all(Object.values(loops).map((loop) => loop.stop()));
      await services.finds.store();
    },
    /** the names of those whose every run has failed for a minute */
    failing: () => Object.entries(loops).flatMap(([name, loop]) => (loop.fails() ? [name] : [])),
  };
}

/**
 * Ends the sessions that no event ended. Each is ended by itself, so that one that fails does not hold up the
 * others.
 */
function endIdle(
  { db, dashboard, log, ownerId }: WorkServices,
  signal: AbortSignal,
  wakeDistilling: () => void,
): Promise<boolean> {
  const name = 'end idle sessions';
  const users = sql`select lore.users_with_idle_sessions(make_interval(mins => ${IDLE_SESSION_MINUTES}::int)) as id`;
  return forEachUser(db, users, { log, name, signal }, async (userId) => {
    const claims: Claims = { userId, role: 'member' };
    for (const id of await asUser(db, claims, (tx) => idleSessions(tx, IDLE_SESSION_MINUTES))) {
      try {
        const ended = await asUser(db, claims, async (tx) => {
          const session = await completeIfIdle(tx, id, IDLE_SESSION_MINUTES);
          return session && { ...session, queued: await endSession(tx, session) };
        });
        if (!ended) continue;
        dashboard.touch(userId, [ended.projectId]);
        if (ended.queued > 0) wakeDistilling();
        // only the owner's transcripts are on this machine
        const path = userId === ownerId ? ended.transcriptPath : null;
        const usage = path === null ? null : await usageIn(path);
        if (usage !== null) await asUser(db, claims, (tx) => noteUsage(tx, id, usage));
      } catch (error) {
        log.error(
          { name, userId, session: id, reason: reasonOf(error) },
          'an idle session could not be ended',
        );
      }
    }
    return false;
  });
}

/**
 * Returns a function that runs work in the background: requests do not wait for it, a graceful stop does. `done`
 * resolves when all work under way has ended. Failures are logged.
 */
export function startBackground(log: Log): { run: InBackground; done(): Promise<void> } {
  const running = new Set<Promise<unknown>>();
  return {
    run(name, work) {
      const one = work()
        .catch((error) => log.error({ name, error }, 'background work failed'))
        .finally(() => running.delete(one));
      running.add(one);
    },
    async done() {
      // work may begin other work as it ends
      while (running.size > 0) await Promise.all(running);
    },
  };
}
