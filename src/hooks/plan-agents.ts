import { asUser, type Claims } from '../db/as-user.ts';
import type { Tx } from '../db/open.ts';
import { episodesForPrompt } from '../episodes/offer-episode.ts';
import { Problem } from '../errors/problem.ts';
import { decisionsIn, offerDecision } from '../facts/offer-decision.ts';
import { lessonsOfSubagents } from '../learnings/learnings.ts';
import type { Offer } from '../offers/frame.ts';
import type { Voice } from '../offers/voice.ts';
import { endAgent } from '../plans/end-agent.ts';
import {
  offerBulletin,
  offerNews,
  offerNotClaimed,
  offerPlan,
  offerPlanInLine,
  offerPlanOfOthers,
  offerStep,
  severalSteps,
  stepNamedIn,
} from '../plans/offer-plan.ts';
import type { AgentCall } from '../plans/plan-memory.ts';
import { getPlan, planId } from '../plans/plans.ts';
import { bindStep, giveBack, keepStep, letWait } from '../plans/session-steps.ts';
import { tryClaim, whyNot } from '../plans/steps.ts';
import type { Plan } from '../plans/view.ts';
import { offerLesson } from '../recall/offer-lesson.ts';
import { recallForPrompt, searchForPrompt } from '../recall/recall.ts';
import { lastWordsOf } from '../sessions/calls.ts';
import type { HookEvent } from '../sessions/hook-event.ts';
import { followPlan, type Session } from '../sessions/sessions.ts';
import { waitsFor } from '../sessions/waits.ts';
import { skillsNamedIn } from '../skills/offer-skill.ts';
import { clip } from '../text/clip.ts';
import { followerOf, openCalls } from './followers.ts';
import { type KnownSession, stillOffered } from './known-sessions.ts';
import { offerAtStart } from './session-start.ts';
import type { Asked, HookServices, Stored } from './types.ts';

// Plans and the agents that a session starts. A step is claimed before the call that starts its agent. The
// agent is told its step when it starts. What it says at its end ends the step.

/** A call that starts an agent may wait for the database, because the agent takes seconds anyway. */
const PATIENCE_BEFORE_AGENT_MS = 1_000;
/** An agent is told at most this often what changed in its plan. */
const NEWS_EVERY_MS = 30_000;
/** The lease of a step is renewed this often; more often if a third of the lease is shorter. */
const BEAT_EVERY_MS = 60_000;
const MAX_LESSONS = 2;
const MAX_DECISIONS = 2;
const MAX_EPISODES = 1;
const MAX_CALLS = 50;

/** Returns whether an event is about a call that starts a subagent. */
export const startsAgent = ({ tool_name: tool }: HookEvent): boolean => tool === 'Agent' || tool === 'Task';

/** Returns how long a call that starts an agent waits, in milliseconds; undefined for any other call. */
export const patienceBeforeAgent = (event: HookEvent): number | undefined =>
  startsAgent(event) ? PATIENCE_BEFORE_AGENT_MS : undefined;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * Claims the step that a call names, for the agent that the call starts. If that fails, offers a line that
 * says why.
 */
