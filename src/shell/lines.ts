import type { Arg, Scope, Walk } from './types.ts';

// Words that become a line of their own.

/** Walks words that a program hands to a shell as one line; `via` is that program. */
export function walkLine(walk: Walk, scope: Scope, args: Arg[], via: string, why: string): void {
  const text = args.map((arg) => arg.text).join(' ');
  if (!args.every((arg) => arg.known)) walk.unknowns.push({ text, why });
  const own: Scope = { ...scope, depth: scope.depth + 1, via: [...scope.via, via] };
  walk.into.line(walk, text, own);
  scope.cwd = own.cwd;
}

/** What a text would run if a shell got it: kept only for rules that deny. */
export function suspect(walk: Walk, scope: Scope, text: string): void {
  const aside: Walk = { ...walk, invocations: [], unknowns: [] };
  try {
    walk.into.line(aside, text, { ...scope, vars: new Map(scope.vars) });
  } catch {
    return; // no shell would run it either
  } finally {
    walk.work = aside.work;
  }
  walk.invocations.push(...aside.invocations.map((found) => ({ ...found, suspected: true })));
}
