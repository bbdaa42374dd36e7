// Live clients as the phone page is one: the unmodified supabase-js.
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import ws from 'ws';
import type { Lore } from './lore.ts';

export type Change = { new: Record<string, unknown>; commit_timestamp: string };
export type LiveClient = { client: SupabaseClient; close(): Promise<void> };

type Token = { token: string; apiKey: string };

export const tokenOf = async (lore: Lore): Promise<Token> =>
  JSON.parse((await lore.post('/v1/token', {})).text);

/**
 * Subscribes to changes; `onSubscribed` is called at the start and after each reconnection. Resolves when it is
 * subscribed for the first time.
 */
export async function watch(
  lore: Lore,
  filter: object,
  onChange: (change: Change) => void,
  onSubscribed: () => void = () => {},
): Promise<LiveClient> {
  const token = await tokenOf(lore);
  const client = createClient(lore.url, token.apiKey, {
    accessToken: async () => token.token,
    realtime: { transport: ws as never, reconnectAfterMs: () => 1_000 },
  });
  await client.realtime.setAuth();
  const wanted = { event: '*', schema: 'public', ...filter } as unknown as { event: '*'; schema: string };
  await new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('not subscribed within 30 s')), 30_000);
    client
      .channel('watch')
      .on('postgres_changes', wanted, (change) => onChange(change as unknown as Change))
      .subscribe((status) => {
        if (status !== 'SUBSCRIBED') return;
        onSubscribed();
        clearTimeout(late);
        resolve();
      });
  });
  const close = async () => {
    await client.removeAllChannels();
    await client.realtime.disconnect();
  };
  return { client, close };
}

/** Makes a lesson that changes are made to, and returns its id. */
export async function makeLesson(lore: Lore): Promise<string> {
  const body = {
    project: '/home/dev/live',
    lesson: `Start the emulator with \`npm run emulator${Date.now()}\` before the integration tests of the billing service`,
    context: 'when integration tests cannot connect to port 8085',
    appliesTo: ['npm test'],
    keywords: ['emulator'],
  };
  const { learning } = JSON.parse((await lore.post('/v1/learnings', body)).text);
  if (!learning) throw new Error('the lesson was not stored');
  return learning.id;
}

/** Changes a lesson in a transaction of its own: its counter tells the changes apart. */
export const change = (lore: Lore, id: string, n: number, more = '') =>
  lore.post('/v1/sql', {
    query: `update learnings set usage_count = ${n}${more} where id = '${id}'`,
    write: true,
  });
