import type { Scope } from './types.ts';

/** A copy for a part of the line that sets its own variables and functions. */
export const inner = (scope: Scope): Scope => ({
  ...scope,
  vars: new Map(scope.vars),
  functions: new Map(scope.functions),
  depth: scope.depth + 1,
});

/** Takes over what a part of the line that may not have run would have set. True if anything changed. */
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
