import { asUser } from '../db/as-user.ts';
import { kindOfFailure } from '../errors/database-failure.ts';
import { countUse } from '../learnings/learnings.ts';
import { type FramedOffer, frameOffers, type Offer, textOf } from '../offers/frame.ts';
import { withhold } from '../offers/holdout.ts';
import { claimOffers, type EarlierOffer, offersOf } from '../offers/offers.ts';
import { mayTell } from '../offers/voice.ts';
import type { HookEvent } from '../sessions/hook-event.ts';
import { deliveryKey } from '../sessions/sessions.ts';
import { within } from '../timing/within.ts';
import { type KnownSession, toldBeforeCall } from './known-sessions.ts';
import { errorOf } from './read-event.ts';
import { lessonsIn } from './store.ts';
import type { Asked, EventHandler, HookServices } from './types.ts';

// What an answer tells the agent, each thing once.

/** If the database is slower than this, the answer does not wait for it and says what is known without it. */
export const MAX_OFFER_MS = 4_000;
/** What a session was told elsewhere may be read for this long, also before a call. */
const SHARED_MS = 1_000;
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
  const { offer: find = async () => [], stateTokens } = handler;
  const { mostTokens = Number.POSITIVE_INFINITY, patienceMs: patience = MAX_OFFER_MS } = handler;
  const patienceMs = typeof patience === 'function' ? patience(event) : patience;
  try {
    const several = services.servers.areSeveral();
    const found = (async () => {
      const before = several ? await offeredSoFar(services, asked) : [];
      return { before, all: (await offeredBefore(services, asked)) ?? (await find(services, asked)) };
    })();
    // a session that other servers answer too is read at each event
    const longest = sessions.isShared(claims, event) ? Math.max(patienceMs, SHARED_MS) : patienceMs;
    const { before, all } = (await within(found, Math.max(longest - waitedMs, SHORTEST_MS))) ?? NOTHING_FOUND;
    // what holds a call is a person's rule: it is told in any case
    const voice = services.voices.known(claims);
    const offers = all.filter((one) => one.holds || mayTell(voice, one.kind));
    const budget = Math.min(config.injectTokens, mostTokens);
    const framed = frameOffers(offers, budget, stateTokens);
    if (framed.shown.length > 0) {
      const session = await sessions.of(claims, event, at);
      const about = {
        event: event.hook_event_name,
        agentId: event.agent_id ?? null,
        dedupKey: key,
        at: at.getTime(),
      };
      // two calls that ran at the same time may have found the same lesson: only the first call is held
      for (const one of framed.shown) {
        if (one.holds && toldBeforeCall(session, one.sourceId)) delete one.holds;
      }
      const answered = session.arm === 'withheld' ? withhold(framed.shown, budget, stateTokens) : framed;
      const told = several ? await claim(services, asked, { session, before, answered }) : answered;
      session.offered.push(
        ...told.shown.map(({ sourceId, kind, text }) => ({
          sourceId,
          kind,
          text: text.split('\n', 1)[0] as string,
          ...about,
        })),
      );
      if (told === answered) return answered;
      return { ...told, text: textOf(told.shown, budget, stateTokens) };
    }
    return framed;
  } catch (error) {
    if (kindOfFailure(error).kind === 'refused') throw error;
    log.warn({ error, event: event.hook_event_name }, 'nothing could be offered');
    return { text: '', shown: [] };
  }
}

/** What was found of an answer in time. */
const NOTHING_FOUND: { before: EarlierOffer[]; all: Offer[] } = { before: [], all: [] };

/** Returns what the session of an event was offered until now, as far as this server knows. */
async function offeredSoFar(
  { sessions }: HookServices,
  { claims, event, at }: Asked,
): Promise<EarlierOffer[]> {
  // a call that went well is only told of changes in a plan that it follows
  if (wentWell(event) && !sessions.isShared(claims, event))
    return sessions.known(claims, event)?.offered.slice() ?? [];
  return (await sessions.of(claims, event, at)).offered.slice();
}

/** The answer waits no longer than this for the database to say that nobody else has told the same. */
const MAX_CLAIM_MS = 1_000;

/**
 * Stores what an answer offers before it is answered, because another server may be telling the same. While the database
 * does not answer, each server goes by what it knows.
 *
 * @param about.before what the agent was offered when its answer was begun
 * @returns what is left to tell
 */
async function claim<Answered extends { shown: FramedOffer[] }>(
  { db, log }: HookServices,
  { claims, event, at }: Asked,
  { session, before, answered }: { session: KnownSession; before: EarlierOffer[]; answered: Answered },
): Promise<Answered> {
  const agentId = event.agent_id ?? null;
  const known = (id: string | null) =>
    before.filter((one) => one.sourceId === id && one.agentId === agentId).length;
  const claiming = asUser(
    db,
    claims,
    async (tx) => {
      const about = {
        sessionId: session.id,
        dedupKey: await deliveryKey(tx, session, event, at),
        event: event.hook_event_name,
        agentId,
        agentType: event.agent_type || null,
        at,
      };
      const { told, fresh } = await claimOffers(
        tx,
        about,
        answered.shown.map((offer) => ({ ...offer, known: known(offer.sourceId) })),
      );
      await countUse(tx, lessonsIn(fresh));
      return { ...answered, shown: told };
    },
    { urgent: true },
  );
  const claimed = await within(claiming, MAX_CLAIM_MS).catch((error) => {
    log.warn({ error }, 'the database did not say whether another server has told the same');
    return null;
  });
  return claimed ?? answered;
}

/** Returns what an earlier process offered in answer to this delivery; null if the delivery is new. */
async function offeredBefore(
  { db, sessions }: HookServices,
  { claims, event, at, key }: Asked,
): Promise<Offer[] | null> {
  // a call that went well is offered nothing, so its session need not be known
  if (wentWell(event)) return null;
  const session = await sessions.of(claims, event, at);
  if (!session.offered.some((earlier) => earlier.dedupKey === key)) return null;
  return asUser(db, claims, (tx) => offersOf(tx, session.id, key), { readOnly: true, urgent: true });
}

const wentWell = (event: HookEvent): boolean =>
  event.hook_event_name === 'PostToolUse' && errorOf(event) === null;
