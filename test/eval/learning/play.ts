// Plays the events of a story as the hook calls of the real client, and writes the transcript that it would write.
import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Lore } from '../server.ts';
import type { Call, StoryEvent } from './stories.ts';

/** What one hook call added to the agent's context; `text` is empty when it added nothing. */
export type Told = { event: string; text: string };

export type Session = {
  readonly told: Told[];
  /** Commands that Lore denied. They are played all the same; the real client would not have run them. */
  readonly denied: string[];
  play(...events: StoryEvent[]): Promise<void>;
};

/** How a call ends: the tool's response with the text that the model reads, or an error. */
type Result =
  | { response: unknown; text?: string; error?: undefined }
  | { error: string; interrupted?: boolean };

/** Opens a session in the project `root`. */
export function openSession(lore: Pick<Lore, 'hook' | 'folder'>, root: string): Session {
  const id = randomUUID();
  const folder = join(lore.folder, 'projects', root.replaceAll('/', '-'));
  const transcript = join(folder, `${id}.jsonl`);
  const told: Told[] = [];
  const denied: string[] = [];
  let prompt: string | undefined;
  let agent: string | undefined;
  let calls = 0;

  return {
    told,
    denied,
    async play(...events) {
      for (const event of events)
        await one(JSON.parse(JSON.stringify(event).replaceAll('$ROOT', root)) as StoryEvent);
    },
  };

  async function one(event: StoryEvent): Promise<void> {
    switch (event.t) {
      case 'start':
        return send('SessionStart', started('startup'));
      case 'end':
        return send('SessionEnd', { reason: 'other' });
      case 'compact':
        await send('PreCompact', { trigger: 'auto', custom_instructions: '' });
        await send('PostCompact', { trigger: 'auto', compact_summary: 'The session so far.' });
        return send('SessionStart', started('compact'));
      case 'prompt':
        return prompted(event.text);
      case 'say':
        return says(event.text, null);
      case 'stop':
        says(event.text, 'end_turn');
        return send('Stop', stopped(event.text));
      case 'bg':
        return background(event);
      case 'sub':
        return subagent(event);
      default:
        return call(...callOf(event, root));
    }
  }

  async function send(name: string, fields: Record<string, unknown> = {}): Promise<void> {
    const { additionalContext: text = '', permissionDecision } = await lore.hook({
      session_id: id,
      transcript_path: transcript,
      cwd: root,
      hook_event_name: name,
      ...(prompt !== undefined && { prompt_id: prompt }),
      permission_mode: 'default',
      ...(agent !== undefined && { agent_id: agent, agent_type: 'general-purpose' }),
      ...fields,
    });
    if (permissionDecision === 'deny') denied.push(JSON.stringify(fields.tool_input));
    told.push({ event: name, text });
  }

  /** Adds a line to the transcript; a subagent has one of its own. */
  function line(fields: object): void {
    const file = agent === undefined ? transcript : agentTranscript(agent);
    mkdirSync(dirname(file), { recursive: true });
    const base = {
      ...{ isSidechain: agent !== undefined, ...(agent !== undefined && { agentId: agent }) },
      ...{ promptId: prompt ?? null, uuid: randomUUID(), timestamp: new Date().toISOString() },
      ...{ cwd: root, sessionId: id, version: '2.1.330', gitBranch: 'main' },
    };
    appendFileSync(file, `${JSON.stringify({ ...base, ...fields })}\n`);
  }

  function says(text: string, stopReason: string | null): void {
    const content = [{ type: 'text', text }];
    line({ type: 'assistant', message: { role: 'assistant', content, stop_reason: stopReason } });
  }

  async function prompted(text: string): Promise<void> {
    prompt = randomUUID();
    line({ type: 'user', message: { role: 'user', content: text } });
    await send('UserPromptSubmit', { prompt: text });
  }

  /** @param inside what happens between the begin and the end of the call */
  async function call(tool: string, input: object, result: Result, inside = async () => {}): Promise<void> {
    const tool_use_id = `toolu_${id.slice(0, 8)}_${calls++}`;
    const used = [{ type: 'tool_use', id: tool_use_id, name: tool, input }];
    line({ type: 'assistant', message: { role: 'assistant', content: used, stop_reason: 'tool_use' } });
    const base = { tool_name: tool, tool_input: input, tool_use_id, duration_ms: 20 };
    await send('PreToolUse', base);
    await inside();
    const failed = result.error !== undefined;
    if (failed) {
      const { error, interrupted = false } = result;
      await send('PostToolUseFailure', { ...base, error, is_interrupt: interrupted });
    } else await send('PostToolUse', { ...base, tool_response: result.response });
    const content = failed ? result.error : (result.text ?? JSON.stringify(result.response));
    const read = [{ type: 'tool_result', tool_use_id, content, ...(failed && { is_error: true }) }];
    const toolUseResult = failed ? `Error: ${result.error}` : result.response;
    line({ type: 'user', message: { role: 'user', content: read }, toolUseResult });
  }

  async function background(event: StoryEvent & { t: 'bg' }): Promise<void> {
    const input = { command: event.cmd, description: 'run it', run_in_background: true };
    const text = `Command running in background with ID: ${event.id}`;
    await call('Bash', input, { response: { ...shell(''), backgroundTaskId: event.id }, text });
    const output = `/tmp/claude-1000/${id}/tasks/${event.id}.output`;
    if (event.status === 'failed')
      await prompted(
        `<task-notification>\n<task-id>${event.id}</task-id>\n<output-file>${output}</output-file>\n` +
          `<status>failed</status>\n<summary>Background command "run it" failed with exit code ${event.exit}` +
          '</summary>\n</task-notification>',
      );
    await call('Read', { file_path: output }, fileRead(output, event.out));
  }

  async function subagent(event: StoryEvent & { t: 'sub' }): Promise<void> {
    const name = `${event.id}${id.slice(0, 8)}`;
    const asked = { description: 'agent', prompt: event.prompt, subagent_type: 'general-purpose' };
    const content = [{ type: 'text', text: event.text }];
    const response = { status: 'completed', agentId: name, content };
    await call('Agent', asked, { response, text: event.text }, async () => {
      agent = name;
      await send('SubagentStart');
      line({ type: 'user', message: { role: 'user', content: event.prompt } });
      for (const each of event.events) await one(each);
      says(event.text, 'end_turn');
      await send('SubagentStop', { ...stopped(event.text), agent_transcript_path: agentTranscript(name) });
      agent = undefined;
    });
  }

  function agentTranscript(name: string): string {
    return join(folder, id, 'subagents', `agent-${name}.jsonl`);
  }

  function started(source: string) {
    return { source, lore: { root, repo: null, branch: 'main', deliveryId: randomUUID() } };
  }
}

