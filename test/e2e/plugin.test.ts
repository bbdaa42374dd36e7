import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../support/left-behind.ts';
import { runLore } from '../support/process.ts';
import { inClient } from '../support/real-client.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

// The genuine client with the plugin installed from its folder, as a person installs it, and no hooks in the project.
// LORE_REAL_CLIENT names a harness, as in real-client.test.ts; CLAUDE_BIN names the client.
const harness = process.env.LORE_REAL_CLIENT;
const claude = process.env.CLAUDE_BIN ?? join(tmpdir(), 'real-client/node_modules/.bin/claude');
const run = promisify(execFile);

const server = (harness ? await startTestServer() : undefined) as TestServer;

/** A call of one of Lore's tools, under the name that the client gives it. Its id is as unique as a real model's. */
const tool = (name: string, input: object) => ({
  tools: [{ tool: `mcp__plugin_lore_lore__${name}`, input, id: `toolu_${randomUUID()}` }],
});

inClient.describe('the genuine client with the plugin (LORE_REAL_CLIENT)', () => {
  const folder = harness ? temporaryFolder() : '';
  const home = join(folder, 'home');
  const app = join(folder, 'app');
  const env = {
    ...process.env,
    CC_HOME: home,
    CLAUDE_BIN: claude,
    ISOLATE: '0',
    HOOK_ENV: 'LORE_HOOK_TIMEOUT_MS=55000',
    ALLOWED: 'Bash,Read,Agent,mcp__plugin_lore_lore',
  };
  let runs = 0;

  beforeAll(async () => {
    mkdirSync(home);
    mkdirSync(app);
    // under load a hook takes longer than a person would wait for it
    const marketplace = join(folder, 'marketplace');
    cpSync(join(import.meta.dirname, '../../hooks'), marketplace, { recursive: true });
    const hooks = join(marketplace, 'hooks/hooks.json');
    writeFileSync(hooks, readFileSync(hooks, 'utf8').replaceAll('"timeout": 5', '"timeout": 60'));
    const { body } = await server.request('POST', '/v1/keys', { body: { name: 'claude', scope: 'hooks' } });
    const options = ['--config', `key=${body.key}`, '--config', `url=${server.url}`];
    await run(claude, ['plugin', 'install', 'lore', '--marketplace', marketplace, ...options], {
      env: { PATH: process.env.PATH, HOME: home, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' },
    });
  }, 120_000);

  /** Runs a session whose model does these turns, and returns all requests that the model got, in order. */
  async function session(prompt: string, turns: object[], agents: Record<string, object[]> = {}) {
    const out = join(folder, `out-${runs++}`);
    mkdirSync(out);
    writeFileSync(join(out, 'script.json'), JSON.stringify({ turns: [...turns, { text: 'Done.' }], agents }));
    await run(harness as string, [app, join(out, 'script.json'), prompt], { env: { ...env, OUT: out } });
    await server.settled();
    return readFileSync(join(out, 'requests.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter(({ kind }) => kind === 'main' || kind.startsWith('agent:'));
  }
  /** The result of the last call that a model was told. */
  const told = (request: { body: { messages: object[] } }) =>
    request.body.messages.map((one) => JSON.stringify(one)).findLast((one) => one.includes('"tool_result"'));

  test('it searches, and claims and completes a step of the shared plan, as the agent that it is', async () => {
    const note = { content: 'The ledger is closed on the third working day.', project: app };
    await server.request('POST', '/v1/notes', { body: note });
    await server.settled();
    const plan = { project: app, goal: 'Close the ledger', steps: [{ description: 'Count the rows' }] };
    const { id } = (await server.request('POST', '/v1/plans', { body: plan })).body;
    const step = { plan: id.slice(0, 8), step: 1 };
    const requests = await session('Close it', [
      tool('search', { query: 'when is the ledger closed' }),
      tool('plan_step', { ...step, action: 'claim' }),
      tool('plan_step', { ...step, action: 'complete', text: '42 rows.' }),
    ]);
    expect(told(requests[1])).toContain('third working day');
    expect(told(requests[2])).toContain('in_progress');
    const { body } = await server.request('GET', `/v1/plans/${id}`);
    expect(body).toMatchObject({ status: 'completed' });
    expect(body.steps).toMatchObject([
      { status: 'completed', outcome: '42 rows.', assignedTo: 'orchestrator' },
    ]);
  }, 120_000);

  test('what /lore:remember proposes is kept, and names who proposed it', async () => {
    const lesson = 'Run `make proto` before `go build`.';
    const requests = await session(`/lore:remember ${lesson}`, [
      tool('search', { query: lesson }),
      tool('remember', {
        cause: 'the stubs are not in git',
        do: lesson,
        applies_when: '`go build` in a fresh clone',
      }),
    ]);
    expect(JSON.stringify(requests[0].body.messages)).toContain('Propose to keep: Run `make proto`');
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
  }, 120_000);

  test('a repository that holds the hooks of `lore init --team` needs no Lore beside the client', async () => {
    const [clone, out] = [join(folder, 'clone'), join(folder, 'out-team')];
    for (const dir of [clone, out]) mkdirSync(dir);
    await runLore(['init', clone, '--team'], { env: { LORE_HOME: join(folder, 'none') } });
    const { key } = (await server.request('POST', '/v1/keys', { body: { name: 'ann', scope: 'hooks' } }))
      .body;
    const push = { command: 'git push --force origin main', description: 'push' };
    writeFileSync(
      join(out, 'script.json'),
      JSON.stringify({ turns: [{ tool: 'Bash', input: push }, { text: 'Given up.' }] }),
    );
    await run(harness as string, [clone, join(out, 'script.json'), 'Push it'], {
      env: {
        ...env,
        CC_HOME: join(folder, 'home-team'),
        OUT: out,
        HOOK_ENV: `LORE_URL=${server.url} LORE_KEY=${key} ${env.HOOK_ENV}`,
      },
    });
    expect(readFileSync(join(out, 'requests.jsonl'), 'utf8')).toContain('Lore: ');
    await server.stored();
    const { sessions } = (await server.request('GET', `/v1/sessions?project=${clone}`)).body;
    expect(sessions).toHaveLength(1);
  }, 120_000);
});
