import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import type { FileText } from '../shell/types.ts';

// The one place where a check reads files. They come from a repository, which may hold anything under any name: folders,
// named pipes, links to devices or to themselves, files without end. Reading them blocks the thread that answers all
// requests, so what one check reads is limited.

/** In bytes. Of a longer file only this beginning is read. */
const MAX_FILE = 256 * 1024;
/** In bytes, of all files together. */
const MAX_BYTES = 4 * 1024 * 1024;
/** How many paths are looked at. Each costs a few microseconds, also when there is nothing. */
const MAX_PATHS = 2_000;

/** The files that one check looks at. Each path is looked at and read once, so a check sees one state of it. */
export type Files = {
  /** Returns what changes with the file under the path (see `lookAt`); `ABSENT` when nothing is there. */
  stamp(path: string): string;
  /**
   * Returns the beginning of a regular file; null when nothing is there.
   *
   * @throws Error that names the path and says why it cannot be read
   */
  read(path: string): FileText | null;
  /** Returns the file's content for the key of a verdict; its stamp when it is too long or cannot be read. */
  print(path: string): Buffer | string;
  /** Returns where a path lies with all links followed; what is not there yet lies in the folder that is. */
  real(path: string): string;
  /** all paths that were looked at, with their stamps */
  readonly seen: ReadonlyMap<string, string>;
  /** all paths whose links were followed, with where they lie */
  readonly links: ReadonlyMap<string, string>;
  /** whether so much was asked for that some of it was not looked at */
  readonly exhausted: boolean;
};

/** The stamp of a path with nothing there. */
export const ABSENT = 'none';

type Content = { bytes: Buffer; whole: boolean };
type Seen = { stamp: string; info: Stats | null; error: Error | null; content?: Content | Error };

/** Returns an access to files for one check. */
export function openFiles(): Files {
  const known = new Map<string, Seen>();
  const seen = new Map<string, string>();
  const links = new Map<string, string>();
  let bytes = 0;
  let exhausted = false;

  function look(path: string): Seen {
    const before = known.get(path);
    if (before) return before;
    if (known.size >= MAX_PATHS) {
      exhausted = true;
      return {
        stamp: 'not looked at',
        info: null,
        error: new Error('more files to look at than one check may'),
      };
    }
    const found = lookAt(path);
    known.set(path, found);
    seen.set(path, found.stamp);
    return found;
  }

  function contentOf(path: string): Content | null {
    const found = look(path);
    if (found.error) throw found.error;
    if (!found.info) return null;
    if (found.content === undefined) {
      if (bytes >= MAX_BYTES) {
        exhausted = true;
        throw new Error('more text to read than one check may');
      }
      try {
        found.content = readFile(path, found.info, MAX_FILE);
        bytes += found.content.bytes.length;
      } catch (error) {
        found.content = error as Error;
      }
    }
    if (found.content instanceof Error) throw found.content;
    return found.content;
  }

  return {
    stamp: (path) => look(path).stamp,
    read(path) {
      try {
        const content = contentOf(path);
        return content && { text: content.bytes.toString('utf8'), whole: content.whole };
      } catch (error) {
        throw new Error(`${path} cannot be read (${(error as Error).message})`, { cause: error });
      }
    },
    print(path) {
      const { stamp } = look(path);
      try {
        const content = contentOf(path);
        return content?.whole ? content.bytes : stamp;
      } catch {
        return stamp;
      }
    },
    real(path) {
      const before = links.get(path);
      if (before !== undefined) return before;
      if (links.size >= MAX_PATHS) {
        exhausted = true;
        return path;
      }
      const found = followLinks(path);
      links.set(path, found);
      return found;
    },
    seen,
    links,
    get exhausted() {
      return exhausted;
    },
  };
}

/** What a check looked at. */
export type Looked = Pick<Files, 'seen' | 'links'>;

/** Whether none of these paths has changed since they were looked at. */
export const areUnchanged = ({ seen, links }: Looked): boolean =>
  [...seen].every(([path, stamp]) => lookAt(path).stamp === stamp) &&
  [...links].every(([path, real]) => followLinks(path) === real);

/**
 * Follows the links in a path, as far as it is there. A link to what is not there yet is followed too, because writing
 * makes it. A path that cannot be followed is returned as it is.
 */
function followLinks(path: string): string {
  if (!isAbsolute(path)) return path;
  let [at, rest] = [path, ''];
  for (let level = 0; level < MAX_LEVELS; level += 1) {
    try {
      const there = realpathSync.native(at);
      return rest === '' ? there : join(there, rest);
    } catch (error) {
      if (!/^(ENOENT|ENOTDIR)$/.test((error as NodeJS.ErrnoException).code ?? '') || at === '/') return path;
      const to = linkAt(at);
      if (to !== null) at = resolve(dirname(at), to);
      else [at, rest] = [dirname(at), join(basename(at), rest)];
    }
  }
  return path;
}

/** Returns what the link at a path says; null when there is none. */
function linkAt(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

/**
 * Returns what is at a path, with a stamp that changes with the file. A folder on the way that cannot be entered is an
 * error and does not count as absent.
 */
function lookAt(path: string): Seen {
  try {
    // a relative path would be resolved against the server's own folder
    if (!isAbsolute(path)) throw new Error('not an absolute path');
    const info = statSync(path, { throwIfNoEntry: false }) ?? null;
    const stamp = info ? [info.mtimeMs, info.ctimeMs, info.size, info.ino, info.dev].join(':') : ABSENT;
    return { stamp, info, error: null };
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    const error = new Error(code ?? (cause as Error).message);
    return { stamp: error.message, info: null, error };
  }
}

/**
 * Returns the first `max` bytes of a regular file.
 *
 * @param info what `stat` told of the path
 * @throws Error that says why the file cannot be read
 */
function readFile(path: string, info: Stats, max: number): Content {
  // opening a device can have effects, so nothing but a regular file is opened
  if (!info.isFile()) throw new Error('not a regular file');
  // the path may lead to a pipe by now, and opening one would wait for its other end
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const { size } = fstatSync(fd);
    if (!fstatSync(fd).isFile()) throw new Error('not a regular file');
    const length = Math.min(size, max);
    // one byte more than it should have: files of the kernel tell the size 0, and may have no end
    const buffer = Buffer.alloc(length + 1);
    let read = 0;
    for (let got = -1; got !== 0 && read <= length; read += got) {
      got = readSync(fd, buffer, read, length + 1 - read, read);
    }
    if (read > size) throw new Error('holds more than its size says');
    return { bytes: buffer.subarray(0, Math.min(read, length)), whole: size <= max };
  } finally {
    closeSync(fd);
  }
}

/** How many folders are looked into for `.git`. */
const MAX_LEVELS = 100;

/**
 * Returns the nearest folder, this one or above, with `.git` in it: a clone has a folder of that name, a linked work
 * tree a file. Null when there is none.
 */
export function workTreeAround(folder: string): string | null {
  let at = folder;
  for (let level = 0; level < MAX_LEVELS && isAbsolute(at) && at !== '/'; level += 1) {
    if (existsSync(join(at, '.git'))) return at;
    at = dirname(at);
  }
  return null;
}
