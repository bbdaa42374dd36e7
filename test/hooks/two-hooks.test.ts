import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { contextOf, startedSession } from '../support/hook-session.ts';
import { sharedServer } from '../support/server.ts';

// A project's settings and the plugin may both have Lore's hooks. The client runs them side by side.

const server = await sharedServer({ model: false });
const script = fileURLToPath(new URL('../../hooks/event.cjs', import.meta.url));

/** Runs the plugin's command hook as the client does, and returns what it answers; null for an empty answer. */
async function plugin(event: object, key: string) {
  const child = spawn(process.execPath, [script], {
    env: { CLAUDE_PLUGIN_OPTION_KEY: key, CLAUDE_PLUGIN_OPTION_URL: server.url },
  });
  const out: Buffer[] = [];
  child.stdout.on('data', (piece: Buffer) => out.push(piece));
  child.stdin.end(JSON.stringify(event));
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect(code).toBe(0);
  return out.length === 0 ? null : JSON.parse(Buffer.concat(out).toString());
}

async function ruledProject() {
  const { key } = await server.member();
  const first = await startedSession(server, { key });
  await first.prompt('Always run `make lint` before you commit in this repository.');
  await first.finish('I will.');
  return { key, cwd: first.cwd };
}

const startOf = (cwd: string) => ({
  session_id: randomUUID(),
  transcript_path: '/nonexistent/transcript.jsonl',
  cwd,
  hook_event_name: 'SessionStart',
  source: 'startup',
});

const PUSH = {
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_input: { command: 'git push --force origin main' },
  tool_use_id: 'toolu_push',
};

test('the plugin alone tells and records, with a key that the agent’s shell does not see', async () => {
  const { key, cwd } = await ruledProject();
  const start = startOf(cwd);
  expect(contextOf(await plugin(start, key))).toContain('make lint');
  expect((await plugin({ ...start, ...PUSH }, key)).hookSpecificOutput.permissionDecision).toBe('deny');
  await server.stored();
  const { body } = await server.request('GET', `/v1/sessions/${start.session_id}`, { key });
  expect(body.events.map(({ event }: { event: string }) => event)).toEqual(['SessionStart', 'PreToolUse']);
});

test('side by side with the settings’ hooks it doubles nothing', async () => {
  const { key, cwd } = await ruledProject();
  const start = startOf(cwd);
  const lore = { root: cwd, repo: null, branch: null, deliveryId: randomUUID() };
  expect(contextOf(await server.hook({ ...start, lore }, key))).toContain('make lint');
  expect(contextOf((await plugin(start, key)) ?? {})).toBe('');
  const prompt = { ...start, hook_event_name: 'UserPromptSubmit', prompt: 'Commit it.', prompt_id: 'p1' };
  for (const event of [prompt, { ...start, ...PUSH }]) {
    const told = await server.hook(event, key);
    expect(await plugin(event, key)).toEqual({});
    // a delivery that the same hook repeats gets the same answer
    expect(await server.hook(event, key)).toEqual(told);
  }
  await server.stored();
  const { body } = await server.request('GET', `/v1/sessions/${start.session_id}`, { key });
  const told = body.events.map(({ event }: { event: string }) => event);
  expect(told).toEqual(['SessionStart', 'UserPromptSubmit', 'PreToolUse']);
  const { offers } = (await server.request('GET', `/v1/sessions/${start.session_id}/offers`, { key })).body;
  expect(offers.filter(({ event }: { event: string }) => event === 'SessionStart')).toHaveLength(1);
});
