import type { Pages } from '../../data/pages.ts';

/**
 * Returns commands that were checked, or verdicts, each command once: one that was checked again since is on the page of
 * its latest check and on a later one.
 */
export function eachOnce<T extends { code: string }>(pages: Pages<T>): T[] {
  const rows = new Map<string, T>();
  for (const row of pages.data?.pages.flat() ?? []) if (!rows.has(row.code)) rows.set(row.code, row);
  return [...rows.values()];
}
