import type { Lore, Timing } from './lore.ts';
import { percentiles, type Row, row } from './measure.ts';
import { type Random, seeded, session } from './sessions.ts';

const LIMITS: Record<string, number | undefined> = { PreToolUse: 10, PostToolUse: 10, UserPromptSubmit: 60 };
const TOLD = ['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'UserPromptSubmit', 'SessionStart'];

/** Plays long sessions, `parallel` at a time and each event after the one before, until `count` events are stored. */
export async function play(lore: Lore, random: Random, count: number, parallel: number): Promise<void> {
  let sent = 0;
  const one = async () => {
    while (sent < count) {
      for (const event of session(random, { turns: 4, calls: 15 })) {
        await lore.hook(event);
        sent += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: parallel }, one));
}

/** Latency of each kind of hook: one session at a time, as a client sends them, then four at a time. */
export async function benchHooks(lore: Lore): Promise<Row[]> {
  const random = seeded(2);
  await play(lore, random, 1_000, 1); // a server that has run for a while, not one that has just started
  const one = await timings(lore, random, 150, 1);
  const four = await timings(lore, random, 150, 4);
  return TOLD.flatMap((event) => {
    const of = (all: typeof one, side: keyof Timing) => (all.get(event) ?? []).map((timing) => timing[side]);
    return [
      percentiles(`${event}, in the server`, of(one, 'server'), LIMITS[event]),
      percentiles(`${event}, at the client`, of(one, 'client')),
      percentiles(`${event}, in the server, four sessions`, of(four, 'server')),
      percentiles(`${event}, at the client, four sessions`, of(four, 'client')),
    ];
  });
}

async function timings(lore: Lore, random: Random, sessions: number, parallel: number) {
  const all = new Map<string, Timing[]>();
  let left = sessions;
  const one = async () => {
    while (left-- > 0) {
      for (const event of session(random, { turns: 3, calls: 4 })) {
        const timing = await lore.hook(event);
        const name = event.hook_event_name;
        all.set(name, [...(all.get(name) ?? []), timing]);
      }
    }
  };
  await Promise.all(Array.from({ length: parallel }, one));
  return all;
}

/** Resident memory after the start and over `calls` hook calls. */
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
