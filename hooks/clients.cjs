// @ts-check
// The hooks of other clients in Lore's words, one entry for each: which of its events is which of Lore's, which of its
// fields, and how it wants to be answered. What its tools are called is Lore's server to know (src/shell/own-call.ts).
// No client is ever told to allow a call: who asks a person, and when, stays its own affair.
'use strict';

const { readPlain } = require('./plain-file.cjs');

/**
 * @typedef {Record<string, any>} Fields
 * @typedef {{ systemMessage?: string, hookSpecificOutput?: { hookEventName?: string, additionalContext?: string, permissionDecision?: string, permissionDecisionReason?: string } }} Answer
 * @typedef {{ eventOf(sent: Fields): Fields | null, answerOf(said: Answer, event: Fields): Fields | null }} Client
 */

const isText = (/** @type {unknown} */ value) => typeof value === 'string' && value !== '';

/** @param {unknown} value */
function parsed(value) {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** @param {unknown} value @returns {Fields} */
const fieldsOf = (value) => (typeof value === 'object' && value !== null ? value : {});

/** Returns fields without those that are not there. @param {Fields} fields */
const present = (fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null));

/**
 * Returns the event of a call that has run. Lore tells a failed call by its event, and its error as Claude Code writes it.
 *
 * @param {Fields} base
 * @param {{ code: number | null, text: unknown, response: unknown }} how
 */
const ran = (base, { code, text, response }) =>
  code === null || code === 0
    ? { ...base, hook_event_name: 'PostToolUse', tool_response: response }
    : {
        ...base,
        hook_event_name: 'PostToolUseFailure',
        error: `Exit code ${code}\n${isText(text) ? text : ''}`,
      };

/** How much of the end of a transcript is read for the exit code of the last call, in bytes. */
const TAIL = 256 * 1024;

/**
 * Returns the exit code of a call of Codex. Its hook is told what the command printed and not how it ended, but that stands
 * in the transcript by then.
 *
 * @param {unknown} transcript
 * @param {unknown} call
 */
function exitCode(transcript, call) {
  const name = JSON.stringify(call);
  const line = lastLine(transcript, (one) => one.includes('"exit_code"') && one.includes(name));
  const found = /"exit_code":(-?\d+)/.exec(line);
  return found ? Number(found[1]) : null;
}

/**
 * Returns the last line at the end of a file that is wanted; '' if there is none.
 *
 * @param {unknown} file
 * @param {(line: string) => boolean} isWanted
 */
function lastLine(file, isWanted) {
  if (typeof file !== 'string' || file === '') return '';
  const text = readPlain(file, TAIL, { end: true })?.bytes.toString('utf8') ?? '';
  return text.split('\n').findLast(isWanted) ?? '';
}

/** @type {Client} */
const codex = {
  eventOf({ transcript_path: transcript, permission_mode: _, turn_id: turn, ...sent }) {
    /** @type {Fields} */
    const base = { ...sent, ...(isText(turn) && { prompt_id: turn }) };
    if (sent.hook_event_name !== 'PostToolUse') return base;
    const { tool_response: response, ...call } = base;
    return ran(call, { code: exitCode(transcript, sent.tool_use_id), text: response, response });
  },
  answerOf({ systemMessage, hookSpecificOutput: said }, { hook_event_name: name }) {
    const context = said?.additionalContext;
    const denied = said?.permissionDecision === 'deny';
    const own = {
      ...(denied && { permissionDecision: 'deny', permissionDecisionReason: reasonOf(said) }),
      ...(isText(context) && !denied && { additionalContext: context }),
    };
    // Codex knows no event for a failed call
    const hookEventName = name === 'PostToolUseFailure' ? 'PostToolUse' : name;
    const says = Object.keys(own).length > 0 && TAKES_CONTEXT.test(hookEventName);
    const answer = {
      ...(isText(systemMessage) && { systemMessage }),
      ...(says && { hookSpecificOutput: { hookEventName, ...own } }),
    };
    return Object.keys(answer).length > 0 ? answer : null;
  },
};

const TAKES_CONTEXT = /^(?:SessionStart|UserPromptSubmit|PreToolUse|PostToolUse)$/;

/** @param {Answer['hookSpecificOutput']} said */
const reasonOf = (said) =>
  [said?.permissionDecisionReason || 'Lore: denied', said?.additionalContext].filter(isText).join('\n\n');

/** What Copilot puts behind the output of a command. */
const SHELL_END = /\n?<shellId: [^>]*? completed with exit code (-?\d+)>\s*$/;

