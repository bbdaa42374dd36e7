import { sql } from 'drizzle-orm';
import type { Log } from '../base/log.ts';
import { clip } from '../base/text/clip.ts';
import { objectIn } from '../base/text/json.ts';
import { wasOnlyStopped } from '../commands/stopped.ts';
import { asUser } from '../db/as-user.ts';
import { type Database, query, type Tx } from '../db/open.ts';
import { forEachUser } from '../db/system.ts';
import { answeredAgentCall, unansweredAgentCalls } from '../sessions/calls.ts';
import type { HookEvent } from '../sessions/hook-event.ts';
import { addStep } from './plans.ts';
import { getPlan } from './read-plans.ts';
import { tryEnd, tryNote } from './steps.ts';
import type { Report } from './view.ts';

// The steps that the agents of a client's session hold.

export type HeldStep = { planId: string; number: number; agentId: string | null; toolUseId: string | null };

type Agent = { agentId: string | null; agentType: string | null };

const FIELDS = sql`plan_id as "planId", number, agent_id as "agentId", tool_use_id as "toolUseId"`;

/** Returns the steps that agents of a session hold, each with the call that started the agent. */
const heldBySession = (tx: Tx, sessionId: string): Promise<HeldStep[]> =>
  query<HeldStep>(tx)`
    select ${FIELDS} from plan_steps where status = 'in_progress' and session_id = ${sessionId}
    order by plan_id, number`;

/**
 * Returns the step that a subagent holds: the one that is bound to it, else the one that was claimed for the
 * only call that can have started it. Null if there is none or if it is not known. It is known for sure once
 * the call that started the subagent has its answer.
 */
async function stepOfAgent(tx: Tx, sessionId: string, agent: Agent): Promise<HeldStep | null> {
  const held = await heldBySession(tx, sessionId);
  const bound = held.find(({ agentId }) => agentId !== null && agentId === agent.agentId);
  if (bound || !held.some(({ agentId }) => agentId === null)) return bound ?? null;
  const [only, ...others] = await callsOfAgent(tx, sessionId, agent);
  return others.length === 0 ? (only?.step ?? null) : null;
}

/**
 * Stores which subagent a call started. Returns the step that was claimed for the call; null if there is
 * none.
 */
export async function bindStep(
  tx: Tx,
  sessionId: string,
  toolUseId: string,
  agentId: string,
): Promise<HeldStep | null> {
  const [row] = await query<HeldStep>(tx)`update plan_steps set agent_id = ${agentId}
    where session_id = ${sessionId} and tool_use_id = ${toolUseId} and status = 'in_progress'
    returning ${FIELDS}`;
  return row ?? null;
}

/** A call that may have started a subagent, and the step that was claimed for it. */
type CallOfStep = { prompt: string; step: HeldStep | null };

/**
 * Returns the call of a session that started a subagent. As long as that is not known, returns all that may have. If there
 * is only one, its step is bound to the subagent.
 */
export async function callsOfAgent(tx: Tx, sessionId: string, agent: Agent): Promise<CallOfStep[]> {
  const answered = await answeredAgentCall(tx, sessionId, agent.agentId);
  const held = await heldBySession(tx, sessionId);
  const calls = (answered ? [answered] : await unansweredAgentCalls(tx, sessionId, agent))
    .map(({ id, prompt }) => ({ prompt, step: held.find(({ toolUseId }) => toolUseId === id) ?? null }))
    .filter(({ step }) => answered !== undefined || step === null || step.agentId === null);
  const [only, ...others] = calls;
  if (only?.step?.toolUseId && others.length === 0 && agent.agentId)
    await bindStep(tx, sessionId, only.step.toolUseId, agent.agentId);
  return calls;
}

/** Gives back the steps of a session that fit a condition, and says why. */
export async function giveBack(
  tx: Tx,
  sessionId: string,
  why: string,
  which: (step: HeldStep) => boolean = () => true,
): Promise<void> {
  for (const { planId, number } of (await heldBySession(tx, sessionId)).filter(which)) {
    await tryNote(tx, planId, number, { text: why, agent: 'lore', writtenBy: null });
    await tryEnd(tx, planId, number, { to: 'pending', holder: null, agent: 'lore' });
  }
}

/**
 * Renews the leases of the steps that a subagent of a session may hold, once a third of them is over. One that waited for
 * a person goes on.
 */
