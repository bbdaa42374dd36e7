import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { eq } from 'drizzle-orm';
import { openPlain } from '../base/files/plain-file.ts';
import { isObject, objectIn } from '../base/text/json.ts';
import { asUser, type Claims } from '../db/as-user.ts';
import { indexable } from '../db/columns.ts';
import type { Database } from '../db/open.ts';
import { speakerInTranscript } from './author.ts';
import { HookEvent, withOwnCall } from './hook-event.ts';
import { transcriptCursors } from './schema.ts';

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
async function transcriptsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => [] as string[]);
  return names.filter((name) => name.endsWith('.jsonl')).map((name) => join(folder, name));
}

/** Returns the transcripts of a session's subagents, by the session's own. */
export const subagentTranscripts = (path: string): Promise<string[]> =>
  transcriptsIn(join(path.replace(/\.jsonl$/, ''), 'subagents'));

export type TranscriptEvent = { event: HookEvent; at: Date };

/** What is said before a line, as far as the line needs it: the calls without a result, and the prompt. */
type Turn = { calls: Calls; promptId: string | null };

/** Entries younger than this may still arrive by hook. */
export const UNTIL_MS = 5_000;
/** Lines of this length are passed even if a call among them has no result yet, in bytes. */
const PASSED = 300_000;

/**
 * Reads a transcript and returns the hook events that its lines prove: prompts, tool calls that succeeded or failed, and
 * the end of each turn. Entries whose hooks may still arrive are left for the next reading.
 *
 * @param from where to begin, in bytes
 * @param lines its lines from there on, if it is on another machine: then `promptId` is of the prompt before them
 * @returns the events in order, and where the next reading begins: a turn that goes on is then read whole, to know its
 *   prompt, and so is a call without a result. `settled`, with `promptId`: where it may go on at once
 * @throws the file system's error when the file cannot be read
 */
export async function readTranscript(
  path: string,
  from: number,
  lines = linesOf(path, { from }),
  promptId: string | null = null,
): Promise<{ events: TranscriptEvent[]; next: number; settled: number; promptId: string | null }> {
  const until = Date.now() - UNTIL_MS;
  const turn: Turn = { calls: new Map(), promptId };
  const events: TranscriptEvent[] = [];
  let offset = from;
  let settled = from;
  let began: number | null = null;
  for await (const { line, bytes, ended } of lines) {
    const at = line && timeOf(line);
    // the client may still be writing the last line
    if ((at !== null && at.getTime() > until) || (line === null && !ended)) break;
    const proved = line && at ? eventsOf(line, at, turn, path) : [];
    const names = proved.map(({ event }) => event.hook_event_name);
    if (names.some((name) => name === 'Stop' || name === 'SubagentStop')) began = null;
    else if (names.includes('UserPromptSubmit')) began = offset;
    offset += bytes;
    events.push(...proved);
    if (turn.calls.size === 0 || offset - settled > PASSED) settled = offset;
  }
  return { events, next: Math.min(began ?? settled, settled), settled, promptId: turn.promptId };
}

/** Commands that the client runs itself, and their output, are in the transcript in the form of prompts. */
const CLIENT_COMMAND = /^<(?:command|local-command|bash)-/;

function eventsOf(line: Line, at: Date, turn: Turn, path: string): TranscriptEvent[] {
  const message = line.message;
  if (!isObject(message)) return [];
  const base = {
    session_id: str(line.sessionId) ?? basename(path, '.jsonl'),
    cwd: str(line.cwd),
    transcript_path: path,
    prompt_id: str(line.promptId) ?? turn.promptId ?? undefined,
    agent_id: str(line.agentId),
    // Outside a repository the client writes “HEAD”.
    ...(str(line.gitBranch) !== 'HEAD' && { lore: { branch: str(line.gitBranch) } }),
  };
  const results = resultsIn(message, turn.calls);
  if (line.type === 'assistant') {
    const words = blocksOf(message).flatMap((block) =>
      block.type === 'text' ? (str(block.text) ?? []) : [],
    );
    if (message.stop_reason !== 'end_turn' || words.length === 0) return [];
    const name = base.agent_id === undefined ? 'Stop' : 'SubagentStop';
    return toEvent({ ...base, hook_event_name: name, last_assistant_message: words.at(-1) }, at);
  }
  if (line.type !== 'user' || line.isMeta === true || line.isCompactSummary === true) return [];
  if (typeof message.content === 'string') {
    if (CLIENT_COMMAND.test(message.content)) return [];
    turn.promptId = str(line.promptId) ?? null;
    // A subagent's first message comes from its orchestrator. It is not a person's prompt.
    if (base.agent_id !== undefined || line.isSidechain === true) return [];
    const lore = { ...base.lore, by: speakerInTranscript(line) };
    return toEvent({ ...base, lore, hook_event_name: 'UserPromptSubmit', prompt: message.content }, at);
  }
  return results.flatMap(({ id, block, call }) => {
    const tool = { ...base, tool_name: call.name, tool_input: call.input, tool_use_id: id };
    if (block.is_error !== true) {
      const response = line.toolUseResult ?? block.content;
      return toEvent({ ...tool, hook_event_name: 'PostToolUse', tool_response: response }, at);
    }
    const error = typeof block.content === 'string' ? block.content : JSON.stringify(block.content ?? '');
    if (neverRan(line, error)) return [];
    return toEvent({ ...tool, hook_event_name: 'PostToolUseFailure', error }, at);
  });
}

