import { and, asc, desc, eq, inArray, notInArray, sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import type { HookEvent } from '../sessions/hook-event.ts';
import { projectNameOf } from '../sessions/projects.ts';
import { clientSessionId, type Session, sessionContext } from '../sessions/sessions.ts';
import { clip } from '../shell/command-key.ts';
import { isExpectedExit } from './detect.ts';
import { incidents, type Resolution } from './schema.ts';
import { errorSignature } from './signature.ts';

/**
 * Returns the signature of a tool call's error. Returns null if it is no error: an interrupt, or an exit code that is
 * an answer (`grep` without a match).
 */
export function errorSignatureOf(event: HookEvent, call: { target: string | null; error: string }) {
  const tool = event.tool_name;
  if (!tool || !event.tool_use_id || event.is_interrupt) return null;
  if (tool === 'Bash' && isExpectedExit(String(event.tool_input?.command ?? ''), call.error)) return null;
  return {
    ...errorSignature({ tool, target: call.target, error: call.error }),
    tool,
    toolUseId: event.tool_use_id,
  };
}

/** Stores the error of a tool call as an open incident. Does nothing if it is no error, or stored already. */
export async function openIncident(
  tx: Tx,
  session: Session,
  event: HookEvent,
  call: { target: string | null; error: string; at: Date },
): Promise<void> {
  const signature = errorSignatureOf(event, call);
  if (signature === null) return;
  await tx
    .insert(incidents)
    .values({
      projectId: session.projectId,
      sessionId: session.id,
      agentId: event.agent_id,
      toolName: signature.tool,
      toolUseId: signature.toolUseId,
      target: call.target,
      input: event.tool_input ?? {},
      error: signature.salient,
      errorType: signature.errorType,
      signature: signature.id,
      signatureText: signature.text,
      openedAt: call.at,
    })
    .onConflictDoNothing();
}

/** Marks the session's open incidents as unresolved. */
export async function closeOpenIncidents(tx: Tx, sessionId: string): Promise<void> {
  await tx
    .update(incidents)
    .set({ status: 'unresolved' })
    .where(and(eq(incidents.sessionId, sessionId), eq(incidents.status, 'open')));
}

/** Returns the session's resolved incidents except some, the oldest first. With `agentId` only that subagent's. */
export async function resolvedIncidents(
  tx: Tx,
  sessionId: string,
  { except, agentId }: { except: string[]; agentId?: string | undefined },
) {
  return tx
    .select({ id: incidents.id, agentId: incidents.agentId, resolution: incidents.resolution })
    .from(incidents)
    .where(
      and(
        eq(incidents.sessionId, sessionId),
        eq(incidents.status, 'resolved'),
        except.length > 0 ? notInArray(incidents.id, except) : undefined,
        agentId === undefined ? undefined : eq(incidents.agentId, agentId),
      ),
    )
    .orderBy(asc(incidents.openedAt));
}

/** Stores the assistant's last message with an incident, unless it has one already. */
export async function keepLastMessage(
  tx: Tx,
  incident: { id: string; resolution: Resolution | null },
  message: string,
): Promise<void> {
  const { id, resolution } = incident;
  if (resolution?.lastMessage !== null) return;
  await tx
    .update(incidents)
    .set({ resolution: { ...resolution, lastMessage: clip(message, 2000) } })
    .where(eq(incidents.id, id));
}

/** Returns which of these sessions have open or unresolved errors. */
export async function sessionsWithOpenIncidents(tx: Tx, sessionIds: string[]): Promise<Set<string>> {
  if (sessionIds.length === 0) return new Set();
  const rows = await query<{ id: string }>(
    tx,
    sql`select distinct session_id as id from incidents
        where session_id = any (${sql.param(sessionIds)}::uuid[]) and status in ('open', 'unresolved')`,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Returns the signatures of the errors that a project has seen in the last days. */
export async function recentSignatures(tx: Tx, projectId: string, days: number): Promise<string[]> {
  const rows = await query<{ signature: string }>(
    tx,
    sql`select distinct signature from incidents
        where project_id = ${projectId} and opened_at > now() - make_interval(days => ${days}::int)`,
  );
  return rows.map(({ signature }) => signature);
}

/** Returns whether a session saw an error after an instant. */
export async function sawError(tx: Tx, sessionId: string, signature: string, after: Date): Promise<boolean> {
  const rows = await query(
    tx,
    sql`select 1 from incidents where session_id = ${sessionId} and signature = ${signature}
          and opened_at > ${after.toISOString()} limit 1`,
  );
  return rows.length > 0;
}

/** Returns those of a session's tool calls that opened an incident. */
export async function failedCalls(tx: Tx, sessionId: string, toolUseIds: string[]): Promise<Set<string>> {
  if (toolUseIds.length === 0) return new Set();
  const rows = await tx
    .select({ id: incidents.toolUseId })
    .from(incidents)
    .where(and(eq(incidents.sessionId, sessionId), inArray(incidents.toolUseId, toolUseIds)));
  return new Set(rows.map(({ id }) => id));
}

/** What an incident itself tells. */
const described = {
  id: incidents.id,
  agentId: incidents.agentId,
  toolName: incidents.toolName,
  target: incidents.target,
  error: incidents.error,
  errorType: incidents.errorType,
  signature: incidents.signature,
  resolution: incidents.resolution,
  openedAt: incidents.openedAt,
  resolvedAt: incidents.resolvedAt,
};

export type { Resolution };

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
      ...described,
      project: projectNameOf(incidents.projectId),
      sessionId: clientSessionId(incidents.sessionId),
      status: incidents.status,
    })
    .from(incidents)
    .where(
      and(
        filter.projectId === undefined ? undefined : eq(incidents.projectId, filter.projectId),
        filter.status === undefined ? undefined : eq(incidents.status, filter.status),
      ),
    )
    .orderBy(desc(incidents.openedAt))
    .limit(filter.limit);
}

/** Returns an incident with the context of its session. */
export async function loadIncident(tx: Tx, id: string) {
  const [incident] = await tx
    .select({
      ...described,
      projectId: incidents.projectId,
      projectName: projectNameOf(incidents.projectId),
      sessionId: incidents.sessionId,
    })
    .from(incidents)
    .where(eq(incidents.id, id));
  return incident && { ...incident, ...(await sessionContext(tx, incident.sessionId)) };
}
export type LoadedIncident = NonNullable<Awaited<ReturnType<typeof loadIncident>>>;
