// @ts-check
// Looks whether the files, symbols and commits that records cite are still as they were. The server uses it on its
// own machine; `lore freshness` and the session-start hook use it on the machine that they run on. It needs only
// Node.
'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { openPlain, readPlain, textOf } = require('./plain-file.cjs');

/**
 * What is found under a reference: whether it exists, and the size of the file in bytes and its SHA-256.
 *
 * @typedef {{ state: 'there', size: number | null, hash: string } | { state: 'gone' } | { state: 'unknown' }} Seen
 */

/** Longest file whose content and symbols are looked at, in bytes. */
const MAX_FILE = 1024 * 1024;

/** Longest list of packed references that is searched, in bytes. */
const MAX_PACKED = 16 * 1024 * 1024;
/** How much of git's other small files is read, in bytes. They have one line. */
const MAX_LINE = 4096;

/**
 * Hashes of files that were read, by path. They count as long as a file's size and times are the same.
 *
 * @type {Map<string, { stamp: string, size: number, hash: string }>}
 */
const known = new Map();
const MAX_KNOWN = 2_000;

/**
 * Returns the folder with all links followed; null when there is none.
 *
 * @param {string} folder
 */
function realFolder(folder) {
  try {
    const real = fs.realpathSync.native(folder);
    return fs.statSync(real).isDirectory() ? real : null;
  } catch {
    return null;
  }
}

/**
 * Returns the code of a failure of the file system.
 *
 * @param {unknown} error
 */
const codeOf = (error) => /** @type {NodeJS.ErrnoException} */ (error).code;

/** @param {string} real @param {string} root */
const isInside = (real, root) => real === root || real.startsWith(root.endsWith('/') ? root : `${root}/`);

/**
 * Returns the path of a file inside a folder, with all links followed. `gone`: it does not exist. `unknown`: it is
 * outside of the folder, is not a file, or cannot be looked at.
 *
 * @param {string} root the folder, with all links followed
 * @param {string} name
 * @param {string} given the folder as it was given
 * @returns {{ path: string } | 'gone' | 'unknown'}
 */
