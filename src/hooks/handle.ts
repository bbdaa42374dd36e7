import { kindOfFailure } from '../base/errors/database-failure.ts';
import { within } from '../base/timing/within.ts';
import type { Check } from '../commands/verdict.ts';
import type { Claims } from '../db/as-user.ts';
import { outputFile, toKept } from '../kinds/outputs.ts';
import { isOwnSession } from '../llm/claude.ts';
import { type Framed, type FramedOffer, frameOffers } from '../offers/frame.ts';
import { withhold } from '../offers/holdout.ts';
import { mayTell } from '../offers/voice.ts';
import { withSpeaker } from '../sessions/author.ts';
import { type HookEvent, withOwnCall } from '../sessions/hook-event.ts';
import { answerOnce, withCallId } from './delivery.ts';
import { handlerOf } from './event-handlers.ts';
import { checkOf } from './guard-call.ts';
import type { Entry } from './journal-file.ts';
import { refuseOtherProject, transcriptToRead } from './key-project.ts';
import { type KnownSession, notice, PATIENCE_MS, toldBeforeCall } from './known-sessions.ts';
import { redactEvent } from './output.ts';
import { type Ends, whoSent } from './peer.ts';
import { recoverAtStart } from './recover.ts';
import { asPermitted, permissionsFor, verdict } from './settings.ts';
import { store } from './store.ts';
import type { Answer, Asked, EventHandler, HookOutput, HookServices } from './types.ts';

/**
 * Handles one hook event: returns what the agent should know, and stores the event, usually after the answer. A
 * repeated delivery changes nothing and gets the same answer.
 *
 * If the database does not answer, the event is kept in the journal, and the answer contains what is known without it.
 *
 * @param connection the connection that the event came by; null if it is not known
 * @param sender which of Lore's hooks sent it
 * @throws Problem (400) for text that cannot be stored, (403) for an event of another project than its key is for; the database's error if there is no journal
 */
export async function handleHook(
  services: HookServices,
  caller: Claims,
  given: HookEvent,
  connection: Ends | null = null,
  sender = 'settings',
): Promise<HookOutput> {
  const { deliveries } = services;
  const sent = withCallId(deliveries, caller, withOwnCall(given));
  // Lore itself started this session, to ask a model through the person's login: it is no work
  if (isOwnSession(services.config.home, sent.cwd)) return {};
  const claims = await refuseOtherProject(services, caller, sent);
  const at = new Date();
  const raw = {
    ...sent,
    ...(sent.transcript_path && { transcript_path: await transcriptToRead(services, claims, sent) }),
  };
  const [redacted, by] = await Promise.all([redactEvent(raw), whoSent(services, claims, raw, connection)]);
  const about = { claims, ...redacted, event: withSpeaker(redacted.event, by), at };
  return answerOnce(deliveries, about, sender, async (key) => {
    const handler = handlerOf(about.event);
    const session = await sessionFor(services, about, handler);
    const permissions = handler.answer ? await permissionsFor(services, claims, session) : 'allow';
    const plugin = sender === 'plugin';
    const asked: Asked = { ...about, session, permissions, raw, key, connection, plugin };
    const output = await answer(services, asked, handler);
    const { behind } = handler;
    if (behind) services.inBackground('context', () => behind(services, asked));
    if (asked.event.hook_event_name === 'SessionStart')
      services.inBackground('recover', () => recoverAtStart(services, asked));
    return output;
  });
}

/** Returns the session of an event, if its answer needs it. Nothing else that the answer needs waits for the database. */
async function sessionFor(
  services: HookServices,
  about: Pick<Asked, 'claims' | 'event' | 'at'>,
  { answer, offer }: EventHandler,
): Promise<KnownSession | null> {
  if (services.readAhead)
    await within(services.readAhead(about), PATIENCE_MS.other).catch((error) =>
      services.log.warn({ error }, 'what is known could not be read'),
    );
  const { claims, event, at } = about;
  const known = services.sessions.known(claims, event) ?? null;
  if ((!answer && !offer) || (known !== null && !services.servers.areSeveral())) return known;
  // null: the database does not tell it in time; it is read again with the next event
  const reading = services.sessions.of(claims, event, at);
  return within(reading, PATIENCE_MS[event.tool_name ? 'call' : 'other']).catch((error) => {
    services.log.warn({ error, event: event.hook_event_name }, 'a session could not be read');
    return null;
  });
}

async function answer(services: HookServices, asked: Asked, handler: EventHandler): Promise<HookOutput> {
  const { event, session } = asked;
  const masked = (await handler.mask?.(services, asked)) ?? null;
  const entry: Entry = { ...(await toEntry(asked)), ...(masked && { output: masked.kept }) };
  if (session) notice(session, event, asked.at);
  const beside = handler.beside?.(services, asked).catch((error) => {
    services.log.warn({ error }, 'a start could not be told what lies beside it');
  });
  const judged = await handler.answer?.(services, asked);
  const given = judged && asPermitted(judged, asked.permissions);
  // a denied call does not run, so what there is to say about it is kept for the next call
  const runs = given?.checked.decision !== 'deny';
  const offering = runs && handler.offer ? offer(services, asked, handler) : NOTHING;
  // a verdict is answered even if the offers fail
  const { text, shown } = await (given ? Promise.resolve(offering).catch(() => NOTHING) : offering);
  if (shown.length > 0) entry.offers = shown.map(({ holds: _, ...offer }) => offer);
  const mayHold = !isDecided(given) && asked.permissions !== 'judge-only';
  const said = (mayHold ? hold(services, asked, shown, given) : null) ?? given;
  if (said) Object.assign(entry, said.kept);
  await keep(services, entry, isQuiet(entry, session));
  const output = {
    ...(said && verdict(said)),
    ...(text !== '' && { additionalContext: text }),
    // it is kept by now: else the event would not be answered
    ...(masked && { updatedToolOutput: masked.updatedToolOutput }),
  };
  return {
    ...(await beside),
    ...(Object.keys(output).length > 0 && {
      hookSpecificOutput: { hookEventName: event.hook_event_name, ...output },
    }),
  };
}

