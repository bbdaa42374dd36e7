import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { betaConfidence } from '../../src/learnings/credit.ts';
import { contextOf, hookSession } from '../support/hook-session.ts';
import { sharedServer } from '../support/server.ts';
import { approveAll, ERROR, judgements, learn, learnings, state } from './mend.ts';

const server = await sharedServer();

/** Starts a session that meets the error of the only lesson, which is on trial, and is told it. */
async function given() {
  const { key, userId } = await server.member();
  await learn(server, { key });
  const [before] = await learnings(server, key);
  const session = hookSession(server, { key, cwd: '/home/dev/app' });
  await session.start();
  expect(contextOf(await session.bashFails('node check.js', ERROR))).toContain('npm run gen');
  const outcome = async () => {
    const [after] = await learnings(server, key);
    const [injection] = await server.rows(
      `select outcome, settled_at from offers where kind = 'lesson' and user_id = '${userId}' order by offered_at`,
    );
    return { before, after, injection };
  };
  return { key, userId, session, outcome };
}

describe('at the end of a session that was given a lesson', () => {
  test('the lesson gains confidence if its error came back and its advice mended it', async () => {
    const { key, session, outcome } = await given();
    await session.bashWorks('npm run gen', 'written');
    await session.bashWorks('cd /home/dev/app && node check.js | tail -3', '42 checks passed');
    await session.stop('Raised the pool again.');
    await session.end();
    await server.settled();
    const { before, after, injection } = await outcome();
    expect(injection).toMatchObject({ outcome: 'helped', settled_at: expect.anything() });
    // counted once, although it was also learned again
    expect(after).toMatchObject({ successCount: 1, failureCount: 0, successRate: 1 });
    expect(after.confidence).toBeCloseTo(betaConfidence(before.confidence, 1, 0), 5);
    expect(after.lastConfirmedAt > before.lastConfirmedAt).toBe(true);
    expect(await learnings(server, key)).toHaveLength(1);
  });

  test('nothing is counted if its advice was followed and its error was not met', async () => {
    const { key } = await server.member();
    await learn(server, { key });
    await approveAll(server, key);
    const session = hookSession(server, { key, cwd: '/home/dev/app' });
    await session.start();
    const call = { tool_name: 'Bash', tool_input: { command: 'node check.js' }, tool_use_id: 'toolu_before' };
    expect(contextOf(await session.send('PreToolUse', call))).toContain('npm run gen');
    await session.bashWorks('npm run gen', 'written');
    await session.bashWorks('node check.js', '42 checks passed');
    await session.end();
    await server.settled();
    expect((await learnings(server, key))[0]).toMatchObject({ successCount: 0, failureCount: 0 });
  });

  test('the lesson loses confidence if its advice was followed and the error stayed', async () => {
    const { session, outcome } = await given();
    await session.bashWorks('npm run gen', 'written');
    await session.bashFails('node check.js', ERROR);
    await session.end();
    await server.settled();
    const { before, after, injection } = await outcome();
    expect(injection).toMatchObject({ outcome: 'failed' });
    expect(after).toMatchObject({ successCount: 0, failureCount: 1, successRate: 0 });
    expect(after.confidence).toBeCloseTo(betaConfidence(before.confidence, 0, 1), 5);
    expect(after.lastConfirmedAt).toBe(before.lastConfirmedAt);
  });

  test.each([
    ['nothing happened', undefined, undefined],
    ['its command passed without its advice', 'node check.js', '42 checks passed'],
    ['another command passed', 'npm run lint', 'ok'],
    ['the command ran into another error', 'node check.js', 'npm error code ELIFECYCLE'],
  ])('it stays as it was when %s', async (_name, command, output) => {
    const { session, outcome } = await given();
    if (command) await session.bashWorks(command, output);
    await session.end();
    await server.settled();
    const { before, after, injection } = await outcome();
    expect(injection).toMatchObject({ outcome: 'unused' });
    expect(after).toMatchObject({ successCount: 0, failureCount: 0, confidence: before.confidence });
  });

  test('it stays as it was when its error came back and nobody followed its advice', async () => {
    const { session, outcome } = await given();
    await session.bashFails('node check.js', ERROR);
    await session.end();
    await server.settled();
    expect((await outcome()).after).toMatchObject({ successCount: 0, failureCount: 0 });
  });

  test('a failure before the lesson was offered does not count against it', async () => {
    const { key } = await server.member();
    await learn(server, { key });
    const session = hookSession(server, { key, cwd: '/home/dev/app' });
    // its first failure is answered with the lesson
    expect(contextOf(await session.bashFails('node check.js', ERROR))).toContain('config.json');
    await session.bashWorks('npm run gen', 'written');
    await session.bashWorks('node check.js');
    await session.end();
    await server.settled();
    expect(await learnings(server, key)).toMatchObject([{ successCount: 1, failureCount: 0 }]);
  });
});

