import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../support/left-behind.ts';
import { runLore } from '../support/process.ts';
import {
  bash,
  harness,
  inClient,
  installPlugin,
  playClient,
  pluginTool,
  told,
} from '../support/real-client.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

// The genuine client with the plugin installed from its folder, as a person installs it, and no hooks in the project.
const server = (harness ? await startTestServer() : undefined) as TestServer;

inClient.describe('the genuine client with the plugin (LORE_REAL_CLIENT)', () => {
  const folder = harness ? temporaryFolder() : '';
  const home = join(folder, 'home');
  const app = join(folder, 'app');
  const HOOK_ENV = 'LORE_HOOK_TIMEOUT_MS=55000';

  beforeAll(async () => {
    mkdirSync(home);
    mkdirSync(app);
    // under load a hook takes longer than a person would wait for it
    const marketplace = join(folder, 'marketplace');
    cpSync(join(import.meta.dirname, '../../hooks'), marketplace, { recursive: true });
    const hooks = join(marketplace, 'hooks/hooks.json');
    writeFileSync(hooks, readFileSync(hooks, 'utf8').replaceAll('"timeout": 5', '"timeout": 60'));
    const { body } = await server.request('POST', '/v1/keys', { body: { name: 'claude', scope: 'hooks' } });
    await installPlugin(home, 'lore', marketplace, body.key, server.url);
  });

  /** Runs a session whose model does these turns. Returns all that it was sent. */
  async function session(prompt: string, turns: object[]) {
    const { requests } = await playClient(app, [...turns, { text: 'Done.' }], prompt, {
      env: { CC_HOME: home, HOOK_ENV, ALLOWED: 'Bash,Read,Agent,mcp__plugin_lore_lore' },
    });
    await server.settled();
    return requests;
  }

  test('what /lore:remember proposes is kept, and names who proposed it', async () => {
    const lesson = 'Run `make proto` before `go build`.';
    const requests = await session(`/lore:remember ${lesson}`, [
      pluginTool('search', { query: lesson }),
      pluginTool('remember', {
        cause: 'the stubs are not in git',
        do: lesson,
        applies_when: '`go build` in a fresh clone',
      }),
    ]);
    expect(JSON.stringify(requests[0]?.body.messages)).toContain('Propose to keep: Run `make proto`');
    expect(told(requests[2])).toContain('proposed');
    const { body } = await server.request('GET', `/v1/learnings?status=proposed&project=${app}`);
    expect(body.learnings).toMatchObject([
      {
        lesson: `When \`go build\` in a fresh clone: ${lesson}`,
        status: 'proposed',
        evaluatedBy: 'agent:orchestrator',
        project: app,
      },
    ]);
  });

  test('a repository that holds the hooks of `lore init --team` needs no Lore beside the client', async () => {
    const clone = join(folder, 'clone');
    mkdirSync(clone);
    await runLore(['init', clone, '--team'], { env: { LORE_HOME: join(folder, 'none') } });
    const { key } = (await server.request('POST', '/v1/keys', { body: { name: 'ann', scope: 'hooks' } }))
      .body;
    const turns = [bash('git push --force origin main'), { text: 'Given up.' }];
    const { answers } = await playClient(clone, turns, 'Push it', {
      env: {
        CC_HOME: join(folder, 'home-team'),
        HOOK_ENV: `LORE_URL=${server.url} LORE_KEY=${key} ${HOOK_ENV}`,
        ALLOWED: 'Bash',
      },
    });
    expect(answers(1)[0]).toContain('Lore: ');
    await server.stored();
    const { sessions } = (await server.request('GET', `/v1/sessions?project=${clone}`)).body;
    expect(sessions).toHaveLength(1);
  });
});
