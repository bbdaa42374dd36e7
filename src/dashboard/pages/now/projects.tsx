import { type Project, shortNames, type Waiting } from '../../data/dashboard.ts';
import { Card } from '../../ui/card.tsx';
import { InitCommand } from '../../ui/first-steps.tsx';
import { Item, List } from '../../ui/list.tsx';
import { Empty } from '../../ui/states.tsx';
import { Badge, StatusDot, type Tone } from '../../ui/status-dot.tsx';
import { Ago, ago } from '../../ui/time.tsx';

const TONES: Record<Project['status'], Tone> = { active: 'ok', blocked: 'warn', idle: 'quiet' };
const WORDS: Record<Project['status'], string> = { active: 'Active', blocked: 'Blocked', idle: 'Idle' };

/**
 * Returns the state of a project, and why it is blocked. A step or a client that waits for a person blocks
 * it.
 */
export function standing(
  project: Project,
  waiting: Waiting[],
): { status: Project['status']; why: string | null } {
  const step = waiting.find(({ kind, project: name }) => kind === 'step' && name === project.name);
  const why = project.reason ?? step?.detail ?? null;
  return {
    status: step ? 'blocked' : project.status,
    why:
      why &&
      `Waiting: ${why.replace(/^waits for (a person to )?/i, '').replace(/^permit [^:]+: /, 'permit ')}`,
  };
}

export const ProjectDot = ({ status }: { status: Project['status'] }) => (
  <StatusDot tone={TONES[status]} label={WORDS[status]} busy={status === 'active'} />
);

/** All projects, each with its state. */
export function Projects({ projects, waiting }: { projects: Project[]; waiting: Waiting[] }) {
  const names = shortNames(projects);
  const elsewhere = waiting.filter(({ project }) => project === null).length;
  return (
    <Card title="Projects" aside={summary(projects, waiting)} flush>
      {projects.length === 0 ? (
        <Empty title="No project yet">
          <InitCommand />
        </Empty>
      ) : (
        <List label="Projects">
          {projects.map((project) => (
            <ProjectItem
              key={project.id}
              project={project}
              name={names.get(project.name) ?? project.name}
              waiting={waiting}
            />
          ))}
          {elsewhere > 0 && (
            <Item
              href="/safety"
              lead={<StatusDot tone="warn" />}
              title="Without a project"
              aside={<Badge tone="bad">{elsewhere === 1 ? '1 needs you' : `${elsewhere} need you`}</Badge>}
            />
          )}
        </List>
      )}
    </Card>
  );
}

/** Returns how many projects are in each state: “2 active · 1 blocked” */
function summary(projects: Project[], waiting: Waiting[]): string | undefined {
  if (projects.length === 0) return undefined;
  const all = projects.map((project) => standing(project, waiting).status);
  const told = (['active', 'blocked'] as const).flatMap((status) => {
    const count = all.filter((one) => one === status).length;
    return count > 0 ? [`${count} ${status}`] : [];
  });
  return told.join(' · ') || 'all idle';
}

function ProjectItem({ project, name, waiting }: { project: Project; name: string; waiting: Waiting[] }) {
  const { status, why } = standing(project, waiting);
  const count = waiting.filter((one) => one.project === project.name).length;
  return (
    <Item
      href={`/projects/${project.id}`}
      lead={<ProjectDot status={status} />}
      title={
        <span class="flex flex-wrap items-center gap-x-2" title={project.name}>
          <span class="min-w-0 font-medium">{name}</span>
          {count > 0 && <Badge tone="bad">{count === 1 ? '1 needs you' : `${count} need you`}</Badge>}
          {status !== 'idle' && (
            <span class="ml-auto shrink-0 text-xs text-muted">
              <Ago at={project.lastActivity} />
            </span>
          )}
        </span>
      }
      detail={
        <>
          {status === 'blocked' && why && <span class="block text-warn">{why}</span>}
          {lastly(project, status)}
        </>
      }
    />
  );
}

/** “Last: Fixed login bug, 2 h” */
const lastly = (project: Project, status: Project['status']): string => {
  if (status !== 'idle') return project.lastTitle ?? 'At work';
  return `Last: ${project.lastTitle ?? 'nothing yet'}, ${ago(project.lastActivity)}`;
};
