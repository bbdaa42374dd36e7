import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import { dirname } from 'node:path';

type Options = {
  /** of the new file; without it, that of the file in whose place it comes, else 0600 */
  mode?: number;
  /** whether to wait until the disk has the file and its name: default true */
  sync?: boolean;
  /** only this process writes the file: what a killed one left half-written is then found and replaced */
  alone?: boolean;
};

/**
 * Writes a file whole or not at all, also if the process is killed or the power fails meanwhile. Whoever reads it sees
 * the old text or the new one. A link is not followed: the file takes its place.
 *
 * @throws the file system's error; the old file is then as it was
 * @example writeAtomically(join(home, 'secret'), `${secret}\n`, { mode: 0o600 });
 */
export function writeAtomically(file: string, content: string | Uint8Array, options: Options = {}): void {
  fs.closeSync(replaceFile(file, content, options));
}

/**
 * The same, for a file that is appended to afterwards. Returns the new file, open to append to: whoever goes on writing
 * must not write to the old one.
 */
export function replaceFile(file: string, content: string | Uint8Array, options: Options = {}): number {
  const { mode, sync = true, alone = false } = options;
  const kept = mode === undefined ? fs.statSync(file, { throwIfNoEntry: false })?.mode : undefined;
  const partial = alone ? `${file}.partial` : `${file}.${randomUUID()}.partial`;
  if (alone) fs.rmSync(partial, { force: true });
  let fd: number | undefined;
  try {
    fd = fs.openSync(partial, 'ax', mode ?? 0o600);
    fs.writeFileSync(fd, content);
    if (kept !== undefined) fs.fchmodSync(fd, kept & 0o777);
    if (sync) fs.fsyncSync(fd);
    fs.renameSync(partial, file);
    if (sync) syncFolder(dirname(file));
    return fd;
  } catch (error) {
    if (fd !== undefined) fs.closeSync(fd);
    fs.rmSync(partial, { force: true });
    throw error;
  }
}

/** Waits until the disk has the names of the files in a folder. A file that was synced may otherwise lose its name. */
export function syncFolder(folder: string): void {
  const fd = fs.openSync(folder, 'r');
  try {
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}
