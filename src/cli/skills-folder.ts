import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { Problem } from '../errors/problem.ts';
import { readText } from '../files/read-text.ts';
import { writeAtomically } from '../files/write-atomically.ts';

/** How both sides of a skill were after the last sync: hashes of the file's parts, and versions on the server. */
export type Base = z.infer<typeof Base>;
const Base = z.object({
  local: z.object({ text: z.string(), memory: z.string() }),
  server: z.object({ text: z.string(), memory: z.number() }),
});

export type State = z.infer<typeof State>;
const State = z.object({
  version: z.literal(1),
  /** states by account and project, because a folder may be synced with several servers */
  scopes: z.record(z.string(), z.record(z.string(), Base)),
});

/** A skill's name is that of its folder, so it must be no way to another one. */
export const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
export const WHAT_NAMES_ARE = 'a name has 1 to 100 letters, digits, dots, hyphens and underscores';

const STATE_FILE = '.lore-sync.json';

/**
 * Reads the SKILL.md of each folder in a folder. Other files are not looked at.
 *
 * @throws Problem (400) if there is no such folder
 */
export function readFolder(folder: string): {
  skills: Map<string, string>;
  unreadable: { name: string; reason: string }[];
} {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) {
    throw new Problem({ status: 400, title: 'No such folder', detail: `There is no folder ${folder}.` });
  }
  const skills = new Map<string, string>();
  const unreadable: { name: string; reason: string }[] = [];
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name, 'SKILL.md');
    if (name.startsWith('.') || !existsSync(path)) continue;
    try {
      if (!NAME.test(name)) throw new Error(WHAT_NAMES_ARE);
      skills.set(name, new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(path)));
    } catch (error) {
      unreadable.push({ name, reason: (error as Error).message });
    }
  }
  return { skills, unreadable };
}

/** @throws Problem (400) if there is a record that cannot be read */
export function readState(folder: string): State {
  const path = join(folder, STATE_FILE);
  if (!existsSync(path)) return { version: 1, scopes: {} };
  try {
    return State.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (cause) {
    throw new Problem({
      status: 400,
      title: 'Cannot read the last sync',
      detail: `${path} is not as lore skills sync wrote it. Without the file, what differs between the two sides counts as a conflict and nothing is lost; so you may delete it.`,
      cause,
    });
  }
}

export function writeState(folder: string, state: State): void {
  const path = join(folder, STATE_FILE);
  const text = `${JSON.stringify(state, null, 1)}\n`;
  if (readText(path) !== text) writeAtomically(path, text, { mode: 0o666 });
}
