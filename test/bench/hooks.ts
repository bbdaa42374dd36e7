import { setTimeout as sleep } from 'node:timers/promises';
import { type Lore, startLore, type Timing } from './lore.ts';
import { percentiles, type Row, row } from './measure.ts';
import { type Event, type Random, seeded, session } from './sessions.ts';
import type { Store } from './store.ts';

const TOOL_CALLS = ['PreToolUse', 'PostToolUse'];
const NAMES = [...TOOL_CALLS, 'PostToolUseFailure', 'UserPromptSubmit', 'SessionStart'];
const SECONDS = 60;
const CROWD = { sessions: 50, everyMs: 250 };
const CALLS = 10_000;

type Told = { name: string; timing: Timing }[];

/**
 * Plays long sessions until `count` events are sent. `parallel` sessions run at a time, and each sends its next event
 * after the answer to the one before.
 */
export async function play(lore: Lore, random: Random, count: number, parallel: number): Promise<void> {
  let sent = 0;
  const one = async () => {
    while (sent < count) {
      for (const event of session(random, { turns: 4, calls: 15 })) {
        sent += 1;
        await lore.hook(event);
      }
    }
  };
  await Promise.all(Array.from({ length: parallel }, one));
}

/** Waits shorter than a real session does before its next event: the tool runs, or the model thinks. */
const pause = (next: Event) => sleep(next.hook_event_name.startsWith('Post') ? 30 : 70);

/**
 * Measures each kind of hook, for one session at the pace of a client and for fifty sessions at once.
 *
 * @param limits of the p95 of the time in the server, in milliseconds
 */
export async function benchHooks(
  where: string,
  store: Store,
  limits: { tool: number; prompt: number },
): Promise<Row[]> {
  const lore = await startLore(store);
  try {
    await lore.settled();
    const random = seeded(2);
    await play(lore, random, 300, 1); // the server shall have run for a while
    const paced: Told = [];
    for (const end = performance.now() + SECONDS * 1_000; performance.now() < end; ) {
      for (const event of session(random, { turns: 3, calls: 4 })) {
        await pause(event);
        paced.push({ name: event.hook_event_name, timing: await lore.hook(event) });
      }
    }
    const crowd = await manySessions(lore);
    const of = (name: string, side: keyof Timing) =>
      paced.filter((one) => one.name === name).map(({ timing }) => timing[side]);
    const limitOf = (name: string) =>
      TOOL_CALLS.includes(name) ? limits.tool : name === 'UserPromptSubmit' ? limits.prompt : undefined;
    return [
      ...NAMES.map((name) => percentiles(`${where}: ${name}`, of(name, 'server'), { p95: limitOf(name) })),
      percentiles(`${where}: any hook of ${CROWD.sessions} sessions, 4 a second each, at the client`, crowd, {
        p95: 100,
      }),
    ];
  } finally {
    await lore.stop();
  }
}

/** Plays sessions that send an event every 250 ms, or after the answer to the one before if that takes longer. */
async function manySessions(lore: Lore): Promise<number[]> {
  const all: number[] = [];
  const end = performance.now() + SECONDS * 1_000;
  const one = async (n: number) => {
    await sleep((n * CROWD.everyMs) / CROWD.sessions);
    for (const event of session(seeded(1_000 + n), { turns: 10, calls: 10 })) {
      if (performance.now() >= end) return;
      const [timing] = await Promise.all([lore.hook(event), sleep(CROWD.everyMs)]);
      all.push(timing.client);
    }
  };
  await Promise.all(Array.from({ length: CROWD.sessions }, (_, n) => one(n)));
  return all;
}

/** Measures the resident memory after the start and after many hook calls. */
export async function benchMemory(lore: Lore): Promise<Row[]> {
  const total = () => lore.memory().server + lore.memory().embedding;
  const started = total();
  await play(lore, seeded(3), CALLS, 1);
  return [
    row('after a start, with the model', Math.round(started), 'MB', 700),
    row('— of these, the process that embeds', Math.round(lore.memory().embedding), 'MB'),
    row(`after ${CALLS} hook calls`, Math.round(total()), 'MB', 700),
  ];
}
