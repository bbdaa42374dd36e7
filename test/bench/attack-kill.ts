import { setTimeout as sleep } from 'node:timers/promises';
import {
  acknowledged,
  EVENTS,
  missing,
  NOTES,
  nothingSent,
  postToolCalls,
  type Sent,
  told,
  twice,
} from './acknowledged.ts';
import { type Lore, launchLore, startLore } from './lore.ts';
import { type Found, median } from './measure.ts';
import { seeded } from './sessions.ts';
import type { Store } from './store.ts';

/** Number of sessions that post tool calls at once. One more sender writes notes. */
const SESSIONS = 4;
/** A kill comes after at most this many answers, and after at most this time. */
const MAX_ANSWERS = 200;
const MAX_LOAD_MS = 5_000;
/** Every fifth kill comes during a start. */
const START_KILL_EVERY = 5;
/** Time that the journal's entries have to reach the database at the end. */
const STORED_WITHIN_MS = 60_000;

/**
 * Kills the server (kill -9) at random moments. Meanwhile several sessions post tool calls and one sender posts notes,
 * as fast as they are acknowledged. Every fifth kill comes while the server starts with what the kill before left
 * behind. In the end every event and note that was acknowledged must be in the database exactly once, and nothing may
 * be there twice.
 */
export async function attackByKill(
  store: Store,
  { rounds, seed }: { rounds: number; seed: number },
): Promise<Found> {
  const random = seeded(seed);
  const events = nothingSent();
  const notes = nothingSent();
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

async function postNotes(lore: Lore, round: number, sent: Sent): Promise<void> {
  for (let n = 0; ; n++) {
    const content = `Kill note ${n} of round ${round}`;
    const post = () => lore.post('/v1/notes', { project: 'kills', agent: 'attack', content });
    if (!(await acknowledged(sent, content, post))) return;
  }
}
