import { expect, test, vi } from 'vitest';
import { bash, project, ruleOf } from '../guards/support.ts';
import { runLore, temporaryFolder } from '../support/process.ts';
import { startTestServer } from '../support/server.ts';

// starting processes takes long on a busy machine
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const server = await startTestServer({ LORE_MODEL_DIR: '' });
const env = { LORE_HOME: server.home, LORE_URL: server.url };
const lore = (...args: string[]) => runLore(args, { env });

test('a rule is shown with the sessions that were told it and the calls that it stopped, and ends', async () => {
  const { cwd, rule, session } = project(server, server.key, temporaryFolder());
  const data = ruleOf({ kind: 'command', program: 'git push' }, [
    [bash('git push origin main')],
    [bash('git status')],
  ]);
  const { lessonId } = await rule('Never push to main', data);
  for (let i = 0; i < 2; i++) {
    const work = await session();
    await work.prompt('Bring it to main');
    await work.call(bash('git push origin main'));
    await work.start();
  }
  await server.settled();
  const { inSessions } = (await server.request('GET', `/v1/learnings/${lessonId}`, { key: server.key })).body;
  expect(inSessions.told).toBe(2);
  const short = lessonId.slice(0, 8);
  const shown = (await lore('lessons', 'show', short)).stdout;
  expect(shown).toMatch(/^ {2}told +in 2 sessions$/m);
  expect(shown).toMatch(/^ {2}guard +.*acted: 2 times, last just now$/m);
  expect(shown.match(/^ +session [0-9a-f]{8}, just now$/gm)).toHaveLength(2);
  expect(shown).not.toMatch(/null|not settled|T\d\d:\d\d/);
  expect(shown.match(/^ {2}applies/gm)).toBeNull();
  expect((await lore('guards')).stdout).toContain('2 times, last just now');

  const listed = async (...args: string[]) =>
    (await lore('lessons', ...args)).stdout.split('\n').find((line) => line.includes(short)) ?? '';
  const cells = (await listed('-p', cwd)).split('│').map((cell) => cell.trim());
  expect(cells).toEqual(expect.arrayContaining(['active', 'Never push to main']));
  expect((await lore('lessons', 'retire', short)).code).toBe(0);
  expect(await listed('-s', 'ended')).toMatch(/│ ended +│/);
  expect((await lore('lessons', 'show', short)).stdout).toMatch(/^ {2}status +ended just now$/m);
});

test('what a person states is active at once; what there is not is called by its name', async () => {
  const added = await lore('lessons', 'add', '-p', '/work/weir', 'Always run npm run lint before a commit');
  expect(added.stdout).toMatch(/^stored [0-9a-f]{8}: active\n$/);
  const none = await lore('lessons', 'show', '00000000');
  expect(none.stderr).toBe('lore: Lesson not found. You have no lesson 00000000.\n');
  const slip = await lore('lessons', 'add', '-p', 'wier', 'Always run npm run lint before a commit');
  expect([slip.code, slip.stderr]).toEqual([1, expect.stringContaining('There is no project “wier”')]);
});
