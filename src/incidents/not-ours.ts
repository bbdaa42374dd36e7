import type { HookEvent } from '../sessions/hook-event.ts';
import type { Line } from '../shell/line.ts';

// Not every call that fails tells something about the project. A person may have rejected it, the client may have
// refused or cancelled it, or it was a call of Lore itself.

/** What the client says about a call that never ran, or that a person ended. Tested at the start of the error. */
const NEVER_RAN = [
  // a person said no
  "The user doesn't want to proceed with this tool use",
  "The user doesn't want to take this action right now",
  'User rejected',
  'The tool use was rejected',
  '[Request interrupted by user',
  'Request was aborted',
  // nobody said yes
  'This command requires approval',
  'This Bash command contains multiple operations',
  'Claude requested permissions to',
  'Permission to use',
  'Permission for this action',
  // the client cancelled it, because another call of the same answer failed
  'Sibling tool call errored',
  'Cancelled: parallel tool call',
  // the agent called a tool in a way that the client does not know
  'InputValidationError',
  'No such tool available',
  'Error: No such tool available',
].map((text) => text.toLowerCase());

/** Errors of the client's file tools that say how a tool is used, and nothing about the project. */
const FILE_TOOL_ERRORS = [
  'string to replace not found',
  'file has not been read yet',
  'file has been modified since read',
  'file has been unexpectedly modified',
  'no changes to make',
  'exceeds maximum allowed',
  'found \\d+ matches of the string to replace',
].map((text) => new RegExp(text, 'i'));

/** Whether the client refused or cancelled a call, or a person rejected it, so that its error is not the project's. */
export function isClientsOwn(error: string): boolean {
  const text = error
    .replace(/<\/?(?:tool_use_)?error>/g, '')
    .trimStart()
    .slice(0, 500);
  const lower = text.toLowerCase();
  return (
    NEVER_RAN.some((start) => lower.startsWith(start)) ||
    FILE_TOOL_ERRORS.some((pattern) => pattern.test(text.split('\n', 1)[0] ?? ''))
  );
}

/** Whether a call was made by an agent of Lore, or through a tool of Lore. */
export function isLores({
  agent_type: agent,
  tool_name: tool,
}: Pick<HookEvent, 'agent_type' | 'tool_name'>): boolean {
  const server = /^mcp__(.+?)__/.exec(tool ?? '')?.[1] ?? '';
  return (agent ?? '').startsWith('lore:') || server.toLowerCase().split(/[_-]/).includes('lore');
}

/** A line in which a shell, or npm, says that there is no command `lore`. */
const NO_LORE =
  /(?:^|[\s/:])lore: (?:command )?not found|command not found: lore\b|'lore' is not recognized|The term 'lore' is not|could not determine executable to run|Cannot find .*\blore\b.*\bbin/i;
/** Lines that say nothing by themselves. */
const NOTHING_SAID = /^\s*$|^(?:Error: )?Exit code \d+$|^npm (?:error|ERR!) A complete log of this run/;

/**
 * Whether a failed shell line did nothing but ask Lore, or failed only because there is no command `lore`: what Lore cannot
 * do is no error of the project.
 */
export function isLoresCommand(line: Line, error: string): boolean {
  const calls = line.parts.filter(isLore);
  if (calls.length === 0) return false;
  if (calls.length === line.parts.length) return true;
  const said = error.split('\n').filter((one) => !NOTHING_SAID.test(one));
  return said.length > 0 && said.every((one) => NO_LORE.test(one));
}

const isLore = ({ program, args }: Line['parts'][number]): boolean =>
  /^(?:agent-)?lore$/.test(program) ||
  (program === 'node' && /(?:^|\/)(?:agent-)?lore(?:\/bin\/lore)?(?:\.js)?$/.test(args[0] ?? ''));
