import type { Plan, PlanChange, PlanStep, PlanStepChange, PlanSummary } from '../../base/wire/routes.ts';
import { api } from '../data/api.ts';
import { counted, modelName, upper, writer } from '../data/words.ts';
import { clock, duration } from '../ui/time.tsx';
import {
  type Action,
  linesPart,
  partOf,
  type RecordKind,
  type Row,
  type Standing,
  sessionPair,
} from './kind.ts';

// Plans that agents share. Their steps are a list, each below what it depends on.

/** @param n how many of its steps failed, wait, and are worked on */
function standingOf(
  status: Plan['status'],
  n: Pick<PlanSummary, 'failed' | 'waiting' | 'inProgress'>,
): Standing {
  if (status === 'completed') return { tone: 'ok', word: 'Completed' };
  // what was given up has failed without a step that did
  if (status === 'failed')
    return n.failed > 0 ? { tone: 'bad', word: 'Failed' } : { tone: 'quiet', word: 'Abandoned' };
  if (status === 'stopped') return { tone: 'warn', word: 'Stopped' };
  if (n.waiting > 0) return { tone: 'warn', word: 'Waiting' };
  return n.inProgress > 0
    ? { tone: 'accent', word: 'Running', busy: true }
    : { tone: 'quiet', word: 'Nobody is working on it' };
}

const STEP: Record<PlanStep['status'], Standing> = {
  pending: { tone: 'accent', word: 'Ready' },
  in_progress: { tone: 'accent', word: 'Running', busy: true },
  completed: { tone: 'ok', word: 'Done' },
  failed: { tone: 'bad', word: 'Failed' },
  stopped: { tone: 'warn', word: 'Stopped' },
};

function stepStanding(step: PlanStep, steps: PlanStep[]): Standing {
  const isOpen = step.status === 'pending' || step.status === 'in_progress';
  const isDone = (n: number) => steps.some(({ number, status }) => number === n && status === 'completed');
  if (step.proposed) return { tone: 'accent', word: 'Proposed' };
  if (isOpen && step.waitingFor !== null) return { tone: 'warn', word: 'Waiting' };
  if (step.status !== 'pending') return STEP[step.status];
  if (step.blocked !== null) return { tone: 'warn', word: 'Blocked' };
  return step.dependencies.every(isDone) ? STEP.pending : { tone: 'quiet', word: 'Not ready' };
}

/** Returns how deep each step stands: one below the deepest that it depends on. */
function depths(steps: PlanStep[]): Map<number, number> {
  const found = new Map<number, number>();
  const depth = (number: number): number => {
    const known = found.get(number);
    if (known !== undefined) return known;
    const before = steps.find((step) => step.number === number)?.dependencies ?? [];
    const deep = before.length === 0 ? 0 : 1 + Math.max(...before.map(depth));
    found.set(number, deep);
    return deep;
  };
  for (const { number } of steps) depth(number);
  return found;
}

/** Returns what a person may do with a step: accept it, end its waiting, have it tried again, add a note. */
function stepActions(plan: Plan, step: PlanStep): Action[] {
  const params = { id: plan.id, number: step.number };
  const patch = (body: PlanStepChange) => api('PATCH /v1/plans/{id}/steps/{number}', { params, body });
  return [
    step.waitingFor !== null &&
      ({ label: 'Unblock', look: 'main', run: () => patch({ waitingFor: null }) } as const),
    step.proposed && ({ label: 'Accept step', look: 'main', run: () => patch({ proposed: false }) } as const),
    (step.status === 'failed' || step.status === 'stopped') && {
      label: 'Try again',
      run: () => api('POST /v1/plans/{id}/steps/{number}/release', { params, body: {} }),
    },
    {
      label: 'Add note',
      look: 'link' as const,
      yes: 'Save note',
      fields: [{ name: 'text', label: `Note on step ${step.number}`, rows: 3 }],
      run: ({ text = '' }: Record<string, string>) =>
        api('POST /v1/plans/{id}/steps/{number}/notes', { params, body: { text } }),
    },
  ].filter((one) => one !== false);
}

