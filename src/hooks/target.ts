import type { HookEvent } from '../sessions/hook-event.ts';
import { toolTarget } from '../shell/command-key.ts';

/** Returns what a tool call works on, comparable between the calls of a session; null if the event is no tool call. */
export function targetOf(event: HookEvent, { root }: { root: string | null }): string | null {
  if (!event.tool_input) return null;
  const place = root !== null && event.cwd ? { cwd: event.cwd, root } : undefined;
  return toolTarget(event.tool_name ?? '', event.tool_input, place);
}
