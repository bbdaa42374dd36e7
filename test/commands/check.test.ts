import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startedSession } from '../support/hook-session.ts';
import { temporaryFolder } from '../support/left-behind.ts';
import { startTestServer } from '../support/server.ts';

const server = await startTestServer({ LORE_MODEL_DIR: '' });
const CWD = '/home/dev/shop';

const check = async (command: string, key: string, cwd = CWD) =>
  (await server.request('POST', '/v1/commands/check', { key, body: { command, cwd } })).body;
const overrule = (code: string, decision: string, key: string, once = false) =>
  server.request('POST', '/v1/commands/overrule', { key, body: { code, decision, once } });

describe('a shell command about to run', () => {
  const verdictOn = async (command: string, caller?: string) => {
    const key = caller ?? (await server.member()).key;
    const session = await startedSession(server, { key, cwd: CWD });
    const call = { tool_name: 'Bash', tool_input: { command }, tool_use_id: 'toolu_1' };
    const first = await session.send('PreToolUse', call);
    return { first, again: await session.send('PreToolUse', call), key };
  };

  test('is denied with a reason the agent can act on', async () => {
    const { first, again, key } = await verdictOn('cd /tmp && rm -rf ~');
    const { permissionDecision, permissionDecisionReason } = first.hookSpecificOutput;
    expect(permissionDecision).toBe('deny');
    expect(permissionDecisionReason).toContain('rm -rf');
    expect(permissionDecisionReason).toContain('Instead:');
    expect(permissionDecisionReason.length).toBeLessThan(300);
    expect(again).toEqual(first);
    const metrics = (await server.request('GET', '/v1/metrics', { key })).body.commands;
    expect(metrics).toMatchObject({ checks: 1, denied: 1 });
  });
});

describe("a person's verdict", () => {
  test('decides a command that no rule knows, for good or once, for that person in that project', async () => {
    const { key } = await server.member();
    const { code, decision, source } = await check('frobnicate', key);
    expect([decision, source]).toEqual(['ask', 'none']);
    expect((await overrule(code, 'allow', key)).body).toEqual({ command: 'frobnicate', cwd: CWD });
    for (const _ of [1, 2]) {
      expect(await check('frobnicate', key)).toMatchObject({
        decision: 'allow',
        source: 'person',
        cached: true,
      });
    }
    expect(await check('frobnicate', key, '/home/dev/other')).toMatchObject({ decision: 'ask' });
    expect(await check('frobnicate', (await server.member()).key)).toMatchObject({ decision: 'ask' });
    await overrule(code, 'deny', key, true);
    expect(await check('frobnicate', key)).toMatchObject({ decision: 'deny', source: 'person' });
    expect(await check('frobnicate', key)).toMatchObject({ decision: 'ask' });
  });

  test('holds once only for a command that runs files that nobody reads for a member', async () => {
    const { key } = await server.member();
    const { code, decision } = await check('bash x.sh', key);
    expect(decision).toBe('ask');
    const refused = await overrule(code, 'allow', key);
    expect([refused.status, refused.body.title]).toEqual([409, 'Cannot be allowed permanently']);
    expect(await check('bash x.sh', key)).toMatchObject({ decision: 'ask' });
    expect((await overrule(code, 'allow', key, true)).status).toBe(200);
    expect(await check('bash x.sh', key)).toMatchObject({ decision: 'allow', source: 'person' });
    expect(await check('bash x.sh', key)).toMatchObject({ decision: 'ask' });
    expect((await overrule(code, 'deny', key)).status).toBe(200);
    expect(await check('bash x.sh', key)).toMatchObject({ decision: 'deny', source: 'person' });
  });

  test('outranks a rule, but not a catastrophic one', async () => {
    const { key } = await server.member();
    const reset = await check('git reset --hard', key);
    expect(reset).toMatchObject({ decision: 'deny', source: 'policy', rule: 'git.reset-hard' });
    expect((await overrule(reset.code, 'allow', key)).status).toBe(200);
    expect(await check('git reset --hard', key)).toMatchObject({ decision: 'allow', source: 'person' });
    const root = await check('rm -rf /', key);
    expect(root.decision).toBe('deny');
    const refused = await overrule(root.code, 'allow', key);
    expect([refused.status, refused.body.title]).toEqual([409, 'Cannot be allowed']);
  });

  test('holds for the content of the script that runs, not for its name', async () => {
    const { key } = server;
    const dir = temporaryFolder();
    const script = join(dir, 'deploy.xyz');
    writeFileSync(script, 'echo one\n');
    const { code } = await check('frobnicate ./deploy.xyz', key, dir);
    await overrule(code, 'allow', key);
    expect(await check('frobnicate ./deploy.xyz', key, dir)).toMatchObject({ decision: 'allow' });
    writeFileSync(script, 'echo two\n');
    expect(await check('frobnicate ./deploy.xyz', key, dir)).toMatchObject({ decision: 'ask' });
  });
});
