import { clip } from '../base/text/clip.ts';
import { isObject } from '../base/text/json.ts';
import type { Tx } from '../db/open.ts';
import type { StoryEvent } from '../sessions/story.ts';
import { lineOfTool } from '../shell/line.ts';
import { filesTouched, toolTarget } from '../shell/tool-target.ts';
import { errorsOfSession } from './incidents.ts';
import { isLores } from './not-ours.ts';
import type { Call, Edit, SessionStep } from './steps.ts';

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
