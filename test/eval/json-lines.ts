import { readFileSync } from 'node:fs';

/** Returns the rows of a file with one JSON value a line. Empty lines are passed over. */
export const jsonLines = <T>(file: string): T[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
