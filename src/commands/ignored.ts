import { globPattern } from '../shell/globs.ts';
import type { Surroundings } from '../shell/zones.ts';
import { within } from '../shell/zones.ts';

const NAMES = ['.gitignore', '.ignore'];

/** Whether git ignores a file of the project, so that searches which heed `.gitignore` leave it out. */
export function isIgnored(path: string, { root, read }: Surroundings): boolean {
  if (!read || !within(path, root)) return false;
  const names = path.slice(root.length + 1).split('/');
  let ignored = false;
  for (const level of names.keys()) {
    const folder = [root, ...names.slice(0, level)].join('/');
    const below = names.slice(level);
    for (const rule of NAMES.flatMap((name) => rulesIn(read, `${folder}/${name}`))) {
      // a file is also ignored if a folder that it lies in is
      const told = below.some((_, i) => rule.matches(below.slice(0, i + 1).join('/'), i < below.length - 1));
      if (told) ignored = rule.ignores;
    }
  }
  return ignored;
}

type IgnoreRule = { ignores: boolean; matches: (path: string, folder: boolean) => boolean };

function rulesIn(read: NonNullable<Surroundings['read']>, path: string): IgnoreRule[] {
  try {
    return (read(path)?.text ?? '').split(/\r?\n/).flatMap(ruleOf);
  } catch {
    // what cannot be read ignores nothing
    return [];
  }
}

function ruleOf(line: string): IgnoreRule[] {
  const text = line.trim();
  if (text === '' || text.startsWith('#')) return [];
  const glob = text.replace(/^!|\/$/g, '');
  const anchored = glob.includes('/');
  const pattern = globPattern(anchored ? glob.replace(/^\//, '') : `**/${glob}`);
  if (pattern === null) return [];
  const onlyFolders = text.endsWith('/');
  return [
    {
      ignores: !text.startsWith('!'),
      matches: (one, folder) => (folder || !onlyFolders) && pattern.test(one),
    },
  ];
}
