import { randomUUID } from 'node:crypto';
import { Problem } from '../base/errors/problem.ts';
import { clip } from '../base/text/clip.ts';
import { numberedIn } from '../base/text/numbered.ts';
import { asUser } from '../db/as-user.ts';
import type { Tx } from '../db/open.ts';
import { askForPlan } from '../learnings/asking/lines.ts';
import { hearPrompt } from '../learnings/distil/said.ts';
import type { Offer } from '../offers/frame.ts';
import { classify } from '../plans/intent.ts';
import { isSameMatter, stepLike } from '../plans/matter.ts';
import { isNews, offerNews, offerNotClaimed, offerPlanInLine, stepNamedIn } from '../plans/offer-plan.ts';
import { createPlan } from '../plans/plans.ts';
import { planId, type WatchedPlan } from '../plans/read-plans.ts';
import { bindStep, endAgent, giveBack, letWait } from '../plans/session-steps.ts';
import { tryClaim, whyNot } from '../plans/steps.ts';
import { isOpen, ready } from '../plans/view.ts';
import { isPersonsPrompt } from '../sessions/author.ts';
import { lastWordsOf } from '../sessions/calls.ts';
import { type HookEvent, waitsFor } from '../sessions/hook-event.ts';
import { followPlan, keepIntent, type Session } from '../sessions/sessions.ts';
import { ask } from './asking.ts';
import type { KnownSession } from './known-sessions.ts';
import type { Asked, HookServices, Stored } from './types.ts';

// Plans: an agent with a task of several steps is asked for one. A step is claimed before the call that starts its agent.
// The agent is told its step when it starts. What it says at its end ends the step.

/** A plan that nobody has changed for this long is no longer offered. */
const MAX_AGE_MS = 7 * 86_400_000;
/** An agent is told at most this often what changed in its plan. */
const NEWS_EVERY_MS = 30_000;

/** A list that a person numbers is a plan of at most so many steps. */
const MAX_STEPS = 30;
const MAX_GOAL = 300;
const MAX_STEP = 4_000;

/** Returns whether an event is about a call that starts a subagent. */
export const startsAgent = ({ tool_name: tool }: HookEvent): boolean => tool === 'Agent' || tool === 'Task';

/** Returns the plan that a prompt lists. */
function planListed(prompt: string, id: string) {
  const list = numberedIn(prompt);
  if (list === null || list.items.length > MAX_STEPS) return null;
  const [first] = list.items;
  const before = list.before.replace(/\s+/g, ' ').replace(/[\s:]+$/, '');
  const goal = clip(before || `${first}, and ${list.items.length - 1} more`, MAX_GOAL);
  const steps = list.items.map((item, i) => ({
    number: i + 1,
    description: clip(item, MAX_STEP),
    dependencies: i > 0 ? [i] : [],
    status: 'pending' as const,
    proposed: false,
  }));
  // what is said behind the list is kept to, unless it is pasted
  const after = list.after.length < MAX_GOAL ? list.after.split(/(?<=[.!?])\s+|(?:^|\n)[-*•\s]*/) : [];
  return { id, goal, constraints: after.filter((one) => /\p{L}[^?]*$/u.test(one)), steps };
}

/** Offers the plan that a person's complex prompt lists, or asks the agent for one, unless a plan is about the matter. */
export async function planForPrompt(
  services: HookServices,
  asked: Asked,
  session: KnownSession,
): Promise<Offer[]> {
  const { claims, event } = asked;
  const prompt = event.prompt ?? '';
  if (event.agent_id) return [];
  if ((await services.settings.of(claims)).voice.plan === 'none') return [];
  const plans = await services.plans.newest(claims, session.projectId);
  const mine = plans.filter(({ plan }) => isOpen(plan) || plan.id === session.planId);
  if (mine.some(({ plan }) => isSameMatter(prompt, plan))) return [];
  const listed = planListed(prompt, randomUUID());
  if (listed === null) return ask(services, asked, session, askForPlan, { modelDoesIt: false });
  session.planId = listed.id;
  return [offerPlanInLine(listed)];
}

/** Stores what a prompt says about its task, what it asks to keep, and the plan that was offered in the answer. */
export async function recordPrompt(tx: Tx, stored: Stored): Promise<number> {
  await keepPlan(tx, stored);
  return hearPrompt(tx, stored.session, stored.event);
}

async function keepPlan(tx: Tx, { session, event, offers }: Stored): Promise<void> {
  if (!event.prompt || !isPersonsPrompt(event)) return;
  await keepIntent(tx, session, classify(event.prompt));
  const id = offers?.find(({ kind }) => kind === 'step')?.sourceId;
  const listed = id ? planListed(event.prompt, id) : null;
  if (listed === null) return;
  await createPlan(tx, session.projectId, { ...listed, draftedBy: 'prompt', sessionId: session.id });
  await followPlan(tx, session.id, listed.id);
}

/** Returns the open plan that a session follows, or that was made in it. */
const planOf = (plans: WatchedPlan[], session: KnownSession, { session_id: client }: HookEvent) => {
  const open = plans.filter(({ plan }) => isOpen(plan));
  return (
    open.find(({ plan }) => plan.id === session.planId) ?? open.find(({ plan }) => plan.sessionId === client)
  );
};

/**
 * Offers the open plan of its session to an agent that begins. If the session has none, offers one line about
 * the plan of the project that changed last.
 */
