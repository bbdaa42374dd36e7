import { realpathSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Config } from '../config.ts';
import { Problem } from '../errors/problem.ts';
import { placeIn } from '../files/place-in.ts';
import type { Project } from '../wire/routes.ts';
import { callServer } from './client.ts';
import type { Io } from './io.ts';
import { plain } from './print.ts';

/** Returns the folder of the project here: the work tree around the working folder, else the working folder. */
export const rootHere = ({ cwd }: Io): string => placeIn(cwd).root ?? cwd;

/** Returns the branch that is checked out here, as the hook at a start tells it; null outside of a repository. */
export const branchHere = ({ cwd }: Io): string | null => placeIn(cwd).branch;

/** Returns a folder as a session in it names it: without links. */
const realOf = (dir: string): string => {
  try {
    return realpathSync(dir);
  } catch {
    return resolve(dir);
  }
};

/** Returns what is known of a folder's place, as it is sent to the server. */
export function placeOf(dir: string) {
  const { branch: _, ...place } = placeIn(realOf(dir));
  return place;
}

/**
 * Returns the name of the project that a folder belongs to, as the server knows it. Before a person writes something for
 * a project that nobody knows yet, it is made (`make`).
 */
export async function projectIn(config: Config, dir: string, { make = false } = {}): Promise<string> {
  const place = placeOf(dir);
  const found = await callServer(config, 'POST /v1/projects/which', { body: place });
  if (found.exists || !make || (await callServer(config, 'GET /v1/me')).scope !== 'person') return found.name;
  return (await callServer(config, 'POST /v1/projects', { body: place })).name;
}

/** Returns the name of the project of this folder: {@link projectIn}. */
export const projectHere = (config: Config, { cwd }: Io, options: { make?: boolean } = {}): Promise<string> =>
  projectIn(config, cwd, options);

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
 * @param more what else to do if there is none
 * @throws Problem (404) that lists those that exist
 */
export async function existingProject(config: Config, given: string, more = ''): Promise<string> {
  const found = await lookFor(config, given);
  if (found.name !== undefined) return found.name;
  throw new Problem({ status: 404, title: 'Project not found', detail: `${plain(found.told)}${more}` });
}

const HOW_TO_BEGIN =
  ' A project begins with its first session, or when you run this in its folder without -p.';

/**
 * Returns the name of the project that something is to be written for, by its name or its folder. A folder may become
 * one; a slip of the pen does not.
 *
 * @throws Problem (404) when none has the name, or several may be meant
 */
export const projectToWrite = (config: Config, given: string): Promise<string> =>
  isAbsolute(given) ? projectIn(config, given, { make: true }) : existingProject(config, given, HOW_TO_BEGIN);

/** Returns the name of a project, or what to tell a person who named none. */
async function lookFor(
  config: Config,
  given: string,
): Promise<{ name: string } | { name?: never; told: string }> {
  const { projects } = await callServer(config, 'GET /v1/projects');
  const places = ({ name, roots }: Project) => [name, ...roots];
  const meant = projects.filter((one) => places(one).some((path) => path.endsWith(`/${given}`)));
  const found =
    projects.find((one) => places(one).includes(given)) ?? (meant.length === 1 ? meant[0] : undefined);
  if (found) return found;
  const names = (of: Project[]) => of.slice(0, MAX_NAMED).map(({ name }) => name);
  if (meant.length > 1)
    return {
      told: `“${given}” may be any of these projects, so name one in full: ${names(meant).join(', ')}.`,
    };
  const known = [...names(projects), ...(projects.length > MAX_NAMED ? ['…'] : [])].join(', ');
  return {
    told: `There is no project “${given}”.${known === '' ? '' : ` Those of the last sessions: ${known}.`}`,
  };
}

/** Returns the text of a command: its words, else standard input when that is no terminal. */
export async function textOf(io: Io, words: string[]): Promise<string> {
  if (words.length > 0) return words.join(' ');
  return io.stdin.isTTY ? '' : (await text(io.stdin)).trim();
}
