import type { HookEvent } from '../sessions/hook-event.ts';
import type { Line } from '../shell/line.ts';
import { NEVER_RAN, TOOL_USE } from './forms.ts';

// Not every call that fails tells something about the project. A person may have rejected it, the client may have
// refused or cancelled it, or it was a call of Lore itself.

/** Whether the client refused or cancelled a call, or a person rejected it, so that its error is not the project's. */
export function isClientsOwn(error: string): boolean {
  const text = error.replace(/<\/?(?:tool_use_)?error>/g, '').trimStart();
  return NEVER_RAN.test(text) || TOOL_USE.test(text.slice(0, 500).split('\n', 1)[0] ?? '');
}

/** Whether a call was made by an agent of Lore, or through a tool of Lore. */
export function isLores({
  agent_type: agent,
  tool_name: tool,
}: Pick<HookEvent, 'agent_type' | 'tool_name'>): boolean {
  const server = /^mcp__(.+?)__/.exec(tool ?? '')?.[1] ?? '';
  return (agent ?? '').startsWith('lore:') || server.toLowerCase().split(/[_-]/).includes('lore');
}

/** A shell says that there is no command `lore`. */
const NO_LORE = /(?:^|[\s/:])lore: (?:command )?not found|command not found: lore\b/;

/** Whether a failed shell line did nothing but ask Lore, or failed because there is no command `lore`. */
export const isLoresCommand = ({ parts }: Line, error: string): boolean =>
  parts.some(isLore) &&
  (parts.every(isLore) ||
    error
      .split('\n')
      .slice(1)
      .every((one) => NO_LORE.test(one)));

const isLore = ({ program, args }: Line['parts'][number]): boolean =>
  /^(?:agent-)?lore$/.test(program) ||
  (program === 'node' && /(?:^|\/)(?:agent-)?lore(?:\/bin\/lore)?(?:\.js)?$/.test(args[0] ?? ''));
