import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Check } from '../commands/verdict.ts';
import type { Config } from '../config.ts';
import type { Claims } from '../db/as-user.ts';
import { kindOfFailure } from '../errors/database-failure.ts';
import { outputFile, toKept } from '../kinds/outputs.ts';
import { isOwnSession } from '../llm/claude-folder.ts';
import type { FramedOffer } from '../offers/frame.ts';
import { withSpeaker } from '../sessions/author.ts';
import type { HookEvent } from '../sessions/hook-event.ts';
import { withOwnCall } from '../sessions/own-event.ts';
import { within } from '../timing/within.ts';
import {
  answerKey,
  hasPlugin,
  isOfSecondHook,
  isSecondStart,
  onceForEachDelivery,
  sessionOfPrompt,
  withCallId,
} from './delivery.ts';
import { handlerOf } from './event-handlers.ts';
import { checkOf } from './guard-call.ts';
import { refuseOtherProject } from './key-project.ts';
import type { Entry } from './line.ts';
import { MAX_OFFER_MS, offer } from './offering.ts';
import { redactEvent } from './output.ts';
import { transcriptToRead } from './own-transcript.ts';
import { type Ends, whoSent } from './peer.ts';
import { asPermitted, type PermissionDecision, permissionsFor, verdict } from './permitted.ts';
import { recoverFromTranscripts } from './recover.ts';
import { storeEntries } from './store.ts';
import type { Answer, Asked, EventHandler, HookOutput, HookServices, Masked } from './types.ts';

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
  const sent = withCallId(services.deliveries, { claims: caller, event: withOwnCall(given) });
  // Lore itself started this session, to ask a model through the person's login: it is no work
  if (isOwnSession(services.config.home, sent.cwd)) return {};
  const claims = await refuseOtherProject(services, caller, sent);
  services.refusals.passed(caller, sent.cwd);
  const at = new Date();
  const plugin = hasPlugin(services.deliveries, { claims, event: sent }, sender);
  if (isSecondStart(services.deliveries, { claims, event: sent, at })) return {};
  const raw = {
    ...sent,
    session_id: sessionOfPrompt(services.deliveries, { claims, event: sent, at }),
    ...(sent.transcript_path && { transcript_path: await transcriptToRead(services, claims, sent) }),
  };
  const [redacted, by] = await Promise.all([redactEvent(raw), whoSent(services, claims, raw, connection)]);
  const about = { claims, ...redacted, event: withSpeaker(redacted.event, by), at };
  if (isOfSecondHook(services.deliveries, about, sender)) return {};
  const asked: Asked = { ...about, raw, key: answerKey(services.deliveries, about), connection, plugin };
  const handler = handlerOf(asked.event);
  const answered =
    handler.notice || handler.offer || handler.answer
      ? onceForEachDelivery(services.deliveries, asked, () => answer(services, asked, handler))
      : keep(services, await toEntry(asked)).then(() => ({}));
  const output = await answered;
  const { behind } = handler;
  if (behind) services.inBackground('context', () => behind(services, asked));
  return output;
}

