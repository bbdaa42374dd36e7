import fs from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import type { FileText } from '../shell/types.ts';

// A check reads files only here, and by git in losses.ts. They come from a repository, which may contain anything under any name:
// folders, named pipes, links to devices or to themselves, files without end. Reading them blocks the thread
// that answers all requests, so the amount that one check reads is limited.

/** Only this many bytes of a file are read, from its beginning. */
const MAX_FILE = 256 * 1024;
/** Most bytes that are read of all files together. */
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
  /** Returns a path with all links followed. If it does not exist yet, the part of it that exists is followed. */
  real(path: string): string;
  /** whether a limit was reached, so that some paths were not looked at */
  readonly exhausted: boolean;
} & Looked;

/** What a check looked at: paths with their stamps, and those whose links were followed with what they lead to. */
export type Looked = {
  readonly seen: ReadonlyMap<string, { stamp: string }>;
  readonly links: ReadonlyMap<string, string>;
};

/** The stamp of a path with nothing there. */
export const ABSENT = 'none';

type Content = { bytes: Buffer; whole: boolean };
type Seen = { stamp: string; info: fs.Stats | null; error: Error | null; content?: Content };

/** Returns an access to files for one check. */
export function openFiles(): Files {
  const seen = new Map<string, Seen>();
  const links = new Map<string, string>();
  let bytes = 0;
  let exhausted = false;

  function look(path: string): Seen {
    const before = seen.get(path);
    if (before) return before;
    if (seen.size >= MAX_PATHS)
      return { stamp: 'not looked at', info: null, error: tooMuch('files to look at') };
    const found = lookAt(path);
    seen.set(path, found);
    return found;
  }

  function tooMuch(of: string): Error {
    exhausted = true;
    return new Error(`more ${of} than one check may`);
  }

  function contentOf(path: string): Content | null {
    const found = look(path);
    const { info } = found;
    if (info && !found.content && !found.error) {
      try {
        if (bytes >= MAX_BYTES) throw tooMuch('text to read');
        found.content = readFile(path, info, MAX_FILE);
        bytes += found.content.bytes.length;
      } catch (error) {
        found.error = error as Error;
      }
    }
    if (found.error) throw found.error;
    return found.content ?? null;
  }

  return {
    seen,
    links,
    get exhausted() {
      return exhausted;
    },
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
      exhausted ||= links.size >= MAX_PATHS;
      const found = links.size >= MAX_PATHS ? path : follow(path);
      links.set(path, found);
      return found;
    },
  };
}

/** Whether none of these paths has changed since they were looked at. */
export function areUnchanged({ seen, links }: Looked): boolean {
  for (const [path, { stamp }] of seen) if (lookAt(path).stamp !== stamp) return false;
  for (const [path, real] of links) if (follow(path) !== real) return false;
  return true;
}

/** How many links Linux follows on the way to a path, and how long a path may be. */
const MAX_LINKS = 40;
const MAX_PATH = 4096;

/**
 * Returns where a path leads with all links followed, also if nothing is there yet: writing to a link creates what it leads
 * to. A path that cannot be followed is returned as it is, for example if its links form a circle.
 */
function follow(path: string, links = 0): string {
  if (links > MAX_LINKS || path.length > MAX_PATH || !isAbsolute(path) || path === '/') return path;
  try {
    const info = fs.lstatSync(path, { throwIfNoEntry: false });
    if (info && (!info.isSymbolicLink() || fs.existsSync(path))) return fs.realpathSync.native(path);
    const folder = follow(dirname(path), links + 1);
    return info ? follow(resolve(folder, fs.readlinkSync(path)), links + 1) : join(folder, basename(path));
  } catch {
    return path;
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
    const info = fs.statSync(path, { throwIfNoEntry: false }) ?? null;
    const stamp = info ? [info.mtimeMs, info.ctimeMs, info.size, info.ino, info.dev].join(':') : ABSENT;
    return { stamp, info, error: null };
  } catch (cause) {
    const error = new Error((cause as NodeJS.ErrnoException).code ?? (cause as Error).message);
    return { stamp: error.message, info: null, error };
  }
}

/**
 * Returns the first `max` bytes of a regular file.
 *
 * @param info what `stat` returned for the path
 * @throws Error that says why the file cannot be read
 */
function readFile(path: string, info: fs.Stats, max: number): Content {
  // opening a device can have effects, so nothing but a regular file is opened
  if (!info.isFile()) throw new Error('not a regular file');
  // the path may have become a pipe meanwhile, and opening a pipe would wait for its other end
  const fd = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  try {
    const now = fs.fstatSync(fd);
    if (!now.isFile()) throw new Error('not a regular file');
    const length = Math.min(now.size, max);
    // reads one byte more than the file should have: files of the kernel have size 0 and may have no end
    const buffer = Buffer.alloc(length + 1);
    let read = 0;
    for (let got = -1; got !== 0 && read <= length; read += got) {
      got = fs.readSync(fd, buffer, read, length + 1 - read, read);
    }
    if (read > now.size) throw new Error('holds more than its size says');
    return { bytes: buffer.subarray(0, Math.min(read, length)), whole: now.size <= max };
  } finally {
    fs.closeSync(fd);
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
    if (fs.existsSync(join(at, '.git'))) return at;
    at = dirname(at);
  }
  return null;
}
