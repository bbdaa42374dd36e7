import { LRUCache } from 'lru-cache';
import { authenticate, ensureOwner } from '../../accounts/accounts.ts';
import { hashKey, touchKey } from '../../accounts/keys.ts';
import type { KnownKeys } from '../../accounts/known-keys.ts';
import type { Config } from '../../base/config.ts';
import type { Log } from '../../base/log.ts';
import { asUser } from '../../db/as-user.ts';
import { openDatabase } from '../../db/open.ts';
import { checkRights } from '../../db/rights.ts';
import { joinAsFunction } from '../../db/servers.ts';
import type { Asked, HookServices } from '../../hooks/types.ts';
import { createModels } from '../../llm/choose.ts';
import { createPush } from '../../realtime/push/push.ts';
import { embedderOf } from '../../search/database-model.ts';
import { httpEmbedder } from '../../search/embedding/http-embedder.ts';
import { createFinds, type Finds } from '../../search/finds.ts';
import { createDashboard } from '../../sessions/dashboard.ts';
import { isShellTool } from '../../shell/shell-tools.ts';
import type { createApp } from '../api/app.ts';
import { servicesOver } from '../services.ts';
import { startBackground, type WorkServices } from '../workers.ts';

// The services of an Edge Function. One process (an isolate) may answer many requests, or one; others answer beside it, and
// none hears what the others do. So what a server keeps in memory is read from the database again for each answer, and
// nothing is promised to be done later but what `waitUntil` lets end.

/** No account: the files and the login of the person who runs a server are not here. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** An isolate answers one request at a time, as a rule, and each may have many beside it. */
const CONNECTIONS = { usual: 2, urgent: 2 };

export type Services = Parameters<typeof createApp>[0] & WorkServices;

/**
 * Opens the database and returns what requests need.
 *
 * @param waitUntil keeps this process alive until a promise is settled
 * @throws Problem (503) if the database cannot be reached, or lacks what a server needs; (409) if servers with another
 *   secret use it
 */
export async function openServices(
  config: Config & { secret: string },
  log: Log,
  waitUntil: (work: Promise<unknown>) => void,
): Promise<Services> {
  const db = await openDatabase(config, { onDemand: true, connections: CONNECTIONS });
  await checkRights(db);
  const servers = await joinAsFunction({ db, log, secret: config.secret });
  if (config.key !== undefined)
    await ensureOwner(db, { key: config.key, source: 'LORE_KEY', inFolder: null });
  const background = startBackground(log);
  const inBackground: HookServices['inBackground'] = (name, work) => {
    background.run(name, work);
    waitUntil(background.done());
  };
  const parts = { db, log, inBackground };
  const models = createModels(config, db, NOBODY);
  const embedder = await embedderOf(db, httpEmbedder(config, log));
  const made = createFinds(db);
  const finds: Finds = {
    ...made,
    found(userId, notes) {
      made.found(userId, notes);
      inBackground('store finds', made.store);
    },
  };
  const services: Services = servicesOver({
    ...parts,
    config,
    servers,
    journal: null,
    dashboard: createDashboard(parts, 0),
    push: createPush({ ...parts, config }),
    embedder,
    models,
    keys: keysOf(parts),
    finds,
    // whoever works looks for work by itself
    wake: () => {},
    failing: () => [],
    distant: true,
    ownerId: NOBODY,
    withoutPage: true,
    readAhead: (asked: Asked) => readAhead(services, asked),
  });
  return services;
}

/** Where requests come often, `last_used_at` of their key is exact to a minute. */
const TOUCH_MS = 60_000;

/** Returns what looks each key up in the database. What limits wrong keys is the platform's. */
function keysOf({ db, inBackground }: Pick<HookServices, 'db' | 'inBackground'>): KnownKeys {
  const touched = new LRUCache<string, true>({ max: 1_000, ttl: TOUCH_MS });
  return {
    accountAtOnce: () => null,
    async accountOf(key) {
      const account = await authenticate(db, hashKey(key));
      if (account && !touched.get(account.keyId)) {
        touched.set(account.keyId, true);
        inBackground('touch key', () => asUser(db, account, (tx) => touchKey(tx, account.keyId)));
      }
      return account;
    },
    forget: () => {},
  };
}

/** Reads from the database what the answer to an event takes from memory. */
async function readAhead(services: HookServices, { claims, event, at }: Asked): Promise<void> {
  const { sessions, settings, verdicts, callLessons, guards, plans } = services;
  settings.forget(claims.userId);
  // other functions answer the session too, so it is read anew
  const session = sessions.of(claims, event, at);
  const ofProject = session.then(({ projectId }) => {
    const memories = event.hook_event_name === 'PreToolUse' ? [callLessons, guards] : [];
    for (const one of [...memories, plans]) one.refresh(`${claims.userId} ${projectId}`);
    return Promise.all([
      ...memories.map((one) => one.newest(claims, projectId)),
      plans.newest(claims, projectId),
    ]);
  });
  const checks = event.hook_event_name === 'PreToolUse' && isShellTool(event.tool_name);
  await Promise.all([ofProject, settings.of(claims), checks ? verdicts.refresh(claims.userId) : null]);
}
