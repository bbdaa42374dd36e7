// The hooks around calls, as a module that runs inside the client: no process is started for a call, and the connection to
// the server stays open. The client checks this file: `$` is only used as written here, and a function that takes it stands
// at the top. It must never delay a call for long, nor break one.
//
// No verdict is kept in the client. Each depends on files, on what the session did before and on lessons, so the server is
// asked for every call.

/** How long a call waits for its verdict, in milliseconds. A model takes longer: then the client decides. */
const PATIENCE_MS = 500;
/** Tools after whose calls an agent is told nothing, so that nothing waits for the answer. */
const UNTOLD = ['Read', 'Edit', 'MultiEdit', 'Write', 'NotebookEdit', 'Glob', 'Grep'];
const SHELLS = ['Bash', 'PowerShell', 'Monitor'];
const CLOSED = 'Lore: nobody could verify this, because Lore does not answer, and LORE_FAIL_MODE is closed.';
const MAX_CALLS = 1_000;

const server = { url: '', headers: {}, closed: false };
/** Which subagent makes a call, by the call's id, and of what type each is. */
const agents = { ofCall: new Map(), types: new Map() };

/** Returns the server's answer to an event; null if there is none in time. */
async function ask($, event) {
  const asked = Number(await $.env.get('LORE_HOOK_TIMEOUT_MS'));
  const answer = await Promise.race([
    $.http
      .fetch(`${server.url}/v1/hooks`, {
        method: 'POST',
        headers: server.headers,
        body: JSON.stringify(event),
      })
      .catch(() => null),
    // the client itself gives up after 30 seconds only
    $.clock.sleep(asked > 0 ? asked : PATIENCE_MS).then(() => null),
  ]);
  if (!answer?.ok) return null;
  return JSON.parse(answer.text).hookSpecificOutput ?? {};
}

/** Returns the event before a call. The client tells a module only the call itself, so the rest is asked for. */
async function eventBefore($, { tool, tool_use_id, ...tool_input }) {
  const [cwd, { transcriptPath, promptId }] = await Promise.all([$.session.cwd(), $.session.info()]);
  const agent_id = agents.ofCall.get(tool_use_id);
  return {
    hook_event_name: 'PreToolUse',
    session_id: /([^/\\]+)\.jsonl$/.exec(transcriptPath)?.[1],
    transcript_path: transcriptPath,
    cwd,
    prompt_id: promptId,
    ...(agent_id !== undefined && { agent_id, agent_type: agents.types.get(agent_id) }),
    tool_name: tool,
    tool_input,
    tool_use_id,
  };
}

/** Whether a call is denied where nobody could verify it. */
const isRefused = ({ tool }) => server.closed && SHELLS.includes(tool);

/** Returns what other hooks say and what Lore says, as one: the stricter decision, and what each tells the agent. */
function both(others, { permissionDecision: decision, permissionDecisionReason: reason, additionalContext }) {
  const told = additionalContext ? [...(others.additionalContext ?? []), additionalContext] : undefined;
  const said = { ...others, ...(told && { additionalContext: told }) };
  if (others.deny !== undefined) return said;
  const { allow: _, ...stricter } = said;
  if (decision === 'ask') return { ...stricter, ask: others.ask ?? reason };
  // what another hook changed is not the call that was judged
  const stands = decision === 'allow' && others.ask === undefined && others.updatedInput === undefined;
  return stands ? { ...said, allow: true } : said;
}

/** Returns what a hook after a call answers. */
async function after($, event, others) {
  if (event.agent_id) agents.types.set(event.agent_id, event.agent_type);
  agents.ofCall.delete(event.tool_use_id);
  if (event.hook_event_name === 'PostToolUse' && UNTOLD.includes(event.tool_name)) {
    void ask($, event).catch(() => null);
    return others;
  }
  const { additionalContext, updatedToolOutput } = (await ask($, event)) ?? {};
  return {
    ...others,
    ...(additionalContext && { additionalContext: [...(others.additionalContext ?? []), additionalContext] }),
    ...(updatedToolOutput && !others.updatedToolOutput && { updatedToolOutput }),
  };
}

export const register = (on, options) => {
  server.url = String(options.url).replace(/\/+$/, '');
  server.headers = {
    authorization: `Bearer ${options.key}`,
    'content-type': 'application/json',
    'x-lore-hook': 'mod',
  };
  on('tool.call', (_, e, next) => {
    if (e.agentId !== undefined) agents.ofCall.set(e.tool_use_id, e.agentId);
    if (agents.ofCall.size > MAX_CALLS) agents.ofCall.clear();
    return next(e);
  }).catch((_, e, next) => next(e));
  on('classic.PreToolUse', async ($, e, next) => {
    server.closed = (await $.env.get('LORE_FAIL_MODE')) === 'closed';
    const answer = await ask($, await eventBefore($, e));
    if (answer === null && isRefused(e)) return { deny: CLOSED };
    if (answer?.permissionDecision !== 'deny') return both(await next(e), answer ?? {});
    const { permissionDecisionReason: deny, additionalContext } = answer;
    return { deny, ...(additionalContext && { additionalContext: [additionalContext] }) };
  }).catch((_, e, next) => (!next.called && isRefused(e) ? { deny: CLOSED } : next(e)));
  on('classic.PostToolUse', async ($, e, next) => after($, e, await next(e))).catch((_, e, next) => next(e));
  on('classic.PostToolUseFailure', async ($, e, next) => after($, e, await next(e))).catch((_, e, next) =>
    next(e),
  );
};
