import { kindOfFailure } from '../base/errors/database-failure.ts';
import { within } from '../base/timing/within.ts';
import { type FramedOffer, frameOffers } from '../offers/frame.ts';
import { withhold } from '../offers/holdout.ts';
import { mayTell } from '../offers/voice.ts';
import { toldBeforeCall } from './known-sessions.ts';
import type { Asked, EventHandler, HookServices } from './types.ts';

// What an answer tells the agent, each thing once.

/** If the database is slower than this, the answer does not wait for it and says what is known without it. */
export const MAX_OFFER_MS = 4_000;
/**
 * Offers get at least this long, even if the verdict has used up all patience. It is enough for what is in
 * memory.
 */
const SHORTEST_MS = 5;

/**
 * Returns what is offered in answer to an event, within the budget, and remembers it for the next answers.
 *
 * @param waitedMs how long the answer has taken so far; it counts as a part of the handler's patience
 */
export async function offer(
  services: HookServices,
  asked: Asked,
  handler: EventHandler,
  waitedMs: number,
): Promise<{ text: string; shown: FramedOffer[] }> {
  const { config, log, sessions } = services;
  const { claims, event, at, key } = asked;
  const { offer: find = async () => [], stateTokens, mostTokens = Number.POSITIVE_INFINITY } = handler;
  const { patienceMs = MAX_OFFER_MS } = handler;
  try {
    const all = (await within(find(services, asked), Math.max(patienceMs - waitedMs, SHORTEST_MS))) ?? [];
    if (all.length === 0) return { text: '', shown: [] };
    // what holds a call is a person's rule: it is told in any case
    const { voice } = services.settings.known(claims);
    const offers = all.filter((one) => one.holds || mayTell(voice, one.kind));
    const budget = Math.min(config.injectTokens, mostTokens);
    const framed = frameOffers(offers, budget, stateTokens);
    if (framed.shown.length === 0) return framed;
    const session = await sessions.of(claims, event, at);
    // two calls that ran at the same time may have found the same lesson: only the first call is held
    for (const one of framed.shown) if (one.holds && toldBeforeCall(session, one.sourceId)) delete one.holds;
    const answered = session.arm === 'withheld' ? withhold(framed.shown, budget, stateTokens) : framed;
    const about = {
      event: event.hook_event_name,
      agentId: event.agent_id ?? null,
      dedupKey: key,
      at: at.getTime(),
    };
    for (const { sourceId, kind, text } of answered.shown)
      session.offered.push({ sourceId, kind, text: text.split('\n', 1)[0] as string, ...about });
    return answered;
  } catch (error) {
    if (kindOfFailure(error).kind === 'refused') throw error;
    log.warn({ error, event: event.hook_event_name }, 'nothing could be offered');
    return { text: '', shown: [] };
  }
}
