import { and, desc, eq, sql } from 'drizzle-orm';
import type { Tx } from '../db/open.ts';
import { dedupKey, type HookEvent, isNotification } from './hook-event.ts';
import { projectOfPlace } from './projects.ts';
import { events, projects, sessions } from './schema.ts';

export type Session = {
  id: string;
  projectId: string;
  projectName: string;
  /** the project's folder, else where the session began */
  root: string | null;
  branch: string | null;
  status: 'active' | 'completed' | 'failed';
  starts: number;
};

const sessionColumns = {
  id: sessions.id,
  projectId: sessions.projectId,
  projectName: projects.name,
  root: sql<string | null>`coalesce(${projects.root}, ${sessions.cwd})`,
  branch: sessions.branch,
  status: sessions.status,
  starts: sessions.starts,
};

async function findSession(tx: Tx, clientSessionId: string): Promise<Session | undefined> {
  const [session] = await tx
    .select(sessionColumns)
    .from(sessions)
    .innerJoin(projects, eq(projects.id, sessions.projectId))
    .where(eq(sessions.clientSessionId, clientSessionId));
  return session;
}

/** The session of a hook event, opened by whichever of its events comes first. */
export async function ensureSession(tx: Tx, event: HookEvent, at: Date): Promise<Session> {
  const known = await findSession(tx, event.session_id);
  if (known) return known;
  const project = await projectOfPlace(tx, {
    cwd: event.cwd ?? undefined,
    root: event.lore?.root ?? undefined,
    repo: event.lore?.repo ?? undefined,
  });
  await tx
    .insert(sessions)
    .values({
      projectId: project.id,
      clientSessionId: event.session_id,
      cwd: event.cwd,
      branch: event.lore?.branch,
      transcriptPath: event.transcript_path,
      startedAt: at,
      lastActivity: at,
    })
    .onConflictDoNothing();
  return (await findSession(tx, event.session_id)) as Session;
}

export type Recorded = { inserted: boolean; dedupKey: string; at: Date };

/**
 * Stores an event once. A repeated delivery changes nothing and gives `inserted: false`.
 * `target`: what the tool worked on; `files`: what it wrote.
 */
export async function recordEvent(
  tx: Tx,
  session: Session,
  event: HookEvent,
  options: { source: 'hook' | 'transcript'; at: Date; target: string | null; files: string[] },
): Promise<Recorded> {
  const key = dedupKey(event, session.starts);
  const added = await tx
    .insert(events)
    .values({
      sessionId: session.id,
      event: event.hook_event_name,
      dedupKey: key,
      source: options.source,
      agentId: event.agent_id,
      toolName: event.tool_name,
      toolUseId: event.tool_use_id,
      target: options.target,
      payload: event,
      occurredAt: options.at,
    })
    .onConflictDoNothing()
    .returning({ at: events.occurredAt });
  if (added.length === 0) {
    const [first] = await tx
      .select({ at: events.occurredAt })
      .from(events)
      .where(and(eq(events.sessionId, session.id), eq(events.dedupKey, key)));
    return { inserted: false, dedupKey: key, at: first?.at ?? options.at };
  }
  await updateSession(tx, session, event, options);
  return { inserted: true, dedupKey: key, at: options.at };
}

