import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, realpath } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';
import { z } from 'zod';
import { openPlain } from '../base/files/plain-file.ts';
import { clip } from '../base/text/clip.ts';
import { isObject } from '../base/text/json.ts';
import { isErrorLine } from '../incidents/error-lines.ts';
import { redactLarge } from '../redaction/large.ts';
import { shortenText } from '../redaction/redact.ts';
import type { HookEvent } from '../sessions/hook-event.ts';

// Which outputs of tools are kept, where their whole text is, and in which form they are stored and shown.

/** Shortest output that is kept apart from its event, in UTF-16 units. */
export const MIN_CHARACTERS = 1_000;
/** Longest output that is kept whole, in UTF-16 units. Of a longer one the head and the tail are kept. */
const MAX_CHARACTERS = 4_000_000;
/** Most bytes of a deflated output: in Base64 it fits into a line of the journal. What does not shrink loses its middle. */
const MAX_DEFLATED = 700_000;
/** Largest file with an output that is read, in bytes: as large as the largest body of a hook. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;

/** Tools whose output is not kept: they show what the agent can read or find again, or say next to nothing. */
const NOT_KEPT = new Set(
  (
    'Read Write Edit MultiEdit NotebookEdit NotebookRead Glob Grep LS TodoWrite TodoRead Skill ToolSearch ' +
    'EnterPlanMode ExitPlanMode AskUserQuestion'
  ).split(' '),
);
const ENDS = ['PostToolUse', 'PostToolUseFailure'];
/** The first line of what `lore obs` prints. An observation that an agent reads is not kept as another one. */
const READ_AGAIN = /^\[obs:[0-9a-f]{12}\] lines? [\d,]/;

/** Returns whether the output of an event's tool is kept if it is long. */
export const isKept = ({ hook_event_name: name, tool_name: tool }: HookEvent): boolean =>
  ENDS.includes(name) && typeof tool === 'string' && !NOT_KEPT.has(tool);

/**
 * Returns the output of a tool call as text: standard output and errors of a command, the text of an answer or a report,
 * the message of a failed call. Null if there is none, or if it is an observation that was read again.
 */
export function outputText(event: HookEvent): string | null {
  const text =
    event.hook_event_name === 'PostToolUseFailure' ? (event.error ?? null) : textIn(event.tool_response, 0);
  return text === null || READ_AGAIN.test(text) ? null : text;
}

/** The fields in which tools put their text. The first one that exists counts. */
const TEXTS = ['content', 'result', 'results', 'output', 'text', 'message'];

function textIn(value: unknown, depth: number): string | null {
  if (typeof value === 'string') return value;
  if (depth > 4) return null;
  if (Array.isArray(value)) {
    const parts = value.flatMap((item) => textIn(item, depth + 1) ?? []);
    return parts.length === 0 ? null : parts.join('\n');
  }
  if (!isObject(value) || value.isImage === true) return null;
  const { stdout, stderr } = value;
  if (typeof stdout === 'string' || typeof stderr === 'string')
    return [stdout, stderr].filter((part) => typeof part === 'string' && part !== '').join('\n');
  for (const name of TEXTS) {
    const found = value[name] === undefined ? null : textIn(value[name], depth + 1);
    if (found !== null) return found;
  }
  return null;
}

/** Returns what a call was about, for people who look for its output: its command, address or query. */
export function aboutCall({ tool_input: input }: HookEvent): string {
  const about = [input?.command, input?.url, input?.query, input?.description, input?.prompt].find(
    (value) => typeof value === 'string' && value !== '',
  );
  return clip(String(about ?? '').toWellFormed(), 300);
}

/**
 * Returns the file in which the client keeps an output that was too long for the event. The path comes from the event, and
 * anybody with the key of the hooks can send events. So it is accepted only if the client puts such files there: a text
 * file in a folder `tool-results` below the folder of the session's transcript.
 */
export function outputFile({
  tool_response: response,
  transcript_path: transcript,
}: HookEvent): string | null {
  const path = isObject(response) ? response.persistedOutputPath : undefined;
  if (typeof path !== 'string' || !transcript || path.length > 4096) return null;
  const place = `${transcript.replace(/\.jsonl$/, '')}${sep}tool-results${sep}`;
  const inPlace = transcript.endsWith('.jsonl') && path.startsWith(place);
  return inPlace && /^[\w-]{1,100}\.txt$/.test(path.slice(place.length)) ? path : null;
}

/**
 * Reads an output from the client's file (see `outputFile`). Null if it is not a plain file of its own in that very folder
 * (no link, neither symbolic nor hard), is too large, or cannot be read.
 */
export async function readOutputFile(path: string): Promise<string | null> {
  let handle: FileHandle | undefined;
  try {
    const folder = dirname(path);
    // links above the session's folder are the person's own; a link below it might lead elsewhere
    const project = dirname(dirname(folder));
    if ((await realpath(folder)) !== join(await realpath(project), relative(project, folder))) return null;
    handle = await openPlain(path, constants.O_NOFOLLOW);
    const info = await handle.stat();
    if (info.nlink > 1 || info.size > MAX_FILE_BYTES) return null;
    return await handle.readFile('utf8');
  } catch {
    return null;
  } finally {
    await handle?.close();
  }
}

