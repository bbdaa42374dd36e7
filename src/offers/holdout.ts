import { createHmac } from 'node:crypto';
import type { Arm } from '../sessions/sessions.ts';
import { type Framed, type FramedOffer, type OfferKind, textOf } from './frame.ts';

// Whether memory helps can only be known from sessions that had none, and these must be chosen by chance. So with
// LORE_HOLDOUT a share of sessions is offered nothing; what they would have been offered is remembered (docs/metrics.md).

/**
 * Keeps this choice apart from every other that is made by hashing the same ids. It is no secret, and never changes: the
 * choice for a session is the same on every server.
 */
const KEY = 'lore holdout 1';

/**
 * Returns the arm of the experiment that a session belongs to; null without a holdout.
 *
 * @param share of sessions from which offers are withheld, 0–1
 */
export function armOf(userId: string, clientSessionId: string, share: number): Arm | null {
  if (share <= 0) return null;
  const hash = createHmac('sha256', KEY).update(`${userId}\n${clientSessionId}`).digest();
  return hash.readUIntBE(0, 6) / 2 ** 48 < share ? 'withheld' : 'memory';
}

/**
 * What a session is offered in any case, because it is no memory of other sessions: its own working state, its step of a
 * shared plan, and the notes that somebody wrote to this very agent.
 */
const GIVEN_ANYWAY: OfferKind[] = ['working-state', 'step', 'note'];

/** The line that confirms what the person asked to remember is given too. It comes from no record. */
const isGivenAnyway = ({ kind, sourceId }: FramedOffer): boolean =>
  GIVEN_ANYWAY.includes(kind) || (kind === 'lesson' && sourceId === null);

/**
 * Returns the answer for a session from which offers are withheld. The withheld offers stay in the list and
 * are marked; they hold no call.
 */
export function withhold(shown: FramedOffer[], budget: number, stateBudget?: number): Framed {
  const given = shown.filter(isGivenAnyway);
  const withheld = shown.flatMap(({ holds: _, ...offer }) =>
    isGivenAnyway(offer) ? [] : [{ ...offer, withheld: true }],
  );
  return { text: textOf(given, budget, stateBudget), shown: [...given, ...withheld] };
}
