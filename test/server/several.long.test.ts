import { randomUUID } from 'node:crypto';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { createLog } from '../../src/base/log.ts';
import { joinAsFunction } from '../../src/db/servers.ts';
import { approveAll } from '../learnings/mend.ts';
import { insisting } from '../support/asking.ts';
import { contextOf, hookSession, startedSession } from '../support/hook-session.ts';
import { onPostgres } from '../support/needs.ts';
import { preparedHome, startServerProcess, temporaryFolder } from '../support/process.ts';
import { serversOnOne, type TestServer } from '../support/server.ts';

// Two servers on one database of PostgreSQL, between which a load balancer may send the hooks of one session.

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
    const a = await startedSession(one, { key, cwd }, 'have a look at it');
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
    await expect.poll(async () => (await check(two)).decision).toBe('allow');

    const made = await one.request('POST', '/v1/keys', { key, body: { name: 'lost', scope: 'device' } });
    const status = async () => (await two.request('GET', '/v1/me', { key: made.body.key })).status;
    await expect.poll(status).toBe(200);
    await one.request('DELETE', `/v1/keys/${made.body.id}`, { key });
    await expect.poll(status).toBe(401);
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
      const request = insisting(url, env.LORE_KEY);
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
    // what the killed one had begun is taken again when its lease of two minutes has ended
    await expect.poll(lessons, { ...PATIENT, timeout: 200_000 }).toHaveLength(1);
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
  }, 300_000);
});
