import type { Arg, Scope, Walk } from './types.ts';

// Text that another program hands to a shell as a line of its own.

/**
 * Walks words that a program hands to a shell as one line.
 *
 * @param via the program
 * @param why what to say if part of the line is not known
 */
export function walkLine(walk: Walk, scope: Scope, args: Arg[], via: string, why: string): void {
  const text = args.map((arg) => arg.text).join(' ');
  if (!args.every((arg) => arg.known)) walk.unknowns.push({ text, why });
  const own: Scope = { ...scope, depth: scope.depth + 1, via: [...scope.via, via] };
  walk.into.line(walk, text, own);
  scope.cwd = own.cwd;
}

/** Adds what a text would run if a shell got it, as *suspected*: only rules that deny look at it. */
export function suspect(walk: Walk, scope: Scope, text: string): void {
  const aside: Walk = { ...walk, invocations: [], unknowns: [], sources: [], functions: [], traps: [] };
  const unread = walk.files.unread.length;
  try {
    walk.into.line(aside, text, { ...scope, vars: new Map(scope.vars) });
  } catch {
    return; // no shell would run it either
  } finally {
    walk.work = aside.work;
    walk.files.unread.length = unread;
  }
  walk.invocations.push(...aside.invocations.map((found) => ({ ...found, suspected: true })));
}
