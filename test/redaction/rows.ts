import { readFileSync } from 'node:fs';
import { readJsonc } from '../../src/base/text/jsonc.ts';

type Rows = Record<'tokens' | 'values' | 'named' | 'keys' | 'stays' | 'repeated' | 'bits', string[]> &
  Record<'becomes' | 'goes', [string, string][]> & { json: [object, object][] };

export const rows = readJsonc(
  readFileSync(new URL('rows.jsonc', import.meta.url), 'utf8').replaceAll('·', ''),
) as Rows;
export const tokens = rows.tokens.join(' ').split(' ');
export const { keys, values } = rows;
export const githubToken = tokens.find((token) => /^ghp_\w{36}$/.test(token)) as string;

/**
 * Returns the first eight characters in a row of `secret` that are left in `output`; a shorter secret counts as a
 * whole.
 */
export function leak(output: string, secret: string): string | undefined {
  const size = Math.min(8, secret.length);
  for (let at = 0; at + size <= secret.length; at++) {
    const part = secret.slice(at, at + size);
    if (output.includes(part)) return part;
  }
  return undefined;
}
