import type { PlanStep } from '../../wire/routes.ts';
import type { Tone } from '../ui/status-dot.tsx';
import type { Table } from './live.ts';

export const planTables: Table[] = ['plans', 'plan_steps'];

/** Returns how a step stands, in a word, with its tone. */
export function standingOf(step: PlanStep, steps: PlanStep[]): { tone: Tone; word: string; busy?: boolean } {
  if (step.proposed) return { tone: 'accent', word: 'Proposed' };
  if (step.status === 'completed') return { tone: 'ok', word: 'Done' };
  if (step.status === 'failed') return { tone: 'bad', word: 'Failed' };
  if (step.status === 'stopped') return { tone: 'warn', word: 'Stopped' };
  if (step.waitingFor !== null) return { tone: 'warn', word: 'Waiting' };
  if (step.status === 'in_progress') return { tone: 'accent', word: 'Running', busy: true };
  if (step.blocked !== null) return { tone: 'warn', word: 'Blocked' };
  const ready = step.dependencies.every(
    (n) => steps.find(({ number }) => number === n)?.status === 'completed',
  );
  return ready ? { tone: 'accent', word: 'Ready' } : { tone: 'quiet', word: 'Not ready' };
}
