import { describe, expect, test } from 'vitest';
import { ERROR, incidents, learnings, MESSAGE } from '../learnings/mend.ts';
import { contextOf, hookSession, startedSession } from '../support/hook-session.ts';
import { jsonLines } from '../support/json-lines.ts';
import { sharedServer } from '../support/server.ts';

const server = await sharedServer({ model: false });

const only = async (key: string) => {
  const found = await incidents(server, key);
  expect(found).toHaveLength(1);
  return found[0];
};
const sessionOf = async (key: string, id: string) =>
  (await server.request('GET', `/v1/sessions/${id}`, { key })).body;

/** Plays a command that fails and one that works in a new session, and returns the incident. */
async function afterwards(failing: string, error: string, working: string, ends = false) {
  const { key } = await server.member();
  const session = await startedSession(server, { key, cwd: '/home/dev/app' });
  await session.bashFails(failing, error);
  await session.bashWorks(working);
  if (ends) await session.end();
  await session.rest('Done.');
  return { ...(await only(key)), lessons: await learnings(server, key) };
}

describe('an error opens an incident', () => {
  test('when a call fails: with redacted input, the salient error, its type and a signature', async () => {
    const { key, userId } = await server.member();
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const session = hookSession(server, { key });
    await session.bashFails(
      `GITHUB_TOKEN=${secret} node check.js`,
      `Exit code 1\nchecking 3 files\nTypeError: cannot read token ${secret}\n    at check (/home/dev/app/check.js:3:9)`,
    );
    const incident = await only(key);
    expect(incident).toMatchObject({
      project: session.cwd,
      sessionId: session.session_id,
      agentId: null,
      toolName: 'Bash',
      target: expect.stringMatching(/^GITHUB_TOKEN=\[redacted.*\] node check\.js$/),
      error: expect.stringContaining('TypeError: cannot read token'),
      errorType: 'TypeError',
      status: 'open',
      resolution: null,
      resolvedAt: null,
    });
    expect(incident.error).not.toContain('checking 3 files');
    const [row] = await server.rows(`select input::text as input from incidents where user_id = '${userId}'`);
    expect(row.input).toContain('node check.js');
    expect(row.input).not.toContain(secret);
  });

  test('with the same signature everywhere, and a different one for a different error', async () => {
    const { key } = await server.member();
    const a = hookSession(server, { key, cwd: '/home/dev/app' });
    await a.bashFails('node check.js', ERROR);
    // equal errors of a session are listed once
    await a.bashFails('node check.js', ERROR.replace('size 2', 'size 9'));
    await a.bashFails('node check.js', 'Exit code 1\nSyntaxError: Unexpected token');
    const b = hookSession(server, { key, cwd: '/home/dev/app' });
    await b.bashFails('node check.js', ERROR.replace('size 2', 'size 17').replaceAll('/home/dev', '/srv'));
    const found = await incidents(server, key);
    expect(found).toMatchObject([
      { times: 3, sessionId: b.session_id },
      { times: 1, sessionId: a.session_id },
    ]);
    const [, once] = (await server.request('GET', `/v1/incidents?session=${a.session_id}`, { key })).body
      .incidents;
    expect(once).toMatchObject({ times: 3, signature: found[0].signature });
  });

  test('when the output of a call shows it although the exit code is 0', async () => {
    const { key } = await server.member();
    const session = hookSession(server, { key });
    await session.bashWorks(
      'npm test 2>&1 | tail -20',
      ' FAIL  src/a.test.ts\n Tests  1 failed | 3 passed (4)',
    );
    expect(await only(key)).toMatchObject({ target: 'npm test', status: 'open' });
    await session.bashWorks('npm test', ' Tests  4 passed (4)');
    await session.rest('Done.');
    expect(await only(key)).toMatchObject({ status: 'resolved' });
  });

  test('but not when a person stopped it, when it is an answer, or when errors are only shown', async () => {
    const { key } = await server.member();
    const session = hookSession(server, { key });
    const tool = 'mcp__tracker__create_issue';
    await session.fails(tool, { title: 'x' }, 'Interrupted by the user', { is_interrupt: true });
    await session.bashFails('grep -rn TODO src', 'Exit code 1');
    await session.bashFails('diff a.txt b.txt', 'Exit code 1\n1c1\n< a\n---\n> b');
    await session.bashWorks('cat build.log', 'npm ERR! code ELIFECYCLE\nTests  3 failed (3)');
    expect(await incidents(server, key)).toEqual([]);
    expect((await sessionOf(key, session.session_id)).events).toHaveLength(4);
    await session.fails(tool, { title: 'x' }, 'Error: no project');
    expect(await only(key)).toMatchObject({ toolName: tool, target: '{"title":"x"}' });
  });
});

