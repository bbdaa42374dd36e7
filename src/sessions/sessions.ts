import { z } from '@hono/zod-openapi';
import { eq, type SQL, sql } from 'drizzle-orm';
import { Problem } from '../base/errors/problem.ts';
import { clip } from '../base/text/clip.ts';
import { withoutMark } from '../base/text/short-id.ts';
import { query, type Tx } from '../db/open.ts';
import { kindOf, type Row } from '../kinds/kind.ts';
import { isPersonsPrompt } from './author.ts';
import { dedupKey, type HookEvent, isNameless, waitsFor } from './hook-event.ts';
import { type SESSION_STATUSES, sessions } from './schema.ts';
import type { Usage } from './transcript.ts';
import { placeOf, projectOfPlace } from './which-project.ts';

// Sessions. SQL keeps their turns and joins two projects: sql/sessions.

/** Whether a session is offered memory, or it is withheld to see what difference memory makes. */
export type Arm = 'memory' | 'withheld';

export type Session = {
  id: string;
  projectId: string;
  /** the plan that it follows */
  planId: string | null;
  /** the work tree that it runs in, else the folder where it began; null when neither is known */
  root: string | null;
  branch: string | null;
  status: (typeof SESSION_STATUSES)[number];
  starts: number;
  /** null: it takes no part in the comparison */
  arm: Arm | null;
  /** how much ceremony its task needs; null: it was not prompted */
  taskType: 'quick' | 'focused' | 'complex' | null;
  complexity: 'low' | 'medium' | 'high' | null;
};

/** A session as far as most work on it needs to know it. */
export type SessionIds = Pick<Session, 'id' | 'projectId'>;

const KNOWN = sql`id, project_id as "projectId", plan_id as "planId", root, branch, status, starts, arm, complexity,
  task_type as "taskType", transcript_path as "transcriptPath", task_description as task`;

async function known(tx: Tx, is: SQL) {
  const [session] = await query<Session & Record<'transcriptPath' | 'task', string | null>>(tx)`
    select ${KNOWN} from sessions where ${is}`;
  return session;
}

/** Returns the session with this id of the client; undefined if it is new. */
export const findSession = (tx: Tx, clientSessionId: string): Promise<Session | undefined> =>
  known(tx, sql`client_session_id = ${clientSessionId}`);

/** Returns a session by Lore's id, with its transcript and its task; undefined if it is gone. */
export const sessionOfId = (tx: Tx, id: string) => known(tx, sql`id = ${id}::uuid`);

/** Creates the session of a hook event, which is new. `projectId`: the project that the key of its client is for */
export async function openSession(
  tx: Tx,
  event: HookEvent,
  at: Date,
  { arm, projectId }: { arm: Arm | null; projectId: string | null | undefined },
): Promise<Session> {
  const project = await projectOfPlace(tx, placeOf(event), projectId);
  await query(tx)`
    insert into sessions (project_id, client_session_id, cwd, root, branch, transcript_path, started_at, last_activity, arm)
    values (${project.id}, ${event.session_id}, ${event.cwd ?? null}, ${project.root}, ${event.lore?.branch ?? null},
      ${event.transcript_path ?? null}, ${at.toISOString()}::timestamptz, ${at.toISOString()}::timestamptz, ${arm})
    on conflict do nothing`;
  return (await findSession(tx, event.session_id)) as Session;
}

/** Returns the key under which an event is stored. One without an id is told by its time: `answerOnce` knows repeated ones. */
export function deliveryKey({ starts }: Session, event: HookEvent, at: Date): string {
  const key = dedupKey(event, starts);
  return isNameless(event) ? `${key}@${at.toISOString()}` : key;
}

export type Recorded = { inserted: boolean; dedupKey: string; at: Date };

/** An event as it is stored. `target`: what the tool worked on; `files`: what it wrote. */
export type EventToRecord = {
  session: Session;
  event: HookEvent;
  /** see `deliveryKey` */
  key: string;
  source: 'hook' | 'transcript';
  at: Date;
  target: string | null;
  files: string[];
};

/**
 * Stores events in their order, and what they tell about their sessions. A repeated delivery changes nothing
 * and returns `inserted: false`, with the time of the first delivery.
 */
export async function recordEvents(tx: Tx, items: EventToRecord[]): Promise<Recorded[]> {
  if (items.length === 0) return [];
  const entries = items.map(({ session, event, ...item }) => {
    const { hook_event_name: name, prompt, last_assistant_message: said } = event;
    const asked = name === 'UserPromptSubmit' && prompt && isPersonsPrompt(event) ? prompt : null;
    return {
      ...item,
      session_id: session.id,
      hook: event,
      task: asked && clip(asked, 2000),
      title: asked && titleOf(asked),
      said: name === 'Stop' && said ? clip(said, 2000) : null,
      begins: waitsFor(event),
    };
  });
  const [row] = await query<{ results: (string | null)[] }>(tx)`
    select to_json(record_events(${JSON.stringify(entries)}::jsonb)) as results`;
  return entries.map(({ key, at }, i) => {
    const first = row?.results[i] ?? null;
    return { inserted: first === null, dedupKey: key, at: first === null ? at : new Date(first) };
  });
}

