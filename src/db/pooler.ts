import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from 'postgres';
import { within } from '../timing/within.ts';

// A transaction pooler (pgbouncer, Supavisor on port 6543) hands each transaction to any of its own connections to
// PostgreSQL. What belongs to a connection is lost or found by somebody else: prepared statements, LISTEN, settings, locks.

/** How long a statement keeps its connection, so that the other client's statement must get another one. */
const KEEP_MS = 20;
const MAX_HEAR_MS = 5_000;
const LOOK_EVERY_MS = 1_000;

/**
 * Returns whether two clients with one connection each reach PostgreSQL through a transaction pooler: without one, each
 * keeps a process of PostgreSQL to itself.
 */
export async function isPooled(one: Sql, other: Sql): Promise<boolean> {
  const process = async (client: Sql, keepMs = 0): Promise<number> => {
    const [row] = await client.unsafe<{ pid: number }[]>(
      `select pg_backend_pid() as pid, pg_sleep(${keepMs / 1_000})`,
    );
    return row?.pid as number;
  };
  const ones = [await process(one)];
  const others = [await process(other)];
  const [again, meanwhile] = await Promise.all([process(one, KEEP_MS), process(other)]);
  ones.push(again, await process(one));
  others.push(meanwhile);
  return new Set(ones).size > 1 || new Set(others).size > 1 || others.some((pid) => ones.includes(pid));
}

/**
 * Lets `listener` listen, and `sender` notify it.
 *
 * @throws {Error} when nothing arrives within 5 s, or the database's error
 */
export async function checkHears(listener: Sql, sender: Sql): Promise<void> {
  const channel = `lore_probe_${randomUUID().replaceAll('-', '')}`;
  let hear = () => {};
  const heard = new Promise<true>((resolve) => {
    hear = () => resolve(true);
  });
  const { unlisten } = await listener.listen(channel, hear);
  await sender.unsafe(`notify ${channel}`);
  const arrived = await within(heard, MAX_HEAR_MS);
  await unlisten();
  if (!arrived) throw new Error('a notification sent over DATABASE_URL did not arrive');
}

/**
 * Returns what a way to PostgreSQL through a transaction pooler cannot do, as the log, `/health` and `lore doctor` say it;
 * null for any other way.
 */
export function describeWay({ pooled, hears }: { pooled: boolean; hears: boolean }): string | null {
  if (!pooled) return null;
  const through = 'through a transaction pooler: no statement stays prepared';
  return hears
    ? `${through}; notifications come over LORE_LISTEN_URL`
    : `${through} and no notification arrives. What others change is noticed after a second, a night that pg_cron ` +
        'begins after 20 s. LORE_LISTEN_URL, which leads to the same database directly or in session mode, mends that';
}

/** Calls functions when something may have been written to the database. */
type Looking = {
  /** calls `onWrite` now and from now on; resolves to a function that ends it */
  call(onWrite?: () => unknown): () => Promise<void>;
  stop(): void;
};

/**
 * Asks once a second whether any transaction of the server that wrote something has ended since the last look. That is
 * all that can be known cheaply without notifications.
 */
export function lookForWrites(client: Sql): Looking {
  const calls = new Set<() => unknown>();
  const stopping = new AbortController();
  const look = async () => {
    let before: string | undefined;
    for (;;) {
      await sleep(LOOK_EVERY_MS, undefined, { signal: stopping.signal, ref: false });
      const [row] = await client
        .unsafe<{ now: string }[]>('select pg_current_snapshot()::text as now')
        // whoever needs the database says that it is away
        .catch(() => []);
      const changed = row !== undefined && row.now !== before;
      before = row?.now;
      if (changed) await Promise.allSettled([...calls].map(async (call) => call()));
    }
  };
  look().catch(() => {}); // it is stopped
  return {
    call(onWrite = () => {}) {
      const call = () => onWrite();
      calls.add(call);
      onWrite();
      return async () => void calls.delete(call);
    },
    stop: () => stopping.abort(),
  };
}
