import { desc, eq, type SQL, sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import type { HookEvent } from './hook-event.ts';
import { events } from './schema.ts';

// What other rooms may ask about a session's events: which tool calls were made, and when.

const first = async <T>(tx: Tx, statement: SQL): Promise<T | null> =>
  (await query<T & Record<string, unknown>>(tx, statement))[0] ?? null;

/** Milliseconds since 1970 of an SQL time. */
const ms = (time: SQL): SQL => sql`extract(epoch from ${time})::float8 * 1000`;

/** Returns a session's last event; null if it has none. */
export async function lastEvent(tx: Tx, sessionId: string): Promise<{ event: string; at: Date } | null> {
  const [row] = await tx
    .select({ event: events.event, at: events.occurredAt })
    .from(events)
    .where(eq(events.sessionId, sessionId))
    .orderBy(desc(events.occurredAt), desc(events.id))
    .limit(1);
  return row ?? null;
}

/** The start after a compaction and the end of the compaction are at most this far apart. */
export const COMPACTS_WITHIN_MS = 60_000;

/**
 * Returns when a session's context was last compacted, in milliseconds since 1970; 0 if it never was. The client starts
 * the session anew (`SessionStart`, source `compact`) before it says that it has compacted: what that start offers is in
 * the new context.
 */
export async function lastCompaction(tx: Tx, sessionId: string): Promise<number> {
  const row = await first<{ start: number | null; end: number | null }>(
    tx,
    sql`select ${ms(sql`max(e.occurred_at) filter (where e.event = 'SessionStart')`)} as start,
          ${ms(sql`max(e.occurred_at) filter (where e.event = 'PostCompact')`)} as end
        from events e where e.session_id = ${sessionId}
          and (e.event = 'PostCompact' or e.event = 'SessionStart' and e.payload ->> 'source' = 'compact')`,
  );
  const { start, end } = { start: row?.start ?? 0, end: row?.end ?? 0 };
  return end - start > COMPACTS_WITHIN_MS ? end : start;
}

/** What the client said about itself when a session last started: the skills in its own folders, the last commits. */
export type ToldAtStart = { skills: string[]; commits: string[] };

/** Returns what the client said when a session last started; empty lists if it said nothing. */
export async function toldAtStart(tx: Tx, sessionId: string): Promise<ToldAtStart> {
  const row = await first<{ lore: HookEvent['lore'] }>(
    tx,
    sql`select payload -> 'lore' as lore from events
        where session_id = ${sessionId} and event = 'SessionStart' order by occurred_at desc limit 1`,
  );
  return { skills: row?.lore?.skills ?? [], commits: row?.lore?.commits ?? [] };
}

/** Returns whether a call has run in a session since an instant, whether or not it worked. */
export async function hasRunSince(
  tx: Tx,
  sessionId: string,
  since: SQL,
  agentId: string | null = null,
): Promise<boolean> {
  const found = await first(
    tx,
    sql`select 1 from events e
        where e.session_id = ${sessionId} and e.event in ('PostToolUse', 'PostToolUseFailure')
          and e.occurred_at >= ${since} and (${agentId}::text is null or e.agent_id = ${agentId}) limit 1`,
  );
  return found !== null;
}

/** Tools that change a file. */
export const CHANGES_FILES: ReadonlySet<string> = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit']);
const CHANGED = sql`c.event = 'PostToolUse' and c.tool_name in ('Edit', 'MultiEdit', 'Write', 'NotebookEdit')`;
/** How many passed lines are known of a session: before a commit there are few. */
export const MAX_PASSED = 30;

/** Returns the shell lines that passed in a session since the last change of a file, the oldest first. */
export async function linesPassed(
  tx: Tx,
  sessionId: string,
): Promise<{ line: string; cwd: string | null }[]> {
  const lines = await query<{ line: string; cwd: string | null; passed: boolean }>(
    tx,
    sql`select e.payload #>> '{tool_input,command}' as line, e.payload ->> 'cwd' as cwd,
          e.event = 'PostToolUse' as passed
        from events e
        where e.session_id = ${sessionId} and e.event in ('PostToolUse', 'PostToolUseFailure')
          and e.payload #>> '{tool_input,command}' is not null
          and e.occurred_at > coalesce((select max(c.occurred_at) from events c
            where c.session_id = ${sessionId} and ${CHANGED}), '-infinity')
        order by e.occurred_at desc, e.id desc limit ${MAX_PASSED}`,
  );
  const passed: { line: string; cwd: string | null }[] = [];
  const seen = new Set<string>();
  for (const { line, cwd, passed: went } of lines) {
    if (!seen.has(line) && went) passed.unshift({ line, cwd });
    seen.add(line);
  }
  return passed;
}

/** Returns SQL for the time of a person's next prompt in a session, between two instants; null if none came. */
export const nextPrompt = (sessionId: SQL, after: SQL, until: SQL): SQL =>
  sql`(select min(e.occurred_at) from events e
       where e.session_id = ${sessionId} and e.event = 'UserPromptSubmit'
         and e.occurred_at > ${after} and e.occurred_at <= ${until} and is_persons_prompt(e.payload))`;

/** Returns SQL for the time of a person's last prompt in a session; null if there is none. */
export const lastPrompt = (sessionId: string): SQL =>
  sql`(select max(e.occurred_at) from events e
       where e.session_id = ${sessionId} and e.event = 'UserPromptSubmit' and is_persons_prompt(e.payload))`;

/** Returns the shell commands of a session's own agent that worked after an instant, each with its time. */
export const commandsThatWorked = (
  tx: Tx,
  sessionId: string,
  after: string,
): Promise<{ command: string; at: string }[]> =>
  query(
    tx,
    sql`select e.payload #>> '{tool_input,command}' as command, e.occurred_at::text as at from events e
        where e.session_id = ${sessionId} and e.event = 'PostToolUse' and e.tool_name in ('Bash', 'PowerShell')
          and e.agent_id is null and e.occurred_at > ${after}::timestamptz
          and e.payload #>> '{tool_input,command}' is not null
        order by e.occurred_at desc limit 50`,
  );

/** Returns SQL for the subagent whose event a delivery was; null for the session's own agent. */
export const agentOfDelivery = (sessionId: SQL, dedupKey: SQL): SQL =>
  sql`(select e.agent_id from events e where e.session_id = ${sessionId} and e.dedup_key = ${dedupKey})`;

/** What a session is about: its first and its last prompt, the last skill, the files that it wrote, the newest first. */
export type Work = { task: string | null; prompt: string | null; skill: string | null; files: string[] };

/** Returns what a session is about, with up to `mostFiles` files. */
export async function workOf(tx: Tx, sessionId: string, mostFiles: number): Promise<Work> {
  const work = await first<Work>(
    tx,
    sql`select s.task_description as task,
          (select left(e.payload ->> 'prompt', 4000) from events e
           where e.session_id = s.id and e.event = 'UserPromptSubmit' and is_persons_prompt(e.payload)
             and ltrim(e.payload ->> 'prompt', E' \\n\\t') !~ '^/[a-zA-Z][a-zA-Z0-9:_-]*($|[[:space:]])'
           order by e.occurred_at desc, e.id desc limit 1) as prompt,
          (select coalesce(e.payload #>> '{tool_input,skill}', e.payload #>> '{tool_input,command}') from events e
           where e.session_id = s.id and e.event = 'PostToolUse' and e.tool_name = 'Skill'
           order by e.occurred_at desc, e.id desc limit 1) as skill,
          array(select w.file from (
              select coalesce(c.payload #>> '{tool_input,file_path}', c.payload #>> '{tool_input,notebook_path}') as file,
                max(c.occurred_at) as at, max(c.id) as id
              from events c where c.session_id = s.id and ${CHANGED} group by 1 order by 2 desc, 3 desc) w
            where w.file is not null limit ${mostFiles}) as files
        from sessions s where s.id = ${sessionId}`,
  );
  return work ?? { task: null, prompt: null, skill: null, files: [] };
}

/** Returns what a subagent of a session said at its end; null if it has not ended. */
export async function lastWordsOf(tx: Tx, sessionId: string, agentId: string): Promise<string | null> {
  const row = await first<{ said: string }>(
    tx,
    sql`select coalesce(payload ->> 'last_assistant_message', '') as said from events
        where session_id = ${sessionId} and agent_id = ${agentId} and event = 'SubagentStop'
        order by occurred_at desc limit 1`,
  );
  return row?.said ?? null;
}

/**
 * Returns the calls of a session that started an agent of a kind and have no answer yet. Returns none if it
 * is already known which call started this agent.
 */
export const unansweredAgentCalls = (
  tx: Tx,
  sessionId: string,
  agent: { agentId: string | null; agentType: string | null },
): Promise<{ id: string; prompt: string }[]> =>
  query(
    tx,
    sql`select e.tool_use_id as id, coalesce(e.payload #>> '{tool_input,prompt}', '') as prompt from events e
        where e.session_id = ${sessionId} and e.event = 'PreToolUse' and e.tool_name in ('Agent', 'Task')
          and coalesce(e.payload #>> '{tool_input,subagent_type}', 'general-purpose') = ${agent.agentType}::text
          and not exists (select from events a
            where a.session_id = e.session_id and a.event in ('PostToolUse', 'PostToolUseFailure')
              and (a.tool_use_id = e.tool_use_id
                or a.tool_name = e.tool_name and a.payload #>> '{tool_response,agentId}' = ${agent.agentId}::text))
        order by e.occurred_at, e.id`,
  );

/** Returns the call whose answer says that it started an agent; null if none is known. It may come before the agent's start. */
export const answeredAgentCall = (
  tx: Tx,
  sessionId: string,
  agentId: string | null,
): Promise<{ id: string; prompt: string } | null> =>
  first(
    tx,
    sql`select tool_use_id as id, coalesce(payload #>> '{tool_input,prompt}', '') as prompt from events
        where session_id = ${sessionId} and event = 'PostToolUse' and tool_name in ('Agent', 'Task')
          and payload #>> '{tool_response,agentId}' = ${agentId}::text limit 1`,
  );

/** A prompt of a session, as it is stored. */
export type StoredPrompt = { text: string; clientSessionId: string };

/** Returns the last prompt of a session that holds these words; null if there is none. */
export const promptWith = (tx: Tx, sessionId: string, words: string): Promise<StoredPrompt | null> =>
  first(
    tx,
    sql`select payload ->> 'prompt' as text, payload ->> 'session_id' as "clientSessionId" from events
        where session_id = ${sessionId} and event = 'UserPromptSubmit' and strpos(payload ->> 'prompt', ${words}) > 0
        order by occurred_at desc, id desc limit 1`,
  );

/** A call that a hook reported: the client's id of its session, the project, and the agent (null: the session's own). */
type HookedCall = { session: string; project: string; agentId: string | null; agentType: string | null };

/** Returns the call that the client gave this id, if it was made in a session of the last day; null otherwise. */
export const hookedCall = (tx: Tx, toolUseId: string): Promise<HookedCall | null> =>
  // by the key of the delivery, which has an index within a session: few sessions are at work at a time
  first(
    tx,
    sql`select s.client_session_id as session, p.name as project, e.agent_id as "agentId",
          e.payload ->> 'agent_type' as "agentType"
        from sessions s join projects p on p.id = s.project_id
          join events e on e.user_id = s.user_id and e.session_id = s.id
            and e.dedup_key = ${`PreToolUse:${toolUseId}`}
        where s.last_activity > now() - interval '1 day' limit 1`,
  );
