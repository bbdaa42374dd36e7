import { sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';

// What happened in a session, for cutting it into episodes. All events are read, but only the parts of them
// that are needed for this. Outputs of tools are not read, because a long session has hundreds of megabytes
// of them.

/** One event. Texts are cut. */
export type WorkEvent = {
  /** its key within the session, see `dedupKey` */
  key: string;
  event: string;
  agentId: string | null;
  tool: string | null;
  toolUseId: string | null;
  target: string | null;
  command: string | null;
  file: string | null;
  /** what a subagent is to do, in short */
  task: string | null;
  skill: string | null;
  /** what a person typed */
  prompt: string | null;
  /** what the agent said at the end of its turn */
  said: string | null;
  interrupted: boolean;
  /** the client's id of a task that goes on in the background */
  backgroundId: string | null;
  at: Date;
};

/** Most events of one session that are read. A day's work has a few thousand. */
const MAX_EVENTS = 20_000;
const PAGE = 2_000;
const EVENTS = ['UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'Stop'];

/**
 * Returns what happened in a session since an instant, the oldest first.
 *
 * @param since null: since its beginning
 */
export async function workEvents(tx: Tx, sessionId: string, since: Date | null): Promise<WorkEvent[]> {
  const found: WorkEvent[] = [];
  let after: { at: string; id: number } | null = null;
  const from = since?.toISOString() ?? null;
  while (found.length < MAX_EVENTS) {
    type Row = Omit<WorkEvent, 'at'> & { at: string; id: number };
    const rows: Row[] = await query<Row>(
      tx,
      sql`select e.id::float8 as id, e.dedup_key as key, e.event, e.agent_id as "agentId",
            e.tool_name as tool, e.tool_use_id as "toolUseId", e.target,
            left(e.payload #>> '{tool_input,command}', 8000) as command,
            left(coalesce(e.payload #>> '{tool_input,file_path}', e.payload #>> '{tool_input,notebook_path}'), 4096)
              as file,
            left(e.payload #>> '{tool_input,description}', 400) as task,
            left(e.payload #>> '{tool_input,skill}', 200) as skill,
            case when e.event = 'UserPromptSubmit' and is_persons_prompt(e.payload) then left(e.payload ->> 'prompt', 8000) end as prompt,
            left(e.payload ->> 'last_assistant_message', 20000) as said,
            coalesce(e.payload -> 'is_interrupt' = 'true' or e.payload #> '{tool_response,interrupted}' = 'true', false)
              as interrupted,
            e.payload #>> '{tool_response,backgroundTaskId}' as "backgroundId",
            e.occurred_at::text as at
          from events e
          where e.session_id = ${sessionId} and e.event = any (${sql.param(EVENTS)}::text[])
            and (${from}::timestamptz is null or e.occurred_at >= ${from}::timestamptz)
            and (${after?.id ?? null}::bigint is null
              or (e.occurred_at, e.id) > (${after?.at ?? null}::timestamptz, ${after?.id ?? null}::bigint))
          order by e.occurred_at, e.id limit ${PAGE}`,
    );
    for (const { id: _, at, ...row } of rows) found.push({ ...row, at: new Date(at) });
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) break;
    after = { at: last.at, id: last.id };
  }
  return found;
}
