import { constants } from 'node:fs';
import { type FileHandle, realpath } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { openPlain } from '../files/plain-file.ts';
import type { HookEvent } from '../sessions/hook-event.ts';
import { clip } from '../text/clip.ts';
import { isObject } from '../text/json.ts';

// Which outputs of tools are worth keeping, and where their whole text is.

/** Shortest output that is kept apart from its event, in UTF-16 units. */
export const MIN_CHARACTERS = 1_000;
/** Largest file with an output that is read, in bytes: as large as the largest body of a hook. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;

/**
 * Tools whose output is not kept: they show or write files that the agent can read again, find files that can be found
 * again, or say next to nothing.
 */
const NOT_KEPT = new Set(
  (
    'Read Write Edit MultiEdit NotebookEdit NotebookRead Glob Grep LS TodoWrite TodoRead Skill ToolSearch ' +
    'EnterPlanMode ExitPlanMode AskUserQuestion'
  ).split(' '),
);
const ENDS = ['PostToolUse', 'PostToolUseFailure'];

/** The first line of what `lore obs` prints. An observation that an agent reads is not kept as another one. */
export const header = (id: string, what: string) => `[obs:${id}] ${what}`;
const READ_AGAIN = /^\[obs:[0-9a-f]{12}\] lines? [\d,]/;

/** Returns whether the output of an event's tool is kept if it is long. */
export const isKept = ({ hook_event_name: name, tool_name: tool }: HookEvent): boolean =>
  ENDS.includes(name) && typeof tool === 'string' && !NOT_KEPT.has(tool);

/**
 * Returns the output of a tool call as text: standard output and errors of a command, the text of an answer
 * or a report, the message of a failed call. Returns null if there is none, or if it is an observation that
 * was read again.
 */
export function outputText(event: HookEvent): string | null {
  const text =
    event.hook_event_name === 'PostToolUseFailure' ? (event.error ?? null) : textIn(event.tool_response, 0);
  return text === null || READ_AGAIN.test(text) ? null : text;
}

/** The fields in which tools put their text. The first one that exists counts. */
const TEXTS = ['content', 'result', 'results', 'output', 'text', 'message'];
const MAX_DEPTH = 4;

function textIn(value: unknown, depth: number): string | null {
  if (typeof value === 'string') return value;
  if (depth > MAX_DEPTH) return null;
  if (Array.isArray(value)) {
    const parts = value.flatMap((item) => textIn(item, depth + 1) ?? []);
    return parts.length === 0 ? null : parts.join('\n');
  }
  if (!isObject(value) || value.isImage === true) return null;
  const { stdout, stderr } = value;
  if (typeof stdout === 'string' || typeof stderr === 'string') return joined(stdout, stderr);
  for (const name of TEXTS) {
    const found = value[name] === undefined ? null : textIn(value[name], depth + 1);
    if (found !== null) return found;
  }
  return null;
}

/** Returns standard output and errors as one text. */
const joined = (...parts: unknown[]): string =>
  parts.filter((part) => typeof part === 'string' && part !== '').join('\n');

/** Returns what a call was about, for people who look for its output: its command, address or query. */
export function aboutCall({ tool_input: input }: HookEvent): string {
  const about = [input?.command, input?.url, input?.query, input?.description, input?.prompt].find(
    (value) => typeof value === 'string' && value !== '',
  );
  return clip(String(about ?? '').toWellFormed(), 300);
}

/**
 * Returns the file in which the client keeps an output that was too long for the event. The path comes from
 * the event, and anybody with the key of the hooks can send events. So it is accepted only if the client puts
 * such files there: a text file in a folder `tool-results` below the folder of the session's transcript.
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
 * Reads an output from the client's file (see `outputFile`). Returns null if it is not a plain file of its own in that
 * very folder (no link, neither symbolic nor hard), is larger than 16 MB, or cannot be read.
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
