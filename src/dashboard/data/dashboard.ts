import { effect, signal } from '@preact/signals';
import { QueryObserver, queryOptions, useQuery } from '@tanstack/preact-query';
import type { Dashboard } from '../../base/wire/routes.ts';
import { useResource } from '../ui/states.tsx';
import { api, queries } from './api.ts';
import { readAnew, type Table } from './live.ts';
import { renewPush } from './notifications.ts';
import { signIn } from './sign-in.ts';

export type Project = Dashboard['projects'][number];
/** Something that a person may decide. */
export type Waiting = Dashboard['waiting'][number];
/** What a person may decide about a denied command. */
export type Choice = Waiting['choices'][number];

const tables: Table[] = ['dashboard_projects', 'command_checks', 'command_cache', 'plans', 'plan_steps'];
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();

const dashboardQuery = queryOptions<Dashboard, Error>({
  queryKey: [tables, 'GET /v1/dashboard', { query: { timeZone } }],
  queryFn: ({ signal }) => api('GET /v1/dashboard', { query: { timeZone }, signal }),
  // a new day begins without a change
  refetchInterval: 5 * 60_000,
});

/** Returns the state of the projects, the numbers of the day, and what waits for a person. */
export const useDashboard = () => useQuery(dashboardQuery);

/** How many things wait for the person: the badge of the page, of the window's title and of the installed app. */
export const waiting = signal(0);

/** Keeps the badges at the number of things that wait for the person, also while the page is hidden. */
export function startBadge(): () => void {
  return effect(() => {
    if (signIn.value.state !== 'in') return show(0);
    void renewPush().catch(() => {});
    const observer = new QueryObserver(queries, dashboardQuery);
    show(observer.getCurrentResult().data?.counts.waiting);
    return observer.subscribe(({ data }) => show(data?.counts.waiting));
  });
}

function show(count: number | undefined): void {
  if (count === undefined) return;
  waiting.value = count;
  // not every browser has badges, and it refuses if the page is not installed
  const set = count > 0 ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.();
  void set?.catch(() => {});
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

/** Returns the names of all projects, the last active first, and what each is called on the page. */
export function useProjects(): {
  names: string[];
  called: (name: string) => string;
  /** whether they were read */
  known: boolean;
} {
  const { data } = useResource(['dashboard_projects'], 'GET /v1/projects');
  const projects = data?.projects ?? [];
  const short = shortNames(projects);
  return {
    names: projects.map(({ name }) => name),
    called: (name) => short.get(name) ?? name.split('/').findLast((part) => part !== '') ?? name,
    known: data !== undefined,
  };
}

/** What was decided last, so that it can be taken back at once. */
export const last = signal<{ code: string; command: string; answer: Choice } | null>(null);

/** Sends a decision. @throws Refused when the server refuses it, TypeError when it cannot be reached */
export async function decide(code: string, command: string, answer: Choice): Promise<void> {
  await api('POST /v1/commands/overrule', {
    body: { code, decision: answer === 'keep' ? 'deny' : 'allow', once: answer === 'once' },
  });
  last.value = { code, command, answer };
  await readAnew('command_checks', 'command_cache');
}

export async function takeBack(code: string): Promise<void> {
  await api('DELETE /v1/commands/verdicts/{code}', { params: { code } });
  if (last.value?.code === code) last.value = null;
  await readAnew('command_checks', 'command_cache');
}
