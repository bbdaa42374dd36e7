import { signal } from '@preact/signals';
import { queryOptions, useQuery } from '@tanstack/preact-query';
import type { Dashboard } from '../../base/wire/routes.ts';
import { api } from './api.ts';
import type { Table } from './live.ts';

export type Project = Dashboard['projects'][number];
/** Something that a person may decide. */
export type Waiting = Dashboard['waiting'][number];
/** What a person may decide about a denied command. */
export type Choice = Waiting['choices'][number];

const tables: Table[] = ['dashboard_projects', 'command_checks', 'command_cache', 'plans', 'plan_steps'];
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();

export const dashboardQuery = queryOptions<Dashboard, Error>({
  queryKey: [tables, 'GET /v1/dashboard', { query: { timeZone } }],
  queryFn: ({ signal }) => api('GET /v1/dashboard', { query: { timeZone }, signal }),
  // a new day begins without a change
  refetchInterval: 5 * 60_000,
});

/** Returns the state of the projects, the numbers of the day, and what waits for a person. */
export const useDashboard = () => useQuery(dashboardQuery);

/** How many things wait for the person: the badge of the page, of the window's title and of the installed app. */
export const waiting = signal(0);

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
