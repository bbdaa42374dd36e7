import { expect, test, vi } from 'vitest';
import { hookSession } from '../support/hook-session.ts';
import { runLore } from '../support/process.ts';
import { startTestServer } from '../support/server.ts';

// starting processes takes long on a busy machine
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const server = await startTestServer({ LORE_MODEL_DIR: '' });
const env = { LORE_HOME: server.home, LORE_URL: server.url };
const lore = (...args: string[]) => runLore(args, { env });
const post = async (path: string, body: object) =>
  (await server.request('POST', path, { key: server.key, body })).body;

test('search finds by id what is cited and a session, and a plan is shown by the beginning of its id', async () => {
  const note = await post('/v1/notes', { project: 'mill', content: 'The heron nests at the weir' });
  const plan = await post('/v1/plans', { project: 'mill', goal: 'Mend the weir', steps: [] });
  const session = hookSession(server, { key: server.key, cwd: '/work/mill' });
  await session.start();
  await session.prompt('Look after the sluice');
  await server.settled();
  const [{ id }] = await server.rows(
    `select id from sessions where client_session_id = '${session.session_id}'`,
  );
  const kinds = async (query: string) =>
    (await post('/v1/search', { query })).results.map(({ kind, id }: { kind: string; id: string }) => [
      kind,
      id,
    ]);
  for (const named of [`lore:${note.id.slice(0, 8)}`, note.id.slice(0, 8), `lore:${note.id}`])
    expect(await kinds(named)).toEqual([['note', note.id]]);
  for (const named of [id.slice(0, 8), session.session_id.slice(0, 8), session.session_id])
    expect((await kinds(named))[0]).toEqual(['session', id]);
  expect(await kinds('lore:00000000')).toEqual([]);
  expect((await lore('search', note.id.slice(0, 8))).stdout).toContain(`note ${note.id.slice(0, 8)}`);
  expect((await lore('plan', 'show', plan.id.slice(0, 8))).stdout).toContain('Mend the weir');
});

test('a session is found by the beginning of either id, with its errors', async () => {
  const session = hookSession(server, { key: server.key, cwd: '/work/sluice' });
  await session.start();
  await session.prompt('Build the gates');
  await session.bashFails('make gates', 'Exit code 2\nerror: lock 7 has no gate');
  await session.bashFails('make sills', 'Exit code 2\nerror: sill 3 is under water');
  await session.edit('/work/sluice/sills', 'low', 'high');
  await session.bashWorks('make sills', 'done');
  await session.stop('The sill is higher now.');
  await server.settled();
  const [{ id }] = await server.rows(
    `select id from sessions where client_session_id = '${session.session_id}'`,
  );
  const shown = await lore('sessions', 'show', session.session_id.slice(0, 8));
  expect((await lore('sessions', 'show', id.slice(0, 8))).stdout).toBe(shown.stdout);
  expect(shown.stdout).toMatch(/^ {2}errors +2$/m);
  expect(shown.stdout).toMatch(/^ {4}[0-9a-f]{8} .*lock 7 has no gate.*\(not solved yet\)$/m);
  expect(shown.stdout).toMatch(/^ {4}[0-9a-f]{8} .*sill 3 is under water.*\(solved\)$/m);
  // by the clock of this machine, as elsewhere
  const at = new Date((await post('/v1/search', { query: id })).results[0].validFrom);
  expect(shown.stdout).toMatch(
    new RegExp(`^ {2}when +\\d{4}-\\d\\d-\\d\\d ${String(at.getHours()).padStart(2, '0')}:`, 'm'),
  );
  const none = await lore('sessions', 'show', '00000000');
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('Session not found')]);
});
