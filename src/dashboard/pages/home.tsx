import { useRef } from 'preact/hooks';
import { useParams } from 'wouter-preact';
import type { Dashboard } from '../../wire/routes.ts';
import { type Project, shortNames, useDashboard } from '../data/dashboard.ts';
import { wide } from '../data/wide.ts';
import { Page } from '../ui/page.tsx';
import { Loaded } from '../ui/resource.tsx';
import { Empty } from '../ui/states.tsx';
import { Attachments } from './now/attachments.tsx';
import { ProjectDetail } from './now/project.tsx';
import { Projects } from './now/projects.tsx';
import { Today } from './now/today.tsx';
import { WaitingCard } from './now/waiting.tsx';

/**
 * What goes on now. On the cover screen there is one column: what waits, the projects, the numbers of the
 * day; a project has a page of its own. If there is room, the selected project is shown next to them.
 */
export function Home() {
  const { project: id } = useParams();
  const dashboard = useDashboard();
  if (wide.value) {
    return (
      <Page title="Now">
        <Loaded of={dashboard} lines={8}>
          {(data) => <Both data={data} id={id} />}
        </Loaded>
      </Page>
    );
  }
  if (id === undefined) {
    return (
      <Page title="Now">
        <Loaded of={dashboard} lines={8}>
          {(data) => (
            <>
              <Attachments attachments={data.attachments} />
              <WaitingCard waiting={data.waiting} projects={data.projects} />
              <Projects projects={data.projects} waiting={data.waiting} />
              <Today today={data.today} />
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

function Both({ data, id }: { data: Dashboard; id: string | undefined }) {
  const { projects, waiting } = data;
  // Chosen only once: otherwise another project could appear under the finger just when a person decides.
  const chosen = useRef(mostUrgent(data)?.id);
  chosen.current ??= mostUrgent(data)?.id;
  const project = projects.find((one) => one.id === (id ?? chosen.current));
  return (
    <div class="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] items-start gap-3">
      <div class="sticky top-3 flex max-h-[calc(100dvh-1.5rem)] flex-col gap-3 overflow-y-auto [&>*]:shrink-0">
        <Attachments attachments={data.attachments} />
        <Projects projects={projects} waiting={waiting} selected={project?.id} />
        <Today today={data.today} />
      </div>
      {project && <ProjectDetail key={project.id} project={project} data={data} named />}
      {!project && id !== undefined && <Unknown />}
    </div>
  );
}

/**
 * Returns the project in which something waits, else one in which somebody works, else the one of the last
 * work.
 */
const mostUrgent = ({ projects, waiting }: Dashboard): Project | undefined =>
  projects.find(({ name }) => waiting.some(({ project }) => project === name)) ??
  projects.find(({ status }) => status !== 'idle') ??
  projects[0];

const Unknown = () => (
  <Empty title="No such project">It was erased, or nothing happened in it for long.</Empty>
);
