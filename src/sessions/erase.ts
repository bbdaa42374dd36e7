import { createHash } from 'node:crypto';
import { type SQL, sql } from 'drizzle-orm';
import type { Erased, Erasure } from '../db/erasure.ts';
import { query, type Tx } from '../db/open.ts';
import { refreshDashboard } from './dashboard.ts';

/** Returns SQL for a list of ids or texts as one parameter. */
const list = (values: string[], type: 'uuid' | 'text'): SQL =>
  sql`${sql.param(values)}${sql.raw(`::${type}[]`)}`;

type Which = { sessionId: string } | { projectId: string } | { before: string };

/**
 * Locks the sessions that an erasure may touch, so that no event of theirs is stored meanwhile. Returns those that are
 * erased whole: `before` erases a session whole if nothing happened in it since.
 */
export async function sessionsToErase(
  tx: Tx,
  which: Which,
): Promise<Pick<Erasure, 'sessions' | 'clientSessions'>> {
  const condition =
    'sessionId' in which
      ? sql`id = ${which.sessionId}`
      : 'projectId' in which
        ? sql`project_id = ${which.projectId}`
        : sql`started_at < ${which.before}::timestamptz`;
  const whole = 'before' in which ? sql`last_activity < ${which.before}::timestamptz` : sql`true`;
  const rows = await query<{ id: string; client: string; whole: boolean }>(tx)`
    select id, client_session_id as client, ${whole} as whole from sessions where ${condition}
    order by id for update`;
  const erased = rows.filter((row) => row.whole);
  return { sessions: erased.map(({ id }) => id), clientSessions: erased.map(({ client }) => client) };
}

/** Returns the folders that a project's sessions ran in, and those of other projects inside them. */
export async function foldersOf(tx: Tx, projectId: string): Promise<Erasure['folders']> {
  const rows = await query<{ folder: string; own: boolean }>(tx)`select folder, bool_or(own) as own from (
      select s.root as folder, s.project_id = ${projectId} as own from sessions s where s.root is not null
      union all select f, p.id = ${projectId} from projects p, unnest(p.roots || p.name) f where starts_with(f, '/')) f
    group by folder`;
  const own = rows.flatMap((row) => (row.own ? row.folder : []));
  const others = rows.flatMap((row) => (row.own ? [] : row.folder));
  return { own, except: others.filter((other) => own.some((folder) => other.startsWith(`${folder}/`))) };
}

/** The form in which the id of an erased session is remembered. It does not tell the id itself. */
const tombstone = (clientSessionId: string) => createHash('sha256').update(clientSessionId).digest('hex');
/** Stands for all sessions. */
const ALL = '';

/** Erases sessions and events, and the project itself when it is erased whole. Other rooms come first. */
export async function erase(tx: Tx, erasure: Erasure): Promise<Erased> {
  const { sessions, clientSessions, before, projectId, keepLearned, attached } = erasure;
  const ids = list(sessions, 'uuid');
  await remember(tx, erasure);
  const [events] = await query<{ n: string }>(tx)`
    select lore.erase_events(${ids}, ${before}::timestamptz) as n`;
  const turns = await count(tx)`
    delete from turns t where t.session = any (${list(clientSessions, 'text')}) or t.project_id = ${projectId}::uuid
      or t.started_at < ${before}::timestamptz returning 1`;
  const transcripts = await count(tx)`
    delete from transcript_cursors c where c.updated_at < ${before}::timestamptz or exists (
      select from sessions s where s.id = any (${ids})
        and (c.path = s.transcript_path
          or starts_with(c.path, regexp_replace(s.transcript_path, '[.]jsonl$', '') || '/')))
    returning 1`;
  const gone = await count(tx)`delete from sessions where id = any (${ids}) returning 1`;
  if (before !== null) await forgetBefore(tx, before);
  const projects = keepLearned
    ? 0
    : await count(tx)`
      delete from projects p where p.id <> all (${list(attached, 'uuid')}) and (p.id = ${projectId}::uuid
          or (p.last_activity < ${before}::timestamptz
            and not exists (select from sessions s where s.project_id = p.id)))
        returning 1`;
  await refreshDashboard(tx);
  return { events: Number(events?.n), turns, sessions: gone, transcripts, projects };
}

/** Removes from the sessions that stay what they keep of events before an instant. What they count begins anew. */
async function forgetBefore(tx: Tx, before: string): Promise<void> {
  await query(tx)`update sessions set
      task_description = null, short_title = null, task_type = null, complexity = null, summary = null,
      waiting_for = null, waits = '[]', files_modified = '{}', tools_used = '{}', errors_encountered = 0,
      started_at = ${before}::timestamptz
    where started_at < ${before}::timestamptz`;
}

/** Remembers what was erased, because the client's transcripts still hold it and are read at the next start. */
async function remember(tx: Tx, { clientSessions, before }: Erasure): Promise<void> {
  const whole = list(clientSessions.map(tombstone), 'text');
  await query(tx)`insert into erasures (session, until)
    select s, now() from unnest(${whole}) s
    union all select ${ALL}, least(${before}::timestamptz, now()) where ${before}::timestamptz is not null
    on conflict (user_id, session) do update set until = greatest(erasures.until, excluded.until)`;
}

/** Returns the events of transcripts that were not erased. */
export async function notErased<T extends { event: { session_id: string }; at: Date }>(
  tx: Tx,
  found: T[],
): Promise<T[]> {
  const sessions = [...new Set(found.map(({ event }) => event.session_id))];
  const rows = await query<{ session: string; until: number }>(tx)`
    select session, extract(epoch from until)::float8 * 1000 as until from erasures
    where session = any (${list([ALL, ...sessions.map(tombstone)], 'text')})`;
  const until = new Map(rows.map((row) => [row.session, row.until]));
  return found.filter(({ event, at }) =>
    [ALL, tombstone(event.session_id)].every((session) => at.getTime() > (until.get(session) ?? -1)),
  );
}

const count =
  (tx: Tx) =>
  async (...statement: Parameters<typeof sql>): Promise<number> =>
    (await query(tx, sql(...statement))).length;
