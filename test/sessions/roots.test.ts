import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hookSession } from '../support/hook-session.ts';
import { temporaryFolder } from '../support/left-behind.ts';
import { sharedServer } from '../support/server.ts';

const server = await sharedServer({ model: false, owner: true });

/** Makes a work tree of a repository whose `.lore/rules.json` denies `frobnicate <word>`. */
function workTree(word: string): string {
  const root = join(temporaryFolder(), word);
  mkdirSync(join(root, '.lore'), { recursive: true });
  mkdirSync(join(root, 'src'));
  writeFileSync(join(root, '.git'), 'gitdir: elsewhere\n');
  const rule = { id: `team.no-${word}`, reason: 'not here', instead: 'do it elsewhere' };
  const when = [{ program: ['frobnicate'], arg: `^${word}$` }];
  writeFileSync(join(root, '.lore/rules.json'), JSON.stringify({ rules: [{ ...rule, when }] }));
  return root;
}

const session = (repo: string, cwd: string) => hookSession(server, { key: server.key, cwd, repo });

describe('two work trees of one remote', () => {
  test('each session is judged by its own folder and its own rules, however the two take turns', async () => {
    const [one, two] = [workTree('one'), workTree('two')];
    const [a, b] = [session('example.org/turns', one), session('example.org/turns', two)];
    await a.start();
    await b.start();
    expect(await a.decisionOn('frobnicate one')).toBe('deny');
    expect(await b.decisionOn('frobnicate two')).toBe('deny');
    expect(await a.decisionOn('frobnicate two')).toBe('none');
    expect(await b.decisionOn('frobnicate one')).toBe('none');
    // outside the folders for temporary files, where everything may be deleted
    const [here, there] = ['/home/dev/here', '/home/dev/there'];
    const [c, d] = [session('example.org/turns', here), session('example.org/turns', there)];
    await c.start();
    await d.start();
    expect([
      await c.decisionOn('rm -rf dist'),
      await d.decisionOn('rm -rf dist'),
      await c.decisionOn(`rm -rf ${here}/dist`),
      await d.decisionOn(`rm -rf ${there}/dist`),
      await c.decisionOn(`rm -rf ${there}/dist`),
      await d.decisionOn(`rm -rf ${here}/dist`),
    ]).toEqual(['allow', 'allow', 'allow', 'allow', 'deny', 'deny']);
  });
});

test('what is written under the folder of a project is kept with its sessions', async () => {
  const root = workTree('writes');
  await session('example.org/writes', root).start();
  await server.stored();
  const write = async (method: string, path: string, body: object) =>
    (await server.request(method, path, { body })).status;
  expect([
    await write('POST', '/v1/notes', { project: root, content: 'The port of the mock is 4010' }),
    await write('PUT', '/v1/facts', { project: root, type: 'service', key: 'mock.port', value: 4010 }),
    await write('POST', '/v1/plans', {
      project: 'writes',
      goal: 'Replace the mock',
      steps: [{ description: 'Look at it', dependencies: [] }],
    }),
  ]).toEqual([201, 201, 201]);
  const projects = await server.request('GET', '/v1/projects');
  const names = projects.body.projects.map(({ name }: { name: string }) => name);
  expect(names.filter((name: string) => name.endsWith('writes'))).toEqual(['example.org/writes']);
  const found = await server.request('GET', '/v1/notes?project=example.org/writes');
  expect(found.body.notes).toHaveLength(1);
});
