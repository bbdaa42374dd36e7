// Attacks under load: what the server acknowledged must be stored exactly once, whatever happens to it.
import { execFileSync } from 'node:child_process';
import { closeSync, cpSync, existsSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Lore, launchLore, startLore } from './lore.ts';
import { type Found, median } from './measure.ts';
import { type Random, seeded, session } from './sessions.ts';
import type { Store } from './store.ts';

const SESSIONS = 4;
/** A kill, or the full disk, comes after at most this many answers. */
const MAX_ANSWERS = 200;
/** Time that the journal's entries have to reach the database at the end. */
const STORED_WITHIN_MS = 60_000;
/** Room for a new store of 60 MB, the model, and a stream of hooks until it is filled. */
const DISK = '160m';
const FULL_MS = 1_500;
/** Turns the log off, because the server would log each write that failed. */
const QUIET = { LORE_LOG_LEVEL: 'silent' };

type Options = { rounds: number; seed: number; args?: string[] };
/** The tool calls that were acknowledged, and how many were refused. */
type Sent = { acknowledged: Set<string>; refused: number };

/** Posts tool calls until the server is gone or `done`. */
async function postToolCalls(lore: Lore, random: Random, sent: Sent, done = () => false): Promise<void> {
  for (;;) {
    for (const event of session(random, { turns: 4, calls: 15 })) {
      if (event.tool_use_id === undefined) continue;
      if (done()) return;
      try {
        await lore.hook(event);
        sent.acknowledged.add(`${event.hook_event_name} ${event.tool_use_id}`);
      } catch (error) {
        // a connection that broke; any other error was an answer
        if (error instanceof TypeError) return;
        sent.refused += 1;
        await sleep(20);
      }
    }
  }
}

/** Returns what was acknowledged and is not stored after a while, and what is stored twice. */
async function broken(lore: Lore, { acknowledged }: Sent): Promise<string[]> {
  const count = async (ids: string[]) => {
    const list = ids.map((id) => `'${id}'`).join(', ');
    const rows = await lore.sql(
      `select event || ' ' || tool_use_id as name, count(*)::int as n from events
       where event || ' ' || tool_use_id in (${list}) group by 1`,
    );
    return new Map(rows.map(({ name, n }) => [String(name), Number(n)]));
  };
  let left = [...acknowledged];
  const twice: string[] = [];
  for (const until = performance.now() + STORED_WITHIN_MS; left.length > 0; await sleep(500)) {
    const found = new Map<string, number>();
    for (let i = 0; i < left.length; i += 500)
      for (const [name, n] of await count(left.slice(i, i + 500))) found.set(name, n);
    twice.push(...[...found].flatMap(([name, n]) => (n > 1 ? `stored ${n} times: ${name}` : [])));
    left = left.filter((name) => !found.has(name));
    if (performance.now() > until) break;
  }
  return [...twice, ...left.map((name) => `lost: ${name}`)];
}

const told = (names: string[]) => [`${names.length} broken`, ...names.slice(0, 5)];

/**
 * Kills the server (kill -9) at random moments, while several sessions post tool calls. Every fifth kill comes while the
 * server starts with what the kill before left behind.
 */
export async function attackByKill(store: Store, { rounds, seed }: Options): Promise<Found> {
  const random = seeded(seed);
  const sent: Sent = { acknowledged: new Set(), refused: 0 };
  const starts: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    const { ready, kill } = await launchLore(store);
    if (round % 5 === 0) {
      await sleep(random() * median(starts));
      await kill();
      continue;
    }
    const lore = await ready;
    starts.push(lore.startMs);
    const enough = sent.acknowledged.size + random() * MAX_ANSWERS;
    const load = Array.from({ length: SESSIONS }, () => postToolCalls(lore, random, sent));
    while (sent.acknowledged.size < enough) await sleep(random() * 5);
    await kill();
    await Promise.all(load);
  }
  const lore = await startLore(store);
  const found = await broken(lore, sent).finally(lore.stop);
  return {
    held: found.length === 0 && sent.refused === 0,
    lines: [`${rounds} kills, ${sent.acknowledged.size} events acknowledged`, ...told(found)],
  };
}

/**
 * Fills the disk under the embedded database and the journal, at another moment of a stream of hooks each time. Each other
 * time the server is stopped on the full disk, else it goes on when there is space again.
 */
export async function attackByFullDisk(store: Store, { rounds, seed, args }: Options): Promise<Found> {
  if (store.databaseUrl) return { held: true, lines: ['left out: PostgreSQL is not on the disk of Lore'] };
  const random = seeded(seed);
  if (!existsSync(store.home)) await (await startLore(store, QUIET)).stop();
  const found: string[] = [];
  const all = { acknowledged: 0, refused: 0 };
  for (let round = 1; round <= rounds; round++) {
    const disk = mountDisk(`${store.home}-disk`);
    if (!disk) return { held: true, lines: ['left out: only root may mount the small disk that is filled'] };
    try {
      cpSync(store.home, disk.home, { recursive: true });
      const on = { home: disk.home, databaseUrl: undefined };
      const sent: Sent = { acknowledged: new Set(), refused: 0 };
      let lore = await startLore(on, QUIET, args);
      let done = false;
      const load = Array.from({ length: SESSIONS }, () => postToolCalls(lore, random, sent, () => done));
      const enough = random() * MAX_ANSWERS;
      while (sent.acknowledged.size < enough) await sleep(2);
      disk.fill();
      await sleep(FULL_MS);
      if (round % 2 === 0) disk.free();
      done = true;
      await Promise.all(load);
      await lore.stop();
      disk.free();
      lore = await startLore(on, QUIET, args);
      // a verdict is answered although nothing can be stored, because the client would run the command without it
      for (const name of sent.acknowledged)
        if (name.startsWith('PreToolUse ')) sent.acknowledged.delete(name);
      found.push(...(await broken(lore, sent)));
      await lore.stop();
      all.acknowledged += sent.acknowledged.size;
      all.refused += sent.refused;
    } finally {
      disk.remove();
    }
  }
  return {
    held: found.length === 0 && all.acknowledged > 0,
    lines: [
      `disk full ${rounds} times: ${all.acknowledged} events acknowledged, ${all.refused} refused`,
      ...told(found),
    ],
  };
}

/** Mounts a small disk in memory; null where that is not allowed. */
function mountDisk(folder: string) {
  mkdirSync(folder, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK}`, 'lore-attack', folder], { stdio: 'ignore' });
  } catch {
    return null;
  }
  const filling = join(folder, 'filling');
  return {
    home: join(folder, 'home'),
    fill() {
      const fd = openSync(filling, 'w');
      try {
        for (;;) writeSync(fd, Buffer.alloc(64 * 1024));
      } catch (error) {
        if ((error as { code?: string }).code !== 'ENOSPC') throw error;
      } finally {
        closeSync(fd);
      }
    },
    free: () => rmSync(filling, { force: true }),
    remove: () => execFileSync('umount', ['-l', folder]),
  };
}
