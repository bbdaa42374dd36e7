import type { Answer, Rest, Route } from '../wire/wire.ts';

// The tools of agents ask Lore's own HTTP API, as the caller: so a tool can do what the caller's key may do, and nothing
// else; its input is checked, redacted and limited in the same way; and the tools are the same over HTTP and stdio.

/**
 * Sends a request to a route of Lore's API as the caller of a tool and returns its answer.
 *
 * @throws Problem as the API answers it
 * @example const { notes } = await ask('GET /v1/notes', { query: { limit: 5 } });
 */
export type Ask = <R extends Route>(route: R, ...given: Rest<R>) => Promise<Answer<R>>;