/** A session as it is shown, as far as other rooms read it. */
type Shown = Row & { clientSessionId: string; project: string };

/** Returns how sessions are shown. `more`: what other rooms know of a session `t` */
export const kindOfSessions = (more: Parameters<typeof kindOf>[3] = {}) =>
  kindOf<Shown>(
    'session',
    sessions,
    ['waits', 'root', 'transcriptPath', 'starts', 'arm'],
    {
      toolsUsed: { as: z.record(z.string(), z.number()), sql: sql`t.tools_used` },
      // those from the cache do not count
      tokens: { as: z.number().nullable(), sql: sql`t.tokens::float8` },
      ...more,
    },
    'last_activity',
  );
const shownSessions = kindOfSessions();

/** Stores what a session used, as far as it is known. */
export async function noteUsage(tx: Tx, id: string, { tokens, model }: Usage): Promise<void> {
  await query(tx)`
    update sessions set tokens = coalesce(${tokens}::bigint, tokens), model = coalesce(${model}::text, model)
    where id = ${id} and (${tokens}::bigint is not null or model is distinct from coalesce(${model}::text, model))`;
}

/**
 * Locks a session: other transactions that would change it wait for this one. A transaction that changes a
 * session and its learning requests must begin with this. The storing of hooks locks both in this order, and
 * another order would lead to deadlocks.
 */
export async function lockSession(tx: Tx, id: string): Promise<void> {
  await query(tx)`select 1 from sessions where id = ${id}::uuid for no key update`;
}

/** Says how a session ended that was not completed. One that goes on stays active. */
export async function settleStatus(tx: Tx, id: string, status: 'failed' | 'stopped'): Promise<void> {
  await query(tx)`update sessions set status = ${status} where id = ${id} and status <> 'active'`;
}

/** A session that is older than this many days does not count as the last one. */
const LAST_SESSION_DAYS = 30;

/** A session as the next one is told of it. `said`: its last message, cut. */
type LastSession = {
  id: string;
  title: string | null;
  said: string | null;
  status: Session['status'];
  lastActivity: Date;
  /** whether others have begun since, which left nothing behind */
  followed: boolean;
};

/**
 * Returns the session before this one in its project and branch. A session that changed no file, met no error and
 * was not stopped left nothing behind, so it is passed over. Null if there is none in the last month.
 */
export async function lastSession(
  tx: Tx,
  session: { id: string; projectId: string; branch: string | null },
): Promise<LastSession | null> {
  const [row] = await query<Omit<LastSession, 'lastActivity'> & { at: number }>(tx)`
    select s.id, s.short_title as title, s.summary as said, s.status,
      extract(epoch from s.last_activity)::float8 * 1000 as at, exists (select from sessions o
        where o.user_id = s.user_id and o.project_id = s.project_id and o.branch is not distinct from s.branch
          and o.id not in (s.id, ${session.id}) and o.started_at > s.started_at) as followed
    from sessions s
    where s.user_id = auth.uid() and s.project_id = ${session.projectId} and s.id <> ${session.id}
      and s.branch is not distinct from ${session.branch}
      and (s.files_modified <> '{}' or s.status in ('failed', 'stopped') or s.status = 'active' and s.errors_encountered > 0)
      and s.last_activity > now() - make_interval(days => ${LAST_SESSION_DAYS}::int)
    order by s.last_activity desc limit 1`;
  if (!row) return null;
  const { at, ...last } = row;
  return { ...last, lastActivity: new Date(at) };
}

/** Returns SQL for another room's select list: the client's session id, by the column with Lore's session id. */
export const clientSessionId = (id: SQL) =>
  sql<string>`(select s.client_session_id from sessions s where s.id = ${id})`;

/** What a caller is answered who names a session that they do not have. */
export const noSession = (id: string): Problem =>
  new Problem({ status: 404, title: 'Session not found', detail: `You have no session ${id}.` });

/** Returns a session by Lore's id or the client's id, or 8 characters of that; undefined when the caller has none. */
export async function getSession(tx: Tx, id: string): Promise<Shown | undefined> {
  const is = sql`(t.client_session_id = ${id} or t.id::text = ${id}
    or length(${id}) = 8 and starts_with(t.client_session_id, ${id}))`;
  const [session] = await shownSessions.read(tx, is, sql`order by t.last_activity desc limit 1`);
  return session;
}

/** A session by which it is named, with what it is about. */
type Named = { id: string; content: string | null; project: string; from: string; ageDays: number };

/** Returns at most two of the caller's sessions whose id, Lore's or the client's, begins with a text of 8 characters or more. */
export async function sessionsNamed(tx: Tx, text: string, projectId?: string): Promise<Named[]> {
  const beginning = withoutMark(text.trim());
  if (!/^[\w-]{8,}$/.test(beginning)) return [];
  return query<Named>(tx)`select s.id, s.short_title as content, p.name as project, s.started_at as "from",
      extract(epoch from now() - s.last_activity)::float8 / 86400 as "ageDays"
    from sessions s join projects p on p.id = s.project_id
    where (starts_with(s.id::text, ${beginning}) or starts_with(lower(s.client_session_id), ${beginning}))
      and (${projectId ?? null}::uuid is null or s.project_id = ${projectId ?? null}::uuid)
    order by s.last_activity desc limit 2`;
}

