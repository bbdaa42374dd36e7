import { effect } from '@preact/signals';
import { type DehydratedState, dehydrate, hydrate } from '@tanstack/preact-query';
import { queries } from './queries.ts';
import { type SignIn, signIn } from './sign-in.ts';

// Answers of the API are kept in this browser. So the page can show the last known state at once, also when
// the server is away. Signing out deletes them.

const KEY = 'lore.kept';
/**
 * Most characters that are kept; the newest answers stay. A browser gives an origin about five million
 * characters.
 */
const MAX_LENGTH = 2_000_000;
const PAUSE_MS = 1_000;
/** The name of this file has a hash of the whole page's code, so another build does not read what this one wrote. */
const VERSION = import.meta.url;

type Kept = { version: string; queries: DehydratedState['queries'] };

/** Brings back what was last seen, and keeps what is read from now on. */
export function keepQueries(): void {
  restore();
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const store = () => {
    clearTimeout(waiting);
    waiting = undefined;
    if (signIn.value.state === 'in') keep();
  };
  queries.getQueryCache().subscribe(({ type }) => {
    if (type === 'updated') waiting ??= setTimeout(store, PAUSE_MS);
  });
  addEventListener('visibilitychange', () => {
    if (document.hidden && waiting !== undefined) store();
  });
  let whose = keyOf(signIn.value);
  effect(() => {
    if (signIn.value.state === 'pairing') return;
    const key = keyOf(signIn.value);
    if (key === whose) return;
    whose = key;
    // one person's records are not shown to the next
    queries.clear();
    localStorage.removeItem(KEY);
  });
}

const keyOf = (who: SignIn): string | null => (who.state === 'in' ? who.who : null);

function restore(): void {
  if (signIn.value.state !== 'in') return;
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
  const all = dehydrate(queries, {
    // queries that are marked so are not kept, such as the later pages of a long list
    shouldDehydrateQuery: ({ state, meta }) => state.data !== undefined && meta?.kept !== false,
  });
  let length = 0;
  const newest = all.queries
    .sort((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)
    // if a query failed just now, its last good answer is kept
    .map(({ state, ...query }) => ({
      ...query,
      state: { ...state, status: 'success' as const, error: null },
    }))
    .filter((query) => {
      length += JSON.stringify(query).length;
      return length <= MAX_LENGTH;
    });
  try {
    localStorage.setItem(KEY, JSON.stringify({ version: VERSION, queries: newest } satisfies Kept));
  } catch {
    localStorage.removeItem(KEY);
  }
}
