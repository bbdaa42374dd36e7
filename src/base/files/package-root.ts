import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import bundled from '../../../package.json' with { type: 'json' };

/**
 * The folder of package.json, found both from src/ and from dist/. Ends in a slash. An Edge Function has no such folder: there
 * it is the root of the file system, where nothing of Lore is.
 */
export const packageRoot = findRoot(new URL('.', import.meta.url));

function findRoot(folder: URL): URL {
  if (isThere(new URL('package.json', folder))) return folder;
  const parent = new URL('..', folder);
  if (parent.href === folder.href) return folder;
  return findRoot(parent);
}

const file = new URL('package.json', packageRoot);
const about: typeof bundled = isThere(file) ? JSON.parse(readFileSync(file, 'utf8')) : bundled;

/** Lore's version, and the name under which npm has it: from package.json. */
export const { version, name: packageName, description } = about;

/** The program that the command `lore` runs. */
export const program = fileURLToPath(new URL('bin/lore.js', packageRoot));

/** Returns a built file that a new process or thread starts from. @param entry path below `src/`, without `.ts` */
export const entryFile = (entry: string): URL => new URL(`dist/${entry}.js`, packageRoot);

/** Whether this is a clone of the repository, and not what npm installed. */
export const isClone = isThere(new URL('scripts/', packageRoot));

/** Whether npm has it: `npm run package -- --publish` takes `private` out, and nobody has published it yet. */
export const isPublished = !(about as { private?: boolean }).private;

/** How the command is called in any folder, as an agent's shell may be in. */
export const loreForAgents = isClone ? `node ${program}` : 'lore';

function isThere(url: URL): boolean {
  try {
    return existsSync(url);
  } catch {
    // Deno throws where no file may be read
    return false;
  }
}
