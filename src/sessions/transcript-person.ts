import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { clip } from '../base/text/clip.ts';
import { isObject } from '../base/text/json.ts';
import { redactText } from '../redaction/redact.ts';
import { ownWords, speakerInTranscript } from './author.ts';
import {
  blocksOf,
  type Calls,
  type Line,
  linesOf,
  resultsIn,
  str,
  subagentTranscripts,
  timeOf,
} from './transcript.ts';

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
    for await (const { line } of linesOf(path)) {
      if (!line || (line.sessionId ?? sessionId) !== sessionId) continue;
      const { texts, by } = promptIn(line);
      any ||= texts.length > 0;
      // of two prompts with one id, such as that of another session, the one with this text is meant
      if (by === null && texts.some((one) => comparable(redactText(one)) === wanted)) return 'yes';
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
const comparable = (prompt: string): string =>
  ownWords(prompt).normalize('NFC').replace(/\s+/g, ' ').trim().slice(0, COMPARED);

/** Returns the prompt in a line, in each form in which a hook may have sent it, and who wrote it if no person did. */
function promptIn(line: Line): { texts: string[]; by: string | null } {
  const { attachment, message } = line;
  if (isObject(attachment) && attachment.type === 'queued_command')
    return { texts: textsOf(attachment.prompt), by: speakerInTranscript(attachment) };
  if (line.type === 'queue-operation') return { texts: textsOf(line.content), by: null };
  const typed = line.isMeta !== true && line.isSidechain !== true && line.isCompactSummary !== true;
  if (line.type !== 'user' || !typed || !isObject(message)) return { texts: [], by: null };
  const texts = textsOf(message.content).flatMap((text) => [text, ...commandIn(text)]);
  return { texts, by: speakerInTranscript(line) };
}

function textsOf(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  const texts = blocksOf({ content }).flatMap((block) =>
    block.type === 'text' ? (str(block.text) ?? []) : [],
  );
  return texts.length > 1 ? [...texts, texts.join('\n')] : texts;
}

/** Returns the command that a person typed, if a prompt is one: `/lore:recap the cache`. */
function commandIn(text: string): string[] {
  const part = (tag: string) => new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(text)?.[1]?.trim();
  const name = part('command-name');
  return name ? [`/${name.replace(/^\//, '')} ${part('command-args') ?? ''}`.trim()] : [];
}

/** A call that a person rejected. `command`: what a shell was to run; `hint`: what the person said, null for nothing. */
export type Rejection = {
  at: Date;
  toolUseId: string;
  tool: string;
  command: string | null;
  hint: string | null;
};

/** How the result of a call begins that a person rejected, with a remark or without; a subagent's is worded differently. */
const REFUSED =
  /^\s*(?:The user doesn't want to proceed with this tool use\.|Permission for this tool use was denied\.)(?: The tool use was rejected \([^)]*\)\.(?: To tell you how to proceed, the| The) user said:([\s\S]*))?/;
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
  // redacted before it is cut: half a secret would not be recognised
  const kept = (text: string | null | undefined, most: number) =>
    text ? clip(redactText(text), most) : null;
  for (const file of [path, ...(await subagentTranscripts(path))]) {
    const calls: Calls = new Map();
    try {
      for await (const { line } of linesOf(file, { mark: '"tool_' })) {
        const at = line && timeOf(line);
        if (!line || !at || !isObject(line.message)) continue;
        for (const { id, block, call } of resultsIn(line.message, calls)) {
          const hint = at < from || at > to ? undefined : hintIn(line, block, call.name);
          if (hint === undefined) continue;
          const command = kept(str(call.input.command), MAX_COMMAND);
          found.push({ at, toolUseId: id, tool: call.name, command, hint: kept(hint, MAX_HINT) });
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
  const decided = isObject(line.permissionDecision) ? str(line.permissionDecision.source) : undefined;
  // where nobody can be asked (`claude -p`) the client says no by itself, and calls it the user's
  if (decided !== undefined && !decided.startsWith('user')) return undefined;
  // a tool writes its own results, so from a server of somebody else the words alone prove nothing
  if (block.is_error !== true || (kind === undefined ? tool.startsWith('mcp__') : kind !== 'user-rejected'))
    return undefined;
  const refused = REFUSED.exec(textsOf(block.content).at(-1) ?? '');
  const remark = (str(line.userFeedback) ?? refused?.[1]?.replace(ADDED, ''))?.trim();
  return remark || (kind === 'user-rejected' || refused ? null : undefined);
}
