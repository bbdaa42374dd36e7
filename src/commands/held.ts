import { createHash } from 'node:crypto';
import {
  type BigIntStats,
  closeSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
} from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { Held } from '../shell/zones.ts';
import { workTreeAround } from './files.ts';

// Looks at what git could give back of a file that is about to be deleted or overwritten. The index of the work tree
// is read directly: it tells for each tracked file which content git has, and how the file looked on the disk when it
// was compared last. Running git would take ten times as long, and could run what the repository's settings name.

/** What git has, as one check sees it. */
export type HeldNow = Held & {
  /** whether anything was asked: what was found holds only now */
  readonly asked: boolean;
};

/** A larger index is not read: a hundred thousand files take about ten megabytes. */
const MAX_INDEX = 32 * 1024 * 1024;
/** A folder with more entries is not looked through. */
const MAX_ENTRIES = 500;
/** Most names that are listed in one check. Their number decides, and not the time: a verdict must not depend on that. */
const MAX_LISTED = 2_000;
/** Files that look changed are compared by content while they are small and few. */
const MAX_COMPARED = 1024 * 1024;
const MAX_COMPARISONS = 20;
const KEEPS_FOLDER = /(^|\/)\.(git)?(keep|ignore)$/;

const UNTRACKED = 'git does not have it';
const CHANGED = 'it has changes that git does not have';

/** A tracked file. `has`: whether git has its content; during a merge it does not. */
type Entry = { mtime: bigint; ino: number; size: number; id: string; has: boolean };
type Index = { tree: string; bytes: Buffer; written: bigint };
/** `none`: git has nothing there; `unknown`: nobody can say, so nothing is claimed */
type Found = Index | 'none' | 'unknown';

/** Returns an access to what git has, for one check. */
export function openHeld(): HeldNow {
  const indexes = new Map<string, Found>();
  let comparisons = 0;
  let asked = false;
  let listed = 0;

  /** Returns the index that is about a path. */
  function indexOf(path: string): Found {
    const tree = workTreeAround(dirname(path));
    if (tree === null) return 'none';
    const before = indexes.get(tree);
    if (before !== undefined) return before;
    const index = readIndex(tree);
    indexes.set(tree, index);
    return index;
  }

  function isHeld(path: string, info: BigIntStats, entry: Entry | undefined, { written }: Index): boolean {
    if (!entry?.has) return false;
    const looksSame =
      entry.mtime === info.mtimeNs &&
      entry.size === Number(BigInt.asUintN(32, info.size)) &&
      entry.ino === Number(BigInt.asUintN(32, info.ino));
    // a file that was changed in the moment in which the index was written looks unchanged
    if (looksSame && info.mtimeNs < written) return true;
    if (info.size > MAX_COMPARED || ++comparisons > MAX_COMPARISONS) return false;
    return blobId(readFileSync(path)) === entry.id;
  }

  function lostIn(path: string, found: Found, isOwn: (path: string) => boolean): string | null {
    if (found === 'unknown') return null;
    const index = found === 'none' ? null : found;
    const info = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    if (!info || info.isSymbolicLink()) return null;
    const entries = index ? entriesAt(index, path) : new Map<string, Entry>();
    if (info.isFile()) {
      const entry = entries.get(path);
      if (index && isHeld(path, info, entry, index)) return null;
      return entry ? CHANGED : UNTRACKED;
    }
    if (!info.isDirectory()) return null;
    let left = MAX_ENTRIES;
    const folders = [path];
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      for (const item of readdirSync(folder, { withFileTypes: true })) {
        const at = join(folder, item.name);
        if (--left < 0) return 'it holds more than Lore looks at';
        if (item.isDirectory()) {
          if (item.name === '.git') return UNTRACKED;
          folders.push(at);
        } else if (item.isFile() && !isOwn(at)) {
          const entry = entries.get(at);
          if (!index || !isHeld(at, lstatSync(at, { bigint: true }), entry, index))
            return `${relative(path, at)} in it ${entry ? 'has changes that git does not have' : 'is nothing that git has'}`;
        }
      }
    }
    return null;
  }

  return {
    lost(path, isOwn = () => false) {
      asked = true;
      try {
        return lostIn(path, indexOf(path), isOwn);
      } catch (error) {
        // what cannot be looked at may be lost; below a file there is nothing
        return (error as NodeJS.ErrnoException).code === 'ENOTDIR' ? null : UNTRACKED;
      }
    },
    tracks(path) {
      asked = true;
      const index = indexOf(path);
      if (typeof index !== 'object') return false;
      try {
        return [...entriesAt(index, path).keys()].some((name) => !KEEPS_FOLDER.test(name));
      } catch {
        return false;
      }
    },
    kind(path) {
      asked = true;
      try {
        const info = lstatSync(path, { throwIfNoEntry: false });
        if (!info) return 'none';
        return info.isFile() ? 'file' : info.isDirectory() ? 'folder' : 'other';
      } catch (error) {
        // below a file there is nothing
        return (error as NodeJS.ErrnoException).code === 'ENOTDIR' ? 'none' : 'other';
      }
    },
    list(folder) {
      asked = true;
      if (listed >= MAX_LISTED) return null;
      try {
        const found = readdirSync(folder, { withFileTypes: true });
        // a folder without files counts too, because it takes as long
        listed += found.length + 1;
        return found.slice(0, MAX_LISTED).map((one) => ({
          name: one.name,
          kind: one.isDirectory() ? 'folder' : one.isSymbolicLink() ? 'link' : 'file',
        }));
      } catch {
        return [];
      }
    },
    get asked() {
      return asked;
    },
  };
}

