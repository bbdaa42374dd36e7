import { createHash, randomUUID } from 'node:crypto';
import { type SQL, sql } from 'drizzle-orm';
import { Problem } from '../base/errors/problem.ts';
import type { Log } from '../base/log.ts';
import { startLoop } from '../base/timing/loop.ts';
import { type Database, query } from './open.ts';
import { askSystem } from './system.ts';

// Which servers use one database. As long as there is only one, all that it needs to know of a session is in its memory.
// Where there are several, each event reads its session again (src/hooks/known-sessions.ts).

export type Servers = {
  /** Returns whether other servers use the database too. */
  areSeveral(): boolean;
};

/** What a server that is alone, as with an embedded database, knows of others. */
const ALONE: Servers = { areSeveral: () => false };

/** A server that was killed counts for this long. */
const HERE_SECONDS = 30;
/** Nobody knows when a function is called next. */
const FUNCTION_SECONDS = 86_400;
const SAY_EVERY_MS = 10_000;

/** `secret`: LORE_SECRET, or that of the data folder. What is derived from it must be the same on all servers. */
type Joining = { db: Database; log: Log; secret: string };

/**
 * Says that this server uses the database, as long as it does. It resolves when the others know it.
 *
 * @returns the servers, and a function that says that this one is gone
 * @throws Problem (409) if servers with another secret use the database
 */
export async function joinServers(joining: Joining): Promise<{ servers: Servers; leave(): Promise<void> }> {
  const { db, log } = joining;
  const began = new Date().toISOString();
  // what a server that was killed had leased need not wait for the end of the lease
  const free = () => askSystem(db)`select lore.free_leases(${began}::timestamptz)`;
  if (db.engine === 'pglite') {
    await free();
    return { servers: ALONE, leave: async () => {} };
  }
  const id = randomUUID();
  await takeSecret(joining, id);
  let others: number | undefined;
  const count = async (statement: SQL) => {
    const [row] = await query<{ n: number }>(db.drizzle, statement);
    if (row?.n === 0 && others !== 0) await free();
    others = row?.n ?? others;
    return false;
  };
  const say = () => count(sql`select lore.server_is_here(${id}::uuid, ${HERE_SECONDS}::int) as n`);
  // whoever needs the database says that it is away
  const look = () => count(sql`select lore.other_servers(${id}::uuid) as n`).catch(() => {});
  const unlisten = await db.listen('lore_servers', look, look);
  await say();
  const loop = startLoop({ name: 'say that it is here', intervalMs: SAY_EVERY_MS, work: say, log });
  return {
    servers: { areSeveral: () => others !== 0 },
    async leave() {
      await loop.stop();
      await unlisten();
      await askSystem(db)`select lore.server_is_gone(${id}::uuid)`;
    },
  };
}

/**
 * Says that Edge Functions use the database, for a day from now. They come and go without a word, so to each of them there
 * are always others.
 *
 * @throws Problem (409) if servers with another secret use the database
 */
export async function joinAsFunction(joining: Joining): Promise<Servers> {
  await takeSecret(joining, FUNCTIONS);
  await askSystem(joining.db)`select lore.server_is_here(${FUNCTIONS}::uuid, ${FUNCTION_SECONDS}::int)`;
  return { areSeveral: () => true };
}

/** All functions together count as one server. */
const FUNCTIONS = '00000000-0000-4000-8000-00000000f000';

async function takeSecret({ db, log, secret }: Joining, id: string): Promise<void> {
  // not enough to find the secret out
  const hash = createHash('sha256').update(`lore: the secret of this database\n${secret}`).digest('hex');
  const [row] = await askSystem<{ may: 'yes' | 'new' | 'no' }>(db)`
    select lore.take_secret(${id}::uuid, ${hash}) as may`;
  if (row?.may === 'new') {
    log.warn({}, 'LORE_SECRET is another one than before: verdicts of the old one no longer hold');
  }
  if (row?.may !== 'no') return;
  throw new Problem({
    status: 409,
    title: 'Secret of another server',
    detail:
      'Other servers use this database with another LORE_SECRET. Set LORE_SECRET to theirs: it is in the file secret of ' +
      'their data folder, unless they were started with LORE_SECRET. To change it, stop all of them first; one that was ' +
      'killed counts for half a minute.',
  });
}
