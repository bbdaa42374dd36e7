import { useState } from 'preact/hooks';
import { Link, useParams } from 'wouter-preact';
import type { Plan as PlanData } from '../../wire/routes.ts';
import { usePages } from '../data/pages.ts';
import { planTables } from '../data/plan.ts';
import { useProjects } from '../data/projects.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Item, List } from '../ui/list.tsx';
import { Older } from '../ui/older.tsx';
import { Page } from '../ui/page.tsx';
import { Pair, Pairs } from '../ui/pairs.tsx';
import { Progress } from '../ui/progress.tsx';
import { Prose } from '../ui/prose.tsx';
import { Loaded, useResource } from '../ui/resource.tsx';
import { Badge, type Tone } from '../ui/status-dot.tsx';
import { Ago, Time } from '../ui/time.tsx';
import { EndPlan } from './end-plan.tsx';
import { PlanGraph } from './plan-graph.tsx';
import { PlanStep, stepAnchor } from './plan-step.tsx';

const STATUSES: Record<PlanData['status'], readonly [Tone, string]> = {
  planning: ['quiet', 'Planning'],
  in_progress: ['accent', 'In progress'],
  completed: ['ok', 'Completed'],
  failed: ['bad', 'Failed'],
  stopped: ['warn', 'Stopped'],
};

/** A plan that was given up has failed without a step that did. */
const standing = ({ status, steps }: PlanData): readonly [Tone, string] =>
  status === 'failed' && !steps.some((step) => step.status === 'failed')
    ? ['quiet', 'Abandoned']
    : STATUSES[status];

/** One plan: its steps as a graph and one by one, now or at an earlier time. */
export function Plan() {
  const { id } = useParams<{ id: string }>();
  const plan = useResource(planTables, 'GET /v1/plans/{id}', { params: { id } });
  const [tone, word] = plan.data ? standing(plan.data) : ([] as never[]);
  return (
    <Page title="Plan" back={['/plans', 'Plans']} aside={tone && word && <Badge tone={tone}>{word}</Badge>}>
      <Loaded of={plan} lines={10}>
        {(data) => <Whole plan={data} />}
      </Loaded>
    </Page>
  );
}

function Whole({ plan }: { plan: PlanData }) {
  const [chosen, setChosen] = useState<number | null>(null);
  const choose = (step: number) => {
    setChosen(step);
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const card = document.getElementById(stepAnchor(step));
    card?.scrollIntoView({ block: 'center', behavior: calm ? 'instant' : 'smooth' });
    card?.focus({ preventScroll: true });
  };
  return (
    <>
      <About plan={plan} />
      {plan.steps.length > 0 && (
        <div class="grid items-start gap-3 desk:grid-cols-2 [&>*]:min-w-0">
          <div class="desk:sticky desk:top-5">
            <Card title="Steps at a glance">
              <PlanGraph steps={plan.steps} chosen={chosen} onChoose={choose} />
            </Card>
          </div>
          <ol class="flex flex-col gap-3" aria-label="Steps in order">
            {plan.steps.map((step) => (
              <PlanStep key={step.number} plan={plan} step={step} chosen={chosen === step.number} />
            ))}
          </ol>
        </div>
      )}
      <History plan={plan} />
    </>
  );
}

function About({ plan }: { plan: PlanData }) {
  const { called } = useProjects();
  const steps = plan.steps.filter(({ proposed }) => !proposed);
  const done = steps.filter(({ status }) => status === 'completed').length;
  const label = `${done} of ${steps.length} steps done`;
  return (
    <Card>
      <p class="text-lg">
        <Prose>{plan.goal}</Prose>
      </p>
      <div class="mt-3 mb-4">
        {steps.length > 0 && (
          <>
            <p class="mb-1.5 text-sm text-muted">{label}</p>
            <Progress done={done} total={steps.length} label={label} />
          </>
        )}
      </div>
      <Pairs>
        <Pair name="Project">{called(plan.project)}</Pair>
        {plan.activeAgents.length > 0 && <Pair name="At work">{plan.activeAgents.join(', ')}</Pair>}
        <Pair name="Drafted by">{plan.draftedBy}</Pair>
        {plan.sessionId !== null && (
          <Pair name="Drafted in">
            <Link
              href={`/sessions/${plan.sessionId}`}
              class="-my-3.5 inline-flex min-h-11 items-center text-accent underline"
            >
              this session
            </Link>
          </Pair>
        )}
        <Pair name="Drafted">
          <Time at={plan.createdAt} past />
        </Pair>
        {plan.closedAt && (
          <Pair name="Ended">
            <Time at={plan.closedAt} past />
          </Pair>
        )}
      </Pairs>
      {plan.constraints.length > 0 && (
        <ul aria-label="Constraints" class="mt-3 list-disc pl-5 text-sm text-muted">
          {plan.constraints.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      {plan.closedAt === null && <EndPlan plan={plan} />}
    </Card>
  );
}

const ACTIONS: Record<string, string> = {
  made: 'was made',
  added: 'was added',
  proposed: 'was proposed',
  accepted: 'was accepted',
  claimed: 'was claimed',
  completed: 'was completed',
  failed: 'failed',
  stopped: 'was stopped: Lore let none of its calls run',
  released: 'was released',
  expired: 'was released: its agent is gone',
  waits: 'waits',
  'goes on': 'was unblocked',
  in_progress: 'was started',
  planning: 'was reopened',
  noted: 'got a note',
  changed: 'was changed',
};

/** What changed, and when. It is read when somebody asks. */
function History({ plan }: { plan: PlanData }) {
  const [open, setOpen] = useState(false);
  return (
    <Card title="History" flush>
      {open ? (
        <Changes plan={plan.id} />
      ) : (
        <div class="px-4 pb-4">
          <Button onClick={() => setOpen(true)}>Show every change</Button>
        </div>
      )}
    </Card>
  );
}

/** Every change, the newest first. */
function Changes({ plan }: { plan: string }) {
  const changes = usePages(planTables, 'GET /v1/plans/{id}/history', 'changes', {
    params: { id: plan },
    by: 'version',
  });
  return (
    <Loaded of={changes} lines={6}>
      {({ pages }) => (
        <>
          <List label="Changes, the newest first">
            {pages.flat().map(({ version, at, step, action, actor, text }) => (
              <Item
                key={version}
                title={
                  <span class="text-sm">
                    {step === 0 ? 'The plan' : `Step ${step}`} {ACTIONS[action] ?? action}
                    {actor && <span class="text-muted"> · {actor}</span>}
                  </span>
                }
                detail={text && <span class="line-clamp-2">{text}</span>}
                aside={<Ago at={at} />}
              />
            ))}
          </List>
          <Older of={changes} what="Older changes" />
        </>
      )}
    </Loaded>
  );
}
