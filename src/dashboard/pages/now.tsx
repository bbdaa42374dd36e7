import type { Dashboard } from '../../base/wire/routes.ts';
import { type Project, shortNames, useDashboard, type Waiting } from '../data/dashboard.ts';
import { counted } from '../data/words.ts';
import type { Row, Standing } from '../records/kind.ts';
import { Rows } from '../records/row.tsx';
import { FirstSteps } from '../ui/first-steps.tsx';
import { Card, Column, Columns, Page } from '../ui/page.tsx';
import { Loaded, useResource } from '../ui/states.tsx';
import { isStale } from '../ui/time.tsx';
import { WaitingCard } from './waiting.tsx';
import { didToday, Today, Working } from './working.tsx';

/**
 * What goes on now, in all projects: what needs the person, what the agents do, what Lore did today. The sentences at the
 * top answer the three at once. A project has a page of its own.
 */
export function Now() {
  const proposed = useProposed();
  return (
    <Page title="Now">
      <Loaded of={useDashboard()} lines={8}>
        {(data) => (
          <>
            <Unchecked {...data} />
            {data.projects.length === 0 && data.waiting.length === 0 ? (
              <>
                <FirstSteps />
                <WaitingCard waiting={[]} />
              </>
            ) : (
              <>
                <Summary data={data} proposed={proposed} />
                <Columns>
                  <Column>
                    <WaitingCard waiting={data.waiting} projects={data.projects} proposed={proposed} />
                    <Working working={data.working} projects={data.projects} />
                  </Column>
                  <Column>
                    <Today data={data} />
                    <Projects projects={data.projects} waiting={data.waiting} />
                  </Column>
                </Columns>
              </>
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** Returns what agents proposed that nobody but the person can accept: lessons that answer no error that was seen, and steps. */
function useProposed(): Row[] {
  const { learnings = [] } =
    useResource(['learnings'], 'GET /v1/learnings', { query: { status: 'proposed', limit: 500 } }).data ?? {};
  const { plans = [] } =
    useResource(['plans', 'plan_steps'], 'GET /v1/plans', { query: { closed: false, limit: 200 } }).data ??
    {};
  const lessons = learnings.filter(({ sourceIncidentId }) => sourceIncidentId === null);
  const open = plans.filter(({ proposed }) => proposed > 0);
  const row = (n: number, what: string, path: string, [one, ...others]: { id: string }[]): Row[] => {
    const title = `${counted(n, `${what} waits`, `${what}s wait`)} for you.`;
    const href = others.length === 0 ? `${path}/${one?.id}` : `${path}?state=proposed`;
    return n === 0 ? [] : [{ id: what, title, href, detail: ['Proposed by an agent'] }];
  };
  const steps = open.reduce((sum, { proposed }) => sum + proposed, 0);
  return [
    ...row(lessons.length, 'lesson', '/learnings', lessons),
    ...row(steps, 'plan step', '/plans', open),
  ];
}

/** Says where calls are not checked, because hooks are missing, refused or unanswered; nothing while all is well. */
function Unchecked({ unchecked, attach }: Dashboard) {
  if (unchecked.length === 0) return null;
  const command = attach.command;
  const run = `Run ${command} again${/PATH$/.test(command) ? '' : ' in that project'}.`;
  return (
    <Card title="Calls are not checked" flush>
      <Rows
        label="Calls are not checked"
        rows={unchecked.map(({ where, why, remedy, at }) => ({
          id: `${where} ${why}`,
          title: where,
          standing: { tone: 'warn', word: why },
          text: remedy ?? run,
          ...(at !== null && { at }),
        }))}
      />
    </Card>
  );
}

/** The three answers in whole sentences, each a link to what it tells. */
function Summary({ data: { counts, working, today }, proposed }: { data: Dashboard; proposed: Row[] }) {
  const atWork = working.filter(({ heardAt, waitingFor }) => waitingFor === null && !isStale(heardAt)).length;
  const needs = counts.waiting;
  const answers = {
    'needs-you':
      needs > 0
        ? `${counted(needs, 'thing needs', 'things need')} you.`
        : proposed.map(({ title }) => title).join(' ') || 'Nothing needs you.',
    'at-work':
      atWork === 0 ? 'No agent is at work.' : `${counted(atWork, 'agent is', 'agents are')} at work.`,
    today: didToday(today),
  };
  return (
    <section aria-label="At a glance" class="leading-7">
      {Object.entries(answers).map(([to, says]) => (
        <span key={to}>
          <a href={`#${to}`} class={`hover:underline ${to === 'needs-you' && needs > 0 ? 'text-bad' : ''}`}>
            {says}
          </a>{' '}
        </span>
      ))}
    </section>
  );
}

const STANDING: Record<Project['status'], Standing> = {
  active: { tone: 'ok', word: 'Active', busy: true },
  blocked: { tone: 'warn', word: 'Blocked' },
  idle: { tone: 'quiet', word: 'Idle' },
};

/** All projects, each with its state. */
function Projects({ projects, waiting }: { projects: Project[]; waiting: Waiting[] }) {
  const names = shortNames(projects);
  const row = ({ id, name, status, reason, lastTitle, lastActivity }: Project): Row => {
    const needs = waiting.filter(({ project }) => project === name).length;
    const last = lastTitle ?? (status === 'idle' ? 'nothing yet' : 'At work');
    return {
      id,
      title: names.get(name) ?? name,
      standing:
        needs > 0
          ? { tone: 'bad', word: needs === 1 ? '1 needs you' : `${needs} need you` }
          : STANDING[status],
      detail: [reason, status === 'idle' ? `Last: ${last}` : last],
      at: lastActivity,
    };
  };
  return (
    <Card title="Projects" flush>
      <Rows label="Projects" rows={projects.map(row)} path="/projects" brief />
    </Card>
  );
}
