import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { contextOf, hookSession } from '../support/hook-session.ts';
import { runLore } from '../support/process.ts';
import { sharedServer } from '../support/server.ts';

const server = await sharedServer();

const search = async (key: string, query: string, more: object = {}) =>
  (await server.request('POST', '/v1/search', { key, body: { query, ...more } })).body.results;

describe('the turns of a session', () => {
  test('are found by search, redacted, and never offered', async () => {
    const { key } = await server.member();
    const cwd = `/home/dev/${randomUUID()}`;
    const session = hookSession(server, { key, cwd, branch: 'main' });
    await session.start();
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
    expect(rest).toHaveLength(1);
    expect((await search(key, 'heron exporter'))[0].kind).toBe('conversation');
    expect(await search(key, 'heron exporter', { kinds: ['note', 'learning'] })).toEqual([]);
    const next = hookSession(server, { key, cwd, branch: 'main' });
    await next.start();
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

  test('that no Stop ended are kept when the session ends, and long ones are cut', async () => {
    const { key, userId } = await server.member();
    const session = hookSession(server, { key });
    await session.prompt('p'.repeat(4000));
    await session.stop('s'.repeat(4000));
    await session.prompt('q'.repeat(4000));
    await session.end();
    const rows = await server.rows(
      `select length(prompt) as prompt, length(said) as said from turns where user_id = '${userId}' order by started_at`,
    );
    expect(rows).toEqual([
      { prompt: 700, said: 799 },
      { prompt: 1499, said: null },
    ]);
  });

  test('are exported, and imported once', async () => {
    const [ann, bob] = [await server.member(), await server.member()];
    const session = hookSession(server, { key: ann.key });
    await session.prompt('where do the bitterns nest?');
    await session.stop('In the reeds of the bittern module.');
    await server.stored();
    const { body } = await server.request('GET', '/v1/export', { key: ann.key });
    const [turn] = body.records.filter(({ type }: { type: string }) => type === 'turn');
    expect(turn).toMatchObject({ session: session.session_id, prompt: 'where do the bitterns nest?' });
    const restore = () => server.request('POST', '/v1/import', { key: bob.key, body: { records: [turn] } });
    expect((await restore()).body).toMatchObject({ imported: 1, skipped: 0 });
    expect((await restore()).body).toMatchObject({ imported: 0, skipped: 1 });
    expect((await search(bob.key, 'bittern reeds'))[0]).toMatchObject({ kind: 'conversation' });
  });
});

test('lore sessions and lore incidents, with the key that an agent has', async () => {
  const { key } = await server.member();
  const session = hookSession(server, { key, branch: 'main' });
  await session.prompt('please feed the kingfisher');
  await session.bashFails('kingfisher feed', 'Exit code 1\nError: no fish in the bucket');
  await session.stop('There is no fish.');
  await session.end();
  await server.settled();
  const { body } = await server.request('POST', '/v1/keys', { key, body: { name: 'hooks', scope: 'hooks' } });
  const env = { LORE_HOME: server.home, LORE_URL: server.url, LORE_KEY: body.key };
  const lore = async (...args: string[]) => (await runLore(args, { env })).stdout;
  expect(await lore('sessions')).toMatch(/Feed the kingfisher[\s\S]*failed/);
  const [{ id }] = JSON.parse(await lore('--json', 'sessions'));
  const shown = await lore('sessions', 'show', id.slice(0, 8));
  expect(shown).toMatch(/^Feed the kingfisher\n/);
  expect(shown).toContain('please feed the kingfisher\n  There is no fish.');
  expect(await lore('incidents')).toContain('no fish in the');
  expect(await lore('incidents', '-s', 'resolved')).toContain('No resolved errors.');
}, 120_000);
