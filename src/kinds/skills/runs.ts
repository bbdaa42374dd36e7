import { type SQL, sql } from 'drizzle-orm';
import { query, type Tx } from '../../db/open.ts';
import { incidentBetween } from '../../incidents/incidents.ts';
import type { Follower } from '../../incidents/steps.ts';
import { settleOffers, unsettledOffers } from '../../offers/offers.ts';
import { nextPrompt } from '../../sessions/calls.ts';
import type { HookEvent } from '../../sessions/hook-event.ts';
import type { Session } from '../../sessions/sessions.ts';

// The runs of skills: calls of the client's tool, and skills that were read from Lore to be used.

/**
 * Returns SQL for what is counted of the runs `l` of a row `t` of `skills`. A run in a project belongs to the project's own
 * skill if it has one, else to the user's.
 */
export const ofRuns = (counted: SQL): SQL => sql`(
  select ${counted} from skill_logs l
  where l.user_id = t.user_id and l.skill = t.name
    and (l.project_id = t.project_id
      or t.project_id is null and (l.project_id is null or not exists (
        select from skills s
        where s.user_id = l.user_id and s.name = l.skill and s.project_id = l.project_id and s.valid_until is null))))`;

/** Longest name of a skill that is counted, in characters. */
const MAX_NAME = 200;

/** Counts a call of the client's tool `Skill` as a run that has started, or has failed at once. */
export async function logSkillCall(
  tx: Tx,
  { session, event, at }: { session: Session; event: HookEvent; at: Date },
): Promise<void> {
  if (event.tool_name !== 'Skill' || !event.tool_use_id || event.is_interrupt) return;
  // older clients name it `command`
  const given = event.tool_input?.skill ?? event.tool_input?.command;
  const skill = typeof given === 'string' ? given.trim().replace(/^\//, '') : '';
  if (skill === '' || skill.length > MAX_NAME) return;
  const response = event.tool_response as { success?: unknown } | null | undefined;
  const failed = event.hook_event_name === 'PostToolUseFailure' || response?.success === false;
  await query(tx)`
    insert into skill_logs (skill, result, project_id, session_id, agent_id, tool_use_id, at)
    values (${skill}, ${failed ? 'failed' : 'started'}, ${session.projectId}::uuid, ${session.id}::uuid,
      ${event.agent_id ?? null}, ${event.tool_use_id}, ${at.toISOString()}::timestamptz)
    on conflict do nothing`;
}

/**
 * Stores how the runs in a session have ended. A run failed if the same agent had an error in the same turn. If a turn
 * was broken off, by another prompt or by the end of the session, a run without an error stays unknown.
 *
 * @param turn when a turn ended, and whose turn it was: null for the session's own agent. Without it the
 *   whole session has ended
 */
export async function settleRuns(
  tx: Tx,
  sessionId: string,
  turn?: { at: Date; agentId: string | null },
): Promise<void> {
  const ended = sql`coalesce(${turn?.at.toISOString() ?? null}::timestamptz, now())`;
  const broken = nextPrompt(sql`l.session_id`, sql`l.at`, ended);
  await query(tx)`
    with ended as (
      select l.id, l.at, l.agent_id, ${broken} as broken_off from skill_logs l
      where l.session_id = ${sessionId} and l.result = 'started' and l.at <= ${ended}
        and (${turn === undefined} or l.agent_id is not distinct from ${turn?.agentId ?? null}::text)
    ), judged as (
      select e.*, ${incidentBetween(sessionId, sql`e.agent_id`, sql`e.at`, sql`coalesce(e.broken_off, ${ended})`)} as failed
      from ended e
    )
    update skill_logs l set result = case when j.failed then 'failed' else 'succeeded' end from judged j
    where l.user_id = auth.uid() and l.id = j.id and (j.failed or ${turn !== undefined} and j.broken_off is null)`;
}

/**
 * Settles at the end of a session the skills that it was offered (sql/skills). Returns null if none waits to be settled.
 */
export async function followSkills(
  tx: Tx,
  session: { id: string; projectId: string },
): Promise<Follower | null> {
  const offered = await unsettledOffers(tx, session.id, 'skill');
  if (offered.length === 0) return null;
  return {
    since: new Date(),
    see() {},
    async settle(tx) {
      for (const { sourceId, since } of offered) {
        const [row] = await query<{ outcome: 'unused' | 'failed' | 'helped' }>(tx)`
          select skill_outcome(${sourceId}::uuid, ${since}::timestamptz, ${session.id}::uuid,
            ${session.projectId}::uuid) as outcome`;
        await settleOffers(tx, session.id, sourceId, row?.outcome ?? 'unused');
      }
    },
  };
}
