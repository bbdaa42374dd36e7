import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { ModelUnavailable } from '../../src/llm/ask.ts';
import { createClaude } from '../../src/llm/claude.ts';
import { learn, learnings, MESSAGE, mend } from '../learnings/mend.ts';
import { fakeClaude } from '../support/claude.ts';
import { hookSession } from '../support/hook-session.ts';
import { temporaryFolder } from '../support/left-behind.ts';
import { startTestServer } from '../support/server.ts';

vi.setConfig({ testTimeout: 60_000 });

const server = await startTestServer({ LORE_MODEL_MAX_LOAD: '1000' });
// behind the start, so that no other process inherits the path to it
const claude = fakeClaude();
// as in a server that somebody started from a session
for (const [name, value] of Object.entries({
  CLAUDECODE: '1',
  CLAUDE_CODE_SESSION_ID: 's',
  LORE_KEY: 'k'.repeat(20),
  ANTHROPIC_BASE_URL: 'http://127.0.0.1:9',
  CLAUDE_CONFIG_DIR: '/nonexistent/claude',
})) {
  vi.stubEnv(name, value);
}
afterAll(() => vi.unstubAllEnvs());

const LESSON = {
  error: "Cannot find module './config.json'",
  cause: 'Two connections are not enough for the parallel workers.',
  do: 'Set `pool` in config.json to at least 20: node check.js opens one connection for each worker.',
  applies_when: 'Running node check.js with parallel workers',
};
const answer = { remember: [LESSON], rules: [] };
const model = async (key?: string) => (await server.request('GET', '/v1/model', key ? { key } : {})).body;
const agree = (claudeLogin: string, key?: string) =>
  server.request('PUT', '/v1/settings', { body: { claudeLogin }, ...(key && { key }) });

