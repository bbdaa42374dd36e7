import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Waits until the disk has the names of the files in a folder. A file that was synced may otherwise lose its name. */
export function syncFolder(folder: string): void {
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
