import { randomUUID } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { estimateTokens } from '../../src/base/text/tokens.ts';
import { contextOf, hookSession } from '../support/hook-session.ts';
import { sharedServer, startTestServer } from '../support/server.ts';
import { approveAll, ERROR, learn, learnings, state } from './mend.ts';

// Whom lessons are told, when, and how often.

const BUDGET = 400;
const server = await sharedServer({ model: false });
const other = await startTestServer({
  LORE_MODEL_DIR: '',
  LORE_HOLD: 'off',
  LORE_INJECT_TOKENS: String(BUDGET),
});
const app = '/home/dev/app';
const LINE = 'cargo test -p ledger';

/** A session that has begun, so that the lessons of its project are in the server's memory. */
async function begun(key: string, { cwd = app, on = server } = {}) {
  const session = hookSession(on, { key, cwd });
  return { ...session, told: contextOf(await session.start()) };
}
const toldBefore = async (key: string, command: string, cwd = app) =>
  (await (await begun(key, { cwd })).before(command)).additionalContext ?? '';
const toldAtError = async (key: string, cwd: string, error = ERROR) =>
  contextOf(await hookSession(server, { key, cwd }).bashFails('node check.js', error));

test('the same error with another value is the same lesson', async () => {
  const { key } = await server.member();
  for (const n of [3, 4]) {
    const session = await begun(key);
    await session.bashFails(
      `python3 cli.py --lvl ${n}`,
      'Exit code 2\ncli.py: error: unrecognized arguments: --lvl',
    );
    await session.bashWorks(`python3 cli.py --level ${n}`, 'done');
    await session.stop('It is --level.');
    await session.end();
    await server.settled();
  }
  expect(await learnings(server, key)).toEqual([
    expect.objectContaining({ lesson: expect.stringContaining('--level 3'), status: 'active' }),
  ]);
});

/** A person who approved what a session has learned: that another line works. */
async function otherLine(on = server) {
  const { key } = await on.member();
  const session = await begun(key, { on });
  await session.prompt('run the tests of the ledger');
  await session.bashFails(LINE, 'Exit code 101\nerror: unknown package `ledger` in this workspace');
  await session.bashWorks('cargo test -p shop-ledger', 'test result: ok. 3 passed');
  await session.stop('It is called shop-ledger.');
  await session.end();
  await on.settled();
  return { key, approve: () => approveAll(on, key) };
}

test('a lesson on trial is told at its error; an active one before its line too, and before no other', async () => {
  const { key } = await server.member();
  await learn(server, { key });
  expect(await toldBefore(key, 'node check.js')).toBe('');
  const session = await begun(key);
  expect(session.told).not.toContain('npm run gen');
  expect(contextOf(await session.bashFails('node check.js', ERROR.replace('size 2', 'size 7')))).toMatch(
    /^1\. \[not yet proven\] .*npm run gen/m,
  );
  // the same is not told a second time, and nothing at another error
  expect(await session.bashFails('node check.js', ERROR)).toEqual({});
  expect(await session.bashFails('node check.js', 'Exit code 1\nSyntaxError: Unexpected token }')).toEqual(
    {},
  );
  await approveAll(server, key);
  expect(await toldBefore(key, 'cd . && node check.js 2>&1 | tail -5')).toMatch(/\[HIGH\] .*npm run gen/);
  for (const line of ['node check.js --quiet', 'npm run gen && node check.js', 'node build.js'])
    expect(await toldBefore(key, line)).toBe('');
});

test('it stays with its person, and in its project until another one meets the very same error', async () => {
  const { key } = await server.member();
  await learn(server, { key });
  const { key: stranger } = await server.member();
  expect(await toldAtError(stranger, app)).toBe('');
  expect(await toldAtError(key, '/home/dev/other')).toBe('');
  // of another project, only what was promoted is told
  await approveAll(server, key);
  expect(await toldAtError(key, '/home/dev/other')).toContain('[the same error in /home/dev/app]');
  expect(await toldAtError(stranger, app)).toBe('');
  expect(await toldBefore(stranger, 'node check.js')).toBe('');
  expect(await toldBefore(key, 'node check.js', '/home/dev/third')).toBe('');
});

test('a start is told what persons stated or approved in its project; a prompt is told no lesson', async () => {
  const { key } = await server.member();
  const rules = ['alpha', 'beta', 'gamma', 'delta'].map(
    (name) => `Restart service ${name} with \`make ${name}\` when its socket is gone`,
  );
  for (const rule of rules) await state(server, key, rule);
  const byAgent = { agent: 'planner' };
  const POOL = 'Raise pool to 20 in config.json when the check exhausts its connections';
  const { learning } = await state(server, key, POOL, byAgent);
  await server.request('POST', `/v1/learnings/${learning.id}/approve`, { key });
  await state(server, key, 'Export the logo as brand.svg', byAgent);
  await state(server, key, 'Run `make stop` before an upgrade', { project: '/home/dev/other' });
  await server.rows(`update learnings set status = 'proposed' where lesson = '${rules[0]}'`);
  await server.rows(`update learnings set valid_until = now() where lesson = '${rules[1]}'`);
  await server.settled();
  const session = await begun(key);
  const shown = [...session.told.matchAll(/^\d+\. (?:\[[^\]]*\] )?(.*) \((?:helped [^,]*, )?lore:/gm)];
  expect(shown.map(([, lesson]) => lesson).sort()).toEqual([...rules.slice(2), POOL].sort());
  const notice =
    '<task-notification>\n<summary>the check exhausts its connections</summary>\n</task-notification>';
  for (const prompt of ['the check exhausts its connections', 'x', '   ', '🙂', notice])
    expect(await session.prompt(prompt)).toEqual({});
  for (const event of ['PermissionRequest', 'Notification', 'SomethingNew'])
    expect(await session.send(event, { anything: { goes: [randomUUID()] } })).toEqual({});
});

