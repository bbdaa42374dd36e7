import {
  type InfiniteData,
  type QueryKey,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
} from '@tanstack/preact-query';
import type { Answer, Given, Rest, Route } from '../../wire/wire.ts';
import { api } from './api.ts';
import type { Table } from './live.ts';

/** A list that is read page by page, and all its pages. */
export type Pages<T> = UseInfiniteQueryResult<InfiniteData<T[]>, Error>;

/** The names of the lists in what a route answers, and the rows of one. */
type ListIn<R extends Route> = {
  [N in keyof Answer<R>]: Answer<R>[N] extends object[] ? N : never;
}[keyof Answer<R>];
type Row<R extends Route, N extends keyof Answer<R>> = Answer<R>[N] extends (infer T)[] ? T : never;

/**
 * Reads a list page by page, the newest first, with `before` and `limit`. When a row of one of `tables` changes, the pages
 * that were read are read anew.
 *
 * @param name the list's name in the answer
 * @param by the field of a page's last row after which the next page begins
 */
export function usePages<R extends Route, N extends ListIn<R>>(
  tables: Table[],
  route: R,
  name: N,
  { limit = 40, by = 'id' as keyof Row<R, N>, ...rest }: Given<R> & { limit?: number; by?: keyof Row<R, N> },
): Pages<Row<R, N>> {
  const given = rest as { query?: object };
  return useInfiniteQuery<Row<R, N>[], Error, InfiniteData<Row<R, N>[]>, QueryKey, unknown>({
    queryKey: [tables, route, 'pages', given],
    queryFn: async ({ pageParam, signal }) => {
      const query = { ...given.query, limit, before: pageParam };
      const page = [{ ...given, query, signal }] as unknown as Rest<R, { signal: AbortSignal }>;
      return ((await api(route, ...page)) as Record<N, Row<R, N>[]>)[name];
    },
    initialPageParam: null,
    getNextPageParam: (last) => (last.length < limit ? null : last.at(-1)?.[by]),
    // while another filter is being read, the last rows stay
    placeholderData: (before) => before,
  });
}
