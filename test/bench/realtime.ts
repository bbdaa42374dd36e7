// Live changes: from the commit to the subscribers, and what hooks pay for them.
import { setTimeout as sleep } from 'node:timers/promises';
import { type HookLimits, onePacedSession, play, timesOf } from './hooks.ts';
import { type Change, change, makeLesson, watch } from './live-client.ts';
import type { Lore } from './lore.ts';
import { percentiles, type Row, row } from './measure.ts';
import { seeded } from './sessions.ts';

const CHANGES = 500;
const EVERY_MS = 20;
const MAX_WAIT_MS = 20_000;
const WATCHING = 5;

export async function benchRealtime(
  where: string,
  lore: Lore,
  limits: { one?: number; fifty?: number },
): Promise<Row[]> {
  return [...(await told(where, lore, 1, limits.one)), ...(await told(where, lore, 50, limits.fifty))];
}

/** Measures hooks without and with pages that watch everything that is published. */
export async function benchWatched(lore: Lore, limits: HookLimits): Promise<Row[]> {
  return [...(await hooks(lore, 0, limits)), ...(await hooks(lore, WATCHING, limits))];
}

/**
 * Measures the time from the trigger that notes a change, which is a little before the commit, to each subscriber's
 * callback. All run on one machine, so they share a clock.
 */
async function told(
  where: string,
  lore: Lore,
  subscribers: number,
  limit: number | undefined,
): Promise<Row[]> {
  const id = await makeLesson(lore);
  const times: number[] = [];
  const heard = Array.from({ length: subscribers }, () => [] as number[]);
  const hear = (n: number) => (told: Change) => {
    times.push(Date.now() - Date.parse(told.commit_timestamp));
    heard[n]?.push(Number(told.new.usage_count));
  };
  const filter = { event: 'UPDATE', table: 'learnings', filter: `id=eq.${id}` };
  const clients = await Promise.all(heard.map((_, n) => watch(lore, filter, hear(n))));
  for (let n = 1; n <= CHANGES; n++) await Promise.all([change(lore, id, n), sleep(EVERY_MS)]);
  const until = performance.now() + MAX_WAIT_MS;
  while (times.length < subscribers * CHANGES && performance.now() < until) await sleep(20);
  await Promise.all(clients.map(({ close }) => close()));
  const expected = Array.from({ length: CHANGES }, (_, n) => n + 1).join();
  const inexact = heard.filter((one) => one.join() !== expected).length;
  return [
    percentiles(`${where}: a change to each of ${subscribers} subscribers`, times, { p95: limit }),
    row(`${where}: subscribers who did not hear each change once, in order`, inexact, '', 0),
  ];
}

async function hooks(lore: Lore, watching: number, limits: HookLimits): Promise<Row[]> {
  let heard = 0;
  const clients = await Promise.all(
    Array.from({ length: watching }, () =>
      watch(lore, {}, () => {
        heard += 1;
      }),
    ),
  );
  const random = seeded(7 + watching);
  await play(lore, random, 300, 1);
  const { all, refused } = await onePacedSession(lore, random);
  await Promise.all(clients.map(({ close }) => close()));
  const times = (name: string, p95: number) =>
    percentiles(`${name} with ${watching} watching, in the server`, timesOf(all, name, 'server'), { p95 });
  return [
    times('PreToolUse', limits.tool),
    times('PostToolUse', limits.tool),
    times('UserPromptSubmit', limits.prompt),
    row(`hooks refused with ${watching} watching`, refused, '', 0),
    ...(watching > 0 ? [row('changes told meanwhile', heard, '')] : []),
  ];
}
