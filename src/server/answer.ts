import type { Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { isLive } from '../accounts/keys.ts';
import { createApp } from '../api/app.ts';
import type { Config } from '../config.ts';
import { asUser } from '../db/as-user.ts';
import { hostsOf } from '../http/known-host.ts';
import type { Log } from '../log.ts';
import { createRealtime } from '../realtime/endpoint.ts';
import { hookListener } from './hook-listener.ts';
import { listen, stopListening } from './listen.ts';
import type { Undo } from './undo.ts';

// Where a server listens: for requests, and for live clients.

type Start = { config: Config; log: Log; undo: Undo };
type Services = Parameters<typeof createApp>[0];

/** From here on requests are answered. `port` is the real one. */
export async function answerRequests(
  { config, undo }: Start,
  services: Services,
): Promise<{ server: Server; port: number }> {
  const app = getRequestListener(createApp(services).fetch, { hostname: config.host });
  const listener = hookListener(services, app);
  const listening = await listen(listener, config);
  undo.add(() => stopListening(listening.server));
  return listening;
}

/** Lets live clients connect. */
export async function answerLiveClients(
  { config, log, undo }: Start,
  { db, tokens }: Services,
  server: Server,
): Promise<void> {
  const realtime = await createRealtime({
    db,
    log,
    isOurs: hostsOf(config),
    verify: tokens.verify,
    async settle(grant) {
      const { authId, email } = grant;
      if (authId !== null) {
        const account = await tokens.accountOf({ authId, email });
        return account && { ...grant, userId: account.userId };
      }
      const claims = { userId: grant.userId as string, role: 'member' as const };
      const live = await asUser(db, claims, (tx) => isLive(tx, grant.keyId), { readOnly: true });
      return live ? grant : null;
    },
  });
  undo.add(() => realtime.stop());
  // it ends with the database: a stop would wait for its turn there before it stops listening
  await db.listen('lore_keys', realtime.recheck, () => realtime.recheck());
  server.on('upgrade', realtime.upgrade);
}
