import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { Io } from './io.ts';

const EVERY_MS = 1_000;
const LINE_EVERY_MS = 5_000;

/**
 * Shows on a terminal what takes its time, and for how long already, in a line that is written over and goes in the end.
 * Returns what ends it.
 *
 * @param options.lines without a terminal, print a line every five seconds instead
 */
export function progressLine(io: Io, what: string, options: { lines: boolean }): () => void {
  const begun = performance.now();
  const line = () => `${what}: ${Math.round((performance.now() - begun) / 1_000)} s`;
  const { stderr } = io;
  if (!stderr.isTTY) {
    const timer = options.lines ? setInterval(() => io.error(line()), LINE_EVERY_MS) : undefined;
    return () => clearInterval(timer);
  }
  const show = () => stderr.write(`\r${line()} `);
  show();
  const timer = setInterval(show, EVERY_MS);
  return () => {
    clearInterval(timer);
    stderr.write('\r\u001b[K');
  };
}

/** Says what a start does. @param isFirst whether it makes the database, which takes up to half a minute */
export const whatStarts = (isFirst: boolean): string =>
  isFirst ? 'The first start makes the database' : 'Lore starts';

export const isFirstStart = ({ home, databaseUrl }: Config): boolean =>
  databaseUrl === undefined && !existsSync(join(home, 'pgdata'));
