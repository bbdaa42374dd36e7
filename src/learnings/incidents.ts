import { and, asc, desc, eq, gt, inArray, isNull, lte, sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import type { HookEvent } from '../sessions/hook-event.ts';
import { events, projects, sessions } from '../sessions/schema.ts';
import type { Session } from '../sessions/sessions.ts';
import { clip, filesTouched, invocationOf, programOf } from '../shell/command-key.ts';
import { onlyLooks } from '../shell/looks.ts';
import { isExpectedExit, outputError } from './error-detection.ts';
import { incidents, learningRequests, type Resolution } from './schema.ts';
import { errorSignature } from './signature.ts';

const WRITING_TOOLS = ['Edit', 'Write', 'MultiEdit', 'NotebookEdit'];

/** Errors that name a wrong invocation: there, the next call of the same program that works is the answer. */
const INVOCATION_ERRORS =
  /^Denied by rule |command not found|unknown (?:\w+ )?(option|command|argument|flag)|unrecognized|invalid (option|argument)|missing script|no such (file|command|script)|not recognized|no upstream branch|^usage:|no module named|is not a (git|docker) command/im;

/** There the subcommand itself was wrong, so another one may be the answer. */
const WRONG_SUBCOMMAND = /unknown command|missing script|is not a \w+ command/i;

/** How many later calls may lie between a wrong invocation and the right one. */
const VARIANT_WINDOW = 3;

/**
 * Remembers an error. Exits that are answers (`grep` without a match) and interrupts are not errors.
 *
 * @returns the signature, or null when nothing was opened.
 */
export async function openIncident(
  tx: Tx,
  session: Session,
  event: HookEvent,
  call: { target: string | null; error: string; at: Date },
): Promise<string | null> {
  const tool = event.tool_name;
  if (!tool || !event.tool_use_id || event.is_interrupt) return null;
  if (tool === 'Bash' && isExpectedExit(String(event.tool_input?.command ?? ''), call.error)) return null;
  const signature = errorSignature({ tool, target: call.target, error: call.error });
  await tx
    .insert(incidents)
    .values({
      projectId: session.projectId,
      sessionId: session.id,
      agentId: event.agent_id,
      toolName: tool,
      toolUseId: event.tool_use_id,
      target: call.target,
      input: event.tool_input ?? {},
      error: signature.salient,
      errorType: signature.errorType,
      signature: signature.id,
      signatureText: signature.text,
      openedAt: call.at,
    })
    .onConflictDoNothing();
  return signature.id;
}

/**
 * Closes the session's incidents that this successful call answers: the same tool on the same target; or, when the
 * error named a wrong invocation, the same program called another way shortly after.
 */
export async function resolveIncidents(
  tx: Tx,
  session: Session,
  event: HookEvent,
  call: { target: string | null; at: Date },
): Promise<void> {
  if (!event.tool_name || call.target === null) return;
  type Open = { id: string; target: string | null; error: string; openedAt: string };
  const open = await query<Open>(
    tx,
    sql`select id, target, error, opened_at as "openedAt" from incidents
        where session_id = ${session.id} and status in ('open', 'unresolved') and tool_name = ${event.tool_name}
          and opened_at <= ${call.at.toISOString()}
        order by opened_at desc limit 20`,
  );
  for (const row of open) {
    const incident = { ...row, openedAt: new Date(row.openedAt) };
    const kind =
      incident.target === call.target
        ? 'same'
        : (await isVariant(tx, session, event, incident, call))
          ? 'variant'
          : null;
    if (kind === null) continue;
    const resolution = await describeResolution(tx, session, event, kind, incident.openedAt, call);
    await tx
      .update(incidents)
      .set({ status: 'resolved', resolvedAt: call.at, resolution })
      .where(eq(incidents.id, incident.id));
  }
}

async function isVariant(
  tx: Tx,
  session: Session,
  event: HookEvent,
  incident: { target: string | null; error: string; openedAt: Date },
  call: { target: string | null; at: Date },
): Promise<boolean> {
  if (event.tool_name !== 'Bash' || !incident.target || !call.target) return false;
  if (!INVOCATION_ERRORS.test(incident.error)) return false;
  const kind = WRONG_SUBCOMMAND.test(incident.error) ? programOf : invocationOf;
  if (onlyLooks(call.target) || kind(incident.target) !== kind(call.target)) return false;
  const between = await tx
    .select({ id: events.id })
    .from(events)
    .where(
      and(
        eq(events.sessionId, session.id),
        inArray(events.event, ['PostToolUse', 'PostToolUseFailure']),
        gt(events.occurredAt, incident.openedAt),
        lte(events.occurredAt, call.at),
      ),
    )
    .limit(VARIANT_WINDOW + 1);
  return between.length <= VARIANT_WINDOW;
}

/** What was done since the error: edits, and commands other than those that only look. */
async function describeResolution(
  tx: Tx,
  session: Session,
  event: HookEvent,
  kind: Resolution['kind'],
  since: Date,
  call: { target: string | null; at: Date },
): Promise<Resolution> {
  const calls = await tx
    .select({ tool: events.toolName, target: events.target, payload: events.payload })
    .from(events)
    .where(
      and(
        eq(events.sessionId, session.id),
        eq(events.event, 'PostToolUse'),
        gt(events.occurredAt, since),
        lte(events.occurredAt, call.at),
        inArray(events.toolName, [...WRITING_TOOLS, 'Bash']),
      ),
    )
    .orderBy(asc(events.occurredAt), asc(events.id))
    .limit(100);
  const edits = calls
    .filter((c) => WRITING_TOOLS.includes(c.tool ?? ''))
    .flatMap((c) => editsOf(c.tool ?? '', c.payload as HookEvent));
  const commands = calls
    .filter((c) => c.tool === 'Bash' && c.target !== null && c.target !== call.target)
    .map((c) => c.target as string)
    .filter((command) => !onlyLooks(command));
  return {
    kind,
    toolUseId: event.tool_use_id ?? null,
    command: call.target,
    edits: edits.slice(-10),
    commands: [...new Set(commands)].slice(-10).map((command) => clip(command, 300)),
    lastMessage: null,
  };
}

type Edit = { old_string?: unknown; new_string?: unknown };

function editsOf(tool: string, event: HookEvent): Resolution['edits'] {
  const input = event.tool_input ?? {};
  const file = filesTouched(tool, input)[0];
  if (file === undefined) return [];
  if (tool === 'MultiEdit' && Array.isArray(input.edits)) {
    return (input.edits as Edit[]).map((edit) => ({
      file,
      before: text(edit.old_string),
      after: text(edit.new_string),
    }));
  }
  if (tool === 'Edit') return [{ file, before: text(input.old_string), after: text(input.new_string) }];
  const response = event.tool_response as { originalFile?: unknown } | null | undefined;
  return [{ file, before: text(response?.originalFile), after: text(input.content ?? input.new_source) }];
}

const text = (value: unknown) => (typeof value === 'string' ? clip(value, 4000) : null);

/**
 * Queues the session's resolved incidents as candidate lessons, each once, and keeps what the assistant said when it
 * was done. With `agentId`, only that subagent's incidents.
 */
export async function queueCandidates(
  tx: Tx,
  session: Pick<Session, 'id' | 'projectId'>,
  options: { event: string; lastMessage: string | null; agentId?: string },
): Promise<number> {
  const resolved = await tx
    .select({ id: incidents.id, agentId: incidents.agentId, resolution: incidents.resolution })
    .from(incidents)
    .leftJoin(learningRequests, eq(learningRequests.incidentId, incidents.id))
    .where(
      and(
        eq(incidents.sessionId, session.id),
        eq(incidents.status, 'resolved'),
        isNull(learningRequests.id),
        options.agentId === undefined ? undefined : eq(incidents.agentId, options.agentId),
      ),
    )
    .orderBy(asc(incidents.openedAt));
  for (const incident of resolved) {
    if (options.lastMessage !== null && incident.resolution?.lastMessage === null) {
      await tx
        .update(incidents)
        .set({ resolution: { ...incident.resolution, lastMessage: clip(options.lastMessage, 2000) } })
        .where(eq(incidents.id, incident.id));
    }
    await tx
      .insert(learningRequests)
      .values({
        projectId: session.projectId,
        sessionId: session.id,
        incidentId: incident.id,
        agentId: incident.agentId,
        event: options.event,
      })
      .onConflictDoNothing();
  }
  return resolved.length;
}

/** At a session's end, what is still open stays on record as unresolved. */
export async function closeOpenIncidents(tx: Tx, sessionId: string): Promise<void> {
  await tx
    .update(incidents)
    .set({ status: 'unresolved' })
    .where(and(eq(incidents.sessionId, sessionId), eq(incidents.status, 'open')));
}

export async function listIncidents(
  tx: Tx,
  filter: {
    projectId?: string | undefined;
    status?: 'open' | 'resolved' | 'unresolved' | undefined;
    limit: number;
  },
) {
  return tx
    .select({
      id: incidents.id,
      project: projects.name,
      sessionId: sessions.clientSessionId,
      agentId: incidents.agentId,
      toolName: incidents.toolName,
      target: incidents.target,
      error: incidents.error,
      errorType: incidents.errorType,
      signature: incidents.signature,
      status: incidents.status,
      resolution: incidents.resolution,
      openedAt: incidents.openedAt,
      resolvedAt: incidents.resolvedAt,
    })
    .from(incidents)
    .innerJoin(projects, eq(projects.id, incidents.projectId))
    .innerJoin(sessions, eq(sessions.id, incidents.sessionId))
    .where(
      and(
        filter.projectId === undefined ? undefined : eq(incidents.projectId, filter.projectId),
        filter.status === undefined ? undefined : eq(incidents.status, filter.status),
      ),
    )
    .orderBy(desc(incidents.openedAt))
    .limit(filter.limit);
}

/** The incident a request is about, with what its session tells. */
export async function loadIncident(tx: Tx, id: string) {
  const [incident] = await tx
    .select({
      id: incidents.id,
      projectId: incidents.projectId,
      projectName: projects.name,
      projectRoot: projects.root,
      sessionId: incidents.sessionId,
      agentId: incidents.agentId,
      toolName: incidents.toolName,
      target: incidents.target,
      error: incidents.error,
      errorType: incidents.errorType,
      signature: incidents.signature,
      resolution: incidents.resolution,
      openedAt: incidents.openedAt,
      resolvedAt: incidents.resolvedAt,
      branch: sessions.branch,
      cwd: sessions.cwd,
      task: sessions.taskDescription,
      transcriptPath: sessions.transcriptPath,
    })
    .from(incidents)
    .innerJoin(projects, eq(projects.id, incidents.projectId))
    .innerJoin(sessions, eq(sessions.id, incidents.sessionId))
    .where(eq(incidents.id, id));
  return incident;
}
export type LoadedIncident = NonNullable<Awaited<ReturnType<typeof loadIncident>>>;

/** Resolves what later calls answered, for events that were recovered out of order. */
export async function resolveLate(tx: Tx, session: Session): Promise<void> {
  const later = await tx
    .select({ payload: events.payload, target: events.target, at: events.occurredAt })
    .from(events)
    .innerJoin(
      incidents,
      and(
        eq(incidents.sessionId, events.sessionId),
        inArray(incidents.status, ['open', 'unresolved']),
        eq(incidents.target, events.target),
        sql`${events.occurredAt} > ${incidents.openedAt}`,
      ),
    )
    .where(and(eq(events.sessionId, session.id), eq(events.event, 'PostToolUse')))
    .orderBy(asc(events.occurredAt));
  for (const { payload, target, at } of later) {
    const event = payload as HookEvent;
    if (outputError(event.tool_name ?? '', event.tool_input, event.tool_response) !== null) continue;
    await resolveIncidents(tx, session, event, { target, at });
  }
}
