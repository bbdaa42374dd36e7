import { z } from '@hono/zod-openapi';
import { WRITERS } from '../http/key-scope.ts';
import { time } from '../http/schemas.ts';
import { PLAN_STATUSES, STEP_STATUSES } from './schema.ts';

// A plan as the API and agents see it. It is made from images of its rows, so that the present plan and an
// earlier state of it look the same. Times are ISO 8601.

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

export const PlanStep = z
  .object({
    number: z.number(),
    description: z.string(),
    status: z.enum(STEP_STATUSES),
    proposed: z.boolean(),
    dependencies: z.array(z.number()),
    assignedTo: none,
    agentId: none,
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
    projectType: none,
    constraints: z.array(z.string()),
    learnings: z.array(z.string()),
    agentTemplate: z.string(),
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

/** A row of `plan_steps` as JSON. */
export type StepImage = Pick<
  PlanStep,
  'number' | 'description' | 'status' | 'proposed' | 'dependencies' | 'attempts' | 'outcome' | 'report'
> &
  Record<'assigned_to' | 'agent_id' | 'waiting_for', string | null> &
  Record<'lease_until' | 'started_at' | 'ended_at', string | null>;

/** Returns a time as the API tells it. */
export const iso = (text: string): string => new Date(text).toISOString();
export const isoOrNull = (text: string | null): string | null => (text === null ? null : iso(text));

/** Returns steps in their order, each with why it cannot go on. */
export function toSteps(images: StepImage[], notes: (Note & { step: number })[]): PlanStep[] {
  const byNumber = new Map(images.map((image) => [image.number, image]));
  return [...images]
    .sort((a, b) => a.number - b.number)
    .map((image) => ({
      number: image.number,
      description: image.description,
      status: image.status,
      proposed: image.proposed,
      dependencies: image.dependencies,
      assignedTo: image.assigned_to,
      agentId: image.agent_id,
      leaseUntil: isoOrNull(image.lease_until),
      attempts: image.attempts,
      waitingFor: image.waiting_for,
      outcome: image.outcome,
      report: image.report,
      startedAt: isoOrNull(image.started_at),
      endedAt: isoOrNull(image.ended_at),
      blocked: whyBlocked(image, byNumber),
      notes: notes
        .filter(({ step }) => step === image.number)
        .map(({ at, agent, writtenBy, text }) => ({ at: iso(at), agent, writtenBy, text })),
    }));
}

/** Returns why a step cannot go on: what it waits for, or a failed or stopped step that comes before it, however far. */
function whyBlocked(image: StepImage, all: Map<number, StepImage>): string | null {
  if (image.status !== 'pending' && image.status !== 'in_progress') return null;
  if (image.waiting_for !== null) return `waits for ${image.waiting_for}`;
  const seen = new Set<number>();
  const before = [...image.dependencies];
  for (let number = before.pop(); number !== undefined; number = before.pop()) {
    const step = all.get(number);
    if (!step || seen.has(number) || step.status === 'completed') continue;
    seen.add(number);
    if (step.status === 'failed' || step.status === 'stopped')
      return `step ${number} ${step.status === 'failed' ? 'failed' : 'was stopped'}${step.outcome ? `: ${step.outcome}` : ''}`;
    if (step.waiting_for !== null) return `step ${number} waits for ${step.waiting_for}`;
    before.push(...step.dependencies);
  }
  return null;
}

/** Returns whether a plan is still worked on. */
export const isOpen = ({ status }: Pick<Plan, 'status'>): boolean =>
  status === 'planning' || status === 'in_progress';

/** Returns whether a step may be claimed now. */
export const isReady = (step: PlanStep, steps: PlanStep[]): boolean =>
  step.status === 'pending' &&
  !step.proposed &&
  step.waitingFor === null &&
  step.dependencies.every((n) => steps.find(({ number }) => number === n)?.status === 'completed');

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
