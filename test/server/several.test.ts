import { randomUUID } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { approveAll } from '../learnings/mend.ts';
import { contextOf, hookSession } from '../support/hook-session.ts';
import { startTwoServers, type TestServer } from '../support/server.ts';

// Two servers on one database of PostgreSQL, between which a load balancer may send the hooks of one session.

vi.setConfig({ testTimeout: 60_000 });

const onPostgres = process.env.TEST_DATABASE_URL !== undefined;

describe.runIf(onPostgres)('two servers on one database', async () => {
  const [one, two] = onPostgres ? await startTwoServers({ LORE_MODEL_DIR: '' }) : ([] as never);
  const both = [one, two];
  const settled = async () => {
    for (const server of [...both, ...both]) await server.settled();
  };

  /** Lets a project learn a lesson that holds calls of `aws sqs list-queues`. */
  async function learned(): Promise<{ key: string; cwd: string }> {
    const { key } = await one.member();
    const cwd = `/home/dev/${randomUUID()}`;
    const a = hookSession(one, { key, cwd });
    await a.start();
    await a.prompt('have a look at it');
    await a.bashFails('aws sqs list-queues', 'Exit code 1\nYou must specify a region.');
    await a.bashWorks('AWS_REGION=eu-north-1 aws sqs list-queues');
    await a.stop('It works now.');
    await settled();
    await approveAll(one, key);
    await settled();
    return { key, cwd };
  }

  /** A session whose events may go to any of the servers. */
  function spread(key: string, cwd: string) {
    const sessionId = randomUUID();
    const [first, second] = both.map((server) => hookSession(server, { key, cwd, sessionId }));
    return { at: (server: TestServer) => (server === one ? first : second) as ReturnType<typeof hookSession> };
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

  test('of calls that come to both at once, one is held and told', async () => {
    const { key, cwd } = await learned();
    for (let n = 0; n < 10; n++) {
      const { at } = spread(key, cwd);
      // both know the session, or neither
      if (n % 2) for (const server of both) await at(server).start();
      const answers = await Promise.all(
        [one, two, one, two].map((server) => at(server).send('PreToolUse', call('aws sqs list-queues'))),
      );
      expect(answers.filter(isHeld)).toHaveLength(1);
      expect(answers.filter((answer) => contextOf(answer) !== '')).toHaveLength(1);
    }
    await settled();
    const [row] = await one.rows(
      `select count(*)::int as n, count(distinct session_id)::int as sessions from offers
       where event = 'PreToolUse' and user_id = (select user_id from projects where root = '${cwd}' limit 1)`,
    );
    expect(row).toEqual({ n: 10, sessions: 10 });
  });
});
