import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { parse, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Config } from '../base/config.ts';
import { Problem } from '../base/errors/problem.ts';
import { placeIn } from '../base/files/place-in.ts';
import { callServer } from './client.ts';
import type { Io } from './io.ts';
import { asCalled, plain } from './print.ts';

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
  if (place.root === undefined && [parse(place.cwd).root, homedir()].includes(place.cwd)) {
    const detail = `${place.cwd} is no project. Go to the folder of one, or name it: -p, or --everywhere for a rule.`;
    throw new Problem({ status: 400, title: 'No project here', detail });
  }
  return (await callServer(config, 'POST /v1/projects', { body: place })).name;
}

/** Returns the name of the project of this folder: {@link projectIn}. */
export const projectHere = (config: Config, { cwd }: Io, options: { make?: boolean } = {}): Promise<string> =>
  projectIn(config, cwd, options);

/**
 * Warns on stderr if no project is meant by a name, or several are: else an empty list would look as if nothing had happened
 * there. It is a name, a folder, or the last part of either.
 */
export async function tellIfUnknown(config: Config, io: Io, given: string): Promise<void> {
  const { projects } = await callServer(config, 'GET /v1/projects');
  const all = projects.map(({ name, roots }) => [name, ...roots]);
  const meant = all.filter((names) => names.some((one) => one === given || one.endsWith(`/${given}`)));
  if (meant.length === 1 || meant.some((names) => names.includes(given))) return;
  const several = meant.map(([name]) => name).join(', ');
  const told = several === '' ? 'is no project of yours: lore projects lists them' : `may be ${several}`;
  io.error(asCalled(plain(`lore: “${given}” ${told}.`)));
}

/** Returns the text of a command: its words, else standard input when that is no terminal. */
export async function textOf(io: Io, words: string[]): Promise<string> {
  if (words.length > 0) return words.join(' ');
  return io.stdin.isTTY ? '' : (await text(io.stdin)).trim();
}
