import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { clip } from '../base/text/clip.ts';
import { query, type Tx } from '../db/open.ts';
import { workOf } from '../sessions/calls.ts';
import type { HookEvent } from '../sessions/hook-event.ts';
import { followPlan, nameSession, type SessionIds } from '../sessions/sessions.ts';
import { stepLike } from './matter.ts';
import { addStep, createPlan } from './plans.ts';
import { getPlan } from './read-plans.ts';

// Where an agent keeps a list of its tasks with the client's own tools, that list is the plan of its session. So people
// see what is done and what is left without anybody asking.

const BY = 'orchestrator';
const MAX_GOAL = 300;
const MAX_TASKS = 100;

const Status = z.enum(['pending', 'in_progress', 'completed', 'deleted']);
const words = z.string().trim().min(1).max(2_000);
const todos = z.array(z.object({ content: words, status: Status })).max(MAX_TASKS);
/** What the client's tools are called with, and what they answer. */
const Told = z.discriminatedUnion('tool_name', [
  z.object({ tool_name: z.literal('TaskCreate'), tool_input: z.object({ subject: words }) }),
  z.object({
    tool_name: z.literal('TaskUpdate'),
    tool_input: z.object({ taskId: z.string(), status: Status.optional(), subject: words.optional() }),
  }),
  z.object({
    tool_name: z.literal('TodoWrite'),
    tool_input: z.object({ todos }),
    tool_response: z.object({ oldTodos: todos.catch([]) }).catch({ oldTodos: [] }),
  }),
  /** the client's plan mode: its heading is what the agent calls its task */
  z.object({ tool_name: z.literal('ExitPlanMode'), tool_input: z.object({ plan: z.string() }) }),
]);
const HEADING = /^\s*#{1,6} +(?:Plan: *)?(\S.*)$/m;

/** A task of the list: by which words it is known, and what is said about it now. */
type Task = { known: string; status?: z.infer<typeof Status> | undefined; words?: string | undefined };

/** Returns what a call says about the tasks on the list of a session's own agent. */
async function tasksIn(tx: Tx, sessionId: string, told: z.infer<typeof Told>): Promise<Task[]> {
  if (told.tool_name === 'TaskCreate') return [{ known: told.tool_input.subject, status: 'pending' }];
  if (told.tool_name === 'TodoWrite') {
    const now = told.tool_input.todos.map(({ content, status }): Task => ({ known: content, status }));
    const gone = told.tool_response.oldTodos.filter((old) => !now.some(({ known }) => known === old.content));
    return [...now, ...gone.map(({ content }): Task => ({ known: content, status: 'deleted' }))];
  }
  if (told.tool_name === 'ExitPlanMode') {
    const [, title] = HEADING.exec(told.tool_input.plan) ?? [];
    if (title) await nameSession(tx, sessionId, title);
    return [];
  }
  const { taskId, status, subject } = told.tool_input;
  const [made] = await query<{ known: string }>(tx)`
    select payload #>> '{tool_input,subject}' as known from events
    where session_id = ${sessionId} and event = 'PostToolUse' and tool_name = 'TaskCreate'
      and payload #>> '{tool_response,task,id}' = ${taskId}
    order by occurred_at desc, id desc limit 1`;
  return made?.known ? [{ known: made.known.trim(), status, words: subject }] : [];
}

/** Takes what a call says about the client's list of tasks into the plan of its session. */
export async function takeTaskList(tx: Tx, session: SessionIds, event: HookEvent): Promise<void> {
  const { data } = event.agent_id || event.hook_event_name !== 'PostToolUse' ? {} : Told.safeParse(event);
  const tasks = data ? await tasksIn(tx, session.id, data) : [];
  if (tasks.length === 0) return;
  const known = sql.param(tasks.map((task) => task.known));
  // the plan that the session follows, if it is open or has one of the tasks
  const [row] = await query<{ id: string }>(tx)`select p.id from plans p join sessions s on s.plan_id = p.id
    where s.id = ${session.id} and (p.status in ('planning', 'in_progress') or exists (
      select from plan_steps t where t.plan_id = p.id and t.description = any (${known}::text[])))`;
  const id = row?.id ?? (await beginPlan(tx, session));
  for (const task of tasks) await keep(tx, session.id, id, task);
  await query(tx)`select settle_plan(${id}, ${BY})`;
}

/** Makes the plan of a session. Its goal is what the person asked for last. */
async function beginPlan(tx: Tx, session: SessionIds): Promise<string> {
  const { prompt } = await workOf(tx, session.id, 0);
  const goal = clip(prompt?.trim().split('\n', 1)[0]?.trim() ?? '', MAX_GOAL) || 'The tasks of this session';
  const plan = { goal, draftedBy: BY, sessionId: session.id, steps: [] };
  const id = (await createPlan(tx, session.projectId, plan)) as string;
  await followPlan(tx, session.id, id);
  return id;
}

/** Keeps a task as a step: the one with its words, now or earlier, else the one most like it, else a new one. */
async function keep(tx: Tx, sessionId: string, plan: string, { known, status, words }: Task): Promise<void> {
  await query(tx)`select hold_plan(${plan})`;
  const [same] = await query<{ step: number }>(tx)`
    select step from plan_changes where plan_id = ${plan} and step > 0 and image ->> 'description' = ${known}
    order by version desc limit 1`;
  const { steps } = await getPlan(tx, plan);
  let number = same?.step ?? stepLike(known, steps)?.number;
  if (number === undefined) {
    if (status === 'deleted' || steps.length >= MAX_TASKS) return;
    const more = await addStep(tx, { plan, by: BY }, { description: known });
    number = more.steps.length;
  }
  const to = status === 'deleted' ? 'completed' : (status ?? null);
  const outcome = status === 'deleted' ? 'Taken off the list.' : null;
  // the agent has the say, whatever the step waits for and whoever was to do it
  await query(tx)`
    update plan_steps set status = coalesce(${to}::text, status), description = coalesce(${words ?? null}::text, description),
      outcome = coalesce(outcome, ${outcome}::text), changed_by = ${BY}, lease_until = null,
      assigned_to = case when ${to}::text = 'pending' then null else coalesce(assigned_to, ${BY}) end,
      holder = ${sessionId}::text, session_id = ${sessionId}, tool_use_id = null, agent_id = null,
      attempts = attempts + case when ${to}::text = 'in_progress' then 1 else 0 end,
      started_at = coalesce(started_at, case when ${to}::text <> 'pending' then clock_timestamp() end),
      ended_at = case when ${to}::text = 'completed' then clock_timestamp() end
    where plan_id = ${plan} and number = ${number}::int
      and (status <> coalesce(${to}::text, status) or description <> coalesce(${words ?? null}::text, description))`;
  if (to !== null && to !== 'pending')
    await query(tx)`
      update plans set status = 'in_progress', changed_by = ${BY} where id = ${plan} and status = 'planning'`;
}
