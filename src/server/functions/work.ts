import { sql } from 'drizzle-orm';
import { hashKey } from '../../accounts/keys.ts';
import { keyIn } from '../../accounts/known-keys.ts';
import { Problem } from '../../base/errors/problem.ts';
import { asUser } from '../../db/as-user.ts';
import { reasonOf } from '../../db/queue.ts';
import { askSystem, forEachUser } from '../../db/system.ts';
import { refreshDashboard } from '../../sessions/dashboard.ts';
import { type Worker, waitingWork, worksOf } from '../workers.ts';
import type { Services } from './services.ts';

// What the workers of a server do, in a request: as much as there is time for. The rest stays in the queues, where the next
// request finds it. Rows are leased, so two requests at a time do nothing twice.

/** How long a request works. The platform ends one that uses two seconds of the processor. */
const WORK_MS = 10_000;
/** Work may make other work: a session is read for lessons, then cut into episodes. */
const MAX_ROUNDS = 10;

/** What nothing in the queues tells of. */
const UNASKED: Worker[] = ['end idle sessions', 'consolidate'];

type Done = {
  /** the workers that did something or looked whether there is something to do, in the order of their first turn */
  ran: Worker[];
  /** why some of it failed; it is tried again later */
  failed: { worker: Worker; reason: string }[];
  /** whether there is more to do at once */
  more: boolean;
};

/**
 * Does what waits until nothing waits or the time is up.
 *
 * @param first what is done before all else
 */
export async function work(services: Services, first: Worker[] = []): Promise<Done> {
  const signal = AbortSignal.timeout(WORK_MS);
  // for nights that pg_cron begins
  await askSystem(services.db)`select lore.keep_raw_for(${services.config.retentionDays}::int)`;
  const wanted = new Set<Worker>();
  const works = worksOf(services, (worker) => wanted.add(worker as Worker));
  const names = [...new Set([...first, ...(Object.keys(works) as Worker[])])];
  const ran = new Set<Worker>();
  const failed: Done['failed'] = [];
  for (const name of UNASKED) wanted.add(name);
  for (let round = 0; round < MAX_ROUNDS && !signal.aborted; round++) {
    for (const name of await waitingWork(services)) wanted.add(name);
    if (wanted.size === 0) break;
    for (const name of names) {
      if (signal.aborted || !wanted.delete(name)) continue;
      ran.add(name);
      try {
        let more = true;
        while (more && !signal.aborted) more = await works[name](signal);
        if (more) wanted.add(name);
      } catch (error) {
        if (signal.aborted) break;
        services.log.error({ worker: name, error }, 'a worker failed; it is tried again later');
        failed.push({ worker: name, reason: reasonOf(error) });
      }
    }
  }
  await showWork(services, signal);
  return { ran: [...ran], failed, more: wanted.size > 0 };
}

/** A row of the dashboard that a process could not bring up to date any more is found for this long. */
const SHOWN_MINUTES = 10;

/** Brings the rows of the dashboard up to date: no server hears that a lesson was made. */
function showWork({ db, log }: Services, signal: AbortSignal): Promise<boolean> {
  const users = sql`select lore.users_at_work(make_interval(mins => ${SHOWN_MINUTES}::int)) as id`;
  return forEachUser(db, users, { log, name: 'dashboard', signal }, async (userId) => {
    await asUser(db, { userId, role: 'member' }, refreshDashboard);
    return false;
  });
}

/**
 * Lets only those pass who know the secret: its hash is compared, so how long it takes does not tell how much of it is right.
 *
 * @throws Problem (401)
 */
export function checkWaker(secret: string, authorization: string | undefined): void {
  const given = keyIn(authorization);
  if (given !== null && hashKey(given) === hashKey(secret)) return;
  const detail = 'Only the database may start this. Send “Authorization: Bearer <LORE_WAKE_SECRET>”.';
  throw new Problem({ status: 401, title: 'Not authenticated', detail });
}
