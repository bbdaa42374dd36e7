import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isObject } from '../text/json.ts';
import { speakerInTranscript } from './author.ts';
import { HookEvent } from './hook-event.ts';
import { withOwnCall } from './own-event.ts';
import {
  blocksOf,
  type Line,
  linesOf,
  openTranscript,
  parse,
  str,
  subagentTranscripts,
  timeOf,
  transcriptsIn,
} from './transcript-lines.ts';

export { folderInTranscript } from './transcript-lines.ts';
export { promptInTranscript, rejections } from './transcript-person.ts';

export type TranscriptEvent = { event: HookEvent; at: Date };

/**
 * Reads a transcript and returns the hook events that its lines after `offset` prove: prompts, tool calls that
 * succeeded or failed, and the end of each turn. The lines before `offset` are read too, because a result names its
 * call by id only.
 *
 * @param offset in bytes
 * @param until entries written after this instant are left for a later run: their hooks may still arrive
 * @returns the events in order, and the offset in bytes after the last complete line that was used
 * @throws the file system's error when the file cannot be read
 */
export async function readTranscript(
  path: string,
  offset: number,
  until: Date,
): Promise<{ events: TranscriptEvent[]; offset: number }> {
  const { size } = await stat(path);
  // A transcript that got shorter was rewritten: read all of it again. Events are stored only once anyway.
  const known = offset <= size ? offset : 0;
  const state: Turn = { calls: new Map(), promptId: null };
  const about = { session: basename(path, '.jsonl'), path };
  const events: TranscriptEvent[] = [];
  let consumed = 0;
  for await (const { text, bytes, ended } of linesOf(path)) {
    const line = parse(text);
    const at = line ? timeOf(line) : null;
    if (at !== null && at > until) break;
    // The client may still be writing the last line.
    if (line === null && !ended) break;
    consumed += bytes;
    const proved = line === null ? [] : eventsOf(line, at, state, about);
    if (consumed > known) events.push(...proved);
  }
  return { events, offset: consumed };
}

/** What a transcript said before a line, as far as the line needs it: the calls without a result, and the prompt. */
type Turn = {
  calls: Map<string, { name: string; input: Line }>;
  promptId: string | null;
};

/** The session of a transcript whose lines do not name it, and the transcript's path if it is on this machine. */
type About = { session: string; path?: string };

/** The turn that goes on at a place in a transcript: its prompt, and where it began, in bytes. */
export type OpenTurn = { promptId: string | null; from: number | null };

/** Lines of this length are passed even if a call among them has no result yet, in bytes. */
const PASSED = 300_000;

/**
 * Reads whole lines of a transcript that is on another machine. What follows the last place at which no call waits for
 * its result is left for the next reading.
 *
 * @param text the lines, each with its line feed
 * @param about.from where in the transcript they begin, in bytes
 * @param about.turn the turn that goes on there
 * @param about.until entries written after this instant are left too: their hooks may still arrive
 * @returns the events that the lines prove, in order; the offset behind the last line that was used, the turn that goes
 *   on there, and the time of that line
 */
export function readLines(
  text: string,
  about: { session: string; from: number; turn: OpenTurn; until: Date },
): { events: TranscriptEvent[]; offset: number; turn: OpenTurn; last: Date | null } {
  const state: Turn = { calls: new Map(), promptId: about.turn.promptId };
  const events: TranscriptEvent[] = [];
  let { from } = about.turn;
  let offset = about.from;
  let last: Date | null = null;
  const here = () => ({ events: [...events], offset, turn: { promptId: state.promptId, from }, last });
  let read = here();
  for (const one of text.split('\n').slice(0, -1)) {
    const line = parse(one);
    const at = line ? timeOf(line) : null;
    if (at !== null && at > about.until) return read;
    const proved = line === null ? [] : eventsOf(line, at, state, { session: about.session });
    const names = proved.map(({ event }) => event.hook_event_name);
    if (names.some((name) => name === 'Stop' || name === 'SubagentStop')) from = null;
    else if (names.includes('UserPromptSubmit')) from = offset;
    offset += Buffer.byteLength(one) + 1;
    last = at ?? last;
    events.push(...proved);
    if (state.calls.size === 0) read = here();
  }
  return offset - read.offset > PASSED ? here() : read;
}

/** Commands that the client runs itself, and their output, are in the transcript in the form of prompts. */
const CLIENT_COMMAND = /^<(?:command|local-command|bash)-/;

function eventsOf(line: Line, at: Date | null, turn: Turn, { session, path }: About): TranscriptEvent[] {
  const message = line.message;
  if (!isObject(message) || at === null) return [];
  const base = {
    session_id: str(line.sessionId) ?? session,
    cwd: str(line.cwd),
    transcript_path: path,
    prompt_id: str(line.promptId) ?? turn.promptId ?? undefined,
    agent_id: str(line.agentId),
    // Outside a repository the client writes “HEAD”.
    ...(str(line.gitBranch) !== 'HEAD' && { lore: { branch: str(line.gitBranch) } }),
  };
  if (line.type === 'assistant') {
    rememberCalls(message, turn);
    const words = textOf(message);
    if (message.stop_reason !== 'end_turn' || words === undefined) return [];
    const name = base.agent_id === undefined ? 'Stop' : 'SubagentStop';
    return toEvent({ ...base, hook_event_name: name, last_assistant_message: words }, at);
  }
  if (line.type !== 'user' || line.isMeta === true || line.isCompactSummary === true) return [];
  if (typeof message.content === 'string') {
    if (CLIENT_COMMAND.test(message.content)) return [];
    turn.promptId = str(line.promptId) ?? null;
    // A subagent's first message comes from its orchestrator. It is not a person's prompt.
    if (base.agent_id !== undefined || line.isSidechain === true) return [];
    const by = speakerInTranscript(line);
    const lore = by === null ? base.lore : { ...base.lore, by };
    return toEvent({ ...base, lore, hook_event_name: 'UserPromptSubmit', prompt: message.content }, at);
  }
  return blocksOf(message).flatMap((block) => toolResult(block, line, base, turn, at));
}

