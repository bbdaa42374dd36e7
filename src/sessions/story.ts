import { type SQL, sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';

// A session's story: what was asked, done and said in it, for whoever settles it. It is read once, in pieces, so that a
// session of any length is settled whole in little memory. Of each event only those fields are read that somebody needs:
// the payloads of a long session take hundreds of megabytes.

/** Most events of one piece. */
export const PIECE = 1_000;
/** Longest text of an error, an output or a file that is read, in characters. Readers cut it to this length less one. */
const MAX_TEXT = 4_001;

/** One event of a story. A call is told by its result. Only one that has none is told by the event before it. */
export type StoryEvent = {
  event: 'UserPromptSubmit' | 'PreToolUse' | 'PostToolUse' | 'PostToolUseFailure' | 'Stop' | 'SubagentStop';
  agentId: string | null;
  agentType: string | null;
  tool: string | null;
  toolUseId: string | null;
  target: string | null;
  input: Record<string, unknown> | null;
  /** the prompt, or what the agent said at the end of its turn */
  text: string | null;
  /** whether background tasks still ran, so that a `Stop` was not the end of the turn */
  background: boolean;
  error: string | null;
  /** what the tool answered: its texts, cut */
  response: unknown;
  /** what was in a file before it was written, cut */
  original: string | null;
  /** its key within the session, see `dedupKey` */
  key: string;
  /** whether a person wrote the prompt */
  persons: boolean;
  interrupted: boolean;
  /** the client's id of a task that goes on in the background */
  backgroundId: string | null;
  at: Date;
};

/** An event of a session, as far as it is needed for cutting the session into episodes. */
export type WorkEvent = Omit<StoryEvent, 'input' | 'text' | 'persons' | 'error' | 'response' | 'original'> & {
  command: string | null;
  file: string | null;
  /** what a subagent is to do, in short */
  task: string | null;
  skill: string | null;
  /** what a person typed */
  prompt: string | null;
  /** what the agent said at the end of its turn */
  said: string | null;
};
/** Most events of one session that are cut into episodes. A day's work has a few thousand. */
const MAX_EVENTS = 20_000;

/** Returns what happened in a session since an instant (null: since its beginning), the oldest first. */
export async function workEvents(tx: Tx, sessionId: string, since: Date | null): Promise<WorkEvent[]> {
  const found: WorkEvent[] = [];
  for (let after: Place | null | undefined; after !== null && found.length < MAX_EVENTS; ) {
    const piece = await storyPiece(tx, sessionId, since, after ?? null);
    // what takes the most memory is left out: nobody needs it here
    for (const { input, text, persons, error: _, response: _r, original: _o, ...event } of piece.events) {
      const part = (name: string, most: number) =>
        typeof input?.[name] === 'string' ? input[name].slice(0, most) : null;
      found.push({
        ...event,
        command: part('command', 8_000),
        file: (part('file_path', 4_096) ?? part('notebook_path', 4_096))?.normalize('NFC') ?? null,
        task: part('description', 400),
        skill: part('skill', 200),
        prompt: persons ? (text?.slice(0, 8_000) ?? null) : null,
        said: event.event === 'Stop' ? (text?.slice(0, 20_000) ?? null) : null,
      });
    }
    after = piece.end;
  }
  return found;
}

/** Where a piece ended. */
export type Place = { at: string; id: number };

const short = (value: SQL): SQL =>
  sql`case jsonb_typeof(${value}) when 'string' then to_jsonb(left(${value} #>> '{}', ${MAX_TEXT}::int)) else ${value} end`;

/**
 * Returns the next piece of a session's story, the oldest event first, and where it ended; `end` is null if it is the
 * last one.
 *
 * @param since null: from the session's beginning
 * @param after where the piece before it ended; null: this is the first one
 */
export async function storyPiece(
  tx: Tx,
  sessionId: string,
  since: Date | null,
  after: Place | null,
): Promise<{ events: StoryEvent[]; end: Place | null }> {
  const from = since?.toISOString() ?? null;
  const rows = await query<Omit<StoryEvent, 'at'> & Place>(tx)`
    select e.id::float8 as id, e.occurred_at::text as at, e.event, e.agent_id as "agentId",
      p.agent_type as "agentType", e.tool_name as tool, e.tool_use_id as "toolUseId", e.target,
      p.tool_input as input, case e.event when 'UserPromptSubmit' then p.prompt else p.last_assistant_message end as text,
      coalesce(jsonb_typeof(p.background_tasks) = 'array' and p.background_tasks <> '[]', false) as background,
      left(p.error, ${MAX_TEXT}::int) as error,
      case when p.error is not null then null when jsonb_typeof(p.tool_response) = 'object' then jsonb_build_object(
          'stdout', ${short(sql`p.tool_response -> 'stdout'`)}, 'stderr', ${short(sql`p.tool_response -> 'stderr'`)},
          'content', ${short(sql`p.tool_response -> 'content'`)}, 'text', ${short(sql`p.tool_response -> 'text'`)})
        else ${short(sql`p.tool_response`)} end as response,
      case when jsonb_typeof(p.tool_response -> 'originalFile') = 'string'
        then left(p.tool_response ->> 'originalFile', ${MAX_TEXT}::int) end as original,
      e.dedup_key as key, e.event = 'UserPromptSubmit' and is_persons_prompt(e.payload) as persons,
      coalesce(p.is_interrupt = 'true' or p.tool_response -> 'interrupted' = 'true', false) as interrupted,
      p.tool_response ->> 'backgroundTaskId' as "backgroundId"
    from (
      select * from events e
      where e.session_id = ${sessionId}
        and e.event in ('UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'Stop', 'SubagentStop')
        and (e.event <> 'PreToolUse' or not exists (
          select from events r
          where r.user_id = e.user_id and r.session_id = e.session_id
            and r.dedup_key in ('PostToolUse:' || e.tool_use_id, 'PostToolUseFailure:' || e.tool_use_id)))
        and e.occurred_at >= coalesce(${from}::timestamptz, '-infinity')
        and (${after?.id ?? null}::bigint is null
          or (e.occurred_at, e.id) > (${after?.at ?? null}::timestamptz, ${after?.id ?? null}::bigint))
      order by e.occurred_at, e.id limit ${PIECE}) e
    cross join lateral jsonb_to_record(e.payload) as p (agent_type text, prompt text, last_assistant_message text,
      background_tasks jsonb, tool_input jsonb, tool_response jsonb, error text, is_interrupt jsonb)
    order by e.occurred_at, e.id`;
  const last = rows.length < PIECE ? undefined : rows.at(-1);
  return {
    events: rows.map(({ id: _, at, ...event }) => ({ ...event, at: new Date(at) })),
    end: last ? { at: last.at, id: last.id } : null,
  };
}

/**
 * Returns when the last turn began in which a session's agents did or said something (null: no prompt began it), and the time
 * of a piece of events before now (null: there are fewer).
 */
export async function lastTurn(tx: Tx, sessionId: string): Promise<Record<'began' | 'recent', Date | null>> {
  const at = (which: SQL, offset = 0) =>
    sql`(select e.occurred_at from events e where e.session_id = ${sessionId} and ${which}
          order by e.occurred_at desc, e.id desc offset ${offset}::int limit 1)`;
  const acted = at(sql`(e.event in ('PostToolUse', 'PostToolUseFailure')
    or e.event in ('Stop', 'SubagentStop') and e.payload ->> 'last_assistant_message' <> '' and not (
      e.event = 'Stop' and coalesce(jsonb_array_length(nullif(e.payload -> 'background_tasks', 'null')), 0) > 0))`);
  const began = at(sql`e.event = 'UserPromptSubmit' and e.payload ->> 'prompt' <> ''
    and not starts_with(ltrim(e.payload ->> 'prompt', E' \n\r\t'), '<') and e.occurred_at < ${acted}`);
  const ms = (time: SQL) => sql`floor(extract(epoch from ${time}) * 1000)::float8`;
  const [row] = await query<Record<'began' | 'recent', number | null>>(tx)`
    select ${ms(began)} as began, ${ms(at(sql`true`, PIECE - 1))} as recent`;
  const time = (ms: number | null | undefined) => (ms == null ? null : new Date(ms));
  return { began: time(row?.began), recent: time(row?.recent) };
}