export async function claimForAgent(services: HookServices, { claims, event, at }: Asked): Promise<Offer[]> {
  const { prompt, description, subagent_type: type } = event.tool_input ?? {};
  const toolUseId = event.tool_use_id;
  if (!toolUseId) return [];
  const call: AgentCall = {
    toolUseId,
    agentType: textOf(type) || 'general-purpose',
    prompt: textOf(prompt),
    claimed: null,
    agentId: null,
  };
  const calls = services.plans.calls(claims, event.session_id);
  if (!calls.some((known) => known.toolUseId === toolUseId)) calls.push(call);
  if (calls.length > MAX_CALLS) calls.shift();
  const named = stepNamedIn(`${call.prompt}\n${textOf(description)}`);
  if (named === null) return [];
  const session = await services.sessions.of(claims, event, at);
  // the plan may have been drafted for the prompt just before
  await services.journal?.drained(claims.userId);
  const claimed = await asUser(
    services.db,
    claims,
    async (tx) => {
      const id = await planIdOrNull(tx, named.plan);
      if (id === null) return { id, why: 'there is no such plan' };
      const fault = await tryClaim(tx, id, named.step, {
        holder: `${event.session_id} ${toolUseId}`,
        agent: call.agentType,
        leaseSeconds: services.config.stepLeaseSeconds,
        sessionId: session.id,
        toolUseId,
      });
      if (fault === null) {
        if (session.planId !== id) await followPlan(tx, session.id, id);
        return { id, why: null };
      }
      const step = (await getPlan(tx, id)).steps.find(({ number }) => number === named.step);
      return { id, why: whyNot(fault, named.step, step) };
    },
    { urgent: true },
  );
  if (claimed.why !== null) return [offerNotClaimed(claimed.id ?? named.plan, named.step, claimed.why)];
  session.planId = claimed.id;
  const known = calls.find((one) => one.toolUseId === toolUseId) ?? call;
  known.claimed = { planId: claimed.id, step: named.step };
  if (!services.plans.follower(claims, event)) {
    const about = { projectId: session.projectId, planId: claimed.id, toldAt: 0, beatAt: 0, waits: false };
    const watched = await services.plans.of(claims, session.projectId);
    const told = watched.find(({ plan }) => plan.id === claimed.id)?.plan.version ?? 1;
    services.plans.follow(claims, event, { ...about, told });
  }
  return [];
}

