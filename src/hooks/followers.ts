import { asUser } from '../db/as-user.ts';
import { isNews } from '../plans/offer-plan.ts';
import type { AgentCall, Follower, WatchedPlan } from '../plans/plan-memory.ts';
import { bindStep, heldBySession } from '../plans/session-steps.ts';
import { unansweredAgentCalls } from '../sessions/calls.ts';
import type { HookEvent } from '../sessions/hook-event.ts';
import type { KnownSession } from './known-sessions.ts';
import type { Asked, HookServices } from './types.ts';

// Who follows a plan, and which calls start agents. It is in memory, unless other servers answer the session too: then it
// follows from what the session was told and from its events.

/** Returns what an agent that follows a plan was told of it; undefined if the agent follows none. */
export async function followerOf(
  { plans, sessions }: HookServices,
  { claims, event, at }: Asked,
): Promise<Follower | undefined> {
  const before = plans.follower(claims, event);
  if (!sessions.isShared(claims, event)) return before;
  const session = await sessions.of(claims, event, at);
  const found = derived(session, event, await plans.of(claims, session.projectId));
  if (!found) return undefined;
  const follower = { ...found, projectId: session.projectId, beatAt: before?.beatAt ?? 0 };
  plans.follow(claims, event, follower);
  return follower;
}

function derived(
  session: KnownSession,
  { agent_id: agentId, agent_type: agentType }: HookEvent,
  plans: WatchedPlan[],
): Omit<Follower, 'projectId' | 'beatAt'> | undefined {
  const told = session.offered.findLast(
    (one) =>
      one.kind === 'step' &&
      one.agentId === (agentId ?? null) &&
      plans.some(({ plan }) => plan.id === one.sourceId),
  );
  const planId = told?.sourceId ?? (agentId ? null : session.planId);
  const watched = plans.find(({ plan }) => plan.id === planId);
  if (!watched) return undefined;
  const { plan } = watched;
  const mine = plan.steps.filter(
    (step) =>
      agentId &&
      step.status === 'in_progress' &&
      (step.agentId === agentId || (step.agentId === null && step.assignedTo === agentType)),
  );
  const [step] = mine.length === 1 ? mine : [];
  return {
    planId: plan.id,
    // a plan that is drafted for a prompt is made after the answer that tells it
    told: told ? versionAt(watched, Math.max(told.at, plan.createdAt.getTime())) : 0,
    toldAt: told && isNews(told.text) ? told.at : 0,
    waits: (step?.waitingFor ?? null) !== null,
    ...(step && { step: step.number }),
  };
}

/** Returns the version that a plan had at a time. */
function versionAt({ plan, changes }: WatchedPlan, time: number): number {
  const [latest] = changes.filter(({ at }) => at.getTime() <= time);
  const oldest = changes.at(-1)?.version ?? plan.version + 1;
  return latest?.version ?? oldest - 1;
}

/** Returns the calls of a session that started an agent of an event's kind, as far as it is not known which agent. */
export async function openCalls(
  { db, plans, sessions }: HookServices,
  { claims, event }: Asked,
  session: KnownSession,
): Promise<AgentCall[]> {
  const { agent_id: agentId = null, agent_type: agentType = null } = event;
  if (!sessions.isShared(claims, event)) {
    const open = plans
      .calls(claims, event.session_id)
      .filter((call) => call.agentType === agentType && call.agentId === null);
    const [only, ...others] = open;
    if (only && others.length === 0 && agentId) only.agentId = agentId;
    return open;
  }
  return asUser(
    db,
    claims,
    async (tx) => {
      const held = await heldBySession(tx, session.id);
      const calls = await unansweredAgentCalls(tx, session.id, { agentId, agentType });
      const open = calls.flatMap(({ id, prompt }): AgentCall[] => {
        const step = held.find(({ toolUseId }) => toolUseId === id);
        if (step && step.agentId !== null) return [];
        const claimed = step ? { planId: step.planId, step: step.number } : null;
        return [{ toolUseId: id, agentType: agentType ?? '', prompt, claimed, agentId: null }];
      });
      const [only, ...others] = open;
      if (only?.claimed && others.length === 0 && agentId)
        await bindStep(tx, session.id, only.toolUseId, agentId);
      return open;
    },
    { urgent: true },
  );
}
