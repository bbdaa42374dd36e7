import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { freePort, temporaryFolder } from '../support/process.ts';
import { bash, harness, inClient } from '../support/real-client.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

// The genuine client with the plugin lore-fast, whose hooks around calls run inside the client.
// LORE_REAL_CLIENT names a harness, as in real-client.test.ts; CLAUDE_BIN names the client.
const claude = process.env.CLAUDE_BIN ?? join(tmpdir(), 'real-client/node_modules/.bin/claude');
const run = promisify(execFile);

const server = (harness ? await startTestServer({ LORE_MASK: 'on' }) : undefined) as TestServer;

inClient.describe('the genuine client with lore-fast (LORE_REAL_CLIENT)', () => {
  const folder = harness ? temporaryFolder() : '';
  const app = join(folder, 'app');
  let key: string;
  let runs = 0;

  beforeAll(async () => {
    mkdirSync(app);
    key = (await server.request('POST', '/v1/keys', { body: { name: 'claude', scope: 'hooks' } })).body.key;
  });

  /** Installs the plugin for a person, as a person does. Returns that person's folder. */
  async function install(url = server.url) {
    const home = join(folder, `home-${runs++}`);
    mkdirSync(home);
    const hooks = join(import.meta.dirname, '../../hooks');
    const options = ['--config', `key=${key}`, '--config', `url=${url}`];
    await run(claude, ['plugin', 'install', 'lore-fast', '--marketplace', hooks, ...options], {
      env: { PATH: process.env.PATH, HOME: home, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' },
    });
    return home;
  }

  /**
   * Runs a session whose model does these turns, and returns what its model was told after the prompt.
   *
   * @param options.allowed what the client allows by itself
   */
  async function session(home: string, turns: object[], { env = '', allowed = 'Read', agents = {} } = {}) {
    const out = join(folder, `out-${runs++}`);
    mkdirSync(out);
    writeFileSync(join(out, 'script.json'), JSON.stringify({ turns: [...turns, { text: 'Done.' }], agents }));
    await run(harness as string, [app, join(out, 'script.json'), 'Go'], {
      env: {
        ...process.env,
        OUT: out,
        CC_HOME: home,
        CLAUDE_BIN: claude,
        ISOLATE: '0',
        // under load an answer takes longer than a person would wait for it
        HOOK_ENV: `LORE_HOOK_TIMEOUT_MS=9000 ${env}`,
        ALLOWED: allowed,
      },
    });
    await server.settled();
    const requests = readFileSync(join(out, 'requests.jsonl'), 'utf8').trim().split('\n');
    const { messages } = requests
      .map((line) => JSON.parse(line))
      .findLast(({ kind }) => kind === 'main').body;
    return JSON.stringify(messages.slice(2));
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
  }, 120_000);

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
  }, 120_000);
});
