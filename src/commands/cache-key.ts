import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { lookup } from '../shell/lookup.ts';
import type { Invocation } from '../shell/types.ts';
import { upwards } from '../shell/upwards.ts';
import { resolvePath, type Surroundings, zoneOf } from '../shell/zones.ts';

/** In bytes. A larger script enters the key with its size and time of change instead of its content. */
const MAX_SCRIPT = 1_000_000;

/**
 * Returns the key under which a verdict is kept. It covers the command as written (without blanks around it), the
 * folder relative to the project, and the content of the files that the command runs, because `npm test` is only as
 * safe as the script behind it. Nothing inside the command is generalised, so two commands that a person would judge
 * differently never share a key.
 *
 * @returns a SHA-256 in hex
 */
export function cacheKey(command: string, invocations: Invocation[], place: Surroundings): string {
  const where = place.cwd === place.root ? '.' : place.cwd.replace(`${place.root}/`, './');
  const hash = createHash('sha256').update(JSON.stringify([normalised(command), where, place.root]));
  for (const content of contentsOf(invocations, place)) hash.update('\0').update(content);
  return hash.digest('hex');
}

/** Removes the blanks around a command that a shell skips: not one behind a backslash, and no other kind of space. */
const normalised = (command: string) => command.replace(/^[ \t\n]+/, '').replace(/(?<!\\)[ \t\n]+$/, '');

/** Yields the content of the files that the commands run from the project: scripts, package.json, Makefile … */
function* contentsOf(invocations: Invocation[], place: Surroundings): Generator<string> {
  for (const { program, path, args, cwd, remote } of invocations) {
    if (cwd === null || remote) continue;
    for (const name of [path, ...args.slice(0, 3).map((arg) => arg.text)]) {
      if (name.startsWith('-') || !/[./]/.test(name)) continue;
      const file = resolvePath(name, cwd, place.home);
      if (file !== null && inProject(file, place)) yield fileContent(file);
    }
    const manifest = lookup(MANIFESTS, program);
    if (manifest) yield* manifest.map((name) => nearest(name, cwd, place.root)).map(fileContent);
  }
}

const MANIFESTS: Record<string, string[]> = {
  npm: ['package.json'],
  pnpm: ['package.json'],
  yarn: ['package.json'],
  bun: ['package.json'],
  make: ['Makefile', 'makefile', 'GNUmakefile'],
  just: ['justfile', 'Justfile'],
  task: ['Taskfile.yml'],
  rake: ['Rakefile'],
  composer: ['composer.json'],
  deno: ['deno.json'],
};

const inProject = (file: string, place: Surroundings) =>
  ['project', 'regenerable', 'temp'].includes(
    zoneOf({ text: file, known: true, glob: false, quoted: false }, '/', place),
  );

/**
 * Returns the path of the nearest file of that name, from `cwd` up to the project's folder; the one in `cwd` if there
 * is none.
 */
const nearest = (name: string, cwd: string, root: string): string =>
  upwards([name], cwd, root, (path) => (existsSync(path) ? path : null))?.path ?? join(cwd, name);

/** Returns the text of a file of at most 1 MB; null when the file is larger, missing or cannot be read. */
export function readScript(file: string): string | null {
  try {
    const info = statSync(file, { throwIfNoEntry: false });
    return info?.isFile() && info.size <= MAX_SCRIPT ? readFileSync(file, 'utf8') : null;
  } catch {
    return null;
  }
}

function fileContent(file: string): string {
  try {
    const info = statSync(file, { throwIfNoEntry: false });
    if (!info?.isFile()) return `${file}: none`;
    if (info.size > MAX_SCRIPT) return `${file}: ${info.size} ${info.mtimeMs}`;
    return `${file}\n${readFileSync(file, 'utf8')}`;
  } catch {
    // no permission to read it, or a name that no file can have
    return `${file}: unreadable`;
  }
}
