import { and, eq, gt, inArray, ne, sql } from 'drizzle-orm';
import type { Tx } from '../db/open.ts';
import { type SessionEvent, sessionEvents } from '../sessions/calls.ts';
import { type HookEvent, hasBackgroundTasks } from '../sessions/hook-event.ts';
import { sessionContext } from '../sessions/sessions.ts';
import { clip, filesTouched, toolTarget } from '../shell/command-key.ts';
import { shellCommandOf } from '../shell/shell-tools.ts';
import { isObject } from '../text/json.ts';
import { DENIED } from './incidents.ts';
import { isLores } from './not-ours.ts';
import { answerInLater, type Resolved, readResolutions, triesOf } from './resolve.ts';
import { incidents } from './schema.ts';
import { type Call, type Edit, isCall, type Step } from './steps.ts';

/** How long an error that nothing answered can still be answered by other sessions of its project. */
const OPEN_DAYS = 30;
/** Most older errors of a project that are looked at, the newest first. */
const MAX_OLDER = 50;
const MAX_TEXT = 4000;
const UNANSWERED = ['open', 'unresolved'] as const;

type Session = { id: string; projectId: string };

/** SQL condition: the project has errors that a later call may answer. */
export const hasUnanswered = (projectId: string) =>
  sql`exists (select 1 from incidents where project_id = ${projectId} and status in ('open', 'unresolved')
        and opened_at > now() - make_interval(days => ${OPEN_DAYS}::int))`;

/**
 * Reads what happened in a session and closes the incidents that its calls answered: its own, and those of other
 * sessions of the project, which nothing had answered so far. Reading it again changes nothing.
 *
 * @param explained closes only errors about which an agent has said something since, because other agents
 *   still work
 * @returns the ids of the incidents that a lesson may be written about, in the order in which they happened
 */
export async function resolveIncidents(tx: Tx, session: Session, explained: boolean): Promise<string[]> {
  const own = await unanswered(tx, eq(incidents.sessionId, session.id));
  const older = await unanswered(
    tx,
    and(eq(incidents.projectId, session.projectId), ne(incidents.sessionId, session.id)),
  );
  if (own.length + older.length === 0) return [];
  const since =
    older.length > 0 ? null : new Date(Math.min(...own.map(({ openedAt }) => openedAt.getTime())));
  const steps = await sessionSteps(tx, session.id, since);
  const { answered, told } = readResolutions(steps);
  const idOf = new Map(own.map(({ id, toolUseId }) => [toolUseId, id]));
  const closed: string[] = [];
  for (const one of answered) {
    const id = idOf.get(one.failed.toolUseId);
    if (id === undefined || (explained && one.resolution.lastMessage === null)) continue;
    await close(tx, id, one);
    if (told.includes(one)) closed.push(id);
  }
  for (const incident of explained ? [] : older) {
    const again = answered.find(({ failed }) => failed.signature === incident.signature);
    const found = again ?? answerElsewhere(incident, steps);
    if (!found) continue;
    const resolution = { ...found.resolution, sessionId: session.id };
    await close(tx, incident.id, { ...found, resolution });
    // if this session saw the error too, its own incident gets the lesson
    if (!again) closed.push(incident.id);
  }
  return closed;
}

/**
 * Notes for each unanswered error of a session that has ended what was tried in vain. If an error happened
 * several times, notes it only with the first of them.
 */
export async function noteTries(tx: Tx, sessionId: string): Promise<void> {
  const rows = (await unanswered(tx, eq(incidents.sessionId, sessionId))).reverse();
  if (rows.length === 0) return;
  const steps = await sessionSteps(tx, sessionId, null);
  const { root } = await sessionContext(tx, sessionId);
  const calls = steps.filter(isCall);
  for (const [i, { id, toolUseId, signature }] of rows.entries()) {
    if (rows.findIndex((one) => one.signature === signature) < i) continue;
    const call = calls.find((one) => one.toolUseId === toolUseId);
    const tried = call && triesOf(call, steps);
    if (!tried) continue;
    if (root !== null) tried.steps = tried.steps.map((step) => step.replaceAll(`${root}/`, ''));
    await tx.update(incidents).set({ tried }).where(eq(incidents.id, id));
  }
}

const unanswered = (tx: Tx, where: ReturnType<typeof and>) =>
  tx
    .select({
      id: incidents.id,
      agentId: incidents.agentId,
      toolName: incidents.toolName,
      toolUseId: incidents.toolUseId,
      target: incidents.target,
      input: incidents.input,
      error: incidents.error,
      signature: incidents.signature,
      openedAt: incidents.openedAt,
    })
    .from(incidents)
    .where(
      and(
        where,
        inArray(incidents.status, [...UNANSWERED]),
        gt(incidents.openedAt, sql`now() - make_interval(days => ${OPEN_DAYS}::int)`),
      ),
    )
    .orderBy(sql`${incidents.openedAt} desc`)
    .limit(MAX_OLDER);

type Unanswered = Awaited<ReturnType<typeof unanswered>>[number];

async function close(tx: Tx, id: string, { worked, resolution }: Resolved): Promise<void> {
  const stored = {
    ...resolution,
    command: resolution.command && clip(resolution.command, 2000),
    commands: resolution.commands.map((line) => clip(line, 300)),
    attempts: resolution.attempts.map((line) => clip(line, 300)),
    said: resolution.said && clip(resolution.said, 1000),
    lastMessage: resolution.lastMessage && clip(resolution.lastMessage, MAX_TEXT),
  };
  await tx
    .update(incidents)
    .set({ status: 'resolved', resolvedAt: worked.at, resolution: stored })
    .where(eq(incidents.id, id));
}

