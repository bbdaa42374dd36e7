import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Writes a file of JSON lines anew, whole or not at all. Returns the new file, open to append to: whoever goes on writing
 * must not write to the old one.
 */
export function replaceFile(file: string, lines: unknown[], sync: boolean): number {
  const partial = `${file}.partial`;
  rmSync(partial, { force: true });
  const fd = openSync(partial, 'ax', 0o600);
  try {
    writeFileSync(fd, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    if (sync) fsyncSync(fd);
    renameSync(partial, file);
    return fd;
  } catch (error) {
    closeSync(fd);
    rmSync(partial, { force: true });
    throw error;
  }
}
