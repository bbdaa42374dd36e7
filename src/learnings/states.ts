import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Tx } from '../db/open.ts';
import { noteDecision } from './requests.ts';
import { learnings, type STATUSES } from './schema.ts';

// A lesson in force is proposed or active. What code or an agent noticed is proposed; that it helped in
// another session, a person, or the person's model makes it active.

export type Status = (typeof STATUSES)[number];

/** Why a lesson is kept. A way around a safeguard (`forced`) is kept only if a person states it. */
export type Cause = 'noticed' | 'proposed' | 'forced' | 'said' | 'judged';

/** What moves a lesson that is in force, and what happened, as a person reads it. */
const MOVES = {
  said: { to: 'active', because: 'a person said so' },
  approved: { to: 'active', because: 'a person approved it' },
  judged: { to: 'active', because: 'a model judged it lasting and general' },
  recurred: {
    to: 'active',
    because: 'another session met the error, did what it advises, and passed',
  },
  failing: { to: 'proposed', because: 'it no longer helps' },
} as const satisfies Record<string, { to: Status; because: string }>;

export type Move = keyof typeof MOVES;

/**
 * An active lesson that is no person's word and has less confidence than this is only proposed again. With a first
 * confidence of 0.8 it takes two failures more than successes (see credit.ts).
 */
export const FALLS_BELOW = 0.65;

/** Returns in one sentence what a lesson still needs to be told more widely; null if it needs nothing. */
export function missingOf(status: Status, hasError: boolean): string | null {
  if (status === 'active') return null;
  const person = 'a person approves it (lore lessons approve)';
  return hasError
    ? `Told only at its very error, as proposed. Becomes active when another session meets the error, does what it advises and passes, or when ${person}.`
    : `Told to nobody. Becomes active when ${person}.`;
}

/**
 * Moves a lesson that is in force, and keeps the move with its history. Nothing happens if it is in that state already.
 *
 * @param about the session in which it happened, and who or what says so
 */
export async function moveLesson(
  tx: Tx,
  id: string,
  on: Move,
  about: { sessionId: string | null; evaluator: string },
): Promise<void> {
  const { to, because } = MOVES[on];
  const [moved] = await tx
    .update(learnings)
    .set({ status: to, updatedAt: sql`now()`, ...(to === 'active' && { lastConfirmedAt: sql`now()` }) })
    .where(and(eq(learnings.id, id), isNull(learnings.validUntil), sql`${learnings.status} <> ${to}`))
    .returning({ projectId: learnings.projectId });
  if (!moved) return;
  const decision = to === 'active' ? 'promoted' : 'demoted';
  await noteDecision(tx, { ...moved, ...about, learningId: id, event: 'move', decision, reason: because });
}