describe('the login of the person who runs the server', () => {
  test('is not used until they agree, and nobody else can', async () => {
    claude.reply = { answer };
    expect(await model()).toMatchObject({ provider: 'none', state: 'none', claudeOffered: true });
    await learn(server, { cwd: '/home/dev/before' });
    const { key } = await server.member();
    expect(await model(key)).toMatchObject({ provider: 'none', claudeOffered: false });
    const refused = await agree('on', key);
    expect(refused).toMatchObject({ status: 403, body: { detail: expect.stringContaining('claudeLogin') } });
    expect((await agree('on')).body).toMatchObject({ modelSpending: 'on', claudeLogin: 'on' });
    await learn(server, { key });
    expect(await learnings(server, key)).toMatchObject([{ evaluatedBy: 'rules' }]);
    expect(claude.runs()).toEqual([]);
  });

  test('writes lessons in the background, without tools, hooks or a trace', async () => {
    expect(await model()).toMatchObject({ provider: 'claude', model: 'claude:haiku', state: 'ready' });
    const session = await learn(server, { cwd: '/home/dev/app' });
    expect(await learnings(server, server.key, `?project=${encodeURIComponent(session.cwd)}`)).toMatchObject([
      { lesson: LESSON.do, evaluatedBy: 'claude:haiku' },
    ]);
    const [run] = claude.runs();
    const { args = [], env = [] } = run ?? {};
    const behind = (flag: string) => args[args.indexOf(flag) + 1];
    expect(args.slice(2).filter((arg) => /^--[a-z]/.test(arg))).toEqual([
      '--output-format',
      '--model',
      '--effort',
      '--tools',
      '--strict-mcp-config',
      '--setting-sources',
      '--settings',
      '--disable-slash-commands',
      '--no-session-persistence',
      '--system-prompt',
      '--json-schema',
    ]);
    expect(args[0]).toBe('-p');
    expect(JSON.parse(args[1] ?? '')).toMatchObject({ task: 'Make the checks pass' });
    expect([behind('--output-format'), behind('--model'), behind('--effort')]).toEqual([
      'json',
      'haiku',
      'low',
    ]);
    expect([behind('--tools'), behind('--setting-sources')]).toEqual(['', '']);
    expect(JSON.parse(behind('--settings') ?? '')).toEqual({ disableAllHooks: true });
    expect(JSON.parse(behind('--json-schema') ?? '')).toMatchObject({
      type: 'object',
      required: ['remember', 'rules'],
    });
    expect(run).toMatchObject({ cwd: join(server.home, 'claude'), files: [], stdin: '/dev/null' });
    expect(env).toEqual(expect.arrayContaining(['PATH', 'ANTHROPIC_BASE_URL', 'CLAUDE_CONFIG_DIR']));
    expect(env.filter((name) => /^(CLAUDECODE|LORE_|CLAUDE_CODE_SESSION_ID)/.test(name))).toEqual([]);
    expect(await model()).toMatchObject({ state: 'ready', callsToday: 1, tokensToday: 1100 });
  });

  test('is asked twice for a session, and the kill switch stops it', async () => {
    const before = claude.runs().length;
    const session = await mend(server, { cwd: '/home/dev/long' });
    await session.stop(MESSAGE);
    await server.settled();
    for (const n of [1, 2]) {
      await session.bashFails(`make part${n}`, `Exit code 2\nError: part ${n} has no target`);
      await session.edit(`${session.cwd}/part${n}.mk`, 'a', 'b');
      await session.bashWorks(`make part${n}`);
      await session.stop('Mended.');
      await server.settled();
    }
    expect(claude.runs()).toHaveLength(before + 2);
    expect(await model()).toMatchObject({ state: 'ready' });

    await server.request('PUT', '/v1/settings', { body: { modelSpending: 'off' } });
    await learn(server, { cwd: '/home/dev/off' });
    expect(claude.runs()).toHaveLength(before + 2);
    expect(await model()).toMatchObject({ state: 'off' });
    const { body } = await server.request('PUT', '/v1/settings', { body: { modelSpending: 'on' } });
    expect(body).toMatchObject({ modelSpending: 'on', claudeLogin: 'on' });
  });

  test('is never waited for by a command or a search', async () => {
    const before = claude.runs().length;
    const check = { command: 'frobnicate --all', cwd: '/home/dev/app' };
    const checked = await server.request('POST', '/v1/commands/check', { body: check });
    expect(checked.body).toMatchObject({ decision: 'ask', source: 'none' });
    await server.request('POST', '/v1/search', { body: { query: 'connection pool', judge: true } });
    expect(claude.runs()).toHaveLength(before);
  });

  test('leaves no session of its own in what Lore records, whatever hooks it has', async () => {
    const own = hookSession(server, { cwd: join(server.home, 'claude') });
    expect(await own.start()).toEqual({});
    expect(await own.prompt('Always use pnpm in this repository.')).toEqual({});
    await own.bashWorks('ls');
    const below = hookSession(server, { cwd: join(server.home, 'claude', 'x') });
    expect(await below.start()).toEqual({});
    await server.settled();
    const count = (table: string, column: string) =>
      server.rows(
        `select count(*)::int as n from ${table} where ${column} in ('${own.session_id}', '${below.session_id}')`,
      );
    expect(await count('sessions', 'client_session_id')).toEqual([{ n: 0 }]);
    // beside it is somebody's work
    const other = hookSession(server, { cwd: `${join(server.home, 'claude')}-notes` });
    await other.start();
    expect(
      await server.rows(`select 1 as n from sessions where client_session_id = '${other.session_id}'`),
    ).toEqual([{ n: 1 }]);
  });
});

