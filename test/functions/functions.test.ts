import { randomUUID } from 'node:crypto';
import postgres from 'postgres';
import { afterAll, expect, test } from 'vitest';
import { ERROR, MESSAGE } from '../learnings/mend.ts';
import { asking } from '../support/asking.ts';
import { type RunningFunction, refusalOf, serveFunction } from '../support/deno.ts';
import { fakeGemini } from '../support/gemini.ts';
import { contextOf, hookSession, startedSession } from '../support/hook-session.ts';
import { onPostgres } from '../support/needs.ts';
import { type TestServer, testDatabase } from '../support/server.ts';

// Lore with a database and Edge Functions alone: no server of Node runs. Two processes serve the API, as two isolates do.

const KEY = 'the-key-of-the-owner-of-this-test';
const WAKE = 'the-secret-with-which-work-is-started';
const LORE_SECRET = 'the-secret-that-all-functions-share';

onPostgres.describe('with Edge Functions alone', async () => {
  const { url: databaseUrl } = await testDatabase();
  const env = { SUPABASE_DB_URL: databaseUrl as string, LORE_SECRET, LORE_KEY: KEY };
  const gemini = await fakeGemini();
  const withModel = {
    GEMINI_API_KEY: 'a-key-for-tests',
    GEMINI_BASE_URL: gemini.url,
    LORE_MODEL_DAILY_TOKENS: '3000',
  };
  const [one, other, check, work, nightly] = (await Promise.all([
    serveFunction('api', env),
    serveFunction('api', env),
    serveFunction('security-check', { ...env, ...withModel }),
    serveFunction('work', { ...env, LORE_WAKE_SECRET: WAKE }),
    serveFunction('nightly', { ...env, LORE_WAKE_SECRET: WAKE }),
  ])) as [RunningFunction, RunningFunction, RunningFunction, RunningFunction, RunningFunction];
  const database = postgres(databaseUrl as string, { max: 1, onnotice: () => {} });
  afterAll(() => database.end());

  async function ask(
    at: RunningFunction,
    method: string,
    path: string,
    { key = KEY, body }: { key?: string | null; body?: unknown } = {},
  ) {
    return asking(at.url, key)(method, path, body);
  }

  /** A process of the API, as a session of the client sees it. */
  const as = (at: RunningFunction) =>
    ({
      hook: async (event: unknown, key = KEY) => {
        const { status, body } = await ask(at, 'POST', '/v1/hooks', { key, body: event });
        expect(status, JSON.stringify(body)).toBe(200);
        return body;
      },
    }) as unknown as TestServer;

  const start = (secret: string | null = WAKE, at = work) => ask(at, 'POST', '', { key: secret });
  const lessons = async () => (await ask(one, 'GET', '/v1/learnings')).body.learnings;
  const cwd = '/home/dev/app';
  let calls = 0;

  /**
   * Sends the hook before a call, or behind one that failed, to both processes at the same time, as two calls. Returns both
   * answers.
   */
  async function both(sessionId: string, command: string, error?: string) {
    const sent = [one, other].map((at) =>
      hookSession(as(at), { sessionId, cwd }).send(
        error === undefined ? 'PreToolUse' : 'PostToolUseFailure',
        {
          tool_name: 'Bash',
          tool_input: { command },
          tool_use_id: `toolu_both_${calls++}`,
          ...(error !== undefined && { error }),
        },
      ),
    );
    return Promise.all(sent);
  }

  test('an error and its fix become a lesson, and the next session is told it, later no more', async () => {
    // each event comes to another process
    let turn = 0;
    const inTurn = {
      hook: (event: Record<string, unknown>) => as(turn++ % 2 === 0 ? one : other).hook(event),
    } as unknown as TestServer;
    const session = await startedSession(inTurn, { sessionId: randomUUID(), cwd }, 'Make the checks pass');
    await session.bashFails('node check.js', ERROR);
    await session.bashWorks('npm run gen', 'written');
    await session.bashWorks('node check.js', '42 checks passed');
    await session.stop(MESSAGE);
    // two at a time do nothing twice; on a busy machine there may not be time enough for all
    for (let more = true; more; ) {
      const worked = await Promise.all([start(), start()]);
      for (const { status, body } of worked) expect([status, body.failed]).toEqual([200, []]);
      more = worked.some(({ body }) => body.more);
    }
    expect(await lessons()).toMatchObject([
      { status: 'proposed', lesson: expect.stringContaining('npm run gen') },
    ]);
    // and the session was cut, and stands on the page
    expect((await ask(one, 'GET', '/v1/episodes')).body.episodes).toHaveLength(1);
    const rows = await database`select errors_today, lessons_today from dashboard_projects`;
    expect(rows).toEqual([{ errors_today: 1, lessons_today: 1 }]);

    const next = randomUUID();
    await hookSession(as(one), { sessionId: next, cwd }).start();
    const told = (await both(next, 'node check.js', ERROR)).map(contextOf);
    // two that answer at the same moment may both tell it
    const times = told.filter((text) => text.includes('npm run gen')).length;
    expect(times).toBeGreaterThan(0);
    expect((await both(next, 'node check.js', ERROR)).map(contextOf)).toEqual(['', '']);
    const [stored] = await database`
      select count(*)::int as n from offers o join sessions s on s.id = o.session_id
      where s.client_session_id = ${next} and o.kind = 'lesson'`;
    expect(stored?.n).toBe(times);
  });

  test('an approved lesson holds the call once, whichever process is asked', async () => {
    const failing = 'cargo test -p ledger --feature kit';
    const teaching = hookSession(as(one), { cwd });
    await teaching.start();
    await teaching.prompt('run the tests of the ledger');
    await teaching.bashFails(failing, "Exit code 1\nerror: unexpected argument '--feature' found");
    await teaching.bashWorks('cargo test -p ledger --features kit', 'test result: ok. 3 passed');
    await teaching.stop('It is called `--features`.');
    await teaching.end();
    while ((await start()).body.more);
    const learned = (await lessons()).find(({ lesson }: { lesson: string }) => lesson.includes('ledger'));
    expect((await ask(other, 'POST', `/v1/learnings/${learned.id}/approve`)).status).toBe(200);
    const session = randomUUID();
    await hookSession(as(other), { sessionId: session, cwd }).start();
    const decisions = async () =>
      (await both(session, failing)).map((answer) => answer.hookSpecificOutput?.permissionDecision);
    expect(await decisions()).toContain('deny');
    expect(await decisions()).not.toContain('deny');
  });

  test('what one process changes holds in the other at once', async () => {
    const made = await ask(one, 'POST', '/v1/keys', { body: { name: 'a laptop' } });
    expect((await ask(other, 'GET', '/v1/me', { key: made.body.key })).status).toBe(200);
    await ask(one, 'DELETE', `/v1/keys/${made.body.id}`);
    expect((await ask(other, 'GET', '/v1/me', { key: made.body.key })).status).toBe(401);

    const asked = { command: 'frobnicate --all', cwd };
    const before = (await ask(one, 'POST', '/v1/commands/check', { body: asked })).body;
    expect(before).toMatchObject({ source: 'none' });
    await ask(other, 'POST', '/v1/commands/overrule', { body: { code: before.code, decision: 'deny' } });
    const session = hookSession(as(one), { cwd });
    await session.start();
    expect(await session.decisionOn('frobnicate --all')).toBe('deny');
    await ask(one, 'DELETE', `/v1/commands/verdicts/${before.code}`);
    expect(await hookSession(as(other), { cwd }).decisionOn('frobnicate --all')).not.toBe('deny');
  });

  test('security-check judges by rules, then by people, then by the model, and what it says stands on the page', async () => {
    const judge = async (command: string) => (await ask(check, 'POST', '', { body: { command, cwd } })).body;
    expect(await judge('rm -rf /')).toMatchObject({ decision: 'deny', source: 'policy' });
    gemini.reply = { answer: { verdict: 'unsafe', reason: 'It frobs.' } };
    const unknown = await judge('frobnicate --hard');
    expect(unknown).toMatchObject({ decision: 'deny', source: 'model', reason: 'It frobs.' });
    // the model's verdict is kept in the database, where every process finds it
    const cached = (
      await ask(one, 'POST', '/v1/commands/check', { body: { command: 'frobnicate --hard', cwd } })
    ).body;
    expect(cached).toMatchObject({ decision: 'deny', source: 'model' });
    expect(gemini.calls).toHaveLength(1);
    await ask(one, 'POST', '/v1/commands/overrule', { body: { code: unknown.code, decision: 'allow' } });
    expect(await judge('frobnicate --hard')).toMatchObject({ decision: 'allow', source: 'person' });
    const { checks } = (await ask(other, 'GET', '/v1/commands/checks')).body;
    expect(checks.map(({ command }: { command: string }) => command)).toEqual(
      expect.arrayContaining(['rm -rf /', 'frobnicate --hard']),
    );
    // the budget of tokens is the user's, not the function's
    gemini.reply = { answer: { verdict: 'safe', reason: 'ok' } };
    for (const n of [1, 2]) expect(await judge(`frobnicate ${n}`)).toMatchObject({ source: 'model' });
    expect(await judge('frobnicate 3')).toMatchObject({ source: 'none' });
    expect((await ask(check, 'POST', '', { key: null, body: { command: 'ls', cwd } })).status).toBe(401);
  });

  test('only who knows the secret starts work, and nothing starts without the secrets', async () => {
    for (const wrong of [null, `${WAKE}x`, WAKE.slice(1), KEY]) {
      const { status, headers } = await start(wrong);
      expect([status, headers.get('content-type')]).toEqual([401, 'application/problem+json']);
    }
    expect((await start(WAKE, nightly)).body.ran[0]).toBe('consolidate');
    expect(await refusalOf('work', env)).toContain('LORE_WAKE_SECRET: must be set');
    const { LORE_SECRET: _, ...bare } = env;
    expect(await refusalOf('security-check', bare)).toContain('LORE_SECRET: must be set');
  });

  test('the page is not served, and the API says how it is', async () => {
    const page = await fetch(one.url, { headers: { accept: 'text/html' } });
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
    expect((await ask(one, 'GET', '/health', { key: null })).body).toMatchObject({
      database: { engine: 'postgres', ok: true },
      embedding: { state: 'unavailable', reason: expect.stringContaining('search goes by words') },
    });
  });

  test('the database says what it lacks to start the functions, and no tenant reads the secret', async () => {
    const lacks = (await database`select lore.wake_lacks() as what`).map(({ what }) => what);
    expect(lacks).toEqual([
      'the extension pg_cron',
      'the extension pg_net',
      expect.stringContaining('lore_functions_url'),
    ]);
    expect((await database`select lore.wake_function('work') as request`)[0]?.request).toBeNull();
    // who works as a tenant reads no secret
    await expect(
      database.begin(async (tx) => {
        await tx.unsafe('set local role lore_user');
        await tx`select * from lore.wake_address()`;
      }),
    ).rejects.toThrow(/permission denied/);
  });
});
