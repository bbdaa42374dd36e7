import { offerState, workingStateOf } from '../compaction/working-state.ts';
import { asUser } from '../db/as-user.ts';
import type { Offer } from '../offers/frame.ts';
import { within } from '../timing/within.ts';
import { offerOpenPlan } from './plan-prompt.ts';
import { offerAtStart } from './session-start.ts';
import type { Asked, HookServices } from './types.ts';

/** The command hook that asks for the start of a session gives up after 1.5 s. */
const PATIENCE_MS = 1_000;

/**
 * Offers what is offered at any start. After a compaction, also offers what the session was working on: the client sends
 * PreCompact, SessionStart (source: compact) and PostCompact, in this order and within milliseconds.
 */
export async function offerAtSessionStart(services: HookServices, asked: Asked): Promise<Offer[]> {
  const { claims, event, at } = asked;
  const compacted = event.source === 'compact';
  // what it was working on is read from its events, so all of them must be stored first
  if (compacted && services.journal) await within(services.journal.drained(claims.userId), PATIENCE_MS);
  const session = await services.sessions.of(claims, event, at);
  const of = { ...session, clientId: event.session_id };
  const [state, plan, lessons] = await Promise.all([
    compacted
      ? asUser(services.db, claims, (tx) => workingStateOf(tx, of), { readOnly: true, urgent: true })
      : null,
    offerOpenPlan(services, asked, session),
    offerAtStart(services, asked),
  ]);
  if (state === null) return [...plan, ...lessons];
  // what the rules beside it say is not said twice
  const told = lessons.map(({ lines }) => lines[0] ?? '');
  const decisions = state.decisions.filter(
    (text) => !told.some((one) => one.startsWith(text.replace(/…$/, ''))),
  );
  return [offerState({ ...state, decisions }), ...plan, ...lessons];
}
