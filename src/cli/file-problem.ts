import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Problem } from '../errors/problem.ts';
import type { Io } from './io.ts';

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
  const { code, path } = Object(error) as { code?: string; path?: string };
  const [words, file] = [WORDS[String(code)], named ?? path];
  if (words === undefined || file === undefined) return null;
  const title = code === 'ENOENT' ? 'No such file' : 'Cannot use a file';
  return new Problem({ status: 400, title, detail: `${file}: ${words}.`, cause: error });
}

/** Returns the bytes of a file that a person named; `-` is standard input. @throws Problem (400) if it cannot be read */
export async function bytesOf({ stdin, cwd }: Io, file: string): Promise<Buffer> {
  try {
    return file === '-' ? await buffer(stdin) : readFileSync(resolve(cwd, file));
  } catch (error) {
    throw fileProblem(error, file) ?? error;
  }
}
