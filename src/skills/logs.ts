import { and, desc, eq, sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import { badRequest } from '../errors/problem.ts';
import { incidentBetween } from '../incidents/incidents.ts';
import { nextPrompt } from '../sessions/calls.ts';
import type { HookEvent } from '../sessions/hook-event.ts';
import { findProject, projectNameOf } from '../sessions/projects.ts';
import { clientSessionId, getSession, type Session } from '../sessions/sessions.ts';
import { type RESULTS, skillLogs } from './schema.ts';

type Result = (typeof RESULTS)[number];

/**
 * Returns the session that a request names, by Lore's id or the client's, and the project: the one that is named, else
 * the session's. If Lore does not know the named project, it is null.
 *
 * @throws Problem (400) when the caller has no such session
 */
export async function sessionNamed(
  tx: Tx,
  { session, project }: { session?: string | undefined; project?: string | undefined },
): Promise<{ sessionId: string | null; projectId: string | null }> {
  const found = session === undefined ? null : await getSession(tx, session);
  if (found === undefined) throw badRequest('session', `you have no session ${session}`);
  const name = project ?? found?.project;
  const projectId = name === undefined ? null : ((await findProject(tx, name))?.id ?? null);
  return { sessionId: found?.id ?? null, projectId };
}

export type NewLog = {
  skill: string;
  action: string;
  result: Result;
  durationMs?: number | undefined;
  observationRef?: string | undefined;
  projectId: string | null;
  sessionId: string | null;
  agentId?: string | undefined;
  /** the run that it belongs to; without it the log is a run of its own */
  run?: string | undefined;
};

/**
 * Stores a log. Returns its id and its run.
 *
 * @throws Problem (400) when the caller has no such run of the skill
 */
export async function addLog(tx: Tx, log: NewLog): Promise<{ id: string; run: string }> {
  if (log.run !== undefined) {
    const known = await tx.$count(skillLogs, and(eq(skillLogs.run, log.run), eq(skillLogs.skill, log.skill)));
    if (known === 0) throw badRequest('run', `you have no run ${log.run} of ${log.skill}`);
  }
  const [stored] = await tx
    .insert(skillLogs)
    .values({ ...log, run: log.run ?? sql`gen_random_uuid()`, at: sql`clock_timestamp()` as unknown as Date })
    .returning({ id: skillLogs.id, run: skillLogs.run });
  return stored as { id: string; run: string };
}

/**
 * Returns logs, the newest first.
 *
 * @param filter.before the id of a log: only the logs after it in this list are returned, which are older
 * @throws Problem (400) when `before` is not a log of the caller
 */
export async function listLogs(
  tx: Tx,
  filter: { limit: number; before?: string | undefined } & Partial<
    Record<'projectId' | 'skill' | 'action' | 'result' | 'sessionId', string | undefined>
  >,
) {
  const { limit, before, ...same } = filter;
  if (before !== undefined && (await tx.$count(skillLogs, eq(skillLogs.id, before))) === 0)
    throw badRequest('before', `you have no log ${before}`);
  return tx
    .select({
      id: skillLogs.id,
      run: skillLogs.run,
      skill: skillLogs.skill,
      action: skillLogs.action,
      result: skillLogs.result,
      durationMs: skillLogs.durationMs,
      observationRef: skillLogs.observationRef,
      project: projectNameOf(skillLogs.projectId),
      session: clientSessionId(skillLogs.sessionId),
      agentId: skillLogs.agentId,
      at: skillLogs.at,
    })
    .from(skillLogs)
    .where(
      and(
        ...Object.entries(same).map(([name, value]) =>
          value === undefined ? undefined : sql`${skillLogs[name as keyof typeof same]} = ${value}`,
        ),
        before === undefined
          ? undefined
          : sql`(${skillLogs.at}, ${skillLogs.id}) < (select b.at, b.id from skill_logs b where b.id = ${before}::uuid)`,
      ),
    )
    .orderBy(desc(skillLogs.at), desc(skillLogs.id))
    .limit(limit);
}

export type Statistics = {
  runs: number;
  /** share of successful runs among those with a known end; null if there are none */
  successRate: number | null;
  lastRun: Date | null;
};

/**
 * Counts the runs of skills from their logs, in the order of the skills. A run failed if one of its logs says
 * so. A run in a project belongs to the project's own skill if it has one, else to the user's.
 */
export async function statisticsOf(
  tx: Tx,
  keys: { name: string; projectId?: string | null }[],
): Promise<Statistics[]> {
  if (keys.length === 0) return [];
  const asked = JSON.stringify(
    keys.map(({ name, projectId = null }, n) => ({ n, name, project: projectId })),
  );
  const rows = await query<{ runs: number; rate: number | null; last: string | null }>(
    tx,
    sql`select count(r.run)::int as runs,
          (count(*) filter (where r.succeeded and not r.failed))::float8
            / nullif(count(*) filter (where r.succeeded or r.failed), 0) as rate,
          to_json(max(r.last)) as last
        from jsonb_to_recordset(${asked}::jsonb) k (n int, name text, project uuid)
        left join lateral (
          select l.run, bool_or(l.result = 'succeeded') as succeeded, bool_or(l.result = 'failed') as failed,
            max(l.at) as last
          from skill_logs l
          where l.user_id = auth.uid() and l.skill = k.name
            and (k.project is not null and l.project_id = k.project
              or k.project is null and (l.project_id is null or not exists (
                select from skills s
                where s.user_id = auth.uid() and s.name = k.name and s.project_id = l.project_id
                  and s.valid_until is null)))
          group by l.run
        ) r on true
        group by k.n order by k.n`,
  );
  return rows.map(({ runs, rate, last }) => ({
    runs,
    successRate: rate,
    lastRun: last === null ? null : new Date(last),
  }));
}

/** Longest name of a skill that is logged, in characters. */
const MAX_NAME = 200;

/** Returns the name of the skill that a call of the client's tool ran; null for any other call. */
function skillOfCall(event: HookEvent): string | null {
  if (event.tool_name !== 'Skill') return null;
  const response = event.tool_response as { commandName?: unknown } | null | undefined;
  // older clients name it `command`
  const given = [response?.commandName, event.tool_input?.skill, event.tool_input?.command].find(
    (name) => typeof name === 'string' && name.trim() !== '',
  );
  const name = typeof given === 'string' ? given.trim().replace(/^\//, '') : '';
  return name === '' || name.length > MAX_NAME ? null : name;
}

/** Logs a call of the client's tool `Skill` as a run that has started, or has failed at once. */
export async function logSkillCall(
  tx: Tx,
  { session, event, at }: { session: Session; event: HookEvent; at: Date },
): Promise<void> {
  const skill = skillOfCall(event);
  if (skill === null || !event.tool_use_id || event.is_interrupt) return;
  const response = event.tool_response as { success?: unknown } | null | undefined;
  const failed = event.hook_event_name === 'PostToolUseFailure' || response?.success === false;
  await tx
    .insert(skillLogs)
    .values({
      skill,
      action: 'run',
      result: failed ? 'failed' : 'started',
      projectId: session.projectId,
      sessionId: session.id,
      agentId: event.agent_id ?? null,
      toolUseId: event.tool_use_id,
      run: sql`gen_random_uuid()`,
      at,
    })
    .onConflictDoNothing();
}

/**
 * Stores how the runs that a session's client began have ended. A run failed if the same agent had an error
 * in the same turn. If a turn was broken off, by another prompt or by the end of the session, a run without
 * an error stays unknown.
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
  await query(
    tx,
    sql`with ended as (
          select l.id, l.at, l.agent_id, least(${nextPrompt(sql`l.session_id`, sql`l.at`, ended)}, ${ended}) as until,
            ${nextPrompt(sql`l.session_id`, sql`l.at`, ended)} is not null as broken_off
          from skill_logs l
          where l.session_id = ${sessionId} and l.result = 'started' and l.tool_use_id is not null and l.at <= ${ended}
            and (${turn === undefined} or l.agent_id is not distinct from ${turn?.agentId ?? null}::text)
        ), judged as (
          select e.*, ${incidentBetween(sessionId, sql`e.agent_id`, sql`e.at`, sql`e.until`)} as failed from ended e
        )
        update skill_logs l set result = case when j.failed then 'failed' else 'succeeded' end,
          duration_ms = case when ${turn !== undefined} then round(extract(epoch from j.until - j.at) * 1000) end
        from judged j
        where l.user_id = auth.uid() and l.id = j.id and (j.failed or ${turn !== undefined} and not j.broken_off)`,
  );
}
