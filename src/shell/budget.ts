import type { Walk } from './types.ts';

// What one line may cost. A line that asks for more is not judged to its end, and so never allowed.

/** Longer lines are not judged piece by piece: nobody types them, and parsing must stay bounded. */
export const MAX_LENGTH = 32 * 1024;

/** Scripts within scripts (`bash -c`, `$(…)`, functions). */
export const MAX_DEPTH = 24;

export const MAX_INVOCATIONS = 500;

/** Loops in loops, functions that call functions and scripts in scripts multiply. Counted in characters read. */
const MAX_WORK = 80_000;

/** @throws when the line asks for more than a line should */
export function spend(walk: Walk, work: number): void {
  walk.work += work;
  if (walk.work > MAX_WORK) throw new Error('too much to look through');
}
