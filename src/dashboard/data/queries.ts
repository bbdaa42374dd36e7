import { QueryClient } from '@tanstack/preact-query';
import { Refused } from './api.ts';

/**
 * The answers of the API. A query's key begins with the names of the tables whose changes make it stale; the
 * rest says what it is: `[['plans', 'plan_steps'], 'plan', id]` (see live.ts). Without a change nothing is
 * read twice.
 */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: Number.POSITIVE_INFINITY,
      // What was seen stays for a day, so that the page shows it when the server is away.
      gcTime: 24 * 3_600_000,
      // Otherwise the library would wait for `navigator.onLine`, which knows nothing of a server on this machine.
      networkMode: 'always',
      retry: (count, error) => !(error instanceof Refused) && count < 2,
      retryDelay: 500,
    },
    mutations: { networkMode: 'always' },
  },
});
