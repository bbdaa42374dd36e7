// Globs of paths and words with `*` in them. Their own matcher, because a rule comes from outside: as a regular
// expression, a glob with many stars could take for ever.

/** Returns whether a text fits a pattern in which `*` stands for any characters and `?`, if wanted, for one. */
export function wildcard(pattern: string, text: string, one = false): boolean {
  let [p, t, star, mark] = [0, 0, -1, 0];
  while (t < text.length) {
    const c = pattern[p];
    if (c === '*') {
      star = p++;
      mark = t;
    } else if (p < pattern.length && (c === text[t] || (one && c === '?'))) {
      p++;
      t++;
    } else if (star >= 0) {
      // the last star takes one character more
      p = star + 1;
      t = ++mark;
    } else return false;
  }
  while (pattern[p] === '*') p++;
  return p === pattern.length;
}

/** Text in the form in which names are compared: the same letter may be written as one character or as two. */
export const plainForm = (text: string): string => text.normalize('NFC');

/** A glob that is ready to be tried. */
export type Glob = {
  /** the path, folder by folder; `**` stands for any number of folders */
  parts: string[];
  /** it has no folder, so it fits a file in any folder */
  anywhere: boolean;
  /** it begins at the root of the file system */
  absolute: boolean;
};

/**
 * Prepares a glob. `app/` and `app/**` are all in the folder `app`, and the folder itself. A glob without a slash, such
 * as `*.env`, fits in any folder.
 */
export function toGlob(text: string): Glob {
  const clean = plainForm(text)
    .replace(/^(?:\.\/)+/, '')
    .replace(/\/{2,}/g, '/');
  const whole = clean.endsWith('/') ? `${clean}**` : clean;
  const absolute = whole.startsWith('/') || whole.startsWith('~/');
  return {
    parts: whole.split('/').filter((part) => part !== ''),
    anywhere: !whole.includes('/'),
    absolute,
  };
}

/**
 * Returns whether a path fits a glob.
 *
 * @param path relative to the work tree, with `/`, in the form of {@link plainForm}
 * @example globFits(toGlob('app/'), 'app/index.ts') // true; 'app-staging/index.ts' does not fit
 */
export function globFits(glob: Glob, path: string): boolean {
  const outside = path.startsWith('/');
  if (outside !== glob.absolute) return false;
  const names = path.split('/').filter((name) => name !== '');
  if (glob.anywhere) return wildcard(glob.parts[0] ?? '', names.at(-1) ?? '', true);
  return partsFit(glob.parts, names);
}

/** Whether the folders of a path fit; as with words, only the last `**` is ever widened. */
function partsFit(parts: string[], names: string[]): boolean {
  let [p, n, star, mark] = [0, 0, -1, 0];
  while (n < names.length) {
    const part = parts[p];
    if (part === '**') {
      star = p++;
      mark = n;
    } else if (part !== undefined && wildcard(part, names[n] ?? '', true)) {
      p++;
      n++;
    } else if (star >= 0) {
      p = star + 1;
      n = ++mark;
    } else return false;
  }
  while (parts[p] === '**') p++;
  return p === parts.length;
}

/** Whether a folder holds what a glob fits: `config` for `config/licenses.json`. Who removes it removes that too. */
export function holdsGlob(folder: string, glob: Glob): boolean {
  const names = folder.split('/').filter((name) => name !== '');
  if (glob.anywhere || names.length >= glob.parts.length || folder.startsWith('/') !== glob.absolute)
    return false;
  return names.every((name, i) => name === glob.parts[i]);
}
