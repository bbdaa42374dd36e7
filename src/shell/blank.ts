import type { Invocation, Scope } from './types.ts';

/** Returns an invocation that runs in this scope and has no other properties than those in `more`. */
export function blank(scope: Scope, more: Partial<Invocation>): Invocation {
  return {
    program: '',
    path: '',
    args: [],
    env: [],
    cwd: scope.cwd,
    otherCwds: scope.otherCwds,
    input: { kind: 'none' },
    writes: [],
    reads: [],
    via: scope.via,
    remote: scope.remote,
    openArgs: false,
    background: false,
    ...more,
  };
}
