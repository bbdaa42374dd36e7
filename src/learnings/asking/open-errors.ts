import { isObject } from '../../base/text/json.ts';
import { losesExit } from '../../incidents/detect.ts';
import { fixIn } from '../../incidents/fixes/fixes.ts';
import type { ErrorSignature } from '../../incidents/incidents.ts';
import { passes } from '../../incidents/passes.ts';
import type { HookEvent } from '../../sessions/hook-event.ts';
import type { Line } from '../../shell/line.ts';

// The errors of a session's own agent that no call has answered yet, held in memory. They are the trigger for asking the
// agent what was wrong. Everything here is structure: which call failed, what was done since, which call passes. What the
// error means is not read.

/** An error that nothing has answered yet. */
export type OpenError = {
  /** hash of the error, equal for the same failure anywhere */
  signature: string;
  /** its lines that matter */
  error: string;
  tool: string;
  /** the shell line that failed; null for other tools, which only count as failing again and again */
  line: Line | null;
  /** how often it failed in the present turn */
  failures: number;
  /** whether a file was changed since it failed */
  edited: boolean;
  /** whether a person spoke since it failed */
  spoken: boolean;
  /** the lines that were run since and did something, the last ones */
  between: string[];
};

/** What a session may be asked about. A restart forgets it, and asks less for that. */
export type Asking = {
  open: OpenError[];
  /** signatures about which it was asked already */
  asked: Set<string>;
  /** an error that the last turn ended with, to be asked about with the next prompt */
  left: OpenError | null;
  /** tokens that were spent on asking */
  tokens: number;
};

export const nothingOpen = (): Asking => ({ open: [], asked: new Set(), left: null, tokens: 0 });

const MAX_OPEN = 20;
const MAX_BETWEEN = 5;

/** Notes a call that failed. */
export function noteError(asking: Asking, { id, salient, tool }: ErrorSignature, line: Line | null): void {
  const known = asking.open.find(({ signature }) => signature === id);
  const failures = (known?.failures ?? 0) + 1;
  const open = {
    signature: id,
    error: salient,
    tool,
    line,
    failures,
    edited: false,
    spoken: false,
    between: [],
  };
  asking.open = [...asking.open.filter((one) => one !== known), open].slice(-MAX_OPEN);
}

/** Notes that a person spoke. Failures are counted anew in each turn. */
export function noteSpoken(asking: Asking): void {
  for (const open of asking.open) Object.assign(open, { spoken: true, failures: 0 });
}

/** Notes the end of a turn: an error that failed twice in it and is still open is asked about with the next prompt. */
export function noteTurnEnd(asking: Asking): void {
  asking.left = asking.open.findLast(({ failures }) => failures > 1) ?? null;
}

/**
 * Notes a call that went well.
 *
 * @param changes returns the files that it changed, relative to the work tree, and absolute outside of it
 * @returns the error that it answers, if it is worth a question: no file was changed in between, and what failed then
 *   passes now in another line, or after a person spoke
 */
export function notePassed(
  asking: Asking,
  event: HookEvent,
  line: Line | null,
  changes: () => readonly string[],
): OpenError | null {
  if (asking.open.length === 0) return null;
  const passed = asking.open.filter((open) => passesNow(open, event, line));
  if (changes().some((path) => !path.startsWith('/'))) for (const open of asking.open) open.edited = true;
  if (line && !line.onlyLooks)
    for (const open of asking.open)
      if (!passed.includes(open)) open.between = [...open.between, line.text].slice(-MAX_BETWEEN);
  if (passed.length === 0) return null;
  asking.open = asking.open.filter((open) => !passed.includes(open));
  return passed.findLast((open) => isWorthAsking(open, line)) ?? null;
}

function isWorthAsking({ line, error, edited, spoken, between }: OpenError, now: Line | null): boolean {
  if (edited || now === null) return false;
  // code keeps such a fix by itself
  const resolution = { kind: 'arguments' as const, command: now.text, commands: between, edits: [] };
  if (fixIn({ line, error, resolution }) !== null) return false;
  return spoken || line?.key !== now.key;
}

/** Whether a call that went well shows that what failed then works now, and no pipe hides that it does not. */
const passesNow = ({ line: failed, error }: OpenError, event: HookEvent, line: Line | null): boolean =>
  failed !== null &&
  line !== null &&
  passes({ line: failed, error }, line) &&
  !complains(event) &&
  !losesExit(line);

/** What a program prints that did not do what it was asked for, whatever its exit code. */
const COMPLAINS =
  /^Traceback \(most recent call last\)|^usage: |^Usage: |\bunknown (?:sub)?(?:command|option|flag)\b/m;

function complains({ tool_response: response }: HookEvent): boolean {
  if (!isObject(response)) return false;
  return COMPLAINS.test(`${response.stderr ?? ''}\n${response.stdout ?? ''}`);
}
