import { sql } from 'drizzle-orm';
import { wasOnlyStopped } from '../commands/stopped.ts';
import { query, type Tx } from '../db/open.ts';
import { errorsAtEnd } from '../incidents/at-end.ts';
import type { Prompt } from '../language/prompt.ts';
import type { SessionIds } from '../sessions/sessions.ts';
import { clip } from '../text/clip.ts';
import { draftId, isSameMatter, saysNothing, taskOf } from './draft.ts';
import { addStep, changePlan, createPlan } from './plans.ts';
import { gaveUp } from './read-report.ts';
import { tryClaim, tryEnd } from './steps.ts';

// A task with one thing to do gets a plan of one or two steps, so that people see what is worked on. Agents
// are not told of it, because it only repeats the prompt. The session's own agent holds its step until the
// turn ends.

/** `drafted_by` of such a plan. The plan memory and its trigger leave these out. */
const BY = 'prompt';
const AGENT = 'orchestrator';
/**
 * Lease of a step, in seconds. The session ends the step, so the lease matters only if the session is never
 * heard of again.
 */
const LEASE = 86_400;
/** Most steps of such a plan. If a later prompt goes on with the same matter, it becomes the second step. */
const MAX_STEPS = 2;
/** Longest outcome of a step, in characters. */
const MAX_OUTCOME = 500;

type Focus = { id: string; goal: string; undone: boolean; steps: number; held: number | null; wide: boolean };

/** Returns the plan of one step that a session worked on last, and whether it follows a plan of several steps (`wide`). */
async function lastFocus(tx: Tx, sessionId: string): Promise<Focus | null> {
  const [row] = await query<Focus>(
    tx,
    sql`select p.id, p.goal, p.status in ('failed', 'stopped') as undone, n.steps, n.held, exists (
            select from plans w where w.session_id = ${sessionId} and w.drafted_by <> ${BY}
              and w.status in ('planning', 'in_progress')) as wide
        from plans p cross join lateral (
          select count(*)::int as steps, min(s.number) filter (where s.status = 'in_progress')::int as held
          from plan_steps s where s.plan_id = p.id) n
        where p.session_id = ${sessionId} and p.drafted_by = ${BY}
        order by p.created_at desc, p.id limit 1`,
  );
  return row ?? null;
}

/**
 * Begins the plan of a focused task, or one more step of the one before if the prompt goes on with its matter. Returns
 * the plan's id; null if there is nothing to plan.
 *
 * @param key the delivery key of the prompt, by which a repeated delivery makes no second plan
 * @param projectType reads the project's folder, so it is called only if a plan is made
 */
export async function beginFocus(
  tx: Tx,
  session: SessionIds,
  { key, prompt, projectType }: { key: string; prompt: Prompt; projectType: () => Promise<string | null> },
): Promise<string | null> {
  const last = await lastFocus(tx, session.id);
  if (last?.wide) return null;
  // what failed or was stopped has ended: another try is a plan of its own
  const same = last !== null && !last.undone && isSameMatter(prompt.text, last.goal);
  if (last !== null && last.held !== null) {
    // the turn was interrupted: the person goes on with it, or with something else
    if (same) return null;
    await end(tx, last.id, last.held, 'failed', 'The person went on with something else.');
  }
  if (saysNothing(prompt.text)) return null;
  const task = taskOf(prompt);
  if (same && last.steps >= MAX_STEPS) return null;
  let id: string | null = last?.id ?? null;
  if (same) await addStep(tx, last.id, { description: task, dependencies: [last.steps] }, BY);
  else {
    id = await createPlan(tx, session.projectId, {
      id: draftId(session.id, key),
      goal: task,
      constraints: [],
      projectType: await projectType(),
      learnings: [],
      draftedBy: BY,
      sessionId: session.id,
      steps: [{ description: task, dependencies: [] }],
    });
  }
  if (id === null) return null;
  await tryClaim(tx, id, same ? last.steps + 1 : 1, {
    holder: session.id,
    agent: AGENT,
    leaseSeconds: LEASE,
    sessionId: session.id,
  });
  return id;
}

/**
 * Ends the step that a session's own agent works on. Its outcome is what the agent said last. If Lore stopped all calls
 * that were made for it, it is stopped: neither done nor failed. It has failed if the turn ended with an error, or the session
 * before the agent said anything (null).
 */
export async function endFocus(tx: Tx, sessionId: string, said: string | null): Promise<void> {
  const [held] = await query<{ planId: string; number: number }>(
    tx,
    sql`select s.plan_id as "planId", s.number from plan_steps s join plans p on p.id = s.plan_id
        where s.session_id = ${sessionId} and s.status = 'in_progress' and s.holder = ${sessionId}
          and p.drafted_by = ${BY} limit 1`,
  );
  if (!held) return;
  // whatever the agent says, a turn whose last command failed is not done: neither is its session then
  const done = said !== null && !gaveUp(said) && (await errorsAtEnd(tx, sessionId)).length === 0;
  const to = (await wasOnlyStopped(tx, sessionId, 'turn')) ? 'stopped' : done ? 'completed' : 'failed';
  const outcome = said ?? 'The session ended before the turn did.';
  await end(tx, held.planId, held.number, to, outcome);
}

async function end(
  tx: Tx,
  plan: string,
  number: number,
  to: 'completed' | 'failed' | 'stopped',
  said: string,
): Promise<void> {
  const outcome = clip(said.trim(), MAX_OUTCOME);
  await tryEnd(tx, plan, number, { to, holder: null, agent: AGENT, ...(outcome !== '' && { outcome }) });
  if (to !== 'completed') await changePlan(tx, plan, { status: to }, AGENT);
}
