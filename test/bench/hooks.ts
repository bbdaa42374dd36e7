import { setTimeout as sleep } from 'node:timers/promises';
import { type Lore, startLore, type Timing } from './lore.ts';
import { percentiles, type Row, row } from './measure.ts';
import { type Event, type Random, seeded, session } from './sessions.ts';
import type { Store } from './store.ts';

/** Limits of the p95 of the time in the server, in milliseconds. */
export type HookLimits = { tool: number; prompt: number };

const TOOL_CALLS = ['PreToolUse', 'PostToolUse'];
const NAMES = [...TOOL_CALLS, 'PostToolUseFailure', 'UserPromptSubmit', 'SessionStart'];
const STARTS = 5;
const PACED_SECONDS = 60;
/** All begin within `everyMs`, which is the worst moment: `startSeconds` are also told apart. */
const CROWD = { sessions: 50, seconds: PACED_SECONDS, startSeconds: 2, everyMs: 250 };

/**
 * Plays long sessions until `count` events are sent. `parallel` sessions run at a time, and each sends its next event
 * after the answer to the one before.
 *
 * @returns how many events were not answered with 200
 */
export async function play(lore: Lore, random: Random, count: number, parallel: number): Promise<number> {
  let sent = 0;
  let refused = 0;
  const one = async () => {
    while (sent < count) {
      for (const event of session(random, { turns: 4, calls: 15 })) {
        sent += 1;
        if ((await timeOf(lore, event)) === null) refused += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: parallel }, one));
  return refused;
}

/**
 * Sends an event and returns its times. If it is not answered with 200, returns null and prints a line to stderr,
 * because a client would go on too.
 */
const timeOf = (lore: Lore, event: Event): Promise<Timing | null> =>
  lore.hook(event).catch((error: Error) => {
    console.error(`  ${event.hook_event_name} refused: ${error.message.slice(0, 200)}`);
    return null;
  });

/**
 * Waits as long as a real session does before its next event, but shortened: the tool runs, or the model thinks. The
 * server stores the event before in this time, as in a real session.
 */
export const pause = (next: Event) => sleep(next.hook_event_name.startsWith('Post') ? 30 : 70);

/**
 * Measures each kind of hook: the first ones after a start, one session at the pace of a client, and fifty sessions at
 * once.
 */
export async function benchHooks(where: string, store: Store, limits: HookLimits): Promise<Row[]> {
  const first = await firstMoments(store);
  const lore = await startLore(store);
  try {
    await lore.settled();
    const random = seeded(2);
    await play(lore, random, 300, 1); // the server shall have run for a while
    const paced = await onePacedSession(lore, random);
    const crowd = await manySessions(lore);
    const limitOf = (name: string) =>
      TOOL_CALLS.includes(name) ? limits.tool : name === 'UserPromptSubmit' ? limits.prompt : undefined;
    return [
      ...NAMES.map((name) =>
        percentiles(`${where}: ${name}, in the server`, timesOf(paced.all, name, 'server'), {
          p95: limitOf(name),
        }),
      ),
      ...TOOL_CALLS.map((name) =>
        percentiles(`${where}: ${name}, at the client`, timesOf(paced.all, name, 'client')),
      ),
      percentiles(`${where}: the first SessionStart after a start, in the server`, first.sessionStart),
      percentiles(`${where}: the first prompt after a start, in the server`, first.prompt, {
        p95: limits.prompt,
      }),
      percentiles(
        `${where}: any hook of ${CROWD.sessions} sessions, 4 a second each, at the client`,
        crowd.all.map(({ ms }) => ms),
        where === 'embedded' ? { p95: 100 } : {},
      ),
      percentiles(
        `${where}: of these, while all sessions begin (${CROWD.startSeconds} s)`,
        crowd.all.filter(({ at }) => at < CROWD.startSeconds * 1_000).map(({ ms }) => ms),
      ),
      row(`${where}: hooks refused`, crowd.refused + paced.refused, '', 0),
    ];
  } finally {
    await lore.stop();
  }
}

/** Returns the times of a session's first two events on servers that have just started and loaded their model. */
async function firstMoments(store: Store): Promise<{ sessionStart: number[]; prompt: number[] }> {
  const times = { sessionStart: [] as number[], prompt: [] as number[] };
  for (let n = 0; n < STARTS; n++) {
    const lore = await startLore(store);
    await lore.settled();
    for (const event of session(seeded(20 + n), { turns: 1, calls: 0 })) {
      const { server } = await lore.hook(event);
      if (event.hook_event_name === 'SessionStart') times.sessionStart.push(server);
      if (event.hook_event_name === 'UserPromptSubmit') times.prompt.push(server);
    }
    await lore.stop();
  }
  return times;
}

type Told = { name: string; timing: Timing }[];

export const timesOf = (all: Told, name: string, side: keyof Timing) =>
  all.filter((one) => one.name === name).map(({ timing }) => timing[side]);

/** Plays sessions at the pace of a client for a minute, one after the other. */
export async function onePacedSession(lore: Lore, random: Random): Promise<{ all: Told; refused: number }> {
  const all: Told = [];
  let refused = 0;
  const end = performance.now() + PACED_SECONDS * 1_000;
  while (performance.now() < end) {
    for (const event of session(random, { turns: 3, calls: 4 })) {
      await pause(event);
      const timing = await timeOf(lore, event);
      if (timing) all.push({ name: event.hook_event_name, timing });
      else refused += 1;
    }
  }
  return { all, refused };
}

/** Plays sessions that send an event every 250 ms, or after the answer to the one before if that takes longer. */
async function manySessions(lore: Lore): Promise<{ all: { at: number; ms: number }[]; refused: number }> {
  const all: { at: number; ms: number }[] = [];
  let refused = 0;
  const start = performance.now();
  const end = start + CROWD.seconds * 1_000;
  const one = async (n: number) => {
    await sleep((n * CROWD.everyMs) / CROWD.sessions);
    for (const event of session(seeded(1_000 + n), { turns: 10, calls: 10 })) {
      const at = performance.now() - start;
      if (start + at >= end) return;
      const [timing] = await Promise.all([timeOf(lore, event), sleep(CROWD.everyMs)]);
      if (timing) all.push({ at, ms: timing.client });
      else refused += 1;
    }
  };
  await Promise.all(Array.from({ length: CROWD.sessions }, (_, n) => one(n)));
  return { all, refused };
}

/** Measures the resident memory after the start and during `calls` hook calls. */
export async function benchMemory(lore: Lore, firstStart: number | undefined, calls: number): Promise<Row[]> {
  const total = () => lore.memory().server + lore.memory().embedding;
  const { server, embedding } = lore.memory();
  const random = seeded(3);
  const samples: number[] = [];
  const every = Math.min(5_000, calls / 12);
  for (let done = 0; done < calls; done += every) {
    await play(lore, random, every, 1);
    samples.push(total());
  }
  const third = (n: number) => samples.slice((samples.length / 3) * n, (samples.length / 3) * (n + 1));
  const mean = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0) / numbers.length;
  const growth = (mean(third(2)) / mean(third(1)) - 1) * 100;
  return [
    ...(firstStart
      ? [row('after the very first start, with the model', Math.round(firstStart), 'MB', 700)]
      : []),
    row('after a later start, with the model', Math.round(server + embedding), 'MB', 700),
    row('— of these, the process that embeds', Math.round(embedding), 'MB'),
    row(`most during ${calls} hook calls`, Math.round(Math.max(...samples)), 'MB', 700),
    row('last third of the calls over the second', growth, '%', 5),
  ];
}
