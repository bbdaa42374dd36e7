import { setTimeout as sleep } from 'node:timers/promises';
import { pause, play } from './hooks.ts';
import type { Lore } from './lore.ts';
import { type Row, row } from './measure.ts';
import { seeded, session } from './sessions.ts';

const CALLS = 300;
const IDLE_MS = 10_000;
/** share of one processor that a server at rest uses at most */
const MAX_IDLE_SHARE = 0.03;
/** waiting time for what is stored after the last answer, because that counts too */
const STORING_MS = 2_000;

/**
 * Measures the server's processor time for a successful tool call: both hooks and storing them, at the pace of a
 * client. The time that an idle server uses is subtracted. The client's machine pays this price.
 *
 * @param limit milliseconds per call
 */
export async function benchCpu(where: string, lore: Lore, limit?: number): Promise<Row[]> {
  const random = seeded(6);
  await play(lore, random, 600, 1);
  await lore.settled();
  await untilIdle(lore);
  const idle = await used(lore, () => sleep(IDLE_MS));
  const busy = await used(lore, async () => {
    let calls = 0;
    while (calls < CALLS) {
      for (const event of session(random, { turns: 1, calls: 50 })) {
        if (!['PreToolUse', 'PostToolUse'].includes(event.hook_event_name)) continue;
        await pause(event);
        await lore.hook(event);
        if (event.hook_event_name === 'PostToolUse' && ++calls === CALLS) break;
      }
    }
    await sleep(STORING_MS);
  });
  const perCall = (part: 'server' | 'children') =>
    ((busy[part] - idle[part] * (busy.seconds / idle.seconds)) * 1_000) / CALLS;
  return [
    row(`${where}: the server, all threads, for a tool call`, perCall('server'), 'ms', limit),
    row(`${where}: the process that embeds, for a tool call`, perCall('children'), 'ms'),
    row(`${where}: the server when nobody calls`, (idle.server * 1_000) / idle.seconds, 'ms/s'),
  ];
}

/**
 * Waits until the server has embedded what was stored. Otherwise this would count as the use of an idle
 * server.
 */
async function untilIdle(lore: Lore) {
  for (let tries = 0; tries < 60; tries++) {
    const { server, children, seconds } = await used(lore, () => sleep(2_000));
    if ((server + children) / seconds < MAX_IDLE_SHARE) return;
  }
  throw new Error('The server did not come to rest within two minutes');
}

async function used(lore: Lore, work: () => Promise<unknown>) {
  const before = lore.cpu();
  const started = performance.now();
  await work();
  const after = lore.cpu();
  return {
    seconds: (performance.now() - started) / 1_000,
    server: after.server - before.server,
    children: after.children - before.children,
  };
}
