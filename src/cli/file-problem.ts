import { Problem } from '../errors/problem.ts';

const WORDS: Record<string, string> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'you may not read or write it',
  EPERM: 'you may not read or write it',
  EISDIR: 'it is a folder',
  ENOTDIR: 'it, or what it should be in, is not a folder',
  EEXIST: 'something else is there',
  ENOTEMPTY: 'it is a folder that is not empty',
  EROFS: 'it cannot be written to',
  ENOSPC: 'the disk is full',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'it is a link that leads to itself',
};

/**
 * Returns what to tell a person whose file or folder could not be used; null when the error is another one.
 *
 * @param named the file as the person named it; default: the path in the system's error
 */
export function fileProblem(error: unknown, named?: string): Problem | null {
  const { code, path } = Object(error) as { code?: unknown; path?: unknown };
  const words = typeof code === 'string' ? WORDS[code] : undefined;
  const file = named ?? (typeof path === 'string' ? path : undefined);
  if (words === undefined || file === undefined) return null;
  return new Problem({
    status: 400,
    title: code === 'ENOENT' ? 'No such file' : 'Cannot use a file',
    detail: `${file}: ${words}.`,
    cause: error,
  });
}
