import { z } from '@hono/zod-openapi';
import { getTableColumns, inArray, type SQL, sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import { kindOf, type Row } from '../kinds/kind.ts';
import type { HookEvent } from '../sessions/hook-event.ts';
import { projectNameOf } from '../sessions/projects.ts';
import type { Session } from '../sessions/sessions.ts';
import { lineOfTool } from '../shell/line.ts';
import { isExpectedExit } from './detect.ts';
import { isClientsOwn, isLores, isLoresCommand } from './not-ours.ts';
import { incidents, Resolution, Tried } from './schema.ts';
import { errorSignature } from './signature.ts';

// Errors of tool calls, from the call that failed until another one answers it. SQL: sql/incidents.

/** The signature of the error of a tool call. */
export type ErrorSignature = ReturnType<typeof errorSignature> & { tool: string; toolUseId: string };

/**
 * Returns the signature of a tool call's error. Returns null if it is no error of the project: an interrupt, a call that
 * a person or the client refused, a call of Lore itself, or an exit code that is an answer (`grep` without a match).
 */
export function errorSignatureOf(
  event: HookEvent,
  call: { target: string | null; error: string },
): ErrorSignature | null {
  const tool = event.tool_name;
  if (!tool || !event.tool_use_id || event.is_interrupt) return null;
  if (isLores(event) || isClientsOwn(call.error)) return null;
  const line = lineOfTool(tool, event.tool_input);
  if (line !== null && (isLoresCommand(line, call.error) || isExpectedExit(line, call.error))) return null;
  return {
    ...errorSignature({ tool, target: call.target, error: call.error }),
    tool,
    toolUseId: event.tool_use_id,
  };
}

/** Stores the error of a tool call as an open incident. Does nothing if it is stored already. */
export async function openIncident(
  tx: Tx,
  session: Session,
  signature: ErrorSignature,
  { event, target, at }: { event: HookEvent; target: string | null; at: Date },
): Promise<void> {
  await query(tx)`
    insert into incidents (project_id, session_id, agent_id, tool_name, tool_use_id, target, input, error, error_type,
      signature, signature_text, opened_at)
    values (${session.projectId}, ${session.id}, ${event.agent_id ?? null}, ${signature.tool}, ${signature.toolUseId},
      ${target}, ${JSON.stringify(event.tool_input ?? {})}::jsonb, ${signature.salient}, ${signature.errorType},
      ${signature.id}, ${signature.text}, ${at.toISOString()}::timestamptz)
    on conflict do nothing`;
}

/** SQL for whether an incident `i` is an error. Earlier versions kept what Lore did not let run as one. */
const isError = (i: SQL): SQL => sql`is_error(${i})`;

/** Marks the session's open incidents as unresolved. */
export async function closeOpenIncidents(tx: Tx, sessionId: string): Promise<void> {
  await query(
    tx,
  )`update incidents set status = 'unresolved' where session_id = ${sessionId} and status = 'open'`;
}

/** Returns SQL for whether an agent of a session met an error after an instant, and until another. */
export const incidentBetween = (sessionId: string, agentId: SQL, after: SQL, until: SQL): SQL =>
  sql`exists (select from incidents i
       where i.session_id = ${sessionId} and i.agent_id is not distinct from ${agentId}
         and i.opened_at >= ${after} and i.opened_at <= ${until} and ${isError(sql`i`)})`;

/** Returns SQL for how many errors a session met. */
export const errorsMet = (sessionId: SQL): SQL =>
  sql`(select count(*)::int from incidents i where i.session_id = ${sessionId} and ${isError(sql`i`)})`;

/** SQL for whether a row `n` is the same error as `t`, wherever in the project it came. */
const EQUAL = sql`n.user_id = t.user_id and n.project_id = t.project_id and n.signature = t.signature and is_error(n)`;
const CLIENT_SESSION = sql`(select s.client_session_id from sessions s where s.id = t.session_id)`;

/** Errors as they are shown. `call`: the whole line of a shell, else the target; `times`: how often it came in its project */
export const shownIncidents = kindOf<Row & { call: string | null; error: string }>(
  'error',
  incidents,
  ['toolUseId', 'input', 'signatureText'],
  {
    sessionId: { as: z.string().nullable(), sql: CLIENT_SESSION },
    call: { as: z.string().nullable(), sql: sql`coalesce(t.input ->> 'command', t.target)` },
    times: { as: z.number(), sql: sql`(select count(*)::int from incidents n where ${EQUAL})` },
    resolution: { as: Resolution.nullable(), sql: sql`t.resolution` },
    tried: { as: Tried.nullable(), sql: sql`t.tried` },
  },
  'opened_at',
);

/** Returns errors of the caller, the newest first. One that came again (of a session: at the same call) is one, as it stands since. */
export function listIncidents(
  tx: Tx,
  projectId: string | undefined,
  filter: {
    /** unsolved: open or unresolved */
    status?: 'open' | 'resolved' | 'unresolved' | 'unsolved' | undefined;
    /** the client's session id, or Lore's */
    session?: string | undefined;
    limit: number;
  },
) {
  const { status, session } = filter;
  const there =
    session === undefined
      ? sql``
      : sql`and n.session_id = t.session_id and n.target is not distinct from t.target`;
  const where = [
    sql`is_error(t) and not exists (
      select from incidents n where ${EQUAL} ${there} and (n.opened_at, n.id) > (t.opened_at, t.id))`,
    projectId && sql`t.project_id = ${projectId}::uuid`,
    status === 'unsolved' ? sql`t.status <> 'resolved'` : status && sql`t.status = ${status}`,
    session && sql`(${CLIENT_SESSION} = ${session} or t.session_id::text = ${session})`,
  ];
  return shownIncidents.list(tx, where, filter);
}

/** Returns incidents by their ids, each with the work tree and branch of its session, in any order. */
export async function loadIncidents(tx: Tx, ids: string[]) {
  if (ids.length === 0) return [];
  const ofSession = (column: 'root' | 'branch') =>
    sql<string | null>`(select s.${sql.raw(column)} from sessions s where s.id = ${incidents.sessionId})`;
  const rows = await tx
    .select({
      ...getTableColumns(incidents),
      projectName: projectNameOf(incidents.projectId),
      root: ofSession('root'),
      branch: ofSession('branch'),
    })
    .from(incidents)
    .where(inArray(incidents.id, ids));
  return rows.map(({ input, ...about }) => ({ ...about, line: lineOfTool(about.toolName, input) }));
}

/** Returns an incident as {@link loadIncidents} does; undefined if it is gone. */
export const loadIncident = async (tx: Tx, id: string): Promise<LoadedIncident | undefined> =>
  (await loadIncidents(tx, [id]))[0];
export type LoadedIncident = Awaited<ReturnType<typeof loadIncidents>>[number];

/**
 * Returns the error of a session that a description means: the one of which a line stands in it with the largest part of
 * its words, at least two and more than half. Null if there is none.
 */
export async function incidentMeant(tx: Tx, sessionId: string, description: string): Promise<string | null> {
  const [row] = await query<{ id: string }>(tx)`select id from (
      select i.id, i.opened_at, count(*) as words, count(*) filter (where strpos(${description.toLowerCase()}, w) > 0) as shared
      from incidents i, string_to_table(lower(i.error), E'\n') with ordinality line(text, n),
        lateral (select distinct m[1] as w from regexp_matches(line.text, '\\w{4,}', 'g') m) words
      where i.session_id = ${sessionId} group by i.id, i.opened_at, line.n) f
    where shared >= 2 and shared * 2 > words order by shared::float8 / words desc, shared desc, opened_at desc limit 1`;
  return row?.id ?? null;
}

/** Returns the errors of a session, the oldest first, at most the first `limit` of them. */
export const errorsOfSession = (tx: Tx, sessionId: string, limit = 1_000) =>
  query<Met>(tx)`
    select id, tool_use_id as "toolUseId", tool_name as tool, target, input, error, signature, status, resolution
    from incidents i where session_id = ${sessionId} and ${isError(sql`i`)}
    order by opened_at, id limit ${limit}::int`;

type Met = Pick<
  typeof incidents.$inferSelect,
  'id' | 'toolUseId' | 'target' | 'input' | 'error' | 'signature' | 'status' | 'resolution'
> & { tool: string };
