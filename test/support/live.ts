import { createClient, type RealtimeChannel, type SupabaseClient } from '@supabase/supabase-js';
import { onTestFinished } from 'vitest';
import ws from 'ws';
import type { TestServer } from './server.ts';

// Clients of the live endpoint: the unmodified supabase-js, as the phone page uses it.

/** Returns a client that fetches its tokens with a key, and ends with the test. */
export async function liveClient(
  server: Pick<TestServer, 'url' | 'request'>,
  key: string,
  options: { token?: () => Promise<string>; vsn?: string } = {},
): Promise<SupabaseClient> {
  const fetched = async () => (await server.request('POST', '/v1/token', { key })).body;
  const { apiKey } = await fetched();
  const client = createClient(server.url, apiKey, {
    accessToken: options.token ?? (async () => (await fetched()).token),
    realtime: {
      transport: ws as never,
      reconnectAfterMs: () => 200,
      ...(options.vsn && { vsn: options.vsn }),
    },
  });
  onTestFinished(async () => {
    await client.removeAllChannels();
    await client.realtime.disconnect();
  });
  await client.realtime.setAuth();
  return client;
}

/** Subscribes a channel. Resolves when it is subscribed; rejects with any other status of it. */
export function subscribed(channel: RealtimeChannel): Promise<void> {
  return new Promise((resolve, reject) => {
    channel.subscribe((status, error) => {
      if (status === 'SUBSCRIBED') resolve();
      else reject(new Error(`${status} ${error?.message ?? ''}`));
    });
  });
}
