import { realpathSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Config } from '../base/config.ts';
import { Problem } from '../base/errors/problem.ts';
import { placeIn } from '../base/files/place-in.ts';
import { callServer } from './client.ts';
import type { Io } from './io.ts';
import { plain } from './print.ts';

/** Returns the folder of the project here: the work tree around the working folder, else the working folder. */
export const rootHere = ({ cwd }: Io): string => placeIn(cwd).root ?? cwd;

/** Returns what is known of a folder's place, as it is sent to the server: without links, as a session in it names it. */
export function placeOf(dir: string) {
  let real = resolve(dir);
  try {
    real = realpathSync(dir);
  } catch {
    // there is no such folder
  }
  const { branch: _, ...place } = placeIn(real);
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
 * Returns the name of the project that a person means, by its name, a folder, or the last part of either; else what to tell
 * them, with the projects that there are.
 */
async function lookFor(config: Config, given: string): Promise<{ name?: string; told: string }> {
  const { projects } = await callServer(config, 'GET /v1/projects');
  const all = projects.map(({ name, roots }) => ({ name, places: [name, ...roots] }));
  const meant = all.filter(({ places }) => places.some((one) => one === given || one.endsWith(`/${given}`)));
  const [found] = [
    ...meant.filter(({ places }) => places.includes(given)),
    ...(meant.length === 1 ? meant : []),
  ];
  if (found) return { name: found.name, told: '' };
  const names = (meant.length > 1 ? meant : all).map(({ name }) => name);
  const some = [...names.slice(0, MAX_NAMED), ...(names.length > MAX_NAMED ? ['…'] : [])].join(', ');
  if (meant.length > 1) return { told: `“${given}” may be any of these, so name one in full: ${some}.` };
  return {
    told: `There is no project “${given}”.${some === '' ? '' : ` Those of the last sessions: ${some}.`}`,
  };
}

/** Warns on stderr if no project has this name: else an empty list would look as if nothing had happened there. */
export async function tellIfUnknown(config: Config, io: Io, given: string): Promise<void> {
  const { name, told } = await lookFor(config, given);
  if (name === undefined) io.error(plain(`lore: ${told}`));
}

/** Returns the name of the project that a person means. @throws Problem (404) that lists those that exist, and says `more` */
export async function existingProject(config: Config, given: string, more = ''): Promise<string> {
  const { name, told } = await lookFor(config, given);
  if (name !== undefined) return name;
  throw new Problem({ status: 404, title: 'Project not found', detail: `${plain(told)}${more}` });
}

/** Returns the project that something is to be written for. A folder may become one; a slip of the pen does not. */
export function projectToWrite(config: Config, given: string): Promise<string> {
  if (isAbsolute(given)) return projectIn(config, given, { make: true });
  const how = ' A project begins with its first session, or when you run this in its folder without -p.';
  return existingProject(config, given, how);
}

/** Returns the text of a command: its words, else standard input when that is no terminal. */
export async function textOf(io: Io, words: string[]): Promise<string> {
  if (words.length > 0) return words.join(' ');
  return io.stdin.isTTY ? '' : (await text(io.stdin)).trim();
}