export async function keepSteps(
  tx: Tx,
  sessionId: string,
  { agent_id: agent = null, agent_type: type = null }: HookEvent,
  seconds: number,
): Promise<void> {
  await query(tx)`update plan_steps
    set lease_until = clock_timestamp() + make_interval(secs => ${seconds}::int), waiting_for = null
    where session_id = ${sessionId} and status = 'in_progress'
      and (agent_id = ${agent} or agent_id is null and assigned_to = ${type})
      and (waiting_for is not null
        or lease_until < clock_timestamp() + make_interval(secs => ${seconds}::int) * 2 / 3)`;
}

/** Stores what the step of an agent waits for. */
export async function letWait(tx: Tx, sessionId: string, agent: Agent, waitingFor: string): Promise<void> {
  const held = await stepOfAgent(tx, sessionId, agent);
  if (!held) return;
  await query(tx)`update plan_steps set waiting_for = ${waitingFor}, changed_by = 'lore'
    where plan_id = ${held.planId} and number = ${held.number}::int`;
}

/** Longest outcome of a step, and longest recommendation, in characters. */
const MAX_TEXT = 2_000;
/** Most recommendations that are read, and most steps of a plan that are proposed and not accepted. */
const MAX_PROPOSED = 20;

/** What a subagent says at the end of its work: its report as JSON, fenced or bare, and what else it said. */
type ReadReport = Report & { text: string };

const VERDICTS = ['success', 'partial', 'failed'] as const;
const REPORT = /```(?:json)?\s*\n?(\{[\s\S]*?\})\s*```|(\{\s*"(?:verdict|recommendedNextSteps)"[\s\S]*\})/gi;

/** Reads what a subagent said last. What does not fit the form is left in the text. */
function readReport(message: string): ReadReport {
  for (const [source, fenced, bare] of [...message.matchAll(REPORT)].reverse()) {
    const given = objectIn(fenced ?? bare ?? '');
    if (!given || !('verdict' in given || 'recommendedNextSteps' in given)) continue;
    const { verdict, recommendedNextSteps: next } = given;
    return {
      verdict: VERDICTS.find((one) => one === verdict) ?? null,
      nextSteps: (Array.isArray(next) ? next : [])
        .flatMap((one) => (typeof one === 'string' && one.trim() !== '' ? clip(one.trim(), MAX_TEXT) : []))
        .slice(0, MAX_PROPOSED),
      text: message.replace(source, '').trim(),
    };
  }
  return { verdict: null, nextSteps: [], text: message.trim() };
}

/**
 * Reads what a subagent said at its end. Its report about its step ends the step, and its recommendations become
 * proposed steps. If Lore stopped all of its calls, its step is stopped.
 */
export async function endAgent(
  tx: Tx,
  session: { id: string },
  agent: Agent & { message: string },
): Promise<void> {
  const held = await stepOfAgent(tx, session.id, agent);
  if (!held) return;
  const { text: said, ...report } = readReport(agent.message);
  const { planId, number } = held;
  const { agentId, agentType } = agent;
  const shown = agentType ?? 'agent';
  const outcome = clip(said, MAX_TEXT) || undefined;
  const end = { holder: null, agent: shown, outcome, report };
  const isStopped = agentId !== null && (await wasOnlyStopped(tx, session.id, { agentId }));
  const ends = { success: 'completed', failed: 'failed', partial: 'pending' } as const;
  const to = isStopped ? 'stopped' : ends[report.verdict ?? 'success'];
  const text = `Not finished: ${outcome ?? 'nothing was said'}`;
  if (to === 'pending') await tryNote(tx, planId, number, { text, agent: shown, writtenBy: 'agent' });
  await tryEnd(tx, planId, number, { ...end, to });
  for (const next of report.nextSteps) await propose(tx, planId, number, next, shown);
}

/** Adds a proposed step after the step `after`, unless the plan already has a step with the same words. */
async function propose(tx: Tx, plan: string, after: number, description: string, by: string): Promise<void> {
  const { steps } = await getPlan(tx, plan);
  if (steps.some((step) => step.description.toLowerCase() === description.toLowerCase())) return;
  if (steps.filter(({ proposed }) => proposed).length >= MAX_PROPOSED) return;
  await addStep(tx, { plan, by }, { description, dependencies: [after], proposed: true });
}

// When a lease ends is decided in `free_expired_steps` (sql/plans/change_step.sql), which also takes and renews it.

/**
 * Gives back the steps of all users whose agents have been silent for too long. Returns whether there may be
 * more.
 */
export function freeExpired(db: Database, log: Log): Promise<boolean> {
  const users = sql`select lore.users_with_expired_steps() as id`;
  return forEachUser(db, users, { log, name: 'free steps' }, async (userId) => {
    await asUser(db, { userId, role: 'member' }, (tx) => query(tx)`select free_expired_steps()`);
    return false;
  });
}
