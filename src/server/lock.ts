import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { tryLock } from 'fs-native-extensions';
import { Problem } from '../problem.ts';

export type Lock = { release(): void };

/**
 * Takes a data folder for this process. The lock is the kernel's, so it is gone the moment the process is, also
 * after kill -9; what the file says is only for people.
 *
 * @throws Problem (409) that names the holder
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
