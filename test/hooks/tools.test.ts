import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { startedSession } from '../support/hook-session.ts';
import { sharedServer } from '../support/server.ts';
import { tablesOf } from '../support/tables.ts';

const server = await sharedServer({ model: false, owner: true });

/** A session of the owner, and what is answered to its calls before they run. */
async function session({ key = server.key } = {}) {
  const one = await startedSession(server, { key });
  const call = (tool: string, input: object, event = 'PreToolUse', more = {}) =>
    one.send(event, { tool_name: tool, tool_input: input, tool_use_id: randomUUID(), ...more });
  const decision = async (tool: string, input: object) =>
    (await call(tool, input)).hookSpecificOutput?.permissionDecision;
  return { ...one, call, decision };
}

test('a monitor runs a line of bash, and is judged as one', async () => {
  const { decision } = await session();
  expect(await decision('Monitor', { command: 'rm -rf ~', description: 'x' })).toBe('deny');
  expect(await decision('Monitor', { command: 'git status', description: 'x' })).toBe('allow');
  expect(await decision('Monitor', { command: 'frobnicate', description: 'x' })).toBeUndefined();
});

describe('a call that asks to run outside of the sandbox', () => {
  test('is never allowed unasked, and stays denied', async () => {
    const { decision } = await session();
    const outside = { dangerouslyDisableSandbox: true };
    expect(await decision('Bash', { command: 'git status', ...outside })).toBeUndefined();
    expect(await decision('Bash', { command: 'git status', dangerouslyDisableSandbox: false })).toBe('allow');
    expect(await decision('Bash', { command: 'rm -rf ~', ...outside })).toBe('deny');
  });

  test('is left to the person, whatever they allowed inside of it', async () => {
    const { decision, cwd } = await session();
    const outside = { dangerouslyDisableSandbox: true };
    const command = 'frobnicate --all';
    const { key } = server;
    const { code } = (await server.request('POST', '/v1/commands/check', { key, body: { command, cwd } }))
      .body;
    const says = (verdict: string) =>
      server.request('POST', '/v1/commands/overrule', {
        key,
        body: { code, decision: verdict, once: false },
      });
    await says('allow');
    expect(await decision('Bash', { command })).toBe('allow');
    expect(await decision('Bash', { command, ...outside })).toBeUndefined();
    await says('deny');
    expect(await decision('Bash', { command, ...outside })).toBe('deny');
  });
});

const tables = tablesOf('tools', { home: server.home });

describe('a line of PowerShell', () => {
  test('is denied for what is certainly wrong, and never allowed', async () => {
    const { decision } = await session();
    for (const [command] of tables['lines of PowerShell that are denied'] ?? [])
      expect(await decision('PowerShell', { command }), command).toBe('deny');
    for (const [command] of tables['and that are not'] ?? [])
      expect(await decision('PowerShell', { command }), command).toBeUndefined();
  });
});

describe('a tool that programs add', () => {
  test('is denied what would harm Lore, or could not be undone, and nothing else', async () => {
    const { decision } = await session();
    for (const [tool = '', input = ''] of tables['calls that are denied'] ?? [])
      expect(await decision(tool, JSON.parse(input)), `${tool} ${input}`).toBe('deny');
    for (const [tool = '', input = ''] of tables['calls that are not'] ?? [])
      expect(await decision(tool, JSON.parse(input)), `${tool} ${input}`).toBeUndefined();
  });
});
