import { useInfiniteQuery } from '@tanstack/preact-query';
import { api } from '../../data/api.ts';
import type { Answer } from '../../data/dashboard.ts';
import type { Table } from '../../data/live.ts';

/** A command that was checked. */
export type Check = {
  code: string;
  command: string;
  whole: boolean;
  cwd: string;
  project: string | null;
  decision: 'allow' | 'deny' | 'ask';
  rule: string | null;
  severity: string | null;
  reason: string;
  choices: Answer[];
  checkedAt: string;
};

/** What a person or the model said to a command. */
export type Verdict = {
  code: string;
  command: string;
  cwd: string;
  decision: 'allow' | 'deny';
  reason: string;
  checkedBy: 'model' | 'person';
  once: boolean;
  hitCount: number;
  checkedAt: string;
  expiresAt: string | null;
};

const PAGE = 20;

/** Reads a list of what was checked, the newest first, page by page. */
export function usePaged<K extends string, T extends { code: string; checkedAt: string }>(
  tables: Table[],
  path: string,
  name: K,
  query: Record<string, string | undefined> = {},
) {
  const answer = useInfiniteQuery({
    queryKey: [tables, path, 'paged', query],
    queryFn: ({ pageParam: before, signal }) =>
      api<{ [key in K]: T[] }>('GET', path, { query: { ...query, before, limit: PAGE }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => {
      const rows = page[name];
      return rows.length < PAGE ? undefined : rows.at(-1)?.checkedAt;
    },
  });
  // A command that was checked again since is on the page of its latest check and on a later one.
  const rows = new Map<string, T>();
  for (const row of answer.data?.pages.flatMap((page) => page[name]) ?? []) {
    if (!rows.has(row.code)) rows.set(row.code, row);
  }
  return { answer, rows: answer.data && [...rows.values()] };
}
