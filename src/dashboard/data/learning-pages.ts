import { useQueries } from '@tanstack/preact-query';
import { useCallback, useRef, useState } from 'preact/hooks';
import type { Learning } from '../../wire/routes.ts';
import { api } from './api.ts';
import { learningTables } from './learning.ts';

// The list of lessons may have ten thousand rows, so it is read in pages as somebody scrolls. Each page
// begins after a lesson that stays the same while the list is shown, so nothing jumps. Only the pages in view
// are kept up to date, and always the first page, because new lessons come there.

/** Rows of a page. */
const PAGE = 100;
/**
 * How many more rows are asked for, so that there is no gap before the next page if new rows come in between.
 */
const SPARE = 50;

export type Filter = { status: 'active' | 'proposed' | 'ended'; project: string; q: string };

/** The lessons that were read so far, and how to get more of them. */
type Listed = {
  rows: Learning[];
  /** whether nothing was read yet */
  loading: boolean;
  error: Error | null;
  more: boolean;
  retry: () => void;
  /** says which rows are in view */
  look: (from: number, to: number) => void;
  /** where the pages begin, so that the list can be shown in the same way when somebody comes back */
  starts: (string | null)[];
};

/**
 * Reads the lessons that fit a filter.
 *
 * @param begin where the pages began when the list was shown before
 */
export function useLearnings(filter: Filter, begin: (string | null)[] = [null]): Listed {
  const key = JSON.stringify(filter);
  const [state, setState] = useState({ key, starts: begin });
  const [view, setView] = useState({ from: 0, to: 0 });
  // another filter is another list
  const starts = state.key === key ? state.starts : [null];

  const pages = useQueries({
    queries: starts.map((before, n) => ({
      queryKey: [learningTables, 'learnings', filter, before],
      queryFn: ({ signal }: { signal: AbortSignal }) => readPage(filter, before, signal),
      meta: { kept: n === 0 },
      enabled: n === 0 || (n >= view.from && n <= view.to) || n === starts.length - 1,
    })),
  });

  const rows: Learning[] = [];
  const pageOf: number[] = [];
  const seen = new Set<string>();
  for (const [n, page] of pages.entries()) {
    for (const row of page.data ?? []) {
      if (seen.has(row.id)) continue;
      seen.add(row.id);
      rows.push(row);
      pageOf.push(n);
    }
  }
  const last = pages.at(-1)?.data;
  const next = last !== undefined && last.length > PAGE ? last[PAGE - 1]?.id : undefined;

  // If so many lessons came while the list was shown that some are missing between its first pages, it begins
  // anew.
  const second = pages[1]?.data?.[0];
  const firstEnd = pages[0]?.data?.at(-1);
  const gap = second && firstEnd && second.createdAt < firstEnd.createdAt && !isIn(pages[0]?.data, starts[1]);

  const now = { key, starts, next, pageOf, view };
  const latest = useRef(now);
  latest.current = now;
  const look = useCallback((from: number, to: number) => {
    const { key, starts, next, pageOf, view } = latest.current;
    const pageFrom = pageOf[from] ?? 0;
    const pageTo = pageOf[to] ?? pageOf.at(-1) ?? 0;
    if (pageFrom !== view.from || pageTo !== view.to) setView({ from: pageFrom, to: pageTo });
    // the next page is read before somebody gets to its rows
    if (next !== undefined && to > pageOf.length - PAGE && starts.at(-1) !== next) {
      setState({ key, starts: [...starts, next] });
    }
  }, []);
  if (gap) queueMicrotask(() => setState({ key, starts: [null] }));

  const failed = pages.find(({ error, data }) => error && !data);
  return {
    rows,
    loading: pages[0]?.data === undefined,
    error: failed?.error ?? null,
    more: next !== undefined || pages.some(({ isFetching, data }) => isFetching && !data),
    retry: () => setState({ key, starts: [null] }),
    look,
    starts,
  };
}

const isIn = (rows: Learning[] | undefined, id: string | null | undefined) =>
  rows?.some((row) => row.id === id) ?? false;

async function readPage(
  { status, project, q }: Filter,
  before: string | null,
  signal: AbortSignal,
): Promise<Learning[]> {
  const query = {
    status,
    project: project || undefined,
    q: q || undefined,
    before: before ?? undefined,
    limit: PAGE + SPARE,
  };
  return (await api('GET /v1/learnings', { query, signal })).learnings;
}

/** What a lesson that was found says of itself. */
type Metadata = { project: string; context?: string; createdAt: string };

/** Finds active lessons by their meaning, best first. */
export async function findLearnings(
  query: string,
  project: string,
  signal: AbortSignal,
): Promise<Pick<Learning, 'id' | 'lesson' | 'project' | 'confidence' | 'createdAt'>[]> {
  const body = { query, kinds: ['learning'], limit: 100, ...(project && { project }) };
  const { results } = await api('POST /v1/search', { body, signal });
  return results.map(({ id, content, confidence, metadata }) => {
    const { project, context, createdAt } = metadata as Metadata;
    // the text by which a lesson is found begins with the lesson, and goes on with when it applies
    const end = context ? content.indexOf(`\n${context}`) : content.indexOf('\n');
    return { id, lesson: end < 0 ? content : content.slice(0, end), project, confidence, createdAt };
  });
}
