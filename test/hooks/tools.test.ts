import { describe, expect, test } from 'vitest';
import { startedSession } from '../support/hook-session.ts';
import { sharedServer } from '../support/server.ts';
import { tablesOf } from '../support/tables.ts';

const server = await sharedServer({ model: false, owner: true });

const session = () => startedSession(server, { key: server.key });

test('a monitor runs a line of bash, and is judged as one', async () => {
  const { decides } = await session();
  expect(await decides('Monitor', { command: 'rm -rf ~', description: 'x' })).toBe('deny');
  expect(await decides('Monitor', { command: 'git status', description: 'x' })).toBe('allow');
  expect(await decides('Monitor', { command: 'frobnicate', description: 'x' })).toBe('none');
});

describe('a call that asks to run outside of the sandbox', () => {
  test('is never allowed unasked, and stays denied', async () => {
    const { decides } = await session();
    const outside = { dangerouslyDisableSandbox: true };
    expect(await decides('Bash', { command: 'git status', ...outside })).toBe('none');
    expect(await decides('Bash', { command: 'git status', dangerouslyDisableSandbox: false })).toBe('allow');
    expect(await decides('Bash', { command: 'rm -rf ~', ...outside })).toBe('deny');
  });

  test('is left to the person, whatever they allowed inside of it', async () => {
    const { decides, cwd } = await session();
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
    expect(await decides('Bash', { command })).toBe('allow');
    expect(await decides('Bash', { command, ...outside })).toBe('none');
    await says('deny');
    expect(await decides('Bash', { command, ...outside })).toBe('deny');
  });
});

const tables = tablesOf('tools', { home: server.home });

describe('a line of PowerShell', () => {
  test('is denied for what is certainly wrong, and never allowed', async () => {
    const { decides } = await session();
    for (const [command] of tables['lines of PowerShell that are denied'] ?? [])
      expect(await decides('PowerShell', { command }), command).toBe('deny');
    for (const [command] of tables['and that are not'] ?? [])
      expect(await decides('PowerShell', { command }), command).toBe('none');
  });
});

describe('a tool that programs add', () => {
  test('is denied what would harm Lore, or could not be undone, and nothing else', async () => {
    const { decides } = await session();
    for (const [tool = '', input = ''] of tables['calls that are denied'] ?? [])
      expect(await decides(tool, JSON.parse(input)), `${tool} ${input}`).toBe('deny');
    for (const [tool = '', input = ''] of tables['calls that are not'] ?? [])
      expect(await decides(tool, JSON.parse(input)), `${tool} ${input}`).toBe('none');
  });
});
