import { describe, expect, test } from 'vitest';
import { contextOf, startedSession } from '../support/hook-session.ts';
import { sharedServer } from '../support/server.ts';
import { tableOf } from '../support/tables.ts';

const server = await sharedServer();

const TASK =
  'Implement the export: first the schema, then the endpoint, then tests and docs, and then migrate all callers.';
const RULE = 'From now on always run make lint before you commit.';

const settled = async () => {
  await server.stored();
  await server.settled();
};
const sessionOf = async (key: string, id: string) =>
  (await server.request('GET', `/v1/sessions/${id}`, { key })).body;
const lessonsOf = async (key: string) =>
  (await server.request('GET', '/v1/learnings', { key })).body.learnings;
const plansOf = async (key: string) => (await server.request('GET', '/v1/plans', { key })).body.plans;

describe('what no person typed', () => {
  test.each(tableOf('speakers'))('but %s makes no plan, title, turn or lesson', async (_, wrapped = '') => {
    const { key } = await server.member();
    const session = await startedSession(server, { key });
    for (const text of [TASK, RULE])
      expect(contextOf(await session.prompt(wrapped.replace('TEXT', text)))).toBe('');
    await session.stop('Done.');
    await settled();
    const row = await sessionOf(key, session.session_id);
    expect(row).toMatchObject({ shortTitle: null, taskType: null, turns: [] });
    expect(await lessonsOf(key)).toEqual([]);
    expect(await plansOf(key)).toEqual([]);
  });

  test('leaves what a person typed below it', async () => {
    const { key } = await server.member();
    const session = await startedSession(server, { key });
    await session.prompt(
      `<task-notification>\n<task-id>b1</task-id>\n<status>completed</status>\n</task-notification>\n${RULE}`,
    );
    await session.stop('I will.');
    await settled();
    const row = await sessionOf(key, session.session_id);
    expect(JSON.stringify(row)).not.toContain('task-notification');
    expect(row.turns.map(({ prompt }: { prompt: string }) => prompt)).toEqual([RULE]);
    expect(row.shortTitle).toMatch(/make lint/);
    const [stored] = await server.rows(
      `select payload #>> '{lore,whole}' as whole, payload #>> '{lore,by}' as by from events
       where event = 'UserPromptSubmit' and payload ->> 'session_id' = '${session.session_id}'`,
    );
    expect(stored).toEqual({ whole: expect.stringContaining('<task-id>b1</task-id>'), by: null });
  });
});
