import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/preact-query';
import { api } from './api.ts';
import type { Table } from './live.ts';

type Query = Record<string, string | number | boolean | null | undefined>;

/** A list that is read page by page, and all its pages. */
export type Pages<T> = UseInfiniteQueryResult<InfiniteData<T[]>, Error>;

/**
 * Reads a list page by page, the newest first: `GET path?before=…`. When a row of one of `tables` changes, the pages that
 * were read are read anew.
 *
 * @param name the list's name in the answer
 * @param by the field of a page's last row after which the next page begins
 */
export const usePages = <T extends object>(
  tables: Table[],
  path: string,
  name: string,
  { query = {}, limit = 40, by = 'id' }: { query?: Query; limit?: number; by?: string } = {},
): Pages<T> =>
  useInfiniteQuery<T[], Error, InfiniteData<T[]>, unknown[], string | null>({
    queryKey: [tables, path, 'pages', query],
    queryFn: async ({ pageParam, signal }) => {
      const answer = await api<Record<string, T[]>>('GET', path, {
        query: { ...query, limit, before: pageParam },
        signal,
      });
      return answer[name] ?? [];
    },
    initialPageParam: null,
    getNextPageParam: (last) => (last.length < limit ? null : (last.at(-1) as Record<string, string>)[by]),
    // while another filter is being read, the last rows stay
    placeholderData: (before) => before,
  });
