import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { hookSession } from '../../support/hook-session.ts';
import { temporaryFolder } from '../../support/left-behind.ts';
import { withGit } from '../../support/needs.ts';
import { startTestServer } from '../../support/server.ts';
import { bash, edit, project, ruleOf, write } from './support.ts';

const server = await startTestServer({ LORE_MODEL_DIR: '' });

/** Returns a rule about a program, with a line that breaks it and one that keeps it. */
const about = (program: string, breaks: string, keeps: string, more: object = {}) =>
  ruleOf({ kind: 'command', program, ...more }, [[bash(breaks)], [bash(keeps)]]);
const NPM = about('npm', 'npm install x', 'pnpm add x');

type Work = Awaited<ReturnType<ReturnType<typeof project>['session']>>;
/** What a session is answered before it runs a line. */
const does = async (work: Work, line: string) => (await work.call(bash(line))).decision;

/** A project of somebody new. */
async function play() {
  const { key, userId } = await server.member();
  return { key, userId, ...project(server, key) };
}

describe("a person's rule", () => {
  test('denies what breaks it, every time, in the words of the person, and lets the rest pass', async () => {
    const { key, userId, rule, session } = await play();
    const said = 'Use pnpm in this repo, "never" npm';
    const { lessonId, state } = await rule(said, NPM);
    expect(state).toBe('on');
    const work = await session();
    for (const _ of [1, 2]) {
      const { decision, reason } = await work.call(bash('npm install lodash'));
      expect(decision).toBe('deny');
      expect(reason).toContain(`“${said}” (lore:${lessonId.slice(0, 8)})`);
      expect(reason).toContain('Only a person can lift it: lore allow');
      expect(reason).not.toContain('again');
      expect(reason.length).toBeLessThanOrEqual(300);
    }
    for (const hidden of ['rtk npm install lodash', "script -qc 'npm install lodash' /dev/null"])
      expect((await work.call(bash(hidden))).decision).toBe('deny');
    expect(await does(work, 'pnpm add lodash')).not.toBe('deny');
    await server.request('POST', `/v1/learnings/${lessonId}/retire`, { key });
    await server.settled();
    expect(await does(work, 'npm ci')).not.toBe('deny');
    await server.request('DELETE', `/v1/learnings/${lessonId}`, { key });
    expect(await server.rows(`select id from guards where user_id = '${userId}'`)).toEqual([]);
  });

  test('lets the client ask, or is told with the call once a session, as the person wants it', async () => {
    const { rule, session } = await play();
    const path = ruleOf({ kind: 'path', globs: ['config/licenses.json'] }, [
      [edit('config/licenses.json', 'b')],
      [edit('config/app.json', 'b')],
    ]);
    await rule('Ask me before you touch config/licenses.json', { ...path, then: 'ask' });
    const [broken, kept] = ["import m from 'moment'", "import { format } from 'date-fns'"];
    const content = ruleOf({ kind: 'content', pattern: 'from .moment.' }, [
      [write('src/a.ts', broken)],
      [write('src/a.ts', kept)],
    ]);
    await rule('Moment is banned here, use date-fns', { ...content, then: 'tell' });
    const work = await session();
    const { decision, reason } = await work.call(edit(`${work.cwd}/config/licenses.json`, 'b'));
    expect([decision, reason]).toEqual(['ask', expect.stringContaining('Ask me before you touch')]);
    expect((await work.call(edit(`${work.cwd}/config/app.json`, 'b'))).decision).toBe(null);
    const call = write(`${work.cwd}/src/date.ts`, broken);
    const first = await work.call(call);
    expect(first.decision).toBe(null);
    expect(first.told).toContain('A person said: “Moment is banned here, use date-fns”');
    expect((await work.call(call)).told).not.toContain('Moment is banned');
    expect((await (await session()).call(call)).told).toContain('Moment is banned');
  });

  test('does not outrank a rule for safety, and beats what that allows', async () => {
    const { rule, session } = await play();
    const forced = about('git push', 'git push --force', 'git push', { args: ['--force'] });
    await rule('Never use git push --force in this repo', forced);
    await rule('Never list files with `ls` in this repo', about('ls', 'ls', 'tree'));
    const work = await session();
    // the verdict on a forced push says what to do instead
    expect((await work.call(bash('git push --force origin main'))).reason).toContain('Instead');
    expect((await work.call(bash('ls src'))).reason).toContain('Never list files with `ls` in this repo');
  });
});

