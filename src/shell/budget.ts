import { clip } from '../text/clip.ts';
import type { Walk } from './types.ts';

// Limits on the work that one line may cause. A line that exceeds them is not judged to its end and so is never
// allowed.

/**
 * Longest line that is parsed, in characters. Nobody types longer ones, and the time for parsing must stay
 * bounded.
 */
export const MAX_LENGTH = 32 * 1024;

/** How deeply scripts may nest (`bash -c`, `$(…)`, functions). */
export const MAX_DEPTH = 24;

export const MAX_INVOCATIONS = 500;

/** Most work for one line, in characters read. Nested loops, functions and scripts multiply the work. */
const MAX_WORK = 80_000;

/**
 * Counts work against the budget of the line.
 *
 * @param work in characters read
 * @throws Error when the line has used up its budget
 */
export function spend(walk: Walk, work: number): void {
  walk.work += work;
  if (walk.work > MAX_WORK) throw new Error('too much to look through');
}

/**
 * Notes that a text is not walked. This counts in scripts too, although other unknown parts of a script do
 * not.
 */
export function giveUp(walk: Walk, text: string, why: string): void {
  const to = walk.files.depth > 0 ? walk.files.unread : walk.unknowns;
  to.push({ text: clip(text, 80), why });
}
