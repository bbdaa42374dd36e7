import { type InfiniteData, useInfiniteQuery } from '@tanstack/preact-query';
import { api } from '../data/api.ts';
import type { Pages } from '../data/pages.ts';
import { planTables } from '../data/plan.ts';

export type Change = {
  version: number;
  at: string;
  /** 0: the plan itself */
  step: number;
  action: string;
  actor: string | null;
  text: string | null;
};

const LIMIT = 40;

/** Reads the changes of a plan, page by page. A page begins before a version, not behind an id as other lists do. */
export const usePlanHistory = (id: string, enabled: boolean): Pages<Change> =>
  useInfiniteQuery<Change[], Error, InfiniteData<Change[]>, unknown[], number | null>({
    queryKey: [planTables, 'history', id],
    queryFn: async ({ pageParam, signal }) => {
      const query = { limit: LIMIT, before: pageParam };
      return (await api<{ changes: Change[] }>('GET', `/v1/plans/${id}/history`, { query, signal })).changes;
    },
    initialPageParam: null,
    getNextPageParam: (last) => (last.length < LIMIT ? null : last.at(-1)?.version),
    enabled,
  });
