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

/** Matches the name of a variable that holds a secret. */
export const SECRET_NAME =
  /(KEY|TOKEN|SECRET|PASSW(OR)?D|PASSPHRASE|PASS\b|_PASS|CREDENTIALS?|PRIVATE|AUTH|COOKIE|SESSION|DSN|DATABASE_URL|CONNECTION_STRING)/i;
