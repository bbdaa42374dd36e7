import type { Dashboard } from '../../base/wire/routes.ts';
import { type Project, shortNames } from '../data/dashboard.ts';
import { counted, joined, neededOf, times } from '../data/words.ts';
import type { Row, Standing } from '../records/kind.ts';
import { Rows } from '../records/row.tsx';
import { Card } from '../ui/card.tsx';
import { clock, isStale } from '../ui/time.tsx';

type Work = Dashboard['working'][number];

/**
 * What the agents do: each task at work.
 *
 * @param working undefined in what an earlier version of the page has kept
 * @param projects if given, the name of its project is shown with each task
 */
export function Working({ working = [], projects }: { working?: Work[] | undefined; projects?: Project[] }) {
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
  const { plan, title, agent, model, sessionId, waitingFor, heardAt } = work;
  // a task of one step is its session
  const steps = plan && (plan.total > 1 || sessionId === null) ? plan : null;
  const standing: Standing = waitingFor
    ? { tone: 'warn', word: neededOf(waitingFor) }
    : isStale(heardAt)
      ? { tone: 'warn', word: `Not heard of since ${clock(heardAt)}` }
      : { tone: 'ok', word: 'At work', busy: true };
  return {
    id: `${sessionId} ${plan?.id} ${plan?.step}`,
    title: plan?.description ?? title ?? 'Just started',
    href: steps ? `/plans/${steps.id}` : sessionId ? `/sessions/${sessionId}` : null,
    standing,
    detail: [
      project,
      steps && `Step ${steps.step} of ${steps.total}`,
      agent !== 'orchestrator' && agent,
      // “claude-sonnet-4-5-20250929” is “sonnet-4-5”
      model?.replace(/^claude-/, '').replace(/-\d{8}$/, ''),
    ],
    ...(steps && { done: [steps.done, steps.total] as const }),
    at: heardAt,
  };
}

/** What is most worth seeing of a day comes first. */
const DID: Record<Dashboard['did'][number]['kind'], Standing & { order: number }> = {
  helped: { order: 0, tone: 'ok', word: 'Helped' },
  stopped: { order: 1, tone: 'warn', word: 'Stopped' },
  failed: { order: 2, tone: 'warn', word: 'Did not help' },
  told: { order: 3, tone: 'quiet', word: 'Told' },
};

/** What Lore did today: the calls that it stopped and the lessons that it told, each a link to where it was. */
export function Today({ data: { today, did = [], projects } }: { data: Dashboard }) {
  const names = shortNames(projects);
  const sorted = [...did].sort((a, b) => DID[a.kind].order - DID[b.kind].order);
  return (
    <Card id="today" title="Today" flush>
      <p class="px-4 pb-2 text-sm">{inWords(today)}</p>
      <Rows
        label="What Lore did today"
        rows={sorted.map(({ kind, id, sessionId, text, project, at }) => ({
          id: `${kind} ${id} ${sessionId}`,
          title: text,
          code: kind === 'stopped',
          href: kind === 'stopped' ? `/safety?check=${id}` : `/sessions/${sessionId}`,
          standing: DID[kind],
          detail: [DID[kind].tone !== 'warn' && DID[kind].word, project && (names.get(project) ?? project)],
          at,
        }))}
        most={5}
        brief
      />
      <p class="border-t border-line px-4 py-2 text-xs text-muted">
        {joined([
          counted(today.sessions, 'session'),
          counted(today.commands, 'command'),
          counted(today.errors, 'error'),
          `${counted(today.learnings, 'lesson')} learned`,
        ])}
      </p>
    </Card>
  );
}

/** “Stopped 3 calls. Told 4 lessons in 5 sessions. They helped 3 times.” */
const inWords = ({
  stopped = 0,
  told = 0,
  toldSessions,
  helped = 0,
  failed = 0,
}: Dashboard['today']): string =>
  [
    stopped > 0 && `Stopped ${counted(stopped, 'call')}.`,
    told > 0 && `Told ${counted(told, 'lesson')} in ${counted(toldSessions, 'session')}.`,
    helped > 0 && `They helped ${times(helped)}.`,
    failed > 0 && `They did not help ${times(failed)}.`,
  ]
    .filter(Boolean)
    .join(' ') || 'Nothing had to be stopped, and no lesson was needed.';
