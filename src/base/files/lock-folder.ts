import { closeSync, existsSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { tryLock } from 'fs-native-extensions';
import { Problem } from '../errors/problem.ts';

export type Lock = { release(): void };

/**
 * Locks a data folder for this process. It is a lock of the kernel, so it ends with the process, also after kill -9.
 * The text in the lock file is only for people.
 *
 * @throws Problem (409) that names the process holding the lock
 */
export function lockFolder(home: string, about: { url: string }): Lock {
  const file = join(home, 'server.lock');
  const fd = openSync(file, 'a+', 0o600);
  if (!tryLock(fd)) {
    const holder = readFileSync(file, 'utf8').trim();
    closeSync(fd);
    throw new Problem({
      status: 409,
      title: 'Data folder in use',
      detail: `${home} is served by ${holder || 'another process'}. Stop that one first, or set LORE_HOME to another folder.`,
    });
  }
  ftruncateSync(fd);
  writeSync(fd, `process ${process.pid} on ${about.url} since ${new Date().toISOString()}\n`);
  return { release: () => closeSync(fd) };
}

/** Returns the process that serves a data folder; null if none does. */
export function holderOf(home: string): number | null {
  const file = join(home, 'server.lock');
  if (!existsSync(file)) return null;
  const fd = openSync(file, 'r+');
  try {
    return tryLock(fd) ? null : Number(/^process (\d+) /.exec(readFileSync(file, 'utf8'))?.[1] ?? 0);
  } finally {
    closeSync(fd);
  }
}
