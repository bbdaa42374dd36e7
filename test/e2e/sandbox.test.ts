import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { needs } from '../support/needs.ts';
import { programOnPath } from '../support/programs.ts';
import { bash, harness, realClient } from '../support/real-client.ts';

// With its sandbox on, the client sends http hooks through the sandbox's own proxy, which lets through what the settings
// allow. So hooks have to be allowed there, or a person has to hear that they are not.
const client = realClient();
const { folder, env, lore, projectWith, session } = client;
const PUSH = 'git push --force origin main';
const withSandbox = needs(
  'the genuine client (LORE_REAL_CLIENT), bubblewrap and socat',
  harness && programOnPath('bwrap') && programOnPath('socat'),
);

withSandbox.describe('in the genuine client with its sandbox on', () => {
  const own = join(folder, 'client-home', '.claude');
  beforeAll(async () => {
    await client.setUp();
    mkdirSync(own, { recursive: true });
  });
  afterAll(client.tearDown);

  const ownSettings = (sandbox: object) =>
    writeFileSync(join(own, 'settings.json'), JSON.stringify({ sandbox }));
  const makeProject = async (name: string) => {
    const app = await projectWith(name, {});
    execFileSync('git', ['init', '-q'], { cwd: app });
    return app;
  };

  /** Has an agent push, and returns what its model was told of that, and what the person was told at the start. */
  async function push(app: string) {
    const env = { ALLOWED: 'Bash', HOOK_ENV: 'LORE_HOOK_TIMEOUT_MS=4500' };
    const { sent, result } = await session(app, [bash(PUSH), { text: 'Done.' }], 'Push it', { env });
    const projects = join(own, 'projects');
    const [transcript = ''] = readdirSync(projects).flatMap((name) =>
      readdirSync(join(projects, name)).flatMap((file) =>
        file === `${result.session_id}.jsonl` ? readFileSync(join(projects, name, file), 'utf8') : [],
      ),
    );
    const told = /"hook_system_message","content":"((?:[^"\\]|\\.)*)"/.exec(transcript)?.[1];
    return { answer: sent(1), told };
  }

  test('hooks reach the server where a person switched it on', async () => {
    const app = await makeProject('own');
    ownSettings({ enabled: true, autoAllowBashIfSandboxed: true });
    const first = await push(app);
    expect(first.told).toBeUndefined();
    expect(first.answer).toContain('git.force-push');
  });

  test('where the server is not allowed, the start says that commands are not checked, and what to do', async () => {
    const app = await makeProject('kept');
    const file = join(app, '.claude', 'settings.local.json');
    const { sandbox, ...settings } = JSON.parse(readFileSync(file, 'utf8'));
    expect(sandbox).toEqual({ network: { allowedDomains: [new URL(env.LORE_URL as string).host] } });
    writeFileSync(file, JSON.stringify(settings));
    ownSettings({ enabled: true, autoAllowBashIfSandboxed: true });
    const first = await push(app);
    expect(first.answer).toContain('failed to push');
    expect(first.told).toMatch(/sandbox.*no command is judged.*Run lore init again/);
    await lore(['init', app]);
    const second = await push(app);
    expect(second.answer).toContain('git.force-push');
    expect(second.told ?? '').not.toContain('sandbox');
  });
});
