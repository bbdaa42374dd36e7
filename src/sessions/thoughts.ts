import { basename, dirname, join } from 'node:path';
import { redactText } from '../redaction/redact.ts';
import { clip } from '../text/clip.ts';
import { isObject } from '../text/json.ts';
import { tokensOfAnswer } from './transcript.ts';
import { type Line, linesOf, parse, str, timeOf } from './transcript-lines.ts';

// What a transcript contains in addition to the hook events: what the agent thought before a call, and how
// many tokens it used. The format is not guaranteed, so everything may be missing.

export type Thoughts = {
  /** call id → what the agent said or thought right before it, redacted */
  byCall: Map<string, string>;
  /** each answer of the model with its tokens, those read from the cache left out */
  answers: { at: Date; tokens: number; branch: string | null }[];
};

/** Longest thought that is kept, in characters. */
const MAX_THOUGHT = 300;

/** Returns where the client writes the transcript of a subagent of a session. */
export const agentTranscript = (path: string, agentId: string): string | null =>
  /^[\w-]+$/.test(agentId)
    ? join(dirname(path), basename(path, '.jsonl'), 'subagents', `agent-${agentId}.jsonl`)
    : null;

/**
 * Reads thoughts and tokens from a transcript. If the file cannot be read, the result is empty.
 *
 * @param since what was written before is left out
 */
export async function readThoughts(path: string, since: Date | null): Promise<Thoughts> {
  const found: Thoughts = { byCall: new Map(), answers: [] };
  try {
    const state = { thought: '', message: '' };
    for await (const { text } of linesOf(path)) {
      if (!text.includes('"assistant"') || isOlder(text, since)) continue;
      const line = parse(text);
      if (line) read(line, found, state);
    }
  } catch {
    // what was read so far is kept
  }
  return found;
}

/** Lines that are older need not be parsed. */
function isOlder(text: string, since: Date | null): boolean {
  const at = since && /"timestamp":"([^"]{20,30})"/.exec(text)?.[1];
  return at ? new Date(at) < since : false;
}

/** The client writes each part of an answer as a line of its own, with the same id and usage. */
function read(line: Line, found: Thoughts, state: { thought: string; message: string }): void {
  const message = line.message;
  const at = timeOf(line);
  if (line.type !== 'assistant' || !isObject(message) || !at) return;
  const id = str(message.id) ?? '';
  const tokens = isObject(message.usage) ? tokensOfAnswer(message.usage) : null;
  if (tokens !== null && (id === '' || id !== state.message)) {
    const branch = str(line.gitBranch);
    found.answers.push({ at, tokens, branch: branch === undefined || branch === 'HEAD' ? null : branch });
  }
  state.message = id;
  for (const block of Array.isArray(message.content) ? message.content.filter(isObject) : []) {
    const said =
      block.type === 'text' ? str(block.text) : block.type === 'thinking' ? str(block.thinking) : undefined;
    // what the agent said is worth more than what it only thought
    if (said?.trim() && (block.type === 'text' || state.thought === '')) state.thought = said;
    const call = block.type === 'tool_use' ? str(block.id) : undefined;
    if (call === undefined) continue;
    // redacted before it is cut: half a secret would not be recognised
    if (state.thought !== '') {
      const words = redactText(state.thought).replace(/\s+/g, ' ').trim();
      found.byCall.set(call, clip(words, MAX_THOUGHT));
    }
    // calls that go out together have one thought
    state.thought = '';
  }
}
