import { createRequire } from 'node:module';
import { isAbsolute } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { workTreeAround } from '../commands/files.ts';
import type { Config } from '../config.ts';
import { Problem } from '../errors/problem.ts';
import { packageRoot } from '../files/package-root.ts';
import type { Project } from '../wire/routes.ts';
import { callServer } from './client.ts';
import type { Io } from './io.ts';
import { plain } from './print.ts';

/**
 * Returns the folder of the project here: the work tree around the working folder, else the working folder.
 */
export const rootHere = ({ cwd }: Io): string => workTreeAround(cwd) ?? cwd;

/** Returns the branch that is checked out here, as the hook at a start tells it; null outside of a repository. */
export function branchHere(io: Io): string | null {
  const hook: typeof import('../../hooks/work-tree.cjs') = createRequire(import.meta.url)(
    fileURLToPath(new URL('hooks/work-tree.cjs', packageRoot)),
  );
  return hook.workTree(rootHere(io)).branch;
}

const projectsOf = async (config: Config): Promise<Project[]> =>
  (await callServer(config, 'GET /v1/projects')).projects;

const isProject = (path: string) => (project: Project) =>
  project.name === path || project.roots.includes(path);

/** Returns the name of the project that this folder belongs to: that of its sessions, else the folder's. */
export async function projectHere(config: Config, io: Io): Promise<string> {
  const root = rootHere(io);
  return (await projectsOf(config)).find(isProject(root))?.name ?? root;
}

/** Says that what was stated for no project is the person's own. */
export function tellWhose(io: Io, project: string | null): void {
  if (project === null) io.log('It is your own and holds in all projects; with -p <project> it is of one.');
}

/** How many existing projects are listed when somebody names an unknown one. */
const MAX_NAMED = 5;

/**
 * Warns on stderr if no project has this name, and lists those that exist: without it, an empty list would look as if
 * nothing had happened in that project. The last part of a name or folder is enough, as for the server.
 */
export async function tellIfUnknown(config: Config, io: Io, given: string): Promise<void> {
  const found = await lookFor(config, given);
  if (found.name === undefined) io.error(plain(`lore: ${found.told}`));
}

/**
 * Returns the name of the project that a person means.
 *
 * @param hint what else to do if there is none
 * @throws Problem (404) that lists those that exist
 */
export async function existingProject(config: Config, given: string, hint = ''): Promise<string> {
  const found = await lookFor(config, given);
  if (found.name === undefined)
    throw new Problem({ status: 404, title: 'Project not found', detail: `${plain(found.told)}${hint}` });
  return found.name;
}

const HOW_TO_BEGIN =
  ' A project begins with its first session, or when you run this in its folder without -p.';

/**
 * Makes sure that a project has this name, so that a slip of the pen makes none. A whole path may become one.
 *
 * @throws Problem (404) when none has it, or several may be meant
 */
export async function mustBeKnown(config: Config, given: string): Promise<void> {
  if (!isAbsolute(given)) await existingProject(config, given, HOW_TO_BEGIN);
}

/** Returns the name of a project, or what to tell a person who named none. */
async function lookFor(
  config: Config,
  given: string,
): Promise<{ name: string } | { name?: never; told: string }> {
  const projects = await projectsOf(config);
  const endsSo = ({ name, roots }: Project) => [name, ...roots].some((path) => path.endsWith(`/${given}`));
  const meant = projects.filter(endsSo);
  const found = projects.find(isProject(given)) ?? (meant.length === 1 ? meant[0] : undefined);
  if (found) return found;
  if (meant.length > 1) {
    const all = meant.slice(0, MAX_NAMED).map(({ name }) => name);
    return { told: `“${given}” may be any of these projects, so name one in full: ${all.join(', ')}.` };
  }
  const names = projects.slice(0, MAX_NAMED).map(({ name }) => name);
  const more = projects.length > MAX_NAMED ? ', …' : '';
  const known = names.length > 0 ? ` Those of the last sessions: ${names.join(', ')}${more}.` : '';
  return { told: `There is no project “${given}”.${known}` };
}

/** Returns the text of a command: its words, else standard input when that is no terminal. */
export async function textOf(io: Io, words: string[]): Promise<string> {
  if (words.length > 0) return words.join(' ');
  return io.stdin.isTTY ? '' : (await text(io.stdin)).trim();
}