/** How a line that worked answers the one that failed; null: not at all. */
type Row = { failed: string; error: string; worked: string; kind: 'same' | 'arguments' | 'other' | null };

describe('an incident is resolved', () => {
  test('by the same command, with the edits, the commands that acted, and the last message', async () => {
    const { key } = await server.member();
    const session = hookSession(server, { key });
    await session.bashFails('npm test', ERROR);
    for (const look of ['cat config.json', 'ls -la', 'git diff', 'ps aux | grep node | head -3']) {
      await session.bashWorks(look);
    }
    await session.bashWorks('npm install pg-pool');
    await session.bashWorks('echo POOL=20 > .env');
    await session.edit('/home/dev/app/config.json', '"pool": 2', '"pool": 20');
    await session.bashWorks('npm test');
    await session.rest(MESSAGE);
    expect(await only(key)).toMatchObject({
      status: 'resolved',
      resolution: {
        kind: 'same',
        command: 'npm test',
        edits: [{ file: '/home/dev/app/config.json', before: '"pool": 2', after: '"pool": 20' }],
        commands: ['npm install pg-pool', 'echo POOL=20 > .env'],
        lastMessage: MESSAGE,
      },
    });
  });

  test.each(jsonLines<Row>('test/incidents/answers.jsonl'))('$failed, then $worked: $kind', async (row) => {
    const { failed, error, worked: command, kind } = row;
    const found = await afterwards(failed, error, command, kind === null);
    if (kind === null) expect(found).toMatchObject({ status: 'unresolved', resolution: null });
    else expect(found).toMatchObject({ status: 'resolved', resolution: { command, kind } });
    // which branch it is belongs to the moment
    if (failed === 'git push') expect(found.lessons).toEqual([]);
  });

  test('not by the same command in another session that did nothing about it, nor of another tool', async () => {
    const { key } = await server.member();
    const session = hookSession(server, { key, cwd: '/home/dev/app' });
    await session.bashFails('npm test', ERROR);
    const other = hookSession(server, { key, cwd: '/home/dev/app' });
    await other.bashWorks('npm test');
    await other.rest('Done.');
    await session.works('Read', { file_path: 'npm test' });
    await session.rest('Done.');
    expect(await only(key)).toMatchObject({ status: 'open' });
  });

  test('by another session of the project, with both as provenance', async () => {
    const { key } = await server.member();
    const a = hookSession(server, { key, cwd: '/home/dev/app' });
    await a.bashFails('npm run gen', ERROR);
    await a.end();
    const b = hookSession(server, { key, cwd: '/home/dev/app' });
    await b.bashWorks('npx generator-cli use 7.8.0');
    await b.bashWorks('npm run gen');
    await b.rest('Done.');
    const incident = await only(key);
    const { id } = await sessionOf(key, b.session_id);
    expect(incident).toMatchObject({
      status: 'resolved',
      sessionId: a.session_id,
      resolution: { kind: 'same', commands: ['npx generator-cli use 7.8.0'], sessionId: id },
    });
  });

  test('when its session is resumed after the end', async () => {
    const { key } = await server.member();
    const session = hookSession(server, { key });
    await session.bashFails('npm test', ERROR);
    await session.end();
    expect(await only(key)).toMatchObject({ status: 'unresolved' });
    await session.start('resume');
    await session.bashWorks('npm test');
    await session.rest('Done.');
    expect(await only(key)).toMatchObject({ status: 'resolved' });
    expect(await sessionOf(key, session.session_id)).toMatchObject({ status: 'active', endedAt: null });
  });

  test('by force too, but nothing is learned of that', async () => {
    const { key } = await server.member();
    const session = hookSession(server, { key });
    // around what fails: nothing is learned of that
    await session.bashFails(
      'git commit -m x',
      'Exit code 1\n.husky/pre-commit: lint-staged: command not found',
    );
    await session.bashWorks('git commit --no-verify -m x');
    // the same way, called wrongly
    await session.bashFails('git commit -m y --no-verfy', 'Exit code 129\nerror: unknown option `no-verfy');
    await session.bashWorks('git commit -m y --no-verify');
    await session.rest('Done.');
    expect(await learnings(server, key)).toEqual([]);
  });
});

