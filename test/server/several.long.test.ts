import { randomUUID } from 'node:crypto';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { createLog } from '../../src/base/log.ts';
import { joinAsFunction } from '../../src/db/servers.ts';
import { bash, project, ruleOf } from '../learnings/guards/support.ts';
import { approveAll } from '../learnings/mend.ts';
import { contextOf, hookSession } from '../support/hook-session.ts';
import { liveClient, subscribed } from '../support/live.ts';
import { onPostgres } from '../support/needs.ts';
import { preparedHome, startServerProcess, temporaryFolder } from '../support/process.ts';
import { serversOnOne, type TestServer } from '../support/server.ts';

// Two servers on one database of PostgreSQL, between which a load balancer may send the hooks of one session.

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

/** What the promise says, and what a busy machine takes. */
const SOON = { timeout: 1_000, interval: 20 };

// what a killed server was at work on is free again only after its lease
const PATIENT = { timeout: 110_000, interval: 100 };

onPostgres.describe('two servers on one database', async () => {
  const begin = await serversOnOne();
  const [one, two] = [await begin(), await begin()];
  const both = [one, two];
  afterAll(() => Promise.all(both.map((server) => server.stop())));
  const settled = async () => {
    for (const server of [...both, ...both]) await server.settled();
  };

  /** Lets a project learn a lesson that holds calls of `aws sqs list-queues`. */
  async function learned(): Promise<{ key: string; userId: string; cwd: string }> {
    const { key, userId } = await one.member();
    const cwd = `/home/dev/${randomUUID()}`;
    const a = hookSession(one, { key, cwd });
    await a.start();
    await a.prompt('have a look at it');
    await a.bashFails(
      'aws sqs list-queues',
      "Exit code 252\naws: error: argument operation: invalid choice: 'list-queues'",
    );
    await a.bashWorks('aws sqs ls-queues');
    await a.stop('It works now.');
    await settled();
    await approveAll(one, key);
    await settled();
    return { key, userId, cwd };
  }

  /** A session whose events may go to any of the servers. */
  function spread(key: string, cwd: string) {
    const sessionId = randomUUID();
    const [first, second] = both.map((server) => hookSession(server, { key, cwd, sessionId }));
    return {
      at: (server: TestServer) => (server === one ? first : second) as ReturnType<typeof hookSession>,
    };
  }
  let calls = 0;
  const call = (command: string, agent_id?: string) => ({
    tool_name: 'Bash',
    tool_input: { command },
    tool_use_id: `toolu_several_${calls++}`,
    ...(agent_id && { agent_id, agent_type: 'general-purpose' }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: the answer of a hook
  const isHeld = (answer: any) => answer.hookSpecificOutput?.permissionDecision === 'deny';

  test('a session whose calls alternate between them is held once and told once', async () => {
    const { key, cwd } = await learned();
    const { at } = spread(key, cwd);
    await at(one).start();
    const answers = [];
    for (const server of [two, one, two, one])
      answers.push(await at(server).send('PreToolUse', call('aws sqs list-queues')));
    expect(answers.map(isHeld)).toEqual([true, false, false, false]);
    expect(answers.map((answer) => contextOf(answer) !== '')).toEqual([true, false, false, false]);
    // a subagent has a context of its own: it is told, and its call is not held again
    const [first, second] = [
      await at(one).send('PreToolUse', call('aws sqs list-queues', 'agent_1')),
      await at(two).send('PreToolUse', call('aws sqs list-queues', 'agent_1')),
    ];
    expect([isHeld(first), isHeld(second)]).toEqual([false, false]);
    expect([contextOf(first) !== '', contextOf(second) !== '']).toEqual([true, false]);
  });

  test('what passed at one server is known at the other, when a rule asks for it', async () => {
    const { key } = await one.member();
    const work = project(one, key);
    const { rule } = work;
    await rule(
      'Run make lint before each commit',
      ruleOf({ kind: 'command', program: 'git commit' }, [[bash('git commit -m x')], [bash('git status')]], {
        unless: { program: 'make lint' },
      }),
    );
    await settled();
    const { at } = spread(key, work.cwd);
    for (const server of both) await at(server).start();
    for (let n = 0; n < 5; n++) {
      const [here, there] = n % 2 ? [one, two] : [two, one];
      await at(here).edit('src/a.ts', 'a', 'b');
      expect(await at(there).decisionOn('git commit -m x')).toBe('deny');
      await at(here).bashWorks('make lint');
      expect(await at(there).decisionOn('git commit -m x')).not.toBe('deny');
    }
  });

  test('a plan and its agents go on, whichever of them answers', async () => {
    const { key } = await one.member();
    const { at } = spread(key, `/home/dev/${randomUUID()}`);
    const ask = async (path: string) => (await two.request('GET', `/v1/plans${path}`, { key })).body;
    for (const server of both) await at(server).start();
    const words =
      'Implement in the shop:\n1. add the client for the pricing service\n2. write the report of all orders';
    expect(contextOf(await at(one).prompt(words))).toContain('2 steps, next: 1. add the client');
    const [{ id }] = (await ask('')).plans;
    await two.request('PATCH', `/v1/plans/${id}/steps/2`, { key, body: { dependencies: [] } });
    const agent = (n: number) => ({
      call: {
        tool_name: 'Agent',
        tool_use_id: `toolu_agent_${id}_${n}`,
        tool_input: {
          description: 'part',
          prompt: `[plan ${id.slice(0, 4)} step ${n}]`,
          subagent_type: 'general-purpose',
        },
      },
      is: { agent_id: `agent_${n}`, agent_type: 'general-purpose' },
    });
    const started: string[] = [];
    for (const [n, here, there] of [
      [1, one, two],
      [2, two, one],
    ] as const) {
      await at(here).send('PreToolUse', agent(n).call);
      started.push(contextOf(await at(there).send('SubagentStart', agent(n).is)));
    }
    expect(started[0]).toContain('You are working on step 1');
    expect(started[1]).toContain('You are working on step 2');
    for (const told of started) expect(told).not.toContain('Yours is the step that your task names');
    for (const n of [1, 2])
      await at(one).send('PostToolUse', {
        ...agent(n).call,
        tool_response: { isAsync: true, status: 'async_launched', agentId: agent(n).is.agent_id },
      });
    const message = 'No access to orders.\n{"verdict": "failed"}';
    await at(two).send('SubagentStop', {
      ...agent(2).is,
      last_assistant_message: message,
      background_tasks: [],
    });
    const steps = async () => (await ask(`/${id}`)).steps;
    await expect.poll(steps, PATIENT).toMatchObject([
      { status: 'in_progress', agentId: 'agent_1' },
      { status: 'failed', agentId: 'agent_2' },
    ]);
    await settled();
    // the other one hears of it with its next call, and only once
    const heard: string[] = [];
    for (const server of [two, one, two])
      heard.push(
        contextOf(
          await at(server).send('PostToolUse', {
            ...call('npm test'),
            ...agent(1).is,
            tool_response: { stdout: 'ok', stderr: '', interrupted: false },
          }),
        ),
      );
    expect(heard).toEqual([expect.stringContaining('step 2 failed: No access to orders.'), '', '']);
  });

  test('a verdict, a key and its end hold at the other server within a second', async () => {
    const { key } = await one.member();
    const check = async (server: TestServer) =>
      (
        await server.request('POST', '/v1/commands/check', {
          key,
          body: { command: 'git push --force', cwd: '/home/dev/a' },
        })
      ).body;
    const judged = await check(two);
    expect(judged.decision).not.toBe('allow');
    await two.stored();
    const overruled = await one.request('POST', '/v1/commands/overrule', {
      key,
      body: { code: judged.code, decision: 'allow' },
    });
    expect(overruled.status).toBe(200);
    await expect.poll(async () => (await check(two)).decision, SOON).toBe('allow');

    const made = await one.request('POST', '/v1/keys', { key, body: { name: 'lost', scope: 'device' } });
    const status = async () => (await two.request('GET', '/v1/me', { key: made.body.key })).status;
    await expect.poll(status, SOON).toBe(200);
    await one.request('DELETE', `/v1/keys/${made.body.id}`, { key });
    await expect.poll(status, SOON).toBe(401);
  });

  test('a live client with a token of one server is served by the other', async () => {
    const { key } = await one.member();
    const { body } = await one.request('POST', '/v1/token', { key });
    const client = await liveClient(two, key, { token: async () => body.token });
    await subscribed(
      client
        .channel('of the other')
        .on('postgres_changes', { event: '*', schema: 'public', table: 'learnings' }, () => {}),
    );
  });

  test('a server with another secret does not start beside them, and says what to do', async () => {
    await expect(begin({ LORE_SECRET: 'another-secret-than-that-of-the-others' })).rejects.toMatchObject({
      title: 'Secret of another server',
      detail: expect.stringContaining('Set LORE_SECRET to theirs'),
    });
    expect((await one.request('GET', '/health', { key: null })).status).toBe(200);
  });

  test('one that is alone may take another secret, and Edge Functions are no server of another secret', async () => {
    const start = await serversOnOne();
    await (await start({ LORE_MODEL_DIR: '' })).stop();
    const secret = 'another-secret-than-that-of-the-one-before';
    const alone = await start({ LORE_MODEL_DIR: '', LORE_SECRET: secret });
    onTestFinished(() => alone.stop());
    const servers = async () => (await alone.rows('select count(*)::int as n from lore.servers'))[0].n;
    expect(await servers()).toBe(1);
    const { db } = alone;
    const log = createLog('silent');
    await expect(joinAsFunction({ db, log, secret: 'yet another one' })).rejects.toThrow(
      /another LORE_SECRET/,
    );
    for (const _ of [1, 2]) expect((await joinAsFunction({ db, log, secret })).areSeveral()).toBe(true);
    expect(await servers()).toBe(2);
  });
});

onPostgres.describe('a server that is killed', () => {
  test('leaves its sessions, and the work that it had queued, to the other', async () => {
    const home = await preparedHome();
    const env = { ...home, LORE_SECRET: randomUUID(), LORE_KEY: randomUUID() };
    const start = () => startServerProcess({ ...env, LORE_HOME: temporaryFolder(), LORE_MODEL_DIR: '' });
    const [killed, other] = await Promise.all([start(), start()]);
    onTestFinished(async () => {
      killed.kill('SIGKILL');
      other.kill('SIGTERM');
      await other.finished;
    });
    const asClient = ({ url }: { url: string }, sessionId?: string) => {
      // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails if it is missing
      const request = async (method: string, path: string, body?: unknown): Promise<any> => {
        const answer = await fetch(`${url}${path}`, {
          method,
          headers: { authorization: `Bearer ${env.LORE_KEY}`, 'content-type': 'application/json' },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        expect(answer.status).toBe(200);
        return answer.json();
      };
      const hook = (event: unknown) => request('POST', '/v1/hooks', event);
      const cwd = '/home/dev/killed';
      return { request, ...hookSession({ hook } as TestServer, { cwd, ...(sessionId && { sessionId }) }) };
    };
    const before = asClient(killed);
    await before.start();
    await before.prompt('have a look at it');
    await before.bashFails(
      'aws sqs list-queues',
      "Exit code 252\naws: error: argument operation: invalid choice: 'list-queues'",
    );
    await before.bashWorks('aws sqs ls-queues');
    await before.stop('It works now.');
    await expect.poll(async () => (await before.request('GET', '/v1/journal')).waiting, PATIENT).toBe(0);
    killed.kill('SIGKILL');
    await killed.finished;
    const after = asClient(other, before.session_id);
    await after.prompt('and now the other queue');
    await after.bashWorks('aws sqs get-queue-url');
    const lessons = async () => (await after.request('GET', '/v1/learnings')).learnings;
    await expect.poll(lessons, PATIENT).toHaveLength(1);
    const events = async () =>
      (await after.request('GET', `/v1/sessions/${before.session_id}`)).events.map(
        ({ event }: { event: string }) => event,
      );
    await expect
      .poll(events, PATIENT)
      .toEqual([
        'SessionStart',
        'UserPromptSubmit',
        'PostToolUseFailure',
        'PostToolUse',
        'Stop',
        'UserPromptSubmit',
        'PostToolUse',
      ]);
  });
});
