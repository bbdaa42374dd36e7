import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { Database } from '../db/open.ts';
import { askSystem } from '../db/system.ts';
import type { Log } from '../log.ts';
import { within } from '../timing/within.ts';
import type { Condition } from './filters.ts';

// Brings changes of rows from the database to the channels of this server. Triggers write them to
// `lore.realtime_changes` (sql/realtime); a notification only says that there are some.

/** What a channel waits for. `columns`: null for all. */
export type Binding = {
  id: number;
  event: string;
  schema: string;
  table: string;
  filters: Condition[];
  columns: string[] | null;
};

export type Feed = {
  /**
   * Subscribes a channel. When it resolves, every change that is committed from now on reaches the channel. Returns for
   * each binding why it is not possible, or null.
   *
   * @throws the database's error
   */
  join(channel: number, userId: string | null, bindings: Binding[]): Promise<(string | null)[]>;
  leave(channel: number): void;
  /** ends all subscriptions; waits half a second at most for the database */
  stop(): Promise<void>;
};

/** How often the server reports to the database. A server that is silent for 30 seconds counts as gone. */
const RENEW_MS = 10_000;
/** Most changes that are taken in one transaction. */
const MOST = 200;
/** How long a join waits for transactions that began before it, and how often it looks. */
const MAX_SETTLE_MS = 2_000;
const SETTLE_MS = 20;
const MAX_STOP_MS = 500;

/**
 * @param options.deliver called for each change and each group of channels that get the same; `targets` are pairs
 *   of a channel and a binding's id, `data` is JSON
 * @param options.failed called for a channel whose filter failed on a row; no more changes are sent to it
 * @param options.lost called when changes may have been missed: clients must join again and read everything anew. All
 *   subscriptions have ended then.
 */
export async function createFeed(options: {
  db: Database;
  log: Log;
  deliver(targets: [channel: number, binding: number][], data: string): void;
  failed(channel: number, why: string): void;
  lost(why: string): void;
}): Promise<Feed> {
  const { db, log } = options;
  const server = randomUUID();
  const channels = new Set<number>();
  let leaving: number[] = [];
  let stopped = false;
  let wanted = false;
  let taking = false;
  let last: Promise<unknown> = Promise.resolve();
  let connected = false;

  /**
   * Runs work one after the other. Otherwise a subscription could be made while the last one and the server
   * are removed.
   */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = last.then(work);
    last = turn.catch(() => {});
    return turn;
  }

  const take = async () => {
    while (wanted && channels.size > 0 && !stopped) {
      wanted = false;
      const rows = await askSystem<{
        targets: [number, number][] | null;
        data: string;
        failed: string | null;
      }>(db, sql`select targets, data, failed from lore.take_changes(${server}::uuid, ${MOST}::int)`);
      for (const { targets, data, failed } of rows) {
        if (targets && failed !== null) {
          log.warn({ reason: failed }, 'a filter of live changes failed; its channels are closed');
          for (const [channel] of targets) options.failed(channel, failed);
        } else if (targets) options.deliver(targets, data);
        else if (Number(data) === MOST) wanted = true;
      }
    }
  };

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
    leaving = [];
    inTurn(() => forget(null)).catch(() => {});
    options.lost(why);
  }

  const forget = (some: number[] | null) =>
    askSystem(db, sql`select lore.leave_changes(${server}::uuid, ${some && sql.param(some)}::int[])`);

  const unlisten = await db.listen('lore_changes', wake, () => {
    if (!db.way.hears) return wake();
    // notifications were lost, and with the embedded engine the tables as well
    if (connected) lose('the database was away');
    connected = true;
  });

  const timer = setInterval(() => {
    if (channels.size === 0) return;
    inTurn(() => askSystem<{ ok: boolean }>(db, sql`select lore.renew_changes(${server}::uuid) as ok`)).then(
      ([row]) => (row?.ok ? wake() : lose('the database thought this server gone')),
      (error) => log.warn({ error }, 'live connections could not be renewed'),
    );
  }, RENEW_MS);
  timer.unref();

  /** A transaction that began before a subscription was there does not see it, and may be committed later. */
  async function settle(): Promise<void> {
    if (db.engine === 'pglite') return; // one transaction at a time
    const [now] = await askSystem<{ next: string }>(
      db,
      sql`select pg_snapshot_xmax(pg_current_snapshot())::text as next`,
    );
    const until = performance.now() + MAX_SETTLE_MS;
    while (performance.now() < until) {
      const [row] = await askSystem<{ over: boolean }>(
        db,
        sql`select pg_snapshot_xmin(pg_current_snapshot()) >= ${now?.next}::text::xid8 as over`,
      );
      if (row?.over) return;
      await sleep(SETTLE_MS);
    }
  }

  return {
    async join(channel, userId, bindings) {
      const claims = JSON.stringify({ sub: userId, role: userId === null ? 'anon' : 'authenticated' });
      const [row] = await inTurn(async () => {
        channels.add(channel);
        return askSystem<{ refused: (string | null)[] }>(
          db,
          sql`select to_json(lore.join_changes(${server}::uuid, ${channel}::int, ${claims}::jsonb,
                ${JSON.stringify(bindings)}::jsonb)) as refused`,
        );
      });
      await settle();
      return row?.refused ?? [];
    },
    leave(channel) {
      if (!channels.delete(channel)) return;
      if (leaving.push(channel) > 1) return;
      inTurn(async () => {
        const gone = leaving;
        leaving = [];
        if (gone.length > 0) await forget(gone);
      }).catch((error) => log.warn({ error }, 'subscriptions could not be ended'));
    },
    async stop() {
      stopped = true;
      clearInterval(timer);
      // if the database does not answer, it removes the subscriptions by itself later
      const ending = Promise.allSettled([inTurn(() => forget(null)), unlisten()]);
      await within(ending, MAX_STOP_MS);
    },
  };
}
