import type { PlanSummary } from '../../wire/routes.ts';
import { useAddress } from '../data/address.ts';
import { usePages } from '../data/pages.ts';
import { planTables } from '../data/plan.ts';
import { useProjects } from '../data/projects.ts';
import { Card } from '../ui/card.tsx';
import { Choice } from '../ui/field.tsx';
import { NothingYet } from '../ui/first-steps.tsx';
import { Item, List } from '../ui/list.tsx';
import { Older } from '../ui/older.tsx';
import { Page } from '../ui/page.tsx';
import { Progress } from '../ui/progress.tsx';
import { ProjectFilter } from '../ui/project-filter.tsx';
import { Prose } from '../ui/prose.tsx';
import { Loaded } from '../ui/resource.tsx';
import { Code, Empty } from '../ui/states.tsx';
import { StatusDot, type Tone } from '../ui/status-dot.tsx';
import { Ago } from '../ui/time.tsx';

/** The plans that agents share: those that go on, and those that have ended. */
export function Plans() {
  const [params, set] = useAddress();
  const ended = params.get('ended') !== null;
  const project = params.get('project') ?? '';
  const plans = usePages(planTables, 'GET /v1/plans', 'plans', {
    query: { closed: ended, project: project || undefined },
  });
  return (
    <Page title="Plans">
      <div class="grid gap-2 open:grid-cols-[minmax(0,1fr)_12rem]">
        <Choice
          label="Which plans"
          value={ended ? 'ended' : 'running'}
          options={[
            ['running', 'Open'],
            ['ended', 'Ended'],
          ]}
          onChange={(which) => set('ended', which === 'ended' ? '1' : null)}
        />
        <ProjectFilter value={project} onChange={(name) => set('project', name)} />
      </div>
      <Card flush>
        <Loaded of={plans} lines={6}>
          {({ pages }) =>
            pages[0]?.length === 0 ? (
              <NoneYet ended={ended} />
            ) : (
              <>
                <List label={ended ? 'Ended plans' : 'Open plans'}>
                  {pages.flat().map((plan) => (
                    <PlanItem key={plan.id} plan={plan} />
                  ))}
                </List>
                <Older of={plans} what="Older plans" />
              </>
            )
          }
        </Loaded>
      </Card>
    </Page>
  );
}

function PlanItem({ plan }: { plan: PlanSummary }) {
  const { called } = useProjects();
  const { tone, word, busy } = standingOf(plan);
  // what a prompt asked for as one thing has no steps to speak of
  const done = plan.steps > 0 ? `${plan.completed} of ${plan.steps} steps done` : null;
  const now = [
    done,
    plan.inProgress > 0 && `${plan.inProgress} running`,
    plan.waiting > 0 && `${plan.waiting} waiting`,
    plan.failed > 0 && `${plan.failed} failed`,
    plan.stopped > 0 && `${plan.stopped} stopped`,
    plan.proposed > 0 && `${plan.proposed} proposed`,
  ].filter(Boolean);
  return (
    <Item
      href={`/plans/${plan.id}`}
      lead={<StatusDot tone={tone} label={word} busy={busy} />}
      title={
        <span class="line-clamp-3">
          <Prose>{plan.goal}</Prose>
        </span>
      }
      detail={
        <>
          <span class="block">{[called(plan.project), ...now].join(' · ')}</span>
          {done && (
            <span class="mt-1.5 block">
              <Progress done={plan.completed} total={plan.steps} label={done} />
            </span>
          )}
        </>
      }
      aside={<Ago at={plan.closedAt ?? plan.updatedAt} />}
    />
  );
}

function standingOf(plan: PlanSummary): { tone: Tone; word: string; busy: boolean } {
  if (plan.status === 'completed') return { tone: 'ok', word: 'Completed', busy: false };
  if (plan.status === 'failed') return { tone: 'bad', word: 'Failed', busy: false };
  if (plan.status === 'stopped') return { tone: 'warn', word: 'Stopped', busy: false };
  if (plan.waiting > 0) return { tone: 'warn', word: 'Waiting', busy: false };
  return plan.inProgress > 0
    ? { tone: 'accent', word: 'Running', busy: true }
    : { tone: 'quiet', word: 'Nobody is working on it', busy: false };
}

const NoneYet = ({ ended }: { ended: boolean }) =>
  ended ? (
    <Empty title="No plan has ended yet" />
  ) : (
    <NothingYet title="No open plan">
      <p class="mb-3">
        A prompt that asks for several steps gets a plan by itself. You can also write one on the machine
        where Lore runs:
      </p>
      <Code>lore plan --help</Code>
    </NothingYet>
  );