/** Returns how a session answered an error of another session; null if it did not. */
function answerElsewhere(incident: Unanswered, steps: Step[]): Resolved | null {
  const { input } = incident;
  const call: Call = {
    kind: 'call',
    toolUseId: incident.toolUseId,
    agentId: incident.agentId,
    tool: incident.toolName,
    command: shellCommandOf(incident.toolName, input),
    target: incident.target,
    input,
    ok: false,
    signature: incident.signature,
    output: incident.error,
    printed: incident.error,
    edits: [],
    at: incident.openedAt,
  };
  return answerInLater(call, steps);
}

/** Returns what happened in a session, the oldest first. */
export async function sessionSteps(tx: Tx, sessionId: string, since: Date | null): Promise<Step[]> {
  return toSteps(await sessionEvents(tx, sessionId, since), await failedCalls(tx, sessionId));
}

/** Returns the signatures of a session's failed calls, by the id of the call. */
async function failedCalls(
  tx: Tx,
  sessionId: string,
): Promise<Map<string, { signature: string; error: string }>> {
  const rows = await tx
    .select({ id: incidents.toolUseId, signature: incidents.signature, error: incidents.error })
    .from(incidents)
    .where(eq(incidents.sessionId, sessionId));
  return new Map(rows.map(({ id, ...rest }) => [id, rest]));
}

/** Returns a session's events as steps. */
function toSteps(rows: SessionEvent[], failed: Map<string, { signature: string; error: string }>): Step[] {
  return rows.flatMap(({ event, target, at }): Step[] => {
    if (isLores(event)) return [];
    const id = event.tool_use_id ?? '';
    const agentId = event.agent_id ?? null;
    switch (event.hook_event_name) {
      case 'UserPromptSubmit':
        return event.prompt && !event.prompt.trimStart().startsWith('<')
          ? [{ kind: 'prompt', text: event.prompt, at }]
          : [];
      case 'Stop':
      case 'SubagentStop':
        return event.last_assistant_message &&
          !(event.hook_event_name === 'Stop' && hasBackgroundTasks(event))
          ? [{ kind: 'said', text: event.last_assistant_message, agentId, at }]
          : [];
      case 'PreToolUse':
        // a denied command never ran, so only its incident says anything about it
        return failed.has(id) && !rows.some((row) => row !== undefined && isResultOf(row.event, id))
          ? [toCall(event, target, at, failed.get(id))]
          : [];
      case 'PostToolUse':
        // if a denied call ran all the same, only its own result counts
        return [
          toCall(event, target, at, failed.get(id)?.error.startsWith(DENIED) ? undefined : failed.get(id)),
        ];
      case 'PostToolUseFailure':
        return [toCall(event, target, at, failed.get(id))];
      default:
        return [];
    }
  });
}

const isResultOf = (event: HookEvent, id: string) =>
  event.tool_use_id === id && event.hook_event_name.startsWith('PostToolUse');

function toCall(
  event: HookEvent,
  target: string | null,
  at: Date,
  error: { signature: string; error: string } | undefined,
): Call {
  const tool = event.tool_name ?? '';
  const input = event.tool_input ?? {};
  const ok = event.hook_event_name === 'PostToolUse' && error === undefined;
  return {
    kind: 'call',
    toolUseId: event.tool_use_id ?? '',
    agentId: event.agent_id ?? null,
    tool,
    command: shellCommandOf(tool, input),
    target: target ?? toolTarget(tool, input),
    input,
    ok,
    signature: error?.signature ?? null,
    output: clip(error?.error ?? (typeof event.error === 'string' ? event.error : ''), MAX_TEXT),
    printed: clip(printedBy(event), MAX_TEXT),
    edits: ok ? editsOf(tool, event) : [],
    at,
  };
}

function printedBy({ error, tool_response: response }: HookEvent): string {
  if (typeof error === 'string') return error;
  return textsIn(response).join('\n');
}

/** Returns what the answer of a tool shows: the output of a shell, or the texts of an MCP server's answer. */
function textsIn(response: unknown): string[] {
  if (typeof response === 'string') return response === '' ? [] : [response];
  if (Array.isArray(response)) return response.flatMap(textsIn);
  if (!isObject(response)) return [];
  const { stdout, stderr, content, text } = response;
  return [stdout, stderr, content, text].flatMap(textsIn);
}

function editsOf(tool: string, event: HookEvent): Edit[] {
  const input = event.tool_input ?? {};
  const file = filesTouched(tool, input)[0];
  if (file === undefined) return [];
  type Part = { old_string?: unknown; new_string?: unknown };
  const parts: Part[] = tool === 'MultiEdit' && Array.isArray(input.edits) ? input.edits : [input];
  if (tool === 'Edit' || tool === 'MultiEdit')
    return parts.map((part) => ({ file, before: text(part.old_string), after: text(part.new_string) }));
  const response = event.tool_response as { originalFile?: unknown } | null | undefined;
  return [{ file, before: text(response?.originalFile), after: text(input.content ?? input.new_source) }];
}

const text = (value: unknown) => (typeof value === 'string' ? clip(value, MAX_TEXT) : null);

/** Returns the files that a session had written before an instant. */
export async function filesWritten(tx: Tx, sessionId: string, before: Date): Promise<string[]> {
  const rows = await sessionEvents(tx, sessionId, null);
  return toSteps(rows, new Map())
    .filter(isCall)
    .filter((call) => call.at < before)
    .flatMap((call) => call.edits.map(({ file }) => file));
}
