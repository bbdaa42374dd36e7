import { useEffect, useRef, useState } from 'preact/hooks';
import type { Plan, PlanStepChange, PlanStep as Step } from '../../wire/routes.ts';
import { useAction } from '../data/action.ts';
import { api } from '../data/api.ts';
import { planTables, standingOf } from '../data/plan.ts';
import { Button } from '../ui/button.tsx';
import { TextArea } from '../ui/field.tsx';
import { Prose } from '../ui/prose.tsx';
import { Failed } from '../ui/states.tsx';
import { Badge } from '../ui/status-dot.tsx';
import { duration, Time } from '../ui/time.tsx';

export const stepAnchor = (step: number) => `step-${step}`;

/** One step: who works on it, what it waits for, what came of it, and what a person may do about it. */
export function PlanStep({ plan, step, chosen }: { plan: Plan; step: Step; chosen: boolean }) {
  const { tone, word } = standingOf(step, plan.steps);
  const worked =
    step.startedAt && step.endedAt ? duration(Date.parse(step.endedAt) - Date.parse(step.startedAt)) : null;
  return (
    <li
      id={stepAnchor(step.number)}
      tabIndex={-1}
      class={`rounded-lg border bg-card p-4 outline-none ${chosen ? 'border-accent ring-1 ring-accent' : 'border-line'}`}
    >
      <div class="flex items-start justify-between gap-3">
        <p class="min-w-0">
          <span class="text-muted">{step.number}. </span>
          <Prose>{step.description}</Prose>
        </p>
        <Badge tone={tone}>{word}</Badge>
      </div>
      <p class="mt-1 text-sm text-muted">
        {[
          step.assignedTo,
          step.dependencies.length > 0 && `after ${step.dependencies.join(', ')}`,
          worked,
          step.attempts > 1 && `${step.attempts} attempts`,
        ]
          .filter(Boolean)
          .join(' · ')}
        {step.status === 'in_progress' && step.startedAt && (
          <>
            {' · for '}
            <Time at={step.startedAt} />
          </>
        )}
      </p>
      {step.waitingFor !== null && (
        <p class="mt-2 rounded-md bg-warn-soft px-3 py-2 text-sm text-warn">Waits for {step.waitingFor}</p>
      )}
      {step.waitingFor === null && step.blocked && (
        <p class="mt-1 text-sm text-warn">{sentence(step.blocked)}</p>
      )}
      {step.outcome && (
        <p class="mt-2 text-sm whitespace-pre-wrap">
          <Prose>{step.outcome}</Prose>
        </p>
      )}
      {step.report && <Report report={step.report} />}
      {step.notes.length > 0 && (
        <ul aria-label="Notes" class="mt-3 flex flex-col gap-2 border-l-2 border-line pl-3">
          {step.notes.map(({ at, agent, text }) => (
            <li key={`${at} ${text}`} class="text-sm">
              <span class="whitespace-pre-wrap">
                <Prose>{text}</Prose>
              </span>
              <span class="block text-xs text-muted">
                {agent ?? 'somebody'}, <Time at={at} />
              </span>
            </li>
          ))}
        </ul>
      )}
      <Act plan={plan} step={step} />
    </li>
  );
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function Report({ report }: { report: NonNullable<Step['report']> }) {
  if (report.nextSteps.length === 0) return null;
  return (
    <details class="mt-2 text-sm">
      <summary class="flex min-h-11 items-center text-accent">What it reported</summary>
      <ul class="flex flex-col gap-2">
        {report.nextSteps.map((next) => (
          <li key={next}>
            <span class="font-medium">Next: </span>
            {next}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** What a person may do: add a note, end its waiting, accept it, or have it tried again. */
function Act({ plan, step }: { plan: Plan; step: Step }) {
  const params = { id: plan.id, number: step.number };
  const [writing, setWriting] = useState(false);
  const [text, setText] = useState('');
  const field = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (writing) field.current?.querySelector('textarea')?.focus();
  }, [writing]);
  const note = useAction(planTables, async () => {
    await api('POST /v1/plans/{id}/steps/{number}/notes', { params, body: { text } });
    setText('');
    setWriting(false);
  });
  const change = useAction(planTables, (body: PlanStepChange) =>
    api('PATCH /v1/plans/{id}/steps/{number}', { params, body }),
  );
  const again = useAction(planTables, () =>
    api('POST /v1/plans/{id}/steps/{number}/release', { params, body: {} }),
  );
  const error = note.error ?? change.error ?? again.error;
  return (
    <div class="mt-2 flex flex-col gap-3">
      {writing && (
        <div ref={field}>
          <TextArea label={`Note on step ${step.number}`} rows={3} value={text} onInput={setText} />
        </div>
      )}
      <div class="flex flex-wrap items-center gap-x-4 gap-y-2">
        {writing ? (
          <>
            <Button
              look="main"
              busy={note.isPending}
              disabled={text.trim() === ''}
              onClick={() => note.mutate()}
            >
              Save note
            </Button>
            <Button disabled={note.isPending} onClick={() => setWriting(false)}>
              Cancel
            </Button>
          </>
        ) : (
          <>
            {step.waitingFor !== null && (
              <Button look="main" busy={change.isPending} onClick={() => change.mutate({ waitingFor: null })}>
                Unblock
              </Button>
            )}
            {step.proposed && (
              <Button look="main" busy={change.isPending} onClick={() => change.mutate({ proposed: false })}>
                Accept step
              </Button>
            )}
            {(step.status === 'failed' || step.status === 'stopped') && (
              <Button busy={again.isPending} onClick={() => again.mutate()}>
                Try again
              </Button>
            )}
            <button type="button" class="-mb-2 min-h-11 text-sm text-accent" onClick={() => setWriting(true)}>
              Add note<span class="sr-only"> to step {step.number}</span>
            </button>
          </>
        )}
      </div>
      {error && <Failed error={error} />}
    </div>
  );
}
