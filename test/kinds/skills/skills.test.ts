import { describe, expect, test } from 'vitest';
import { hookSession, startedSession } from '../../support/hook-session.ts';
import { sharedServer } from '../../support/server.ts';

const server = await sharedServer({ model: false });

const tenant = () => server.member();
const skill = (content: string, description = 'd') => `---\ndescription: ${description}\n---\n${content}`;
const FILE = `---
name: release-notes
description: >-
  Writes release notes
  from merged pull requests.
allowed-tools: [Bash, Read] # no Write
---
# Release notes

1. Collect the merged pull requests.

## Memory

- The tag is called v4, not 4
`;

describe('a skill', () => {
  test('is a file, which is kept as it is', async () => {
    const { ask } = await tenant();
    const made = await ask('PUT', '/v1/skills/release-notes', { file: FILE });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      name: 'release-notes',
      project: null,
      description: 'Writes release notes from merged pull requests.',
      ...{ files: [], runs: 0, successRate: null, lastRun: null, validUntil: null },
    });
    expect(made.body.frontMatter + made.body.content).toBe(FILE);
    const again = await ask('PUT', '/v1/skills/release-notes', { file: FILE });
    expect([again.status, again.body.id]).toEqual([200, made.body.id]);
    expect((await ask('GET', '/v1/skills')).body.skills[0]).toMatchObject({ name: 'release-notes', runs: 0 });
  });

  test.each([
    ['# Do this\nand that', 'Do this'],
    ['---\ndescription: Use when: asked\nallowed-tools: [a\n---\nx', 'Use when: asked'],
    ['---\ndescription: "a: b\n---\nx', '"a: b'],
    [`---\na: ${'['.repeat(50_000)}\n---\nbrackets`, 'brackets'],
    ['---\na: &a [x]\nb: [*a, *a]\n---\naliases', 'aliases'],
    ['---\n__proto__: {a: 1}\n---\nprototype', 'prototype'],
    ['\uFEFF---\r\ndescription: mark\r\n---\r\nx', 'mark'],
    ['---\n---\n---\nfences', 'fences'],
  ])('%j is described by %j', async (file, description) => {
    const { ask } = await tenant();
    expect((await ask('PUT', '/v1/skills/s', { file })).body.description).toBe(description);
  });

  test('has versions, and an old one can be read', async () => {
    const { ask } = await tenant();
    const first = (await ask('PUT', '/v1/skills/deploy', { file: skill('by hand') })).body;
    const then = new Date().toISOString();
    const second = (await ask('PUT', '/v1/skills/deploy', { file: skill('by make') })).body;
    const old = (await ask('GET', `/v1/skills/deploy?asOf=${then}`)).body;
    expect([old.id, old.content, old.validUntil]).toEqual([first.id, 'by hand', second.validFrom]);
    const ids = async () =>
      (await ask('GET', '/v1/skills/deploy/history')).body.versions.map((v: { id: string }) => v.id);
    expect(await ids()).toEqual([second.id, first.id]);
    // records and offers name it by the id of any version
    expect((await ask('GET', `/v1/skills/${first.id}`)).body.id).toBe(second.id);
    expect((await (await tenant()).ask('GET', `/v1/skills/${first.id}`)).status).toBe(404);
    expect((await ask('POST', '/v1/skills/deploy/retire')).status).toBe(204);
    expect((await ask('GET', '/v1/skills/deploy')).status).toBe(404);
    expect((await ask('GET', '/v1/skills')).body.skills).toEqual([]);
    expect((await ask('GET', `/v1/skills/deploy?asOf=${then}`)).body.content).toBe('by hand');
    expect(await ids()).toHaveLength(2);
    expect((await ask('PUT', '/v1/skills/deploy', { file: skill('again') })).status).toBe(201);
    expect((await ask('GET', '/v1/skills/deploy?asOf=2001-01-01T00:00:00Z')).status).toBe(404);
  });

  test('of a project hides the one of its user, which every other project finds', async () => {
    const { ask } = await tenant();
    const put = (name: string, of: string, project?: string) =>
      ask('PUT', `/v1/skills/${name}`, { project, file: skill('x', of) });
    await put('lint', 'mine');
    await put('lint', 'of a', '/home/dev/a');
    await put('only-a', 'of a', '/home/dev/a');
    await put('x', 'of b', '/home/dev/b');
    const described = async (query: string) =>
      (await ask('GET', `/v1/skills${query}`)).body.skills.map(
        (s: { name: string; description: string }) => `${s.name} ${s.description}`,
      );
    expect(await described('?project=/home/dev/a')).toEqual(['lint of a', 'only-a of a']);
    expect(await described('?project=/home/dev/b')).toEqual(['lint mine', 'x of b']);
    expect(await described('')).toHaveLength(4);
    expect((await ask('GET', '/v1/skills/lint')).body.description).toBe('mine');
    expect((await ask('GET', '/v1/skills/lint?project=/home/dev/a')).body.description).toBe('of a');
    expect((await ask('GET', '/v1/skills/only-a?project=/home/dev/b')).status).toBe(404);
    expect((await ask('GET', '/v1/skills/only-a')).body.project).toBe('/home/dev/a');
    await put('only-a', 'of b', '/home/dev/b');
    expect((await ask('GET', '/v1/skills/only-a')).status).toBe(409);
    expect((await ask('DELETE', '/v1/skills/only-a')).status).toBe(404);
    expect((await ask('DELETE', '/v1/skills/only-a?project=/home/dev/b')).status).toBe(204);
    expect((await ask('GET', '/v1/skills/only-a')).body.project).toBe('/home/dev/a');
  });

  test('is not changed over somebody else’s change, and two changes at once leave one current version', async () => {
    const { ask, userId } = await tenant();
    const put = (content: string, more: object = {}) =>
      ask('PUT', '/v1/skills/s', { file: skill(content), ...more });
    const { id } = (await put('1', { base: null })).body;
    expect((await put('2', { base: null })).status).toBe(409);
    expect((await put('2', { base: id })).status).toBe(200);
    expect((await put('3', { base: id })).status).toBe(409);
    expect((await ask('POST', `/v1/skills/s/retire?base=${id}`)).status).toBe(409);
    const all = await Promise.all(Array.from({ length: 12 }, (_, n) => put(`at once ${n}`)));
    expect(all.map(({ status }) => status)).toEqual(Array(12).fill(200));
    const rows = await server.rows(
      `select count(*)::int as n, count(*) filter (where valid_until is null)::int as current from skills
       where user_id = '${userId}'`,
    );
    expect(rows).toEqual([{ n: 14, current: 1 }]);
  });

  test('with a secret is stored without it', async () => {
    const { ask, userId } = await tenant();
    const secret = `ghp_${'aB3dE5gH7jK9mN1pQ3sT5vX7zA9cE1gI3kM5'}`;
    const file = `---\ndescription: Pushes with a token\ntoken: ${secret}\n---\nexport GITHUB_TOKEN=${secret}\n`;
    const { body } = await ask('PUT', '/v1/skills/push', { file });
    expect(body.content).toContain('export GITHUB_TOKEN=[redacted');
    for (const table of ['skills', 'search_documents']) {
      const rows = await server.rows(
        `select to_jsonb(t)::text as row from ${table} t where user_id = '${userId}'`,
      );
      expect(rows).toHaveLength(1);
      expect(rows[0]?.row).not.toContain(secret);
    }
    expect((await ask('PUT', `/v1/skills/${secret}`, { file })).status).toBe(400);
  });
});

