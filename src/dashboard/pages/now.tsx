import type { Dashboard } from '../../base/wire/routes.ts';
import { type Project, shortNames, useDashboard, type Waiting } from '../data/dashboard.ts';
import { counted } from '../data/words.ts';
import type { Row, Standing } from '../records/kind.ts';
import { Rows } from '../records/row.tsx';
import { FirstSteps } from '../ui/first-steps.tsx';
import { Card, Column, Columns, Page } from '../ui/page.tsx';
import { Loaded } from '../ui/states.tsx';
import { isStale } from '../ui/time.tsx';
import { WaitingCard } from './waiting.tsx';
import { didToday, Today, Working } from './working.tsx';

/**
 * What goes on now, in all projects: what needs the person, what the agents do, what Lore did today. The sentences at the
 * top answer the three at once. A project has a page of its own.
 */
export const Now = () => (
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
              <Summary data={data} />
              <Columns>
                <Column>
                  <WaitingCard waiting={data.waiting} projects={data.projects} />
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
function Summary({ data: { counts, working, today } }: { data: Dashboard }) {
  const atWork = working.filter(({ heardAt, waitingFor }) => waitingFor === null && !isStale(heardAt)).length;
  const needs = counts.waiting;
  const answers = {
    'needs-you': needs === 0 ? 'Nothing needs you.' : `${counted(needs, 'thing needs', 'things need')} you.`,
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