async function answer(services: HookServices, asked: Asked, handler: EventHandler): Promise<HookOutput> {
  if (services.readAhead) {
    await within(services.readAhead(asked), MAX_OFFER_MS).catch((error) =>
      services.log.warn({ error, event: asked.event.hook_event_name }, 'what is known could not be read'),
    );
  }
  const start = performance.now();
  const masked = (await handler.mask?.(services, asked)) ?? null;
  const entry = masked ? { ...plainEntry(asked), output: masked.kept } : await toEntry(asked);
  if (handler.notice) await notice(services, asked, handler.notice);
  // the transcripts belong to the person who runs the server, so only the owner's events may have them read
  const path = asked.event.transcript_path;
  const isHere = path && asked.claims.role === 'owner' && existsSync(dirname(path));
  const recovery =
    handler.recovers && isHere ? recoverFromTranscripts(services, asked.claims, path) : NOT_ASKED;
  if (recovery !== NOT_ASKED) services.inBackground('recover', () => recovery);
  const sends = handler.recovers && !isHere && asked.event.lore?.looks === true;
  const mode = handler.answer ? await permissionsFor(services, asked) : 'allow';
  const judged = await handler.answer?.(services, asked);
  const given = judged && asPermitted(judged, mode);
  // a denied call does not run, so what there is to say about it is kept for the next call
  const runs = given?.checked.decision !== 'deny';
  const offering =
    runs && handler.offer ? offer(services, asked, handler, performance.now() - start) : NOTHING;
  const looking = within(handler.look?.(services, asked).catch(() => null) ?? NOT_ASKED, MAX_OFFER_MS);
  // a verdict is answered even if the offers fail
  const { text, shown } = await (given ? Promise.resolve(offering).catch(() => NOTHING) : offering);
  if (shown.length > 0) entry.offers = shown.map(({ holds: _, ...offer }) => offer);
  if (given) Object.assign(entry, given.kept);
  const held = isDecided(given) || mode === 'judge-only' ? null : await hold(services, asked, shown, given);
  if (held) Object.assign(entry, held.kept);
  const updated = masked && (await keepMasked(services, entry, masked));
  if (entry.check) await keepVerdict(services, entry);
  else if (!updated) await keep(services, entry);
  const output = {
    ...(given && verdict(given)),
    ...held?.decision,
    ...(text !== '' && { additionalContext: text }),
    ...updated,
  };
  const hookEventName = asked.event.hook_event_name;
  const looks = await looking;
  const lore = sends ? { ...looks, transcripts: true as const } : looks;
  const told = await within(
    handler.tell?.(services, asked, recovery).catch(() => null) ?? NOT_ASKED,
    MAX_OFFER_MS,
  );
  return {
    ...(told && { systemMessage: `Lore: ${told}` }),
    ...(Object.keys(output).length > 0 && { hookSpecificOutput: { hookEventName, ...output } }),
    ...(lore && { lore }),
  };
}

const NOT_ASKED = Promise.resolve(null);
const NOTHING: { text: string; shown: FramedOffer[] } = { text: '', shown: [] };

const plainEntry = ({ claims, event, at }: Asked): Entry => ({ claims, event, at: at.toISOString() });

/**
 * Longest output that is written without compression, in characters. A line of the journal may have a
 * megabyte.
 */
const MAX_PLAIN = 100_000;

/**
 * Returns the entry of an event. It holds the whole output of the tool if the output is cut in the event. If
 * the client put the output into a file, the entry does not hold it, because the file is read when the event
 * is stored.
 */
async function toEntry(asked: Asked): Promise<Entry> {
  const entry = plainEntry(asked);
  const { claims, event, output } = asked;
  if (!output || (claims.role === 'owner' && outputFile(event) !== null)) return entry;
  // compressing it takes longer than writing it, but a line of the journal must not be too long
  return { ...entry, output: output.text.length <= MAX_PLAIN ? output : await toKept(output) };
}

/**
 * Keeps an entry whose output the agent will not see. Returns what the agent sees instead. Returns null if
 * neither the disk nor the database could keep the entry; then the agent must see the output itself.
 */
async function keepMasked(
  services: HookServices,
  entry: Entry,
  { updatedToolOutput }: Masked,
): Promise<Pick<Masked, 'updatedToolOutput'> | null> {
  try {
    await keep(services, entry);
    return { updatedToolOutput };
  } catch (error) {
    services.log.warn({ error }, 'an output could not be kept, so it is not masked');
    delete entry.output;
    return null;
  }
}

