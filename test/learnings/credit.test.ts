import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { betaConfidence } from '../../src/learnings/credit.ts';
import { contextOf, hookSession, startedSession } from '../support/hook-session.ts';
import { sharedServer } from '../support/server.ts';
import { approveAll, ERROR, judgements, learn, learnings, state } from './mend.ts';

// What becomes of a lesson by what comes of it: its counts, its confidence, and whether it is on trial.

const server = await sharedServer({ model: false });
const cwd = '/home/dev/app';

type Session = ReturnType<typeof hookSession>;
type Step = (session: Session) => Promise<unknown>;

const gen: Step = (session) => session.bashWorks('npm run gen', 'written');
const passes: Step = (session) =>
  session.bashWorks('cd /home/dev/app && node check.js | tail -3', '42 checks passed');
const fails: Step = (session) => session.bashFails('node check.js', ERROR);

const end = async (session: Session) => {
  await session.finish('It is done.');
};

/** Plays these steps in a new session that meets the error of the only lesson, and is told it. */
async function meets(key: string, ...steps: Step[]) {
  const session = await startedSession(server, { key, cwd });
  expect(contextOf(await session.bashFails('node check.js', ERROR))).toContain('npm run gen');
  for (const step of steps) await step(session);
  return session;
}

/** A person of whom a session has learned the lesson, which is on trial. */
async function taught() {
  const { key, userId } = await server.member();
  const session = await learn(server, { key });
  await session.end();
  const [lesson] = await learnings(server, key);
  const outcome = async () => {
    const [offer] = await server.rows(
      `select outcome from offers where kind = 'lesson' and user_id = '${userId}' order by offered_at`,
    );
    return offer?.outcome;
  };
  return { key, userId, session, lesson, outcome };
}

describe('a session that was told a lesson on trial', () => {
  type Wanted = { status: string; outcome: string; counts: [number, number] };
  const UNUSED: Wanted = { status: 'proposed', outcome: 'unused', counts: [0, 0] };
  test.each<[string, Step[], Wanted]>([
    [
      'did what it advises, and passed',
      [gen, passes],
      { status: 'active', outcome: 'helped', counts: [1, 0] },
    ],
    ['did so, and the error stayed', [gen, fails], { status: 'proposed', outcome: 'failed', counts: [0, 1] }],
    ['did nothing', [], UNUSED],
    ['passed without it', [passes], UNUSED],
    ['did something else, and passed', [(s) => s.bashWorks('npm run seed', 'ok'), passes], UNUSED],
    ['ran something else', [(s) => s.bashWorks('npm run lint', 'ok')], UNUSED],
    ['met another error', [(s) => s.bashFails('node check.js', 'npm error code ELIFECYCLE')], UNUSED],
    ['met the error again', [fails], UNUSED],
  ])('%s', async (_, steps, wanted) => {
    const { key, lesson, outcome } = await taught();
    await end(await meets(key, ...steps));
    const [after] = await learnings(server, key);
    const { status, successCount, failureCount } = after;
    expect({ status, outcome: await outcome(), counts: [successCount, failureCount] }).toEqual(wanted);
    expect(after.confidence).toBeCloseTo(betaConfidence(lesson.confidence, ...wanted.counts), 5);
    expect(after.lastConfirmedAt > lesson.lastConfirmedAt).toBe(successCount > 0);
    const { missing } = (await server.request('GET', `/v1/learnings/${after.id}`, { key })).body;
    expect(missing).toEqual(
      status === 'active' ? null : expect.stringContaining('another session meets the error'),
    );
  });
});

test('advice that is followed when its call was held is not unused, and counts nothing', async () => {
  const { key, outcome } = await taught();
  await approveAll(server, key);
  const session = await startedSession(server, { key, cwd });
  expect((await session.before('node check.js')).additionalContext).toContain('npm run gen');
  await gen(session);
  await passes(session);
  await end(session);
  expect(await learnings(server, key)).toMatchObject([{ successCount: 0, failureCount: 0 }]);
  expect(await outcome()).toBe('unknown');
});

test('a lesson stays on trial in the session that taught it, however often the error comes', async () => {
  const { key, session } = await taught();
  for (const step of [fails, gen, passes]) await step(session);
  await end(session);
  expect(await learnings(server, key)).toMatchObject([{ status: 'proposed' }]);
});

test('an active lesson that stops helping falls back to trial, and its moves are on record', async () => {
  const { key } = await taught();
  const [{ id }] = await approveAll(server, key);
  for (let n = 0; n < 2; n++) await end(await meets(key, gen, fails));
  expect(await learnings(server, key)).toMatchObject([{ id, status: 'proposed', failureCount: 2 }]);
  const all: { event: string }[] = await judgements(server, key);
  expect(all.filter(({ event }) => event === 'move')).toMatchObject([
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
    const session = hookSession(server, { key, cwd });
    await session.bashFails(failed, 'Exit code 1\nerror: Missing script: "tests"');
    await session.bashWorks(worked, 'all passed');
    await end(session);
  }
  expect(await learnings(server, key)).toMatchObject([
    { lesson: expect.stringContaining('use `npm run tset` instead') },
  ]);
});

test('a session that sends nothing any more is completed, settled and learned from by the server', async () => {
  const { key, userId, outcome } = await taught();
  const session = await meets(key, gen, passes);
  await session.bashFails('make tables', "Exit code 1\nError: Cannot find module './ledger.json'");
  await session.bashWorks('npm run ledger', 'written');
  await session.bashWorks('make tables', 'made');
  await session.bashFails('npm run lint', 'Exit code 1\nError: no config');
  await server.rows(
    `update sessions set last_activity = now() - interval '61 minutes' where user_id = '${userId}'`,
  );
  await server.settled();
  await server.settled();
  const now = async () => (await server.request('GET', `/v1/sessions/${session.session_id}`, { key })).body;
  expect(await now()).toMatchObject({ status: 'failed', outcome: 'idle', endedAt: expect.any(String) });
  expect(await outcome()).toBe('helped');
  expect((await learnings(server, key)).map(({ lesson }: { lesson: string }) => lesson)).toContainEqual(
    expect.stringContaining('npm run ledger'),
  );
  const { incidents } = (await server.request('GET', '/v1/incidents?status=unresolved', { key })).body;
  expect(incidents).toMatchObject([{ target: 'npm run lint' }]);
  // the session continues when it sends an event again
  await session.prompt('still there?');
  expect(await now()).toMatchObject({ status: 'active', endedAt: null });
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

test('confidence is the mean of the Beta posterior with a prior worth four observations', () => {
  expect(betaConfidence(0.8, 0, 0)).toBe(0.8);
  expect(betaConfidence(0.5, 1, 0)).toBeCloseTo(3 / 5, 10);
  expect(betaConfidence(0.75, 0, 4)).toBeCloseTo(3 / 8, 10);
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const count = fc.nat(1000);
  fc.assert(
    fc.property(share, count, count, (prior, good, bad) => {
      const value = betaConfidence(prior, good, bad);
      const rate = good + bad > 0 ? good / (good + bad) : prior;
      expect(value).toBeGreaterThanOrEqual(Math.min(prior, rate) - 1e-9);
      expect(value).toBeLessThanOrEqual(Math.max(prior, rate) + 1e-9);
      expect(betaConfidence(prior, good + 1, bad)).toBeGreaterThanOrEqual(value - 1e-9);
      expect(betaConfidence(prior, good, bad + 1)).toBeLessThanOrEqual(value + 1e-9);
    }),
  );
});