async function updateSession(
  tx: Tx,
  session: Session,
  event: HookEvent,
  options: { at: Date; files: string[] },
): Promise<void> {
  const name = event.hook_event_name;
  const toolCall = name === 'PostToolUse' || name === 'PostToolUseFailure';
  const tool = toolCall ? event.tool_name : null;
  const prompt =
    name === 'UserPromptSubmit' && event.prompt && !isNotification(event.prompt) ? event.prompt : null;
  const ends = name === 'SessionEnd';
  const at = options.at.toISOString();
  await tx
    .update(sessions)
    .set({
      lastActivity: sql`greatest(${sessions.lastActivity}, ${at}::timestamptz)`,
      // a recovered event from before the end does not reopen a session
      ...(ends
        ? { status: 'completed' as const, endedAt: options.at, outcome: event.reason ?? null }
        : {
            status: sql`case when ${sessions.endedAt} is null or ${sessions.endedAt} < ${at}::timestamptz
                        then 'active' else ${sessions.status} end`,
            endedAt: sql`case when ${sessions.endedAt} < ${at}::timestamptz then null else ${sessions.endedAt} end`,
          }),
      ...(name === 'SessionStart' && {
        starts: sql`${sessions.starts} + 1`,
        branch: event.lore?.branch ?? sql`${sessions.branch}`,
        transcriptPath: event.transcript_path ?? sql`${sessions.transcriptPath}`,
      }),
      ...(tool && {
        toolsUsed: sql`${sessions.toolsUsed} ||
          jsonb_build_object(${tool}::text, coalesce((${sessions.toolsUsed} ->> ${tool})::int, 0) + 1)`,
      }),
      ...(name === 'PostToolUseFailure' && { errorsEncountered: sql`${sessions.errorsEncountered} + 1` }),
      ...(options.files.length > 0 && {
        filesModified: sql`(select array_agg(distinct f) from unnest(
          ${sessions.filesModified} || ${sql.param(options.files)}::text[]) f)`,
      }),
      ...(prompt && {
        taskDescription: sql`coalesce(${sessions.taskDescription}, ${prompt.slice(0, 2000)})`,
        shortTitle: sql`coalesce(${sessions.shortTitle}, ${shortTitle(prompt)})`,
      }),
      ...(name === 'Stop' &&
        event.last_assistant_message && {
          summary: event.last_assistant_message.slice(0, 2000),
        }),
    })
    .where(eq(sessions.id, session.id));
}

/** The first line of a prompt, at most 80 characters, cut at a word. */
function shortTitle(prompt: string): string {
  const line = prompt.trim().split('\n', 1)[0] ?? '';
  return line.length <= 80 ? line : `${line.slice(0, 79).replace(/\s+\S*$/, '')}…`;
}

export async function listSessions(tx: Tx, filter: { projectId?: string | undefined; limit: number }) {
  return tx
    .select({ ...getSessionColumns(), project: projects.name })
    .from(sessions)
    .innerJoin(projects, eq(projects.id, sessions.projectId))
    .where(filter.projectId === undefined ? undefined : eq(sessions.projectId, filter.projectId))
    .orderBy(desc(sessions.lastActivity))
    .limit(filter.limit);
}

/** A session by Lore's id or the client's. */
export async function getSession(tx: Tx, id: string) {
  const [session] = await tx
    .select({ ...getSessionColumns(), project: projects.name })
    .from(sessions)
    .innerJoin(projects, eq(projects.id, sessions.projectId))
    .where(sql`${sessions.clientSessionId} = ${id} or ${sessions.id}::text = ${id}`);
  return session;
}

export async function listEvents(tx: Tx, sessionId: string, limit: number) {
  return tx
    .select({
      id: events.id,
      event: events.event,
      source: events.source,
      agentId: events.agentId,
      toolName: events.toolName,
      toolUseId: events.toolUseId,
      target: events.target,
      occurredAt: events.occurredAt,
    })
    .from(events)
    .where(eq(events.sessionId, sessionId))
    .orderBy(events.occurredAt, events.id)
    .limit(limit);
}

function getSessionColumns() {
  return {
    id: sessions.id,
    clientSessionId: sessions.clientSessionId,
    status: sessions.status,
    shortTitle: sessions.shortTitle,
    taskDescription: sessions.taskDescription,
    outcome: sessions.outcome,
    summary: sessions.summary,
    cwd: sessions.cwd,
    branch: sessions.branch,
    errorsEncountered: sessions.errorsEncountered,
    filesModified: sessions.filesModified,
    toolsUsed: sessions.toolsUsed,
    startedAt: sessions.startedAt,
    lastActivity: sessions.lastActivity,
    endedAt: sessions.endedAt,
  };
}

/** Completes sessions of the caller that went silent without a SessionEnd (a crash, a closed lid). */
export async function completeIdleSessions(
  tx: Tx,
  idleMinutes: number,
): Promise<{ id: string; projectId: string }[]> {
  return tx
    .update(sessions)
    .set({ status: 'completed', endedAt: sql`${sessions.lastActivity}`, outcome: 'idle' })
    .where(
      and(
        eq(sessions.status, 'active'),
        sql`${sessions.lastActivity} < now() - make_interval(mins => ${idleMinutes}::int)`,
      ),
    )
    .returning({ id: sessions.id, projectId: sessions.projectId });
}
