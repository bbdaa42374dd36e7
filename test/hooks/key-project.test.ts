import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { startServer } from '../../src/server/compose.ts';
import { temporaryFolder } from '../support/left-behind.ts';
import { withGit } from '../support/needs.ts';
import { runLore } from '../support/process.ts';
import { noEmbedder, startTestServer, testDatabase } from '../support/server.ts';

withGit.orSkipFile();

const server = await startTestServer({ LORE_MODEL_DIR: '' });
const env = { LORE_HOME: server.home, LORE_URL: server.url, LORE_KEY: server.key };

/** Makes a repository, and attaches it as a person does. Returns it with the key of its hooks. */
async function attached(remote?: string) {
  const dir = realpathSync(temporaryFolder());
  const git = (...args: string[]) => execFileSync('git', ['-C', dir, ...args], { stdio: 'pipe' });
  git('init', '-q');
  if (remote) git('remote', 'add', 'origin', remote);
  const done = await runLore(['init', dir], { env });
  expect(done).toMatchObject({ code: 0 });
  return { dir, git, key: keyIn(dir) };
}
const keyIn = (dir: string): string =>
  JSON.parse(readFileSync(join(dir, '.claude/settings.local.json'), 'utf8')).env.LORE_KEY;

const keyFor = async (project: string): Promise<string> => {
  const body = { name: 'hooks', scope: 'hooks', project };
  return (await server.request('POST', '/v1/keys', { body })).body.key;
};

const send = async (key: string, event: Record<string, unknown>) =>
  server.request('POST', '/v1/hooks', {
    key,
    body: { hook_event_name: 'UserPromptSubmit', session_id: randomUUID(), prompt: 'Say hello.', ...event },
  });
const start = (key: string, session: string, cwd: string, lore: object) =>
  send(key, {
    hook_event_name: 'SessionStart',
    source: 'startup',
    session_id: session,
    cwd,
    prompt: null,
    lore,
  });
const projectsOf = (session: string) =>
  server.rows(
    `select p.name from sessions s join projects p on p.id = s.project_id where s.client_session_id = '${session}'`,
  );

