import { dirname } from 'node:path';
import { z } from 'zod';
import { nearest, readText } from './project-files.ts';
import type { Walk } from './types.ts';
import { resolvePath } from './zones.ts';

// The packages of a workspace, and which of them a filter means (`pnpm --filter @acme/web... test`, `npm -w api test`,
// `turbo run build --filter=./apps/*`). The rules for filters differ from tool to tool, so every package that one of
// them may mean counts.

type Package = { folder: string; name: string };

const Manifest = z.object({ name: z.string() });
const Workspaces = z.object({
  workspaces: z.union([z.array(z.string()), z.object({ packages: z.array(z.string()) })]),
});

/** Most packages of a workspace that are looked at, and how many folders deep `**` is followed. */
const MAX_PACKAGES = 150;
const MAX_DEPTH = 3;
/** A filter with as many of these is not compared with names, so it may mean any package. */
const MAX_STARS = 6;

/**
 * Returns the folders of the packages that filters may mean. Where no workspace and no package is near, there are none,
 * because nothing would run.
 *
 * @param base the folder that the tool works in
 * @throws Error when a filter means no package that is found, or when there are too many to look at
 */
export function packagesMeant(walk: Walk, base: string, filters: string[]): string[] {
  const root = nearest(walk, base, ['pnpm-workspace.yaml']) ?? workspaceAround(walk, base);
  if (!root) return [];
  const top = dirname(root.path);
  const patterns = workspacePatterns(root.found.text);
  let all: Package[] | null = null;
  const folders = filters.flatMap((filter) => {
    const named = /[*{[!]|\.\.\./.test(filter) ? null : resolvePath(filter, base, walk.place.home);
    if (named !== null && isPackage(walk, named)) return [named];
    all ??= packagesOf(walk, top, patterns, walk.place.list ? [] : filters.map(shortName));
    const wide = isWide(filter);
    // tools leave out the package at the top unless it is named
    const meant = all.filter((one) =>
      wide ? one.folder !== top : mayMean(filter, one, base, walk.place.home),
    );
    if (meant.length === 0) throw new Error(`the package ${filter} is not found`);
    return meant.map(({ folder }) => folder);
  });
  return [...new Set(folders)];
}

/** Returns the nearest package.json that lists workspaces, else the nearest one. */
function workspaceAround(walk: Walk, base: string) {
  const own = nearest(walk, base, ['package.json']);
  for (let at = own; at; at = nearest(walk, dirname(dirname(at.path)), ['package.json']))
    if (workspacePatterns(at.found.text).length > 0) return at;
  return own;
}

const shortName = (filter: string) => filter.replace(/^.*\//, '');
const isPackage = (walk: Walk, folder: string) => readText(walk, `${folder}/package.json`) !== null;

/** Returns the patterns for the folders of workspaces in a package.json or a pnpm-workspace.yaml. */
function workspacePatterns(text: string): string[] {
  const listed = [...text.matchAll(/^\s*-\s*['"]?([\w./*@-]+)['"]?\s*$/gm)].map(
    (match) => match[1] as string,
  );
  if (listed.length > 0) return listed;
  try {
    const { workspaces } = Workspaces.parse(JSON.parse(text));
    return Array.isArray(workspaces) ? workspaces : workspaces.packages;
  } catch {
    return [];
  }
}

/**
 * Returns the packages in the folders that patterns describe, and the one at the top.
 *
 * @param guesses names to try in place of a `*`, where folders cannot be listed
 */
function packagesOf(walk: Walk, top: string, patterns: string[], guesses: string[]): Package[] {
  const folders = new Set([
    top,
    ...patterns.flatMap((pattern) =>
      foldersLike(walk, top, pattern.replace(/^\.\//, '').split('/').filter(Boolean), guesses),
    ),
  ]);
  if (folders.size > MAX_PACKAGES) throw new Error('more packages than are looked at');
  return [...folders].flatMap((folder) => {
    const text = readText(walk, `${folder}/package.json`)?.text;
    return text === undefined ? [] : [{ folder, name: nameIn(text) }];
  });
}

function nameIn(manifest: string): string {
  try {
    return Manifest.parse(JSON.parse(manifest)).name;
  } catch {
    return '';
  }
}

function foldersLike(walk: Walk, at: string, parts: string[], guesses: string[], depth = 0): string[] {
  const [part, ...rest] = parts;
  if (part === undefined) return [at];
  if (!part.includes('*')) return foldersLike(walk, `${at}/${part}`, rest, guesses, depth);
  const names = walk.place.list
    ? walk.place
        .list(at)
        .filter(({ name, kind }) => kind !== 'file' && !/^(\.|node_modules$)/.test(name))
        .map(({ name }) => name)
    : guesses;
  if (part !== '**')
    return names
      .filter((name) => like(part).test(name))
      .flatMap((name) => foldersLike(walk, `${at}/${name}`, rest, guesses, depth));
  const here = foldersLike(walk, at, rest, guesses, depth);
  if (depth === MAX_DEPTH) return here;
  return [...here, ...names.flatMap((name) => foldersLike(walk, `${at}/${name}`, parts, guesses, depth + 1))];
}

/** Returns a pattern in which `*` stands for a part of a name and `**` for any folders. */
const like = (glob: string) =>
  new RegExp(
    `^${glob
      .split(/(\*+)/)
      .map((part, i) => (i % 2 === 0 ? part.replace(/[^\w@/-]/g, '\\$&') : part === '*' ? '[^/]*' : '.*'))
      .join('')}$`,
  );

/** Whether a filter may mean any package: what depends on one, what has changed, all but some. */
const isWide = (filter: string) => /\.\.\.|^!|\[/.test(filter) || filter.split('*').length > MAX_STARS;

/** Whether a filter may mean a package: by its name, with or without its scope, or by its folder. */
function mayMean(filter: string, { folder, name }: Package, base: string, home: string): boolean {
  const asked = filter.replace(/^\{(.*)\}$/, '$1').replace(/(.)\/$/, '$1');
  const short = name.replace(/^@[^/]*\//, '');
  if ([name, short, shortName(folder)].some((one) => like(asked).test(one))) return true;
  if (/^[^@].*\//.test(filter) || /^[.{/~]/.test(filter)) {
    const path = resolvePath(asked, base, home);
    return path !== null && (like(path).test(folder) || folder.startsWith(`${path}/`));
  }
  return shortName(asked) === shortName(folder);
}