/** Reads the index of a work tree. */
function readIndex(tree: string): Found {
  try {
    const path = join(gitFolderOf(tree), 'index');
    const info = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    if (!info) return 'none';
    if (!info.isFile() || info.size > MAX_INDEX) return 'unknown';
    const bytes = readBytes(path, Number(info.size));
    const version = bytes.readUInt32BE(4);
    // the fourth version shortens names, and few repositories have it
    if (bytes.toString('latin1', 0, 4) !== 'DIRC' || version < 2 || version > 3) return 'unknown';
    return { tree, bytes, written: info.mtimeNs };
  } catch {
    return 'unknown';
  }
}

function readBytes(path: string, size: number): Buffer {
  const fd = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(size);
    return bytes.subarray(0, readSync(fd, bytes, 0, size, 0));
  } finally {
    closeSync(fd);
  }
}

/** Returns the folder with git's data: in a linked work tree and in a submodule, `.git` is a file that names it. */
function gitFolderOf(tree: string): string {
  const path = join(tree, '.git');
  if (lstatSync(path).isDirectory()) return path;
  const named = /^gitdir: (.+)$/m.exec(readFileSync(path, 'utf8'))?.[1];
  return named === undefined ? path : resolve(tree, named);
}

const HEADER = 12;
const FIXED = 62;
const MORE_FLAGS = 0x4000;
const STAGE = 0x3000;
const INTENT_TO_ADD = 0x2000;

/**
 * Returns the tracked files at a path or below it, by absolute path.
 *
 * @see https://git-scm.com/docs/index-format
 */
function entriesAt({ tree, bytes }: Index, path: string): Map<string, Entry> {
  const found = new Map<string, Entry>();
  const wanted = Buffer.from(relative(tree, path));
  const count = bytes.readUInt32BE(8);
  let at = HEADER;
  for (let i = 0; i < count && at + FIXED < bytes.length; i++) {
    const flags = bytes.readUInt16BE(at + 60);
    const start = at + FIXED + (flags & MORE_FLAGS ? 2 : 0);
    // the length is only a hint for names that are very long
    const end = (flags & 0xfff) < 0xfff ? start + (flags & 0xfff) : bytes.indexOf(0, start);
    // an index that anybody may have written must not lead in circles
    if (end < start || end > bytes.length) break;
    const begins =
      end - start >= wanted.length &&
      bytes.compare(wanted, 0, wanted.length, start, start + wanted.length) === 0;
    if (
      begins &&
      (end - start === wanted.length || bytes[start + wanted.length] === SLASH || !wanted.length)
    ) {
      const intent = (flags & MORE_FLAGS) !== 0 && (bytes.readUInt16BE(at + FIXED) & INTENT_TO_ADD) !== 0;
      found.set(join(tree, bytes.toString('utf8', start, end)), {
        mtime: BigInt(bytes.readUInt32BE(at + 8)) * 1_000_000_000n + BigInt(bytes.readUInt32BE(at + 12)),
        ino: bytes.readUInt32BE(at + 20),
        size: bytes.readUInt32BE(at + 36),
        id: bytes.toString('hex', at + 40, at + 60),
        has: (flags & STAGE) === 0 && !intent,
      });
    }
    // entries are filled up with one to eight zeros to a multiple of eight
    at += (end - at + 8) & ~7;
  }
  return found;
}
const SLASH = 0x2f;

/** Returns the name under which git keeps a content. */
const blobId = (content: Buffer): string =>
  createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
