import { beforeEach, describe, expect, test } from 'vitest';
import { incidents, judgements, learn, learnings } from '../learnings/mend.ts';
import { fakeGemini, USAGE } from '../support/gemini.ts';
import { startedSession } from '../support/hook-session.ts';
import { startTestServer } from '../support/server.ts';

const gemini = await fakeGemini();
const env = {
  GEMINI_API_KEY: 'test',
  GEMINI_BASE_URL: gemini.url,
  GEMINI_MODEL: 'gemini-test',
  LORE_MODEL_DIR: '',
};
const server = await startTestServer(env);

const LESSON = {
  lesson: 'Raise `pool` to 20 in `config.json` before `node check.js` runs with parallel workers',
  context: 'when the connection pool is exhausted in the checks',
  confidence: 0.95,
  appliesTo: ['config.json'],
};
const ANSWER = {
  verdict: 'partial',
  learnings: [LESSON] as object[],
  errorsFound: [
    { type: 'configuration', description: 'the pool was exhausted', resolution: 'pool raised to 20' },
  ],
  recommendedNextSteps: ['Measure how many connections the workers need'],
};

const isAudit = (call: { body: { systemInstruction: { parts: { text: string }[] } } }) =>
  call.body.systemInstruction.parts[0]?.text.startsWith('You look back') ?? false;
const audits = () => gemini.calls.filter(isAudit);
const recordOf = (call = audits().at(-1)) => call?.body.contents[0]?.parts[0]?.text ?? '';

/** The reading of turns gets no usable answer, so that the rules write their lessons. */
const answers = (answer: unknown) => {
  gemini.reply = (call) => (isAudit(call) ? { answer } : { status: 500, message: 'only audits' });
};
beforeEach(() => {
  gemini.calls.length = 0;
  answers(ANSWER);
});

describe('a session that has ended', () => {
  test('is looked back on once, with what happened in it and no more than its tokens', async () => {
    const { key } = await server.member();
    const session = await startedSession(server, { key, cwd: '/home/dev/app' }, 'Make the checks pass');
    await session.bashFails('node check.js', 'Exit code 1\nError: connection pool exhausted (pool size 2)');
    for (let i = 0; i < 12; i++) await session.prompt(`Look at part ${i}: ${'the pool of it. '.repeat(400)}`);
    await session.before('rm -rf /');
    await session.finish('The pool is still exhausted.');
    expect(audits()).toHaveLength(1);
    const record = recordOf();
    for (const part of ['Make the checks pass', 'connection pool exhausted', 'rm -rf /', 'still exhausted'])
      expect(record).toContain(part);
    const instructions = audits()[0]?.body.systemInstruction.parts[0]?.text ?? '';
    expect(Buffer.byteLength(instructions + record) / 3).toBeLessThanOrEqual(12_000);
    // it goes on and ends again
    await session.prompt('Try again');
    await session.finish();
    expect(audits()).toHaveLength(1);
    const { body } = await server.request('GET', `/v1/sessions/${session.session_id}`, { key });
    expect(body.audit).toMatchObject({
      status: 'done',
      verdict: 'partial',
      evaluatedBy: 'audit:gemini-test',
      recommendedNextSteps: ANSWER.recommendedNextSteps,
      errorsFound: [{ type: 'configuration', resolution: 'pool raised to 20' }],
      tokens: USAGE.totalTokenCount,
    });
  });

  test('does not double what its turn has taught, nor count it again', async () => {
    const { key } = await server.member();
    const session = await learn(server, { key });
    const before = await learnings(server, key);
    expect(before).toHaveLength(1);
    answers({ ...ANSWER, learnings: [{ ...LESSON, lesson: before[0].lesson, error: 0 }] });
    await session.finish();
    const after = await learnings(server, key);
    expect(after).toHaveLength(1);
    expect(after[0]).toMatchObject({ successCount: 0, confidence: before[0].confidence });
    const [judged] = (await judgements(server, key)).filter(
      ({ event }: { event: string }) => event === 'audit',
    );
    const [incident] = await incidents(server, key);
    expect(judged).toMatchObject({
      decision: 'merged',
      evidence: { kind: 'reported-resolved', incident: incident.id },
      evaluator: 'audit:gemini-test',
    });
  });
});
