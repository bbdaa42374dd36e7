import type { UseQueryResult } from '@tanstack/preact-query';
import { CircleAlert, CircleCheck, CircleDashed, CircleDot, CircleSlash, CircleX } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import type { Dashboard, Incident, PlanStep } from '../../../wire/routes.ts';
import type { Project } from '../../data/dashboard.ts';
import type { Table } from '../../data/live.ts';
import { Card } from '../../ui/card.tsx';
import { Item, List } from '../../ui/list.tsx';
import { Sides } from '../../ui/page.tsx';
import { Progress } from '../../ui/progress.tsx';
import { Prose } from '../../ui/prose.tsx';
import { Loaded, useResource } from '../../ui/resource.tsx';
import { Badge, StatusDot } from '../../ui/status-dot.tsx';
import { Ago, Time } from '../../ui/time.tsx';
import { ProjectDot, standing } from './projects.tsx';
import { WaitingCard } from './waiting.tsx';
import { Working } from './working.tsx';

/** A project: what waits in it, its plan, what its agents noted and learned, what went wrong. */
export function ProjectDetail({ project, data }: { project: Project; data: Dashboard }) {
  const waiting = data.waiting.filter((one) => one.project === project.name);
  const working = data.working?.filter((one) => one.project === project.name);
  const { status, why } = standing(project, data.waiting);
  return (
    <div class="flex flex-col gap-3">
      <div class="flex min-h-11 flex-col justify-center px-1">
        <p class="flex items-baseline gap-2 text-sm text-muted">
          <ProjectDot status={status} />
          <span class="min-w-0 flex-1">{why ?? project.lastTitle ?? 'Nothing has happened here yet'}</span>
          <Time at={project.lastActivity} />
        </p>
        {project.name.includes('/') && <p class="text-xs text-muted">{project.name}</p>}
      </div>
      <Sides
        left={
          <>
            <WaitingCard waiting={waiting} />
            <Working working={working} />
          </>
        }
        right={<CurrentPlan project={project} />}
        fills={waiting.length === 0 && project.task !== null ? 'left' : 'right'}
      >
        <Learnings project={project.name} />
      </Sides>
      <div class="grid items-start gap-3 desk:grid-cols-2 [&>*]:min-w-0">
        <Notes project={project.name} />
        <Incidents project={project.name} />
      </div>
    </div>
  );
}

const planTables: Table[] = ['plans', 'plan_steps'];

function CurrentPlan({ project }: { project: Project }) {
  const open = useResource(planTables, 'GET /v1/plans', {
    query: { project: project.name, closed: false, limit: 1 },
    enabled: project.task === null,
  });
  const id = project.task?.planId ?? open.data?.plans[0]?.id;
  if (id !== undefined) return <PlanSteps key={id} id={id} model={project.task?.model ?? null} />;
  return (
    <Card title="Plan" flush>
      <Loaded of={open} lines={1}>
        {() => (
          <p class="px-4 pb-3 text-sm text-muted">
            No open plan. An agent drafts one when a prompt asks for more than a few steps.
          </p>
        )}
      </Loaded>
    </Card>
  );
}

function PlanSteps({ id, model }: { id: string; model: string | null }) {
  const plan = useResource(planTables, 'GET /v1/plans/{id}', { params: { id } });
  const steps = plan.data?.steps.filter(({ proposed }) => !proposed) ?? [];
  const done = steps.filter(({ status }) => status === 'completed').length;
  return (
    <Card
      title="Plan"
      aside={
        <Link href={`/plans/${id}`} class="-mr-2 inline-flex min-h-11 items-center px-2 text-accent">
          Open
        </Link>
      }
      flush
    >
      <Loaded of={plan} lines={5}>
        {({ goal }) => (
          <>
            <div class="px-4 pb-3">
              <p class="font-medium">
                <Prose>{goal}</Prose>
              </p>
              <p class="mt-1 mb-1.5 flex justify-between gap-3 text-xs text-muted">
                <span>
                  {done} of {steps.length} steps done
                </span>
                {model && <span class="truncate">{model}</span>}
              </p>
              <Progress done={done} total={steps.length} label={`${done} of ${steps.length} steps done`} />
            </div>
            <List label="Steps">
              {inView(steps).map((step) => (
                <StepItem key={step.number} step={step} />
              ))}
            </List>
            {steps.length > MOST_STEPS && (
              <p class="border-t border-line px-4 py-2 text-xs text-muted">
                {steps.length - MOST_STEPS} more in the plan
              </p>
            )}
          </>
        )}
      </Loaded>
    </Card>
  );
}

const MOST_STEPS = 8;

/** Returns the steps that are shown of a long plan: those around the ones that are being worked on. */
function inView(steps: PlanStep[]): PlanStep[] {
  const first = steps.findIndex(({ status }) => status !== 'completed');
  const from = Math.max(0, Math.min(first < 0 ? steps.length : first - 2, steps.length - MOST_STEPS));
  return steps.slice(from, from + MOST_STEPS);
}

