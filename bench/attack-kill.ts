import { setTimeout as sleep } from 'node:timers/promises';
import { type Lore, launchLore, startLore } from './lore.ts';
import { median } from './measure.ts';
import { type Random, seeded, session } from './sessions.ts';
import type { Store } from './store.ts';

/** Tool calls of this many sessions at once, and notes beside them. */
const SESSIONS = 4;
/** A kill comes after so many answers at most, and never later than that. */
const MAX_ANSWERS = 200;
const MAX_LOAD_MS = 5_000;
/** One kill in so many comes during a start. */
const START_KILL_EVERY = 5;
/** What a journal holds has this long to reach the database at the end. */
const STORED_WITHIN_MS = 60_000;

/** What the server acknowledged, and what it was sent without an answer; both by names that are used once. */
type Sent = { acknowledged: Set<string>; unanswered: Set<string> };

/**
 * Kills the server (kill -9) at random moments while sessions post tool calls, and somebody notes, as fast as they are
 * acknowledged; one kill in five while the server starts, with what the kill before left behind. In the end every
 * event and note that was acknowledged must be in the database exactly once, and nothing may be there twice.
 */
export async function attackByKill(
  store: Store,
  { rounds, seed }: { rounds: number; seed: number },
): Promise<{ held: boolean; lines: string[] }> {
  const random = seeded(seed);
  const events: Sent = { acknowledged: new Set(), unanswered: new Set() };
  const notes: Sent = { acknowledged: new Set(), unanswered: new Set() };
  const starts: number[] = [];
  let duringStart = 0;
  for (let round = 1; round <= rounds; round++) {
    const { ready, kill } = await launchLore(store);
    if (round % START_KILL_EVERY === 0) {
      await sleep(random() * median(starts));
      duringStart += 1;
      await kill();
    } else {
      const lore = await ready;
      starts.push(lore.startMs);
      const enough = events.acknowledged.size + random() * MAX_ANSWERS;
      const latest = performance.now() + MAX_LOAD_MS;
      const load = [
        ...Array.from({ length: SESSIONS }, () => postToolCalls(lore, random, events)),
        postNotes(lore, round, notes),
      ];
      while (events.acknowledged.size < enough && performance.now() < latest)
        await Promise.race([...load, sleep(random() * 5)]);
      await kill();
      await Promise.all(load);
    }
    if (round % 10 === 0) {
      console.error(`  ${round} kills, ${events.acknowledged.size} events acknowledged …`);
    }
  }

  const lore = await startLore(store);
  try {
    const started = performance.now();
    let lostEvents = await missing(lore, EVENTS, events);
    while (lostEvents.length > 0 && performance.now() - started < STORED_WITHIN_MS) {
      await sleep(1_000);
      lostEvents = await missing(lore, EVENTS, events);
    }
    const lostNotes = await missing(lore, NOTES, notes);
    const doubled = [...(await twice(lore, EVENTS)), ...(await twice(lore, NOTES))];
    return {
      held: lostEvents.length + lostNotes.length + doubled.length === 0,
      lines: [
        `${rounds} kills, ${duringStart} of them during a start; a start takes ${Math.round(median(starts))} ms`,
        `${events.acknowledged.size} events acknowledged (${events.unanswered.size} unanswered): ${told(lostEvents)} lost`,
        `${notes.acknowledged.size} notes acknowledged (${notes.unanswered.size} unanswered): ${told(lostNotes)} lost`,
        `${told(doubled)} stored twice`,
      ],
    };
  } finally {
    await lore.stop();
  }
}

/** Until the server is killed. */
async function postToolCalls(lore: Lore, random: Random, sent: Sent): Promise<void> {
  for (;;) {
    for (const event of session(random, { turns: 4, calls: 15 })) {
      if (event.tool_use_id === undefined) continue;
      const name = `${event.hook_event_name} ${event.tool_use_id}`;
      if (!(await acknowledged(sent, name, () => lore.hook(event)))) return;
    }
  }
}

async function postNotes(lore: Lore, round: number, sent: Sent): Promise<void> {
  for (let n = 0; ; n++) {
    const content = `Kill note ${n} of round ${round}`;
    const post = () => lore.post('/v1/notes', { project: 'kills', agent: 'attack', content });
    if (!(await acknowledged(sent, content, post))) return;
  }
}

/** False when the server is gone. A refusal is no acknowledgement either, and ends the attack. */
async function acknowledged({ acknowledged, unanswered }: Sent, name: string, post: () => Promise<unknown>) {
  unanswered.add(name);
  try {
    await post();
  } catch (error) {
    // the connection broke; anything else was an answer
    if (error instanceof Error && 'code' in error) return false;
    throw error;
  }
  unanswered.delete(name);
  acknowledged.add(name);
  return true;
}

/** Tables with the name that each row was sent under. */
const EVENTS = { table: 'events', name: "event || ' ' || tool_use_id", where: 'tool_use_id is not null' };
const NOTES = { table: 'notes', name: 'content', where: "content like 'Kill note %'" };
const PAGE = 10_000;

async function missing(lore: Lore, { table, name, where }: typeof EVENTS, sent: Sent): Promise<string[]> {
  const lost = new Set(sent.acknowledged);
  for (let after = ''; ; ) {
    const rows = await lore.sql(
      `select ${name} as name from ${table} where ${where} and ${name} collate "C" > '${after}' ` +
        `order by ${name} collate "C" limit ${PAGE}`,
    );
    for (const row of rows) lost.delete(String(row.name));
    if (rows.length < PAGE) return [...lost];
    after = String(rows.at(-1)?.name);
  }
}

async function twice(lore: Lore, { table, name, where }: typeof EVENTS): Promise<string[]> {
  const rows = await lore.sql(
    `select ${name} as name from ${table} where ${where} group by 1 having count(*) > 1 limit 1000`,
  );
  return rows.map((row) => String(row.name));
}

/** How many, and the first of them. */
const told = (names: string[]) =>
  `${names.length}${names.length > 0 ? ` (${names.slice(0, 5).join(', ')})` : ''}`;