/** Returns the last text of a message. */
const textOf = (message: Line) =>
  blocksOf(message)
    .flatMap((block) => (block.type === 'text' ? (str(block.text) ?? []) : []))
    .at(-1);

function rememberCalls(message: Line, turn: Turn): void {
  for (const block of blocksOf(message)) {
    const id = str(block.id);
    const name = str(block.name);
    if (block.type === 'tool_use' && id && name) {
      turn.calls.set(id, { name, input: isObject(block.input) ? block.input : {} });
    }
  }
}

function toolResult(block: Line, line: Line, base: Line, turn: Turn, at: Date): TranscriptEvent[] {
  const id = str(block.tool_use_id);
  const call = id === undefined ? undefined : turn.calls.get(id);
  if (id === undefined || block.type !== 'tool_result' || !call) return [];
  turn.calls.delete(id);
  const tool = { ...base, tool_name: call.name, tool_input: call.input, tool_use_id: id };
  if (block.is_error !== true) {
    const response = line.toolUseResult ?? block.content;
    return toEvent({ ...tool, hook_event_name: 'PostToolUse', tool_response: response }, at);
  }
  const error = typeof block.content === 'string' ? block.content : JSON.stringify(block.content ?? '');
  if (neverRan(line, error)) return [];
  return toEvent({ ...tool, hook_event_name: 'PostToolUseFailure', error }, at);
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
 * Returns the transcripts in the folder of `path` (its project's folder, subagents included) that changed since
 * `since`, the oldest change first. Returns none when the folder cannot be read.
 */
export async function recentTranscripts(path: string, since: Date): Promise<string[]> {
  const folder = dirname(path);
  const sessionFiles = await transcriptsIn(folder);
  const agentFiles = await Promise.all(
    sessionFiles.map((file) => transcriptsIn(join(folder, basename(file, '.jsonl'), 'subagents'))),
  );
  const found: { file: string; changed: number }[] = [];
  for (const file of [...sessionFiles, ...agentFiles.flat()]) {
    const info = await stat(file).catch(() => null);
    if (info?.isFile() && info.mtime >= since) found.push({ file, changed: info.mtimeMs });
  }
  return found.sort((a, b) => a.changed - b.changed).map((entry) => entry.file);
}

/**
 * How much is read from the end, in bytes. The model's last answer is close to the end, but one line may have
 * 100 KB.
 */
const TAIL = 512 * 1024;

/** Returns the model that gave the last answer, as the end of a transcript says; null if it does not. */
export async function lastModel(path: string): Promise<string | null> {
  const tail = await readTail(path).catch(() => '');
  for (const text of tail.split('\n').reverse()) {
    const line = text.includes('"usage"') ? parse(text) : null;
    if (line?.type !== 'assistant' || line.isSidechain === true || !isObject(line.message)) continue;
    const { usage, model } = line.message;
    // what took no tokens, the client wrote itself
    if (isObject(usage) && tokensOfAnswer(usage) !== null) return modelName(model);
  }
  return null;
}

const modelName = (value: unknown): string | null =>
  typeof value === 'string' && /^[\w.:@/[\]-]{1,100}$/.test(value) ? value : null;

async function readTail(path: string): Promise<string> {
  const handle = await openTranscript(path);
  try {
    const { size } = await handle.stat();
    const length = Math.min(size, TAIL);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

const MAX_TOKENS = 1_000_000_000;
const count = (value: unknown): number | null =>
  typeof value === 'number' && value >= 0 && value <= MAX_TOKENS ? Math.round(value) : null;

/** Returns how many tokens an answer of the model took, without those that it read from the cache. */
const tokensOfAnswer = (usage: Line): number | null =>
  sumOf(usage, ['input_tokens', 'cache_creation_input_tokens', 'output_tokens']);

function sumOf(usage: Line, parts: string[]): number | null {
  const sum = parts.reduce((all, name) => all + (count(usage[name]) ?? 0), 0);
  return sum > 0 ? sum : null;
}

/**
 * Returns how many tokens a session's models wrote and read, its subagents included. What they read again
 * from the cache with each request does not count. Null when the transcript cannot be read, or contains no
 * tokens.
 */
export async function tokensUsed(path: string): Promise<number | null> {
  // a message takes several lines, one for each of its parts; the last line has the tokens of the whole
  // message
  const messages = new Map<string, number>();
  const subagents = await subagentTranscripts(path);
  for (const file of [path, ...subagents]) {
    try {
      for await (const { text } of linesOf(file)) {
        if (!text.includes('"usage"')) continue;
        const line = parse(text);
        const message = line?.type === 'assistant' && isObject(line.message) ? line.message : null;
        if (!line || !message || !isObject(message.usage)) continue;
        const id = str(message.id) ?? str(line.uuid) ?? `${file} ${messages.size}`;
        messages.set(id, tokensOfAnswer(message.usage) ?? 0);
      }
    } catch {
      // what was read so far counts
    }
  }
  const total = [...messages.values()].reduce((all, one) => all + one, 0);
  return total > 0 && total <= MAX_TOKENS ? total : null;
}
