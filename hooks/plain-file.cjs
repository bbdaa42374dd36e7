// @ts-check
// Reads files of which only the names are known. In a repository, a name may stand for anything: a folder, a named
// pipe, a link to a device, a file without end. The hook must not wait for these, and neither must the server, which
// uses this too.
'use strict';

const fs = require('node:fs');

/**
 * Opens a plain file. Throws if it is anything else, or cannot be opened.
 *
 * @param {string} file
 */
function openPlain(file) {
  // opening a device can have effects, so nothing but a plain file is opened
  if (!fs.statSync(file).isFile()) throw new Error('not a plain file');
  // it may have become a pipe meanwhile, and opening a pipe would wait for its other end
  const fd = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  if (fs.fstatSync(fd).isFile()) return fd;
  fs.closeSync(fd);
  throw new Error('not a plain file');
}

/**
 * Returns the first `max` bytes of a plain file, or its last ones, and its size; null if it cannot be read. Files of the
 * kernel, which may have no end, have size 0 and are read as empty.
 *
 * @param {string} file
 * @param {number} max
 */
function readPlain(file, max, { end = false } = {}) {
  let fd;
  try {
    fd = openPlain(file);
    const { size } = fs.fstatSync(fd);
    const bytes = Buffer.alloc(Math.min(size, max));
    const length = fs.readSync(fd, bytes, 0, bytes.length, end ? size - bytes.length : 0);
    return { bytes: bytes.subarray(0, length), size };
  } catch {
    return null;
  } finally {
    if (fd !== undefined) fs.closeSync(fd);
  }
}

/**
 * Returns the first `max` bytes of a plain file as text; '' if it cannot be read.
 *
 * @param {string} file
 * @param {number} max
 */
const textOf = (file, max) => readPlain(file, max)?.bytes.toString('utf8') ?? '';

module.exports = { openPlain, readPlain, textOf };
