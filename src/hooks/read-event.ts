import { outputError } from '../incidents/detect.ts';
import type { HookEvent } from '../sessions/hook-event.ts';
import { type Line, lineOfTool, readLine } from '../shell/line.ts';
import { shellCommandOf } from '../shell/shell-tools.ts';
import { toolTarget } from '../shell/tool-target.ts';
import type { Asked } from './types.ts';

// What a hook event says is read once and kept with the event: the answer needs it, and so does storing the event.

type Read = { line?: Line | null; error?: string | null };

const known = new WeakMap<HookEvent, Read>();

function readOf(event: HookEvent): Read {
  const read = known.get(event) ?? {};
  known.set(event, read);
  return read;
}

/** Returns the line that a call runs in a shell; null for other tools. */
export function lineOf(event: HookEvent): Line | null {
  const read = readOf(event);
  if (read.line === undefined) read.line = lineOfTool(event.tool_name, event.tool_input);
  return read.line;
}

/** Returns the line that really runs. Where redaction took nothing out, it is that of the stored event. */
export function rawLineOf({ raw, event }: Pick<Asked, 'raw' | 'event'>): Line | null {
  const text = shellCommandOf(raw.tool_name, raw.tool_input);
  if (text === null) return null;
  const line = lineOf(event);
  return line?.text === text ? line : readLine(text);
}

/** Returns what a tool call works on, comparable between the calls of a session; null if the event is no tool call. */
export function targetOf(event: HookEvent, { root }: { root: string | null }): string | null {
  if (!event.tool_input) return null;
  const place = root !== null && event.cwd ? { cwd: event.cwd, root } : undefined;
  const line = lineOf(event);
  return line?.text ? line.targetIn(place) : toolTarget(event.tool_name ?? '', event.tool_input);
}

/** Returns the error of a failed call, or the error that a call's output shows although its exit code is 0. */
export function errorOf(event: HookEvent): string | null {
  const read = readOf(event);
  if (read.error === undefined)
    read.error =
      event.hook_event_name === 'PostToolUseFailure'
        ? (event.error ?? 'failed without a message')
        : outputError(event.tool_name ?? '', lineOf(event), event.tool_response);
  return read.error;
}
