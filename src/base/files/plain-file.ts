import { constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';

/**
 * Opens a plain file for reading if only its name is known. The name may lead to anything. Opening a pipe
 * would wait for its other end, and block one of the few threads that read files. Opening a device can have
 * effects.
 *
 * @param flags more flags, for example `O_NOFOLLOW`
 * @throws Error when it is anything else, or cannot be opened
 */
export async function openPlain(path: string, flags = 0): Promise<FileHandle> {
  if (!(await stat(path)).isFile()) throw new Error('not a plain file');
  // the file may have been replaced by a pipe meanwhile
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | flags);
  const isPlain = await handle.stat().then(
    (info) => info.isFile(),
    () => false,
  );
  if (isPlain) return handle;
  await handle.close();
  throw new Error('not a plain file');
}
