import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openPlain } from '../base/files/plain-file.ts';
import { isObject, objectIn } from '../base/text/json.ts';

// The lines of transcripts.
//
// The client writes each session as JSON lines to <folder>/<session id>.jsonl, and those of its subagents to
// <folder>/<session id>/subagents/agent-<agent id>.jsonl. The format is not guaranteed, so all fields are optional.

export type Line = Record<string, unknown>;

export const str = (value: unknown) => (typeof value === 'string' ? value : undefined);

/** Longest line that is read, in bytes. A longer one is skipped: no hook event is that large. */
const MAX_LINE = 20_000_000;
/** Longest transcript that is read, in bytes. */
const MAX_TRANSCRIPT = 256 * 1024 * 1024;

/** `line` is null if it is no object, or too long. `bytes` is what it takes in the file; `ended`: it has a line feed. */
type Read = { line: Line | null; bytes: number; ended: boolean };

/**
 * Returns the lines that a transcript has now. It splits at line feeds only: node:readline also splits at U+2028, which
 * may occur within JSON strings. Anybody with the key of the hooks can give its path, so the path may lead to anything.
 *
 * @param mark only lines with this text are parsed
 * @param from where the first line begins, in bytes
 * @throws Error when the transcript cannot be read, or is too long
 */
export async function* linesOf(
  path: string,
  { mark = '', from: start = 0 }: { mark?: string; from?: number } = {},
): AsyncGenerator<Read> {
  if (!path.endsWith('.jsonl')) throw new Error('the name of a transcript ends in .jsonl');
  const handle = await openPlain(path);
  try {
    const { size } = await handle.stat();
    if (size > MAX_TRANSCRIPT) throw new Error(`longer than ${MAX_TRANSCRIPT} bytes`);
    // reads no further than the present end, because the file may grow for ever
    const range = { start, end: size - 1, autoClose: false };
    if (size > start) yield* linesIn(handle.createReadStream(range), mark);
  } finally {
    await handle.close();
  }
}

/** Returns the lines of the bytes of a transcript. */
export async function* linesIn(
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
  mark = '',
): AsyncGenerator<Read> {
  let parts: Buffer[] = [];
  let bytes = 0;
  const add = (part: Buffer) => {
    bytes += part.length;
    if (bytes <= MAX_LINE) parts.push(part);
    else parts = [];
  };
  const take = (ended: boolean): Read => {
    const text = Buffer.concat(parts).toString('utf8');
    const read = { line: text.includes(mark) ? objectIn(text) : null, bytes: bytes + Number(ended), ended };
    [parts, bytes] = [[], 0];
    return read;
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(0x0a); at >= 0; at = chunk.indexOf(0x0a, from)) {
      add(chunk.subarray(from, at));
      yield take(true);
      from = at + 1;
    }
    add(chunk.subarray(from));
  }
  if (bytes > 0) yield take(false);
}

/** Lines at the beginning of a transcript that are searched for a folder; the first few may have none. */
const MAX_HEAD = 200;

/** Returns the folder in which the session of a transcript began; null if the file does not say it. */
export async function folderInTranscript(path: string): Promise<string | null | 'no file'> {
  try {
    let left = MAX_HEAD;
    for await (const { line } of linesOf(path)) {
      const cwd = str(line?.cwd);
      if (cwd !== undefined) return cwd;
      left -= 1;
      if (left === 0) break;
    }
    return null;
  } catch (error) {
    return (error as { code?: unknown }).code === 'ENOENT' ? 'no file' : null;
  }
}

/**
 * Returns the time of a line; null if it has none, or one before 2017-07-14 or more than a day in the future: a clock that
 * is far wrong would break the order of events.
 */
export function timeOf(line: Line): Date | null {
  const at = new Date(str(line.timestamp) ?? '');
  return at.getTime() >= 1.5e12 && at.getTime() <= Date.now() + 86_400_000 ? at : null;
}

/** Returns the blocks of a message's content; none if it is plain text. */
export const blocksOf = (message: Line) =>
  Array.isArray(message.content) ? message.content.filter(isObject) : [];

/** The calls of a transcript that have no result yet. */
export type Calls = Map<string, { name: string; input: Line }>;

/** Remembers the calls in a message, and returns its results, each with its call, which is then forgotten. */
export function resultsIn(message: Line, calls: Calls) {
  return blocksOf(message).flatMap((block) => {
    const id = str(block.type === 'tool_use' ? block.id : block.tool_use_id);
    const name = str(block.name);
    if (block.type === 'tool_use' && id && name)
      calls.set(id, { name, input: isObject(block.input) ? block.input : {} });
    const call = id === undefined || block.type !== 'tool_result' ? undefined : calls.get(id);
    if (id === undefined || call === undefined) return [];
    calls.delete(id);
    return [{ id, block, call }];
  });
}

/** Returns the transcripts in a folder; none if it cannot be read. */
export async function transcriptsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => [] as string[]);
  return names.filter((name) => name.endsWith('.jsonl')).map((name) => join(folder, name));
}

/** Returns the transcripts of a session's subagents, by the session's own. */
export const subagentTranscripts = (path: string): Promise<string[]> =>
  transcriptsIn(join(path.replace(/\.jsonl$/, ''), 'subagents'));
