import { describe, expect, test } from 'vitest';
import { contextOf, startedSession } from '../support/hook-session.ts';
import { sharedServer } from '../support/server.ts';

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
  test.each([
    [
      'another agent of the team',
      (text: string) => `<teammate-message teammate_id="lead">\n${text}\n</teammate-message>`,
    ],
    ['an agent', (text: string) => `<agent-message from="helper">\n${text}\n</agent-message>`],
    [
      'another session, below a line of the client',
      (text: string) =>
        `Another session sent a message:\n<cross-session-message from="uds:/tmp/1.sock" from-name="a">\n${text}\n</cross-session-message>`,
    ],
    ['a chat', (text: string) => `<slack-tag-message>\n${text}\n</slack-tag-message>`],
    ['a channel', (text: string) => `<channel source="ci">\n${text}\n</channel>`],
    ['a command of the client', (text: string) => `<local-command-stdout>${text}</local-command-stdout>`],
    [
      'background work',
      (text: string) => `<task-notification>\n<result>${text}</result>\n</task-notification>`,
    ],
    ['an agent, without a tag', (text: string) => `Message from agent "helper": ${text}`],
    ['a hook', (text: string) => `Stop hook feedback:\n- [./check.sh]: ${text}`],
  ])('but %s makes no plan, title, turn or lesson', async (_, wrapped) => {
    const { key } = await server.member();
    const session = await startedSession(server, { key });
    for (const text of [TASK, RULE]) expect(contextOf(await session.prompt(wrapped(text)))).toBe('');
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
