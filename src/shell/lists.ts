import { parse } from 'jsonc-parser';
import text from './lists.jsonc' with { type: 'text' };

// Named lists of programs. The names stand in lists.jsonc, so that all rules mean the same by “what downloads”.

const LISTS: Record<string, string[]> = parse(text);
const made = new Map<string, ReadonlySet<string>>();

/**
 * Returns the programs of a list in lists.jsonc, with those of the lists that it includes.
 *
 * Call it where a module is loaded: a name that the file does not have throws, and so fails every test.
 *
 * @example const FETCHES = programs('downloaders'); // FETCHES.has('curl')
 */
export function programs(name: string): ReadonlySet<string> {
  const known = made.get(name);
  if (known) return known;
  const list = new Set(namesIn(name, []));
  made.set(name, list);
  return list;
}

/**
 * Whether a list names a program. A name that ends in `*` stands for all that begin with it.
 *
 * @example holds(programs('interpreters'), 'python3.12') // true
 */
export const holds = (list: ReadonlySet<string>, program: string): boolean =>
  list.has(program) || [...list].some((name) => name.endsWith('*') && program.startsWith(name.slice(0, -1)));

/** @param within the lists that include this one */
function namesIn(name: string, within: string[]): string[] {
  const texts = Object.hasOwn(LISTS, name) ? LISTS[name] : undefined;
  if (texts === undefined) throw new Error(`lists.jsonc has no list “${name}”`);
  if (within.includes(name)) throw new Error(`the list “${name}” in lists.jsonc includes itself`);
  return texts
    .flatMap((part) => part.split(' '))
    .flatMap((word) => (word.startsWith('@') ? namesIn(word.slice(1), [...within, name]) : [word]));
}
