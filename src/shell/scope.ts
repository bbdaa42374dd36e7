import type { Scope } from './types.ts';

/** Returns a copy of a scope for a part of the line that sets variables and functions of its own. */
export const inner = (scope: Scope): Scope => ({
  ...scope,
  vars: new Map(scope.vars),
  functions: new Map(scope.functions),
  depth: scope.depth + 1,
});

/**
 * Takes over what a part of the line sets. It counts as not certain, because that part may not have run.
 *
 * @param start the scope before that part
 * @param own the scope after it
 * @returns true if that part changed anything
 */
export function mergeUncertain(scope: Scope, start: Scope, own: Scope): boolean {
  let changed = false;
  for (const [name, value] of own.vars) {
    const before = start.vars.get(name);
    if (before?.text === value.text && before.known === value.known) continue;
    scope.vars.set(name, { ...value, known: false });
    changed = true;
  }
  for (const [name, { body }] of own.functions) {
    if (start.functions.get(name)?.body === body) continue;
    scope.functions.set(name, { body, certain: false });
    changed = true;
  }
  if (own.cwd !== start.cwd) {
    scope.cwd = null;
    changed = true;
  }
  return changed;
}
