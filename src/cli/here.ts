import { workTreeAround } from '../commands/files.ts';
import type { Config } from '../config.ts';
import { callServer } from './client.ts';

/** Returns the folder that a project here is known by: the work tree around the working folder, else that folder. */
export const rootHere = (): string => workTreeAround(process.cwd()) ?? process.cwd();

/** Returns the name of the project that this folder belongs to: that of its sessions, else the folder's. */
export async function projectHere(config: Config): Promise<string> {
  const root = rootHere();
  const { projects } = await callServer<{ projects: { name: string; roots: string[] }[] }>(
    config,
    'GET',
    '/v1/projects',
  );
  return projects.find(({ name, roots }) => name === root || roots.includes(root))?.name ?? root;
}

/** Returns the text of a command: its words, else standard input when that is no terminal. */
export async function textOf(words: string[]): Promise<string> {
  if (words.length > 0) return words.join(' ');
  if (process.stdin.isTTY) return '';
  let text = '';
  for await (const piece of process.stdin.setEncoding('utf8')) text += piece;
  return text.trim();
}
