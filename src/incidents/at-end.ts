import { query, type Tx } from '../db/open.ts';
import { commandsThatWorked, lastPrompt } from '../sessions/calls.ts';
import { readLine } from '../shell/line.ts';
import { isShellTool } from '../shell/shell-tools.ts';

// What a session left behind at its end. Most of what went wrong on the way was answered, passed by, or no
// failure of the work at all.

/** An error that a session ended with. `call`: what failed, whole; '' if nobody knows. */
export type ErrorAtEnd = { call: string; error: string; signature: string };

/** The tools whose failure can be a failure of the work; others look, or are tried again at once. */
const works = (tool: string): boolean => isShellTool(tool) || tool.startsWith('mcp__');

/**
 * Returns the errors of a session's own agent that its last turn ended with, the newest first. An error is
 * left out if something answered it, or if a later command of the turn worked: the work went on without it.
 */
export async function errorsAtEnd(tx: Tx, sessionId: string): Promise<ErrorAtEnd[]> {
  const rows = await query<ErrorAtEnd & { tool: string; at: string }>(tx)`
    select coalesce(i.input ->> 'command', i.target, '') as call, i.error, i.signature, i.tool_name as tool,
      i.opened_at::text as at
    from incidents i
    where i.session_id = ${sessionId} and i.agent_id is null and i.status <> 'resolved'
      and is_error(i) and i.opened_at >= coalesce(${lastPrompt(sessionId)}, '-infinity')
    order by i.opened_at desc, i.id limit 20`;
  const open = rows.filter(
    ({ tool, call }) => works(tool) && !(isShellTool(tool) && readLine(call).onlyLooks),
  );
  const first = open.at(-1);
  if (!first) return [];
  const worked = (await commandsThatWorked(tx, sessionId, first.at)).filter(
    ({ command }) => !readLine(command).onlyLooks,
  );
  return open
    .filter(({ at }) => !worked.some((later) => later.at > at))
    .map(({ call, error, signature }) => ({ call, error, signature }));
}
