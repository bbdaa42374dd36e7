import { basename, dirname } from 'node:path';
import { nearest, readText } from './project-files.ts';
import type { Walk } from './types.ts';
import { resolvePath } from './zones.ts';

// The packages of a workspace, and which of them a filter means (`npm -w api test`, `pnpm --filter ./apps/web test`). The
// rules for filters differ from tool to tool, so one that is not the name or the folder of a package means all of them.

type Package = { folder: string; name: string };

/** Most packages of a workspace that are looked at, and how many folders deep `**` is followed. */
const MAX_PACKAGES = 150;
const MAX_DEPTH = 3;

/**
 * Returns the folders of the packages that filters may mean. Where no workspace and no package is near, there are none,
 * because nothing would run.
 *
 * @param base the folder that the tool works in
 * @throws Error when there are too many to look at
 */
export function packagesMeant(walk: Walk, base: string, filters: string[]): string[] {
  const root = nearest(walk, base, ['pnpm-workspace.yaml']) ?? workspaceAround(walk, base);
  if (!root) return [];
  const top = dirname(root.path);
  const all = packagesOf(walk, top, workspacePatterns(root.found.text));
  const folders = filters.flatMap((filter) => {
    const path = resolvePath(filter.replace(/(.)\/$/, '$1'), base, walk.place.home);
    const short = filter.replace(/^@[^/]*\//, '');
    const meant = all.filter(
      ({ folder, name }) =>
        folder === path ||
        [name, name.replace(/^@[^/]*\//, '')].includes(filter) ||
        basename(folder) === short,
    );
    return meant.length > 0 ? meant : all;
  });
  return [...new Set(folders.map(({ folder }) => folder))];
}

/** Returns the nearest package.json that lists workspaces, else the nearest one. */
function workspaceAround(walk: Walk, base: string) {
  const own = nearest(walk, base, ['package.json']);
  for (let at = own; at; at = nearest(walk, dirname(dirname(at.path)), ['package.json']))
    if (workspacePatterns(at.found.text).length > 0) return at;
  return own;
}

/** Returns the patterns for the folders of workspaces in a package.json or a pnpm-workspace.yaml. */
function workspacePatterns(text: string): string[] {
  const listed = [...text.matchAll(/^\s*-\s*['"]?([\w./*@-]+)['"]?\s*$/gm)].map(
    (match) => match[1] as string,
  );
  const inJson = /"workspaces"\s*:\s*(?:\{[^{}[\]]*"packages"\s*:\s*)?\[([^\]]*)\]/.exec(text)?.[1] ?? '';
  return [...listed, ...[...inJson.matchAll(/"([^"]+)"/g)].map((match) => match[1] as string)];
}

/** Returns the packages in the folders that patterns describe, and the one at the top. */
function packagesOf(walk: Walk, top: string, patterns: string[]): Package[] {
  const parts = patterns.map((pattern) => pattern.replace(/^\.\//, '').split('/').filter(Boolean));
  const folders = new Set([top, ...parts.flatMap((one) => foldersLike(walk, top, one))]);
  if (folders.size > MAX_PACKAGES) throw new Error('more packages than are looked at');
  return [...folders].flatMap((folder) => {
    const text = readText(walk, `${folder}/package.json`)?.text;
    return text === undefined ? [] : [{ folder, name: /"name"\s*:\s*"([^"]+)"/.exec(text)?.[1] ?? '' }];
  });
}

/** Returns the folders that a pattern describes; `*` is any name, also where it is only a part of one. */
function foldersLike(walk: Walk, at: string, parts: string[], depth = 0): string[] {
  const [part, ...rest] = parts;
  if (part === undefined) return [at];
  if (!part.includes('*')) return foldersLike(walk, `${at}/${part}`, rest, depth);
  const folders = (walk.place.list?.(at) ?? []).filter(
    ({ name, kind }) => kind !== 'file' && !/^(\.|node_modules$)/.test(name),
  );
  const below = (next: string[], deeper: number) =>
    folders.flatMap(({ name }) => foldersLike(walk, `${at}/${name}`, next, deeper));
  if (part !== '**') return below(rest, depth);
  const here = foldersLike(walk, at, rest, depth);
  return depth === MAX_DEPTH ? here : [...here, ...below(parts, depth + 1)];
}
