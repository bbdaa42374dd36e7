import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { within } from '../../src/timing/within.ts';
import { type Lore, startLore, startOf } from './lore.ts';
import type { Found } from './measure.ts';
import { seeded, session } from './sessions.ts';
import type { Store } from './store.ts';

/** What a connection sends that never finishes its request. None of it needs a key. */
const UNFINISHED = [
  '',
  'POST /v1/hooks HTTP/1.1\r\nhost: lo',
  'POST /v1/hooks HTTP/1.1\r\nhost: lore\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"a":',
];

/** A hook that takes longer than this counts as not answered. */
const MAX_HOOK_MS = 10_000;
/**
 * Connections without a whole header must be closed after this time. The next value is the longest time for a
 * stop.
 */
const MAX_OPEN_MS = 15_000;
const MAX_STOP_MS = 5_000;

/**
 * Opens hundreds of connections that send nothing, half a header or half a body, and leaves them open. Hooks must be
 * answered all the same, the server must close the connections without a header, and SIGTERM must end it in time.
 */
export async function attackBySockets(
  store: Store,
  { seed, quick }: { seed: number; quick: boolean },
): Promise<Found> {
  const count = quick ? 60 : 500;
  const lore = await startLore(store, { LORE_LOG_LEVEL: 'error' }, startOf({ quick }));
  const sockets = await open(lore, count);
  const slow = await postHooks(lore, seed, quick ? 20 : 200);

  const headless = sockets.filter((_, n) => n % UNFINISHED.length < 2);
  const opened = performance.now();
  while (headless.some((socket) => !socket.closed) && performance.now() - opened < MAX_OPEN_MS)
    await sleep(50);
  const left = headless.filter((socket) => !socket.closed).length;

  sockets.push(...(await open(lore, count)));
  const stopping = performance.now();
  const stopped = await within(
    lore.stop().then(() => true),
    10 * MAX_STOP_MS,
  );
  const stopMs = performance.now() - stopping;
  if (!stopped) await lore.kill();
  for (const socket of sockets) socket.destroy();
  return {
    // a quick attack is part of the tests, which may run on a busy machine
    held: slow === 0 && left === 0 && stopMs <= MAX_STOP_MS * (quick ? 6 : 1),
    lines: [
      `${count} half-open connections, twice; ${slow} hooks refused or slower than ${MAX_HOOK_MS} ms meanwhile`,
      `${left} of ${headless.length} connections without a whole header still open after ${MAX_OPEN_MS / 1_000} s`,
      `${Math.round(stopMs)} ms from SIGTERM to the end of the server`,
    ],
  };
}

function open({ url }: Lore, count: number): Promise<Socket[]> {
  const port = Number(new URL(url).port);
  const one = async (_: unknown, n: number) => {
    const socket = connect(port, '127.0.0.1');
    // the server closes it sooner or later, and perhaps by a reset
    socket.on('error', () => {}).resume();
    await once(socket, 'connect');
    socket.write(UNFINISHED[n % UNFINISHED.length] as string);
    return socket;
  };
  return Promise.all(Array.from({ length: count }, one));
}

/** Returns how many of the hooks were not answered in time. */
export async function postHooks(lore: Lore, seed: number, count: number): Promise<number> {
  const random = seeded(seed);
  let sent = 0;
  let bad = 0;
  while (sent < count) {
    for (const event of session(random, { turns: 2, calls: 10 })) {
      const answer = await within(lore.hook(event), MAX_HOOK_MS).catch(() => null);
      if (answer === null) bad += 1;
      sent += 1;
    }
  }
  return bad;
}
