import type { FileHandle } from 'node:fs/promises';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openPlain } from '../files/plain-file.ts';
import { isObject, objectIn } from '../text/json.ts';

// The lines of transcripts.
//
// The client writes each session as JSON lines to <folder>/<session id>.jsonl, and those of its subagents to
// <folder>/<session id>/subagents/agent-<agent id>.jsonl. The format is not guaranteed, so all fields are optional.

export type Line = Record<string, unknown>;

export const str = (value: unknown) => (typeof value === 'string' ? value : undefined);

/** Longest line that is read, in bytes. A longer one is skipped: no hook event is that large. */
const MAX_LINE = 20_000_000;
/** Longest transcript that is read, in bytes. The content of a longer one might not fit into memory. */
const MAX_TRANSCRIPT = 256 * 1024 * 1024;

/**
 * Opens a transcript. Anybody with the key of the hooks can give its path, so the path may lead to anything.
 */
export async function openTranscript(path: string): Promise<FileHandle> {
  if (!path.endsWith('.jsonl')) throw new Error('the name of a transcript ends in .jsonl');
  return openPlain(path);
}

/** `text` is '' for a line that is too long. `bytes` is what it takes in the file; `ended`: it has a line feed. */
type RawLine = { text: string; bytes: number; ended: boolean };

/**
 * Returns the lines that a transcript has now. It splits at line feeds only: node:readline also splits at U+2028, which
 * may occur within JSON strings.
 *
 * @throws Error when the transcript cannot be read, or is too long
 */
export async function* linesOf(path: string): AsyncGenerator<RawLine> {
  const handle = await openTranscript(path);
  try {
    const { size } = await handle.stat();
    if (size > MAX_TRANSCRIPT) throw new Error(`longer than ${MAX_TRANSCRIPT} bytes`);
    if (size === 0) return;
    let parts: Buffer[] = [];
    let bytes = 0;
    const add = (part: Buffer) => {
      bytes += part.length;
      if (bytes <= MAX_LINE) parts.push(part);
      else parts = [];
    };
    const take = (ended: boolean): RawLine => {
      const line = { text: Buffer.concat(parts).toString('utf8'), bytes: bytes + (ended ? 1 : 0), ended };
      [parts, bytes] = [[], 0];
      return line;
    };
    // reads no further than the present end, because the file may grow for ever
    for await (const chunk of handle.createReadStream({ end: size - 1, autoClose: false })) {
      let from = 0;
      for (let at = chunk.indexOf(0x0a); at >= 0; at = chunk.indexOf(0x0a, from)) {
        add(chunk.subarray(from, at));
        yield take(true);
        from = at + 1;
      }
      add(chunk.subarray(from));
    }
    if (bytes > 0) yield take(false);
  } finally {
    await handle.close();
  }
}

/** Lines at the beginning of a transcript that are searched for a folder; the first few may have none. */
const MAX_HEAD = 200;

/** Returns the folder in which the session of a transcript began; null if the file does not say it. */
export async function folderInTranscript(path: string): Promise<string | null | 'no file'> {
  try {
    let left = MAX_HEAD;
    for await (const { text } of linesOf(path)) {
      const cwd = str(parse(text)?.cwd);
      if (cwd !== undefined) return cwd;
      left -= 1;
      if (left === 0) break;
    }
    return null;
  } catch (error) {
    return (error as { code?: unknown }).code === 'ENOENT' ? 'no file' : null;
  }
}

/** Returns the JSON object in a line of a transcript; null if the line is anything else. */
export const parse: (text: string) => Line | null = objectIn;

/**
 * Returns the time of a line; null if it has none, or one before 2017-07-14 or more than a day in the future.
 */
export function timeOf(line: Line): Date | null {
  const at = new Date(str(line.timestamp) ?? '');
  // The time of a clock that is far wrong would break the order of events.
  return Number.isNaN(at.getTime()) || at.getTime() < 1.5e12 || at.getTime() > Date.now() + 86_400_000
    ? null
    : at;
}

/** Returns the blocks of a message's content; none if it is plain text. */
export const blocksOf = (message: Line) =>
  Array.isArray(message.content) ? message.content.filter(isObject) : [];

/** Returns the transcripts in a folder; none if it cannot be read. */
export async function transcriptsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => [] as string[]);
  return names.filter((name) => name.endsWith('.jsonl')).map((name) => join(folder, name));
}

/** Returns the transcripts of a session's subagents, by the session's own. */
export const subagentTranscripts = (path: string): Promise<string[]> =>
  transcriptsIn(join(path.replace(/\.jsonl$/, ''), 'subagents'));
