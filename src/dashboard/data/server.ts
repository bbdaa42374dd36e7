import { signal } from '@preact/signals';

/** What `config.json` beside the page says, so that one build of the page serves any server. */
type Server = {
  /** where the API is; '': where the page is */
  api: string;
  /** the Supabase project whose Auth signs people in, with its public key; null: devices are paired */
  supabase: { url: string; key: string } | null;
};

const KEY = 'lore.server';
const HERE: Server = { api: '', supabase: null };

/** The server that this page asks. */
export const server = signal<Server>(HERE);

/** The address of the API. */
export const base = (): string => server.value.api || location.origin;

/**
 * Reads `config.json`. What was read the last time counts at once, also while the server is away; if it says something
 * else by now, the page begins anew with that.
 */
export async function findServer(): Promise<void> {
  const before = localStorage.getItem(KEY);
  const reading = read().catch(() => null);
  if (before === null) {
    const found = await reading;
    if (found === null) return;
    server.value = found;
    localStorage.setItem(KEY, JSON.stringify(found));
    return;
  }
  server.value = JSON.parse(before);
  void reading.then((found) => {
    const text = JSON.stringify(found);
    if (found === null || text === before || localStorage.getItem(KEY) !== before) return;
    localStorage.setItem(KEY, text);
    location.reload();
  });
}

async function read(): Promise<Server | null> {
  const answer = await fetch('/config.json', { cache: 'no-cache', signal: AbortSignal.timeout(5_000) });
  if (!answer.ok) return null;
  const { api, supabase }: Partial<Server> = await answer.json();
  const named = supabase?.url && supabase.key ? { url: supabase.url, key: supabase.key } : null;
  return { api: (api ?? '').replace(/\/+$/, ''), supabase: named };
}
