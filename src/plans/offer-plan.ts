import { type Offer, quote } from '../offers/frame.ts';
import { estimateTokens } from '../text/tokens.ts';
import type { Change } from './history.ts';
import { isReady, type Plan, type PlanStep } from './view.ts';

// What agents are told about plans. All of it is shown inside the frame of records.

/** Most tokens of a plan for the orchestrator, of the changes in one, and of what others found. */
const PLAN_TOKENS = 250;
const NEWS_TOKENS = 120;
const BULLETIN_TOKENS = 150;

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

/** Returns as many lines as fit into a budget of tokens, each cut to its share. `more` stands for those left out. */
function linesWithin(lines: string[], budget: number, more: (left: number) => string): string[] {
  const kept: string[] = [];
  let rest = budget;
  for (const [i, line] of lines.entries()) {
    const left = lines.length - i;
    const share = Math.max(12, Math.floor(rest / left));
    const shown = quote(line, share);
    const needed = estimateTokens(`${shown}\n   `);
    const note = left > 1 ? estimateTokens(more(left)) + 2 : 0;
    if (needed + note > rest) return [...kept, more(left)];
    kept.push(shown);
    rest -= needed;
  }
  return kept;
}

const STATUS: Record<PlanStep['status'], string> = {
  pending: '',
  in_progress: ' (under way)',
  completed: ' (done)',
  failed: ' (failed)',
  stopped: ' (stopped: Lore let none of its calls run)',
};

/** Returns a plan for the agent that hands out its steps: what they are, and how to use the plan. */
export function offerPlan(plan: Pick<Plan, 'id' | 'goal' | 'steps'>): Offer {
  const id = shortId(plan.id);
  const head = quote(`Plan ${id}: ${plan.goal}`, 45);
  const how = [
    `Hand a step to a subagent: put [plan ${id} step N] into its Agent prompt. By yourself: lore plan claim|note|complete|fail ${id} N "…"; change it: lore plan add ${id} "…".`,
  ];
  const steps = plan.steps
    .filter(({ proposed }) => !proposed)
    .map(({ number, description, dependencies, status }) => {
      const after =
        dependencies.length > 0 && status === 'pending' ? ` (after ${dependencies.join(', ')})` : '';
      return `${number}. ${description}${after}${STATUS[status]}`;
    });
  const used = [head, ...how].reduce((sum, line) => sum + estimateTokens(`${line}\n   `), 0);
  const rest = PLAN_TOKENS - used - 10;
  return offer(plan.id, [
    head,
    ...linesWithin(steps, rest, (n) => `… ${n} more: lore plan show ${id}`),
    ...how,
  ]);
}

/**
 * Returns a plan in one line for the agent that hands out its steps: how far it is, what is next, and how to
 * see and hand out the rest. It does not repeat the goal, which is the prompt that the agent just got.
 */
export function offerPlanInLine({ id: planId, steps }: Pick<Plan, 'id' | 'steps'>): Offer {
  const id = shortId(planId);
  const counted = steps.filter(({ proposed }) => !proposed);
  const done = counted.filter(({ status }) => status === 'completed').length;
  const next = counted.find(({ status }) => status === 'pending' || status === 'in_progress');
  const stands = done === 0 ? `${counted.length} steps` : `${done} of ${counted.length} steps done`;
  const first =
    next === undefined
      ? ''
      : `, ${done === 0 ? 'first' : 'next'}: ${next.number}. ${quote(next.description, 40)}`;
  return offer(planId, [
    `Plan ${id}: ${stands}${first} (all: lore plan show ${id}; to hand step N to a subagent: [plan ${id} step N] in its prompt)`,
  ]);
}

/**
 * Returns a line about the plan of another session for an agent that begins: that it exists, and how far it
 * is.
 */
export function offerPlanOfOthers({ id, goal, steps }: Plan): Offer {
  const done = steps.filter(({ status }) => status === 'completed').length;
  const stands = `${done} of ${steps.filter(({ proposed }) => !proposed).length} steps done`;
  return offer(id, [`Plan ${shortId(id)}: ${quote(goal, 30)} (${stands}: lore plan show ${shortId(id)})`]);
}

/**
 * Returns a step for the agent that does it.
 *
 * @param sure whether it is known that this agent does the step; if not, several were started together, and
 *   it is one of them
 */