/** Returns the tool that is called, what it is given, and how that ends. */
function callOf(event: Call, root: string): [tool: string, input: object, result: Result] {
  const file_path =
    'file' in event ? (event.file.startsWith('/') ? event.file : `${root}/${event.file}`) : '';
  const ends = (error: string | undefined, response: unknown, text?: string): Result =>
    error === undefined ? { response, ...(text !== undefined && { text }) } : { error };
  switch (event.t) {
    case 'bash': {
      const input = { command: event.cmd, description: 'run it' };
      if (event.exit === 0) return ['Bash', input, { response: shell(event.out), text: event.out }];
      if (event.interrupt) return ['Bash', input, { error: event.out, interrupted: true }];
      return ['Bash', input, { error: `Exit code ${event.exit}${event.out ? `\n${event.out}` : ''}` }];
    }
    case 'edit': {
      const { old, new: made, error } = event;
      const input = { file_path, old_string: old, new_string: made, replace_all: false };
      const response = {
        ...{ filePath: file_path, oldString: old, newString: made, originalFile: `…\n${old}\n…` },
        ...{ structuredPatch: [], userModified: false, replaceAll: false },
      };
      return ['Edit', input, ends(error, response, `The file ${file_path} has been updated successfully.`)];
    }
    case 'write': {
      const { content, before: originalFile = null, error } = event;
      const type = originalFile === null ? 'create' : 'update';
      const more = { structuredPatch: [], originalFile, userModified: false };
      const response = { type, filePath: file_path, content, ...more };
      const text = `File created successfully at: ${file_path}`;
      return ['Write', { file_path, content }, ends(error, response, text)];
    }
    case 'read':
      return [
        'Read',
        { file_path },
        event.error === undefined ? fileRead(file_path, event.content ?? '') : { error: event.error },
      ];
    case 'grep': {
      const response = { mode: 'content', numFiles: 0, filenames: [], content: event.out, numLines: 1 };
      const input = { pattern: event.pattern, output_mode: 'content' };
      return ['Grep', input, { response, text: event.out }];
    }
    case 'tool':
      return [event.name, event.input, ends(event.error, event.response)];
  }
}

const shell = (stdout: string) => ({
  ...{ stdout, stderr: '', interrupted: false, isImage: false, noOutputExpected: false },
});

const stopped = (text: string) => ({
  ...{ stop_hook_active: false, last_assistant_message: text, background_tasks: [], session_crons: [] },
});

function fileRead(filePath: string, content: string): Result {
  const lines = content.split('\n').length;
  const file = { filePath, content, numLines: lines, startLine: 1, totalLines: lines };
  return { response: { type: 'text', file }, text: content };
}
