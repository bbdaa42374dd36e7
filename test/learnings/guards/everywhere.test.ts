import { expect, test } from 'vitest';
import { sharedServer } from '../../support/server.ts';
import { bash, project } from './support.ts';

const server = await sharedServer({ model: false });
const RULE = 'In all my projects, never run npm publish.';

/** Two projects of a person, the second with the key that `lore init` writes into it. */
async function twoProjects() {
  const { key } = await server.member();
  const here = project(server, key);
  const { cwd } = here;
  await here.session();
  const there = project(server, key);
  await there.session();
  await server.settled();
  const body = { name: 'hooks', scope: 'hooks', project: there.cwd };
  const bound = await server.request('POST', '/v1/keys', { key, body });
  expect(bound.status).toBe(201);
  const asked = async () =>
    (await (await project(server, bound.body.key, there.cwd).session()).call(bash('npm publish'))).reason;
  return { key, here, cwd, asked, there };
}

test('a rule for all projects is obeyed in each, also where the key is for one project', async () => {
  const { key, cwd, asked } = await twoProjects();
  expect(await asked()).not.toContain(RULE);
  const body = { project: cwd, lesson: RULE, everywhere: true };
  expect((await server.request('POST', '/v1/learnings', { key, body })).status).toBe(201);
  await server.settled();
  await expect.poll(asked).toContain(RULE);
  const { body: listed } = await server.request('GET', '/v1/guards', { key });
  expect(listed.guards).toMatchObject([{ everywhere: true, about: 'stops `npm publish`' }]);
});

test('what an agent hands in for all projects waits for the person', async () => {
  const { key, there, here } = await twoProjects();
  const work = await there.session();
  await work.prompt(RULE);
  await server.stored();
  const rule = {
    ...{ words: RULE, about: [{ program: 'npm publish' }], then: 'ask', scope: 'everywhere' },
    ...{ breaks: ['npm publish'], keeps: ['npm pack'] },
    ...{ project: there.cwd, session: work.session_id, agent: 'main' },
  };
  const { body } = await server.request('POST', '/v1/proposals/rules', { key, body: rule });
  expect(body).toMatchObject({ state: 'proposed' });
  await server.settled();
  const elsewhere = async () => (await (await here.session()).call(bash('npm publish'))).reason;
  expect(await elsewhere()).not.toContain(RULE);
  const id = body.id.replace('learning:', '');
  expect((await server.request('POST', `/v1/learnings/${id}/approve`, { key })).status).toBe(200);
  await server.settled();
  await expect.poll(elsewhere).toContain(RULE);
});
