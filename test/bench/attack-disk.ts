import { execFileSync } from 'node:child_process';
import { closeSync, cpSync, existsSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { within } from '../../src/timing/within.ts';
import { EVENTS, missing, nothingSent, postToolCalls, told, twice } from './acknowledged.ts';
import { type Lore, launchLore, startLore, startOf } from './lore.ts';
import type { Found } from './measure.ts';
import { type Random, seeded } from './sessions.ts';
import type { Store } from './store.ts';

/** Room for a new store of 60 MB, the model, and a stream of hooks until it is filled. */
const DISK = '160m';
/** Turns the log off, because the server would log each write that failed. */
const QUIET = { LORE_LOG_LEVEL: 'silent' };
const SESSIONS = 3;
/** The disk is filled after at most this many answers. It stays full for this time after the first refusal. */
const MAX_ANSWERS = 200;
const FULL_MS = 1_500;
const REFUSED_WITHIN_MS = 30_000;
/** The fill leaves up to this much free, so that another write of the server fails at each point. */
const MAX_LEFT_BYTES = 256 * 1024;
/** Longest time for a stop, whether the disk is full or not. */
const MAX_STOP_MS = 5_000;
/** When there is space again, a hook must be acknowledged, and everything be stored, within this time. */
const RECOVERED_WITHIN_MS = 60_000;

/**
 * Fills the disk under the embedded database and the journal, at another moment of a stream of hooks each time. At each
 * other point the server is stopped and started on the full disk, else it goes on. In the end there is space again, and
 * every acknowledged event must be stored exactly once.
 */
export async function attackByFullDisk(
  store: Store,
  { seed, quick }: { seed: number; quick: boolean },
): Promise<Found> {
  if (store.databaseUrl) return { held: true, lines: ['left out: PostgreSQL is not on the disk of Lore'] };
  // a quick attack is part of the tests, which may run on a busy machine
  const maxStopMs = MAX_STOP_MS * (quick ? 6 : 1);
  const points = quick ? 1 : 20;
  const random = seeded(seed);
  if (!existsSync(store.home)) await (await startLore(store, QUIET)).stop();
  const seen = { acknowledged: 0, refused: 0, refusedStarts: 0 };
  const broken: string[] = [];
  for (let point = 1; point <= points; point++) {
    const disk = mountDisk(`${store.home}-disk`);
    if (!disk) return { held: true, lines: ['left out: only root may mount the small disk that is filled'] };
    try {
      cpSync(store.home, disk.home, { recursive: true });
      const stops = point % 2 === 1;
      broken.push(
        ...(await fillOnce(
          { home: disk.home, databaseUrl: undefined },
          { disk, stops, random, seen, maxStopMs, args: startOf({ quick }) },
        )),
      );
    } finally {
      disk.remove();
    }
    if (!quick) console.error(`  disk filled ${point} times, ${seen.acknowledged} events acknowledged …`);
  }
  return {
    held: broken.length === 0 && seen.acknowledged > 0 && seen.refused > 0,
    lines: [
      `disk full at ${points} points: ${seen.acknowledged} events acknowledged, ${seen.refused} refused`,
      `${seen.refusedStarts} starts refused by the full disk`,
      `broken: ${told(broken)}`,
    ],
  };
}

type Disk = NonNullable<ReturnType<typeof mountDisk>>;

/** Returns what went wrong at this point. */
async function fillOnce(
  store: Store,
  run: {
    disk: Disk;
    stops: boolean;
    random: Random;
    maxStopMs: number;
    args: string[];
    seen: { acknowledged: number; refused: number; refusedStarts: number };
  },
): Promise<string[]> {
  const { disk, stops, random, seen, maxStopMs, args } = run;
  const broken: string[] = [];
  const sent = nothingSent();
  let lore = await startLore(store, QUIET, args);
  let done = false;
  let gone = false;
  const load = Array.from({ length: SESSIONS }, () =>
    postToolCalls(lore, random, sent, {
      done: () => done,
      async onRefusal() {
        seen.refused += 1;
        await sleep(20);
      },
    }).then(() => {
      gone ||= !done;
    }),
  );
  const enough = random() * MAX_ANSWERS;
  while (sent.acknowledged.size < enough && !gone) await sleep(2);
  disk.fill(Math.floor(random() * MAX_LEFT_BYTES));
  const refused = seen.refused;
  const filled = performance.now();
  while (seen.refused === refused && !gone && performance.now() - filled < REFUSED_WITHIN_MS) await sleep(10);
  await sleep(FULL_MS);
  if (gone) broken.push('the server ended by itself on the full disk');
  done = stops;

  if (stops) {
    broken.push(...(await stopInTime(lore, 'on the full disk', maxStopMs)));
    await Promise.all(load);
    // It may start without space or refuse to, as long as it says so and ends.
    const { ready, kill } = await launchLore(store, QUIET, args);
    const again = await ready.catch(() => null);
    if (again === null) seen.refusedStarts += 1;
    await kill();
    disk.free();
    lore = await startLore(store, QUIET, args);
  } else {
    disk.free();
    const before = sent.acknowledged.size;
    const freed = performance.now();
    while (sent.acknowledged.size <= before && !gone && performance.now() - freed < RECOVERED_WITHIN_MS)
      await sleep(20);
    if (sent.acknowledged.size <= before) broken.push('no event was acknowledged when there was space again');
    done = true;
    await Promise.all(load);
    broken.push(...(await stopInTime(lore, 'when there was space again', maxStopMs)));
    lore = await startLore(store, QUIET, args);
  }

  const started = performance.now();
  let lost = await missing(lore, EVENTS, sent);
  while (
    lost.some((name) => !name.startsWith('PreToolUse ')) &&
    performance.now() - started < RECOVERED_WITHIN_MS
  ) {
    await sleep(500);
    lost = await missing(lore, EVENTS, sent);
  }
  // a verdict is answered although nothing can be stored, because the client would run the command without it
  const promised = lost.filter((name) => !name.startsWith('PreToolUse '));
  broken.push(...promised.map((name) => `lost: ${name}`));
  broken.push(...(await twice(lore, EVENTS)).map((name) => `stored twice: ${name}`));
  seen.acknowledged += sent.acknowledged.size;
  await lore.stop();
  return broken;
}

async function stopInTime(lore: Lore, when: string, limitMs: number): Promise<string[]> {
  const stopped = await within(
    lore.stop().then(() => true),
    limitMs,
  );
  if (stopped) return [];
  await lore.kill();
  return [`SIGTERM did not end the server in time ${when}`];
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
    /** fills the disk except for some bytes */
    fill(leave: number) {
      // The room is taken first and then given back, because the server writes meanwhile.
      const reserve = join(folder, 'reserve');
      write(reserve, leave);
      write(filling, Number.POSITIVE_INFINITY);
      rmSync(reserve, { force: true });
    },
    free: () => rmSync(filling, { force: true }),
    remove: () => execFileSync('umount', ['-l', folder]),
  };
}

/** Writes a file of this size, or as much as there is room for. */
function write(file: string, bytes: number): void {
  const fd = openSync(file, 'w');
  const block = Buffer.alloc(64 * 1024);
  try {
    for (let left = bytes; left > 0; ) left -= writeSync(fd, block, 0, Math.min(left, block.length));
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOSPC') throw error;
  } finally {
    closeSync(fd);
  }
}
