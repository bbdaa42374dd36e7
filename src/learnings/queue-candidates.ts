import { and, eq, isNotNull } from 'drizzle-orm';
import type { Tx } from '../db/open.ts';
import { keepLastMessage, resolvedIncidents } from '../incidents/incidents.ts';
import type { Session } from '../sessions/sessions.ts';
import { learningRequests } from './schema.ts';

/**
 * Queues the session's resolved incidents as candidate lessons, each only once, and stores the assistant's last message
 * with them. With `agentId` it queues only that subagent's incidents.
 *
 * @returns how many were queued
 */
export async function queueCandidates(
  tx: Tx,
  session: Pick<Session, 'id' | 'projectId'>,
  said: { event: string; lastMessage: string | null; agentId?: string },
): Promise<number> {
  const queued = await tx
    .select({ incidentId: learningRequests.incidentId })
    .from(learningRequests)
    .where(and(eq(learningRequests.sessionId, session.id), isNotNull(learningRequests.incidentId)));
  const except = queued.map(({ incidentId }) => incidentId as string);
  const fresh = await resolvedIncidents(tx, session.id, { except, agentId: said.agentId });
  for (const incident of fresh) {
    if (said.lastMessage !== null) await keepLastMessage(tx, incident, said.lastMessage);
    await tx
      .insert(learningRequests)
      .values({
        projectId: session.projectId,
        sessionId: session.id,
        incidentId: incident.id,
        agentId: incident.agentId,
        event: said.event,
      })
      .onConflictDoNothing();
  }
  return fresh.length;
}