/** An output, ready to be stored. */
export const Kept = z.object({
  id: z.string().regex(/^[0-9a-f]{12}$/),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  characters: z.number().int(),
  lines: z.number().int(),
  /** false: the middle was cut out, because the output was longer than what is kept */
  whole: z.boolean(),
  /** the agent sees an extract in its place, so it is kept even if the limit of the day is reached */
  masked: z.boolean().optional(),
  /** the deflated text, Base64 */
  content: z.string(),
});
export type Kept = z.infer<typeof Kept>;

/** A redacted output; `whole`: nothing was cut out of it. */
export type Redacted = { text: string; whole: boolean };

/** Redacts a text whole, in another thread if it is long. Of a very long one only the head and the tail are kept. */
export const redactOutput = async (text: string): Promise<Redacted> => ({
  text: await redactLarge(text, { maxString: MAX_CHARACTERS, maxTotal: Number.POSITIVE_INFINITY }),
  whole: text.length <= MAX_CHARACTERS,
});

/** The fastest level of zlib: a megabyte of log takes 3 ms instead of 9, and is a twentieth larger. */
const deflated = (text: string) => promisify(deflate)(text, { level: 1 });

/** Returns what is stored of a redacted output. The id is that of the text as it is kept. */
export async function toKept({ text, whole }: Redacted): Promise<Kept> {
  for (let most = MAX_CHARACTERS; ; most /= 2) {
    const kept = shortenText(text, most);
    const content = await deflated(kept);
    if (content.length > MAX_DEFLATED) continue;
    const hash = createHash('sha256').update(kept).digest('hex');
    const size = { characters: kept.length, lines: linesOf(kept).length, whole: whole && kept === text };
    return { id: hash.slice(0, 12), hash, ...size, content: content.toString('base64') };
  }
}

/** Redacts a deflated output again, by the present rules. Takes and returns bytes as PostgreSQL writes them, in hex. */
export async function redactContent(hex: string): Promise<string> {
  const text = await toText(Buffer.from(hex.slice(2), 'hex'));
  const all = { maxString: Number.MAX_SAFE_INTEGER, maxTotal: Number.POSITIVE_INFINITY };
  const clean = await redactLarge(text, all);
  return clean === text ? hex : `\\x${(await deflated(clean)).toString('hex')}`;
}

/** Returns the text of a deflated output. @throws the error of zlib if it is none, or longer than any that is kept */
export const toText = async (content: Uint8Array): Promise<string> =>
  // a character of UTF-16 has at most three bytes in UTF-8
  (await promisify(inflate)(content, { maxOutputLength: 3 * MAX_CHARACTERS })).toString();

/** Splits a text into lines. A line end at the end of the text begins no new line. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

const HEAD_LINES = 10;
const TAIL_LINES = 30;
/** Most lines with errors that are shown. The others are only counted. */
const MAX_ERROR_LINES = 50;
/** Longest line, in characters. */
const MAX_LINE = 160;
const inThousands = (n: number) => n.toLocaleString('en-US');

/**
 * Returns what an agent is shown in place of a long output: its size, its first 10 and last 30 lines, the lines in between
 * that tell of an error, and how the rest is read. Null if that is not much shorter than the output.
 *
 * @param id of the observation that keeps the output
 */
export function extractOf(id: string, text: string): string | null {
  const lines = linesOf(text);
  const last = Math.max(HEAD_LINES, lines.length - TAIL_LINES);
  const errors = lines.slice(HEAD_LINES, last).flatMap((line, i) => {
    return isErrorLine(line.slice(0, 1_000)) ? `${HEAD_LINES + i + 1}: ${cutLine(line)}` : [];
  });
  const more = errors.length - MAX_ERROR_LINES;
  const middle = [
    `… lines ${HEAD_LINES + 1}-${last} are kept and not shown${errors.length > 0 ? ', but for errors' : ''} …`,
    ...errors.slice(0, MAX_ERROR_LINES),
    ...(more > 0 ? [`… ${inThousands(more)} more lines with errors …`] : []),
    ...(errors.length > 0 ? ['…'] : []),
  ];
  // if no lines are hidden, the ends of long lines are missing
  const hidden = lines.length > HEAD_LINES + TAIL_LINES;
  const rest = hidden ? `${HEAD_LINES + 1}-${Math.min(last, HEAD_LINES + 200)}` : '1-1';
  const extract = [
    `[obs:${id}] ${inThousands(text.length)} characters, ${inThousands(lines.length)} lines`,
    ...lines.slice(0, HEAD_LINES).map(cutLine),
    ...(hidden ? middle : []),
    ...lines.slice(last).map(cutLine),
    `[read the rest: lore obs ${id} --lines ${rest}, or: lore obs ${id} --grep WORD]`,
  ].join('\n');
  return extract.length <= text.length / 2 ? extract : null;
}

function cutLine(line: string): string {
  if (line.length <= MAX_LINE) return line.trimEnd();
  const kept = clip(line, MAX_LINE - 30);
  return `${kept}… [${inThousands(line.length - kept.length)} more characters]`;
}
