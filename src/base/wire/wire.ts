import type { Routes, SearchResult } from './routes.ts';

// What a client of the HTTP API says and hears, by the name of a route such as 'GET /v1/plans/{id}'. Types only come
// from the server: `npm run wire` makes them from the schemas of its routes, and `npm run types` begins with it.

export type Route = keyof Routes;
/** What a route answers when it does what it was asked for. */
export type Answer<R extends Route> = Routes[R]['answer'];
/** What a route takes: `params` in its path, `query` behind it, and a `body`. */
export type Given<R extends Route> = Omit<Routes[R], 'answer'>;
/** The body of a route. */
export type Body<R extends Route> = Routes[R] extends { body?: infer B } ? B : never;
/**
 * What a route takes, as the last arguments of a function: none is needed where nothing must be given. `More` is what the
 * function takes besides.
 */
export type Rest<R extends Route, More = unknown> =
  Partial<Given<R>> extends Given<R> ? [given?: Given<R> & More] : [given: Given<R> & More];

type Loose = { params?: Record<string, unknown>; query?: Record<string, unknown> };

/**
 * Returns the method of a route and its address with everything that belongs into it. Parameters that are null or
 * undefined are left out.
 *
 * @example addressOf('GET /v1/plans/{id}/history', { params: { id: '1f' }, query: { limit: 5 } })
 * // { method: 'GET', address: '/v1/plans/1f/history?limit=5' }
 */
export function addressOf<R extends Route>(route: R, given?: Given<R>): { method: string; address: string } {
  const { params = {}, query = {} } = (given ?? {}) as Loose;
  const [method = '', pattern = ''] = route.split(' ');
  const path = pattern.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(params[name])));
  const told = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const search = new URLSearchParams(
    told.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return { method, address: search === '' ? path : `${path}?${search}` };
}

/**
 * Returns an answer that has a field. Some routes answer in one of two ways, as they were asked.
 *
 * @throws Error if the server answered in the other way
 */
export function having<A extends object, K extends string>(
  field: K,
  answer: A,
): Extract<A, Record<K, unknown>> {
  if (field in answer) return answer as Extract<A, Record<K, unknown>>;
  throw new Error(`The server’s answer has no ${field}.`);
}

/** Returns each text once: the best result with it, and the others of the same words, such as a lesson's episode. */
export function onceEach(results: SearchResult[]): { result: SearchResult; also: SearchResult[] }[] {
  const byText = new Map<string, { result: SearchResult; also: SearchResult[] }>();
  for (const result of results) {
    const text = result.title.replace(/\s+/g, ' ').toLowerCase();
    const known = byText.get(text);
    if (known) known.also.push(result);
    else byText.set(text, { result, also: [] });
  }
  return [...byText.values()];
}
