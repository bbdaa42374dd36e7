import { existsSync, readFileSync } from 'node:fs';

/** The folder of package.json, found both from src/ and from dist/. Ends in a slash. */
export const packageRoot = findRoot(new URL('.', import.meta.url));

function findRoot(folder: URL): URL {
  if (existsSync(new URL('package.json', folder))) return folder;
  const parent = new URL('..', folder);
  if (parent.href === folder.href) throw new Error('package.json of Lore not found');
  return findRoot(parent);
}

/** Lore's version, from package.json. */
export const version: string = JSON.parse(readFileSync(new URL('package.json', packageRoot), 'utf8')).version;
