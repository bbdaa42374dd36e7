import type { Writer } from '../http/key-scope.ts';
import type { PLAN_STATUSES, Report, STEP_STATUSES } from './schema.ts';

// A plan as the API and agents see it. It is made from images of its rows, so that the present plan and an
// earlier state of it look the same.

export type Note = { at: Date; agent: string | null; writtenBy: Writer | null; text: string };

export type PlanStep = {
  number: number;
  description: string;
  status: (typeof STEP_STATUSES)[number];
  proposed: boolean;
  dependencies: number[];
  assignedTo: string | null;
  agentId: string | null;
  leaseUntil: Date | null;
  attempts: number;
  waitingFor: string | null;
  outcome: string | null;
  report: Report | null;
  startedAt: Date | null;
  endedAt: Date | null;
  /** why it cannot go on; null if it can, or has ended */
  blocked: string | null;
  notes: Note[];
};

export type Plan = {
  id: string;
  project: string;
  goal: string;
  status: (typeof PLAN_STATUSES)[number];
  projectType: string | null;
  constraints: string[];
  learnings: string[];
  agentTemplate: string;
  draftedBy: string;
  /** the client's id of the session in which it was drafted */
  sessionId: string | null;
  version: number;
  /** the first step that somebody works on; null: none */
  currentStep: number | null;
  activeAgents: string[];
  /** its steps that cannot go on although it is their turn, and why */
  blocked: { step: number; why: string }[];
  createdAt: Date;
  updatedAt: Date;
  closedAt: Date | null;
  steps: PlanStep[];
};

/** A row of `plan_steps` as JSON. */
export type StepImage = {
  number: number;
  description: string;
  status: PlanStep['status'];
  proposed: boolean;
  dependencies: number[];
  assigned_to: string | null;
  agent_id: string | null;
  lease_until: string | null;
  attempts: number;
  waiting_for: string | null;
  outcome: string | null;
  report: Report | null;
  started_at: string | null;
  ended_at: string | null;
};

const date = (text: string | null) => (text === null ? null : new Date(text));

/** Returns steps in their order, each with why it cannot go on. */
export function toSteps(images: StepImage[], notes: { step: number; note: Note }[]): PlanStep[] {
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
      leaseUntil: date(image.lease_until),
      attempts: image.attempts,
      waitingFor: image.waiting_for,
      outcome: image.outcome,
      report: image.report,
      startedAt: date(image.started_at),
      endedAt: date(image.ended_at),
      blocked: whyBlocked(image, byNumber),
      notes: notes.filter(({ step }) => step === image.number).map(({ note }) => note),
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

/** Returns whether a step may be claimed now. */
export const isReady = (step: PlanStep, steps: PlanStep[]): boolean =>
  step.status === 'pending' &&
  !step.proposed &&
  step.waitingFor === null &&
  step.dependencies.every((n) => steps.find(({ number }) => number === n)?.status === 'completed');

/** Returns what a plan's steps tell of the plan. */
export function aboutSteps(steps: PlanStep[]): Pick<Plan, 'currentStep' | 'activeAgents' | 'blocked'> {
  const running = steps.filter(({ status }) => status === 'in_progress');
  const agents = running.flatMap(({ assignedTo }) => assignedTo ?? []);
  return {
    currentStep: running[0]?.number ?? null,
    activeAgents: [...new Set(agents)],
    blocked: steps.flatMap(({ number, blocked, proposed }) =>
      blocked === null || proposed ? [] : { step: number, why: blocked },
    ),
  };
}
