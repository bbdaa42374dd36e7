import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { freePort, temporaryFolder } from '../support/process.ts';
import { bash, harness, inClient, installPlugin, playClient } from '../support/real-client.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

// The genuine client with the plugin lore-fast, whose hooks around calls run inside the client.
const server = (harness ? await startTestServer({ LORE_MASK: 'on' }) : undefined) as TestServer;

inClient.describe('the genuine client with lore-fast (LORE_REAL_CLIENT)', () => {
  const folder = harness ? temporaryFolder() : '';
  const app = join(folder, 'app');
  let key: string;

  beforeAll(async () => {
    mkdirSync(app);
    key = (await server.request('POST', '/v1/keys', { body: { name: 'claude', scope: 'hooks' } })).body.key;
  });

  /** Installs the plugin for a person, as a person does. Returns that person's folder. */
  async function install(url = server.url) {
    const home = temporaryFolder();
    await installPlugin(home, 'lore-fast', join(import.meta.dirname, '../../hooks'), key, url);
    return home;
  }

  /** Runs a session whose model does these turns, and returns what its model was told after the prompt. */
  async function session(home: string, turns: object[], { env = '', allowed = 'Read' } = {}) {
    const { requests } = await playClient(app, [...turns, { text: 'Done.' }], 'Go', {
      // under load an answer takes longer than a person would wait for it
      env: { CC_HOME: home, HOOK_ENV: `LORE_HOOK_TIMEOUT_MS=9000 ${env}`, ALLOWED: allowed },
    });
    await server.settled();
    return JSON.stringify(requests.at(-1)?.body.messages.slice(2));
  }
  const made = (name: string) => existsSync(join(app, name));

  test('a call is allowed or denied, each event is stored once, an output is masked', async () => {
    const said = await session(
      await install(),
      [
        bash('touch allowed.txt'),
        bash('git push --force origin main'),
        bash("seq -f 'number %g of many' 1 1200"),
        { tool: 'Read', input: { file_path: join(app, 'allowed.txt') } },
      ],
      { allowed: 'Read,Bash(seq:*)' },
    );
    expect(made('allowed.txt')).toBe(true);
    expect(said).toMatch(/Lore: [^"]*force/);
    expect(said).toContain('[obs:');
    expect(said).not.toContain('number 500 of many');
    const events = await server.rows(
      `select e.event, count(*)::int as count from events e join sessions s on s.id = e.session_id
       where s.cwd = '${app}' group by e.event`,
    );
    expect(Object.fromEntries(events.map(({ event, count }) => [event, count]))).toMatchObject({
      SessionStart: 1,
      UserPromptSubmit: 1,
      PreToolUse: 4,
      PostToolUse: 3,
      Stop: 1,
    });
  });

  test('without a server calls run, unless LORE_FAIL_MODE is closed', async () => {
    const home = await install(`http://127.0.0.1:${await freePort()}`);
    await session(home, [bash('touch open.txt')], { allowed: 'Bash' });
    expect(made('open.txt')).toBe(true);
    const said = await session(home, [bash('touch closed.txt')], {
      allowed: 'Bash',
      env: 'LORE_FAIL_MODE=closed',
    });
    expect(made('closed.txt')).toBe(false);
    expect(said).toContain('LORE_FAIL_MODE is closed');
  });
});