describe('a rule', () => {
  const COMMIT = 'git commit -m x';
  const LINT = {
    ...about('git commit', COMMIT, `make lint && ${COMMIT}`),
    unless: { program: 'make lint' },
  };

  test('that wants something first does not stop who has just obeyed it, until a file is changed', async () => {
    const { rule, session } = await play();
    await rule('Always run make lint before you commit', LINT);
    const work = await session();
    const commits = async () => (await does(work, COMMIT)) !== 'deny';
    expect(await commits()).toBe(false);
    await work.bashFails('make lint', 'Exit code 2');
    expect(await commits()).toBe(false);
    await work.bashWorks('make lint');
    expect(await commits()).toBe(true);
    await work.edit(`${work.cwd}/src/a.ts`, 'a', 'b');
    expect(await commits()).toBe(false);
  });

  const MAIN = ruleOf({ kind: 'command', program: 'git commit', args: ['main'] }, [
    [bash(COMMIT)],
    [{ ...bash(COMMIT), branch: 'feat/a' }],
  ]);

  test('about a branch knows the one that is checked out', async () => {
    const { rule, session } = await play();
    await rule('Never git commit on the branch main in this repo', MAIN);
    const work = await session('main');
    expect(await does(work, COMMIT)).toBe('deny');
    expect(await does(work, 'git switch -c feat/a && git commit -m x')).not.toBe('deny');
    await work.bashWorks('git switch -c feat/b', "Switched to a new branch 'feat/b'");
    expect(await does(work, COMMIT)).not.toBe('deny');
  });
});

withGit.test('about a branch asks git where the start of the session was not heard', async () => {
  const cwd = temporaryFolder();
  execFileSync('git', ['init', '-q', '-b', 'main'], { cwd });
  const { rule } = project(server, server.key, cwd);
  const main = { kind: 'command' as const, program: 'git commit', args: ['main'] };
  const onBranch = { ...bash('git commit -m x'), branch: 'feat/a' };
  await rule('Never git commit on main', ruleOf(main, [[bash('git commit -m x')], [onBranch]]));
  const { before } = hookSession(server, { key: server.key, cwd });
  expect(await before('git commit -m x')).toMatchObject({ permissionDecision: 'deny' });
});

