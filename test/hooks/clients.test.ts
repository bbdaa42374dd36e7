import { expect, test } from 'vitest';
import { bash, edit, project, ruleOf } from '../learnings/guards/support.ts';
import { startedSession } from '../support/hook-session.ts';
import { sharedServer } from '../support/server.ts';
import { tablesOf } from '../support/tables.ts';

// Whatever a client or an MCP server calls its shell and its file tools, the same is judged, learned and held.

const server = await sharedServer({ model: false, owner: true });

const session = () => startedSession(server, { key: server.key });

/** Ways in which clients and MCP servers hand a line to a shell. */
const SHELLS = (tablesOf('clients').shells ?? []).map(
  ([tool = '', input = '']): [string, (line: string) => object] => [
    tool,
    (line) => JSON.parse(input.replace('"LINE"', () => JSON.stringify(line))),
  ],
);

/** The same line in every shell. */
const DENIED = [
  'git push --force origin main',
  'rm -rf ~',
  `cat ${server.home}/key`,
  'npm publish --force && rm -rf /',
];

test('what is denied in one shell is denied in all of them', async () => {
  const { decides } = await session();
  for (const [tool, input] of SHELLS)
    for (const line of DENIED)
      expect(await decides(tool, input(line)), `${tool} ${JSON.stringify(input(line))}`).toBe('deny');
});

test('what is harmless is allowed in the shell of each client, and never for a tool of an MCP server', async () => {
  const { decides } = await session();
  for (const [tool, input] of SHELLS) {
    const ofClient =
      !tool.startsWith('mcp__') && tool.toLowerCase() !== 'powershell' && !('shell' in input(''));
    expect(await decides(tool, input('git status')), tool).toBe(ofClient ? 'allow' : 'none');
  }
});

const patch = (...lines: string[]) => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');

test('the files that guard Lore, and those of clients with its hooks, are kept from every tool that writes', async () => {
  const { decides, cwd } = await session();
  const file = `${cwd}/.claude/settings.json`;
  const update = (path: string) =>
    patch('*** Add File: src/a.ts', '+a', `*** Update File: ${path}`, '@@', '-a', '+b');
  const known = {
    ...{ file, cwd },
    ...{ settings: update('.claude/settings.json'), hooks: update('.codex/hooks.json'), own: update(file) },
  };
  const escaped = Object.entries(known).map(([name, text]) => [name, JSON.stringify(text).slice(1, -1)]);
  const calls = tablesOf('clients', Object.fromEntries(escaped)).writers ?? [];
  for (const [tool = '', input = ''] of calls)
    expect(await decides(tool, JSON.parse(input)), `${tool} ${input}`).toBe('deny');
  expect(await decides('apply_patch', { command: update('src/b.ts') })).toBe('none');
  expect(await decides('write', { filePath: `${cwd}/src/c.ts`, content: 'x' })).toBe('none');
});

test('a rule of a person about a command or a file holds in every tool', async () => {
  const { key } = await server.member();
  const { rule, session: play } = project(server, key);
  await rule(
    'Never run tsc without --noEmit in this repo',
    ruleOf({ kind: 'command', program: 'tsc', without: ['--noEmit'] }, [
      [bash('npx tsc')],
      [bash('npx tsc --noEmit')],
    ]),
  );
  await rule(
    'Never touch the migrations',
    ruleOf({ kind: 'path', globs: ['drizzle/**'] }, [[edit('drizzle/1.sql', 'x')], [edit('src/a.ts', 'x')]]),
  );
  const { call } = await play();
  const decision = async (tool: string, input: Record<string, unknown>) =>
    (await call({ tool, input })).decision;
  expect(await decision('exec_command', { cmd: 'npx tsc' })).toBe('deny');
  expect(await decision('mcp__shell__run', { command: 'npx tsc' })).toBe('deny');
  expect(await decision('mcp__shell__run', { command: 'npx tsc --noEmit' })).toBe(null);
  expect(await decision('mcp__filesystem__write_file', { path: 'drizzle/1.sql', content: 'x' })).toBe('deny');
  const two = patch('*** Add File: src/a.ts', '+x', '*** Delete File: drizzle/1.sql');
  expect(await decision('apply_patch', { input: two })).toBe('deny');
  expect(await decision('apply_patch', { input: patch('*** Add File: src/a.ts', '+x') })).toBe(null);
});
