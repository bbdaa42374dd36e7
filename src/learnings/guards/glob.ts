import { globPattern } from '../../shell/globs.ts';

/** Text in the form in which names are compared: the same letter may be written as one character or as two. */
export const plainForm = (text: string): string => text.normalize('NFC');

/** Returns whether a text fits a pattern in which `*` stands for any characters. It takes linear time. */
export function wildcard(pattern: string, text: string): boolean {
  const [first = '', ...parts] = pattern.split('*');
  const last = parts.pop();
  if (last === undefined) return first === text;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

/**
 * Returns what tells whether a path fits a glob: `app/` is all in the folder `app` and the folder itself, `*.env` fits in any
 * folder, `**` stands for any number of folders, `{a,b}` for either. The path is relative to the work tree, or absolute
 * outside of it, and in the form of {@link plainForm}.
 *
 * @throws Error if it could take long to try
 */
export function readGlob(glob: string): (path: string) => boolean {
  const clean = plainForm(glob).replace(/^(?:\.\/)+/, '');
  const whole = clean.endsWith('/') ? `${clean}**` : clean.includes('/') ? clean : `**/${clean}`;
  const patterns = [whole, whole.replace(/\/\*\*$/, '')].map(globPattern);
  if (patterns.includes(null)) throw new Error(`the glob ${glob} is too long`);
  return (path) => clean.startsWith('/') === path.startsWith('/') && patterns.some((one) => one?.test(path));
}