describe('a guard', () => {
  test('that does not sort its own examples is refused, and says which', async () => {
    const { state, guard } = await play();
    const lessonId = await state('Use pnpm in this repo, never npm');
    const { status, body } = await guard(lessonId, { ...NPM, keeps: [bash('npm ls')] });
    expect([status, body.detail]).toEqual([400, expect.stringContaining('npm ls')]);
  });

  test('about many of the past calls stops nothing and says so, until a person writes it or resumes it', async () => {
    const { key, cwd, guard, session } = await play();
    const work = await session();
    for (let i = 0; i < 20; i++) await work.bashWorks(i % 2 === 0 ? `npm run a${i}` : `node b${i}.js`);
    await server.stored();
    const said = { project: cwd, lesson: 'Use pnpm in this repo, never npm' };
    const { learning, guard: made } = (await server.request('POST', '/v1/learnings', { key, body: said }))
      .body;
    expect(made).toMatchObject({
      state: 'refused',
      reason: expect.stringMatching(
        /^it would stop 10 of the project's last 20 calls.*told and stops nothing; lore guards resume [0-9a-f]{8} /,
      ),
    });
    await server.settled();
    expect(await does(work, 'npm ci')).not.toBe('deny');
    const asked = { project: cwd, cwd, commands: ['npm ci', 'pnpm i'] };
    const { body } = await server.request('POST', '/v1/commands/stops', { key, body: asked });
    expect(body.stops).toEqual([{ decision: 'none', lessonId: learning.id, lesson: said.lesson }, null]);
    expect((await guard(learning.id, NPM)).body).toMatchObject({ state: 'on', reason: null });
    await server.settled();
    expect(await does(work, 'npm ci')).toBe('deny');
  });

  test('is listed, paused, resumed and changed by a person, and counts its hits', async () => {
    const { key, rule, session, cwd } = await play();
    const { id, lessonId } = await rule('Use pnpm in this repo, never npm', NPM);
    const work = await session();
    await work.call(bash('npm ci'));
    await server.stored();
    const { body } = await server.request('GET', `/v1/guards?project=${encodeURIComponent(cwd)}`, { key });
    const listed = { id, lessonId, hits: 1, about: 'stops `npm`', source: 'person', inForce: true };
    expect(body.guards).toEqual([expect.objectContaining(listed)]);
    const change = async (body: unknown) => {
      const answer = await server.request('PATCH', `/v1/guards/${id}`, { key, body });
      await server.settled();
      return answer;
    };
    expect((await change({ state: 'paused' })).body.state).toBe('paused');
    expect(await does(work, 'npm ci')).not.toBe('deny');
    expect((await change({ state: 'on' })).body.state).toBe('on');
    expect(await does(work, 'npm ci')).toBe('deny');
    const wrong = await server.request('PUT', `/v1/guards/${id}`, { key, body: { ...NPM, then: 'shout' } });
    expect([wrong.status, JSON.stringify(wrong.body)]).toEqual([400, expect.stringContaining('then')]);
    // by the mark that the agent is told
    const marked = await server.request('GET', `/v1/guards/lore:${lessonId.slice(0, 8)}`, { key });
    expect(marked.body.id).toBe(id);
  });
});

describe('a call that was stopped', () => {
  test('is listed as held, and a person lifts it for this very call', async () => {
    const { key } = server;
    const { rule, session, cwd } = project(server, key);
    const path = ruleOf({ kind: 'path', globs: ['generated/'] }, [
      [edit('generated/api.ts', 'b')],
      [edit('src/api.ts', 'b')],
    ]);
    const { lessonId } = await rule('Never edit generated/api.ts', path);
    await rule('Use pnpm in this repo, never npm', NPM);
    const work = await session();
    const change = edit(`${work.cwd}/generated/api.ts`, 'export const token = "sk-ant-REDACTED_NOT_A_KEY"');
    expect((await work.call(change)).decision).toBe('deny');
    expect(await does(work, 'npm ci')).toBe('deny');
    await server.stored();
    const held = `/v1/commands/checks?decision=held&project=${encodeURIComponent(cwd)}`;
    const { body } = await server.request('GET', held, { key });
    expect(body.checks).toEqual([
      expect.objectContaining({ command: 'npm ci', tool: null, decision: 'deny', source: 'guard' }),
      expect.objectContaining({
        tool: 'Edit',
        command: expect.stringContaining('generated/api.ts: export const token'),
        source: 'guard',
        lessonId,
        choices: ['once', 'always', 'keep'],
      }),
    ]);
    for (const { code } of body.checks) {
      const allowed = { code, decision: 'allow', once: false };
      await server.request('POST', '/v1/commands/overrule', { key, body: allowed });
    }
    expect((await work.call(change)).decision).toBe(null);
    expect(await does(work, 'npm ci')).toBe('allow');
    expect((await work.call(edit(`${work.cwd}/generated/api.ts`, 'other'))).decision).toBe('deny');
    expect(await does(work, 'npm install')).toBe('deny');
  });
});
