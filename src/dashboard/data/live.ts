import { effect, signal } from '@preact/signals';
import type { RealtimeChannel, SupabaseClient } from '@supabase/supabase-js';
import type { Query } from '@tanstack/preact-query';
import type { Token } from '../../base/wire/routes.ts';
import { api, queries } from './api.ts';
import { base } from './server.ts';
import { signIn } from './sign-in.ts';

/** Whether changes arrive as they happen. */
export const live = signal<'connecting' | 'live' | 'away'>('connecting');
/** When the page last knew that it shows the present state, in milliseconds since 1970. */
export const seenAt = signal(Number(localStorage.getItem('lore.seen')) || null);

const TABLES = [
  'plans',
  'plan_steps',
  'learnings',
  'incidents',
  'consolidation_runs',
  'command_checks',
  'command_cache',
  'notes',
  'dashboard_projects',
] as const;
/** A table whose changes are sent to the page. */
export type Table = (typeof TABLES)[number];

/** Listens to all published tables while this device is signed in. */
export function startLive(): () => void {
  return effect(() => {
    if (signIn.value.state !== 'in') return;
    const ended = new AbortController();
    void connect(ended.signal);
    return () => ended.abort();
  });
}

/** A client keeps the public key that it was made with, which lives for a day: after this long it is made anew. */
const KEY_MS = 12 * 3_600_000;

async function connect(ended: AbortSignal): Promise<void> {
  const since = Date.now();
  let current = await firstToken(ended);
  // The library is a third of the page's code, so it is loaded behind the first content.
  const { createClient } = await import('@supabase/supabase-js');
  if (!current || ended.aborted) return;
  const client: SupabaseClient = createClient(current.url ?? base(), current.apiKey, {
    accessToken: async () => {
      if (current && Date.parse(current.expiresAt) - Date.now() < 60_000) {
        current = (await askToken().catch(() => null)) ?? current;
      }
      return current?.token ?? null;
    },
    realtime: { reconnectAfterMs: () => 1_000 },
  });
  const seen = setInterval(noteSeen, 5_000);
  const stop = () => {
    clearInterval(seen);
    live.value = 'connecting';
    void client.removeAllChannels();
    client.realtime.disconnect();
  };
  ended.addEventListener('abort', stop);
  await client.realtime.setAuth();
  let channel: RealtimeChannel = client.channel('page');
  for (const table of TABLES) {
    const filter = table === 'command_checks' ? { filter: 'decision=in.(deny,hold)' } : {};
    const wanted = { event: '*', schema: 'public', table, ...filter } as const;
    channel = channel.on('postgres_changes', wanted, () => readAnew(table));
  }
  channel.subscribe((status) => {
    if (ended.aborted) return;
    live.value = status === 'SUBSCRIBED' ? 'live' : 'away';
    // What happened while the connection was away is not told again.
    if (status === 'SUBSCRIBED') void readAll().then(noteSeen);
    else if (Date.now() - since > KEY_MS) {
      ended.removeEventListener('abort', stop);
      stop();
      void connect(ended);
    }
    // The server also ends the connection of a device that was revoked. The API says whether that is why (401).
    else
      void askToken().then(
        (token) => {
          current = token;
        },
        () => {},
      );
  });
}

function noteSeen(): void {
  if (live.value !== 'live') return;
  seenAt.value = Date.now();
  localStorage.setItem('lore.seen', String(seenAt.value));
}

/** Reads all anew, also the queries in view that failed while the server was away and for whose tables no changes are sent. */
async function readAll(): Promise<void> {
  await readAnew(...TABLES);
  await queries.refetchQueries({ type: 'active', predicate: ({ state: { status } }) => status === 'error' });
}

const askToken = () => api('POST /v1/token');

/** Asks until the server answers, or this device is signed out. */
async function firstToken(ended: AbortSignal): Promise<Token | null> {
  while (!ended.aborted) {
    const token = await askToken().catch(() => null);
    if (token) return token;
    live.value = 'away';
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  return null;
}

const dirty = new Set<Table>();
let reading: Promise<void> | null = null;

/**
 * Reads the queries anew that show rows of these tables. Changes that arrive meanwhile are collected. So a
 * burst of a hundred changes causes one or two readings, and a single change is read at once.
 */
export async function readAnew(...tables: Table[]): Promise<void> {
  for (const table of tables) dirty.add(table);
  reading ??= readDirty().finally(() => {
    reading = null;
  });
  await reading;
}

async function readDirty(): Promise<void> {
  while (dirty.size > 0) {
    const now = new Set(dirty);
    dirty.clear();
    const shows = ({ queryKey: [of] }: Query) => Array.isArray(of) && of.some((table) => now.has(table));
    // The library would not begin a first reading anew, although its answer may be older than the change.
    const first = (query: Query) => shows(query) && query.state.data === undefined;
    const begun = queries.getQueryCache().findAll({ predicate: first });
    await Promise.all(begun.map((query) => query.promise?.catch(() => {})));
    await queries.invalidateQueries({ predicate: shows });
  }
}