export function offerStep(plan: Plan, step: PlanStep, sure: boolean): Offer {
  const done = plan.steps.filter(({ status }) => status === 'completed');
  const completed =
    done.length === 0
      ? 'none'
      : done.map(({ number, description }) => `${number} ${quote(description, 15)}`).join('; ');
  const told = plan.agentTemplate
    .replaceAll('{current}', String(step.number))
    .replaceAll('{goal}', quote(plan.goal, 60))
    .replaceAll('{completedSteps}', quote(completed, 60))
    .replaceAll('{stepDesc}', quote(step.description, 90));
  const id = shortId(plan.id);
  const which = sure ? [] : [`[plan ${id} step ${step.number}]`];
  const notes = step.notes.slice(-2).map(({ text }) => `Note on it: ${quote(text, 40)}`);
  const constraints =
    plan.constraints.length > 0 ? [`Keep to: ${quote(plan.constraints.join('; '), 50)}`] : [];
  return offer(plan.id, [
    [...which, told].join(' '),
    ...constraints,
    ...notes,
    `Tell others what you find: lore plan note ${id} ${step.number} "…". End with JSON: {"verdict": "success|partial|failed", "learnings": [{"lesson", "context", "confidence", "appliesTo"}], "errorsFound": [{"type", "description", "resolution"}], "recommendedNextSteps": []}`,
  ]);
}

/** Returns the text that comes before several steps of which an agent does one. */
export const severalSteps = (planId: string): Offer =>
  offer(planId, [
    'Several agents were started at once. Yours is the step that your task names, if it names one:',
  ]);

/** Returns what the others found so far, the newest first; nothing if there is nothing. */
export function offerBulletin(plan: Plan, own: number | null, lessons: string[]): Offer[] {
  const found = plan.steps
    .filter(({ number }) => number !== own)
    .flatMap((step) => [
      ...step.notes.map(({ at, text }) => ({ at, line: `step ${step.number}: ${text}` })),
      ...(step.outcome && step.endedAt
        ? [{ at: step.endedAt, line: `step ${step.number} ${step.status}: ${step.outcome}` }]
        : []),
    ])
    .sort((a, b) => b.at.getTime() - a.at.getTime())
    .map(({ line }) => quote(line, 45));
  const lines = [...lessons.map((lesson) => `learned: ${quote(lesson, 45)}`), ...found];
  if (lines.length === 0) return [];
  const title = `Plan ${shortId(plan.id)}, what others found:`;
  return [
    offer(plan.id, [
      title,
      ...linesWithin(lines, BULLETIN_TOKENS - 15, (n) => `… ${n} more: lore plan show ${shortId(plan.id)}`),
    ]),
  ];
}

const HAS_CHANGED = ' has changed:';

/** Returns whether the first line of an offer says that a plan has changed. */
export const isNews = (line: string): boolean => line.endsWith(HAS_CHANGED);

/** Changes that an agent need not be told if it started the other agents itself. */
const OWN_DOING = new Set(['claimed', 'in_progress', 'added']);

/**
 * Returns what changed in a plan since an agent was last told. Returns nothing if the changes do not matter
 * to the agent.
 *
 * @param changes the last changes, the newest first
 * @param about the version that it was told, and the step that it does itself
 */
export function offerNews(
  plan: Plan,
  changes: Change[],
  about: { told: number; step: number | undefined },
): Offer[] {
  const fresh = changes.filter(
    ({ version, step, action }) =>
      version > about.told &&
      !OWN_DOING.has(action) &&
      (step !== about.step || step === 0) &&
      // the first version of a plan is no change of it
      !(step === 0 && action === 'changed' && version === 1),
  );
  const latest = fresh.filter(
    ({ step, action }, i) =>
      action === 'noted' || fresh.findIndex((c) => c.step === step && c.action !== 'noted') === i,
  );
  if (latest.length === 0) return [];
  const id = shortId(plan.id);
  const lines = latest.map(({ step, action, text }) => {
    const what = step === 0 ? 'the plan' : `step ${step}`;
    const said = text === null || action === 'released' ? '' : `: ${text}`;
    return `${what} ${action === 'noted' ? 'note' : action === 'in_progress' ? 'goes on' : action}${said}`;
  });
  const ready = plan.steps.filter((step) => isReady(step, plan.steps)).map(({ number }) => number);
  const next =
    about.step === undefined && plan.status !== 'completed' && ready.length > 0
      ? [quote(`can be claimed now: ${ready.join(', ')}`, 20)]
      : [];
  const title = `Plan ${id}${HAS_CHANGED}`;
  const used = [title, ...next].reduce((sum, line) => sum + estimateTokens(`${line}\n   `), 0);
  return [
    offer(plan.id, [
      title,
      ...linesWithin(lines, NEWS_TOKENS - used - 5, (n) => `… ${n} more: lore plan show ${id}`),
      ...next,
    ]),
  ];
}

/** Tells the orchestrator that a step was not claimed for an agent that it starts, and why. */
export const offerNotClaimed = (planId: string, step: number, why: string): Offer =>
  offer(planId, [
    `[plan ${shortId(planId)} step ${step}] was not claimed: ${why}. The agent starts without it.`,
  ]);
