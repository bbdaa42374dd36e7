import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { KnownKeys } from '../accounts/known-keys.ts';
import { createTokens, tokenSecret } from '../accounts/tokens.ts';
import type { Config } from '../base/config.ts';
import { createModelJudge } from '../commands/judge-model.ts';
import { createVerdictMemory } from '../commands/verdict-memory.ts';
import { type Database, query } from '../db/open.ts';
import { createDeliveries } from '../hooks/delivery.ts';
import { keep } from '../hooks/handle.ts';
import { createKnownSessions } from '../hooks/known-sessions.ts';
import { createSettings } from '../hooks/settings.ts';
import type { HookServices } from '../hooks/types.ts';
import { createGuardMemory } from '../learnings/guards/guards.ts';
import type { Models } from '../llm/choose.ts';
import { createCallMemory } from '../offers/recall/call-lessons.ts';
import { createPlanMemory } from '../plans/read-plans.ts';
import type { DatabaseEmbedder } from '../search/database-model.ts';
import { embedQuery } from '../search/embedding/embed-query.ts';
import type { Finds } from '../search/finds.ts';
import type { createApp } from './api/app.ts';

/** All services that requests need, in one object. */
export type Services = Parameters<typeof createApp>[0];

/** What both servers and Edge Functions make of their own. */
type Parts = Pick<HookServices, 'db' | 'log' | 'servers' | 'journal' | 'inBackground'> & {
  config: Config & { secret: string };
  embedder: DatabaseEmbedder;
  models: Models;
};
const made = ({ config, db, log, servers, embedder, models, journal, inBackground }: Parts) => ({
  secret: config.secret,
  sessions: createKnownSessions({ db, servers, holdout: config.holdout, left: journal?.drained() }),
  settings: createSettings(db),
  deliveries: createDeliveries(),
  verdicts: createVerdictMemory({ db, log, inBackground }),
  callLessons: createCallMemory({ db, log, inBackground }),
  guards: createGuardMemory({ db, log, inBackground }),
  plans: createPlanMemory({ db, log, inBackground }),
  modelFor: models.modelFor,
  embedQuery: ((claims, text) => embedQuery(embedder, claims.userId, text)) as HookServices['embedQuery'],
  judgeByModel: createModelJudge(models.fast, log),
});

type Given = Omit<HookServices, keyof ReturnType<typeof made>> &
  Parts &
  Pick<Services, 'wake' | 'failing'> & { finds: Finds; keys: KnownKeys };

/** Returns all services that requests need. */
export function servicesOver<G extends Given>(given: G): Services & G {
  const { config, db } = given;
  const jwtSecret = tokenSecret(config, config.secret);
  const hookServices: HookServices = { ...given, ...made(given) };
  return {
    ...hookServices,
    ...given,
    jwtSecret,
    tokens: createTokens({ db, config, jwtSecret }),
    keepCheck: (claims, check, remember) =>
      keep(hookServices, { id: randomUUID(), claims, at: new Date().toISOString(), check, remember }),
  };
}

/**
 * Listens when the database reports a change by another server or a person: of what is held in memory, of the nights, and of
 * the lessons that the phone page counts. So most hooks need no database.
 *
 * @returns what resolves when all that the database has reported until then is heard; what is read because of it may still be read
 */
export async function hearChanges(
  services: Services,
  ends: (step: () => unknown) => void,
): Promise<() => Promise<void>> {
  const { db, keys, verdicts, callLessons, guards, plans, dashboard } = services;
  const waiting = new Map<string, () => void>();
  const shown = (about: string) => {
    const [userId, projectId] = about.split(' ');
    if (userId && projectId) dashboard.touch(userId, [projectId]);
  };
  // what is told by the database, who hears it, and what happens when something may have been missed
  const heardBy: Parameters<Database['listen']>[] = [
    ['lore_verdicts', verdicts.refresh, verdicts.refresh],
    ['lore_keys', keys.forget, keys.forget],
    ['lore_consolidation', () => services.wake('consolidate')],
    ['lore_learnings', callLessons.refresh, callLessons.refresh],
    ['lore_guards', guards.refresh, guards.refresh],
    // a guard acts as long as its lesson is in force
    ['lore_learnings', guards.refresh, guards.refresh],
    ['lore_plans', plans.refresh, plans.refresh],
    ['lore_learnings', shown],
    ['lore_heard', (id) => waiting.get(id)?.()],
  ];
  for (const one of heardBy) ends(await db.listen(...one));
  return async () => {
    const id = randomUUID();
    // notifications arrive in the order in which their transactions ended
    const last = new Promise<void>((resolve) => waiting.set(id, resolve));
    await query(db.drizzle, sql`select pg_notify('lore_heard', ${id})`);
    await last;
    waiting.delete(id);
  };
}
