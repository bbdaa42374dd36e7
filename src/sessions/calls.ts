import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { query, type Tx } from '../db/open.ts';
import type { HookEvent } from './hook-event.ts';
import { sessionOfId } from './sessions.ts';

// What other rooms may ask about a session's events: which tool calls were made, and when.

/** An event, without what a tool answered. `at` has microseconds. */
type Found = { event: string; at: string; toolUseId: string | null; payload: HookEvent };

/** Returns events of a session that fit a condition on `e`, the last first. */
const find = (tx: Tx, sessionId: string, where: SQL, limit = 1): Promise<Found[]> =>
  query<Found>(tx)`
    select e.event, e.occurred_at::text as at, e.tool_use_id as "toolUseId", e.payload - 'tool_response' as payload
    from events e where e.session_id = ${sessionId} and ${where}
    order by e.occurred_at desc, e.id desc limit ${limit}`;

const RAN = sql`e.event in ('PostToolUse', 'PostToolUseFailure')`;
const IS_COMMAND = sql`e.payload #>> '{tool_input,command}' is not null`;
const commandOf = ({ payload }: Found): string => String(payload.tool_input?.command);

/** Returns a session's last event; undefined if it has none. */
export async function lastEvent(tx: Tx, sessionId: string): Promise<{ event: string; at: Date } | undefined> {
  const [last] = await find(tx, sessionId, sql`true`);
  return last && { event: last.event, at: new Date(last.at) };
}

/** Returns when a session's context was last compacted, in milliseconds since 1970; 0 if it never was. */
export async function lastCompaction(tx: Tx, sessionId: string): Promise<number> {
  const starts = sql`e.event = 'SessionStart' and e.payload ->> 'source' = 'compact'`;
  const [start] = await find(tx, sessionId, starts);
  return Date.parse(start?.at ?? '') || 0;
}

/** What the client said about itself when a session last started: the skills in its own folders, the last commits. */
export type ToldAtStart = { skills: string[]; commits: string[] };

/** Returns what the client said when a session last started; empty lists if it said nothing. */
export async function toldAtStart(tx: Tx, sessionId: string): Promise<ToldAtStart> {
  const [start] = await find(tx, sessionId, sql`e.event = 'SessionStart'`);
  const { skills, commits } = start?.payload.lore ?? {};
  return { skills: skills ?? [], commits: commits ?? [] };
}

/** Returns whether a call has run in a session since an instant, whether or not it worked. */
export const hasRunSince = async (
  tx: Tx,
  sessionId: string,
  since: SQL,
  agentId: string | null = null,
): Promise<boolean> => {
  const of = sql`(${agentId}::text is null or e.agent_id = ${agentId})`;
  return (await find(tx, sessionId, sql`${RAN} and e.occurred_at >= ${since} and ${of}`)).length > 0;
};

/** Tools that change a file. */
export const CHANGES_FILES: ReadonlySet<string> = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit']);
const CHANGED = sql`e.event = 'PostToolUse'
  and e.tool_name = any(${sql.param([...CHANGES_FILES])}::text[])`;
/** How many passed lines are known of a session: before a commit there are few. */
export const MAX_PASSED = 30;

