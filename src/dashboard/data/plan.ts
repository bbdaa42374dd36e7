import type { Tone } from '../ui/status-dot.tsx';
import type { Table } from './live.ts';

export const planTables: Table[] = ['plans', 'plan_steps'];

export type PlanSummary = {
  id: string;
  project: string;
  goal: string;
  status: 'planning' | 'in_progress' | 'completed' | 'failed';
  updatedAt: string;
  closedAt: string | null;
  steps: number;
  completed: number;
  inProgress: number;
  failed: number;
  proposed: number;
  waiting: number;
};

export type Step = {
  number: number;
  description: string;
  status: 'pending' | 'in_progress' | 'completed' | 'failed';
  proposed: boolean;
  dependencies: number[];
  assignedTo: string | null;
  attempts: number;
  waitingFor: string | null;
  outcome: string | null;
  report: {
    verdict: 'success' | 'partial' | 'failed' | null;
    errorsFound: { type: string; description: string; resolution: string }[];
    nextSteps: string[];
    unfit: { text: string; reason: string }[];
  } | null;
  startedAt: string | null;
  endedAt: string | null;
  blocked: string | null;
  notes: { at: string; agent: string | null; text: string }[];
};

/** A plan with its steps, as `GET /v1/plans/{id}` returns it. */
export type Plan = {
  id: string;
  project: string;
  goal: string;
  status: PlanSummary['status'];
  constraints: string[];
  projectType: string | null;
  learnings: string[];
  draftedBy: string;
  sessionId: string | null;
  version: number;
  activeAgents: string[];
  createdAt: string;
  updatedAt: string;
  closedAt: string | null;
  steps: Step[];
};

/** Returns how a step stands, in a word, with its tone. */
export function standingOf(step: Step, steps: Step[]): { tone: Tone; word: string; busy?: boolean } {
  if (step.proposed) return { tone: 'accent', word: 'Proposed' };
  if (step.status === 'completed') return { tone: 'ok', word: 'Done' };
  if (step.status === 'failed') return { tone: 'bad', word: 'Failed' };
  if (step.waitingFor !== null) return { tone: 'warn', word: 'Waits' };
  if (step.status === 'in_progress') return { tone: 'accent', word: 'Running', busy: true };
  if (step.blocked !== null) return { tone: 'warn', word: 'Blocked' };
  const ready = step.dependencies.every(
    (n) => steps.find(({ number }) => number === n)?.status === 'completed',
  );
  return ready ? { tone: 'accent', word: 'Ready' } : { tone: 'quiet', word: 'Later' };
}
