import type { Arg, Invocation, Scope, Walk } from './types.ts';

/** Returns a word whose value is known. */
export const known = (text: string, more: Partial<Arg> = {}): Arg => ({
  text,
  known: true,
  glob: false,
  quoted: false,
  ...more,
});

/** Returns a word (or a part of one) whose value is known only when the line runs. */
export const undecided = (text: string): Arg => known(text, { known: false });

/** Returns an invocation that runs in this scope and has no other properties than those in `more`. */
export const blank = (scope: Scope, more: Partial<Invocation>): Invocation => ({
  program: '',
  path: '',
  args: [],
  env: [],
  cwd: scope.cwd,
  input: { kind: 'none' },
  writes: [],
  reads: [],
  via: scope.via,
  remote: scope.remote,
  openArgs: false,
  background: false,
  ...more,
});

/** Returns a copy of a scope for a part of the line that sets variables and functions of its own. */
export const inner = (scope: Scope, more: Partial<Scope> = {}): Scope => ({
  ...scope,
  vars: new Map(scope.vars),
  functions: new Map(scope.functions),
  depth: scope.depth + 1,
  ...more,
});

/** Sets `$1`, `$2` … and `$@` to the words of a call. */
export function setArguments({ vars }: Scope, args: Arg[]): void {
  for (const [i, arg] of args.entries()) vars.set(String(i + 1), arg);
  const all = known(args.map((arg) => arg.text).join(' '), { known: args.every((arg) => arg.known) });
  vars.set('@', { ...all, words: args });
  vars.set('*', all);
}

/** Adds what a text would run if a shell got it, as *suspected*: only rules that deny look at it. */
export function suspect(walk: Walk, scope: Scope, text: string): void {
  const aside: Walk = { ...walk, invocations: [], unknowns: [], defined: [] };
  try {
    walk.line(aside, text, inner(scope));
  } catch {
    return; // no shell would run it either
  } finally {
    walk.work = aside.work;
  }
  walk.invocations.push(...aside.invocations.map((found) => ({ ...found, suspected: true })));
}

/** Takes over what a part of the line sets. It counts as not certain, because that part may not have run. */
export function mergeUncertain(scope: Scope, start: Scope, own: Scope): void {
  for (const [name, value] of own.vars) {
    const before = start.vars.get(name);
    if (before?.text !== value.text || before.known !== value.known)
      scope.vars.set(name, { ...value, known: false });
  }
  for (const [name, body] of own.functions) {
    // a program of that name may run instead
    if (start.functions.get(name) !== body) scope.vars.set(`function ${name}`, undecided(''));
    scope.functions.set(name, body);
  }
  if (own.cwd !== start.cwd) scope.cwd = null;
}