async function planIdOrNull(tx: Tx, reference: string): Promise<string | null> {
  try {
    return await planId(tx, reference);
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
}

/**
 * Offers a subagent the step that was claimed for it, what the others found, and decisions and lessons about its task. If
 * several agents of its kind were started at once, offers it the first three of their steps, because the
 * client does not say which of the agents it is.
 */
export async function offerAtSubagentStart(services: HookServices, asked: Asked): Promise<Offer[]> {
  const { claims, event, at } = asked;
  const session = await services.sessions.of(claims, event, at);
  const open = await openCalls(services, asked, session);
  const claimed = open.flatMap(({ claimed }) => claimed ?? []);
  const planned = claimed[0]?.planId ?? session.planId;
  const [usual, { decisions, lessons, episodes }, plan] = await Promise.all([
    offerAtStart(services, asked),
    recordsForCalls(services, asked, session, open),
    planned === null ? null : openPlan(services, claims, session, planned),
  ]);
  const notes = usual.filter(({ kind }) => kind !== 'lesson');
  const known = new Set([...notes, ...lessons].map(({ sourceId }) => sourceId));
  const more = usual.filter(({ kind, sourceId }) => kind === 'lesson' && !known.has(sourceId));
  if (plan === null) return [...notes, ...decisions, ...lessons, ...more, ...episodes];
  const steps = claimed.flatMap(
    ({ planId, step }) =>
      plan.plan.steps.find(({ number }) => planId === plan.plan.id && number === step) ?? [],
  );
  const [step] = steps;
  const sure = open.length === 1;
  const own = sure ? (step?.number ?? null) : null;
  const about = { projectId: session.projectId, planId: plan.plan.id, told: plan.plan.version };
  services.plans.follow(claims, event, {
    ...about,
    toldAt: 0,
    beatAt: at.getTime(),
    waits: false,
    ...(own !== null && { step: own }),
  });
  return [
    ...(steps.length > 0 && !sure ? [severalSteps(plan.plan.id)] : []),
    ...steps.slice(0, 3).map((one) => offerStep(plan.plan, one, sure)),
    ...offerBulletin(plan.plan, own, plan.siblings),
    ...notes,
    ...decisions,
    ...[...lessons, ...more].slice(0, steps.length > 0 ? MAX_LESSONS : 3),
    ...episodes,
  ];
}

/**
 * Returns a plan as it is now, with what subagents of the session learned. Null if the plan is over or gone.
 */
async function openPlan(
  services: HookServices,
  claims: Claims,
  session: KnownSession,
  id: string,
): Promise<{ plan: Plan; siblings: string[] } | null> {
  return asUser(
    services.db,
    claims,
    async (tx) => {
      if ((await planIdOrNull(tx, id)) === null) return null;
      const plan = await getPlan(tx, id);
      if (plan.status !== 'planning' && plan.status !== 'in_progress') return null;
      return { plan, siblings: await lessonsOfSubagents(tx, session.id, 3) };
    },
    { readOnly: true, urgent: true },
  );
}

/**
 * Only this many characters of a task are searched, from its beginning, because the model reads 256 word
 * pieces.
 */
const MAX_QUERY = 1_000;

/**
 * Returns the decisions and lessons about the tasks that agents were given, the most relevant first, and the most
 * similar earlier work.
 */
async function recordsForCalls(
  services: HookServices,
  { claims, event }: Asked,
  session: KnownSession,
  calls: AgentCall[],
): Promise<{ decisions: Offer[]; lessons: Offer[]; episodes: Offer[] }> {
  const offered = stillOffered(session, event);
  const voice = await services.voices.of(claims);
  const decisions: Offer[] = [];
  const lessons: Offer[] = [];
  const episodes: Offer[] = [];
  for (const { prompt } of calls.slice(0, 3)) {
    const query = prompt.slice(0, MAX_QUERY);
    if (query.trim() === '') continue;
    const vector = await services.embedQuery(claims, query);
    const [decided, told, earlier] = await asUser(
      services.db,
      claims,
      async (tx) => {
        const found = await searchForPrompt(tx, session.projectId, query, vector, offered);
        const decided = decisionsIn(found, false, voice.decision);
        const contents = decided.map(({ content }) => content);
        const skillNamed = await skillsNamedIn(tx, session.projectId, contents);
        const told = await recallForPrompt(tx, found, voice.lesson);
        return [
          decided.map((decision) => offerDecision(decision, skillNamed)),
          told,
          await episodesForPrompt(tx, session, found, voice.episode),
        ] as const;
      },
      { readOnly: true, urgent: true },
    );
    decisions.push(...decided.filter((one) => !decisions.some(({ sourceId }) => sourceId === one.sourceId)));
    for (const lesson of told) {
      if (!lessons.some(({ sourceId }) => sourceId === lesson.id)) lessons.push(offerLesson(lesson));
    }
    episodes.push(...earlier);
  }
  const rank = (offer: Offer) => (offer.relevance === 'high' ? 0 : 1);
  const best = (offers: Offer[], most: number) => offers.sort((a, b) => rank(a) - rank(b)).slice(0, most);
  return {
    decisions: best(decisions, voice.decision === 'all' ? MAX_DECISIONS : 1),
    lessons: best(lessons, MAX_LESSONS),
    episodes: best(episodes, MAX_EPISODES),
  };
}

/**
 * Stores which agent a call started. If the agent has already ended, ends its step too. If the call failed,
 * gives the step back.
 */
export async function bindAgent(tx: Tx, session: Session, event: HookEvent): Promise<void> {
  const { tool_use_id: toolUseId } = event;
  if (!toolUseId) return;
  if (event.hook_event_name === 'PostToolUseFailure') {
    const why = `Its agent was stopped: ${clip(event.error ?? 'no reason was given', 300)}`;
    return giveBack(tx, session.id, why, (step) => step.toolUseId === toolUseId);
  }
  const agentId = agentOf(event);
  if (agentId === null) return;
  const held = await bindStep(tx, session.id, toolUseId, agentId);
  const message = held && (await lastWordsOf(tx, session.id, agentId));
  if (message === null) return;
  // when it ended, it was not yet known which of the agents of its kind it was
  await endAgent(tx, session, { agentId, agentType: null, message, heard: true });
}

/** Returns the id of the agent that a call has started; null if the call's response does not contain it. */
function agentOf({ tool_response: response }: HookEvent): string | null {
  const id = (response as { agentId?: unknown } | null | undefined)?.agentId;
  return typeof id === 'string' && id !== '' ? id : null;
}

/**
 * Returns what changed in an agent's plan since the agent was last told. It reads memory only, unless other servers answer
 * the session too.
 */
export async function planNews(services: HookServices, asked: Asked): Promise<Offer[]> {
  const { plans, voices } = services;
  const { claims, event, at } = asked;
  if (startsAgent(event)) noteStarted(plans, claims, event);
  const follower = await followerOf(services, asked);
  if (!follower) return [];
  const watched = plans.peek(claims, follower.projectId, follower.planId);
  if (!watched || watched.plan.version <= follower.told) return [];
  const now = at.getTime();
  if (now - follower.toldAt < NEWS_EVERY_MS) return [];
  const first = follower.told === 0;
  // what came later is told later: another server goes by the time of what was told
  const shared = services.sessions.isShared(claims, event);
  const changes = watched.changes.filter((change) => !shared || change.at.getTime() <= now);
  const news = first
    ? [offerWhole(watched.plan, voices.known(claims))]
    : offerNews(watched.plan, changes, { told: follower.told, step: follower.step });
  follower.told = watched.plan.version;
  if (news.length > 0) follower.toldAt = now;
  return news;
}

function noteStarted(plans: HookServices['plans'], claims: Claims, event: HookEvent): void {
  const call = plans.calls(claims, event.session_id).find(({ toolUseId }) => toolUseId === event.tool_use_id);
  const agentId = agentOf(event);
  if (!call || agentId === null) return;
  call.agentId = agentId;
  const follower = plans.follower(claims, { session_id: event.session_id, agent_id: agentId });
  if (follower && call.claimed) follower.step = call.claimed.step;
}

/** Renews the lease of an agent's step. It runs behind the answers to the agent's calls. */
export async function keepStepOfAgent(services: HookServices, asked: Asked): Promise<void> {
  const { claims, event, at } = asked;
  const { agent_id: agentId } = event;
  const follower = agentId ? await followerOf(services, asked) : undefined;
  if (!agentId || follower?.step === undefined) return;
  if (event.hook_event_name === 'PermissionRequest') {
    follower.waits = true;
    return;
  }
  const { waits } = follower;
  const every = Math.min(BEAT_EVERY_MS, (services.config.stepLeaseSeconds * 1_000) / 3);
  if (!waits && at.getTime() - follower.beatAt < every) return;
  follower.beatAt = at.getTime();
  follower.waits = false;
  const lease = {
    planId: follower.planId,
    step: follower.step,
    seconds: services.config.stepLeaseSeconds,
    waited: waits,
  };
  const session = await services.sessions.of(claims, event, at);
  // the event that says that it waits may not be stored yet
  if (waits) await services.journal?.drained(claims.userId);
  await asUser(services.db, claims, (tx) => keepStep(tx, session.id, agentId, lease));
}

/** Stores in the step of the agent that asks for a person's permission that it waits for that person. */
export async function recordPermission(tx: Tx, { session, event }: Stored): Promise<void> {
  const { agent_id: agentId, agent_type: agentType = null } = event;
  const waitingFor = waitsFor(event);
  if (agentId && waitingFor !== null) await letWait(tx, session.id, { agentId, agentType }, waitingFor);
}

/**
 * Whether other sessions should be told of a plan. If the rules drafted it and nobody began a step, it was of
 * no use to the agent that it was drafted for, so the others need not know it.
 */
const isTakenUp = ({ draftedBy, steps }: Plan): boolean =>
  draftedBy !== 'rules' || steps.some(({ status }) => status !== 'pending');

/** A plan that nobody has changed for this long is no longer offered. */
const MAX_AGE_MS = 7 * 86_400_000;

/**
 * Offers the open plan of its session to an agent that begins. If the session has none, offers one line about
 * the plan of the project that changed last.
 */
export async function offerOpenPlan(
  services: HookServices,
  claims: Claims,
  event: HookEvent,
  session: KnownSession,
): Promise<Offer[]> {
  const watched = await services.plans.of(claims, session.projectId);
  const open = watched
    .map(({ plan }) => plan)
    .filter(({ status, steps }) => (status === 'planning' || status === 'in_progress') && steps.length > 0)
    .filter(({ updatedAt }) => Date.now() - updatedAt.getTime() < MAX_AGE_MS);
  const plan = open.find(({ id }) => id === session.planId) ?? open.find(isTakenUp);
  if (!plan) return [];
  const about = { projectId: session.projectId, planId: plan.id, toldAt: 0, beatAt: 0, waits: false };
  services.plans.follow(claims, event, { ...about, told: plan.version });
  const voice = await services.voices.of(claims);
  return [plan.id === session.planId ? offerWhole(plan, voice) : offerPlanOfOthers(plan)];
}

/** Offers a plan to the agent that hands out its steps: in one line, or with its steps if all are wanted. */
export const offerWhole = (plan: Pick<Plan, 'id' | 'goal' | 'steps'>, voice: Voice): Offer =>
  voice.plan === 'all' ? offerPlan(plan) : offerPlanInLine(plan);
