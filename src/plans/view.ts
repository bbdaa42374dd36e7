import { z } from '@hono/zod-openapi';
import { WRITERS } from '../http/key-scope.ts';
import { time } from '../http/schemas.ts';
import { PLAN_STATUSES, STEP_STATUSES } from './schema.ts';

// A plan as the API and agents see it. Times are ISO 8601.

const none = z.string().nullable();
export const status = z.enum(PLAN_STATUSES);

const Note = z.object({
  at: time,
  agent: none,
  /** by its key, whatever `agent` says; null: Lore itself, or before 0.5 */
  writtenBy: z.enum(WRITERS).nullable(),
  text: z.string(),
});
export type Note = z.infer<typeof Note>;

/** What a subagent reported at its end. */
export const Report = z.object({
  verdict: z.enum(['success', 'partial', 'failed']).nullable(),
  nextSteps: z.array(z.string()),
});
export type Report = z.infer<typeof Report>;

export const PlanStep = z
  .object({
    number: z.number(),
    description: z.string(),
    status: z.enum(STEP_STATUSES),
    proposed: z.boolean(),
    dependencies: z.array(z.number()),
    assignedTo: none,
    agentId: none,
    /** the model that does it, as far as the client has told */
    model: none,
    leaseUntil: time.nullable(),
    attempts: z.number(),
    waitingFor: none,
    outcome: none,
    report: Report.nullable(),
    startedAt: time.nullable(),
    endedAt: time.nullable(),
    /** why it cannot go on; null if it can, or has ended */
    blocked: none,
    notes: z.array(Note),
  })
  .openapi('PlanStep');
export type PlanStep = z.infer<typeof PlanStep>;

export const Plan = z
  .object({
    id: z.string(),
    project: z.string(),
    goal: z.string(),
    status,
    constraints: z.array(z.string()),
    draftedBy: z.string(),
    /** the client's id of the session in which it was made */
    sessionId: none,
    version: z.number(),
    /** the first step that somebody works on; null: none */
    currentStep: z.number().nullable(),
    activeAgents: z.array(z.string()),
    /** its steps that cannot go on although it is their turn, and why */
    blocked: z.array(z.object({ step: z.number(), why: z.string() })),
    createdAt: time,
    updatedAt: time,
    closedAt: time.nullable(),
    steps: z.array(PlanStep),
  })
  .openapi('Plan');
export type Plan = z.infer<typeof Plan>;

/** A step as it is stored. */
type Stored = Omit<PlanStep, 'blocked' | 'notes'>;

/** Returns steps with their notes, each with why it cannot go on. */
export function toSteps(stored: Stored[], notes: (Note & { step: number })[]): PlanStep[] {
  const byNumber = new Map(stored.map((step) => [step.number, step]));
  return stored.map((step) => ({
    ...step,
    blocked: whyBlocked(step, byNumber),
    notes: notes.filter((note) => note.step === step.number).map(({ step: _, ...note }) => note),
  }));
}

/** Returns why a step cannot go on: what it waits for, or a failed or stopped step that comes before it, however far. */
function whyBlocked(step: Stored, all: Map<number, Stored>): string | null {
  if (step.status !== 'pending' && step.status !== 'in_progress') return null;
  if (step.waitingFor !== null) return `waits for ${step.waitingFor}`;
  const seen = new Set<number>();
  const before = [...step.dependencies];
  for (let number = before.pop(); number !== undefined; number = before.pop()) {
    const earlier = all.get(number);
    if (!earlier || seen.has(number) || earlier.status === 'completed') continue;
    seen.add(number);
    const { status, outcome, waitingFor } = earlier;
    const why = outcome ? `: ${outcome}` : '';
    if (status === 'failed') return `step ${number} failed${why}`;
    if (status === 'stopped') return `step ${number} was stopped${why}`;
    if (waitingFor !== null) return `step ${number} waits for ${waitingFor}`;
    before.push(...earlier.dependencies);
  }
  return null;
}

/** Returns whether a plan is still worked on. */
export const isOpen = ({ status }: Pick<Plan, 'status'>): boolean =>
  status === 'planning' || status === 'in_progress';

/** Returns the steps that may be claimed now. */
export const ready = (steps: PlanStep[]): PlanStep[] =>
  steps.filter(
    ({ status, proposed, waitingFor, dependencies }) =>
      status === 'pending' &&
      !proposed &&
      waitingFor === null &&
      dependencies.every((n) => steps.find(({ number }) => number === n)?.status === 'completed'),
  );

/** Returns what a plan's steps tell of the plan. */
export function aboutSteps(steps: PlanStep[]): Pick<Plan, 'currentStep' | 'activeAgents' | 'blocked'> {
  const running = steps.filter(({ status }) => status === 'in_progress');
  return {
    currentStep: running[0]?.number ?? null,
    activeAgents: [...new Set(running.flatMap(({ assignedTo }) => assignedTo ?? []))],
    blocked: steps.flatMap(({ number, blocked, proposed }) =>
      blocked === null || proposed ? [] : { step: number, why: blocked },
    ),
  };
}