describe('a lesson on trial', () => {
  /** Plays a session that meets the error, and mends it in some way. */
  async function meets(key: string, mend: (session: ReturnType<typeof hookSession>) => Promise<unknown>) {
    const session = hookSession(server, { key, cwd: '/home/dev/app' });
    await session.bashFails('node check.js', ERROR);
    await mend(session);
    await session.bashWorks('node check.js', '42 checks passed');
    await session.stop('It passes.');
    await session.end();
    await server.settled();
    return (await learnings(server, key))[0];
  }

  test('becomes active when another session meets the error, does what it advises, and passes', async () => {
    const { key } = await server.member();
    await learn(server, { key });
    const [trial] = await learnings(server, key);
    expect(trial).toMatchObject({ status: 'proposed' });
    const shown = (await server.request('GET', `/v1/learnings/${trial.id}`, { key })).body;
    expect(shown.missing).toContain('another session meets the error');
    const after = await meets(key, (session) => session.bashWorks('npm run gen', 'written'));
    expect(after).toMatchObject({ id: trial.id, status: 'active' });
    const then = (await server.request('GET', `/v1/learnings/${trial.id}`, { key })).body;
    expect(then.missing).toBeNull();
    expect(then.judgements).toContainEqual(
      expect.objectContaining({
        event: 'move',
        decision: 'promoted',
        reason: expect.stringContaining('another session met the error'),
      }),
    );
  });

  test('stays on trial when the error went away by itself, or by another deed', async () => {
    const { key } = await server.member();
    await learn(server, { key });
    expect(await meets(key, async () => {})).toMatchObject({ status: 'proposed' });
    const after = await meets(key, (session) => session.bashWorks('npm run seed', 'seeded'));
    expect(after).toMatchObject({ status: 'proposed' });
  });

  test('stays on trial in the session that taught it, however often the error comes', async () => {
    const { key } = await server.member();
    const session = await learn(server, { key });
    await session.bashFails('node check.js', ERROR);
    await session.bashWorks('npm run gen', 'written');
    await session.bashWorks('node check.js', '42 checks passed');
    await session.stop('Again.');
    await session.end();
    await server.settled();
    expect(await learnings(server, key)).toMatchObject([{ status: 'proposed' }]);
  });

  test('is told to no start and to no prompt', async () => {
    const { key } = await server.member();
    await learn(server, { key });
    const session = hookSession(server, { key, cwd: '/home/dev/app' });
    expect(contextOf(await session.start())).not.toContain('npm run gen');
    const prompt = 'the check cannot find its module config.json';
    expect(contextOf(await session.prompt(prompt))).not.toContain('npm run gen');
  });
});

test('an active lesson that stops helping falls back to trial, and its moves are on record', async () => {
  const { key } = await server.member();
  await learn(server, { key });
  const [{ id }] = await approveAll(server, key);
  for (let n = 0; n < 2; n++) {
    const session = hookSession(server, { key, cwd: '/home/dev/app' });
    await session.start();
    await session.bashFails('node check.js', ERROR);
    await session.bashWorks('npm run gen', 'written');
    await session.bashFails('node check.js', ERROR);
    await session.end();
    await server.settled();
  }
  expect(await learnings(server, key)).toMatchObject([{ id, status: 'proposed', failureCount: 2 }]);
  expect(
    (await judgements(server, key)).filter(({ event }: { event: string }) => event === 'move'),
  ).toMatchObject([
    { decision: 'demoted', evaluator: 'rules' },
    { decision: 'promoted', evaluator: 'person' },
  ]);
});