/** Returns whether a call was denied or did not fit its schema. The client runs no hook after such a call. */
const neverRan = (line: Line, error: string) =>
  line.toolDenialKind !== undefined ||
  (isObject(line.permissionDecision) && line.permissionDecision.decision === 'reject') ||
  /^<tool_use_error>|^The user doesn't want to|^\[Request interrupted by user/.test(error);

function toEvent(payload: Line, at: Date): TranscriptEvent[] {
  const parsed = HookEvent.safeParse(payload);
  return parsed.success ? [{ event: withOwnCall(parsed.data), at }] : [];
}

/**
 * Returns the transcripts in the folder of `path` (its project's folder, subagents included) that changed since an instant,
 * the oldest change first. Returns none when the folder cannot be read.
 */
export async function recentTranscripts(path: string, since: number) {
  const own = await transcriptsIn(dirname(path));
  const files = [...own, ...(await Promise.all(own.map(subagentTranscripts))).flat()];
  const found = await Promise.all(
    files.map(async (file) => {
      const { mtimeMs = 0, size = 0 } = (await stat(file).catch(() => null)) ?? {};
      return { file, size, changed: mtimeMs };
    }),
  );
  return found.filter(({ changed }) => changed >= since).sort((a, b) => a.changed - b.changed);
}

type Cursor = { offset: number; updatedAt: Date };

/**
 * Returns where the next reading of a transcript begins, and when it was read last; undefined if it never was. `file`: its
 * path, or its name on another machine
 */
export async function readCursor(db: Database, claims: Claims, file: string): Promise<Cursor | undefined> {
  const { path, offset, updatedAt } = transcriptCursors;
  const [row] = await asUser(db, claims, (tx) =>
    tx
      .select({ offset, updatedAt })
      .from(transcriptCursors)
      .where(eq(path, indexable(file))),
  );
  return row;
}

export async function moveCursor(db: Database, claims: Claims, to: Cursor & { path: string }): Promise<void> {
  const target = [transcriptCursors.userId, transcriptCursors.path];
  await asUser(db, claims, (tx) =>
    tx.insert(transcriptCursors).values(to).onConflictDoUpdate({ target, set: to }),
  );
}

const MAX_TOKENS = 1_000_000_000;
/** How much is read from the end for the last answer, in bytes. It is close, but one line may have 100 KB. */
const TAIL = 512 * 1024;

/** Returns how many tokens an answer of the model took, without those that it read from the cache. */
const tokensOf = (usage: Line): number =>
  ['input_tokens', 'cache_creation_input_tokens', 'output_tokens']
    .map((name) => Number(usage[name]))
    .reduce((sum, tokens) => (tokens >= 0 && tokens <= MAX_TOKENS ? sum + Math.round(tokens) : sum), 0);

/** What a session used according to its transcript: null for what it does not say. */
export type Usage = { tokens: number | null; model: string | null };

/**
 * Returns how many tokens a session's models wrote and read, its subagents included, and which model answered last. What they
 * read again from the cache with each request does not count. What cannot be read does not count either.
 *
 * @param onlyModel reads the end of its transcript only
 */
export async function usageIn(path: string, onlyModel = false): Promise<Usage> {
  // a message takes several lines, one for each of its parts; the last line has the tokens of the whole message
  const messages = new Map<string, number>();
  let model: unknown;
  const from = onlyModel ? Math.max(0, ((await stat(path).catch(() => null))?.size ?? 0) - TAIL) : 0;
  for (const file of [path, ...(onlyModel ? [] : await subagentTranscripts(path))]) {
    try {
      for await (const { line } of linesOf(file, { mark: '"usage"', from })) {
        const message = line?.type === 'assistant' && isObject(line.message) ? line.message : null;
        if (!line || !message || !isObject(message.usage)) continue;
        const tokens = tokensOf(message.usage);
        messages.set(str(message.id) ?? str(line.uuid) ?? `${file} ${messages.size}`, tokens);
        // what took no tokens, the client wrote itself
        if (file === path && tokens > 0 && line.isSidechain !== true) model = message.model;
      }
    } catch {
      // what was read so far counts
    }
  }
  const total = [...messages.values()].reduce((all, one) => all + one, 0);
  return {
    tokens: !onlyModel && total > 0 && total <= MAX_TOKENS ? total : null,
    model: typeof model === 'string' && /^[\w.:@/[\]-]{1,100}$/.test(model) ? model : null,
  };
}
