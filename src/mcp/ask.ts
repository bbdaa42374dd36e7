// The tools of agents ask Lore's own HTTP API, as the caller: so a tool can do what the caller's key may do, and nothing
// else; its input is checked, redacted and limited in the same way; and the tools are the same over HTTP and stdio.

/**
 * Sends a request to Lore's API as the caller of a tool and returns its answer.
 *
 * @param path with its query, such as `/v1/notes?limit=5`
 * @throws Problem as the API answers it
 */
export type Ask = <T>(method: 'GET' | 'POST' | 'PUT' | 'PATCH', path: string, body?: unknown) => Promise<T>;

/** Returns a path with the parameters that are not undefined as its query. */
export function withQuery(path: string, parameters: Record<string, string | number | undefined>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) query.set(name, String(value));
  }
  return query.size === 0 ? path : `${path}?${query}`;
}
