import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { learn, learnings } from '../learnings/mend.ts';
import { startedSession } from '../support/hook-session.ts';
import { jsonLines } from '../support/json-lines.ts';
import { temporaryFolder } from '../support/left-behind.ts';
import { runLore } from '../support/process.ts';
import { claude, harness, inClient, playClient } from '../support/real-client.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

// The genuine client as the model that writes lessons, against the harness's scripted endpoint, which lies beside it.

const LESSON = {
  error: "Cannot find module './config.json'",
  cause: 'Two connections are not enough for the parallel workers.',
  do: 'Set `pool` in config.json to at least 20: node check.js opens one connection for each worker.',
  applies_when: 'Running node check.js with parallel workers',
};
const SAID = 'all amounts are in cents as integers, never floats';
const write = (content: string) => ({ tool: 'Write', input: { file_path: 'src/price.ts', content } });
const RULE = {
  words: SAID,
  means: '',
  about: [{ pattern: '(?i)amount\\w*\\s*[:=]\\s*\\d+\\.\\d', globs: ['*.ts'] }],
  then: 'ask',
  breaks: [write('export const amount = 12.5;')],
  keeps: [write('export const amount = 1250;')],
};
// of each turn that is kept which its record bears out: the error, or the sentence
const ANSWER = { remember: [LESSON], rules: [RULE] };

const env = { LORE_MODEL_TIMEOUT_MS: '90000' };
const server = (harness ? await startTestServer(env) : undefined) as TestServer;

inClient.describe('the genuine client as the model', () => {
  let endpoint: ReturnType<typeof spawn>;
  const folder = harness ? temporaryFolder() : '';
  const log = join(folder, 'requests.jsonl');
  const sessions = () => server.rows('select client_session_id as id from sessions');

  beforeAll(async () => {
    const [script, port] = [join(folder, 'script.json'), join(folder, 'port')];
    writeFileSync(script, JSON.stringify([{ tool: 'StructuredOutput', input: ANSWER }]));
    const args = ['--script', script, '--log', log, '--port-file', port];
    endpoint = spawn('node', [join(dirname(harness as string), 'fake-model.mjs'), ...args], {
      stdio: 'ignore',
    });
    // the file is there a moment before its content is
    const listens = () => (existsSync(port) ? readFileSync(port, 'utf8').trim() : '');
    for (let i = 0; i < 100 && listens() === ''; i++) await sleep(100);
    const home = join(folder, 'home');
    mkdirSync(join(home, '.claude'), { recursive: true });
    // hooks of the person for all their sessions: they would arrive if they were not turned off
    const hook = {
      type: 'http',
      url: `${server.url}/v1/hooks`,
      headers: { Authorization: `Bearer ${server.key}` },
    };
    const hooks = { UserPromptSubmit: [{ hooks: [hook] }], Stop: [{ hooks: [hook] }] };
    writeFileSync(join(home, '.claude/settings.json'), JSON.stringify({ hooks }));
    const env = {
      PATH: `${dirname(claude)}${delimiter}${process.env.PATH}`,
      HOME: home,
      TMPDIR: folder,
      ANTHROPIC_BASE_URL: `http://127.0.0.1:${listens()}`,
      ANTHROPIC_API_KEY: 'dummy-local-key',
      NO_PROXY: '127.0.0.1,localhost',
      DISABLE_TELEMETRY: '1',
      DISABLE_ERROR_REPORTING: '1',
      DISABLE_AUTOUPDATER: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: '1',
      CLAUDE_CODE_MAX_RETRIES: '1',
    };
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    const ended = new Promise((resolve) => endpoint.once('exit', resolve));
    endpoint.kill();
    await ended;
  });

  test('writes the lesson of a turn, and no hook of its own session arrives', async () => {
    await server.request('PUT', '/v1/settings', { body: { claudeLogin: 'on' } });
    const session = await learn(server);
    expect((await server.request('GET', '/v1/model')).body).toMatchObject({
      provider: 'claude',
      detail: null,
      state: 'ready',
      callsToday: 1,
    });
    expect(await learnings(server, server.key)).toMatchObject([
      { lesson: LESSON.do, evaluatedBy: 'claude:haiku' },
    ]);
    const requests = jsonLines(log).map(({ body }) => body);
    expect(requests).toHaveLength(1);
    expect(requests[0].model).toMatch(/haiku/);
    expect(JSON.stringify(requests[0].tools)).not.toMatch(/"name":"(Bash|Read|Edit|Write)"/);
    expect(await sessions()).toEqual([{ id: session.session_id }]);
  });

  test('writes the guard of a rule, which asks at the call of the next session that breaks it, and at no other', async () => {
    const project = join(folder, 'shop');
    mkdirSync(join(project, 'src'), { recursive: true });
    await runLore(['init', project], {
      env: { LORE_HOME: server.home, LORE_URL: server.url, LORE_KEY: server.key },
    });
    const said = await startedSession(server, { cwd: project }, SAID);
    await said.bashWorks('git status --short');
    await said.rest('Understood.');
    const { guards } = (await server.request('GET', '/v1/guards')).body;
    expect(guards).toMatchObject([{ lesson: SAID, source: 'model', state: 'on' }]);

    const price = (content: string) => ({
      tool: 'Write',
      input: { file_path: join(project, 'src/price.ts'), content },
    });
    const turns = [
      price('export const amount = 12.5;\n'),
      price('export const amount = 1250;\n'),
      { tool: 'Bash', input: { command: 'cat src/price.ts', description: 'look' } },
      { text: 'Done.' },
    ];
    const { sent } = await playClient(project, turns, 'Add the price of a parcel');
    // nobody is there to answer
    expect(sent(1)).toContain('Lore: You said: “all amounts are in cents as integers, never floats”');
    expect(sent(2)).not.toMatch(/You said.*You said/);
    expect(readFileSync(join(project, 'src/price.ts'), 'utf8')).toBe('export const amount = 1250;\n');
  });

  test('though the hooks of the person do arrive from a session of theirs', async () => {
    const before = (await sessions()).length;
    const cwd = join(folder, 'project');
    mkdirSync(cwd);
    const run = promisify(execFile)('claude', ['-p', 'Say ok', '--output-format', 'json'], { cwd });
    run.child.stdin?.end();
    await run;
    await server.stored();
    expect(await sessions()).toHaveLength(before + 1);
  });
});
