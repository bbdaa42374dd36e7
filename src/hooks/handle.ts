import {
  askModel,
  type CheckServices,
  checkOf,
  decide,
  insertCheck,
  judge,
  personalRules,
  settle,
  surroundings,
} from '../commands/check.ts';
import { type CheckedCommand, answer as withCode } from '../commands/verdict.ts';
import type { Config } from '../config.ts';
import { asUser, type Claims } from '../db/as-user.ts';
import type { Database, Tx } from '../db/open.ts';
import type { QueryVector } from '../embedding/embed-query.ts';
import { filesTouched, toolTarget } from '../learnings/command-key.ts';
import { settleInjections } from '../learnings/credit.ts';
import { outputError } from '../learnings/error-detection.ts';
import { formatLessons } from '../learnings/format.ts';
import {
  closeOpenIncidents,
  openIncident,
  queueCandidates,
  resolveIncidents,
  resolveLate,
} from '../learnings/incidents.ts';
import {
  type Recalled,
  recallAnswered,
  recallForFailure,
  recallForPrompt,
  recallForStart,
  rememberInjections,
} from '../learnings/recall.ts';
import type { Log } from '../log.ts';
import type { InBackground } from '../loop.ts';
import { redactValue } from '../redaction/redact.ts';
import { type HookEvent, hasBackgroundTasks, isNotification } from '../sessions/hook-event.ts';
import { recoverMissedEvents } from '../sessions/recover.ts';
import { ensureSession, type Recorded, recordEvent, type Session } from '../sessions/sessions.ts';
import type { Entry, Journal } from './journal.ts';

export type HookServices = CheckServices & {
  log: Log;
  config: Pick<Config, 'home' | 'failClosed' | 'injectTokens'>;
  /** events that are answered before they are stored; null where the database is a process of its own */
  journal: Journal | null;
  embedQuery(text: string): Promise<QueryVector>;
  wake(worker: 'distil'): void;
  inBackground: InBackground;
};

/** What the client reads: an empty object means no opinion. */
export type HookOutput = {
  hookSpecificOutput?: {
    hookEventName: string;
    additionalContext?: string;
    permissionDecision?: 'allow' | 'deny';
    permissionDecisionReason?: string;
  };
};

/** Longer prompts are searched by their beginning and end: the model reads 256 word pieces. */
const MOST_QUERY = 2000;

/**
 * Takes one hook event: stores it, lets the learning loop act on it, and answers with what the agent should know.
 * A repeated delivery changes nothing and gets the same answer.
 */
export async function handleHook(
  services: HookServices,
  claims: Claims,
  raw: HookEvent,
): Promise<HookOutput> {
  const at = new Date();
  const event = redactValue(raw);
  if (isOnlyKept(event) && services.journal?.add({ claims, event, at: at.toISOString() })) return {};
  const vector = await queryVector(services, event);
  await services.journal?.drained();
  const allowed = services.journal && (await allowAtOnce(services, claims, raw, event, at));
  if (allowed) return verdict(allowed);
  const { output, queued, judged, checked } = await asUser(services.db, claims, async (tx) => {
    const session = await ensureSession(tx, event, at);
    const { recorded, target, signature, queued } = await record(tx, session, event, 'hook', at);
    const lessons = await recall(tx, session, event, recorded, signature, vector);
    const { text, given } = formatLessons(lessons, services.config.injectTokens);
    await rememberInjections(tx, session, { event: event.hook_event_name, ...recorded }, given);
    // as it came: a redacted command is not the one that would run
    const judged = isCommand(raw)
      ? judgeCommand(raw, session, recorded, personalRules(services.config, claims))
      : null;
    const checked = judged && (await settle(tx, judged));
    if (checked?.rule !== undefined && recorded.inserted) {
      const error = `Denied by rule ${checked.rule}: ${checked.reason}`;
      await openIncident(tx, session, event, { target, error, at });
    }
    return { output: answer(event, text), queued, judged, checked };
  });
  if (queued > 0) services.wake('distil');
  // the files belong to the person who runs the server, so only the owner may have them read
  if (event.hook_event_name === 'SessionStart' && event.transcript_path && claims.role === 'owner') {
    services.inBackground('recover', () => recover(services, claims, event.transcript_path as string));
  }
  return judged ? verdict(checked ?? (await askModel(services, claims, judged))) : output;
}

