import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { bash, edit, project, ruleOf } from '../learnings/guards/support.ts';
import { hookSession } from '../support/hook-session.ts';
import { sharedServer } from '../support/server.ts';

// Whatever a client or an MCP server calls its shell and its file tools, the same is judged, learned and held.

const server = await sharedServer({ model: false, owner: true });

async function session({ key = server.key } = {}) {
  const one = hookSession(server, { key });
  await one.start();
  const call = (tool: string, input: object, event = 'PreToolUse', more = {}) =>
    one.send(event, { tool_name: tool, tool_input: input, tool_use_id: randomUUID(), ...more });
  const decision = async (tool: string, input: object) =>
    (await call(tool, input)).hookSpecificOutput?.permissionDecision;
  return { ...one, call, decision };
}

/** Ways in which clients and MCP servers hand a line to a shell. */
const SHELLS: [string, (line: string) => object][] = [
  ['Bash', (command) => ({ command })],
  ['Bash', (line) => ({ command: ['bash', '-lc', line] })],
  ['shell', (line) => ({ command: ['bash', '-lc', line] })],
  ['Shell', (command) => ({ command, working_directory: 'src' })],
  ['exec_command', (cmd) => ({ cmd, workdir: '/tmp' })],
  ['container.exec', (line) => ({ cmd: ['bash', '-lc', line] })],
  ['local_shell', (command) => ({ command })],
  ['run_terminal_cmd', (command) => ({ command, is_background: false })],
  ['run_in_terminal', (command) => ({ command })],
  ['run_shell_command', (command) => ({ command })],
  ['execute_command', (command) => ({ command })],
  ['bash', (command) => ({ command, description: 'x' })],
  ['PowerShell', (command) => ({ command })],
  ['powershell', (command) => ({ command })],
  ['bash', (command) => ({ command, shell: 'pwsh' })],
  ['Monitor', (command) => ({ command, description: 'x' })],
  ['mcp__shell__run', (command) => ({ command })],
  ['mcp__desktop-commander__start_process', (command) => ({ command, timeout_ms: 1000 })],
  ['mcp__terminal__execute_command', (command) => ({ command })],
];

/** The same line in every shell. */
const DENIED = [
  'git push --force origin main',
  'rm -rf ~',
  `cat ${server.home}/key`,
  'npm publish --force && rm -rf /',
];

test('what is denied in one shell is denied in all of them', async () => {
  const { decision } = await session();
  for (const [tool, input] of SHELLS)
    for (const line of DENIED)
      expect(await decision(tool, input(line)), `${tool} ${JSON.stringify(input(line))}`).toBe('deny');
});

test('what is harmless is allowed in the shell of each client, and never for a tool of an MCP server', async () => {
  const { decision } = await session();
  for (const [tool, input] of SHELLS) {
    const ofClient =
      !tool.startsWith('mcp__') && tool.toLowerCase() !== 'powershell' && !('shell' in input(''));
    expect(await decision(tool, input('git status')), tool).toBe(ofClient ? 'allow' : undefined);
  }
});

const patch = (...lines: string[]) => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');

test('the files that guard Lore, and those of clients with its hooks, are kept from every tool that writes', async () => {
  const { decision, cwd } = await session();
  const file = `${cwd}/.claude/settings.json`;
  const update = (path: string) =>
    patch('*** Add File: src/a.ts', '+a', `*** Update File: ${path}`, '@@', '-a', '+b');
  const calls: [string, object][] = [
    ['Write', { file_path: file, content: '{}' }],
    ['write', { filePath: file, content: '{}' }],
    ['edit', { filePath: file, oldString: 'a', newString: 'b' }],
    ['create', { path: file, file_text: '{}' }],
    ['write_file', { path: '.claude/settings.json', content: '{}' }],
    ['edit_file', { target_file: file, code_edit: '{}' }],
    ['str_replace_editor', { command: 'create', path: file, file_text: '{}' }],
    ['apply_patch', { command: update('.claude/settings.json') }],
    ['apply_patch', { input: update(file) }],
    ['apply_patch', { patchText: update('.codex/hooks.json') }],
    ['Bash', { command: `apply_patch <<'EOF'\n${update('.claude/settings.json')}\nEOF` }],
    ['mcp__filesystem__write_file', { path: file, content: '{}' }],
    ['mcp__filesystem__edit_file', { path: file, edits: [{ oldText: 'a', newText: 'b' }] }],
    ['write', { filePath: `${cwd}/.opencode/plugins/lore.js`, content: '' }],
    ['Write', { file_path: `${cwd}/.cursor/hooks.json`, content: '{}' }],
    ['Bash', { command: 'rm .codex/hooks.json' }],
    ['Bash', { command: 'echo {} > ~/.copilot/hooks/lore.json' }],
  ];
  for (const [tool, input] of calls)
    expect(await decision(tool, input), `${tool} ${JSON.stringify(input)}`).toBe('deny');
  expect(await decision('apply_patch', { command: update('src/b.ts') })).toBeUndefined();
  expect(await decision('write', { filePath: `${cwd}/src/c.ts`, content: 'x' })).toBeUndefined();
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
