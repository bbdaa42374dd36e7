import type { Dashboard } from '../../base/wire/routes.ts';
import { type Project, shortNames } from '../data/dashboard.ts';
import { counted, modelName, neededOf, times } from '../data/words.ts';
import type { Row, Standing } from '../records/kind.ts';
import { Rows } from '../records/row.tsx';
import { Card } from '../ui/page.tsx';
import { clock, isStale } from '../ui/time.tsx';
import { reasonOf } from './decide.tsx';

type Work = Dashboard['working'][number];

/** What the agents do: each task at work. @param projects if given, the name of its project is shown with each task */
export function Working({ working, projects }: { working: Work[]; projects?: Project[] }) {
  const names = shortNames(projects ?? []);
  return (
    <Card id="at-work" title="At work" flush>
      {working.length === 0 && <p class="px-4 pb-3 text-sm text-muted">No agent is at work.</p>}
      <Rows
        label="At work"
        rows={working.map((work) =>
          workRow(work, projects ? (names.get(work.project) ?? work.project) : null),
        )}
        most={6}
        brief
      />
    </Card>
  );
}

function workRow(work: Work, project: string | null): Row {
  const { plan, title, agent, agentId, model, sessionId, waitingFor, heardAt } = work;
  // a task of one step is its session
  const steps = plan && (plan.total > 1 || sessionId === null) ? plan : null;
  const standing: Standing = waitingFor
    ? { tone: 'warn', word: neededOf(waitingFor) }
    : isStale(heardAt)
      ? { tone: 'warn', word: `Not heard of since ${clock(heardAt)}` }
      : { tone: 'ok', word: 'At work', busy: true };
  return {
    id: `${sessionId} ${agentId} ${plan?.id} ${plan?.step}`,
    title: plan?.description ?? title ?? 'Just started',
    href: steps ? `/plans/${steps.id}` : sessionId ? `/sessions/${sessionId}` : null,
    standing,
    detail: [
      project,
      steps && `Step ${steps.step} of ${steps.total}`,
      agent !== 'orchestrator' && agent,
      modelName(model),
    ],
    ...(steps && { done: [steps.done, steps.total] as const }),
    at: heardAt,
  };
}

const DID: Record<Dashboard['did'][number]['kind'], Standing> = {
  helped: { tone: 'ok', word: 'Helped' },
  stopped: { tone: 'accent', word: 'Stopped' },
  held: { tone: 'accent', word: 'Held' },
  failed: { tone: 'warn', word: 'Did not help' },
  told: { tone: 'quiet', word: 'Told' },
};

/** What Lore did today, the newest first: which errors it answered, what it stopped and why, each a link to where it was. */
export function Today({ data: { today, did, projects } }: { data: Dashboard }) {
  const names = shortNames(projects);
  return (
    <Card id="today" title="Today" flush>
      {did.length === 0 && <p class="px-4 pb-2 text-sm text-muted">{didToday(today)}</p>}
      <Rows
        label="What Lore did today"
        rows={did.map(({ kind, id, sessionId, text, about, times: n, project, at }) => ({
          id: `${kind} ${id}`,
          ...(kind === 'stopped' || kind === 'held'
            ? { ...stoppedRow(kind, text, about ?? ''), href: `/safety?check=${id}` }
            : { title: TOLD[kind], text, href: `/sessions/${sessionId}` }),
          standing: DID[kind],
          detail: [n > 1 && times(n), names.get(project) ?? project],
          at,
        }))}
        most={5}
      />
    </Card>
  );
}

function stoppedRow(kind: 'stopped' | 'held', command: string, reason: string): Pick<Row, 'title' | 'text'> {
  const { why, instead } = reasonOf(reason, command);
  const line = command.split('\n')[0]?.slice(0, 120);
  if (kind === 'held')
    return { title: `Held \`${line}\` until the agent knew what helped before.`, text: reason };
  return { title: `Stopped \`${line}\`: ${why}`, text: instead && `The agent was told instead: ${instead}` };
}

/** What became of a lesson that was told. It quotes the error that it answers. */
const TOLD = {
  helped: 'Answered an error with what an earlier session had learned.',
  failed: 'An agent was told this, and it did not help.',
  told: 'An agent was told this.',
};

/** “Today Lore stopped 3 calls and answered 2 errors.” */
export function didToday({ stopped, told, helped }: Dashboard['today']): string {
  const did = [
    stopped > 0 && `stopped ${counted(stopped, 'call')}`,
    helped > 0 ? `answered ${counted(helped, 'error')}` : told > 0 && `told ${counted(told, 'lesson')}`,
  ].filter(Boolean);
  return did.length > 0
    ? `Today Lore ${did.join(' and ')}.`
    : 'Today nothing had to be stopped, and no lesson was needed.';
}
