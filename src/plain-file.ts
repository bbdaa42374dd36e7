import { constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';

/**
 * Opens a plain file of which only the name is known, to read it. Anything may lie there: opening a pipe would wait for
 * its other end, and keep one of the few threads that read files; opening a device can have effects.
 *
 * @param flags more flags, for example `O_NOFOLLOW`
 * @throws Error when it is anything else, or cannot be opened
 */
export async function openPlain(path: string, flags = 0): Promise<FileHandle> {
  if (!(await stat(path)).isFile()) throw new Error('not a plain file');
  // a pipe may have come in its place by now
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | flags);
  try {
    if ((await handle.stat()).isFile()) return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
  await handle.close();
  throw new Error('not a plain file');
}
