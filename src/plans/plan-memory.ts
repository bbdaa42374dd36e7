import { asUser, type Claims } from '../db/as-user.ts';
import type { Database } from '../db/open.ts';
import { dropOldest } from '../drop-oldest.ts';
import type { Log } from '../log.ts';
import { type Change, planHistory } from './history.ts';
import { plansToWatch } from './list-plans.ts';
import { getPlan } from './plans.ts';
import type { Plan } from './view.ts';

// A call that went well is answered without the database. So the plans of the projects that are worked on are in memory,
// and what each agent was told of them.

/** A plan with its last changes, the newest first. */
export type WatchedPlan = { plan: Plan; changes: Change[] };

/** An agent that follows a plan: the session's own, or a subagent. */
type Follower = {
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

type Held = {
  claims: Claims;
  plans: WatchedPlan[] | null;
  loading: Promise<WatchedPlan[]>;
  /** it is being read, and has changed since that began */
  busy: boolean;
  again: boolean;
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

const MAX_PROJECTS = 200;
const MAX_FOLLOWERS = 2_000;
const MAX_SESSIONS = 500;
/** Only so many changes back can an agent be told what is new; it is told the whole plan then. */
const MAX_CHANGES = 60;

/** Returns a memory of the plans in a database. Call `refresh` when plans were changed. */
export function createPlanMemory(db: Database, log: Log): PlanMemory {
  const projects = new Map<string, Held>();
  const followers = new Map<string, Follower>();
  const calls = new Map<string, AgentCall[]>();

  const load = (claims: Claims, projectId: string, urgent: boolean) =>
    asUser(
      db,
      claims,
      async (tx): Promise<WatchedPlan[]> =>
        Promise.all(
          (await plansToWatch(tx, projectId)).map(async (id) => {
            const [plan, changes] = await Promise.all([
              getPlan(tx, id),
              planHistory(tx, id, { limit: MAX_CHANGES }),
            ]);
            return { plan, changes };
          }),
        ),
      { readOnly: true, urgent },
    );

  /** Loads a project. What changes while it is being read is read again afterwards. */
  function start(key: string, claims: Claims, projectId: string, plans: WatchedPlan[] | null): Held {
    const held: Held = {
      claims,
      plans,
      loading: load(claims, projectId, plans === null),
      busy: true,
      again: false,
    };
    held.loading.then(
      (loaded) => {
        held.plans = loaded;
        held.busy = false;
        if (projects.get(key) === held && held.again) {
          projects.set(key, start(key, claims, projectId, loaded));
        }
      },
      (error) => {
        log.warn({ error }, 'plans could not be read');
        if (projects.get(key) === held) projects.delete(key);
      },
    );
    return held;
  }
  const keyOf = (claims: Claims, { session_id, agent_id }: Who) =>
    `${claims.userId} ${session_id} ${agent_id ?? ''}`;

  return {
    of(claims, projectId) {
      const key = `${claims.userId} ${projectId}`;
      const held = projects.get(key) ?? start(key, claims, projectId, null);
      projects.delete(key);
      projects.set(key, held);
      dropOldest(projects, MAX_PROJECTS);
      return held.loading;
    },
    peek(claims, projectId, planId) {
      const held = projects.get(`${claims.userId} ${projectId}`);
      if (!held) void this.of(claims, projectId).catch(() => {});
      return held?.plans?.find(({ plan }) => plan.id === planId);
    },
    refresh(which) {
      for (const [key, held] of projects) {
        if (which !== undefined && which !== key) continue;
        const projectId = key.slice(key.indexOf(' ') + 1);
        if (held.busy) held.again = true;
        else projects.set(key, start(key, held.claims, projectId, held.plans));
      }
    },
    follower: (claims, who) => followers.get(keyOf(claims, who)),
    follow(claims, who, follower) {
      const key = keyOf(claims, who);
      followers.delete(key);
      followers.set(key, follower);
      dropOldest(followers, MAX_FOLLOWERS);
    },
    calls(claims, sessionId) {
      const key = `${claims.userId} ${sessionId}`;
      const known = calls.get(key) ?? [];
      calls.delete(key);
      calls.set(key, known);
      dropOldest(calls, MAX_SESSIONS);
      return known;
    },
    forget(userId) {
      for (const map of [projects, followers, calls]) {
        for (const key of map.keys()) if (key.startsWith(`${userId} `)) map.delete(key);
      }
    },
  };
}