function locate(root, name, given = root) {
  if (name === '' || name.includes('\0') || name.length > 4096) return 'unknown';
  // an absolute path may name the folder as it was given
  const inside = path.isAbsolute(name) && isInside(name, given) ? path.relative(given, name) : name;
  const target = path.resolve(root, inside);
  if (!isInside(target, root) || target === root) return 'unknown';
  try {
    const real = fs.realpathSync.native(target);
    return isInside(real, root) && fs.statSync(real).isFile() ? { path: real } : 'unknown';
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR') return 'unknown';
  }
  // A path that does not exist may be a link to nowhere, or go through a folder that leads outside.
  for (let at = path.dirname(target); ; at = path.dirname(at)) {
    try {
      return isInside(fs.realpathSync.native(at), root) && !isLink(target) ? 'gone' : 'unknown';
    } catch (error) {
      if ((codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR') || !isInside(path.dirname(at), root))
        return 'unknown';
    }
  }
}

/** @param {string} file */
function isLink(file) {
  try {
    return fs.lstatSync(file).isSymbolicLink();
  } catch {
    return false;
  }
}

/**
 * Returns size and SHA-256 of a file, and its text if `withText`; null when it is too long or cannot be read.
 *
 * @param {string} file
 * @param {boolean} withText
 * @returns {{ size: number, hash: string, text?: string } | null}
 */
function read(file, withText) {
  try {
    const { size, mtimeMs, ctimeMs, ino } = fs.statSync(file);
    if (size > MAX_FILE) return null;
    const stamp = `${size} ${mtimeMs} ${ctimeMs} ${ino}`;
    const before = known.get(file);
    if (before?.stamp === stamp && !withText) return before;
    const content = readPlain(file, MAX_FILE);
    if (content === null || content.size > MAX_FILE) return null;
    const { bytes } = content;
    const hash = require('node:crypto').createHash('sha256').update(bytes).digest('hex');
    const now = { stamp, size: bytes.length, hash };
    // a file that was just changed may change again within the same time stamp
    if (Date.now() - mtimeMs > 2_000) {
      known.set(file, now);
      if (known.size > MAX_KNOWN) known.delete(known.keys().next().value ?? '');
    }
    return withText ? { ...now, text: bytes.toString('latin1') } : now;
  } catch {
    return null;
  }
}

/**
 * Returns whether a text has a name as a whole word. Both are compared byte by byte.
 *
 * @param {string} text
 * @param {string} name
 */
function hasWord(text, name) {
  const word = Buffer.from(name).toString('latin1');
  /** @param {string | undefined} character */
  const isPart = (character) => character !== undefined && /[\w$\x80-\xff]/.test(character);
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const [first, last] = [word[0], word[word.length - 1]];
    const begins = !isPart(first) || !isPart(text[at - 1]);
    const ends = !isPart(last) || !isPart(text[at + word.length]);
    if (begins && ends) return true;
  }
  return false;
}

/**
 * Returns git's folder for a work tree and the folder that it shares with other work trees; null outside of a
 * repository.
 *
 * @param {string} root
 */
function gitFolders(root) {
  /** @param {string} file */
  const text = (file) => textOf(file, MAX_LINE);
  const file = path.join(root, '.git');
  const inside = realFolder(file);
  if (inside !== null) return isInside(inside, root) ? { own: inside, common: inside, text } : null;
  // The folder of a linked work tree lies outside. It counts only if it names this work tree in turn.
  const own = /^gitdir: (\/.+)/.exec(text(file))?.[1]?.trim();
  if (!own || text(path.join(own, 'gitdir')).trim() !== file) return null;
  return { own, common: path.resolve(own, text(path.join(own, 'commondir')).trim()), text };
}

/**
 * Returns the commit that is checked out; null when there is none, or when only git itself could tell.
 *
 * @param {string} root
 */
function headOf(root) {
  const git = gitFolders(root);
  if (git === null) return null;
  const head = git.text(path.join(git.own, 'HEAD')).trim();
  if (/^[0-9a-f]{40}([0-9a-f]{24})?$/.test(head)) return head;
  const ref = /^ref: (refs\/[^\0]+)$/.exec(head)?.[1];
  if (!ref || ref.split('/').includes('..')) return null;
  const loose = git.text(path.join(git.common, ref)).trim();
  if (/^[0-9a-f]{40,64}$/.test(loose)) return loose;
  const packed = readPlain(path.join(git.common, 'packed-refs'), MAX_PACKED);
  if (packed === null || packed.size > MAX_PACKED) return null;
  const at = packed.bytes.indexOf(` ${ref}\n`);
  const id = at < 0 ? '' : packed.bytes.toString('latin1', packed.bytes.lastIndexOf('\n', at) + 1, at);
  return /^[0-9a-f]{40,64}$/.test(id) ? id : null;
}

/**
 * Returns whether a repository has an object, by the beginning of its id; null when only git itself could tell.
 *
 * @param {string} root
 * @param {string} id
 */
function hasObject(root, id) {
  const git = gitFolders(root);
  if (git === null) return null;
  const objects = path.join(git.common, 'objects');
  if (realFolder(objects) !== path.join(realFolder(git.common) ?? '', 'objects')) return null;
  try {
    const rest = id.slice(2);
    /** @type {string[]} */
    let loose = [];
    try {
      loose = fs.readdirSync(path.join(objects, id.slice(0, 2)));
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') return null;
    }
    if (loose.some((name) => name.startsWith(rest))) return true;
    /** @type {string[]} */
    let packs = [];
    try {
      packs = fs.readdirSync(path.join(objects, 'pack'));
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') return null;
    }
    let understood = true;
    for (const name of packs.filter((one) => one.endsWith('.idx'))) {
      const found = isInIndex(path.join(objects, 'pack', name), id);
      if (found) return true;
      if (found === null) understood = false;
    }
    // Objects may also lie elsewhere, or be fetched only when they are needed.
    const elsewhere = ['objects/info/alternates', 'shallow'].some((file) =>
      fs.existsSync(path.join(git.common, file)),
    );
    const partial = packs.some((one) => one.endsWith('.promisor'));
    return understood && !elsewhere && !partial ? false : null;
  } catch {
    return null;
  }
}

/**
 * Returns whether the index of a pack (version 2, SHA-1) has an object; null when it cannot be read.
 *
 * @param {string} file
 * @param {string} id
 */
function isInIndex(file, id) {
  /** @type {number | undefined} */
  let fd;
  try {
    const opened = openPlain(file);
    fd = opened;
    /** @param {number} length @param {number} position */
    const at = (length, position) => {
      const bytes = Buffer.alloc(length);
      if (fs.readSync(opened, bytes, 0, length, position) !== length) throw new Error('too short');
      return bytes;
    };
    const head = at(8 + 1024, 0);
    if (head.readUInt32BE(0) !== 0xff744f63 || head.readUInt32BE(4) !== 2) return null;
    /** @param {number} n */
    const count = (n) => (n < 0 ? 0 : head.readUInt32BE(8 + 4 * n));
    const first = Number.parseInt(id.slice(0, 2), 16);
    let low = count(first - 1);
    let high = count(first);
    // the first id that is not before the one looked for
    while (low < high) {
      const middle = (low + high) >>> 1;
      const found = at(20, 1032 + 20 * middle).toString('hex');
      if (found.slice(0, id.length) < id) low = middle + 1;
      else high = middle;
    }
    return (
      low < count(255) &&
      at(20, 1032 + 20 * low)
        .toString('hex')
        .startsWith(id)
    );
  } catch {
    return null;
  } finally {
    if (fd !== undefined) fs.closeSync(fd);
  }
}

/**
 * Looks at what a reference names, in a folder.
 *
 * @param {string} root
 * @param {string} ref `file:path`, `symbol:path#name` or `commit:id`
 * @returns {Seen}
 */
function look(root, ref) {
  const real = realFolder(root);
  if (real === null) return { state: 'unknown' };
  const [, kind, rest = ''] = /^(file|symbol|commit):([\s\S]*)$/.exec(ref) ?? [];
  if (kind === 'commit') {
    const id = rest.toLowerCase();
    const has = /^[0-9a-f]{7,40}$/.test(id) ? hasObject(real, id) : null;
    if (has === null) return { state: 'unknown' };
    return has ? { state: 'there', size: null, hash: 'present' } : { state: 'gone' };
  }
  if (kind === undefined) return { state: 'unknown' };
  const cut = kind === 'symbol' ? rest.lastIndexOf('#') : -1;
  const found = locate(real, cut < 0 ? rest : rest.slice(0, cut), root);
  if (typeof found === 'string') return { state: found };
  const content = read(found.path, kind === 'symbol');
  if (content === null) return { state: 'unknown' };
  if (kind === 'file') return { state: 'there', size: content.size, hash: content.hash };
  const has = hasWord(content.text ?? '', rest.slice(cut + 1));
  return has ? { state: 'there', size: null, hash: 'present' } : { state: 'gone' };
}

/**
 * Compares a citation with its baseline.
 *
 * @param {{ hash: string | null }} baseline
 * @param {Seen} now
 * @returns {'fresh' | 'changed' | 'gone' | 'unknown'}
 */
function compare(baseline, now) {
  if (now.state !== 'there') return now.state;
  return baseline.hash === null || baseline.hash === now.hash ? 'fresh' : 'changed';
}

module.exports = { look, compare, headOf };
