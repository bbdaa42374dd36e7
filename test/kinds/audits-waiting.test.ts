import { expect, test } from 'vitest';
import { judgements, learn, learnings } from '../learnings/mend.ts';
import { sharedServer } from '../support/server.ts';

// Where no model is set up, sessions that ended with errors wait for an agent.
const server = await sharedServer({ model: false });

const LESSON = {
  lesson: 'Close every connection of `check.js` also after a failure, or the pool of `config.json` runs dry',
  context: 'when new checks are written for the app package',
  confidence: 0.95,
  appliesTo: ['check.js'],
};
const ANSWER = {
  agent: 'self-auditor',
  verdict: 'partial',
  learnings: [{ ...LESSON, lasting: 'lasting' }],
  errorsFound: [{ type: 'configuration', description: 'the pool was exhausted' }],
  recommendedNextSteps: ['Measure how many connections the workers need'],
};

async function ended(key: string, options: Parameters<typeof learn>[1] = {}) {
  const session = await learn(server, { key, ...options });
  await session.end();
  await server.settled();
  return session;
}
const waiting = async (key: string, query = '') =>
  (await server.request('GET', `/v1/audits/waiting${query}`, { key })).body;
const answer = (key: string, id: string, body: object = ANSWER) =>
  server.request('POST', `/v1/audits/${id}/answer`, { key, body });

test('a session with an error waits, and what an agent says of it goes through the gate and is on trial', async () => {
  const { key } = await server.member();
  const session = await ended(key);
  const { waiting: count, next } = await waiting(key, '?project=/home/dev/app');
  expect(count).toBe(1);
  expect(next.record.prompts).toEqual(['Make the checks pass']);
  expect(next.record.errors[0].error).toContain('Cannot find module');
  expect(next.instructions).toContain('five questions');
  expect(await answer(key, next.id)).toMatchObject({ status: 200, body: { waiting: 0 } });
  const stored = (await learnings(server, key)).find(
    ({ lesson }: { lesson: string }) => lesson === LESSON.lesson,
  );
  expect(stored).toMatchObject({ status: 'proposed', evaluatedBy: 'agent:self-auditor' });
  const [judged] = (await judgements(server, key)).filter(
    ({ event }: { event: string }) => event === 'audit',
  );
  expect(judged).toMatchObject({ decision: 'stored', evaluator: 'agent:self-auditor' });
  expect(judged.evidence.kind).toMatch(/^reported/);
  const { body } = await server.request('GET', `/v1/sessions/${session.session_id}`, { key });
  expect(body.audit).toMatchObject({ status: 'done', verdict: 'partial', evaluatedBy: 'agent:self-auditor' });
  // it is answered once
  expect((await answer(key, next.id)).status).toBe(404);
});
