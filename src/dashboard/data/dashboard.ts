import { signal } from '@preact/signals';
import { queryOptions, useQuery } from '@tanstack/preact-query';
import { api } from './api.ts';
import type { Table } from './live.ts';

/** What `GET /v1/dashboard` answers. */
export type Dashboard = {
  now: string;
  today: {
    sessions: number;
    learnings: number;
    commands: number;
    errors: number;
    allowed: number;
    denied: number;
    held: number;
    unverified: number;
    safetyRate: number | null;
  };
  projects: Project[];
  waiting: Waiting[];
  /** settings files in which Lore's hooks are no longer in force, and why */
  attachments: { file: string; fault: string }[];
  counts: { learnings: number; waiting: number };
};

export type Project = {
  id: string;
  name: string;
  status: 'active' | 'idle' | 'blocked';
  reason: string | null;
  lastActivity: string;
  lastTitle: string | null;
  activeSessions: number;
  today: { sessions: number; learnings: number; commands: number; errors: number; denied: number };
  task: Task | null;
};

/** The plan that a project works on. */
export type Task = {
  planId: string;
  goal: string;
  done: number;
  total: number;
  step: { number: number; description: string } | null;
  agent: string | null;
  model: string | null;
};

/** What a person may decide about a denied command. */
export type Answer = 'once' | 'always' | 'keep';

/** Something that a person may decide. */
export type Waiting = {
  kind: 'command' | 'step' | 'client';
  /** the code of a command, `<plan>/<number>` of a step, the session's id of a client */
  id: string;
  project: string | null;
  title: string;
  detail: string | null;
  at: string;
  /** empty for what is not a command */
  choices: Answer[];
  catastrophic: boolean;
  rule: string | null;
  /** the tool, if it was not the shell */
  tool: string | null;
  /** a person's rule for the project stopped it */
  held: boolean;
  cwd: string | null;
};

const tables: Table[] = ['dashboard_projects', 'command_checks', 'command_cache', 'plans', 'plan_steps'];
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();

export const dashboardQuery = queryOptions<Dashboard, Error>({
  queryKey: [tables, '/v1/dashboard', { timeZone }],
  queryFn: ({ signal }) => api<Dashboard>('GET', '/v1/dashboard', { query: { timeZone }, signal }),
  // a new day begins without a change
  refetchInterval: 5 * 60_000,
});

/** Returns the state of the projects, the numbers of the day, and what waits for a person. */
export const useDashboard = () => useQuery(dashboardQuery);

/** How many things wait for the person: the badge of the page, of the window's title and of the installed app. */
export const waiting = signal(0);

/** Returns the address at which a thing that waits is decided. */
export function addressOf(one: Waiting, projects: Project[]): string {
  const project = projects.find(({ name }) => name === one.project);
  if (one.kind === 'command') return `/safety?check=${one.id}`;
  return project ? `/projects/${project.id}` : '/';
}

/**
 * Returns the short names of projects on the page, by their names: the last part of a folder or repository,
 * with as many parts before it as are needed to distinguish it from the others.
 */
export function shortNames(projects: { name: string }[]): Map<string, string> {
  const names = projects.map(({ name }) => name);
  const short = (name: string): string => {
    const parts = name.split('/').filter((part) => part !== '');
    for (let from = parts.length - 1; from > 0; from -= 1) {
      const end = parts.slice(from).join('/');
      if (!names.some((other) => other !== name && `/${other}`.endsWith(`/${end}`))) return end;
    }
    return name;
  };
  return new Map(names.map((name) => [name, short(name)]));
}
