import { signal } from '@preact/signals';

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
    unverified: number;
    safetyRate: number | null;
  };
  projects: Project[];
  waiting: Waiting[];
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
  task: {
    planId: string;
    goal: string;
    done: number;
    total: number;
    step: { number: number; description: string } | null;
    agent: string | null;
    model: string | null;
  } | null;
};

/** Something that a person may decide. */
export type Waiting = {
  kind: 'command' | 'step' | 'client';
  id: string;
  project: string;
  title: string;
  detail: string | null;
  at: string;
};

/** How many things wait for the person: the badge of the page, of the window's title and of the installed app. */
export const waiting = signal(0);

/**
 * Returns what projects are called on the page, by their names: of a folder or a repository the last part, and as many
 * parts before it as tell it from the others.
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
