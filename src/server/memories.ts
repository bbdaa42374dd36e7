import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { type Database, query } from '../db/open.ts';
import type { Services } from './services.ts';

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
