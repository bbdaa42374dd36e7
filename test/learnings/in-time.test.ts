import { randomUUID } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { contextOf, hookSession } from '../support/hook-session.ts';
import { sharedServer, startTestServer, type TestServer } from '../support/server.ts';
import { approveAll, ERROR, learn, learnings, state } from './mend.ts';

const server = await sharedServer();
const app = '/home/dev/app';

let calls = 0;
/** Sends the hook before a call, and returns what it answers. */
async function beforeCall(
  session: ReturnType<typeof hookSession>,
  input: Record<string, unknown>,
  fields: Record<string, unknown> = {},
) {
  const output = await session.send('PreToolUse', {
    tool_name: 'command' in input ? 'Bash' : 'Edit',
    tool_input: input,
    tool_use_id: `toolu_before_${calls++}`,
    ...fields,
  });
  const { permissionDecision, permissionDecisionReason } = output.hookSpecificOutput ?? {};
  return { decision: permissionDecision, reason: permissionDecisionReason, text: contextOf(output) };
}

/** A session that has begun, so that the lessons of its project are in the server's memory. */
async function begun(key: string, options: { cwd?: string; on?: TestServer } = {}) {
  const session = hookSession(options.on ?? server, { key, cwd: options.cwd ?? app });
  await session.start();
  return session;
}

/** A project in which a session has learned from a failure that another line works. */
async function learnedOtherLine(key: string, on: TestServer = server) {
  const a = hookSession(on, { key, cwd: app });
  await a.start();
  await a.prompt('run the tests of the ledger');
  await a.bashFails(
    'cargo test -p ledger',
    'Exit code 101\nerror: unknown package `ledger` in this workspace',
  );
  await a.bashWorks('cargo test -p shop-ledger', 'test result: ok. 3 passed');
  await a.stop('It is called shop-ledger.');
  await a.end();
  await on.settled();
}