describe('runs', () => {
  /** The client's call of its tool, as observed in 2.1.330. */
  const call = (skill: string, id: string, more: object = {}) => ({
    tool_name: 'Skill',
    tool_input: { skill, args: 'v1' },
    tool_response: { success: true, commandName: skill.replace(/^\//, '') },
    tool_use_id: id,
    ...more,
  });

  test('of the client’s tool: an error in the same turn makes a run failed, one in another does not', async () => {
    const { key, userId } = await tenant();
    const session = hookSession(server, { key });
    const results = async () => {
      const rows = await server.rows(
        `select skill, result from skill_logs where user_id = '${userId}' order by at, id`,
      );
      return rows.map(({ skill, result }) => `${skill} ${result}`);
    };
    await session.start();
    await session.prompt('release it');
    await session.bashFails('make before', 'Error: broke before the skill ran');
    await session.send('PostToolUse', call('/notes', 't1'));
    expect(await results()).toEqual(['notes started']);
    await session.bashWorks('make');
    await session.stop('Done');
    expect(await results()).toEqual(['notes succeeded']);
    await session.prompt('and deploy');
    await session.send('PostToolUse', call('deploy', 't2'));
    await session.send('PostToolUse', call('deploy', 't2'));
    await session.bashFails('make deploy', 'Error: no such host');
    await session.send('PostToolUse', call('sub', 't3', { agent_id: 'a1' }));
    await session.stop('Failed');
    expect(await results()).toEqual(['notes succeeded', 'deploy failed', 'sub started']);
    await session.send('SubagentStop', { agent_id: 'a1', last_assistant_message: 'ok' });
    await session.prompt('next');
    await session.send('PostToolUse', call('broken-off', 't4'));
    await session.prompt('stop, something else');
    await session.bashFails('make other', 'Error: other trouble');
    await session.stop('ok');
    await session.send('PostToolUseFailure', { ...call('missing', 't5'), error: 'Unknown skill' });
    const all = ['notes succeeded', 'deploy failed', 'sub succeeded', 'broken-off started', 'missing failed'];
    expect(await results()).toEqual(all);
    const bad = [{ skill: 7 }, { skill: '' }, { skill: 'x'.repeat(5_000) }, {}, { command: 'older' }];
    for (const [n, tool_input] of bad.entries())
      await session.send('PostToolUse', { ...call('x', `b${n}`), tool_input, tool_response: null });
    expect((await results()).slice(5)).toEqual(['older started']);
  });

  test('are counted for the skill of their project, and end with their turn', async () => {
    const { key, ask } = await tenant();
    await ask('PUT', '/v1/skills/s', { file: skill('c') });
    const counted = async (query = '') => {
      const { runs, successRate } = (await ask('GET', `/v1/skills/s${query}`)).body;
      return [runs, successRate];
    };
    const session = await startedSession(server, { key, cwd: '/home/dev/a' }, 'use it');
    const activated = await ask('POST', `/v1/skills/s/activate?session=${session.session_id}`);
    expect(activated.body).toMatchObject({ name: 's', content: 'c' });
    expect(await counted()).toEqual([1, null]);
    await session.bashFails('make', 'Error: no such target');
    await session.stop('Failed');
    await ask('POST', '/v1/skills/s/activate?project=/home/dev/b');
    expect(await counted()).toEqual([2, 0]);
    await ask('PUT', '/v1/skills/s', { project: '/home/dev/a', file: skill('c') });
    expect(await counted()).toEqual([1, null]);
    expect(await counted('?project=/home/dev/a')).toEqual([1, 0]);
    expect((await ask('POST', '/v1/skills/s/activate?session=none')).body.errors[0].field).toBe('session');
  });
});

describe('erasing and moving', () => {
  test('a session, a project, a time and a skill are erased whole', async () => {
    const { key, ask, userId } = await tenant();
    const left = async () => {
      const counts = await server.rows(
        `select (select count(*) from skills where user_id = '${userId}')::int as skills,
           (select count(*) from skill_logs where user_id = '${userId}')::int as logs,
           (select count(*) from search_documents where user_id = '${userId}' and kind = 'skill')::int as documents`,
      );
      return Object.values(counts[0] ?? {});
    };
    const session = await startedSession(server, { key });
    for (const project of ['/home/dev/a', undefined]) {
      await ask('PUT', '/v1/skills/s', { project, file: FILE });
      await ask('PUT', '/v1/skills/s', { project, file: skill('changed') });
      await ask('POST', `/v1/skills/s/activate${project ? `?project=${project}` : ''}`);
    }
    await ask('POST', `/v1/skills/s/activate?session=${session.session_id}`);
    expect(await left()).toEqual([4, 3, 4]);
    await ask('POST', '/v1/erase', { session: session.session_id });
    expect(await left()).toEqual([4, 2, 4]);
    const { erased } = (await ask('POST', '/v1/erase', { project: '/home/dev/a' })).body;
    expect(erased).toMatchObject({ skills: 2, skillLogs: 1, searchDocuments: 2, projects: 1 });
    expect(await left()).toEqual([2, 1, 2]);
    expect((await ask('DELETE', '/v1/skills/s')).status).toBe(204);
    expect(await left()).toEqual([0, 0, 0]);
    await ask('PUT', '/v1/skills/s', { file: FILE });
    await ask('POST', '/v1/erase', { before: new Date(Date.now() + 1000).toISOString(), keepLearned: true });
    expect(await left()).toEqual([1, 0, 1]);
    await ask('POST', '/v1/erase', { before: new Date(Date.now() + 1000).toISOString() });
    expect(await left()).toEqual([0, 0, 0]);
  });
});
