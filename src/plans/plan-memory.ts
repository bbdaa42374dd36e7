import { sql } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import type { Claims } from '../db/as-user.ts';
import { query, type Tx } from '../db/open.ts';
import { createProjectMemory, type ReadingServices } from '../db/project-memory.ts';
import { type Change, getPlan, planHistory } from './read-plans.ts';
import type { Plan } from './view.ts';

// A call that went well is answered without the database. So the plans of the projects that are worked on are
// kept in memory.

/** A plan with its last changes, the newest first. */
export type WatchedPlan = { plan: Plan; changes: Change[] };

export type PlanMemory = {
  /** Returns the plans of a project that agents may follow, the one that changed last first. */
  of(claims: Claims, projectId: string): Promise<WatchedPlan[]>;
  /** Returns them as far as they are in memory. */
  peek(claims: Claims, projectId: string): WatchedPlan[];
  /** Reads the plans again; of all projects if none is named (`<user> <project>`). The old ones hold until then. */
  refresh(which?: string): void;
  /** Returns whether a thing that is done every so often is due now, and takes note that it is done. */
  isDue(what: string, now: number, everyMs: number): boolean;
  /** Makes a thing due at once. */
  makeDue(what: string): void;
  /** Forgets a user's plans, because some were erased. */
  forget(userId: string): void;
};

const MAX_AGENTS = 2_000;
/** How many of its last changes are kept of a plan, to tell agents what is new. */
const MAX_CHANGES = 60;
/** A project has rarely more than one or two. */
const MAX_WATCHED = 20;

/** Returns a memory of the plans in a database. Call `refresh` when plans were changed. */
export function createPlanMemory(services: ReadingServices): PlanMemory {
  const projects = createProjectMemory(services, 'plans', loadPlans);
  const doneAt = new LRUCache<string, number>({ max: MAX_AGENTS });
  return {
    of: projects.newest,
    peek(claims, projectId) {
      const plans = projects.peek(claims, projectId);
      if (!plans) void projects.of(claims, projectId).catch(() => {});
      return plans ?? [];
    },
    refresh: projects.refresh,
    isDue(what, now, everyMs) {
      if (now - (doneAt.get(what) ?? 0) < everyMs) return false;
      doneAt.set(what, now);
      return true;
    },
    makeDue: (what) => void doneAt.delete(what),
    forget: projects.forget,
  };
}

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
