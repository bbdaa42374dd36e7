import { expect, test } from 'vitest';
import { sharedServer } from '../support/server.ts';
import { judgements, learnings, state } from './mend.ts';

const server = await sharedServer();

const RETRIES = 'Use 5 retries with exponential backoff for calls of the billing API';

test('what a person states is active at once, whatever its form; what an agent states is proposed', async () => {
  const { key } = await server.member();
  expect(await state(server, key, 'Be kind.')).toMatchObject({
    status: 201,
    decision: 'stored',
    learning: { status: 'active', evaluatedBy: 'person' },
  });
  expect(await state(server, key, RETRIES, { agent: 'planner' })).toMatchObject({
    status: 201,
    decision: 'stored',
    learning: { status: 'proposed', evaluatedBy: 'agent', sourceSubagent: 'planner' },
  });
});

test('a way around a safeguard is kept only if a person states it', async () => {
  const { key } = await server.member();
  const forced = 'Push the release branch with `git push --force` when the mirror has diverged';
  await state(server, key, forced, { agent: 'planner' });
  expect(await learnings(server, key)).toEqual([]);
  expect(await judgements(server, key)).toMatchObject([
    { decision: 'discarded', reason: expect.stringContaining('only a person may state') },
  ]);
  expect(await state(server, key, forced)).toMatchObject({ learning: { status: 'active' } });
});

test('the same words are one lesson, also when they arrive ten times at once; each project has its own', async () => {
  const { key } = await server.member();
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) => state(server, key, n % 2 ? RETRIES : `${RETRIES}.`)),
  );
  expect(answers.map((answer) => answer.decision).sort()).toEqual([...Array(9).fill('merged'), 'stored']);
  expect(await learnings(server, key)).toMatchObject([{ successCount: 9 }]);
  expect(await state(server, key, RETRIES, { project: '/home/dev/other' })).toMatchObject({
    decision: 'stored',
  });
});

test('a rule of a person said again is one rule with its newest words', async () => {
  const { key } = await server.member();
  const said = ['Never run `npm publish`.', 'never run npm publish!'];
  for (const lesson of said) await state(server, key, lesson);
  expect(await learnings(server, key)).toMatchObject([
    { lesson: said.at(-1), status: 'active', successCount: 1, supersedes: expect.any(String) },
  ]);
});

test.each([
  ['Run npm ci in packages/web before building', 'Run npm ci in packages/api before building'],
  [RETRIES, RETRIES.replace('5 retries', '7 retries')],
])('what only looks alike stays beside it: %s | %s', async (a, b) => {
  const { key } = await server.member();
  await state(server, key, a);
  expect(await state(server, key, b)).toMatchObject({ decision: 'stored' });
  expect(await learnings(server, key)).toHaveLength(2);
});

test('what a person says later about the same calls replaces what they said before', async () => {
  const { key } = await server.member();
  const before = await state(server, key, 'Always ask me before you run `npm publish`.');
  const after = await state(server, key, 'Never run `npm publish`.');
  expect(await learnings(server, key)).toMatchObject([{ id: after.learning.id }]);
  const { body } = await server.request('GET', `/v1/learnings/${before.learning.id}`, { key });
  expect(body).toMatchObject({
    validUntil: expect.any(String),
    judgements: [{ event: 'replaced', decision: 'superseded' }, { event: 'api' }],
  });
});