test('a line that is advised and fails later with another answer ends the first lesson: there is no circle', async () => {
  const { key } = await server.member();
  for (const [failed, worked] of [
    ['npm run tset', 'npm run tests'],
    ['npm run tests', 'npm run tset'],
  ] as const) {
    const session = hookSession(server, { key, cwd: '/home/dev/app' });
    await session.bashFails(failed, 'Exit code 1\nerror: Missing script: "tests"');
    await session.bashWorks(worked, 'all passed');
    await session.stop('Done.');
    await session.end();
    await server.settled();
  }
  const now = await learnings(server, key);
  expect(now.map(({ lesson }: { lesson: string }) => lesson)).toEqual([
    expect.stringContaining('use `npm run tset` instead'),
  ]);
});

test('a session that sends nothing any more is completed and settled by the server', async () => {
  const { key, userId, session, outcome } = await given();
  await session.bashWorks('npm run gen', 'written');
  await session.bashWorks('node check.js');
  await session.bashFails('npm run lint', 'Exit code 1\nError: no config');
  await server.rows(
    `update sessions set last_activity = now() - interval '61 minutes' where user_id = '${userId}'`,
  );
  await server.settled();
  await server.settled();
  const { body } = await server.request('GET', `/v1/sessions/${session.session_id}`, { key });
  expect(body).toMatchObject({ status: 'failed', outcome: 'idle', endedAt: expect.any(String) });
  const { after, injection } = await outcome();
  expect(injection).toMatchObject({ outcome: 'helped' });
  expect(after).toMatchObject({ successCount: 1 });
  const { incidents } = (await server.request('GET', '/v1/incidents?status=unresolved', { key })).body;
  expect(incidents).toMatchObject([{ target: 'npm run lint' }]);
  // the session continues when it sends an event again
  await session.prompt('still there?');
  expect((await server.request('GET', `/v1/sessions/${session.session_id}`, { key })).body).toMatchObject({
    status: 'active',
    endedAt: null,
  });
});

test('a resolved incident becomes a lesson even if its session never ends', async () => {
  const { key, userId } = await server.member();
  const session = hookSession(server, { key, cwd: '/home/dev/app' });
  await session.bashFails('node check.js', ERROR);
  await session.bashWorks('npm run gen', 'written');
  await session.bashWorks('node check.js');
  await server.rows(
    `update sessions set last_activity = now() - interval '61 minutes' where user_id = '${userId}'`,
  );
  await server.settled();
  expect(await learnings(server, key)).toMatchObject([{ lesson: expect.stringContaining('npm run gen') }]);
});

test('a person says whether a lesson helped', async () => {
  const { key } = await server.member();
  const { learning } = await state(server, key, 'Raise pool to 20 in config.json for the parallel check');
  const rate = async (helpful: boolean) =>
    (await server.request('POST', `/v1/learnings/${learning.id}/feedback`, { key, body: { helpful } })).body;
  expect(await rate(true)).toMatchObject({ successCount: 1, failureCount: 0 });
  const after = await rate(false);
  expect(after).toMatchObject({ successCount: 1, failureCount: 1, successRate: 0.5 });
  expect(after.confidence).toBeCloseTo(betaConfidence(0.8, 1, 1), 5);
});

describe('confidence', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const count = fc.nat(1000);

  test('is the mean of the Beta posterior with a prior worth four observations', () => {
    expect(betaConfidence(0.8, 0, 0)).toBe(0.8);
    expect(betaConfidence(0.5, 1, 0)).toBeCloseTo(3 / 5, 10);
    expect(betaConfidence(0.75, 0, 4)).toBeCloseTo(3 / 8, 10);
  });

  test('lies between the first judgement and the observed rate', () => {
    fc.assert(
      fc.property(share, count, count, (prior, successes, failures) => {
        fc.pre(successes + failures > 0);
        const rate = successes / (successes + failures);
        const value = betaConfidence(prior, successes, failures);
        expect(value).toBeGreaterThanOrEqual(Math.min(prior, rate) - 1e-9);
        expect(value).toBeLessThanOrEqual(Math.max(prior, rate) + 1e-9);
      }),
    );
  });

  test('rises with each success and falls with each failure', () => {
    fc.assert(
      fc.property(share, count, count, (prior, successes, failures) => {
        const value = betaConfidence(prior, successes, failures);
        expect(betaConfidence(prior, successes + 1, failures)).toBeGreaterThanOrEqual(value - 1e-9);
        expect(betaConfidence(prior, successes, failures + 1)).toBeLessThanOrEqual(value + 1e-9);
      }),
    );
  });
});
