import { sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import { answeredAgentCall, unansweredAgentCalls } from '../sessions/calls.ts';
import type { HookEvent } from '../sessions/hook-event.ts';
import { tryEnd, tryNote } from './steps.ts';

// The steps that the agents of a client's session hold.

export type HeldStep = { planId: string; number: number; agentId: string | null; toolUseId: string | null };

type Agent = { agentId: string | null; agentType: string | null };

const FIELDS = sql`plan_id as "planId", number, agent_id as "agentId", tool_use_id as "toolUseId"`;

/** Returns the steps that agents of a session hold, each with the call that started the agent. */
const heldBySession = (tx: Tx, sessionId: string): Promise<HeldStep[]> =>
  query<HeldStep>(
    tx,
    sql`select ${FIELDS} from plan_steps where status = 'in_progress' and session_id = ${sessionId}
        order by plan_id, number`,
  );

/**
 * Returns the step that a subagent holds: the one that is bound to it, else the one that was claimed for the
 * only call that can have started it. Null if there is none or if it is not known. It is known for sure once
 * the call that started the subagent has its answer.
 */
export async function stepOfAgent(tx: Tx, sessionId: string, agent: Agent): Promise<HeldStep | null> {
  const held = await heldBySession(tx, sessionId);
  const bound = held.find(({ agentId }) => agentId !== null && agentId === agent.agentId);
  if (bound || !held.some(({ agentId }) => agentId === null)) return bound ?? null;
  const [call, ...others] = await unansweredAgentCalls(tx, sessionId, agent);
  if (call === undefined || others.length > 0) return null;
  return held.find(({ toolUseId, agentId }) => toolUseId === call.id && agentId === null) ?? null;
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
  const [row] = await query<HeldStep>(
    tx,
    sql`update plan_steps set agent_id = ${agentId}
        where session_id = ${sessionId} and tool_use_id = ${toolUseId} and status = 'in_progress'
        returning ${FIELDS}`,
  );
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
  await query(
    tx,
    sql`update plan_steps
        set lease_until = clock_timestamp() + make_interval(secs => ${seconds}::int), waiting_for = null
        where session_id = ${sessionId} and status = 'in_progress'
          and (agent_id = ${agent} or agent_id is null and assigned_to = ${type})
          and (waiting_for is not null
            or lease_until < clock_timestamp() + make_interval(secs => ${seconds}::int) * 2 / 3)`,
  );
}

/** Stores what the step of an agent waits for. */
export async function letWait(tx: Tx, sessionId: string, agent: Agent, waitingFor: string): Promise<void> {
  const held = await stepOfAgent(tx, sessionId, agent);
  if (!held) return;
  await query(
    tx,
    sql`update plan_steps set waiting_for = ${waitingFor}, changed_by = 'lore'
        where plan_id = ${held.planId} and number = ${held.number}::int`,
  );
}