/** Returns the steps of a plan as lines. */
function stepRows(plan: Plan): Row[] {
  const deep = depths(plan.steps);
  return plan.steps.map((step) => {
    const { number, startedAt, endedAt, dependencies, attempts } = step;
    const standing = stepStanding(step, plan.steps);
    const quiet = standing.tone !== 'bad' && standing.tone !== 'warn' && standing.word;
    const waits = step.waitingFor === null ? step.blocked : `waits for ${step.waitingFor}`;
    const notes = step.notes.map(({ agent, text }) => `${agent ?? 'somebody'}: ${text}`);
    return {
      id: `step-${number}`,
      title: `${number}. ${step.description}`,
      standing,
      indent: deep.get(number) ?? 0,
      detail: [
        quiet,
        step.assignedTo,
        modelName(step.model),
        dependencies.length > 0 && `after ${dependencies.join(', ')}`,
        startedAt && endedAt && duration(Date.parse(endedAt) - Date.parse(startedAt)),
        attempts > 1 && `${attempts} attempts`,
      ],
      text: [
        standing.word !== 'Not ready' && waits && upper(waits),
        step.outcome,
        ...(step.report?.nextSteps ?? []).map((next) => `Next: ${next}`),
        ...notes,
      ]
        .filter(Boolean)
        .join('\n'),
      ...(step.status === 'in_progress' && startedAt && { at: startedAt }),
      ...(plan.closedAt === null && { actions: stepActions(plan, step) }),
    };
  });
}

function planActions({ id, goal, closedAt }: Plan): Action[] {
  if (closedAt !== null) return [];
  const patch = (body: PlanChange) => api('PATCH /v1/plans/{id}', { params: { id }, body });
  return [
    { label: 'Mark as completed', run: () => patch({ status: 'completed' }) },
    {
      label: 'Rename',
      yes: 'Save',
      fields: [{ name: 'goal', label: 'What the plan is for', rows: 3, value: goal }],
      run: (values) => patch({ goal: values.goal?.trim() ?? goal }),
    },
    {
      label: 'Abandon',
      look: 'bad',
      question: 'No agent works on it any more. What was done stays.',
      yes: 'Abandon it',
      run: () => patch({ status: 'failed' }),
    },
  ];
}

export const plan = {
  many: 'Plans',
  one: 'Plan',
  path: '/plans',
  about: 'What agents share the work of, step by step',
  first:
    'A prompt that numbers its steps gets a plan by itself, and so does the task list of an agent. You can also write one: lore plan --help.',
  tables: ['plans', 'plan_steps'],
  states: [
    ['open', 'Open'],
    ['ended', 'Ended'],
  ],
  list: async ({ project, state, limit }, signal) => {
    const query = { project, closed: state === 'ended', limit };
    return (await api('GET /v1/plans', { query, ...signal })).plans.map((one) => ({
      id: one.id,
      title: one.goal,
      project: one.project,
      detail: [
        one.steps > 0 && `${one.completed} of ${one.steps} steps done`,
        one.inProgress > 0 && `${one.inProgress} running`,
        one.failed > 0 && `${one.failed} failed`,
        one.proposed > 0 && `${one.proposed} proposed`,
      ],
      ...(one.steps > 0 && { done: [one.completed, one.steps] as const }),
      at: one.closedAt ?? one.updatedAt,
      standing: standingOf(one.status, one),
    }));
  },
  read: async (id, signal) => {
    const one = await api('GET /v1/plans/{id}', { params: { id }, ...signal });
    const steps = one.steps.filter(({ proposed }) => !proposed);
    const counts = (status: PlanStep['status']) => steps.filter((step) => step.status === status).length;
    const done = counts('completed');
    return {
      title: one.goal,
      standing: standingOf(one.status, {
        failed: counts('failed'),
        inProgress: counts('in_progress'),
        waiting: steps.filter(({ waitingFor }) => waitingFor !== null).length,
      }),
      project: one.project,
      ...(steps.length > 0 && { done: [done, steps.length] as const }),
      pairs: [
        ['Steps', steps.length > 0 ? `${done} of ${counted(steps.length, 'step')} done` : null],
        ['At work', one.activeAgents.join(', ')],
        ['Drafted by', one.draftedBy === 'prompt' ? 'your prompt' : writer(one.draftedBy)],
        ['Drafted', clock(one.createdAt)],
        ['Ended', one.closedAt && clock(one.closedAt)],
        sessionPair(one.sessionId),
      ],
      parts: [...partOf('Steps', stepRows(one)), ...linesPart('Constraints', one.constraints)],
      actions: planActions(one),
    };
  },
} satisfies RecordKind;