function StepItem({ step }: { step: PlanStep }) {
  const { status, blocked } = step;
  const note = step.notes.at(-1);
  return (
    <Item
      lead={<StepIcon status={status} blocked={blocked !== null} />}
      title={
        <span class={`text-sm ${status === 'completed' ? 'text-muted' : ''}`}>
          {step.number}. <Prose>{step.description}</Prose>
        </span>
      }
      detail={
        (blocked || note || (status === 'failed' && step.outcome)) && (
          <span class="block text-xs">
            {blocked && <span class="block text-warn">{blocked}</span>}
            {status === 'failed' && step.outcome && <span class="block text-bad">{step.outcome}</span>}
            {note && status === 'in_progress' && <span class="line-clamp-2">{note.text}</span>}
          </span>
        )
      }
      aside={step.assignedTo && <span class="block max-w-24 truncate">{step.assignedTo}</span>}
    />
  );
}

const ICONS = {
  pending: [CircleDashed, 'text-muted', 'To do'],
  in_progress: [CircleDot, 'text-accent', 'At work'],
  completed: [CircleCheck, 'text-ok', 'Done'],
  failed: [CircleX, 'text-bad', 'Failed'],
  stopped: [CircleSlash, 'text-warn', 'Stopped'],
} as const;

function StepIcon({ status, blocked }: { status: PlanStep['status']; blocked: boolean }) {
  const [Icon, colour, word] = blocked ? ([CircleAlert, 'text-warn', 'Blocked'] as const) : ICONS[status];
  return <Icon size={16} aria-label={word} role="img" class={colour} />;
}

const Notes = ({ project }: { project: string }) => (
  <Recent
    title="Notes"
    of={useResource(['notes'], 'GET /v1/notes', { query: { project, limit: MOST } })}
    rows={({ notes }) => notes}
    empty="Agents leave notes here for those who come after them."
  >
    {(note) => (
      <Item
        key={note.id}
        title={
          <span class="line-clamp-4 text-sm whitespace-pre-line">
            <Prose>{note.content}</Prose>
          </span>
        }
        detail={
          <span class="flex justify-between gap-3 text-xs">
            <span class="truncate">
              {note.sender ?? 'somebody'}
              {note.writtenBy === 'person' && ' (a person)'}
              {note.messageType !== 'reflection' && ` · ${note.messageType}`}
            </span>
            <Time at={note.createdAt} />
          </span>
        }
      />
    )}
  </Recent>
);

const Learnings = ({ project }: { project: string }) => (
  <Recent
    title="Lessons"
    of={useResource(['learnings'], 'GET /v1/learnings', { query: { project, limit: MOST } })}
    rows={({ learnings }) => learnings}
    empty="Lessons come from errors that were fixed, and from what you say to your agents."
  >
    {(learning) => (
      <Item
        key={learning.id}
        href={`/learnings/${learning.id}`}
        title={
          <span class="line-clamp-3 text-sm">
            <Prose>{learning.lesson}</Prose>
          </span>
        }
        detail={
          <span class="flex items-center justify-between gap-3 text-xs">
            {learning.status === 'proposed' ? (
              <Badge tone="quiet">proposed</Badge>
            ) : (
              <span>{Math.round(learning.confidence * 100)} % sure</span>
            )}
            <Ago at={learning.createdAt} />
          </span>
        }
      />
    )}
  </Recent>
);

const Incidents = ({ project }: { project: string }) => (
  <Recent
    title="Errors and their fixes"
    of={useResource(['incidents'], 'GET /v1/incidents', { query: { project, limit: MOST } })}
    rows={({ incidents }) => incidents}
    empty="No command or tool has failed here."
  >
    {(incident) => (
      <Item
        key={incident.id}
        lead={
          <StatusDot
            tone={incident.status === 'resolved' ? 'ok' : incident.status === 'open' ? 'bad' : 'warn'}
            label={incident.status}
          />
        }
        title={<span class="line-clamp-3 text-sm">{incident.error}</span>}
        detail={
          <span class="block text-xs">
            {incident.target && <span class="line-clamp-2 font-mono">{incident.target}</span>}
            {incident.resolution && (
              <span class="line-clamp-2 text-ok">Fixed by {fixOf(incident.resolution)}</span>
            )}
          </span>
        }
        aside={<Time at={incident.openedAt} />}
      />
    )}
  </Recent>
);

/** What made it work: a change of files, or the command that passed. */
const fixOf = ({ edits, command, commands }: NonNullable<Incident['resolution']>): string => {
  const files = [...new Set(edits.map(({ file }) => file.split('/').at(-1)))];
  if (files.length > 0) return `a change of ${files.join(', ')}`;
  return command ?? commands.at(-1) ?? 'another call';
};

const MOST = 5;

/** The newest records of a kind in a project. */
function Recent<A, T>({
  title,
  of,
  rows,
  empty,
  children,
}: {
  title: string;
  of: UseQueryResult<A, Error>;
  rows: (answer: A) => T[];
  empty: string;
  children: (one: T) => ComponentChildren;
}) {
  return (
    <Card title={title} flush>
      <Loaded of={of} lines={2}>
        {(data) => {
          const all = rows(data);
          return all.length === 0 ? (
            <p class="px-4 pb-3 text-sm text-muted">{empty}</p>
          ) : (
            <List label={title}>{all.map(children)}</List>
          );
        }}
      </Loaded>
    </Card>
  );
}
