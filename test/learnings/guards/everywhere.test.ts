import { expect, test } from 'vitest';
import { sharedServer } from '../../support/server.ts';
import { bash, project } from './support.ts';

const server = await sharedServer({ model: false });
const RULE = 'In all my projects, never run npm publish.';

test('a rule for all projects that an agent hands in waits for the person, and is then obeyed in each', async () => {
  const { key } = await server.member();
  const [here, there] = [project(server, key), project(server, key)];
  await here.session();
  const work = await there.session();
  await work.prompt(RULE);
  await server.settled();
  // the key that `lore init` writes into a project is for that one only
  const hooks = { name: 'hooks', scope: 'hooks', project: there.cwd };
  const bound = await server.request('POST', '/v1/keys', { key, body: hooks });
  const publishes = async (at: typeof here) => (await (await at.session()).call(bash('npm publish'))).reason;
  const rule = {
    ...{ words: RULE, about: [{ program: 'npm publish' }], then: 'ask', scope: 'everywhere' },
    ...{ breaks: ['npm publish'], keeps: ['npm pack'] },
    ...{ project: there.cwd, session: work.session_id, agent: 'main' },
  };
  const { body } = await server.request('POST', '/v1/proposals/rules', { key, body: rule });
  expect(body).toMatchObject({ state: 'proposed' });
  await server.settled();
  expect(await publishes(here)).not.toContain(RULE);
  const id = body.id.replace('learning:', '');
  expect((await server.request('POST', `/v1/learnings/${id}/approve`, { key })).status).toBe(200);
  await server.settled();
  await expect.poll(() => publishes(here)).toContain(RULE);
  await expect.poll(() => publishes(project(server, bound.body.key, there.cwd))).toContain(RULE);
});