/** @type {Client} */
const copilot = {
  eventOf(sent) {
    const { sessionId, timestamp, cwd, toolName, toolArgs, toolResult } = sent;
    const base = present({ session_id: sessionId, cwd, timestamp });
    const input = parsed(toolArgs);
    const call = { ...base, tool_name: copilotTool(toolName), tool_input: input };
    if (sent.hookName !== undefined) return null;
    if (toolResult !== undefined) {
      const text = String(toolResult?.textResultForLlm ?? '');
      const code = SHELL_END.exec(text)?.[1];
      const output = text.replace(SHELL_END, '');
      return ran(call, { code: code === undefined ? null : Number(code), text: output, response: output });
    }
    if (toolName !== undefined && sent.error !== undefined)
      return { ...call, hook_event_name: 'PostToolUseFailure', error: messageOf(sent.error) };
    if (toolName !== undefined) return { ...call, hook_event_name: 'PreToolUse' };
    if (sent.agentName !== undefined || sent.agentId !== undefined) return null;
    if (sent.prompt !== undefined)
      return { ...base, hook_event_name: 'UserPromptSubmit', prompt: sent.prompt };
    if (sent.source !== undefined)
      return {
        ...base,
        hook_event_name: 'SessionStart',
        source: sent.source === 'resume' ? 'resume' : 'startup',
      };
    if (sent.stopReason !== undefined) {
      const said = lastLine(sent.transcriptPath, (line) => line.startsWith('{"type":"assistant.message"'));
      return {
        ...base,
        hook_event_name: 'Stop',
        stop_hook_active: sent.stop_hook_active === true,
        ...present({ last_assistant_message: fieldsOf(fieldsOf(parsed(said)).data).content }),
      };
    }
    if (sent.reason !== undefined) return { ...base, hook_event_name: 'SessionEnd', reason: sent.reason };
    return null;
  },
  answerOf({ hookSpecificOutput: said }) {
    const decision = said?.permissionDecision;
    const answer = {
      ...((decision === 'deny' || decision === 'ask') && {
        permissionDecision: decision,
        permissionDecisionReason: decision === 'deny' ? reasonOf(said) : said?.permissionDecisionReason,
      }),
      ...(isText(said?.additionalContext) && { additionalContext: said?.additionalContext }),
    };
    return Object.keys(answer).length > 0 ? answer : null;
  },
};

/** Tools of an MCP server are `server-tool` there, and Lore's own must be known again. @param {unknown} name */
const copilotTool = (name) => (typeof name === 'string' ? name.replace(/^lore-/, 'mcp__lore__') : name);

/** @param {any} error */
const messageOf = (error) => String(error?.message ?? error);

const CURSOR_EVENTS = {
  sessionStart: 'SessionStart',
  beforeSubmitPrompt: 'UserPromptSubmit',
  preToolUse: 'PreToolUse',
  postToolUse: 'PostToolUse',
  postToolUseFailure: 'PostToolUseFailure',
  beforeShellExecution: 'PreToolUse',
  afterShellExecution: 'PostToolUse',
  beforeMCPExecution: 'PreToolUse',
  preCompact: 'PreCompact',
  stop: 'Stop',
  sessionEnd: 'SessionEnd',
};

/** @type {Client} */
const cursor = {
  eventOf(sent) {
    const name = CURSOR_EVENTS[/** @type {keyof typeof CURSOR_EVENTS} */ (sent.hook_event_name)];
    if (name === undefined) return null;
    const base = {
      ...present({
        session_id: sent.conversation_id ?? sent.session_id,
        prompt_id: sent.generation_id || undefined,
        cwd: sent.cwd || sent.workspace_roots?.[0],
      }),
      hook_event_name: name,
    };
    if (name === 'UserPromptSubmit') return { ...base, prompt: sent.prompt };
    if (name === 'SessionStart') return { ...base, source: 'startup' };
    if (name === 'SessionEnd') return { ...base, reason: String(sent.reason ?? 'other') };
    if (name === 'Stop') return { ...base, stop_hook_active: (sent.loop_count ?? 0) > 0 };
    if (!name.includes('ToolUse')) return base;
    const shell = typeof sent.command === 'string' && sent.tool_name === undefined;
    const call = {
      ...base,
      ...present({ tool_use_id: sent.tool_use_id }),
      tool_name: shell ? 'Shell' : cursorTool(sent.tool_name),
      tool_input: shell ? { command: sent.command } : parsed(sent.tool_input),
    };
    if (name === 'PreToolUse') return call;
    if (name === 'PostToolUseFailure') return { ...call, error: messageOf(sent.error_message ?? 'failed') };
    const result = parsed(sent.tool_output ?? sent.output);
    const code = typeof result?.exitCode === 'number' ? result.exitCode : null;
    return ran(call, { code, text: result?.output ?? result?.stdout ?? '', response: result });
  },
  answerOf({ hookSpecificOutput: said }, event) {
    const decision = said?.permissionDecision;
    const context = said?.additionalContext;
    if (event.hook_event_name === 'PreToolUse') {
      if (decision !== 'deny' && decision !== 'ask') return null;
      return {
        permission: decision,
        user_message: said?.permissionDecisionReason,
        agent_message: reasonOf(said),
      };
    }
    const takes = event.hook_event_name === 'SessionStart' || event.hook_event_name.startsWith('PostToolUse');
    return takes && isText(context) ? { additional_context: context } : null;
  },
};

/** @param {unknown} name */
const cursorTool = (name) =>
  typeof name === 'string' ? name.replace(/^MCP:lore[_-]?/i, 'mcp__lore__') : name;

/** @type {Record<string, Client>} */
const CLIENTS = { codex, copilot, cursor };

module.exports = { CLIENTS, ran };
