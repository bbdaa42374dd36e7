import type { Log } from '../log.ts';

/** For each state, the states that may follow it. */
export type Moves<S extends string> = Readonly<Record<S, readonly S[]>>;

/** The state of something that is in exactly one of a few named states. */
export type States<S extends string> = {
  now(): S;
  /**
   * Makes a state the current one.
   *
   * @throws {Error} in tests, if the table does not allow the move. In life such a fault is only logged, and the move is
   *   made: work that goes on in a wrong state is better than work that stands still.
   */
  move(to: S): void;
};

/**
 * Returns a state that changes only as a table allows.
 *
 * @param name what is in the state, for the log
 * @example
 * const door = createStates('door', { open: ['closed'], closed: ['open', 'locked'], locked: ['closed'] }, 'open', log);
 */
export function createStates<S extends string>(name: string, moves: Moves<S>, first: S, log: Log): States<S> {
  let state = first;
  return {
    now: () => state,
    move(to) {
      if (!moves[state].includes(to)) {
        const error = new Error(`${name} may not go from ${state} to ${to}`);
        // vitest sets it, also for the processes that tests start
        if (process.env.NODE_ENV === 'test') throw error;
        log.error({ error }, 'a worker made a move that it should not make');
      }
      state = to;
    },
  };
}
