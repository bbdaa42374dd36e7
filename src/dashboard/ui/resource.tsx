import { type UseQueryResult, useQuery } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import type { Answer, Given, Rest, Route } from '../../base/wire/wire.ts';
import { api } from '../data/api.ts';
import type { Table } from '../data/live.ts';
import { Failed, Skeleton } from './states.tsx';

type Reading = { refetchMs?: number };

/**
 * Reads what a route answers and keeps it up to date: it is read anew when a row of one of `tables` changes.
 *
 * @param refetchMs also reads it at this interval, for data whose changes are not sent to the page
 */
export function useResource<R extends Route>(
  tables: Table[],
  route: R,
  ...[all]: Rest<R, Reading>
): UseQueryResult<Answer<R>, Error> {
  const { refetchMs, ...rest } = (all ?? {}) as Reading;
  const given = rest as Given<R>;
  return useQuery<Answer<R>, Error>({
    queryKey: [tables, route, given],
    queryFn: ({ signal }) => api(route, ...([{ ...given, signal }] as Rest<R, { signal: AbortSignal }>)),
    ...(refetchMs && { refetchInterval: refetchMs }),
    // while more of the same is read, what was there stays
    placeholderData: (before) => before,
  });
}

/** Shows a skeleton until the answer is there. If there is none, shows what went wrong. */
export function Loaded<T>({
  of,
  lines,
  children,
}: {
  of: { data: T | undefined; error: Error | null; refetch: () => unknown };
  lines?: number;
  children: (data: T) => ComponentChildren;
}) {
  if (of.data !== undefined) return <>{children(of.data)}</>;
  if (of.error) return <Failed error={of.error} again={() => void of.refetch()} />;
  return <Skeleton {...(lines && { lines })} />;
}
