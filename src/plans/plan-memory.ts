import { sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import { createProjectMemory, type ProjectMemory, type ReadingServices } from '../db/project-memory.ts';
import { type Change, getPlan, planHistory } from './read-plans.ts';
import type { Plan } from './view.ts';

// A call that went well is answered without the database. So the plans of the projects that are worked on are
// kept in memory.

/** A plan with its last changes, the newest first. */
export type WatchedPlan = { plan: Plan; changes: Change[] };

export type PlanMemory = ProjectMemory<WatchedPlan[]>;

/** How many of its last changes are kept of a plan, to tell agents what is new. */
const MAX_CHANGES = 60;
/** A project has rarely more than one or two. */
const MAX_WATCHED = 20;

/** Returns a memory of the plans in a database, the one that changed last first. Call `refresh` when plans were changed. */
export const createPlanMemory = (services: ReadingServices): PlanMemory =>
  createProjectMemory(services, 'plans', loadPlans);

/** Reads the open plans of a project and those that ended today. */
async function loadPlans(tx: Tx, projectId: string): Promise<WatchedPlan[]> {
  const rows = await query<{ id: string }>(
    tx,
    sql`select id from plans where project_id = ${projectId}
          and (status in ('planning', 'in_progress') or closed_at > now() - interval '1 day')
        order by updated_at desc limit ${MAX_WATCHED}`,
  );
  return Promise.all(
    rows.map(async ({ id }) => {
      const [plan, changes] = await Promise.all([
        getPlan(tx, id),
        planHistory(tx, id, { limit: MAX_CHANGES }),
      ]);
      return { plan, changes };
    }),
  );
}
