import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { contextOf, hookSession, startedSession } from '../support/hook-session.ts';
import { sharedServer } from '../support/server.ts';

const server = await sharedServer();

const search = async (key: string, query: string, more: object = {}) =>
  (await server.request('POST', '/v1/search', { key, body: { query, ...more } })).body.results;

describe('the turns of a session', () => {
  test('are found by search, redacted, and never offered', async () => {
    const { key } = await server.member();
    const cwd = `/home/dev/${randomUUID()}`;
    const session = await startedSession(server, { key, cwd, branch: 'main' });
    await session.prompt('Why does the pelican importer drop rows?');
    await session.stop(`Because of the batch size; ghp_${'a1B2'.repeat(9)} was in the log.`);
    await session.prompt('And the heron exporter?');
    await session.stop('It keeps them all.');
    await server.stored();
    await server.settled();
    const [first, ...rest] = await search(key, 'pelican importer rows', {
      project: cwd,
      kinds: ['conversation'],
    });
    expect(first).toMatchObject({
      kind: 'conversation',
      metadata: {
        sessionId: session.session_id,
        branch: 'main',
        project: cwd,
        prompt: 'Why does the pelican importer drop rows?',
        answer: expect.stringContaining('the batch size'),
      },
    });
    expect(first.content).not.toContain('a1B2');
    expect(rest).toEqual([]);
    expect((await search(key, 'heron exporter'))[0].kind).toBe('conversation');
    expect(await search(key, 'heron exporter', { kinds: ['note', 'learning'] })).toEqual([]);
    const next = await startedSession(server, { key, cwd, branch: 'main' });
    expect(contextOf(await next.prompt('Why does the pelican importer drop rows?'))).toBe('');
    const { body } = await server.request('GET', `/v1/sessions/${session.session_id}`, { key });
    expect(body.turns.map((turn: { prompt: string; answer: string }) => [turn.prompt, turn.answer])).toEqual([
      ['Why does the pelican importer drop rows?', expect.stringContaining('Because')],
      ['And the heron exporter?', 'It keeps them all.'],
    ]);
  });

  test('are kept once, whoever delivers their events, and of a turn the last answer counts', async () => {
    const { key, userId } = await server.member();
    const session = hookSession(server, { key });
    const prompt = { prompt: 'count the herons', prompt_id: randomUUID() };
    const stop = { prompt_id: prompt.prompt_id, last_assistant_message: 'Ten.', background_tasks: [] };
    for (let n = 0; n < 2; n++) {
      await session.send('UserPromptSubmit', prompt);
      await session.send('Stop', {
        ...stop,
        last_assistant_message: 'I wait.',
        background_tasks: [{ id: 'b' }],
      });
      await session.send('UserPromptSubmit', { prompt: '<task-notification>\ndone\n</task-notification>' });
      await session.send('Stop', stop);
    }
    await session.end();
    const rows = () => server.rows(`select prompt, said from turns where user_id = '${userId}'`);
    expect(await rows()).toEqual([{ prompt: 'count the herons', said: 'Ten.' }]);
  });
});
