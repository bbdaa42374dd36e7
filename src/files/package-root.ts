import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The folder of package.json, found both from src/ and from dist/. Ends in a slash. */
export const packageRoot = findRoot(new URL('.', import.meta.url));

function findRoot(folder: URL): URL {
  if (existsSync(new URL('package.json', folder))) return folder;
  const parent = new URL('..', folder);
  if (parent.href === folder.href) throw new Error('package.json of Lore not found');
  return findRoot(parent);
}

const about: { name: string; version: string } = JSON.parse(
  readFileSync(new URL('package.json', packageRoot), 'utf8'),
);

/** Lore's version, and the name under which npm has it: from package.json. */
export const { version, name: packageName } = about;

/** The program that the command `lore` runs. */
export const program = fileURLToPath(new URL('bin/lore.js', packageRoot));

/** Whether this is a clone of the repository, and not what npm installed. */
export const isClone = existsSync(new URL('scripts/', packageRoot));
