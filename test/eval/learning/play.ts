// Plays the events of a story as the hook calls of the real client, and writes the transcript that it would write.
import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Lore } from '../../bench/lore.ts';
import type { StoryEvent } from './stories.ts';

/** What one hook call added to the agent's context; `text` is empty when it added nothing. */
export type Told = { event: string; text: string };

export type Session = {
  readonly id: string;
  readonly told: Told[];
  /** Commands that Lore denied. They are played all the same; the real client would not have run them. */
  readonly denied: string[];
  play(...events: StoryEvent[]): Promise<void>;
};

type Answer = { hookSpecificOutput?: { additionalContext?: string; permissionDecision?: string } };
/** How a call ends: the tool's response with the text that the model reads, or an error. */
type Result =
  | { response: unknown; text?: string; error?: undefined }
  | { error: string; interrupted?: boolean };

/** Opens a session in the project `root`. Its transcript is written to a folder under `transcripts`. */
export function openSession(lore: Lore, root: string, transcripts: string): Session {
  const id = randomUUID();
  const folder = join(transcripts, root.replaceAll('/', '-'));
  const transcript = join(folder, `${id}.jsonl`);
  const told: Told[] = [];
  const denied: string[] = [];
  let prompt: string | undefined;
  let agent: string | undefined;
  let calls = 0;

  return {
    id,
    told,
    denied,
    async play(...events) {
      for (const event of events) await one(withRoot(event, root));
    },
  };

  async function one(event: StoryEvent): Promise<void> {
    switch (event.t) {
      case 'start':
        return send('SessionStart', started(event.source ?? 'startup'));
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
      case 'bash': {
        const input = { command: event.cmd, description: 'run it' };
        if (event.exit === 0) return call('Bash', input, { response: shell(event.out), text: event.out });
        if (event.interrupt) return call('Bash', input, { error: event.out, interrupted: true });
        return call('Bash', input, { error: `Exit code ${event.exit}${event.out ? `\n${event.out}` : ''}` });
      }
      case 'bg':
        return background(event);
      case 'edit':
        return call(
          'Edit',
          { file_path: at(event.file), old_string: event.old, new_string: event.new, replace_all: false },
          edited(event),
        );
      case 'write':
        return call('Write', { file_path: at(event.file), content: event.content }, written(event));
      case 'read':
        return call(
          'Read',
          { file_path: at(event.file) },
          event.error === undefined ? fileRead(at(event.file), event.content ?? '') : { error: event.error },
        );
      case 'grep':
        return call(
          'Grep',
          { pattern: event.pattern, output_mode: 'content' },
          {
            response: { mode: 'content', numFiles: 0, filenames: [], content: event.out, numLines: 1 },
            text: event.out,
          },
        );
      case 'tool':
        return call(
          event.name,
          event.input,
          event.error === undefined ? { response: event.response } : { error: event.error },
        );
      case 'sub':
        return subagent(event);
      default:
        throw new Error(`a story has an unknown event: ${JSON.stringify(event)}`);
    }
  }

  async function send(name: string, fields: Record<string, unknown> = {}): Promise<void> {
    const answer = await post(lore, '/v1/hooks', {
      session_id: id,
      transcript_path: transcript,
      cwd: root,
      hook_event_name: name,
      ...(prompt !== undefined && { prompt_id: prompt }),
      permission_mode: 'default',
      ...(agent !== undefined && { agent_id: agent, agent_type: 'general-purpose' }),
      ...fields,
    });
    const { additionalContext: text = '', permissionDecision } = (answer as Answer).hookSpecificOutput ?? {};
    if (permissionDecision === 'deny') denied.push(JSON.stringify(fields.tool_input));
    told.push({ event: name, text });
  }

  /** Adds a line to the transcript; a subagent has one of its own. */
  function line(fields: object): void {
    const file = agent === undefined ? transcript : agentTranscript(agent);
    mkdirSync(dirname(file), { recursive: true });
    const base = {
      isSidechain: agent !== undefined,
      ...(agent !== undefined && { agentId: agent }),
      promptId: prompt ?? null,
      uuid: randomUUID(),
      timestamp: new Date().toISOString(),
      cwd: root,
      sessionId: id,
      version: '2.1.330',
      gitBranch: 'main',
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

  async function call(tool: string, input: object, result: Result): Promise<void> {
    const ended = await begin(tool, input);
    await ended(result);
  }

  /** Starts a tool call; the function that it returns ends it. */
  async function begin(tool: string, input: object): Promise<(result: Result) => Promise<void>> {
    const tool_use_id = `toolu_${id.slice(0, 8)}_${calls++}`;
    const used = [{ type: 'tool_use', id: tool_use_id, name: tool, input }];
    line({ type: 'assistant', message: { role: 'assistant', content: used, stop_reason: 'tool_use' } });
    const base = { tool_name: tool, tool_input: input, tool_use_id };
    await send('PreToolUse', base);
    return async (result) => {
      const failed = result.error !== undefined;
      if (failed) {
        const { error, interrupted = false } = result;
        await send('PostToolUseFailure', { ...base, error, is_interrupt: interrupted, duration_ms: 20 });
      } else {
        await send('PostToolUse', { ...base, tool_response: result.response, duration_ms: 20 });
      }
      const content = failed ? result.error : (result.text ?? JSON.stringify(result.response));
      const told = [{ type: 'tool_result', tool_use_id, content, ...(failed && { is_error: true }) }];
      line({
        type: 'user',
        message: { role: 'user', content: told },
        toolUseResult: failed ? `Error: ${result.error}` : result.response,
      });
    };
  }

  async function background(event: StoryEvent & { t: 'bg' }): Promise<void> {
    await call(
      'Bash',
      { command: event.cmd, description: 'run it', run_in_background: true },
      {
        response: { ...shell(''), backgroundTaskId: event.id },
        text: `Command running in background with ID: ${event.id}`,
      },
    );
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
    const ended = await begin('Agent', asked);
    agent = name;
    await send('SubagentStart');
    line({ type: 'user', message: { role: 'user', content: event.prompt } });
    for (const each of event.events) await one(each);
    says(event.text, 'end_turn');
    await send('SubagentStop', { ...stopped(event.text), agent_transcript_path: agentTranscript(name) });
    agent = undefined;
    const content = [{ type: 'text', text: event.text }];
    await ended({ response: { status: 'completed', agentId: name, content }, text: event.text });
  }

  function agentTranscript(name: string): string {
    return join(folder, id, 'subagents', `agent-${name}.jsonl`);
  }

  function at(file: string): string {
    return file.startsWith('/') ? file : `${root}/${file}`;
  }

  function started(source: string) {
    return { source, lore: { root, repo: null, branch: 'main', deliveryId: randomUUID() } };
  }

  function edited({ file, old, new: made, error }: StoryEvent & { t: 'edit' }): Result {
    if (error !== undefined) return { error };
    const response = {
      filePath: at(file),
      oldString: old,
      newString: made,
      originalFile: `…\n${old}\n…`,
      structuredPatch: [],
      userModified: false,
      replaceAll: false,
    };
    return { response, text: `The file ${at(file)} has been updated successfully.` };
  }

  function written({ file, content, before = null, error }: StoryEvent & { t: 'write' }): Result {
    if (error !== undefined) return { error };
    const type = before === null ? 'create' : 'update';
    const response = {
      type,
      filePath: at(file),
      content,
      structuredPatch: [],
      originalFile: before,
      userModified: false,
    };
    return { response, text: `File created successfully at: ${at(file)}` };
  }
}

/** Sends a request. One that the network broke is sent again: deliveries of a hook are idempotent. */
async function post(lore: Lore, path: string, body: object, tries = 3): Promise<unknown> {
  try {
    return JSON.parse((await lore.post(path, body)).text);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET' || tries === 1) throw error;
    await sleep(200);
    return post(lore, path, body, tries - 1);
  }
}

const shell = (stdout: string) => ({
  stdout,
  stderr: '',
  interrupted: false,
  isImage: false,
  noOutputExpected: false,
});

const stopped = (text: string) => ({
  stop_hook_active: false,
  last_assistant_message: text,
  background_tasks: [],
  session_crons: [],
});

function fileRead(filePath: string, content: string): Result {
  const lines = content.split('\n').length;
  const file = { filePath, content, numLines: lines, startLine: 1, totalLines: lines };
  return { response: { type: 'text', file }, text: content };
}

/** Puts the project's folder in place of `$ROOT` in every string. */
function withRoot<T>(value: T, root: string): T {
  if (typeof value === 'string') return value.replaceAll('$ROOT', root) as T;
  if (Array.isArray(value)) return value.map((each) => withRoot(each, root)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withRoot(each, root)])) as T;
}
