import { holds, programs } from './lists.ts';

// Names of programs that more than one file needs.

/** Splits a text with blanks between the words into a list. */
export const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

/** Returns the program that a path names: in lower case, without the folder and `.exe`. */
export const baseName = (path: string): string =>
  (path.split(/[/\\]/).pop() ?? '').toLowerCase().replace(/\.exe$/, '');

/** Programs that run text as a shell script. */
export const SHELLS = programs('shells');

/** Whether a program runs text in another language than shell. */
export const isInterpreter = (program: string): boolean => holds(programs('interpreters'), program);

export const AWKS = [...programs('awks')];

/** Programs that search in files. */
export const GREPS = [...programs('greps')];
/** Programs that search in files and enter folders without being told. */
export const TREE_GREPS = [...programs('tree-greps')];

/** Programs that, after a pipe, print some of the lines that they read, whole and unchanged. */
export const LINE_FILTERS = programs('line-filters');

/** Programs that, after a pipe, only choose which part of the output before them is shown. */
export const FILTERS = programs('filters');

/** Programs that show names, sizes and the like of the files that they are given, but not their content. */
export const NAMERS = programs('namers');

/** Programs that show the content of the files that they are given. */
export const SHOWERS = programs('showers');

/** Matches the name of a variable that holds a secret. */
export const SECRET_NAME =
  /(KEY|TOKEN|SECRET|PASSW(OR)?D|PASSPHRASE|PASS\b|_PASS|CREDENTIALS?|PRIVATE|AUTH|COOKIE|SESSION|DSN|DATABASE_URL|CONNECTION_STRING)/i;

/** Programs that run a command as another user. */
export const AS_ANOTHER = programs('as-another');
