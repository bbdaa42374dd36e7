import { createHmac } from 'node:crypto';
import type { Invocation } from '../shell/types.ts';
import { resolvePath, type Surroundings, zoneOf } from '../shell/zones.ts';
import type { Files } from './files.ts';

/**
 * Returns the key under which a verdict is kept. It covers the command as written (without blanks around it), the
 * project's folder, the folder within it, and the content of the files that the command runs, because `npm test` is
 * only as safe as the script behind it. Nothing inside the command is generalised, so two commands that a person would
 * judge differently never share a key.
 *
 * @param secret key of the HMAC; without it, a key or a code tells nothing about the content of the files
 * @param files null: no file is looked at
 * @param ran what was read to judge the command: what it runs, and what that runs
 * @returns an HMAC-SHA-256 in hex
 */
export function cacheKey(
  secret: string,
  command: string,
  invocations: Invocation[],
  place: Surroundings,
  files: Files | null,
  ran: Iterable<string> = [],
): string {
  const where = place.cwd === place.root ? '.' : place.cwd.replace(`${place.root}/`, './');
  const hash = createHmac('sha256', secret).update(JSON.stringify([normalised(command), where, place.root]));
  for (const path of files ? new Set([...invocations.flatMap((one) => filesOf(one, place)), ...ran]) : []) {
    const print = files?.print(path) ?? '';
    hash.update(`\0${JSON.stringify(path)} ${print.length}\0`).update(print);
  }
  return hash.digest('hex');
}

/**
 * Returns the key of a call of a tool other than a shell: of exactly this input in this work tree. What the input says
 * for people only does not count.
 */
export function callKey(
  secret: string,
  { tool, input, root }: { tool: string; input: Record<string, unknown>; root: string | null },
): string {
  const { description: _, ...what } = input;
  const fields = Object.entries(what).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHmac('sha256', secret)
    .update(JSON.stringify(['tool', tool, fields, root]))
    .digest('hex');
}

/** Removes the blanks around a command that a shell skips: not one behind a backslash, and no other kind of space. */
const normalised = (command: string) => command.replace(/^[ \t\n]+/, '').replace(/(?<!\\)[ \t\n]+$/, '');

/** Returns the files that a command names in the project. */
function filesOf({ path, args, cwd, remote }: Invocation, place: Surroundings): string[] {
  if (cwd === null || remote) return [];
  const names = [path, ...args.map((arg) => arg.text)].filter((name) => /^(?!-).*[./]/s.test(name));
  return names.flatMap((name) => {
    const file = resolvePath(name, cwd, place.home);
    const zone = zoneOf({ text: file ?? '/', known: true, glob: false, quoted: false }, '/', place);
    return file !== null && ['project', 'regenerable', 'temp'].includes(zone) ? file : [];
  });
}
