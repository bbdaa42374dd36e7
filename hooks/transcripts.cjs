// @ts-check
// Sends transcripts to a server on another machine, so that events that it missed are recovered. The hook of a session's
// start runs this as a process of its own, which outlives it: the session does not wait.
'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { openPlain } = require('./plain-file.cjs');

const SEND = '--send-transcripts';
/** Transcripts that did not change for longer are not sent. */
const WINDOW_MS = 7 * 86_400_000;
const MOST_FILES = 200;
/** Most bytes of a transcript in a request, and of a request. */
const PIECE = 600_000;
const MAX_BODY = 1_000_000;
const MAX_MS = 600_000;
const MAX_ANSWER_MS = 60_000;

/**
 * Starts the process that sends the transcripts beside one, and does not wait for it.
 *
 * @param {string} transcript
 * @param {string} cwd
 */
function sendBehind(transcript, cwd) {
  const { spawn } = require('node:child_process');
  const args = [...process.argv.slice(1), SEND, transcript, cwd];
  const child = spawn(process.execPath, args, { detached: true, stdio: 'ignore', windowsHide: true });
  child.on('error', () => {});
  child.unref();
}

/** Returns what this process is to send, if it is the one that sends. */
function toSend() {
  const at = process.argv.indexOf(SEND);
  const [transcript, cwd] = at < 0 ? [] : process.argv.slice(at + 1);
  return transcript && cwd ? { transcript, cwd } : null;
}

/**
 * Sends the transcripts in the folder of one, each from where the server has read it, and ends the process.
 *
 * @param {URL} url of the hooks
 * @param {string} key
 * @param {{ transcript: string, cwd: string }} what
 */
async function send(url, key, { transcript, cwd }) {
  setTimeout(() => process.exit(0), MAX_MS).unref();
  const folder = path.dirname(transcript);
  const ask = asking(new URL(url.href.replace(/hooks$/, 'transcripts')), key);
  try {
    for (const file of recent(folder)) await sendFile(ask, folder, file, cwd);
  } catch {
    // what is left is sent at the next start
  }
  process.exit(0);
}

/**
 * Returns the names of the transcripts that changed in the last week, the oldest change first.
 *
 * @param {string} folder
 */
function recent(folder) {
  const names = (/** @type {string} */ under) => {
    try {
      return fs.readdirSync(path.join(folder, under)).filter((name) => name.endsWith('.jsonl'));
    } catch {
      return [];
    }
  };
  const sessions = names('');
  const agents = sessions.flatMap((name) => {
    const under = `${name.slice(0, -'.jsonl'.length)}/subagents`;
    return names(under).map((agent) => `${under}/${agent}`);
  });
  const since = Date.now() - WINDOW_MS;
  return [...sessions, ...agents]
    .map((file) => ({
      file,
      at: fs.statSync(path.join(folder, file), { throwIfNoEntry: false })?.mtimeMs ?? 0,
    }))
    .filter(({ at }) => at >= since)
    .sort((a, b) => a.at - b.at)
    .slice(-MOST_FILES)
    .map(({ file }) => file);
}

/** @typedef {{ offset: number, turn: unknown, since?: string }} Read */

/**
 * Sends what the server has not read of a transcript yet.
 *
 * @param {(piece: object) => Promise<Read | null>} ask
 * @param {string} folder
 * @param {string} file
 * @param {string} cwd
 */
async function sendFile(ask, folder, file, cwd) {
  const fd = openPlain(path.join(folder, file));
  try {
    const { size, mtimeMs } = fs.fstatSync(fd);
    let read = await ask({ file, cwd, from: 0, to: 0, text: '' });
    if (read === null) return;
    // from before this key was made: perhaps of another account, or of nobody
    if (read.since && mtimeMs < Date.parse(read.since)) return;
    // one that got shorter was written anew; events are stored only once anyway
    if (read.offset > size) read = { offset: 0, turn: null };
    while (read.offset < size) {
      const from = read.offset;
      const piece = pieceAt(fd, from, size, { file, cwd, from, turn: read.turn });
      const answer = piece && (await ask(piece));
      if (!answer || answer.offset <= from) return;
      read = answer;
    }
  } finally {
    fs.closeSync(fd);
  }
}

/**
 * Returns as many whole lines as one request may have; null if there is none yet. A line that is too long is passed, and
 * so are lines that are no text.
 *
 * @param {number} fd
 * @param {number} from
 * @param {number} size
 * @param {object} about
 */
function pieceAt(fd, from, size, about) {
  for (let most = PIECE; most >= 1; most = Math.floor(most / 2)) {
    const bytes = Buffer.alloc(Math.min(most, size - from));
    const length = fs.readSync(fd, bytes, 0, bytes.length, from);
    const end = bytes.subarray(0, length).lastIndexOf(0x0a) + 1;
    if (end === 0) break;
    const text = bytes.toString('utf8', 0, end);
    const piece = { ...about, to: from + end, text: Buffer.byteLength(text) === end ? text : '' };
    if (Buffer.byteLength(JSON.stringify(piece)) <= MAX_BODY) return piece;
  }
  const end = endOfLine(fd, from, size);
  return end === null ? null : { ...about, to: end, text: '' };
}

/** @param {number} fd @param {number} from @param {number} size */
function endOfLine(fd, from, size) {
  const bytes = Buffer.alloc(65_536);
  for (let at = from; at < size; ) {
    const length = fs.readSync(fd, bytes, 0, bytes.length, at);
    if (length === 0) return null;
    const end = bytes.subarray(0, length).indexOf(0x0a);
    if (end >= 0) return at + end + 1;
    at += length;
  }
  return null;
}

/**
 * Returns what asks the server. It answers null for a transcript that the server refuses, and throws if it cannot be
 * asked now.
 *
 * @param {URL} url
 * @param {string} key
 * @returns {(piece: object) => Promise<Read | null>}
 */
function asking(url, key) {
  /** @type {typeof import('node:http')} */
  const http = require(url.protocol === 'https:' ? 'node:https' : 'node:http');
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  return (piece) =>
    new Promise((done, failed) => {
      const body = JSON.stringify(piece);
      const headers = {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      };
      const request = http.request(url, { method: 'POST', agent, headers, timeout: MAX_ANSWER_MS });
      request.on('error', failed);
      request.on('timeout', () => request.destroy(new Error('no answer')));
      request.on('response', (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part) => {
          text += part;
        });
        response.on('error', failed).on('end', () => {
          const { statusCode = 0 } = response;
          if (statusCode === 200) done(JSON.parse(text));
          else if ([400, 403, 413, 422].includes(statusCode)) done(null);
          else failed(new Error(`the server answered ${statusCode}`));
        });
      });
      request.end(body);
    });
}

module.exports = { sendBehind, toSend, send };
