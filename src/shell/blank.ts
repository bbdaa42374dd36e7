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

/**
 * Returns the invocation that stands for assignments without a command. They count as one, because PATH or LD_PRELOAD
 * changes what the next commands run.
 */
export const assignmentOf = (scope: Scope, env: Invocation['env']): Invocation =>
  blank(scope, {
    program: 'set',
    path: 'set',
    args: env.map(({ name, value }) => ({ ...value, text: `${name}=${value.text}` })),
  });

/**
 * Name of the invocation that stands for a group of commands, so that the group's redirections are judged.
 */
const GROUP = '{';

/**
 * Returns the invocation that stands for a group of commands, with the files of its redirections (`{ … } >
 * file`, `if … fi < file`).
 */
export const groupOf = (scope: Scope, { writes, reads }: Pick<Invocation, 'writes' | 'reads'>): Invocation =>
  blank(scope, { program: ':', path: GROUP, writes, reads });