describe('the key that lore init writes', () => {
  test('is for its project, its subfolders and its work trees', async () => {
    const name = `example.org/acme/${randomUUID()}`;
    const { dir, key } = await attached(`https://${name}.git`);
    const listed = await runLore(['--json', 'keys'], { env });
    expect(listed.stdout).toContain(name);
    const session = randomUUID();
    const lore = { root: dir, repo: name, branch: 'main', deliveryId: randomUUID() };
    expect((await start(key, session, dir, lore)).status).toBe(200);
    expect((await send(key, { session_id: session, cwd: dir })).status).toBe(200);
    // a session may go anywhere and stays the same session
    expect((await send(key, { session_id: session, cwd: '/tmp' })).status).toBe(200);
    expect((await start(key, randomUUID(), `${dir}/web`, lore)).status).toBe(200);
    const linked = { ...lore, root: `${dir}-linked`, deliveryId: randomUUID() };
    expect((await start(key, randomUUID(), linked.root, linked)).status).toBe(200);
    // a server that forgot the start knows the folder
    expect((await send(key, { cwd: `${dir}/web` })).status).toBe(200);
    expect(await projectsOf(session)).toEqual([{ name }]);
  });

  test('says nothing in another project, by whichever field', async () => {
    const name = `example.org/acme/${randomUUID()}`;
    const mine = { dir: `/home/dev/${randomUUID()}`, key: await keyFor(`example.org/acme/${randomUUID()}`) };
    const other = { dir: `/home/dev/${randomUUID()}`, key: await keyFor(name) };
    const living = randomUUID();
    const lore = { root: other.dir, repo: name, branch: 'main' };
    expect((await start(other.key, living, other.dir, { ...lore, deliveryId: randomUUID() })).status).toBe(
      200,
    );
    await server.stored();
    const before = await server.rows('select count(*)::int as n from events');
    const session_id = randomUUID();
    for (const event of [
      { session_id: living, cwd: mine.dir },
      { session_id, cwd: other.dir },
      { session_id, cwd: mine.dir, lore: { root: other.dir } },
      { session_id, cwd: mine.dir, lore: { root: mine.dir, repo: name } },
      { session_id, cwd: '/home/dev/nowhere' },
      { session_id },
    ]) {
      const answer = await send(mine.key, event);
      expect(answer.status, JSON.stringify(event)).toBe(403);
      expect(answer.body).toMatchObject({
        title: 'Key of another project',
        detail: expect.stringContaining('lore init'),
      });
    }
    await server.stored();
    expect(await server.rows('select count(*)::int as n from events')).toEqual(before);
    expect(await projectsOf(session_id)).toEqual([]);
  });

  test('goes with a folder that gets a remote, and comes from before with lore init', async () => {
    const { dir, git, key } = await attached();
    const session = randomUUID();
    const lore = { root: dir, repo: null, branch: 'main', deliveryId: randomUUID() };
    expect((await start(key, session, dir, lore)).status).toBe(200);
    const name = `example.org/acme/${randomUUID()}`;
    git('remote', 'add', 'origin', `https://${name}.git`);
    const now = { ...lore, repo: name, deliveryId: randomUUID() };
    expect((await start(key, randomUUID(), dir, now)).status).toBe(200);
    await server.stored();
    expect(await projectsOf(session)).toEqual([{ name }]);
    expect((await send(key, { session_id: session, cwd: dir })).status).toBe(200);

    const { keys } = (await server.request('GET', '/v1/keys')).body;
    const { id } = keys.find(({ project }: { project: string | null }) => project === name);
    const unbound = await server.request('PATCH', `/v1/keys/${id}`, { body: { project: null } });
    expect(unbound).toMatchObject({ status: 200, body: { project: null } });
    expect((await send(key, { cwd: '/home/dev/anywhere' })).status).toBe(200);
    expect((await runLore(['init', dir], { env })).code).toBe(0);
    expect(keyIn(dir)).toBe(key);
    expect((await send(key, { cwd: '/home/dev/anywhere/else' })).status).toBe(403);
    const rename = await server.request('PATCH', `/v1/keys/${id}`, { key, body: { project: null } });
    expect(rename.status).toBe(403);
  });

  test('works whatever was written before the first session', async () => {
    const name = `example.org/acme/${randomUUID()}`;
    const { dir, key } = await attached(`https://${name}.git`);
    for (const line of [
      ['lessons', 'add', 'Use pnpm here'],
      ['notes', 'add', 'the mock listens on 4010'],
      ['plan', 'make', 'Replace the mock', 'Look at it'],
      ['findings', 'add', 'The mock hangs'],
    ]) {
      const done = await runLore(line, { env, cwd: dir });
      expect(done, done.stderr).toMatchObject({ code: 0 });
    }
    const note = { project: dir, content: 'by its folder' };
    expect((await server.request('POST', '/v1/notes', { body: note })).status).toBe(201);
    const lore = { root: dir, repo: name, branch: 'main', deliveryId: randomUUID() };
    expect((await start(key, randomUUID(), dir, lore)).status).toBe(200);
    const { projects } = (await server.request('GET', '/v1/projects')).body;
    const named = projects.filter((one: { name: string; roots: string[] }) =>
      [one.name, ...one.roots].some((its) => its === name || its === dir),
    );
    expect(named).toMatchObject([{ name }]);
  });

  test('works again after the next start, where something written had switched it off', async () => {
    const name = `example.org/acme/${randomUUID()}`;
    const dir = realpathSync(temporaryFolder());
    execFileSync('git', ['init', '-q', dir]);
    execFileSync('git', ['-C', dir, 'remote', 'add', 'origin', `https://${name}.git`]);
    const database = await testDatabase();
    const config = readConfig({
      LORE_HOME: temporaryFolder(),
      LORE_PORT: '0',
      LORE_LOG_LEVEL: 'silent',
      LORE_CHECK_SENDER: 'off',
      ...(database.url && { DATABASE_URL: database.url }),
    });
    const begin = async () =>
      startServer(config, { openDatabase: database.open, embedder: await noEmbedder() });
    const send = async (to: { url: string }, path: string, key: string, body: object) =>
      (await (
        await fetch(`${to.url}${path}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
      ).json()) as { key: string; results: unknown[] };
    const first = await begin();
    await send(first, '/v1/notes', first.key, { project: dir, content: 'the mock listens on 4010' });
    const { key } = await send(first, '/v1/keys', first.key, {
      name: 'hooks',
      scope: 'hooks',
      project: name,
    });
    const call = {
      session_id: randomUUID(),
      cwd: dir,
      hook_event_name: 'SessionStart',
      source: 'startup',
      lore: { root: dir, repo: name, branch: 'main', deliveryId: randomUUID() },
    };
    expect(await send(first, '/v1/hooks', key, call)).toMatchObject({ status: 403 });
    await first.stop();
    const second = await begin();
    expect(await send(second, '/v1/hooks', key, call)).not.toHaveProperty('status');
    const search = { query: 'where the mock listens', project: name };
    expect((await send(second, '/v1/search', key, search)).results).toHaveLength(1);
    await second.stop();
  });

  test('is for no other kind of key', async () => {
    const body = { name: 'phone', scope: 'device', project: 'shop' };
    expect(await server.request('POST', '/v1/keys', { body })).toMatchObject({ status: 400 });
    const { id } = (await server.request('POST', '/v1/keys', { body: { name: 'phone', scope: 'device' } }))
      .body;
    const bound = await server.request('PATCH', `/v1/keys/${id}`, { body: { project: 'shop' } });
    expect(bound).toMatchObject({ status: 404 });
  });

  test('is told by doctor when it is in the wrong project', async () => {
    const others = `https://example.org/acme/${randomUUID()}.git`;
    await attached(others);
    const one = await attached(`https://example.org/acme/${randomUUID()}.git`);
    one.git('remote', 'set-url', 'origin', others);
    const found = await runLore(['doctor'], { env, cwd: one.dir });
    expect(found.stdout + found.stderr).toContain(
      'nothing of this project is recorded: run npx lore init again',
    );
  });

  test('holds outside of a repository for the folders in it', async () => {
    const dir = join(realpathSync(temporaryFolder()), 'notes');
    mkdirSync(dir);
    expect((await runLore(['init', dir], { env })).code).toBe(0);
    const key = keyIn(dir);
    const session_id = randomUUID();
    expect((await send(key, { session_id, cwd: `${dir}/2026` })).status).toBe(200);
    await server.stored();
    // another server on this database has the session from its rows only
    const body = { name: 'hooks', scope: 'hooks', project: `${dir}/` };
    const again = (await server.request('POST', '/v1/keys', { body })).body.key;
    expect((await send(again, { session_id, cwd: `${dir}/2026` })).status).toBe(200);
    expect((await send(key, { cwd: `${dir}-other` })).status).toBe(403);
  });
});

test('a folder is one project, however its letters are written', async () => {
  const { key } = await server.member();
  const composed = `/home/dev/${randomUUID()}/Café`.normalize('NFC');
  const folder = composed.normalize('NFD');
  const sessions = [composed, folder, folder];
  const ids = [];
  for (const cwd of sessions) {
    const session = randomUUID();
    ids.push(session);
    await start(key, session, cwd, {
      root: ids.length === 3 ? cwd : null,
      repo: null,
      branch: null,
      deliveryId: randomUUID(),
    });
  }
  await server.stored();
  const names = await Promise.all(ids.map(async (id) => (await projectsOf(id))[0]?.name));
  expect(new Set(names)).toEqual(new Set([composed]));
  const { body } = await server.request('GET', `/v1/sessions?project=${encodeURIComponent(folder)}`, { key });
  expect(body.sessions).toHaveLength(3);
});
