import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { createKnownKeys } from '../accounts/known-keys.ts';
import type { Log } from '../base/log.ts';
import type { InBackground } from '../base/timing/loop.ts';
import { createVerdictMemory } from '../commands/verdict-memory.ts';
import { type Database, query } from '../db/open.ts';
import { createGuardMemory } from '../learnings/guards/guards.ts';
import { createCallMemory } from '../offers/recall/call-lessons.ts';
import { createPlanMemory } from '../plans/read-plans.ts';
import type { Dashboard } from '../sessions/dashboard.ts';
import type { Workers } from './workers.ts';

/**
 * Makes the memories, and listens when the database reports a change by another server or a person: of what is held in
 * memory, of the nights, and of the lessons that the phone page counts. With them, most hooks need no database.
 */
export async function startMemories(services: {
  db: Database;
  log: Log;
  ends(step: () => unknown): void;
  inBackground: InBackground;
  workers: Workers;
  dashboard: Dashboard;
}) {
  const { db, ends, workers, dashboard } = services;
  const verdicts = createVerdictMemory(services);
  const keys = createKnownKeys(services);
  const callLessons = createCallMemory(services);
  const guards = createGuardMemory(services);
  const plans = createPlanMemory(services);
  const waiting = new Map<string, () => void>();
  const shown = (about: string) => {
    const [userId, projectId] = about.split(' ');
    if (userId && projectId) dashboard.touch(userId, [projectId]);
  };
  // what is told by the database, who hears it, and what happens when something may have been missed
  const heardBy: Parameters<Database['listen']>[] = [
    ['lore_verdicts', verdicts.refresh, verdicts.refresh],
    ['lore_keys', keys.forget, keys.forget],
    ['lore_consolidation', () => workers.wake('consolidate')],
    ['lore_learnings', callLessons.refresh, callLessons.refresh],
    ['lore_guards', guards.refresh, guards.refresh],
    // a guard acts as long as its lesson is in force
    ['lore_learnings', guards.refresh, guards.refresh],
    ['lore_plans', plans.refresh, plans.refresh],
    ['lore_learnings', shown],
    ['lore_heard', (id) => waiting.get(id)?.()],
  ];
  for (const one of heardBy) ends(await db.listen(...one));
  /** Resolves when all that the database has reported until now is heard; what is read because of it may still be read. */
  const heard = async () => {
    const id = randomUUID();
    // notifications arrive in the order in which their transactions ended
    const last = new Promise<void>((resolve) => waiting.set(id, resolve));
    await query(db.drizzle, sql`select pg_notify('lore_heard', ${id})`);
    await last;
    waiting.delete(id);
  };
  return { verdicts, keys, callLessons, guards, plans, heard };
}