/** Updates the session in memory. If it cannot be read now, it is read with the next event. */
async function notice(
  { log, sessions }: HookServices,
  { claims, event, at }: Asked,
  update: NonNullable<EventHandler['notice']>,
): Promise<void> {
  const session = await within(sessions.of(claims, event, at), MAX_OFFER_MS).catch((error) => {
    if (kindOfFailure(error).kind === 'refused') throw error;
    log.warn({ error, event: event.hook_event_name }, 'a session could not be read');
    return null;
  });
  if (session) update(session, event, at);
}

/**
 * An agent waits no longer than this for a database that is slower than the hooks. What waits is safe in the journal, and
 * a database far away may need minutes for what many agents do in one.
 */
const MAX_BEHIND_MS = 1_000;

/** Puts an entry into the journal. Without a journal, or if it is full, stores the entry before the answer. */
async function keep(services: HookServices, entry: Entry): Promise<void> {
  const { journal } = services;
  const { userId } = entry.claims;
  if (journal?.isBehind(userId)) await within(journal.drained(userId), MAX_BEHIND_MS);
  if (journal?.add(entry)) return storeIfShared(services, entry);
  await journal?.drained(userId);
  await store(services, [entry]);
}

/** Has an event of a session that other servers answer too stored, because the next one may come to one of them. */
async function storeIfShared({ journal, sessions }: HookServices, { claims, event }: Entry): Promise<void> {
  if (event && sessions.isShared(claims, event))
    await within(journal?.drained(claims.userId) ?? NOT_ASKED, MAX_BEHIND_MS);
}

/** The answer waits no longer than this for its verdict to be recorded. */
const MAX_KEEP_MS = 1_000;

/**
 * Keeps an entry with a verdict, but never withholds the verdict: without an answer the client would run the command. If
 * neither the disk nor the database takes the entry, the log says so. The event itself is then stored from the
 * transcript when the next session starts.
 */
export async function keepVerdict(services: HookServices, entry: Entry): Promise<void> {
  const keeping = (async () => {
    // the journal is tried first even when the database is behind, because `keep` would wait for the database
    if (services.journal?.add(entry)) await storeIfShared(services, entry);
    else await keep(services, entry);
  })().catch((error) => {
    services.log.error({ error }, 'a verdict was answered and could not be recorded');
  });
  await within(keeping, MAX_KEEP_MS);
}

/**
 * Stores entries of one user. If they queue candidate lessons, wakes the worker that writes them. Tells the
 * live page which projects have changed, and devices of what was blocked.
 */
export async function store(
  services: Pick<HookServices, 'db' | 'wake' | 'dashboard' | 'push'> & {
    config: Pick<Config, 'dailyOutputBytes' | 'holdout'>;
  },
  entries: Entry[],
) {
  const { db, wake, dashboard, push, config } = services;
  const { queued, projects } = await storeEntries(db, entries, config);
  if (queued > 0) wake('distil');
  const userId = entries[0]?.claims.userId;
  if (userId === undefined) return;
  dashboard.touch(userId, projects);
  // a session that has ended needs no more answers
  const changesWaiting = ({ check, event }: Entry) =>
    check?.decision === 'deny' || event?.hook_event_name === 'SessionEnd';
  if (entries.some(changesWaiting)) push.look(userId);
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
async function hold(
  services: HookServices,
  asked: Asked,
  shown: FramedOffer[],
  given: Answer | null | undefined,
): Promise<{ decision: PermissionDecision; kept: Pick<Entry, 'check' | 'remember'> } | null> {
  const first = shown.find(({ holds }) => holds);
  if (!first) return null;
  const mark = first.sourceId === null ? '' : ` (lore:${first.sourceId.slice(0, 8)})`;
  const reason = `Lore: What helped when this call failed before stands in the records beside this${mark}. Run it again to go on.`;
  const session = await services.sessions.of(asked.claims, asked.event, asked.at);
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
  const decision = { permissionDecision: 'deny', permissionDecisionReason: reason } as const;
  return { decision, kept: { check, remember: false } };
}
