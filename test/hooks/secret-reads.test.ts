import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hookSession } from '../support/hook-session.ts';
import { temporaryFolder } from '../support/left-behind.ts';
import { sharedServer } from '../support/server.ts';

// Where Lore has no opinion, the client runs what only reads, and its own tools that read files, without asking anybody.

const server = await sharedServer({ model: false, owner: true });
const project = temporaryFolder();
mkdirSync(join(project, '.git'));
mkdirSync(join(project, 'src'));
writeFileSync(join(project, '.env'), 'API_KEY=9f8e7d6c5b4a39281706\n');
writeFileSync(join(project, '.env.example'), 'API_KEY=\n');
writeFileSync(join(project, '.env~'), 'API_KEY=9f8e7d6c5b4a39281706\n');
writeFileSync(join(project, '.gitignore'), '.env~\n');
writeFileSync(
  join(project, '.mcp.json'),
  '{"env":{"GITHUB_TOKEN":"ghp_16C7e42F292c6912E7710c838347Ae178B4a"}}\n',
);
writeFileSync(join(project, 'src', 'a.ts'), 'export const key = process.env.API_KEY;\n');

async function answerTo(tool: string, input: Record<string, unknown>, key = server.key) {
  const session = hookSession(server, { key, cwd: project });
  await session.start();
  const { hookSpecificOutput } = await session.send('PreToolUse', {
    tool_name: tool,
    tool_input: input,
    tool_use_id: 'toolu_1',
  });
  return hookSpecificOutput ?? {};
}

describe('a person is asked before a secret is read', () => {
  test.each([
    'cat .env',
    'head -c 20 .env',
    'base64 .env',
    'rg -uuu --no-filename . .env',
    'grep KEY .env',
    'git diff --no-index /dev/null .env',
    'while read l; do echo "$l"; done < .env',
    'printenv API_KEY',
    'cd src && less ../.env',
  ])('by the shell: %s', async (command) => {
    const { permissionDecision, permissionDecisionReason } = await answerTo('Bash', { command });
    expect(permissionDecision).toBe('ask');
    expect(permissionDecisionReason).toContain('A person decides');
    expect(permissionDecisionReason.length).toBeLessThan(300);
  });

  test.each([
    ['Read', { file_path: join(project, '.env') }],
    ['Read', { file_path: '/home/dev/.aws/credentials' }],
    ['Read', { file_path: join(project, '.env~') }],
    ['Read', { file_path: join(project, '.mcp.json') }],
    ['Grep', { pattern: 'TOKEN', path: join(project, '.mcp.json'), output_mode: 'content' }],
    ['Grep', { pattern: 'KEY', path: join(project, '.env'), output_mode: 'content' }],
    ['Grep', { pattern: 'KEY', glob: '.env', output_mode: 'content' }],
    ['Grep', { pattern: 'KEY', glob: '*.js .env', output_mode: 'content' }],
    ['Grep', { pattern: 'KEY', glob: '*.{js,ts},.env', output_mode: 'content' }],
    ['Grep', { pattern: 'lore_', path: join(project, '.claude/settings.local.json') }],
  ])('by the tool %s: %j', async (tool, input) => {
    expect(await answerTo(tool, input)).toMatchObject({ permissionDecision: 'ask' });
  });

  test('a search that would read one too is asked about, and told how to leave it out', async () => {
    const wanted = {
      permissionDecision: 'ask',
      permissionDecisionReason: expect.stringContaining("-g '!.env'"),
    };
    expect(await answerTo('Grep', { pattern: 'API_KEY', output_mode: 'content' })).toMatchObject(wanted);
    expect(await answerTo('Bash', { command: 'rg -uuu API_KEY .' })).toMatchObject(wanted);
    expect(await answerTo('Bash', { command: 'grep -r API_KEY .' })).toMatchObject({
      permissionDecision: 'ask',
      permissionDecisionReason: expect.stringContaining('--exclude=.env'),
    });
    // what it leaves out, or looks into, may be something else
    for (const command of [
      'grep -r --exclude-dir=node_modules API_KEY .',
      "grep -r --exclude='*.md' API_KEY .",
      "grep -r --include='*' API_KEY .",
      "rg --hidden -g '!.git' API_KEY",
      "rg --hidden -g '*' API_KEY",
      'find . -type f | xargs grep -h API_KEY',
      'find . -type f -exec grep -h API_KEY {} +',
    ])
      expect([command, await answerTo('Bash', { command })]).toMatchObject([
        command,
        { permissionDecision: 'ask' },
      ]);
    for (const command of [
      "rg -uuu -g '!.env' API_KEY .",
      "rg --hidden --glob='!.env*' API_KEY",
      "rg --hidden -g '*.{js,ts}' API_KEY",
      'grep -r --exclude=.env API_KEY .',
      'grep -r --exclude .env API_KEY .',
      "grep -rn --include='*.ts' API_KEY .",
      "find . -name '*.ts' | xargs grep API_KEY",
      'find . -type f | xargs grep -l API_KEY',
    ])
      expect([command, await answerTo('Bash', { command })]).toMatchObject([
        command,
        { permissionDecision: 'allow' },
      ]);
    expect(await answerTo('Grep', { pattern: 'API_KEY', glob: '!.env', output_mode: 'content' })).toEqual({});
    // it searches what git does not have, too
    expect(await answerTo('Bash', { command: 'git grep --no-index API_KEY' })).toEqual({});
  });
});

test('what a person allowed is not asked again', async () => {
  const { key } = await server.member();
  const body = { command: 'cat .env', cwd: project };
  const { code, decision, source } = (await server.request('POST', '/v1/commands/check', { key, body })).body;
  expect([decision, source]).toEqual(['ask', 'policy']);
  const allowed = { code, decision: 'allow', once: false };
  expect((await server.request('POST', '/v1/commands/overrule', { key, body: allowed })).status).toBe(200);
  expect(await answerTo('Bash', { command: 'cat .env' }, key)).toMatchObject({ permissionDecision: 'allow' });
});