const NOTHING: Framed = { text: '', shown: [] };

/** Returns what is offered in answer to an event, within the budget, and remembers it for the next answers. */
async function offer(services: HookServices, asked: Asked, handler: EventHandler): Promise<Framed> {
  const { config, log } = services;
  const { claims, event, at, key, session } = asked;
  const { offer: find = async () => [], stateTokens, mostTokens = Number.POSITIVE_INFINITY } = handler;
  try {
    const patience = PATIENCE_MS[event.hook_event_name === 'PreToolUse' ? 'call' : 'other'];
    const all = (await within(find(services, asked), patience)) ?? [];
    if (all.length === 0) return NOTHING;
    // what holds a call is a person's rule: it is told in any case
    const { voice } = services.settings.known(claims);
    const offers = all.filter((one) => one.holds || mayTell(voice, one.kind));
    const budget = Math.min(config.injectTokens, mostTokens);
    const framed = frameOffers(offers, budget, stateTokens);
    if (framed.shown.length === 0 || !session) return framed;
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
    return NOTHING;
  }
}

/**
 * Returns the entry of an event. It holds the whole output of the tool if the output is cut in the event, unless it is in
 * a file of the client, which is read when the event is stored.
 */
async function toEntry({ claims, event, output, at }: Asked): Promise<Entry> {
  const inFile = claims.role === 'owner' && outputFile(event) !== null;
  const kept = output && !inFile ? await toKept(output) : null;
  return { claims, event, at: at.toISOString(), ...(kept && { output: kept }) };
}

/** Whether nobody looks for an entry: it is about a call that nothing stopped and no person allowed, nor was one asked. */
const isQuiet = ({ event, check, offers }: Entry, session: KnownSession | null): boolean =>
  /^P(?:re|ost)ToolUse$/.test(event?.hook_event_name ?? '') &&
  session?.waits === false &&
  !offers &&
  !['deny', 'hold'].includes(check?.decision ?? '') &&
  check?.source !== 'person';

/**
 * Keeps an entry before its answer: in the journal, or if there is none or it is full, in the database. A verdict is never
 * withheld: without an answer the client would run the command. If neither takes its entry, the log says so, and the event
 * itself is stored from the transcript when the next session starts.
 */
export async function keep(services: HookServices, entry: Entry, quiet = false): Promise<void> {
  const { journal, servers, log } = services;
  const { userId } = entry.claims;
  if (journal?.add(entry, quiet)) {
    // the next event may come to another server, which must see this one; what waits is safe in the journal
    if (servers.areSeveral() || journal.isBehind(userId))
      await within(journal.drained(userId), PATIENCE_MS.call);
    return;
  }
  const storing = Promise.resolve(journal?.drained(userId)).then(() => store(services, [entry]));
  if (!entry.check) return storing;
  const stored = storing.catch((error) =>
    log.error({ error }, 'a verdict was answered and could not be recorded'),
  );
  await within(stored, PATIENCE_MS.call);
}

/** Whether a person decided on this very call, or a person's rule did. Then no lesson holds it. */
const isDecided = (given: Answer | null | undefined): boolean =>
  given?.checked.source === 'person' || given?.checked.source === 'guard';

/**
 * Holds a call once, so that a lesson is read before the call runs. Returns null if no lesson holds the call, else the
 * answer, and the record of the hold.
 *
 * The reason is outside of the frame, so it quotes nothing: the text of a lesson comes from the output of tools and from
 * agents. It stays inside the frame, which the client hands on with the reason.
 */
function hold(
  services: HookServices,
  asked: Asked,
  shown: FramedOffer[],
  given: Answer | null | undefined,
): Answer | null {
  const first = shown.find(({ holds }) => holds);
  const { session } = asked;
  if (!first || !session) return null;
  const mark = first.sourceId === null ? '' : ` (lore:${first.sourceId.slice(0, 8)})`;
  const reason = `Lore: What helped when this call failed before stands in the records beside this${mark}. Run it again to go on.`;
  const check: Check = {
    ...(given?.kept.check ?? checkOf(services, asked, session)),
    decision: 'hold',
    source: 'lesson',
    rule: null,
    severity: null,
    lessonId: first.sourceId,
    reason: 'It failed before, and a lesson says what helped. The same call passes when it is made again.',
    cached: false,
  };
  return { checked: { decision: 'deny', reason, source: 'lesson' }, kept: { check, remember: false } };
}
