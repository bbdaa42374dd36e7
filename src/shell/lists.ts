import { readWordLists } from '../base/text/jsonc.ts';
import text from './lists.jsonc' with { type: 'text' };

// Named lists of programs. The names stand in lists.jsonc, so that all rules mean the same by “what downloads”.

/**
 * Returns the programs of a list in lists.jsonc, with those of the lists that it includes. Throws if there is no such list.
 *
 * @example const FETCHES = programs('downloaders'); // FETCHES.has('curl')
 */
export const programs: (name: string) => ReadonlySet<string> = readWordLists(text, 'lists.jsonc');

/**
 * Whether a list names a program. A name that ends in `*` stands for all that begin with it.
 *
 * @example holds(programs('interpreters'), 'python3.12') // true
 */
export const holds = (list: ReadonlySet<string>, program: string): boolean =>
  list.has(program) || [...list].some((name) => name.endsWith('*') && program.startsWith(name.slice(0, -1)));
