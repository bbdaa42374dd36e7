import { useResource } from '../ui/resource.tsx';
import { shortNames } from './dashboard.ts';

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
    called: (name) => short.get(name) ?? lastPart(name),
    known: data !== undefined,
  };
}

const lastPart = (name: string) => name.split('/').findLast((part) => part !== '') ?? name;
