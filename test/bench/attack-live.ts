import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';
import { within } from '../../src/timing/within.ts';
import { postHooks } from './attack-sockets.ts';
import { change, makeLesson, tokenOf, watch } from './live-client.ts';
import { freePort, type Lore, startLore, startOf } from './lore.ts';
import type { Found } from './measure.ts';
import { seeded } from './sessions.ts';
import type { Store } from './store.ts';

const MAX_STOP_MS = 5_000;
/** Longest time from the moment at which a new server is healthy until all clients are live again. */
const MAX_BACK_MS = 5_000;
const WATCHERS = 20;
/** Clients that join and never read, and the changes of 200 kB each that they would be told. */
const SLOW = { clients: 5, changes: 100, bytes: 200_000 };

/**
 * Sends malformed frames and frames of 5 MB, opens hundreds of connections that do nothing and some that never read,
 * and kills the server. Hooks must be answered meanwhile, a client in good order must hear every change once, clients
 * must come back after the kill, and SIGTERM must end the server in time.
 */
export async function attackLive(
  store: Store,
  { seed, quick }: { seed: number; quick: boolean },
): Promise<Found> {
  const LORE_PORT = String(await freePort());
  const start = () => startLore(store, { LORE_LOG_LEVEL: 'error', LORE_PORT }, startOf({ quick }));
  let lore = await start();
  const patience = quick ? 6 : 1;
  const id = await makeLesson(lore);
  const heard: number[] = [];
  const watcher = await watch(lore, { table: 'learnings', filter: `id=eq.${id}` }, ({ new: row }) =>
    heard.push(Number(row.usage_count)),
  );
  const { token, apiKey } = await tokenOf(lore);
  const open = (key: string) => connect(lore, key);

  const frames = quick ? 300 : 20_000;
  const survived = await sendMalformed(() => open(token), frames, seed);
  const large = await sendLarge(() => open(token), quick ? 3 : 30);

  // the server takes a thousand connections in all, and some of the earlier ones may not be closed yet
  const tried = await Promise.allSettled(Array.from({ length: quick ? 100 : 1_000 }, () => open(apiKey)));
  const idle = tried.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const before = lore.memory().server;
  const slow = await Promise.all(Array.from({ length: SLOW.clients }, () => open(token)));
  for (const socket of slow) {
    await join(socket);
    socket.pause();
  }
  const changes = SLOW.changes;
  for (let n = 1; n <= changes; n++) {
    await change(
      lore,
      id,
      n,
      `, source_error = repeat('${String.fromCharCode(97 + (n % 26))}', ${SLOW.bytes})`,
    );
  }
  const bad = await postHooks(lore, seed, quick ? 20 : 200);
  const until = performance.now() + 30_000;
  while (heard.length < changes && performance.now() < until) await sleep(50);
  const exact = heard.join() === Array.from({ length: changes }, (_, n) => n + 1).join();
  const grown = lore.memory().server - before;
  if (!quick) await sleep(65_000);
  const left = quick ? 0 : idle.filter((socket) => socket.readyState === WebSocket.OPEN).length;

  // a kill, and a start on the same port
  let back = 0;
  const watchers = await Promise.all(
    Array.from({ length: WATCHERS }, () =>
      watch(
        lore,
        { table: 'incidents' },
        () => {},
        () => {
          back += 1;
        },
      ),
    ),
  );
  back = 0;
  await lore.kill();
  lore = await start();
  const healthy = performance.now();
  while (back < WATCHERS && performance.now() - healthy < 10 * MAX_BACK_MS) await sleep(20);
  const backMs = performance.now() - healthy;

  for (const socket of [...idle, ...slow]) socket.terminate();
  const again = await Promise.all(Array.from({ length: 50 }, () => open(apiKey)));
  const stopping = performance.now();
  const stopped = await within(
    lore.stop().then(() => true),
    10 * MAX_STOP_MS,
  );
  const stopMs = performance.now() - stopping;
  if (!stopped) await lore.kill();
  for (const { close } of [watcher, ...watchers]) await close();
  for (const socket of again) socket.terminate();
  return {
    held:
      survived &&
      large &&
      exact &&
      bad === 0 &&
      left === 0 &&
      back >= WATCHERS &&
      backMs <= MAX_BACK_MS * patience &&
      stopMs <= MAX_STOP_MS * patience,
    lines: [
      `${frames} malformed frames, frames of 5 MB: ${survived && large ? 'refused' : 'NOT refused'}`,
      `${idle.length} idle connections, ${tried.length - idle.length} more refused; ${bad} hooks refused or late meanwhile; ${left} open after a minute`,
      `${heard.length} of ${changes} changes of 200 kB heard, ${exact ? 'each once' : 'NOT each once'}, beside ${SLOW.clients} clients that do not read; the server grew by ${Math.round(grown)} MB`,
      `${Math.round(backMs)} ms after the start that followed a kill, ${Math.min(back, WATCHERS)} of ${WATCHERS} clients were live again`,
      `${Math.round(stopMs)} ms from SIGTERM to the end of the server`,
    ],
  };
}

