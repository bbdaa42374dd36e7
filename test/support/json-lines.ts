import { readFileSync } from 'node:fs';

type Any = any;

/** Returns the rows of a text with one JSON value a line. Empty lines are passed over. */
export const rowsOf = <T = Any>(text: string): T[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line));

/** Returns the rows of a file with one JSON value a line. */
export const jsonLines = <T = Any>(file: string): T[] => rowsOf(readFileSync(file, 'utf8'));
