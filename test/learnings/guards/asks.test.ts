import { expect, test } from 'vitest';
import { sharedServer } from '../../support/server.ts';
import { tablesOf } from '../../support/tables.ts';
import { bash, project } from './support.ts';

// What a sentence in a prompt does to later calls: it asks at most, until a person confirms it.

const tables = tablesOf('asks');
const server = await sharedServer({ model: false });

/** Says something in a session of a new project. Returns what a later session there is answered before a call. */
async function said(prompt: string) {
  const { key } = await server.member();
  const { session } = project(server, key);
  const first = await session();
  await first.prompt(prompt);
  await first.stop('Understood.');
  await first.end();
  await server.settled();
  const later = await session();
  const lessons = async () => (await server.request('GET', '/v1/learnings', { key })).body.learnings;
  return { key, lessons, call: (command: string) => later.call(bash(command)) };
}

test.each(tables.asks ?? [])(
  '%s: the client asks, with the words of the person',
  async (prompt = '', broken = '', kept = '') => {
    const { call } = await said(prompt);
    const asked = await call(broken);
    expect(asked.decision).toBe('ask');
    expect(asked.reason).toContain(`You said: “${prompt.replace('Fix the cart. ', '')}”`);
    expect((await call(kept)).reason).not.toContain('You said');
  },
);

test.each(tables.nothing ?? [])(
  '%s: nothing is kept, nothing is stopped',
  async (prompt = '', command = '') => {
    const { call, lessons } = await said(prompt);
    expect(await lessons()).toEqual([]);
    expect((await call(command)).reason).not.toContain('You said');
  },
);

test('what a person states as a rule in a prompt is denied at once', async () => {
  const { call, lessons } = await said('Rule: never push to main');
  expect(await lessons()).toMatchObject([{ status: 'active', lesson: 'never push to main' }]);
  expect(await call('git push origin main')).toMatchObject({ decision: 'deny' });
});

test('a rule that the person approves, or states, is denied from then on, also when it is said again', async () => {
  const { key, call, lessons } = await said('never push to main');
  const [{ id, project: name }] = await lessons();
  expect((await server.request('POST', `/v1/learnings/${id}/approve`, { key })).status).toBe(200);
  await server.settled();
  await expect.poll(async () => (await call('git push origin main')).decision).toBe('deny');
  const body = { project: name, lesson: 'Never use yarn here, use pnpm', appliesTo: ['project'] };
  expect((await server.request('POST', '/v1/learnings', { key, body })).status).toBe(201);
  await expect.poll(async () => (await call('yarn add left-pad')).decision).toBe('deny');
});

test('a rule that asked at many calls, and is stated then, denies: calls that it stopped are no evidence', async () => {
  const { key, call, lessons } = await said('Never run npm publish');
  for (let i = 0; i < 8; i++)
    expect(await call(`npm publish --tag t${i}`)).toMatchObject({ decision: 'ask' });
  await server.stored();
  const [{ project: name }] = await lessons();
  const body = { project: name, lesson: 'Never run npm publish' };
  const { guard } = (await server.request('POST', '/v1/learnings', { key, body })).body;
  expect(guard).toMatchObject({ state: 'on', reason: null });
  await expect.poll(async () => (await call('npm publish')).decision).toBe('deny');
});
