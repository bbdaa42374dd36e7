import { type SQL, sql } from 'drizzle-orm';
import { agentOfIncident, openedAtOf } from '../incidents/incidents.ts';

/**
 * Returns SQL for the ids of the lessons that were learned from an agent's errors in a part of a session, and, for the
 * session's own agent, from what a person said in it.
 *
 * @param agentId null: the session's own agent
 * @param until null: to its end
 */
export const learnedBetween = (sessionId: SQL, agentId: SQL, from: SQL, until: SQL): SQL =>
  sql`array(
    select l.id
    from (
      select l.id, l.created_at, coalesce(${agentOfIncident(sql`l.source_incident_id`)}, l.source_subagent) as agent_id,
        coalesce(${openedAtOf(sql`l.source_incident_id`)}, (
          select min(r.created_at) from learning_requests r
          where r.user_id = l.user_id and r.learning_id = l.id and r.session_id = l.source_session_id),
          l.created_at) as at
      from learnings l
      where l.user_id = auth.uid() and l.source_session_id = ${sessionId} and l.valid_until is null) l
    where l.agent_id is not distinct from ${agentId} and l.at >= ${from} and coalesce(l.at < ${until}, true)
    order by l.created_at, l.id)`;
