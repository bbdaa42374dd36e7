import { stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { isObject, objectIn } from '../base/text/json.ts';
import { speakerInTranscript } from './author.ts';
import { HookEvent } from './hook-event.ts';
import { withOwnCall } from './own-event.ts';
import {
  blocksOf,
  type Calls,
  type Line,
  linesOf,
  resultsIn,
  str,
  subagentTranscripts,
  timeOf,
  transcriptsIn,
} from './transcript-lines.ts';

export { folderInTranscript } from './transcript-lines.ts';
export { promptInTranscript, rejections } from './transcript-person.ts';

export type TranscriptEvent = { event: HookEvent; at: Date };

/** What a transcript said before a line, as far as the line needs it: the calls without a result, and the prompt. */
type Turn = { calls: Calls; promptId: string | null };
/** The session of a transcript whose lines do not name it, and the transcript's path if it is on this machine. */
type About = { session: string; path?: string };

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
  const turn: Turn = { calls: new Map(), promptId: null };
  const events: TranscriptEvent[] = [];
  let consumed = 0;
  for await (const { line, bytes, ended } of linesOf(path)) {
    const at = line && timeOf(line);
    // The client may still be writing the last line.
    if ((at !== null && at > until) || (line === null && !ended)) break;
    consumed += bytes;
    const proved = line && at ? eventsOf(line, at, turn, { session: basename(path, '.jsonl'), path }) : [];
    if (consumed > known) events.push(...proved);
  }
  return { events, offset: consumed };
}

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
    const line = objectIn(one);
    const at = line && timeOf(line);
    if (at !== null && at > about.until) return read;
    const proved = line && at ? eventsOf(line, at, state, { session: about.session }) : [];
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

function eventsOf(line: Line, at: Date, turn: Turn, { session, path }: About): TranscriptEvent[] {
  const message = line.message;
  if (!isObject(message)) return [];
  const base = {
    session_id: str(line.sessionId) ?? session,
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
 * Returns the transcripts in the folder of `path` (its project's folder, subagents included) that changed since
 * `since`, the oldest change first. Returns none when the folder cannot be read.
 */
export async function recentTranscripts(path: string, since: Date): Promise<string[]> {
  const own = await transcriptsIn(dirname(path));
  const files = [...own, ...(await Promise.all(own.map(subagentTranscripts))).flat()];
  const found = await Promise.all(
    files.map(async (file) => ({ file, changed: (await stat(file).catch(() => null))?.mtimeMs ?? 0 })),
  );
  const recent = found.filter(({ changed }) => changed >= since.getTime());
  return recent.sort((a, b) => a.changed - b.changed).map(({ file }) => file);
}

/** How much is read from the end for the last answer, in bytes. It is close, but one line may have 100 KB. */
const TAIL = 512 * 1024;
const MAX_TOKENS = 1_000_000_000;

/** Returns how many tokens an answer of the model took, without those that it read from the cache. */
const tokensOf = (usage: Line): number =>
  ['input_tokens', 'cache_creation_input_tokens', 'output_tokens']
    .map((name) => Number(usage[name]))
    .reduce((sum, tokens) => (tokens >= 0 && tokens <= MAX_TOKENS ? sum + Math.round(tokens) : sum), 0);

/** Yields the answers of the model in a transcript, or in its end; none behind what cannot be read. */
async function* answersIn(path: string, tail?: number) {
  try {
    for await (const { line } of linesOf(path, { mark: '"usage"', ...(tail && { tail }) })) {
      const message = line?.type === 'assistant' && isObject(line.message) ? line.message : null;
      if (line && message && isObject(message.usage))
        yield { line, message, tokens: tokensOf(message.usage) };
    }
  } catch {
    // what was read so far counts
  }
}

/** Returns the model that gave the last answer, as the end of a transcript says; null if it does not. */
export async function lastModel(path: string): Promise<string | null> {
  let model: unknown;
  // what took no tokens, the client wrote itself
  for await (const { line, message, tokens } of answersIn(path, TAIL))
    if (tokens > 0 && line.isSidechain !== true) model = message.model;
  return typeof model === 'string' && /^[\w.:@/[\]-]{1,100}$/.test(model) ? model : null;
}

/**
 * Returns how many tokens a session's models wrote and read, its subagents included. What they read again from the cache
 * with each request does not count. Null when the transcript cannot be read, or contains no tokens.
 */
export async function tokensUsed(path: string): Promise<number | null> {
  // a message takes several lines, one for each of its parts; the last line has the tokens of the whole message
  const messages = new Map<string, number>();
  for (const file of [path, ...(await subagentTranscripts(path))])
    for await (const { line, message, tokens } of answersIn(file))
      messages.set(str(message.id) ?? str(line.uuid) ?? `${file} ${messages.size}`, tokens);
  const total = [...messages.values()].reduce((all, one) => all + one, 0);
  return total > 0 && total <= MAX_TOKENS ? total : null;
}
