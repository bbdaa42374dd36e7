import { LRUCache } from 'lru-cache';
import type { Claims } from '../db/as-user.ts';
import type { Tx } from '../db/open.ts';
import { createProjectMemory, type ReadingServices } from '../db/project-memory.ts';
import { type Change, planHistory } from './history.ts';
import { plansToWatch } from './list-plans.ts';
import { getPlan } from './plans.ts';
import type { Plan } from './view.ts';

// A call that went well is answered without the database. So the plans of the projects that are worked on are
// kept in memory, with what each agent was told about them.

/** A plan with its last changes, the newest first. */
export type WatchedPlan = { plan: Plan; changes: Change[] };

/** An agent that follows a plan: the session's own, or a subagent. */
export type Follower = {
  projectId: string;
  planId: string;
  /** the version that it was last told; 0: nothing yet */
  told: number;
  /** when it was last told of changes, in milliseconds since 1970; 0: not yet */
  toldAt: number;
  /** the step that it does, and when its lease was last renewed */
  step?: number;
  beatAt: number;
  /** its step waits for a person's permission */
  waits: boolean;
};

/** A call of the client that starts a subagent. */
export type AgentCall = {
  toolUseId: string;
  agentType: string;
  prompt: string;
  /** the step that was claimed for it; null: none */
  claimed: { planId: string; step: number } | null;
  /** the subagent that it started, as far as it is known */
  agentId: string | null;
};

/** The client's session and subagent of an event. */
type Who = { session_id: string; agent_id?: string | null | undefined };

export type PlanMemory = {
  /** Returns the plans of a project that agents may follow. Reads them if they are not in memory. */
  of(claims: Claims, projectId: string): Promise<WatchedPlan[]>;
  /** Returns a plan if it is in memory. */
  peek(claims: Claims, projectId: string, planId: string): WatchedPlan | undefined;
  /** Reads the plans again; of all projects if none is named (`<user> <project>`). The old ones hold until then. */
  refresh(which?: string): void;
  follower(claims: Claims, who: Who): Follower | undefined;
  follow(claims: Claims, who: Who, follower: Follower): void;
  /** Returns the calls of a session that started agents, the oldest first. The list may be changed. */
  calls(claims: Claims, sessionId: string): AgentCall[];
  /** Forgets a user's agents and plans, because some were erased. */
  forget(userId: string): void;
};

const MAX_FOLLOWERS = 2_000;
const MAX_SESSIONS = 500;
/** How many of its last changes are kept of a plan, to tell agents what is new. */
const MAX_CHANGES = 60;

/** Returns a memory of the plans in a database. Call `refresh` when plans were changed. */
export function createPlanMemory(services: ReadingServices): PlanMemory {
  const projects = createProjectMemory(services, 'plans', loadPlans);
  const followers = new LRUCache<string, Follower>({ max: MAX_FOLLOWERS });
  const calls = new LRUCache<string, AgentCall[]>({ max: MAX_SESSIONS });

  const keyOf = (claims: Claims, { session_id, agent_id }: Who) =>
    `${claims.userId} ${session_id} ${agent_id ?? ''}`;

  return {
    of: projects.newest,
    peek(claims, projectId, planId) {
      const plans = projects.peek(claims, projectId);
      if (!plans) void projects.of(claims, projectId).catch(() => {});
      return plans?.find(({ plan }) => plan.id === planId);
    },
    refresh: projects.refresh,
    follower: (claims, who) => followers.get(keyOf(claims, who)),
    follow(claims, who, follower) {
      followers.set(keyOf(claims, who), follower);
    },
    calls(claims, sessionId) {
      const key = `${claims.userId} ${sessionId}`;
      const known = calls.get(key) ?? [];
      calls.set(key, known);
      return known;
    },
    forget(userId) {
      projects.forget(userId);
      for (const map of [followers, calls]) {
        for (const key of [...map.keys()]) if (key.startsWith(`${userId} `)) map.delete(key);
      }
    },
  };
}

async function loadPlans(tx: Tx, projectId: string): Promise<WatchedPlan[]> {
  const ids = await plansToWatch(tx, projectId);
  return Promise.all(
    ids.map(async (id) => {
      const [plan, changes] = await Promise.all([
        getPlan(tx, id),
        planHistory(tx, id, { limit: MAX_CHANGES }),
      ]);
      return { plan, changes };
    }),
  );
}