describe('before a call', () => {
  test('that failed before, its lesson is told once for each agent', async () => {
    const { key, userId } = await server.member();
    await learn(server, { key });
    await approveAll(server, key);
    const session = await begun(key);
    expect((await beforeCall(session, { command: 'ls' })).text).toBe('');
    const first = await beforeCall(session, { command: 'cd . && node check.js 2>&1 | tail -5' });
    expect(first.text).toMatch(/^<lore-records>\n[\s\S]*npm run gen[\s\S]*\n<\/lore-records>$/);
    expect(first.decision).toBe('deny');
    expect((await beforeCall(session, { command: 'node check.js' })).text).toBe('');
    const [one, two] = await Promise.all(
      ['one', 'two'].map((agent_id) => beforeCall(session, { command: 'node check.js' }, { agent_id })),
    );
    expect(one?.text).toContain('npm run gen');
    expect(two?.text).toContain('npm run gen');
    const rows = await server.rows(
      `select event, kind from offers
       where user_id = '${userId}' and text like '%npm run gen%' and event = 'PreToolUse'`,
    );
    expect(rows).toHaveLength(3);
  });

  test('an active lesson holds exactly its line, once a session, and one on trial holds nothing', async () => {
    const { key } = await server.member();
    await learnedOtherLine(key);
    const line = 'cargo test -p ledger';
    expect(await beforeCall(await begun(key), { command: line })).toMatchObject({ decision: 'allow' });
    await approveAll(server, key);
    const session = await begun(key);
    const held = await beforeCall(session, { command: line });
    expect(held.decision).toBe('deny');
    expect(held.text).toMatch(/\[HIGH\] .*-p shop-ledger/);
    expect((await beforeCall(session, { command: line })).decision).not.toBe('deny');
    const other = await begun(key);
    expect((await beforeCall(other, { command: 'cargo test --workspace' })).decision).not.toBe('deny');
  });

  test('two at the same time are not both held', async () => {
    const { key } = await server.member();
    await learnedOtherLine(key);
    await approveAll(server, key);
    const session = await begun(key);
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => beforeCall(session, { command: 'cargo test -p ledger' })),
    );
    expect(answers.filter(({ decision }) => decision === 'deny')).toHaveLength(1);
  });

  test('a repeated delivery gets the same answer', async () => {
    const { key } = await server.member();
    await learnedOtherLine(key);
    await approveAll(server, key);
    const session = await begun(key);
    const call = { tool_use_id: `toolu_${randomUUID()}` };
    const first = await beforeCall(session, { command: 'cargo test -p ledger' }, call);
    expect(first.decision).toBe('deny');
    expect(await beforeCall(session, { command: 'cargo test -p ledger' }, call)).toEqual(first);
  });

  test('nobody is told the lessons of another tenant or another project', async () => {
    const { key } = await server.member();
    await learnedOtherLine(key);
    await approveAll(server, key);
    const { key: stranger } = await server.member();
    const told = async (who: string, cwd: string) =>
      (await beforeCall(await begun(who, { cwd }), { command: 'cargo test -p ledger' })).text;
    expect(await told(stranger, app)).toBe('');
    expect(await told(key, '/home/dev/other')).toBe('');
    expect(await told(server.key, app)).toBe('');
    expect(await told(key, app)).toContain('-p shop-ledger');
  });

  test.each([
    ['erased', (key: string, id: string) => server.request('DELETE', `/v1/learnings/${id}`, { key })],
    ['retired', (key: string, id: string) => server.request('POST', `/v1/learnings/${id}/retire`, { key })],
  ])('a lesson that was %s is told no more', async (_how, remove) => {
    const { key } = await server.member();
    await learnedOtherLine(key);
    await approveAll(server, key);
    const told = async () => (await beforeCall(await begun(key), { command: 'cargo test -p ledger' })).text;
    expect(await told()).toContain('-p shop-ledger');
    const [{ id }] = await learnings(server, key);
    expect((await remove(key, id)).status).toBeLessThan(300);
    await vi.waitFor(async () => expect(await told()).toBe(''), { timeout: 5_000 });
  });

  test('what a person stated is told at the commands that it is said to apply to', async () => {
    const { key } = await server.member();
    await state(server, key, 'The ledger needs its feature kit for tests', { appliesTo: ['cargo test'] });
    // the session's own agent was told at its start
    const told = async (command: string) =>
      (await beforeCall(await begun(key), { command }, { agent_id: 'sub' })).text;
    expect(await told('cargo test -p other')).toContain('feature kit');
    expect(await told('cargo build')).toBe('');
  });
});

describe('with LORE_HOLD=off', async () => {
  const off = await startTestServer({ LORE_HOLD: 'off' });

  test('a call is told what it would be held for, and runs', async () => {
    const { key } = await off.member();
    await learnedOtherLine(key, off);
    await approveAll(off, key);
    const session = await begun(key, { on: off });
    const told = await beforeCall(session, { command: 'cargo test -p ledger' });
    expect(told.decision).not.toBe('deny');
    expect(told.text).toContain('-p shop-ledger');
    expect((await beforeCall(session, { command: 'cargo test -p ledger' })).text).toBe('');
  });
});

describe('at a failure', () => {
  test('two subagents with one error are both told, each once', async () => {
    const { key } = await server.member();
    await learn(server, { key });
    const session = hookSession(server, { key, cwd: app });
    const fails = async (agent_id: string) =>
      contextOf(
        await session.send('PostToolUseFailure', {
          agent_id,
          tool_name: 'Bash',
          tool_input: { command: 'node check.js' },
          tool_use_id: `toolu_fails_${calls++}`,
          error: ERROR,
          is_interrupt: false,
        }),
      );
    expect(await fails('one')).toContain('npm run gen');
    expect(await fails('two')).toContain('npm run gen');
    expect(await fails('one')).toBe('');
  });
});
