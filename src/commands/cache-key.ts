import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { lookup } from '../shell/lookup.ts';
import type { Invocation } from '../shell/types.ts';
import { upwards } from '../shell/upwards.ts';
import { resolvePath, type Surroundings, zoneOf } from '../shell/zones.ts';

/** Scripts larger than this count by size and time of change. */
const MAX_SCRIPT = 1_000_000;

/**
 * The key under which a verdict is kept: the command as written but for blanks around it, where it runs relative to
 * the project, and the content of what it runs, because `npm test` is as safe as the script behind it. Nothing inside
 * the command is generalised: two commands that a person would judge differently never share a key.
 *
 * @returns sha256, hex
 */
export function cacheKey(command: string, invocations: Invocation[], place: Surroundings): string {
  const where = place.cwd === place.root ? '.' : place.cwd.replace(`${place.root}/`, './');
  const hash = createHash('sha256').update(JSON.stringify([normalised(command), where, place.root]));
  for (const content of contentsOf(invocations, place)) hash.update('\0').update(content);
  return hash.digest('hex');
}

/** Without the blanks around it that a shell skips: not one behind a backslash, and no other kind of space. */
const normalised = (command: string) => command.replace(/^[ \t\n]+/, '').replace(/(?<!\\)[ \t\n]+$/, '');

/** What the commands run from the project: script files, package.json scripts, Makefile targets. */
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

/** The file of that name in the folder or the next one above, up to the project's; in the folder when there is none. */
const nearest = (name: string, cwd: string, root: string): string =>
  upwards([name], cwd, root, (path) => (existsSync(path) ? path : null))?.path ?? join(cwd, name);

/** The text of a file of at most 1 MB, null when there is none to be had. */
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
    // may not be read, or no name that a file can have
    return `${file}: unreadable`;
  }
}
