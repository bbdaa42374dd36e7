import { RE2JS } from 're2js';
import { dropOldest } from '../drop-oldest.ts';

// Globs of paths and words with `*` in them. They are tried by RE2, because a rule comes from outside: as an expression of
// JavaScript, one with many stars could take for ever.

/** Text in the form in which names are compared: the same letter may be written as one character or as two. */
export const plainForm = (text: string): string => text.normalize('NFC');

const compiled = new Map<string, RE2JS>();

function fits(source: string, text: string): boolean {
  const known = compiled.get(source) ?? RE2JS.compile(source, RE2JS.DOTALL);
  compiled.set(source, known);
  dropOldest(compiled, 1_000);
  return known.matches(text);
}

const literally = (text: string): string => text.replace(/[\\^$.+?(){}|[\]]/g, '\\$&');

/** Returns whether a text fits a pattern in which `*` stands for any characters. */
export const wildcard = (pattern: string, text: string): boolean =>
  pattern.includes('*') ? fits(literally(pattern).replace(/\*+/g, '.*'), text) : pattern === text;

const SIGNS: { [sign: string]: string } = {
  '/**': '(?:/.*)?',
  '**/': '(?:.*/)?',
  '?': '[^/]',
  '{': '(?:',
  ',': '|',
  '}': ')',
};

/**
 * Returns whether a path fits a glob: `app/` is all in the folder `app` and the folder itself, `*.env` fits in any folder,
 * `**` stands for any number of folders, `{a,b}` for either.
 *
 * @param path relative to the work tree, or absolute outside of it; in the form of {@link plainForm}
 */
export function globFits(glob: string, path: string): boolean {
  const clean = plainForm(glob).replace(/^(?:\.\/)+/, '');
  if (clean.startsWith('/') !== path.startsWith('/')) return false;
  const whole = clean.endsWith('/') ? `${clean}**` : clean.includes('/') ? clean : `**/${clean}`;
  const signs = whole.includes('{')
    ? /\/\*\*$|\*\*\/|\*+|[\\^$.+?(){}|[\],]/g
    : /\/\*\*$|\*\*\/|\*+|[\\^$.+?()|[\]]/g;
  return fits(
    whole.replace(signs, (sign) => SIGNS[sign] ?? (sign.startsWith('*') ? '[^/]*' : `\\${sign}`)),
    path,
  );
}
