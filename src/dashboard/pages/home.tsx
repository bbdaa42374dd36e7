import { useParams } from 'wouter-preact';
import { shortNames, useDashboard } from '../data/dashboard.ts';
import { FirstSteps } from '../ui/first-steps.tsx';
import { Page, Sides } from '../ui/page.tsx';
import { Loaded } from '../ui/resource.tsx';
import { Empty } from '../ui/states.tsx';
import { ProjectDetail } from './now/project.tsx';
import { Projects } from './now/projects.tsx';
import { Summary } from './now/summary.tsx';
import { Today } from './now/today.tsx';
import { Unchecked } from './now/unchecked.tsx';
import { WaitingCard } from './now/waiting.tsx';
import { Working } from './now/working.tsx';

/**
 * What goes on now, in all projects: what needs the person, what the agents do, what Lore did today. The line at the
 * top answers the three at once. A project has a page of its own.
 */
export function Home() {
  const { project: id } = useParams();
  const dashboard = useDashboard();
  if (id === undefined) {
    return (
      <Page title="Now">
        <Loaded of={dashboard} lines={8}>
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
                  <Sides
                    left={
                      <>
                        <WaitingCard waiting={data.waiting} projects={data.projects} />
                        <Working working={data.working} projects={data.projects} />
                      </>
                    }
                    right={<Today data={data} />}
                    fills={data.waiting.length === 0 ? 'left' : 'right'}
                  >
                    <Projects projects={data.projects} waiting={data.waiting} />
                  </Sides>
                </>
              )}
            </>
          )}
        </Loaded>
      </Page>
    );
  }
  const project = dashboard.data?.projects.find((one) => one.id === id);
  const names = shortNames(dashboard.data?.projects ?? []);
  return (
    <Page title={project ? (names.get(project.name) ?? project.name) : 'Project'} back={['/', 'Now']}>
      <Loaded of={dashboard} lines={8}>
        {(data) => (project ? <ProjectDetail key={id} project={project} data={data} /> : <Unknown />)}
      </Loaded>
    </Page>
  );
}

const Unknown = () => (
  <Empty title="No such project">It was erased, or nothing happened in it for long.</Empty>
);