describe('when the client', () => {
  const form = z.object({ verdict: z.enum(['safe', 'unsafe']) });
  const request = { purpose: 'x', instructions: 'You judge.', prompt: '{"n":1}', form, maxOutputTokens: 50 };
  const made = (maxLoad = 1000) =>
    createClaude({ home: temporaryFolder(), model: 'haiku', timeoutMs: 2_000, maxLoad });

  test.each([
    ['has no login', { failure: 'Not logged in · Please run /login' }, 'no login', /Not logged in/, 1],
    [
      'is over its limit',
      { failure: 'API Error: Request rejected (429) · slow', status: 429 },
      'limited',
      /429/,
      1,
    ],
    [
      'meets an overload',
      { failure: 'API Error: Repeated 529 Overloaded errors', status: 529 },
      'limited',
      /529/,
      1,
    ],
    ['meets a broken server', { failure: 'API Error: 500', status: 500 }, 'failed', /500/, 2],
    ['answers in words', { answer: 'It is safe.' }, 'form', /form/, 2],
    ['answers another form', { answer: { verdict: 'maybe' } }, 'form', /verdict/, 2],
    [
      'does not know a flag',
      { text: "error: unknown option '--json-schema'" },
      'failed',
      /unknown option/,
      2,
    ],
    ['prints nothing', { text: '' }, 'failed', /ended with 0/, 2],
  ] as const)('%s, that is a state of its own', async (_name, reply, fault, reason, runs) => {
    claude.reply = reply;
    const provider = made();
    const before = claude.runs().length;
    const { failure } = (await provider.call(request)) as { failure: ModelUnavailable };
    expect(failure.message).toMatch(reason);
    expect(failure).toMatchObject({ fault, asked: true });
    // what the next call would meet too is not tried again at once
    claude.reply = { answer: { verdict: 'safe' } };
    const next = await provider.call(request);
    expect(claude.runs()).toHaveLength(before + runs);
    expect(next).toMatchObject(runs === 1 ? { failure: { fault } } : { answer: { verdict: 'safe' } });
  });

  test('takes too long, it is ended', async () => {
    claude.reply = { hang: true };
    const outcome = await made().call(request);
    expect(outcome).toMatchObject({
      failure: { fault: 'late', message: expect.stringContaining('2000 ms') },
    });
  });

  test('is under way when nobody waits for the answer any longer, it is ended', async () => {
    claude.reply = { hang: true };
    const stopping = new AbortController();
    const outcome = made().call({ ...request, signal: stopping.signal });
    setTimeout(() => stopping.abort(), 500);
    const before = Date.now();
    expect(await outcome).toMatchObject({ failure: { fault: 'failed' } });
    expect(Date.now() - before).toBeLessThan(1_900);
  });

  test('is not there, nothing is asked', async () => {
    const path = process.env.PATH;
    process.env.PATH = '/nonexistent';
    const outcome = await made().call(request);
    process.env.PATH = path;
    const { failure } = outcome as { failure: ModelUnavailable };
    expect(failure).toMatchObject({ fault: 'no binary', asked: false });
  });

  test('is asked by several, one waits for the other', async () => {
    claude.reply = { answer: { verdict: 'unsafe' } };
    const provider = made();
    const before = claude.runs().length;
    await Promise.all([1, 2, 3].map(() => provider.call(request)));
    const runs = claude.runs().slice(before);
    expect(runs).toHaveLength(3);
    expect(runs.every(({ from }, n) => n === 0 || from >= (runs[n - 1]?.to ?? 0))).toBe(true);
  });

  test('would disturb a busy machine, it waits; and a server that stops ends the wait', async () => {
    const provider = made(0);
    const before = claude.runs().length;
    const stopping = new AbortController();
    const outcome = provider.call({ ...request, signal: stopping.signal });
    expect(await Promise.race([outcome, new Promise((resolve) => setTimeout(resolve, 300, 'waits'))])).toBe(
      'waits',
    );
    stopping.abort();
    expect(await outcome).toMatchObject({ failure: { fault: 'busy' } });
    expect(claude.runs()).toHaveLength(before);
  });
});

test('nothing is left in the folder where it runs', () => {
  expect(existsSync(join(server.home, 'claude')) && readdirSync(join(server.home, 'claude'))).toEqual([]);
});
