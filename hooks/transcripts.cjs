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
/** Most bytes of a transcript in a request; JSON makes them longer, and a request may have 1 MB. */
const PIECE = 600_000;
const MAX_BODY = 1_000_000;
const MAX_MS = 600_000;

/**
 * Starts the process that sends the transcripts beside one, and does not wait for it.
 *
 * @param {unknown} transcript
 * @param {string} cwd
 */
function sendBehind(transcript, cwd) {
  if (typeof transcript !== 'string' || transcript === '') return;
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
 * Sends the transcripts in the folder of one, each from where the server has read it, and ends the process. What is not
 * sent now is sent at the next start.
 *
 * @param {URL} hooks
 * @param {string} key
 * @param {{ transcript: string, cwd: string }} what
 */
async function send(hooks, key, { transcript, cwd }) {
  setTimeout(() => process.exit(0), MAX_MS).unref();
  const url = new URL(hooks.href.replace(/hooks$/, 'transcripts'));
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  try {
    for (const file of recent(path.dirname(transcript)))
      await sendFile(path.join(path.dirname(transcript), file), async (piece) => {
        const body = JSON.stringify({ file, cwd, ...piece });
        const answer = await fetch(url, { method: 'POST', headers, body });
        if (answer.ok) return answer.json();
        // this transcript is refused; else no other can be sent either
        if (![400, 403, 413].includes(answer.status)) throw new Error(`answered ${answer.status}`);
        return null;
      });
  } catch {}
  process.exit(0);
}

/**
 * Returns the names of the transcripts that changed in the last week, those of subagents too, the oldest change first.
 *
 * @param {string} folder
 */
function recent(folder) {
  const since = Date.now() - WINDOW_MS;
  return fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => ({ file: name.replaceAll('\\', '/'), at: fs.statSync(path.join(folder, name)).mtimeMs }))
    .filter(({ at }) => at >= since)
    .sort((a, b) => a.at - b.at)
    .map(({ file }) => file);
}

/**
 * Sends what the server has not read of a transcript yet, in whole lines. A line that is too long is passed.
 *
 * @param {string} file
 * @param {(piece: { from?: number, text: string, promptId?: unknown }) => Promise<any>} ask answers null where it is refused
 */
async function sendFile(file, ask) {
  let read = await ask({ text: '' });
  const fd = openPlain(file);
  try {
    const { size, mtimeMs } = fs.fstatSync(fd);
    // from before this key was made: perhaps of another account, or of nobody
    if (read === null || mtimeMs < Date.parse(read.since)) return;
    // one that got shorter was written anew; events are stored only once anyway
    let from = read.offset > size ? 0 : read.offset;
    for (let most = PIECE; from < size && read !== null; ) {
      const bytes = Buffer.alloc(Math.min(most, size - from));
      const length = fs.readSync(fd, bytes, 0, bytes.length, from);
      const text = bytes.toString('utf8', 0, bytes.lastIndexOf(0x0a, length - 1) + 1);
      const tooLong = Buffer.byteLength(JSON.stringify(text)) > MAX_BODY;
      if (text === '' || tooLong) {
        // the last line is not whole yet; else more of it is read, or less of many
        if (text === '' && from + length === size) return;
        if (text === '') from = endOfLine(fd, from + length);
        else most = Math.floor(most / 2);
        continue;
      }
      read = await ask({ from, text, promptId: read.promptId });
      // what is left belongs to a call that goes on
      if (read === null || read.offset <= from) return;
      from = read.offset;
    }
  } finally {
    fs.closeSync(fd);
  }
}

/**
 * Returns where the next line begins.
 *
 * @param {number} fd
 * @param {number} from
 */
function endOfLine(fd, from) {
  const bytes = Buffer.alloc(65_536);
  for (let at = from; ; at += bytes.length) {
    const length = fs.readSync(fd, bytes, 0, bytes.length, at);
    const end = bytes.subarray(0, length).indexOf(0x0a);
    if (end >= 0 || length === 0) return at + (end >= 0 ? end + 1 : 0);
  }
}

module.exports = { sendBehind, toSend, send };