export async function offerOpenPlan(
  services: HookServices,
  { claims, event }: Pick<Asked, 'claims' | 'event'>,
  session: KnownSession,
): Promise<Offer[]> {
  const recent = (await services.plans.newest(claims, session.projectId)).filter(
    ({ plan }) => plan.steps.length > 0 && Date.now() - Date.parse(plan.updatedAt) < MAX_AGE_MS,
  );
  const own = planOf(recent, session, event);
  if (own) return [offerPlanInLine(own.plan)];
  const other = recent.find(({ plan }) => isOpen(plan));
  return other ? [offerPlanInLine(other.plan, other.plan.goal)] : [];
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * Claims the step that a call names, or that its words are about, for the agent that the call starts. If a named one
 * cannot be claimed, offers a line that says why.
 */
export async function claimForAgent(
  services: HookServices,
  { claims, event }: Asked,
  session: KnownSession,
): Promise<Offer[]> {
  const { prompt, description, subagent_type: type } = event.tool_input ?? {};
  const toolUseId = event.tool_use_id;
  if (!toolUseId) return [];
  const task = `${textOf(description)}\n${textOf(prompt)}`;
  const plan = planOf(await services.plans.newest(claims, session.projectId), session, event)?.plan;
  const tagged = stepNamedIn(task);
  const meant = tagged || !plan ? null : stepLike(task, ready(plan.steps));
  const named = meant && plan ? { plan: plan.id, step: meant.number } : tagged;
  if (named === null) return [];
  // the plan may have been made just before
  await services.journal?.drained(claims.userId);
  const { id, why } = await asUser(
    services.db,
    claims,
    async (tx) => {
      const id = await planIdOrNull(tx, named.plan);
      if (id === null) return { id, why: 'there is no such plan' };
      const fault = await tryClaim(tx, id, named.step, {
        holder: `${event.session_id} ${toolUseId}`,
        agent: textOf(type) || 'general-purpose',
        leaseSeconds: services.config.stepLeaseSeconds,
        sessionId: session.id,
        toolUseId,
      });
      if (fault !== null) return { id, why: whyNot(fault, named.step) };
      if (session.planId !== id) await followPlan(tx, session.id, id);
      return { id, why: null };
    },
    { urgent: true },
  );
  if (why === null) session.planId = id;
  return why === null || tagged === null ? [] : [offerNotClaimed(id ?? named.plan, named.step, why)];
}

export const planIdOrNull = (tx: Tx, reference: string): Promise<string | null> =>
  planId(tx, reference).catch((error) => {
    if (error instanceof Problem) return null;
    throw error;
  });

/**
 * Stores which agent a call started. If the agent has already ended, ends its step too. If the call failed,
 * gives the step back.
 */
export async function bindAgent(tx: Tx, session: Session, event: HookEvent): Promise<void> {
  const { tool_use_id: toolUseId, tool_response: response } = event;
  if (!toolUseId) return;
  if (event.hook_event_name === 'PostToolUseFailure') {
    const why = `Its agent was stopped: ${clip(event.error ?? 'no reason was given', 300)}`;
    return giveBack(tx, session.id, why, (step) => step.toolUseId === toolUseId);
  }
  const agentId = textOf((response as { agentId?: unknown } | null | undefined)?.agentId);
  if (agentId === '') return;
  const held = await bindStep(tx, session.id, toolUseId, agentId);
  const message = held && (await lastWordsOf(tx, session.id, agentId));
  if (message === null) return;
  // when it ended, it was not yet known which of the agents of its kind it was
  await endAgent(tx, session, { agentId, agentType: null, message });
}

/** Returns what changed in an agent's plan since the agent was last told. It reads memory only. */
export function planNews({ plans }: HookServices, { claims, event, at, session }: Asked): Offer[] {
  if (!session) return [];
  const watched = plans.peek(claims, session.projectId);
  if (!watched) {
    void plans.of(claims, session.projectId).catch(() => {});
    return [];
  }
  const { agent_id: agentId = null, agent_type: agentType } = event;
  const told = session.offered.findLast(
    (one) =>
      one.kind === 'step' && one.agentId === agentId && watched.some(({ plan }) => plan.id === one.sourceId),
  );
  if (told && isNews(told.text) && at.getTime() - told.at < NEWS_EVERY_MS) return [];
  // the plan that it was told of last, or that was made in its session
  const mine = watched.find(({ plan }) =>
    told ? plan.id === told.sourceId : agentId === null && plan.sessionId === event.session_id,
  );
  if (!mine) return [];
  const { plan, changes } = mine;
  const held = plan.steps.filter(
    (step) =>
      step.status === 'in_progress' &&
      (step.agentId === agentId || (step.agentId === null && step.assignedTo === agentType)),
  );
  const since = new Date(told?.at ?? Date.parse(plan.createdAt)).toISOString();
  const latest = changes.find((change) => change.at <= since)?.version;
  return offerNews(
    plan,
    // what came later is told later
    changes.filter((change) => change.at <= at.toISOString()),
    {
      told: latest ?? (changes.at(-1)?.version ?? plan.version + 1) - 1,
      step: agentId !== null && held.length === 1 ? (held[0]?.number ?? null) : null,
      name: agentId === null ? 'orchestrator' : null,
    },
  );
}

/** Stores that the step of an agent waits for a person to permit a call. */
export async function recordPermission(tx: Tx, { session, event }: Stored): Promise<void> {
  const { agent_id: agentId, agent_type: agentType = null } = event;
  const waitingFor = waitsFor(event);
  if (!agentId || waitingFor === null) return;
  await letWait(tx, session.id, { agentId, agentType }, waitingFor);
}
