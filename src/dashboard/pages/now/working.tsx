import { useState } from 'preact/hooks';
import type { Dashboard } from '../../../wire/routes.ts';
import { type Project, shortNames } from '../../data/dashboard.ts';
import { neededOf } from '../../data/session.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Item, List } from '../../ui/list.tsx';
import { Progress } from '../../ui/progress.tsx';
import { Prose } from '../../ui/prose.tsx';
import { StatusDot } from '../../ui/status-dot.tsx';
import { Ago, clock, isStale } from '../../ui/time.tsx';

type Work = Dashboard['working'][number];

/** More tasks than these are shown when somebody asks for them. */
const SHOWN = 6;

/**
 * What the agents do: each task at work.
 *
 * @param working undefined in what an earlier version of the page has kept
 * @param projects if given, the name of its project is shown with each task
 */
export function Working({ working = [], projects }: { working?: Work[]; projects?: Project[] }) {
  const [all, setAll] = useState(false);
  const names = shortNames(projects ?? []);
  const shown = all ? working : working.slice(0, SHOWN);
  return (
    <Card id="at-work" title="At work" flush>
      {working.length === 0 ? (
        <p class="px-4 pb-3 text-sm text-muted">No agent is at work.</p>
      ) : (
        <List label="At work">
          {shown.map((work) => (
            <WorkItem
              key={`${work.sessionId} ${work.plan?.id} ${work.plan?.step}`}
              work={work}
              project={projects ? (names.get(work.project) ?? work.project) : null}
            />
          ))}
        </List>
      )}
      {shown.length < working.length && (
        <div class="flex flex-col border-t border-line px-4 py-3">
          <Button onClick={() => setAll(true)}>Show {working.length - shown.length} more</Button>
        </div>
      )}
    </Card>
  );
}

function WorkItem({ work, project }: { work: Work; project: string | null }) {
  const { plan, title, agent, model, sessionId, waitingFor, heardAt } = work;
  const stale = isStale(heardAt);
  // a task of one step is its session
  const href =
    plan && (plan.total > 1 || sessionId === null)
      ? `/plans/${plan.id}`
      : sessionId
        ? `/sessions/${sessionId}`
        : undefined;
  const [tone, word] = waitingFor
    ? (['warn', 'Needs you'] as const)
    : stale
      ? (['quiet', 'Not heard of'] as const)
      : (['ok', 'At work'] as const);
  const by = [agent !== 'orchestrator' && agent, model && shortModel(model)].filter(Boolean).join(' · ');
  return (
    <Item
      href={href}
      lead={<StatusDot tone={tone} label={word} busy={tone === 'ok'} />}
      title={
        <span class="line-clamp-2 text-sm font-medium">
          <Prose>{plan?.description ?? title ?? 'Just started'}</Prose>
        </span>
      }
      detail={
        <span class="block text-xs">
          {plan && plan.total > 1 && (
            <span class="mt-1.5 mb-1 block">
              <Progress
                done={plan.done}
                total={plan.total}
                label={`${plan.done} of ${plan.total} steps done`}
              />
            </span>
          )}
          <span class="flex flex-wrap justify-between gap-x-3">
            <span class="min-w-0">
              {[project, plan && plan.total > 1 && `Step ${plan.step} of ${plan.total}`]
                .filter(Boolean)
                .join(' · ')}
            </span>
            {by && <span class="min-w-0">{by}</span>}
          </span>
          {waitingFor && <span class="block text-warn">{neededOf(waitingFor)}</span>}
          {stale && !waitingFor && <span class="block text-warn">Not heard of since {clock(heardAt)}</span>}
        </span>
      }
      aside={<Ago at={heardAt} />}
    />
  );
}

/** “claude-sonnet-4-5-20250929” is “sonnet-4-5”. */
const shortModel = (name: string): string => name.replace(/^claude-/, '').replace(/-\d{8}$/, '');
