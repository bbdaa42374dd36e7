import { describe, expect, test } from 'vitest';
import { bash, project, ruleOf } from '../learnings/guards/support.ts';
import { runLore } from '../support/process.ts';
import { sharedServer } from '../support/server.ts';

// What is told of a session whose calls Lore stopped: everywhere the same.

const server = await sharedServer({ model: false });

const NPM = ruleOf({ kind: 'command', program: 'npm' }, [[bash('npm install x')], [bash('pnpm add x')]]);
const SAID = 'Use pnpm in this repo, never npm';

/** A person with a rule, and a session in which all of two calls are stopped: by that rule, and by one of Lore's. */
async function stopped() {
  const { key } = await server.member();
  const { rule, session } = project(server, key);
  const { lessonId } = await rule(SAID, NPM);
  const work = await session('main');
  await work.prompt('publish the package of the shop');
  for (const command of ['npm publish', 'git push --force origin main'])
    expect((await work.call(bash(command))).decision).toBe('deny');
  const ask = async (method: string, path: string, body?: object) =>
    (await server.request(method, path, { key, body })).body;
  const get = (path: string) => ask('GET', path);
  const lore = async (...args: string[]) =>
    (await runLore(args, { env: { LORE_URL: server.url, LORE_KEY: key } })).stdout;
  const end = async (said: string) => {
    await work.stop(said);
    await work.end();
    await server.settled();
  };
  const whole = () => get(`/v1/sessions/${work.session_id}`);
  return { lessonId, work, ask, get, lore, end, whole };
}

describe('a session whose calls were all stopped', () => {
  test('is neither done nor failed, and met no error, whoever is asked', async () => {
    const { lessonId, work, ask, get, end, whole, lore } = await stopped();
    await end('I was not allowed to publish it.');
    const found = await whole();
    expect(found).toMatchObject({ status: 'stopped', errorsEncountered: 0, callsStopped: 2, toolsUsed: {} });
    expect(found.stopped).toMatchObject([
      { command: 'npm publish', decision: 'deny', source: 'guard', lessonId, rule: null },
      { command: 'git push --force origin main', source: 'policy', lessonId: null, rule: 'git.force-push' },
    ]);
    expect(found.stopped[0].reason).toContain(SAID);
    for (const { code, command } of found.stopped) {
      const { checks } = await get(`/v1/commands/checks?code=${code}`);
      expect(checks).toMatchObject([{ code, command }]);
    }
    expect((await get(`/v1/incidents?session=${work.session_id}`)).incidents).toEqual([]);
    const search = await ask('POST', '/v1/search', { query: 'git push force', kinds: ['error'] });
    expect(search.results).toEqual([]);
    const { episodes } = await get(`/v1/episodes?session=${work.session_id}`);
    expect(episodes).toMatchObject([{ outcome: 'stopped', error: null }]);
    const { steps } = await get(`/v1/episodes/${episodes[0].id}`);
    expect(steps).toMatchObject([
      { ok: null, stopped: true },
      { ok: null, stopped: true },
    ]);
    const { sessions } = await get('/v1/sessions?status=stopped');
    expect(sessions).toMatchObject([{ id: found.id, callsStopped: 2, errorsEncountered: 0 }]);
    expect((await get('/v1/sessions?status=completed')).sessions).toEqual([]);
    const { today } = await get('/v1/dashboard');
    expect(today).toMatchObject({ stopped: 2, errors: 0 });

    expect(await lore('sessions')).toMatch(/ stopped /);
    const shown = await lore('sessions', 'show', found.id);
    expect(shown).toMatch(/status +stopped\n/);
    expect(shown).toMatch(/calls stopped +2\n/);
    expect(shown).toMatch(/stopped +code \w+, command npm publish,.*never npm/);
    expect(shown).toMatch(/errors encountered +0\n/);
  });
});

test('a session with a real error and a stopped call tells them apart', async () => {
  const { work, get, end, whole } = await stopped();
  await work.bashFails('make publish', 'Exit code 2\nmake: *** No rule to make target publish.  Stop.');
  await end('There is no such target.');
  const found = await whole();
  expect(found).toMatchObject({ status: 'failed', errorsEncountered: 1, callsStopped: 2 });
  const { incidents } = await get(`/v1/incidents?session=${work.session_id}`);
  expect(incidents).toMatchObject([{ target: 'make publish' }]);
});
