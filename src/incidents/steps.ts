import { clip } from '../base/text/clip.ts';
import { isObject } from '../base/text/json.ts';
import type { Tx } from '../db/open.ts';
import type { StoryEvent } from '../sessions/story.ts';
import { type Line, lineOfTool } from '../shell/line.ts';
import { filesTouched, toolTarget } from '../shell/tool-target.ts';
import { errorsOfSession } from './incidents.ts';
import { isLores } from './not-ours.ts';

// What happened in a session, as a list that can be read without the database: the calls, what the person
// said, and what the agent said at the end of a turn. To resolve an error and to write its lesson, only this
// list is needed.

export type Edit = { file: string; before: string | null; after: string | null };

export type Call = {
  kind: 'call';
  toolUseId: string;
  agentId: string | null;
  tool: string;
  /** what it ran in a shell; null for other tools */
  line: Line | null;
  /** what the tool worked on, comparable between calls */
  target: string | null;
  input: Record<string, unknown>;
  ok: boolean;
  /** the signature of the error, for a call that opened an incident */
  signature: string | null;
  /** the lines of its error that matter; clipped */
  output: string;
  /** all that it printed; clipped */
  printed: string;
  edits: Edit[];
  at: Date;
};

export type SessionStep =
  | Call
  | { kind: 'prompt'; text: string; at: Date }
  | { kind: 'said'; text: string; agentId: string | null; at: Date };

export const isCall = (step: SessionStep): step is Call => step.kind === 'call';

/**
 * Somebody who follows a session's story to settle something at its end. `since`: null, since the session's beginning.
 * `see` is given each piece of the story, the oldest first. `settle` is called once, after the last piece.
 */
export type Follower<T = void> = {
  since: Date | null;
  see(steps: SessionStep[]): void;
  settle(tx: Tx): Promise<T>;
};

const MAX_TEXT = 4000;

/** Returns what a piece of a session's story tells, as steps, the oldest first. */
export async function toSteps(tx: Tx, sessionId: string, events: StoryEvent[]): Promise<SessionStep[]> {
  const failed = new Map((await errorsOfSession(tx, sessionId)).map((one) => [one.toolUseId, one]));
  return events.flatMap((event): SessionStep[] => {
    const { agentId, agentType, tool, text, at } = event;
    if (isLores({ agent_type: agentType, tool_name: tool })) return [];
    const failure = failed.get(event.toolUseId ?? '');
    switch (event.event) {
      case 'UserPromptSubmit':
        return text && !text.trimStart().startsWith('<') ? [{ kind: 'prompt', text, at }] : [];
      case 'Stop':
        return text && !event.background ? [{ kind: 'said', text, agentId, at }] : [];
      case 'SubagentStop':
        return text ? [{ kind: 'said', text, agentId, at }] : [];
      case 'PreToolUse':
        return [];
      default:
        return [toCall(event, failure)];
    }
  });
}

function toCall(event: StoryEvent, failure: { signature: string; error: string } | undefined): Call {
  const tool = event.tool ?? '';
  const input = event.input ?? {};
  const ok = event.event === 'PostToolUse' && failure === undefined;
  return {
    kind: 'call',
    toolUseId: event.toolUseId ?? '',
    agentId: event.agentId,
    tool,
    line: lineOfTool(tool, input),
    target: event.target ?? toolTarget(tool, input),
    input,
    ok,
    signature: failure?.signature ?? null,
    output: clip(failure?.error ?? event.error ?? '', MAX_TEXT),
    printed: clip(event.error ?? textsIn(event.response).join('\n'), MAX_TEXT),
    edits: ok ? editsOf(tool, event) : [],
    at: event.at,
  };
}

/** Returns what the answer of a tool shows: the output of a shell, or the texts of an MCP server's answer. */
function textsIn(response: unknown): string[] {
  if (typeof response === 'string') return response === '' ? [] : [response];
  if (Array.isArray(response)) return response.flatMap(textsIn);
  if (!isObject(response)) return [];
  const { stdout, stderr, content, text } = response;
  return [stdout, stderr, content, text].flatMap(textsIn);
}

function editsOf(tool: string, { input, original }: StoryEvent): Edit[] {
  const file = filesTouched(tool, input)[0];
  if (file === undefined || input === null) return [];
  type Part = { old_string?: unknown; new_string?: unknown };
  const parts: Part[] = tool === 'MultiEdit' && Array.isArray(input.edits) ? input.edits : [input];
  if (tool === 'Edit' || tool === 'MultiEdit')
    return parts.map((part) => ({ file, before: text(part.old_string), after: text(part.new_string) }));
  return [{ file, before: text(original), after: text(input.content ?? input.new_source) }];
}

const text = (value: unknown) => (typeof value === 'string' ? clip(value, MAX_TEXT) : null);
