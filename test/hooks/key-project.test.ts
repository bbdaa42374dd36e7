import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/left-behind.ts';
import { withGit } from '../support/needs.ts';
import { runLore } from '../support/process.ts';
import { sharedServer } from '../support/server.ts';

withGit.orSkipFile();

const server = await sharedServer({ model: false });
const env = { LORE_HOME: temporaryFolder(), LORE_URL: server.url, LORE_KEY: server.key };

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
});