/** Opens a connection. While the server has as many as it takes (429), it is asked again, for five seconds. */
async function connect({ url }: Lore, key: string): Promise<WebSocket> {
  for (let tries = 1; ; tries++) {
    const socket = new WebSocket(
      `${url.replace('http', 'ws')}/realtime/v1/websocket?vsn=2.0.0&apikey=${key}`,
    );
    // the server closes it sooner or later, and perhaps by a reset
    socket.on('error', () => {});
    const refused = new Promise<number>((resolve) => {
      socket.on('unexpected-response', (request, { statusCode = 0 }) => {
        request.destroy();
        resolve(statusCode);
      });
    });
    const opened = new Promise<null>((resolve) => {
      for (const event of ['open', 'close']) socket.once(event, () => resolve(null));
    });
    const status = await Promise.race([opened, refused]);
    if (status === null) return socket;
    if (status !== 429 || tries === 100) throw new Error(`the server refused a connection with ${status}`);
    await sleep(50);
  }
}

async function join(socket: WebSocket): Promise<void> {
  const config = { postgres_changes: [{ event: '*', schema: 'public', table: 'learnings' }] };
  socket.send(JSON.stringify(['1', '1', 'realtime:slow', 'phx_join', { config }]));
  await once(socket, 'message');
}

const CLOSED_WITHIN_MS = 20_000;

/** Returns whether the connection is closed by the server, and not by itself. */
async function isClosed(socket: WebSocket): Promise<boolean> {
  if (socket.readyState === WebSocket.CLOSED) return true;
  const closed = await within(once(socket, 'close'), CLOSED_WITHIN_MS);
  socket.terminate();
  return closed !== null;
}

const NAMES = ['phoenix', 'realtime:a', 'realtime:', '', 'x'.repeat(300), '\u0000', '🎺'];
const EVENTS = [
  'phx_join',
  'phx_leave',
  'access_token',
  'broadcast',
  'presence',
  'heartbeat',
  'constructor',
  '',
];
const VALUES: unknown[] = [
  null,
  0,
  -1,
  1e308,
  true,
  '',
  'x',
  [],
  {},
  [[[]]],
  { config: 7 },
  { config: { postgres_changes: [{}] } },
  { config: { postgres_changes: 'x' } },
  { config: { postgres_changes: [{ event: '*', schema: '*', table: '*', filter: 'a=b' }] } },
  { access_token: 'x.y.z' },
  { access_token: 7 },
  { event: 'track', payload: 'x' },
  { __proto__: null, constructor: 1 },
];

/**
 * Sends generated frames, of which most are malformed, over connections that are opened anew when the server closes
 * them. Returns whether a new connection works at the end.
 */
async function sendMalformed(open: () => Promise<WebSocket>, count: number, seed: number): Promise<boolean> {
  const random = seeded(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const frame = (): string | Buffer => {
    const list = JSON.stringify([
      pick(VALUES),
      pick(['1', '2', null]),
      pick(NAMES),
      pick(EVENTS),
      pick(VALUES),
    ]);
    const kind = random();
    if (kind < 0.5) return list;
    if (kind < 0.6) return list.slice(0, Math.floor(random() * list.length));
    if (kind < 0.7) return '['.repeat(Math.floor(random() * 10_000));
    if (kind < 0.8) return JSON.stringify(pick(VALUES));
    const bytes = Buffer.from(
      Array.from({ length: Math.floor(random() * 60) }, () => Math.floor(random() * 256)),
    );
    if (random() < 0.5 && bytes.length > 0) bytes[0] = 3;
    return bytes;
  };
  let socket = await open();
  for (let n = 0; n < count; n++) {
    if (socket.readyState !== WebSocket.OPEN) socket = await open();
    socket.send(frame());
    if (n % 20 === 0) await sleep(5);
  }
  socket.terminate();
  const last = await open();
  const answered = once(last, 'message');
  last.send(JSON.stringify([null, '1', 'phoenix', 'heartbeat', {}]));
  const works = (await within(answered, CLOSED_WITHIN_MS)) !== null;
  last.terminate();
  return works;
}

async function sendLarge(open: () => Promise<WebSocket>, count: number): Promise<boolean> {
  const large = JSON.stringify([null, '1', 'realtime:a', 'phx_join', { x: 'x'.repeat(5_000_000) }]);
  for (let n = 0; n < count; n++) {
    const socket = await open();
    socket.send(large);
    if (!(await isClosed(socket))) return false;
  }
  return true;
}