test('the token budget is kept with the longest lessons, in any script', async () => {
  const { key } = await other.member();
  const long = (word: string) => `Check ${word} in config.json: ${`${word} `.repeat(80)}`.slice(0, 700);
  for (const word of ['データベース接続', 'соединение', 'verbindung', '😀🙈'])
    await state(other, key, long(word), { why: long(word) });
  const { told } = await begun(key, { on: other });
  expect(told).toContain('lore:');
  expect(estimateTokens(told)).toBeLessThanOrEqual(BUDGET);
});

describe('a lesson that holds its line', () => {
  test('does so once a session, once it is active; a repeated delivery gets the same answer', async () => {
    const { key, approve } = await otherLine();
    expect(await (await begun(key)).decisionOn(LINE)).not.toBe('deny');
    await approve();
    const session = await begun(key);
    const delivered = { tool_use_id: `toolu_${randomUUID()}` };
    const held = await session.before(LINE, delivered);
    expect(held.permissionDecision).toBe('deny');
    expect(held.additionalContext).toMatch(
      /^<lore-records>\n[\s\S]*\[HIGH\] .*-p shop-ledger[\s\S]*\n<\/lore-records>$/,
    );
    expect(await session.before(LINE, delivered)).toEqual(held);
    expect(await session.decisionOn(LINE)).not.toBe('deny');
    expect(await (await begun(key)).decisionOn('cargo test --workspace')).not.toBe('deny');
  });

  test('does not when its advice was just followed', async () => {
    const { key, approve } = await otherLine();
    await approve();
    const session = await begun(key);
    await session.bashWorks('cargo test -p shop-ledger', 'test result: ok. 3 passed');
    expect(await session.decisionOn(LINE)).not.toBe('deny');
  });

  test('no longer does so when the very call passed without it, until that fails again', async () => {
    const { key, approve } = await otherLine();
    await approve();
    const again = async (goes: 'bashWorks' | 'bashFails', output: string) => {
      const session = await begun(key);
      const first = await session.decisionOn(LINE);
      if (first === 'deny') {
        await session.bashWorks('ls crates', 'shop-ledger');
        await session.decisionOn(LINE);
      }
      await session[goes](LINE, output);
      await session.end();
      await server.settled();
      return first;
    };
    const UNKNOWN = 'Exit code 101\nerror: unknown package `ledger` in this workspace';
    expect(await again('bashWorks', 'test result: ok. 3 passed')).toBe('deny');
    expect(await again('bashFails', UNKNOWN)).not.toBe('deny');
    expect(await again('bashFails', UNKNOWN)).toBe('deny');
  });

  test('holds one of several at the same time, and is told to each agent', async () => {
    const { key, approve } = await otherLine();
    await approve();
    const session = await begun(key);
    const answers = await Promise.all([1, 2, 3, 4].map(() => session.decisionOn(LINE)));
    expect(answers.filter((decision) => decision === 'deny')).toHaveLength(1);
    for (const agent_id of ['one', 'two'])
      expect((await session.before(LINE, { agent_id })).additionalContext).toContain('-p shop-ledger');
  });

  test('only tells with LORE_HOLD=off', async () => {
    const { key, approve } = await otherLine(other);
    await approve();
    const session = await begun(key, { on: other });
    const told = await session.before(LINE);
    expect(told.permissionDecision).not.toBe('deny');
    expect(told.additionalContext).toContain('-p shop-ledger');
    expect((await session.before(LINE)).additionalContext).toBeUndefined();
  });

  test.each([
    ['erased', 'DELETE', ''],
    ['retired', 'POST', '/retire'],
  ])('is told no more when it was %s', async (_how, method, path) => {
    const { key, approve } = await otherLine();
    const [{ id }] = await approve();
    expect(await toldBefore(key, LINE)).toContain('-p shop-ledger');
    expect((await server.request(method, `/v1/learnings/${id}${path}`, { key })).status).toBeLessThan(300);
    await vi.waitFor(async () => expect(await toldBefore(key, LINE)).toBe(''), { timeout: 25_000 });
    expect(await learnings(server, key)).toEqual([]);
  });
});

test('what a person stated is told to subagents at the commands that it is said to apply to', async () => {
  const { key } = await server.member();
  await state(server, key, 'The ledger needs its feature kit for tests', { appliesTo: ['cargo test'] });
  // the session's own agent was told at its start
  const told = async (command: string) =>
    (await (await begun(key)).before(command, { agent_id: 'sub' })).additionalContext ?? '';
  expect(await told('cargo test -p other')).toContain('feature kit');
  expect(await told('cargo build')).toBe('');
});

test('two subagents with one error are both told, each once', async () => {
  const { key } = await server.member();
  await learn(server, { key });
  const session = await begun(key);
  const fails = async (agent_id: string) =>
    contextOf(await session.bashFails('node check.js', ERROR, { agent_id }));
  expect(await fails('one')).toContain('npm run gen');
  expect(await fails('two')).toContain('npm run gen');
  expect(await fails('one')).toBe('');
});
