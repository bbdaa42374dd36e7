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

/** Splits a text with blanks between the words into a list. */
export const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

/** Returns the program that a path names: in lower case, without the folder and `.exe`. */
export const baseName = (path: string): string =>
  (path.split(/[/\\]/).pop() ?? '').toLowerCase().replace(/\.exe$/, '');

/** Programs that run text as a shell script. */
export const SHELLS = programs('shells');

/** Whether a program runs text in another language than shell. */
export const isInterpreter = (program: string): boolean => holds(programs('interpreters'), program);

/** Matches the name of a variable that holds a secret. */
export const SECRET_NAME =
  /(KEY|TOKEN|SECRET|PASSW(OR)?D|PASSPHRASE|PASS\b|_PASS|CREDENTIALS?|PRIVATE|AUTH|COOKIE|SESSION|DSN|DATABASE_URL|CONNECTION_STRING)/i;
