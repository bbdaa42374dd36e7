import type { Answer } from '../../data/dashboard.ts';
import type { Table } from '../../data/live.ts';
import { usePages } from '../../data/pages.ts';

/** A command that was checked, or another call that was stopped. */
export type Check = {
  code: string;
  /** the tool, if it was not the shell */
  tool: string | null;
  command: string;
  whole: boolean;
  cwd: string;
  project: string | null;
  decision: 'allow' | 'deny' | 'ask' | 'hold';
  source: 'policy' | 'model' | 'person' | 'shape' | 'none' | 'guard' | 'lesson';
  /** the rule of a person or the lesson that stopped it */
  lessonId: string | null;
  rule: string | null;
  severity: string | null;
  reason: string;
  choices: Answer[];
  checkedAt: string;
};

/** The verdict of a person or the model on a command; or a shape that a person allowed by letting that command run. */
export type Verdict = {
  code: string;
  command: string;
  cwd: string;
  decision: 'allow' | 'deny';
  /** of a shape: what it fits */
  reason: string;
  checkedBy: 'model' | 'person' | 'shape';
  once: boolean;
  hitCount: number;
  checkedAt: string;
  expiresAt: string | null;
};

/** Reads commands that were checked, or verdicts: the newest first, page by page, each command once. */
export function useCommands<T extends { code: string }>(
  tables: Table[],
  path: string,
  name: string,
  query: Record<string, string | undefined> = {},
) {
  const pages = usePages<T>(tables, path, name, { query, limit: 20, by: 'code' });
  // A command that was checked again since is on the page of its latest check and on a later one.
  const rows = new Map<string, T>();
  for (const row of pages.data?.pages.flat() ?? []) if (!rows.has(row.code)) rows.set(row.code, row);
  return { pages, rows: [...rows.values()] };
}
