import { describe, expect, test } from 'vitest';
import { contextOf, hookSession } from '../../support/hook-session.ts';
import { sharedServer } from '../../support/server.ts';

const server = await sharedServer({ owner: true });

async function person(key?: string) {
  const who = key === undefined ? await server.member() : { key, userId: '' };
  const ask = async (method: string, path: string, body?: unknown) =>
    server.request(method, path, { key: who.key, body });
  const episodes = async (query = '') => {
    await server.settled();
    return (await ask('GET', `/v1/episodes?${query}`)).body.episodes;
  };
  const session = (cwd = '/home/dev/app', branch?: string) =>
    hookSession(server, { key: who.key, cwd, ...(branch !== undefined && { branch }) });
  const whole = async (id: string) => (await ask('GET', `/v1/episodes/${id}`)).body;
  return { ...who, ask, episodes, session, whole };
}

const FAILED =
  'Exit code 1\n FAIL  src/upload.test.ts > retries\n Test Files  1 failed (1)\n      Tests  1 failed | 3 passed (4)';
const PASSED = ' Test Files  1 passed (1)\n      Tests  4 passed (4)';

/** A piece of work that ends well: it fails first, a file is changed, the tests pass. */
async function fixUpload(
  session: ReturnType<typeof hookSession>,
  prompt = 'Fix the flaky upload test, AB#77',
) {
  await session.prompt(prompt);
  await session.bashFails('npx vitest run src/upload.test.ts', FAILED);
  await session.edit(`${session.cwd}/src/upload.ts`, 'retries: 0', 'retries: 3');
  await session.bashWorks('npx vitest run src/upload.test.ts', PASSED);
  await session.stop('The upload client gave up at the first 503, so it retries three times now.');
}

describe('a session is cut', () => {
  test('where a new matter begins, and not at follow-ups or notifications', async () => {
    const { session, episodes, whole } = await person();
    const s = session('/home/dev/app', 'fix/upload');
    await s.start();
    await fixUpload(s);
    await s.prompt('no, use exponential backoff');
    await s.edit('/home/dev/app/src/backoff.ts', 'a', 'b');
    await s.prompt(
      '<task-notification>\n<task-id>b1</task-id>\n<status>completed</status>\n</task-notification>',
    );
    await s.bashWorks('npx vitest run', PASSED);
    await s.stop('Backoff doubles from 200 ms.');
    await s.prompt('Add a CSV export to the orders page of the shop');
    const file_path = '/home/dev/app/src/orders/export.ts';
    await s.works('Write', { file_path, content: 'x' }, { type: 'create' });
    await s.stop('The export is there.');
    await s.prompt('thanks! and what does the flag do?');
    await s.stop('It hides the button.');
    await s.end();
    const found = await episodes();
    expect(found.map((e: { description: string }) => e.description)).toEqual([
      'Add a CSV export to the orders page of the shop',
      'Fix the flaky upload test, AB#77',
    ]);
    const [second, first] = found;
    expect(first).toMatchObject({
      project: '/home/dev/app',
      session: s.session_id,
      type: 'bugfix',
      filesModified: ['src/upload.ts', 'src/backoff.ts'],
      outcome: 'success',
      error: null,
      lastMessage: 'Backoff doubles from 200 ms.',
    });
    expect(second).toMatchObject({ type: 'feature', outcome: 'unknown' });
    expect(second.endedAt).not.toBeNull();
    expect((await whole(first.id)).steps).toEqual([
      {
        action: 'npx vitest run src/upload.test.ts',
        tool: 'Bash',
        targetKind: 'test',
        ok: false,
      },
      { action: 'src/upload.ts', tool: 'Edit', targetKind: null, ok: true },
      {
        action: 'npx vitest run src/upload.test.ts',
        tool: 'Bash',
        targetKind: 'test',
        ok: true,
      },
      { action: 'src/backoff.ts', tool: 'Edit', targetKind: null, ok: true },
      { action: 'npx vitest run', tool: 'Bash', targetKind: 'test', ok: true },
    ]);
  });
});

test('a session that goes on has an episode that goes on, under the same id', async () => {
  const { session, episodes } = await person();
  const s = session();
  await s.start();
  await fixUpload(s);
  const [open] = await episodes();
  expect(open).toMatchObject({ endedAt: null, outcome: 'success' });
  await s.bashFails('npx vitest run', FAILED);
  await s.end();
  const [closed, ...others] = await episodes();
  expect(others).toEqual([]);
  expect(closed).toMatchObject({ id: open.id, outcome: 'error' });
  expect(closed.error).toContain('FAIL');
  expect(closed.endedAt).not.toBeNull();
});

test('the calls of a subagent are part of the episode that it worked for', async () => {
  const { session, episodes } = await person();
  const s = session();
  await s.start();
  await s.prompt('Make the importer faster and keep its tests green');
  const agent = { agent_id: 'a1', agent_type: 'speed-worker' };
  await s.send('SubagentStart', agent);
  const change = { file_path: `${s.cwd}/src/import.ts`, old_string: 'a', new_string: 'b' };
  await s.works('Edit', change, {}, agent);
  // it goes on in the background, while the person asks for something else
  await s.prompt('Translate the welcome mails of the shop into Danish');
  await s.bashWorks('npm test', PASSED, agent);
  await s.send('SubagentStop', { ...agent, last_assistant_message: 'The import runs in one statement now.' });
  await s.stop('Ten times as fast.');
  await s.end();
  const [mails, importer] = await episodes();
  expect(mails).toMatchObject({ lastMessage: 'Ten times as fast.' });
  expect(importer).toMatchObject({
    filesModified: ['src/import.ts'],
    outcome: 'success',
  });
});

const LARGE = `Fix the flaky upload test:
1. Fix the upload client.
2. Add a test of the upload.
3. Write into the docs how uploads are tested.`;

describe('an agent is told', () => {
  test('of work like what a large prompt asks for, once, and not of its own session or another project', async () => {
    const { key, session, episodes } = await person();
    const s = session();
    await s.start();
    await fixUpload(s, LARGE);
    expect(contextOf(await s.prompt(LARGE))).not.toContain('Earlier work');
    await s.end();
    const [, { id }] = await episodes();
    const next = session();
    await next.start();
    const told = contextOf(await next.prompt(LARGE));
    expect(told).toContain(`Earlier work, worked, ${new Date().toISOString().slice(0, 10)}: “Fix the flaky`);
    expect(told).toContain(`; changed src/upload.ts (lore:${id.slice(0, 8)})`);
    expect(contextOf(await next.prompt(`${LARGE} Once more.`))).not.toContain('Earlier work');
    expect(contextOf(await session('/home/dev/other').prompt(LARGE))).not.toContain('Earlier work');
    const small = 'Fix the flaky upload test';
    const wanted = async (level: string, prompt: string) => {
      await server.request('PUT', '/v1/settings', { key, body: { voice: { episode: level } } });
      return contextOf(await session().prompt(prompt));
    };
    expect(await wanted('few', small)).not.toContain('Earlier work');
    expect(await wanted('all', small)).toContain('Earlier work, worked');
    expect(await wanted('none', LARGE)).not.toContain('Earlier work');
  });
});
