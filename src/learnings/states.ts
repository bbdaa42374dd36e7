import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Tx } from '../db/open.ts';
import { learningRequests, learnings, type STATUSES } from './schema.ts';

// The states of a lesson, and what moves it from one to another. Rules only notice and propose; that an error came back
// and its advice helped, a person, or a model promotes.

export type Status = (typeof STATUSES)[number];

/** What may move a lesson. */
export type Cause =
  | 'noticed'
  | 'proposed'
  | 'forced'
  | 'said'
  | 'approved'
  | 'judged'
  | 'doubted'
  | 'recurred'
  | 'failing'
  | 'ended';

type Move = {
  on: Cause;
  /** null: it is new */
  from: (Status | null)[];
  to: Status | 'ended';
  /** what happened, as a person reads it */
  because: string;
};

/** Every state and move there is. The first row that fits counts. */
export const MOVES: readonly Move[] = [
  { on: 'noticed', from: [null], to: 'trial', because: 'rules noticed it' },
  { on: 'proposed', from: [null], to: 'trial', because: 'an agent proposed it' },
  { on: 'forced', from: [null, 'trial'], to: 'review', because: 'it is a way around a safeguard' },
  { on: 'said', from: [null, 'trial', 'review', 'active'], to: 'active', because: 'a person said so' },
  { on: 'approved', from: ['trial', 'review', 'active'], to: 'active', because: 'a person approved it' },
  { on: 'judged', from: [null, 'trial'], to: 'active', because: 'a model judged it lasting and general' },
  { on: 'doubted', from: [null], to: 'trial', because: 'a model doubts that it lasts' },
  {
    on: 'recurred',
    from: ['trial'],
    to: 'active',
    because: 'another session met the error, did what it advises, and passed',
  },
  { on: 'failing', from: ['active'], to: 'trial', because: 'it no longer helps' },
  { on: 'ended', from: ['trial', 'review', 'active'], to: 'ended', because: 'a person rejected it' },
];

/** Returns where a cause moves a lesson; null if it stays where it is. */
export const moveOf = (from: Status | null, on: Cause): Move | null =>
  MOVES.find((move) => move.on === on && move.from.includes(from) && move.to !== from) ?? null;

/** Returns the state in which a new lesson begins. */
export const firstState = (on: Cause): Status => {
  const move = moveOf(null, on);
  if (move === null || move.to === 'ended') throw new Error(`no lesson begins because it is ${on}`);
  return move.to;
};

/**
 * An active lesson that has less confidence than this falls back to trial. With a first judgement of 0.8 it takes two
 * failures more than successes (see confidence.ts).
 */
export const FALLS_BELOW = 0.65;

/** Returns in one sentence what a lesson in a state still needs to be told more widely; null if it needs nothing. */
export function missingOf(status: Status, hasError: boolean): string | null {
  if (status === 'active') return null;
  const person = 'a person approves it (lore lessons approve)';
  if (status === 'review') return `Told to nobody until ${person}.`;
  return hasError
    ? `Told only at its very error and before its very call, as not yet proven. Becomes active when another session meets the error, does what it advises and passes; when ${person}; or when a model judges it lasting and general.`
    : `Told to nobody. Becomes active when ${person}, or when a model judges it lasting and general.`;
}

/**
 * Moves a lesson that is in force, and keeps the move with its judgements. Nothing happens if the cause does not move it.
 *
 * @param about the session in which it happened, and who or what says so
 * @returns the new state; null if it stays as it is
 */
export async function moveLesson(
  tx: Tx,
  id: string,
  on: Exclude<Cause, 'ended'>,
  about: { sessionId: string | null; evaluator: string },
): Promise<Status | null> {
  const [row] = await tx
    .select({ status: learnings.status, projectId: learnings.projectId })
    .from(learnings)
    .where(and(eq(learnings.id, id), isNull(learnings.validUntil)))
    .for('update');
  const move = row ? moveOf(row.status, on) : null;
  if (!row || move === null || move.to === 'ended') return null;
  await tx
    .update(learnings)
    .set({
      status: move.to,
      updatedAt: sql`now()`,
      ...(move.to === 'active' && { lastConfirmedAt: sql`now()` }),
    })
    .where(eq(learnings.id, id));
  await tx.insert(learningRequests).values({
    projectId: row.projectId,
    sessionId: about.sessionId,
    event: 'move',
    status: 'done',
    evaluator: about.evaluator,
    decision: move.to === 'active' ? 'promoted' : 'demoted',
    reason: `${row.status} → ${move.to}: ${move.because}`,
    learningId: id,
    finishedAt: new Date(),
  });
  return move.to;
}
