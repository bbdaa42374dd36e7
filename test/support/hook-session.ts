import { randomUUID } from 'node:crypto';
import type { TestServer } from './server.ts';

/** What a hook before a call decides, and what it tells the agent. */
type Told = {
  permissionDecision?: string;
  permissionDecisionReason?: string;
  additionalContext?: string;
};

/** Plays a session of the client: sends hook events with the fields that every event has. */
export function hookSession(
  server: TestServer,
  options: {
    key?: string;
    cwd?: string;
    sessionId?: string;
    branch?: string;
    repo?: string;
    transcript?: string;
  } = {},
) {
  const base = {
    session_id: options.sessionId ?? randomUUID(),
    transcript_path: options.transcript ?? '/nonexistent/transcript.jsonl',
    cwd: options.cwd ?? `/home/dev/${randomUUID()}`,
  };
  let calls = 0;
  const send = (event: string, fields: Record<string, unknown> = {}) =>
    server.hook({ ...base, hook_event_name: event, ...fields }, options.key);
  const call = (tool: string, input: object) => ({
    tool_name: tool,
    tool_input: input,
    tool_use_id: `toolu_${base.session_id}_${calls++}`,
  });
  const asks = async (tool: string, input: object, fields: object = {}): Promise<Told> =>
    (await send('PreToolUse', { ...call(tool, input), ...fields })).hookSpecificOutput ?? {};
  const before = (command: string, fields: object = {}) => asks('Bash', { command }, fields);
  const decides = async (tool: string, input: object, fields: object = {}): Promise<string> =>
    (await asks(tool, input, fields)).permissionDecision ?? 'none';
  const fails = (tool: string, input: object, error: string, fields: object = {}) =>
    send('PostToolUseFailure', {
      ...call(tool, input),
      error,
      is_interrupt: false,
      duration_ms: 5,
      ...fields,
    });
  const works = (tool: string, input: object, response: unknown = {}, fields: object = {}) =>
    send('PostToolUse', { ...call(tool, input), tool_response: response, duration_ms: 5, ...fields });
  const stop = (message: string) =>
    send('Stop', {
      prompt_id: randomUUID(),
      stop_hook_active: false,
      last_assistant_message: message,
      background_tasks: [],
    });
  const end = () => send('SessionEnd', { reason: 'other' });
  return {
    ...base,
    send,
    start: (source = 'startup', commits?: string[]) =>
      send('SessionStart', {
        source,
        lore: {
          root: base.cwd,
          repo: options.repo ?? null,
          branch: options.branch ?? null,
          deliveryId: randomUUID(),
          ...(commits && { commits }),
        },
      }),
    prompt: (prompt: string) => send('UserPromptSubmit', { prompt, prompt_id: randomUUID() }),
    fails,
    works,
    bashFails: (command: string, error: string, fields: object = {}) =>
      fails('Bash', { command }, error, fields),
    bashWorks: (command: string, stdout = 'ok', fields: object = {}) =>
      works('Bash', { command }, { stdout, stderr: '', interrupted: false, isImage: false }, fields),
    /** Has the client ask about a command before it runs it, or about any call. Returns what is decided and told. */
    before,
    asks,
    /** What is decided before a command, or any call; `none` if nothing is. */
    decisionOn: (command: string) => decides('Bash', { command }),
    decides,
    edit: (file: string, before: string, after: string) =>
      works(
        'Edit',
        { file_path: file, old_string: before, new_string: after },
        { filePath: file, oldString: before, newString: after },
      ),
    stop,
    end,
    /** Ends the turn, and waits until the server has done what follows from that. */
    async rest(message: string) {
      await stop(message);
      await server.settled();
    },
    /** Ends the turn, if this was said last in it, and the session, and waits until that is worked off. */
    async finish(message?: string) {
      if (message !== undefined) await stop(message);
      await end();
      await server.settled();
    },
  };
}

/** Plays a session that has started, and in which a person has asked this. */
export async function startedSession(
  server: TestServer,
  options?: Parameters<typeof hookSession>[1],
  prompt?: string,
) {
  const session = hookSession(server, options);
  await session.start();
  if (prompt !== undefined) await session.prompt(prompt);
  return session;
}

/** Returns what a hook's answer adds to the agent's context; '' if it adds nothing. */
export const contextOf = (output: { hookSpecificOutput?: { additionalContext?: string } }): string =>
  output.hookSpecificOutput?.additionalContext ?? '';