const SAYS_NOTHING = ['Stop', 'SubagentStart', 'SubagentStop', 'PreCompact', 'PostCompact', 'SessionEnd'];

/** The answer is empty whatever the database holds: a tool call that is no command, one that went well, the end of a turn. */
function isOnlyKept(event: HookEvent): boolean {
  const name = event.hook_event_name;
  if (name === 'PreToolUse') return event.tool_name !== 'Bash';
  return name === 'PostToolUse' ? errorOf(event) === null : SAYS_NOTHING.includes(name);
}

/** A command that the rules or the cache allow: the verdict, while event and check wait in the journal. Null for others. */
async function allowAtOnce(
  services: HookServices,
  claims: Claims,
  raw: HookEvent,
  event: HookEvent,
  at: Date,
): Promise<CheckedCommand | null> {
  if (!isCommand(raw)) return null;
  const { db, config, journal } = services;
  const { judged, decided } = await asUser(db, claims, async (tx) => {
    const session = await ensureSession(tx, event, at);
    const judged = judgeCommand(raw, session, { inserted: true }, personalRules(config, claims));
    return { judged, decided: await decide(tx, judged) };
  });
  if (decided?.decision !== 'allow') return null;
  const entry = { claims, event, at: at.toISOString(), check: checkOf(judged, decided) };
  // a permission for once is used up by now: what the journal does not take is stored, not judged again
  if (!journal?.add(entry)) await storeEvent(db, entry);
  return withCode(decided, judged.key);
}

/** Stores an event of the journal. Gives the number of candidates queued. */
export async function storeEvent(db: Database, { claims, event, at, check }: Entry): Promise<number> {
  return asUser(db, claims, async (tx) => {
    const session = await ensureSession(tx, event, new Date(at));
    const { recorded, queued } = await record(tx, session, event, 'hook', new Date(at));
    if (check && recorded.inserted) await insertCheck(tx, check);
    return queued;
  });
}

type CommandEvent = HookEvent & { tool_input: { command: string } };

/** A shell command about to run. */
const isCommand = (event: HookEvent): event is CommandEvent =>
  event.hook_event_name === 'PreToolUse' &&
  event.tool_name === 'Bash' &&
  typeof event.tool_input?.command === 'string';

/** The rules' verdict on a shell command about to run. */
function judgeCommand(
  raw: CommandEvent,
  session: Session,
  { inserted: record }: Pick<Recorded, 'inserted'>,
  personal: string | null,
) {
  const place = surroundings(raw.cwd ?? session.root ?? '/', session.root);
  return judge({ command: raw.tool_input.command, place, sessionId: session.id, record, personal });
}

/** No opinion leaves the command to the client. */
function verdict({ decision, reason, code }: CheckedCommand): HookOutput {
  if (decision === 'ask') return {};
  const how = decision === 'deny' ? ` A person can run: lore allow ${code}` : '';
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: decision,
      permissionDecisionReason: `Lore: ${reason}${how}`.slice(0, 299),
    },
  };
}

/** Stores an event and, when it is new, what it means for incidents. */
async function record(tx: Tx, session: Session, event: HookEvent, source: 'hook' | 'transcript', at: Date) {
  const tool = event.tool_name ?? '';
  const place = session.root !== null && event.cwd ? { cwd: event.cwd, root: session.root } : undefined;
  const target = event.tool_input ? toolTarget(tool, event.tool_input, place) : null;
  const worked = event.hook_event_name === 'PostToolUse';
  const files = worked && event.tool_input ? filesTouched(tool, event.tool_input) : [];
  const recorded = await recordEvent(tx, session, event, { source, at, target, files });
  if (!recorded.inserted) return { recorded, target, signature: null, queued: 0 };
  const error = errorOf(event);
  const signature = error === null ? null : await openIncident(tx, session, event, { target, error, at });
  if (worked && error === null) await resolveIncidents(tx, session, event, { target, at });
  return { recorded, target, signature, queued: await checkpoint(tx, session, event) };
}

