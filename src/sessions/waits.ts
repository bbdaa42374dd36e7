import { clip } from '../base/text/clip.ts';
import type { HookEvent } from './hook-event.ts';

/** Longest description of a call that waits, in UTF-16 units. */
const MAX_WHAT = 200;

/** Returns what a person is to do before the call of an event goes on; null if the event does not say that it waits. */
export function waitsFor({
  hook_event_name: name,
  tool_name: tool = 'a tool',
  tool_input: input,
}: HookEvent) {
  const asks = tool === 'AskUserQuestion' && (name === 'PreToolUse' || name === 'PermissionRequest');
  if (!asks && name !== 'PermissionRequest') return null;
  const questions = input?.questions;
  const about = asks
    ? (Array.isArray(questions) ? questions[0] : null)?.question
    : input?.command || input?.file_path;
  const what = asks ? 'a person to answer' : `a person to permit ${tool}`;
  return typeof about === 'string' && about.trim() ? `${what}: ${clip(about.trim(), MAX_WHAT)}` : what;
}
