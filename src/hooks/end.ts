import type { Tx } from '../db/open.ts';
import { closeOpenIncidents } from '../incidents/incidents.ts';
import { settleLessons } from '../learnings/credit.ts';
import { queueCandidates } from '../learnings/queue-candidates.ts';
import { type HookEvent, hasBackgroundTasks } from '../sessions/hook-event.ts';
import type { Session } from '../sessions/sessions.ts';

/** Queues what a turn resolved as candidate lessons. While background tasks run, the turn has not ended. */
export async function endTurn(tx: Tx, session: Session, event: HookEvent): Promise<number> {
  return hasBackgroundTasks(event) ? 0 : queueCandidates(tx, session, said(event));
}

/** Queues what a subagent resolved as candidate lessons. */
export async function endSubagent(tx: Tx, session: Session, event: HookEvent): Promise<number> {
  if (!event.agent_id) return 0;
  return queueCandidates(tx, session, { ...said(event), agentId: event.agent_id });
}

export const endSession = (tx: Tx, session: Session, event: HookEvent): Promise<number> =>
  settleSession(tx, session, said(event));

const said = (event: HookEvent) => ({
  event: event.hook_event_name,
  lastMessage: event.last_assistant_message ?? null,
});

/**
 * Settles a session that has ended: resolved incidents are queued as candidate lessons, open incidents become
 * unresolved, and the lessons that the session was offered get their outcome.
 *
 * @returns how many candidates were queued
 */
export async function settleSession(
  tx: Tx,
  session: Pick<Session, 'id' | 'projectId'>,
  said: { event: string; lastMessage: string | null },
): Promise<number> {
  const queued = await queueCandidates(tx, session, said);
  await closeOpenIncidents(tx, session.id);
  await settleLessons(tx, session.id);
  return queued;
}
