import { type UseQueryResult, useQuery } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { api } from '../data/api.ts';
import type { Table } from '../data/live.ts';
import { Failed, Skeleton } from './states.tsx';

type Query = Record<string, string | number | boolean | null | undefined>;

/**
 * Reads `GET path` and keeps it up to date: it is read anew when a row of one of `tables` changes.
 *
 * @param refetchMs also reads it at this interval, for data whose changes are not sent to the page
 */
export const useResource = <T,>(
  tables: Table[],
  path: string,
  { query, refetchMs, enabled = true }: { query?: Query; refetchMs?: number; enabled?: boolean } = {},
): UseQueryResult<T, Error> =>
  useQuery<T, Error>({
    queryKey: [tables, path, query ?? {}],
    queryFn: ({ signal }) => api<T>('GET', path, { ...(query && { query }), signal }),
    enabled,
    ...(refetchMs && { refetchInterval: refetchMs }),
    // while another page of the same thing is read, the last one stays
    placeholderData: (before) => before,
  });

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