/** Keeps the turns of a session, so that they can be searched. Keeping them again changes nothing. */
export async function keepTurns(tx: Tx, sessionId: string, which: 'last' | 'all'): Promise<void> {
  await query(tx)`select keep_turns(${sessionId}, ${which === 'all'})`;
}

const isIdle = (minutes: number) =>
  sql`status = 'active' and last_activity < now() - make_interval(mins => ${minutes}::int)`;

/** Returns the ids of the caller's sessions that `completeIfIdle` would complete. */
export async function idleSessions(tx: Tx, idleMinutes: number): Promise<string[]> {
  const rows = await query<{ id: string }>(tx)`select id from sessions where ${isIdle(idleMinutes)}`;
  return rows.map(({ id }) => id);
}

/**
 * Completes a session if it has had no event for `idleMinutes` and no SessionEnd (a crash, a closed lid). Returns it;
 * undefined if it goes on.
 */
export async function completeIfIdle(tx: Tx, id: string, idleMinutes: number) {
  const [ended] = await query<SessionIds & { transcriptPath: string | null }>(tx)`
    update sessions set status = 'completed', ended_at = last_activity, outcome = 'idle'
    where id = ${id} and ${isIdle(idleMinutes)}
    returning id, project_id as "projectId", transcript_path as "transcriptPath"`;
  return ended;
}

/** Removes plans that are erased from the sessions that follow them. */
export async function forgetPlans(tx: Tx, planIds: string[]): Promise<void> {
  await query(tx)`update sessions set plan_id = null where plan_id = any (${sql.param(planIds)}::uuid[])`;
}

/** Stores how much ceremony a session's task needs: the most that any of its prompts needed. */
export async function keepIntent(
  tx: Tx,
  session: Session,
  { intent, complexity }: { intent: 'quick' | 'focused' | 'complex'; complexity: 'low' | 'medium' | 'high' },
): Promise<void> {
  const most = <T>(levels: T[], known: T | null, now: T): T =>
    known !== null && levels.indexOf(known) > levels.indexOf(now) ? known : now;
  const needs: Pick<Session, 'taskType' | 'complexity'> = {
    taskType: most(['quick', 'focused', 'complex'], session.taskType, intent),
    complexity: most(['low', 'medium', 'high'], session.complexity, complexity),
  };
  if (needs.taskType === session.taskType && needs.complexity === session.complexity) return;
  Object.assign(session, needs);
  await tx.update(sessions).set(needs).where(eq(sessions.id, session.id));
}

/** Gives a session a title in the words of its agent. */
export async function nameSession(tx: Tx, sessionId: string, words: string): Promise<void> {
  await query(tx)`update sessions set short_title = ${titleOf(words)} where id = ${sessionId}`;
}

/** Sets the plan that a session follows. */
export async function followPlan(tx: Tx, sessionId: string, planId: string): Promise<void> {
  await query(tx)`update sessions set plan_id = ${planId}, mode = 'planned' where id = ${sessionId}`;
}

/** Words by which a person asks politely, at the beginning of a prompt. They say nothing about the task. */
const POLITE =
  /^(?:(?:(?:hi|hey|hello)(?: there| claude)?|thanks|thank you|ok(?:ay)?|so|now|please|just)\b[\s,.!:;-]*|(?:can|could|would|will) you\b(?: please)?[\s,]*|(?:i(?:'d| would) like(?: you)? to|i (?:want|need)(?: you)? to|let(?:'s| us)|help me(?: to)?)\b[\s,]*)+/i;
/** A rule that a person states beside the task, and words that only send on. */
const ASIDE = /^(?:never|always|from now on|do not|don['’]t)\b|^(?:go on|keep going|continue)[\s.!]*$/i;
const MAX_WORDS = 8;
const MAX_CHARACTERS = 80;

/**
 * Returns what a prompt asks for, in at most eight words and 80 characters of its first sentence that is no aside (else of
 * the longest), without politeness.
 */
function titleOf(prompt: string): string {
  const line = prompt.trim().split('\n', 1)[0] ?? '';
  const said = line.split(/(?<=\w[.!?])\s+(?=\p{Lu})/u).map((one) => one.replace(POLITE, ''));
  const [longest] = said.toSorted((a, b) => b.length - a.length);
  const asked = said.find((one) => one !== '' && !ASIDE.test(one)) ?? longest;
  const words = (asked?.trim() || line).split(/\s+/);
  const title = clip(words.slice(0, MAX_WORDS).join(' '), MAX_CHARACTERS);
  const whole = title === words.join(' ');
  const named = whole
    ? title.replace(/(?<=[\p{L}\p{N}`)])[.!:]$/u, '')
    : `${title.replace(/[\s,;:.…-]+$/, '')}…`;
  return named.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}
