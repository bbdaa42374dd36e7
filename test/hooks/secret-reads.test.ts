import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startedSession } from '../support/hook-session.ts';
import { temporaryFolder } from '../support/left-behind.ts';
import { sharedServer } from '../support/server.ts';

// Where Lore has no opinion, the client runs what only reads, and its own tools that read files, without asking anybody.

const server = await sharedServer({ model: false, owner: true });
const project = temporaryFolder();
mkdirSync(join(project, '.git'));
mkdirSync(join(project, 'src'));
writeFileSync(join(project, '.env'), 'API_KEY=9f8e7d6c5b4a39281706\n');
writeFileSync(join(project, '.env.example'), 'API_KEY=\n');
writeFileSync(
  join(project, '.mcp.json'),
  '{"env":{"GITHUB_TOKEN":"ghp_16C7e42F292c6912E7710c838347Ae178B4a"}}\n',
);
writeFileSync(join(project, 'src', 'a.ts'), 'export const key = process.env.API_KEY;\n');

const answerTo = async (tool: string, input: object, key = server.key) =>
  (await startedSession(server, { key, cwd: project })).asks(tool, input);

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
    const { permissionDecision, permissionDecisionReason = '' } = await answerTo('Bash', { command });
    expect(permissionDecision).toBe('ask');
    expect(permissionDecisionReason).toContain('A person decides');
    expect(permissionDecisionReason.length).toBeLessThan(300);
  });

  test.each([
    ['Read', { file_path: join(project, '.env') }],
    ['Read', { file_path: '/home/dev/.aws/credentials' }],
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
