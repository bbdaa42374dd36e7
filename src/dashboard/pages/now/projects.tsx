import { type Project, shortNames, type Task, type Waiting } from '../../data/dashboard.ts';
import { Card } from '../../ui/card.tsx';
import { Item, List } from '../../ui/list.tsx';
import { Progress } from '../../ui/progress.tsx';
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
export function Projects({
  projects,
  waiting,
  selected,
}: {
  projects: Project[];
  waiting: Waiting[];
  selected?: string | undefined;
}) {
  const names = shortNames(projects);
  const elsewhere = waiting.filter(({ project }) => project === null).length;
  return (
    <Card title="Projects" aside={summary(projects, waiting)} flush>
      {projects.length === 0 ? (
        <Empty title="No project yet">
          Run <span class="font-mono">lore init</span> in a project’s folder and start your agent there.
        </Empty>
      ) : (
        <List label="Projects">
          {projects.map((project) => (
            <ProjectItem
              key={project.id}
              project={project}
              name={names.get(project.name) ?? project.name}
              waiting={waiting}
              current={project.id === selected}
            />
          ))}
          {elsewhere > 0 && (
            <Item
              href="/safety"
              lead={<StatusDot tone="warn" />}
              title="Without a project"
              aside={<Badge tone="bad">{`${elsewhere} waiting`}</Badge>}
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

function ProjectItem({
  project,
  name,
  waiting,
  current,
}: {
  project: Project;
  name: string;
  waiting: Waiting[];
  current: boolean;
}) {
  const { status, why } = standing(project, waiting);
  const { task } = project;
  const count = waiting.filter((one) => one.project === project.name).length;
  return (
    <Item
      href={`/projects/${project.id}`}
      current={current}
      lead={<ProjectDot status={status} />}
      title={
        <span class="flex flex-wrap items-center gap-x-2" title={project.name}>
          <span class="min-w-0 font-medium">{name}</span>
          {count > 0 && <Badge tone="bad">{`${count} waiting`}</Badge>}
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
          {task && status !== 'idle' ? <Running task={task} /> : lastly(project, status)}
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

/** What is being done: how far, at which step, by whom. */
const Running = ({ task }: { task: Task }) => (
  <span class="block">
    <span class="line-clamp-2">{task.step ? task.step.description : task.goal}</span>
    <span class="mt-1.5 mb-1 block">
      <Progress done={task.done} total={task.total} label={`${task.done} of ${task.total} steps done`} />
    </span>
    <span class="flex flex-wrap justify-between gap-x-3 text-xs">
      <span class="shrink-0">
        {task.step ? `Step ${task.step.number} of ${task.total}` : `${task.done} of ${task.total} done`}
      </span>
      <span class="min-w-0">
        {[task.agent, task.model && shortModel(task.model)].filter(Boolean).join(' · ')}
      </span>
    </span>
  </span>
);

/** “claude-sonnet-4-5-20250929” is “sonnet-4-5”. */
const shortModel = (name: string): string => name.replace(/^claude-/, '').replace(/-\d{8}$/, '');
