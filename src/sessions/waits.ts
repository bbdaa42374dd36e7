import { clip } from '../text/clip.ts';
import type { HookEvent } from './hook-event.ts';

/** Longest description of a call that waits, in UTF-16 units. */
const MAX_WHAT = 200;

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

/** Returns what a person is to do before the call of an event goes on; null if the event does not say that it waits. */
export function waitsFor(event: HookEvent): string | null {
  const { hook_event_name: name, tool_name: tool = 'a tool', tool_input: input } = event;
  const asks = tool === 'AskUserQuestion' && (name === 'PreToolUse' || name === 'PermissionRequest');
  if (asks) return told('a person to answer', firstQuestion(input));
  if (name !== 'PermissionRequest') return null;
  return told(`a person to permit ${tool}`, textOf(input?.command) || textOf(input?.file_path));
}

const told = (what: string, about: string) => (about === '' ? what : `${what}: ${clip(about, MAX_WHAT)}`);

function firstQuestion(input: HookEvent['tool_input']): string {
  const questions = input?.questions;
  return textOf((Array.isArray(questions) ? questions[0] : null)?.question);
}
