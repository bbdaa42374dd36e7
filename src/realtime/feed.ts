import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Log } from '../base/log.ts';
import { within } from '../base/timing/within.ts';
import type { Database } from '../db/open.ts';
import { askSystem } from '../db/system.ts';
import type { Binding, Channel } from './protocol.ts';

// Brings changes of rows from the database to the channels of this server. Triggers write them to
// `lore.realtime_changes` (sql/realtime); a notification only says that there are some.

export type Feed = Awaited<ReturnType<typeof createFeed>>;

/** How often the server reports to the database. A server that is silent for 30 seconds counts as gone. */
const RENEW_MS = 10_000;
/** Most changes that are taken in one transaction. */
const MOST = 200;
const MAX_STOP_MS = 500;

/**
 * @param options.lost called when changes may have been missed: clients must join again and read everything anew. All
 *   subscriptions have ended then.
 */
export async function createFeed(options: { db: Database; log: Log; lost(why: string): void }) {
  const { db, log } = options;
  const server = randomUUID();
  const channels = new Map<number, Channel>();
  let stopped = false;
  let wanted = false;
  let taking = false;
  let last: Promise<unknown> = Promise.resolve();
  let connected = false;

  /** Runs work one after the other: a subscription must not be made while the last one and the server are removed. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = last.then(work);
    last = turn.catch(() => {});
    return turn;
  }

  async function take(): Promise<void> {
    while (wanted && channels.size > 0 && !stopped) {
      wanted = false;
      const rows = await askSystem<{
        targets: [number, number][] | null;
        data: string;
        failed: string | null;
      }>(db)`
        select targets, data, failed from lore.take_changes(${server}::uuid, ${MOST}::int)`;
      for (const { targets, data, failed } of rows) {
        if (targets === null) wanted ||= Number(data) === MOST;
        for (const number of new Set(targets?.map(([one]) => one))) {
          const bindings = targets?.filter(([one]) => one === number).map(([, binding]) => binding) ?? [];
          const channel = channels.get(number);
          if (failed === null) channel?.tell(bindings, data);
          else channel?.close(`The filter of a subscription failed: ${failed}`);
        }
      }
    }
  }

  function wake() {
    wanted = true;
    if (channels.size === 0 || stopped || taking) return;
    taking = true;
    take()
      // it is not known whether they were taken
      .catch((error) => lose('changes could not be read', error))
      .finally(() => {
        taking = false;
        if (wanted) wake();
      });
  }

  function lose(why: string, error?: unknown) {
    if (channels.size === 0 || stopped) return;
    log.warn({ why, error }, 'live connections are begun anew');
    channels.clear();
    inTurn(() => forget(null)).catch(() => {});
    options.lost(why);
  }

  const forget = (some: number[] | null) =>
    askSystem(db)`select lore.leave_changes(${server}::uuid, ${some && sql.param(some)}::int[])`;

  const unlisten = await db.listen('lore_changes', wake, () => {
    // notifications were lost, and with the embedded engine the tables as well
    if (connected) lose('the database was away');
    connected = true;
  });

  const timer = setInterval(() => {
    if (channels.size === 0) return;
    inTurn(() => askSystem<{ ok: boolean }>(db)`select lore.renew_changes(${server}::uuid) as ok`).then(
      ([row]) => (row?.ok ? wake() : lose('the database thought this server gone')),
      (error) => log.warn({ error }, 'live connections could not be renewed'),
    );
  }, RENEW_MS);
  timer.unref();

  return {
    /** those that have joined, by number */
    channels: channels as ReadonlyMap<number, Channel>,
    /**
     * Subscribes a channel to changes by transactions that begin from now on. Returns for each binding why it is not
     * possible, or null.
     *
     * @throws the database's error
     */
    async join(channel: Channel, bindings: Binding[]) {
      const { number, grant } = channel;
      const role = grant.userId === null ? 'anon' : 'authenticated';
      const claims = JSON.stringify({ sub: grant.userId, role });
      channels.set(number, channel);
      const [row] = await inTurn(
        () =>
          askSystem<{ refused: (string | null)[] }>(db)`
          select to_json(lore.join_changes(${server}::uuid, ${number}::int, ${claims}::jsonb,
            ${JSON.stringify(bindings)}::jsonb)) as refused`,
      );
      return row?.refused ?? [];
    },
    leave(channel: number) {
      if (channels.delete(channel))
        inTurn(() => forget([channel])).catch((error) => log.warn({ error }, 'a subscription did not end'));
    },
    /** ends all subscriptions; waits half a second at most for the database */
    async stop() {
      stopped = true;
      clearInterval(timer);
      // if the database does not answer, it removes the subscriptions by itself later
      await within(Promise.allSettled([inTurn(() => forget(null)), unlisten()]), MAX_STOP_MS);
    },
  };
}
