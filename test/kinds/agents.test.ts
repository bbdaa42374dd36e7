import { describe, expect, test } from 'vitest';
import { contextOf, hookSession } from '../support/hook-session.ts';
import { sharedServer } from '../support/server.ts';

const server = await sharedServer({ model: false });
const APP = '/home/dev/app';

async function member() {
  const { key, userId, ask } = await server.member();
  const write = async (body: object) => {
    const answer = await ask('POST', '/v1/notes', body);
    expect(answer.status).toBe(201);
    return answer.body;
  };
  const session = (cwd = APP) => hookSession(server, { key, cwd });
  let subagents = 0;
  /** Starts a subagent and returns what it is told. */
  const startSubagent = async (agent_type: string, cwd = APP) => {
    const told = contextOf(
      await session(cwd).send('SubagentStart', { agent_id: `a${subagents++}`, agent_type }),
    );
    await server.stored();
    return told;
  };
  const found = async (fields: object) =>
    (await ask('POST', '/v1/search', { query: 'heron', ...fields })).body.results.map(
      (result: { content: string }) => result.content,
    );
  return { key, userId, ask, write, session, startSubagent, found };
}

describe('a note without a project', () => {
  test('belongs to its agent, and is found from every project', async () => {
    const { ask, write, found } = await member();
    const note = await write({ agent: 'tester', content: 'The heron nests in spring' });
    expect(note).toMatchObject({ project: null, channel: 'agent-notes:tester', sender: 'tester' });
    await write({ project: APP, content: 'A heron of the app' });
    await write({ project: '/home/dev/other', content: 'A heron of another project' });
    expect((await found({ project: 'app' })).sort()).toEqual([
      'A heron of the app',
      'The heron nests in spring',
    ]);
    expect((await ask('GET', '/v1/notes?project=app')).body.notes).toHaveLength(1);
    expect((await ask('GET', '/v1/notes?channel=agent-notes:tester')).body.notes).toMatchObject([
      { id: note.id, project: null },
    ]);
    expect((await ask('GET', `/v1/notes/${note.id.slice(0, 8)}`)).body.id).toBe(note.id);
    expect((await ask('GET', `/v1/notes/lore:${note.id.slice(0, 8)}`)).body.id).toBe(note.id);
  });
});

describe('mentions', () => {
  test('in the text join those that the client lists', async () => {
    const { ask, write } = await member();
    const content = '@reviewer and @planner: not `@nobody`, not ann@example.org';
    const note = await write({ project: APP, content, mentions: ['ann', 'planner'] });
    expect(note.mentions).toEqual(['ann', 'planner', 'reviewer']);
    for (const [name, n] of [
      ['Reviewer', 1],
      ['ann', 1],
      ['nobody', 0],
    ]) {
      expect((await ask('GET', `/v1/notes?mention=${name}`)).body.notes).toHaveLength(Number(n));
    }
    await write({ project: APP, content: 'old @ann', createdAt: '2026-01-01T00:00:00Z' });
    expect((await ask('GET', '/v1/notes?mention=ann')).body.notes).toHaveLength(2);
  });

  test('are told to the agent when it starts, first and once', async () => {
    const { ask, write, startSubagent, userId } = await member();
    const stated = await ask('POST', '/v1/learnings', {
      project: APP,
      lesson: 'Start the emulator with `npm run emulator` before the integration tests',
      context: 'when the integration tests of the ledger cannot reach it',
      appliesTo: ['npm test', 'test/integration.js'],
      keywords: ['emulator', 'integration'],
    });
    expect(stated.status).toBe(201);
    await server.rows(
      `update learnings set evaluated_by = 'person', status = 'active' where user_id = '${userId}'`,
    );
    await write({ project: APP, agent: 'planner', content: '@Reviewer the migration needs a second look' });
    await write({ agent: 'planner', content: 'For @reviewer everywhere: read docs/style.md' });
    await write({ project: '/home/dev/other', content: '@reviewer of another project' });
    await write({ project: APP, agent: 'reviewer', content: 'note to @reviewer myself' });
    expect(await startSubagent('tester')).not.toContain('migration');
    const told = await startSubagent('reviewer');
    expect(told).toContain('the migration needs a second look');
    expect(told).toContain('npm run emulator');
    expect(told).toContain('read docs/style.md');
    expect(told).toContain('from planner');
    expect(told).not.toContain('another project');
    expect(told).not.toContain('myself');
    // what a person said about the project comes before everything else
    expect(told.indexOf('npm run emulator')).toBeLessThan(told.indexOf('migration'));
    const again = await startSubagent('reviewer');
    expect(again).not.toContain('migration');
    expect(again).toContain('npm run emulator');
    expect(await startSubagent('reviewer', '/home/dev/other')).toContain('of another project');
  });
});
