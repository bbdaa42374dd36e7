import { effect } from '@preact/signals';
import { type DehydratedState, dehydrate, hydrate } from '@tanstack/preact-query';
import { queries } from './api.ts';
import { type SignIn, signIn } from './sign-in.ts';

// Answers of the API are kept in this browser. So the page can show the last known state at once, also when
// the server is away. Signing out deletes them.

const KEY = 'lore.kept';
/** Most answers that are kept, the newest. A browser gives an origin about five million characters. */
const MOST = 30;
const PAUSE_MS = 1_000;
/** The name of this file has a hash of the whole page's code, so another build does not read what this one wrote. */
const VERSION = import.meta.url;

type Kept = { version: string; queries: DehydratedState['queries'] };

/** Brings back what was last seen, and keeps what is read from now on. */
export function keepQueries(): void {
  if (signIn.value.state === 'in') restore();
  let _waiting: ReturnType<typeof setTimeout> | undefined;
  const store = () => {
    _waiting = undefined;
    if (signIn.value.state === 'in') keep();
  };
  queries.getQueryCache().subscribe(({ type }) => {
    if (type === 'updated') _waiting ??= setTimeout(store, PAUSE_MS);
  });
  const keyOf = (who: SignIn) => (who.state === 'in' ? who.who : null);
  let whose = keyOf(signIn.value);
  effect(() => {
    const key = keyOf(signIn.value);
    if (signIn.value.state === 'pairing' || key === whose) return;
    whose = key;
    // one person's records are not shown to the next
    queries.clear();
    localStorage.removeItem(KEY);
  });
}

function restore(): void {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? 'null') as Kept | null;
    if (kept?.version === VERSION) hydrate(queries, { queries: kept.queries, mutations: [] });
    // kept answers are shown, and read anew as soon as somebody looks at them
    void queries.invalidateQueries({ refetchType: 'none' });
  } catch {
    localStorage.removeItem(KEY);
  }
}

function keep(): void {
  const newest = dehydrate(queries, { shouldDehydrateQuery: ({ state }) => state.data !== undefined })
    .queries.sort((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)
    .slice(0, MOST)
    // if a query failed just now, its last good answer is kept
    .map(({ state, ...query }) => ({
      ...query,
      state: { ...state, status: 'success' as const, error: null },
    }));
  try {
    localStorage.setItem(KEY, JSON.stringify({ version: VERSION, queries: newest } satisfies Kept));
  } catch {
    localStorage.removeItem(KEY);
  }
}
