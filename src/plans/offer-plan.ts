import { type Offer, quote } from '../offers/frame.ts';
import type { Change } from './read-plans.ts';
import type { Plan, PlanStep } from './view.ts';

// What agents are told about plans. All of it is shown inside the frame of records.

/** Most lines of the changes in a plan, and of what others found. */
const MAX_LINES = 4;

/** Returns the beginning of a plan's id by which agents name it. */
const shortId = (id: string) => id.slice(0, 4);

/** What the text of a call that starts an agent says of its step: `[plan 1a2b step 3]`. */
const STEP_TAG = /\[plan\s+([0-9a-f]{4,8}|[0-9a-f]{8}-[0-9a-f-]{0,27})\s+step\s+(\d{1,5})\]/i;

/** Returns the plan and the step that a text names; null if it names none. */
export function stepNamedIn(text: string): { plan: string; step: number } | null {
  const [, plan, step] = STEP_TAG.exec(text) ?? [];
  return plan === undefined ? null : { plan: plan.toLowerCase(), step: Number(step) };
}

const offer = (sourceId: string, lines: string[]): Offer => ({
  kind: 'step',
  sourceId,
  relevance: null,
  lines,
});

/** What is named of a plan and its steps, also before it is stored. */
export type Outline = Pick<Plan, 'id'> & {
  steps: Pick<PlanStep, 'number' | 'description' | 'status' | 'proposed'>[];
};

function standing({ steps }: Outline): string {
  const counted = steps.filter(({ proposed }) => !proposed);
  const done = counted.filter(({ status }) => status === 'completed').length;
  return done === 0 ? `${counted.length} steps` : `${done} of ${counted.length} steps done`;
}

/**
 * Returns a plan in one line for the agent that hands out its steps: how far it is, what is next, and how to
 * see and hand out the rest. The goal is not repeated to who just got it as a prompt.
 *
 * @param goal of the plan of another session
 */
export function offerPlanInLine(plan: Outline, goal?: string): Offer {
  const id = shortId(plan.id);
  const what = goal === undefined ? standing(plan) : `${quote(goal, 30)} (${standing(plan)})`;
  const next = plan.steps.find(({ status, proposed }) => !proposed && /pending|in_progress/.test(status));
  const first = next === undefined ? '' : `, next: ${next.number}. ${quote(next.description, 40)}`;
  return offer(plan.id, [
    `Plan ${id}: ${what}${first} (all: lore plan show ${id}, or the tool plan; to hand step N to a subagent: [plan ${id} step N] in its prompt)`,
  ]);
}

/**
 * Returns a step for the agent that does it.
 *
 * @param sure whether it is known that this agent does the step; if not, several were started together, and
 *   it is one of them
 */
export function offerStep(plan: Plan, step: PlanStep, sure: boolean): Offer {
  const id = shortId(plan.id);
  const done = plan.steps.filter(({ status }) => status === 'completed');
  const completed = done.map(({ number, description }) => `${number} ${quote(description, 15)}`).join('; ');
  const told = `You are working on step ${step.number}. The goal is: ${quote(plan.goal, 60)}. Previous steps completed: ${quote(completed || 'none', 60)}. Your specific task: ${quote(step.description, 90)}`;
  const { constraints } = plan;
  return offer(plan.id, [
    sure ? told : `[plan ${id} step ${step.number}] ${told}. It is yours only if your task names it`,
    ...(constraints.length > 0 ? [`Keep to: ${quote(constraints.join('; '), 50)}`] : []),
    ...step.notes.slice(-2).map(({ text }) => `Note on it: ${quote(text, 40)}`),
    `Tell others what you find: lore plan note ${id} ${step.number} "…", or the tool plan_step. End with JSON: {"verdict": "success|partial|failed", "recommendedNextSteps": []}`,
  ]);
}

/** Returns the first lines, each quoted. The last one says how many are left out. */
const few = (lines: string[], id: string): string[] => [
  ...lines.slice(0, MAX_LINES).map((line) => quote(line, 30)),
  ...(lines.length > MAX_LINES ? [`… ${lines.length - MAX_LINES} more: lore plan show ${id}`] : []),
];

/** Returns what the others found so far, the newest first; nothing if there is nothing. */
export function offerBulletin(plan: Plan, own: number | null): Offer[] {
  const found = plan.steps
    .filter(({ number }) => number !== own)
    .flatMap(({ number, status, outcome, endedAt, notes }) => [
      ...notes.map(({ at, text }) => ({ at, line: `step ${number}: ${text}` })),
      ...(outcome && endedAt ? [{ at: endedAt, line: `step ${number} ${status}: ${outcome}` }] : []),
    ])
    .sort((a, b) => b.at.localeCompare(a.at));
  const lines = found.map(({ line }) => line);
  const id = shortId(plan.id);
  return lines.length === 0 ? [] : [offer(plan.id, [`Plan ${id}, what others found:`, ...few(lines, id)])];
}

const HAS_CHANGED = ' has changed:';

/** Returns whether the first line of an offer says that a plan has changed. */
export const isNews = (line: string): boolean => line.endsWith(HAS_CHANGED);

/** Changes that an agent need not be told if it started the other agents itself. */
const OWN_DOING = new Set(['claimed', 'in_progress', 'added', 'released']);

/**
 * Returns what changed in a plan since an agent was last told; nothing if that does not matter to the agent.
 *
 * @param changes the last changes, the newest first
 * @param about the version that it was told, the step that it does itself, and the name by which it changes the plan
 */
export function offerNews(
  plan: Plan,
  changes: Change[],
  about: { told: number; step: number | null; name: string | null },
): Offer[] {
  const fresh = changes.filter(
    ({ version, step, action, actor }) =>
      version > about.told &&
      !OWN_DOING.has(action) &&
      (step !== about.step || step === 0) &&
      (about.name === null || actor !== about.name),
  );
  const lines = fresh.map(({ step, action, text }) => {
    const what = step === 0 ? 'the plan' : `step ${step}`;
    return `${what} ${action === 'noted' ? 'note' : action}${text === null ? '' : `: ${text}`}`;
  });
  const id = shortId(plan.id);
  return lines.length === 0 ? [] : [offer(plan.id, [`Plan ${id}${HAS_CHANGED}`, ...few(lines, id)])];
}

/** Tells the orchestrator that a step was not claimed for an agent that it starts, and why. */
export const offerNotClaimed = (planId: string, step: number, why: string): Offer =>
  offer(planId, [
    `[plan ${shortId(planId)} step ${step}] was not claimed: ${why}. The agent starts without it.`,
  ]);
