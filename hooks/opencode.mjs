// @ts-check
// Lore's plugin for opencode. The file that opencode loads (`.opencode/plugins/lore.js`, written by `lore init`) only hands
// on to this one. It runs inside opencode, so it must never throw but to deny a call, and never wait long.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const { workTree, mainTree, lastCommits } = createRequire(import.meta.url)('./session-start.cjs');
const { ran } = createRequire(import.meta.url)('./clients.cjs');

/** How long an answer is waited for, in milliseconds. */
const LIMIT = { SessionStart: 1500, other: 4500 };

/** @typedef {Record<string, any>} Fields */

/**
 * What is known of a session: `parent` and `agent` of one that another session started; what the agent is told, at its
 * start and with the last prompt; what it said last.
 *
 * @typedef {{ parent?: string, agent?: string, start: string, prompt: string, said: string, started: Promise<void> | null }} Known
 */

/**
 * @param {{ directory: string, worktree?: string }} place
 * @param {string} keyFile holds the address of the server and the key
 */
export function plugin({ directory }, keyFile) {
  /** @type {Map<string, Known>} */
  const sessions = new Map();
  /** what is told beside a call, by its id; null: Lore denied it */
  const beside = new Map();

  /** @param {string} id */
  const known = (id) => {
    const one = sessions.get(id) ?? { start: '', prompt: '', said: '', started: null };
    sessions.set(id, one);
    return one;
  };

  /**
   * Tells Lore about an event. Returns what it answers; {} if it does not.
   *
   * @param {string} id
   * @param {Fields} event
   * @returns {Promise<Fields>}
   */
  async function tell(id, event) {
    try {
      const { url, key } = {
        url: process.env.LORE_URL,
        key: process.env.LORE_KEY,
        ...JSON.parse(readFileSync(keyFile, 'utf8')),
      };
      const { parent, agent } = known(id);
      const whose = parent ? { session_id: parent, agent_id: id, agent_type: agent } : { session_id: id };
      const response = await fetch(`${String(url).replace(/\/+$/, '')}/v1/hooks`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          'x-lore-hook': 'opencode',
        },
        body: JSON.stringify({ ...whose, cwd: directory, ...event }),
        signal: AbortSignal.timeout(
          event.hook_event_name === 'SessionStart' ? LIMIT.SessionStart : LIMIT.other,
        ),
      });
      if (!response.ok) return {};
      const answer = /** @type {Fields} */ (await response.json());
      return answer.hookSpecificOutput ?? {};
    } catch {
      return {};
    }
  }

  /** @param {string} id @param {string} source */
  const start = async (id, source) => {
    const told = await tell(id, {
      hook_event_name: 'SessionStart',
      source,
      lore: {
        ...workTree(directory),
        main: mainTree(directory),
        commits: lastCommits(directory),
        deliveryId: crypto.randomUUID(),
      },
    });
    known(id).start = told.additionalContext ?? '';
  };

  /** Begins a session that Lore has not heard of. The session of a subagent is its parent's. @param {string} id */
  const begin = (id) => {
    const one = known(id);
    if (!one.parent) one.started ??= start(id, 'startup');
    return one.started;
  };

  /** @param {Fields} part */
  const failed = ({ sessionID, callID, tool, state }) => {
    // Lore's own denial is no failure
    if (beside.get(callID) === null) return;
    return tell(sessionID, {
      hook_event_name: 'PostToolUseFailure',
      ...callOf({ tool, callID, args: state.input ?? {} }),
      error: String(state.error ?? 'failed'),
    });
  };

  /** @type {Record<string, (properties: Fields) => unknown>} */
  const on = {
    'session.created': ({ info }) => {
      if (!info?.parentID) return begin(info.id);
      Object.assign(known(info.id), { parent: info.parentID, agent: info.agent ?? 'subagent' });
      return tell(info.id, { hook_event_name: 'SubagentStart' });
    },
    'session.idle': ({ sessionID }) => {
      const { parent, said } = known(sessionID);
      return tell(sessionID, {
        hook_event_name: parent ? 'SubagentStop' : 'Stop',
        last_assistant_message: said,
      });
    },
    'session.compacted': ({ sessionID }) => start(sessionID, 'compact'),
    'session.deleted': ({ info }) => {
      const one = known(info.id);
      sessions.delete(info.id);
      if (!one.parent) return tell(info.id, { hook_event_name: 'SessionEnd', reason: 'other' });
    },
    'message.part.updated': ({ part }) => {
      if (part?.type === 'tool' && part.state?.status === 'error') return failed(part);
      if (part?.type === 'text' && part.time?.end) known(part.sessionID).said = part.text;
    },
  };

  return {
    /** @param {{ event: { type: string, properties: Fields } }} given */
    event: async ({ event }) => {
      try {
        await on[event.type]?.(event.properties);
      } catch {}
    },
    /** @param {Fields} input @param {Fields} output */
    'chat.message': async ({ sessionID, messageID }, { message, parts }) => {
      const one = known(sessionID);
      if (one.parent) return;
      await begin(sessionID);
      const texts = (parts ?? []).filter(
        (/** @type {Fields} */ part) => part.type === 'text' && !part.synthetic,
      );
      const prompt = texts.map((/** @type {Fields} */ { text }) => unquoted(text)).join('\n');
      const told = await tell(sessionID, {
        hook_event_name: 'UserPromptSubmit',
        prompt,
        prompt_id: messageID ?? message?.id,
      });
      one.prompt = told.additionalContext ?? '';
    },
    /** @param {Fields} input @param {Fields} output */
    'experimental.chat.system.transform': async ({ sessionID }, { system }) => {
      const one = sessions.get(sessionID);
      const texts = [one?.start, one?.prompt].filter(Boolean);
      if (texts.length > 0) system?.push(texts.join('\n\n'));
    },
    /** @param {Fields} input @param {Fields} output */
    'tool.execute.before': async ({ tool, sessionID, callID }, { args }) => {
      const told = await tell(sessionID, {
        hook_event_name: 'PreToolUse',
        ...callOf({ tool, callID, args }),
      });
      const context = told.additionalContext ?? '';
      beside.set(callID, context);
      if (told.permissionDecision !== 'deny') return;
      beside.set(callID, null);
      throw new Error(
        [told.permissionDecisionReason ?? 'Lore: denied', context].filter(Boolean).join('\n\n'),
      );
    },
    /** @param {Fields} input @param {Fields} output */
    'tool.execute.after': async ({ tool, sessionID, callID, args }, output) => {
      const { exit } = output?.metadata ?? {};
      const text = output?.output ?? '';
      const event = ran(callOf({ tool, callID, args }), {
        code: typeof exit === 'number' ? exit : null,
        text,
        response: text,
      });
      const told = await tell(sessionID, event);
      const texts = [beside.get(callID), told.additionalContext].filter(Boolean);
      beside.delete(callID);
      if (texts.length > 0 && typeof output?.output === 'string')
        output.output += `\n\n${texts.join('\n\n')}`;
    },
    'experimental.session.compacting': async (/** @type {Fields} */ { sessionID }) => {
      await tell(sessionID, { hook_event_name: 'PreCompact', trigger: 'auto' });
    },
  };
}

/** Tools of an MCP server are `server_tool` there, and Lore's own must be known again. @param {Fields} call */
const callOf = ({ tool, callID, args }) => ({
  tool_name: String(tool).replace(/^lore_/, 'mcp__lore__'),
  tool_use_id: callID,
  tool_input: args ?? {},
});

/** `opencode run` puts its message in quotes. @param {string} text */
const unquoted = (text) => /^"([^"]*)"$/.exec(text)?.[1] ?? text;
