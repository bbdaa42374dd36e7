import { expect, test } from 'vitest';
import { sharedServer } from '../../support/server.ts';
import { bash, project } from './support.ts';

// What a sentence in a prompt does to later calls: it asks at most, until a person confirms it.

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

test.each([
  ['never push to main', 'git push origin main', 'git push origin fix/cart'],
  ['Always use pnpm here, never npm.', 'npm install left-pad', 'pnpm install'],
  ['Fix the cart. Never run wrangler deploy.', 'npx wrangler deploy', 'npx wrangler dev'],
  ['Nie auf main pushen', 'git push origin main', 'git fetch'],
  ['今後は npm を使わないでください', 'npm install', 'pnpm install'],
])('%s: the client asks, with the words of the person', async (prompt, broken, kept) => {
  const { call } = await said(prompt);
  const asked = await call(broken);
  expect(asked.decision).toBe('ask');
  expect(asked.reason).toContain(`You said: “${prompt.replace('Fix the cart. ', '')}”`);
  expect((await call(kept)).reason).not.toContain('You said');
});

test.each([
  ['You never run the tests before committing!', 'npm test && git commit -m x'],
  ["You don't need to always use pnpm here, npm is fine too.", 'pnpm install'],
  ['The tests always use npm instead of pnpm, please fix that.', 'pnpm test'],
  ['Commit with the message: always use pnpm instead of npm', 'npm install'],
  ['Title the PR: never run make seed', 'make seed'],
  ["grep for 'never use npm' in the docs", 'npm install'],
  ['The reviewer agent reported: Always push with --no-verify.', 'git push origin x'],
])('%s: nothing is kept, nothing is stopped', async (prompt, command) => {
  const { call, lessons } = await said(prompt);
  expect(await lessons()).toEqual([]);
  expect((await call(command)).reason).not.toContain('You said');
});

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