/** The error of a failed call, or the one that a call's output shows although it exited well. */
function errorOf(event: HookEvent): string | null {
  if (event.hook_event_name === 'PostToolUseFailure') return event.error ?? 'failed without a message';
  if (event.hook_event_name !== 'PostToolUse') return null;
  return outputError(event.tool_name ?? '', event.tool_input, event.tool_response);
}

/** At the end of a turn, a subagent or a session: what was resolved becomes candidate lessons. */
async function checkpoint(tx: Tx, session: Session, event: HookEvent): Promise<number> {
  const said = { event: event.hook_event_name, lastMessage: event.last_assistant_message ?? null };
  switch (event.hook_event_name) {
    case 'Stop':
      return hasBackgroundTasks(event) ? 0 : queueCandidates(tx, session, said);
    case 'SubagentStop':
      return event.agent_id ? queueCandidates(tx, session, { ...said, agentId: event.agent_id }) : 0;
    case 'SessionEnd':
      return endSession(tx, session, said);
    default:
      return 0;
  }
}

async function recall(
  tx: Tx,
  session: Session,
  event: HookEvent,
  recorded: Recorded,
  signature: string | null,
  vector: QueryVector,
): Promise<Recalled[]> {
  if (!recorded.inserted) return recallAnswered(tx, session, recorded.dedupKey);
  switch (event.hook_event_name) {
    case 'SessionStart':
      return recallForStart(tx, session, { resumed: event.source === 'resume' });
    case 'UserPromptSubmit':
      return event.prompt && !isNotification(event.prompt)
        ? recallForPrompt(tx, session, toQuery(event.prompt), vector)
        : [];
    case 'PostToolUse':
    case 'PostToolUseFailure':
      return signature === null ? [] : recallForFailure(tx, session, signature);
    default:
      return [];
  }
}

function answer(event: HookEvent, text: string): HookOutput {
  if (text === '') return {};
  return { hookSpecificOutput: { hookEventName: event.hook_event_name, additionalContext: text } };
}

/** Rules, bullets and other runs of signs mean nothing, but would fill the model's window. */
function toQuery(prompt: string): string {
  const words = prompt.replace(/[^\p{L}\p{N}]{4,}/gu, '\n');
  if (words.length <= MOST_QUERY) return words;
  return `${words.slice(0, MOST_QUERY / 2)}\n${words.slice(-MOST_QUERY / 2)}`;
}

/** The prompt's vector; null while the model is not there, which makes the search go by words. */
async function queryVector(services: HookServices, event: HookEvent): Promise<QueryVector> {
  if (event.hook_event_name !== 'UserPromptSubmit' || !event.prompt || isNotification(event.prompt))
    return null;
  return services.embedQuery(toQuery(event.prompt));
}

/** Takes events from transcripts through the same path, without answering them. */
async function recover(services: HookServices, claims: Claims, path: string): Promise<void> {
  let queued = 0;
  await recoverMissedEvents(services, claims, path, (batch) =>
    asUser(services.db, claims, async (tx) => {
      let added = 0;
      const touched = new Map<string, Session>();
      for (const { event: raw, at } of batch) {
        const event = redactValue(raw);
        const session = await ensureSession(tx, event, at);
        const stored = await record(tx, session, event, 'transcript', at);
        if (!stored.recorded.inserted) continue;
        added += 1;
        queued += stored.queued;
        touched.set(session.id, session);
      }
      for (const session of touched.values()) {
        await resolveLate(tx, session);
        // its own end has been: what came to light since then is settled now
        if (session.status !== 'active') {
          queued += await endSession(tx, session, { event: 'recovery', lastMessage: null });
        }
      }
      return added;
    }),
  );
  if (queued > 0) services.wake('distil');
}

/** What a session's end means for the learning loop. Gives the number of candidates queued. */
export async function endSession(
  tx: Tx,
  session: { id: string; projectId: string },
  said: { event: string; lastMessage: string | null },
): Promise<number> {
  const queued = await queueCandidates(tx, session, said);
  await closeOpenIncidents(tx, session.id);
  await settleInjections(tx, session.id);
  return queued;
}