/** Returns the shell lines that passed in a session since the last change of a file, the oldest first. */
export async function linesPassed(tx: Tx, sessionId: string) {
  const [change] = await find(tx, sessionId, CHANGED);
  const since = sql`${change?.at ?? '-infinity'}::timestamptz`;
  const lines = sql`${RAN} and ${IS_COMMAND} and e.occurred_at > ${since}`;
  const last = new Map<string, Found>();
  for (const one of await find(tx, sessionId, lines, MAX_PASSED))
    if (!last.has(commandOf(one))) last.set(commandOf(one), one);
  return [...last]
    .filter(([, { event }]) => event === 'PostToolUse')
    .map(([line, { payload }]) => ({ line, cwd: payload.cwd ?? null }))
    .reverse();
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
export async function commandsThatWorked(tx: Tx, sessionId: string, after: string) {
  const worked = sql`e.event = 'PostToolUse' and e.tool_name in ('Bash', 'PowerShell') and e.agent_id is null
    and e.occurred_at > ${after}::timestamptz and ${IS_COMMAND}`;
  return (await find(tx, sessionId, worked, 50)).map((one) => ({ command: commandOf(one), at: one.at }));
}

/** Returns SQL for the subagent whose event a delivery was; null for the session's own agent. */
export const agentOfDelivery = (sessionId: SQL, dedupKey: SQL): SQL =>
  sql`(select e.agent_id from events e where e.session_id = ${sessionId} and e.dedup_key = ${dedupKey})`;

/** Calls that changed a file: the last ones are looked at. */
const MAX_CHANGES = 100;

/** Returns what a session was asked first and last, the last skill, and the files that it wrote, the newest first. */
export async function workOf(tx: Tx, sessionId: string, mostFiles: number) {
  const asked = sql`e.event = 'UserPromptSubmit' and is_persons_prompt(e.payload)
    and ltrim(e.payload ->> 'prompt', E' \\n\\t') !~ '^/[a-zA-Z][a-zA-Z0-9:_-]*($|[[:space:]])'`;
  const [prompt] = await find(tx, sessionId, asked);
  const [call] = await find(tx, sessionId, sql`e.event = 'PostToolUse' and e.tool_name = 'Skill'`);
  const skill = call?.payload.tool_input?.skill ?? call?.payload.tool_input?.command;
  const changes = await find(tx, sessionId, CHANGED, MAX_CHANGES);
  const files = changes.map(({ payload: { tool_input: of } }) =>
    String(of?.file_path ?? of?.notebook_path ?? '').normalize('NFC'),
  );
  return {
    task: (await sessionOfId(tx, sessionId))?.task ?? null,
    prompt: prompt?.payload.prompt?.slice(0, 4000) ?? null,
    skill: typeof skill === 'string' ? skill : null,
    files: [...new Set(files)].filter((file) => file !== '').slice(0, mostFiles),
  };
}

/** Returns what a subagent of a session said at its end; null if it has not ended. */
export async function lastWordsOf(tx: Tx, sessionId: string, agentId: string): Promise<string | null> {
  const [end] = await find(tx, sessionId, sql`e.agent_id = ${agentId} and e.event = 'SubagentStop'`);
  return end ? (end.payload.last_assistant_message ?? '') : null;
}

/** A call that started an agent, by the client's id of the call, and what the agent is to do. */
export type AgentCall = { id: string; prompt: string };
const MAX_AGENT_CALLS = 100;

async function agentCalls(tx: Tx, sessionId: string, where: SQL): Promise<AgentCall[]> {
  const calls = sql`e.tool_name in ('Agent', 'Task') and ${where}`;
  const found = await find(tx, sessionId, calls, MAX_AGENT_CALLS);
  return found.reverse().map(({ toolUseId, payload }) => {
    const { prompt } = payload.tool_input ?? {};
    return { id: toolUseId ?? '', prompt: typeof prompt === 'string' ? prompt : '' };
  });
}

/**
 * Returns the calls of a session that started an agent of a kind and have no answer yet. Returns none if it
 * is already known which call started this agent.
 */
export const unansweredAgentCalls = (
  tx: Tx,
  sessionId: string,
  agent: { agentId: string | null; agentType: string | null },
): Promise<AgentCall[]> =>
  agentCalls(
    tx,
    sessionId,
    sql`e.event = 'PreToolUse'
      and coalesce(e.payload #>> '{tool_input,subagent_type}', 'general-purpose') = ${agent.agentType}::text
      and not exists (select from events a
        where a.session_id = e.session_id and a.event in ('PostToolUse', 'PostToolUseFailure')
          and (a.tool_use_id = e.tool_use_id
            or a.tool_name = e.tool_name and a.payload #>> '{tool_response,agentId}' = ${agent.agentId}::text))`,
  );

/** Returns the call whose answer says that it started an agent; undefined if none is known. It may come before the agent's start. */
export async function answeredAgentCall(tx: Tx, sessionId: string, agentId: string | null) {
  const answers = sql`e.event = 'PostToolUse' and e.payload #>> '{tool_response,agentId}' = ${agentId}::text`;
  return (await agentCalls(tx, sessionId, answers)).at(-1);
}

/** Returns whether a person typed these words in a session, in one of the last 200 prompts. */
export async function wasTyped(tx: Tx, sessionId: string, words: string): Promise<boolean> {
  const typed = sql`e.event = 'UserPromptSubmit' and is_persons_prompt(e.payload)`;
  const wanted = plain(words).replace(/[\s.!"'“”’]+$/, '');
  return (await find(tx, sessionId, typed, 200)).some(({ payload }) =>
    plain(payload.prompt ?? '').includes(wanted),
  );
}

const plain = (text: string): string => text.normalize('NFC').toLowerCase().replace(/\s+/g, ' ').trim();

/** Returns the last prompt of a session that holds these words, as it is stored; undefined if there is none. */
export async function promptWith(tx: Tx, sessionId: string, words: string) {
  const holds = sql`e.event = 'UserPromptSubmit' and strpos(e.payload ->> 'prompt', ${words}) > 0`;
  const [found] = await find(tx, sessionId, holds);
  return found && { text: found.payload.prompt ?? '', clientSessionId: found.payload.session_id };
}

/** A call that a hook reported: the client's id of its session, the project, and the agent (null: the session's own). */
export const HookedCall = z.object({
  ...{ session: z.string(), project: z.string() },
  ...{ agentId: z.string().nullable(), agentType: z.string().nullable() },
});
type HookedCall = z.infer<typeof HookedCall>;

/** Returns the call that the client gave this id, if it was made in a session of the last day. */
export async function hookedCall(tx: Tx, toolUseId: string): Promise<HookedCall | undefined> {
  // by the key of the delivery, which has an index within a session: few sessions are at work at a time
  const [call] = await query<HookedCall>(tx)`
    select s.client_session_id as session, p.name as project, e.agent_id as "agentId",
      e.payload ->> 'agent_type' as "agentType"
    from sessions s join projects p on p.id = s.project_id
      join events e on e.user_id = s.user_id and e.session_id = s.id
        and e.dedup_key = ${`PreToolUse:${toolUseId}`}
    where s.last_activity > now() - interval '1 day' limit 1`;
  return call;
}
