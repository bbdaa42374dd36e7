import { sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import { unansweredAgentCalls } from '../sessions/calls.ts';
import { tryEnd, tryNote } from './steps.ts';

// The steps that the agents of a client's session hold.

export type HeldStep = { planId: string; number: number; agentId: string | null; toolUseId: string | null };

const select = sql`select plan_id as "planId", number, agent_id as "agentId", tool_use_id as "toolUseId"
  from plan_steps where status = 'in_progress' and session_id = `;

/** Returns the steps that agents of a session hold, each with the call that started the agent. */
export const heldBySession = (tx: Tx, sessionId: string): Promise<HeldStep[]> =>
  query<HeldStep>(tx, sql`${select}${sessionId} order by plan_id, number`);

/**
 * Returns the step that a subagent holds: the one that is bound to it, else the one that was claimed for the
 * only call that can have started it. Null if there is none or if it is not known. It is known for sure once
 * the call that started the subagent has its answer.
 */
export async function stepOfAgent(
  tx: Tx,
  sessionId: string,
  agent: { agentId: string | null; agentType: string | null },
): Promise<HeldStep | null> {
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
        returning plan_id as "planId", number, agent_id as "agentId", tool_use_id as "toolUseId"`,
  );
  return row ?? null;
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
 * Renews the lease of the step that an agent of a session holds. If it waited for a person, it no longer
 * does.
 */
export async function keepStep(
  tx: Tx,
  sessionId: string,
  agentId: string,
  lease: { planId: string; step: number; seconds: number; waited: boolean },
): Promise<void> {
  await query(
    tx,
    sql`update plan_steps set lease_until = clock_timestamp() + make_interval(secs => ${lease.seconds}::int),
          waiting_for = case when ${lease.waited}::boolean then null else waiting_for end
        where plan_id = ${lease.planId} and number = ${lease.step}::int and session_id = ${sessionId}
          and status = 'in_progress' and coalesce(agent_id, ${agentId}) = ${agentId}`,
  );
}

/** Stores what the step of an agent waits for. */
export async function letWait(
  tx: Tx,
  sessionId: string,
  agent: { agentId: string; agentType: string | null },
  waitingFor: string,
): Promise<void> {
  const held = await stepOfAgent(tx, sessionId, agent);
  if (!held) return;
  await query(
    tx,
    sql`update plan_steps set waiting_for = ${waitingFor}, changed_by = 'lore'
        where plan_id = ${held.planId} and number = ${held.number}::int`,
  );
}
