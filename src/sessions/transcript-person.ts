import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { redactText } from '../redaction/redact.ts';
import { clip } from '../text/clip.ts';
import { isObject } from '../text/json.ts';
import { ownWords, type Speaker, speakerInTranscript } from './author.ts';
import { blocksOf, type Line, linesOf, parse, str, subagentTranscripts, timeOf } from './transcript-lines.ts';

// What a person said according to the client's own record: whether a prompt stands in it, and what they said when they
// rejected a call, which no hook reports.

/** A stored prompt may be cut; two that are longer and agree so far are the same one. */
const COMPARED = 4_000;

/**
 * Returns whether a person's prompt stands in a session's transcript. The client writes it about when it calls the hook, so
 * ask when the turn has ended. `unknown`: there is no such transcript, or it cannot be read, or it is not this user's file.
 *
 * @param path the session's transcript, as the client named it when the session started
 * @param prompt as it is stored: redacted, without what the client put around it
 */
export async function promptInTranscript(
  path: string,
  sessionId: string,
  prompt: string,
): Promise<'yes' | 'no' | 'unknown'> {
  if (basename(path) !== `${sessionId}.jsonl` || !(await isOwn(path))) return 'unknown';
  const wanted = comparable(prompt);
  let any = false;
  try {
    for await (const { text } of linesOf(path)) {
      if (!/"(?:user|queue-operation|queued_command)"/.test(text)) continue;
      const line = parse(text);
      if (!line) continue;
      const ofSession = str(line.sessionId) === undefined || line.sessionId === sessionId;
      const { texts, speaker } = ofSession ? promptIn(line) : NONE;
      any ||= texts.length > 0;
      const said = speaker === null ? texts : [];
      // of two prompts with one id, such as that of another session, the one with this text is meant
      if (said.some((one) => sameText(comparable(redactText(one)), wanted))) return 'yes';
    }
  } catch {
    return 'unknown';
  }
  // a transcript without any prompt is not written yet, or in a form that is not known
  return any ? 'no' : 'unknown';
}

const isOwn = async (path: string): Promise<boolean> => {
  const info = await stat(path).catch(() => null);
  return info?.isFile() === true && (process.getuid === undefined || info.uid === process.getuid());
};

/** Returns the text of a prompt in a form in which both records of it are equal. */
const comparable = (prompt: string): string => ownWords(prompt).normalize('NFC').replace(/\s+/g, ' ').trim();

const sameText = (one: string, other: string): boolean =>
  one === other ||
  (one.length > COMPARED && other.length > COMPARED && one.slice(0, COMPARED) === other.slice(0, COMPARED));

type Prompt = { texts: string[]; speaker: Speaker | null };
const NONE: Prompt = { texts: [], speaker: null };

/**
 * Returns the prompt in a line of a transcript, in each form in which a hook may have sent it, and who wrote it if no
 * person did.
 */
function promptIn(line: Line): Prompt {
  const { attachment } = line;
  if (isObject(attachment) && attachment.type === 'queued_command') {
    return { texts: textsOf(attachment.prompt), speaker: speakerInTranscript(attachment) };
  }
  if (line.type === 'queue-operation') return { texts: textsOf(line.content), speaker: null };
  if (line.type !== 'user' || line.isMeta === true || line.isSidechain === true) return NONE;
  if (line.isCompactSummary === true || !isObject(line.message)) return NONE;
  const texts = textsOf(line.message.content).flatMap((text) => [text, ...commandIn(text)]);
  return { texts, speaker: speakerInTranscript(line) };
}

function textsOf(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  const texts = blocksOf({ content }).flatMap((block) =>
    block.type === 'text' ? (str(block.text) ?? []) : [],
  );
  return texts.length > 1 ? [...texts, texts.join('\n')] : texts;
}

const partOf = (text: string, tag: string) =>
  new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(text)?.[1]?.trim();

/** Returns the command that a person typed, if a prompt is one: `/lore:recap the cache`. */
function commandIn(text: string): string[] {
  const name = partOf(text, 'command-name');
  if (name === undefined) return [];
  const typed = `${name.startsWith('/') ? '' : '/'}${name} ${partOf(text, 'command-args') ?? ''}`;
  return [typed.trim()];
}

/** A call that a person rejected. `command`: what a shell was to run; `hint`: what the person said, null for nothing. */
export type Rejection = {
  at: Date;
  toolUseId: string;
  tool: string;
  command: string | null;
  hint: string | null;
};

/** How the result of a call begins that a person rejected. */
const REFUSED = "The user doesn't want to proceed with this tool use.";
/** The same with a remark; that of a subagent is worded differently. */
const REJECTED = [
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). To tell you how to proceed, the user said:",
  'Permission for this tool use was denied. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). The user said:',
];
/** What the client adds for the agent behind the remark. */
const ADDED = /\n+(?:Note: The user's next message may contain|Correction to the text above:)[\s\S]*$/;
const MAX_HINT = 4_000;
const MAX_COMMAND = 8_000;

/**
 * Returns the calls that a person rejected between two instants (both included), redacted, the oldest first; also calls of
 * subagents. Returns none when the transcript cannot be read.
 */
export async function rejections(path: string, from: Date, to: Date): Promise<Rejection[]> {
  const found: Rejection[] = [];
  for (const file of [path, ...(await subagentTranscripts(path))]) {
    const calls = new Map<string, { name: string; input: Line }>();
    try {
      for await (const { text } of linesOf(file)) {
        if (!text.includes('"tool_use"') && !text.includes('"tool_result"')) continue;
        const line = parse(text);
        const at = line && timeOf(line);
        if (!line || !at || !isObject(line.message)) continue;
        for (const block of blocksOf(line.message)) {
          const id = str(block.type === 'tool_use' ? block.id : block.tool_use_id);
          if (id === undefined) continue;
          const name = str(block.name);
          if (block.type === 'tool_use' && name) {
            calls.set(id, { name, input: isObject(block.input) ? block.input : {} });
          }
          const call = calls.get(id);
          if (block.type !== 'tool_result' || !call || at < from || at > to) continue;
          const hint = hintIn(line, block, call.name);
          if (hint === undefined) continue;
          const command = str(call.input.command);
          found.push({
            at,
            toolUseId: id,
            tool: call.name,
            command: command === undefined ? null : clip(redactText(command), MAX_COMMAND),
            // redacted before it is cut: half a secret would not be recognised
            hint: hint === null ? null : clip(redactText(hint), MAX_HINT),
          });
        }
      }
    } catch {
      // what was read so far counts
    }
  }
  return found.sort((a, b) => a.at.getTime() - b.at.getTime());
}

/** Returns what a person said in a rejection, null if nothing; undefined for a result that is no rejection. */
function hintIn(line: Line, block: Line, tool: string): string | null | undefined {
  const kind = str(line.toolDenialKind);
  // a tool writes its own results, so from a server of somebody else the words alone prove nothing
  if (block.is_error !== true || (kind === undefined ? tool.startsWith('mcp__') : kind !== 'user-rejected'))
    return undefined;
  const text = typeof block.content === 'string' ? block.content : textsOf(block.content).at(-1);
  const begin = REJECTED.find((words) => text?.trimStart().startsWith(words));
  const said = begin === undefined ? undefined : text?.trimStart().slice(begin.length).replace(ADDED, '');
  const remark = (str(line.userFeedback) ?? said)?.trim();
  if (remark) return remark;
  return kind === 'user-rejected' || text?.trimStart().startsWith(REFUSED) ? null : undefined;
}