describe('an open error', () => {
  const LINE = 'set -a; . ./.env.test; set +a; python3 -m pytest -q';
  const MISSING = '/usr/bin/python3: No module named pytest';
  const KEY =
    'Traceback (most recent call last):\n  File "conf.py", line 3, in <module>\nKeyError: \'DATABASE_URL\'';

  /** Plays sessions of one project, one after the other. */
  async function project() {
    const { key } = await server.member();
    const play = async (work: (session: ReturnType<typeof hookSession>) => Promise<unknown>) => {
      const session = hookSession(server, { key, cwd: '/home/dev/app' });
      const told = contextOf(await session.start());
      await work(session);
      await session.finish('Done.');
      return { told, session };
    };
    return { key, play };
  }

  test.each([
    ['with its exit code', LINE, false],
    ['behind a pipe', `${LINE} 2>&1 | tail -5`, true],
  ])('%s is one row, is quoted whole, and closes when its call passes', async (_, line, isLost) => {
    const { key, play } = await project();
    const fails = ({ bashFails, bashWorks }: ReturnType<typeof hookSession>) =>
      isLost ? bashWorks(line, MISSING) : bashFails(line, `Exit code 1\n${MISSING}`);
    for (const n of [1, 2, 3]) {
      await play(async (session) => {
        await fails(session);
        await fails(session);
      });
      expect(await only(key)).toMatchObject({ status: 'unresolved', times: 2 * n });
    }
    const next = await play((session) => session.bashWorks(line, '12 passed in 0.1s'));
    expect(next.told).toContain(`ended with an open error: ${line}: ${MISSING}`);
    expect(await only(key)).toMatchObject({ status: 'resolved', resolution: { command: line } });
    expect((await play(async () => {})).told).toBe('');
    // nobody knows why it passes now
    expect(await learnings(server, key)).toEqual([]);
  });

  test('stays open while its session goes on, and in another work tree', async () => {
    const { key, play } = await project();
    const other = hookSession(server, { key, cwd: '/home/dev/app' });
    await other.bashFails(LINE, `Exit code 1\n${MISSING}`);
    await play((session) => session.bashWorks(LINE, '12 passed in 0.1s'));
    expect(await only(key)).toMatchObject({ status: 'open' });
  });

  test("never carries another error's cure, though one call answered both", async () => {
    const { key, play } = await project();
    const fails = (session: ReturnType<typeof hookSession>, error: string) =>
      session.bashFails(LINE, `Exit code 1\n${error}`);
    await play(async (session) => {
      await fails(session, MISSING);
      await fails(session, KEY);
      await session.bashWorks('pip install pytest', 'ok');
      await session.bashWorks(LINE, '12 passed in 0.1s');
      await session.rest('Done.');
      const error = "KeyError: 'DATABASE_URL' of python3 -m pytest";
      const cure = { error, cause: 'it is unset', do: `run \`${LINE}\``, agent: 'main' };
      const { body } = await server.request('POST', '/v1/proposals', {
        key,
        body: { ...cure, project: session.cwd, session: session.session_id },
      });
      expect(body.state).toBe('proposed');
    });
    await play((session) => fails(session, KEY));
    const { told } = await play((session) => fails(session, MISSING));
    expect(told).toContain('Maybe fixed by');
    const last = await play(async () => {});
    expect(last.told).toContain(MISSING);
    expect(last.told).not.toContain('fixed by');
  });
});
