import { describe, expect, test } from 'vitest';
import { hookSession } from '../support/hook-session.ts';
import { sharedServer } from '../support/server.ts';
import { learnings } from './mend.ts';

// Which answers of errors become lessons without anybody who understands them.

const server = await sharedServer({ model: false });

type Session = ReturnType<typeof hookSession>;

/** Plays a session and returns the lessons that came of it. */
async function taught(play: (session: Session) => Promise<unknown>): Promise<string[]> {
  const { key } = await server.member();
  const session = hookSession(server, { key });
  await session.start();
  await session.prompt('do it');
  await play(session);
  await session.stop('Done.');
  await server.settled();
  const found: { lesson: string }[] = await learnings(server, key);
  return found.map(({ lesson }) => lesson);
}

/** Plays one command that fails, what is done then, and the command that passes. */
const answered = (failed: string, error: string, ...worked: string[]) =>
  taught(async (session) => {
    await session.bashFails(failed, `Exit code 1\n${error}`);
    for (const line of worked) await session.bashWorks(line, 'fine');
  });

const NO_FILE = "Error: Cannot find module './rates.json'";
const UNKNOWN = 'error: unknown option --watch-all';

test.each([
  ['an unknown script', 'npm run tset', 'npm error Missing script: "tset"', 'npm run test:unit'],
  ['an unknown command', 'git swich main', "git: 'swich' is not a git command.", 'git switch main'],
  ['an unknown option', 'jest --watch-all a', UNKNOWN, 'jest --watchAll a'],
  [
    'an unknown remote',
    'git push upstream x',
    "fatal: 'upstream' does not appear to be a git repository",
    'git push origin x',
  ],
  [
    'nothing to run',
    'pnpm --filter api test -- --testPathPattern=otp',
    'No tests found, exiting with code 0',
    'cd apps/api && npx jest --testPathPattern="otp"',
  ],
  [
    'a program that is not there',
    'make lint',
    "make: *** No rule to make target 'lint'.  Stop.",
    'just lint',
  ],
])('%s, and another line that passed', async (_, failed, error, worked) => {
  const [lesson, ...more] = await answered(failed, error, worked);
  expect(lesson).toContain(`\`${failed}\` fails here with`);
  expect(lesson).toContain(`: use \`${worked}\` instead.`);
  expect(more).toEqual([]);
});

test.each([
  ['before it', ['npm run gen', 'npm test']],
  ['in the same line', ['npm run gen && npm test']],
])('something missing, and the one script of the project that ran %s', async (_, worked) => {
  expect(await answered('npm test', NO_FILE, ...worked)).toEqual([
    "Before `npm test`, first run `npm run gen`. Otherwise it fails with “Error: Cannot find module './rates.json'”.",
  ]);
});

describe('no lesson comes of', () => {
  test.each([
    [
      'a line that contains the other',
      'mise run lint',
      'error: unknown task lint',
      ['mise run lint && mise run test'],
    ],
    ['a runner around the same command', 'pytest a', 'pytest: command not found', ['uv run pytest a']],
    [
      'another variable, of an error that is no wrong use',
      'npm test',
      'Error: TZ is not set',
      ['TZ=UTC npm test'],
    ],
    ['a red test or lint', 'go vet ./...', 'a.go:1: unreachable code', ['go build ./...', 'go vet ./...']],
    [
      'a line of several commands',
      'npm run tset',
      'npm error Missing script: "tset"',
      ['npm run lint; npm run test:unit'],
    ],
    [
      'something done between',
      'npm run tset',
      'npm error Missing script: "tset"',
      ['git stash', 'npm run test:unit'],
    ],
    [
      'other files',
      'pytest tests/a.py',
      'ERROR: file or directory not found: tests/a.py',
      ['pytest tests/b.py'],
    ],
    ['two scripts', 'npm test', NO_FILE, ['npm run gen', 'npm run seed', 'npm test']],
    ['what is no script of the project', 'npm test', NO_FILE, ['docker compose up -d redis', 'npm test']],
    [
      'a script of which nothing was missing',
      'npm test',
      'Error: 3 tests failed',
      ['npm run gen', 'npm test'],
    ],
    ['the network', 'npm install', 'npm error code ECONNRESET', ['npm install --prefer-offline']],
    [
      'a port',
      'npm run dev',
      'Error: listen EADDRINUSE: address already in use :::3000',
      ['PORT=3001 npm run dev'],
    ],
  ])('%s', async (_, failed, error, worked) => {
    expect(await answered(failed, error, ...worked)).toEqual([]);
  });

  test('a change of a file', async () => {
    const lessons = await taught(async (session) => {
      await session.bashFails('npm test', `Exit code 1\n${NO_FILE}`);
      await session.edit(`${session.cwd}/rates.json`, '{}', '{"dk": 1}');
      await session.bashWorks('npm run gen', 'fine');
      await session.bashWorks('npm test', 'fine');
    });
    expect(lessons).toEqual([]);
  });

  test('a command that Lore denied: that is no error', async () => {
    const { key } = await server.member();
    const session = hookSession(server, { key });
    await session.start();
    const call = {
      tool_name: 'Bash',
      tool_input: { command: 'git push --force' },
      tool_use_id: 'toolu_denied',
    };
    expect((await session.send('PreToolUse', call)).hookSpecificOutput.permissionDecision).toBe('deny');
    await session.bashWorks('git push --force-with-lease origin me', 'ok');
    await session.stop('Pushed with a lease.');
    await session.end();
    await server.settled();
    const { body } = await server.request('GET', `/v1/sessions/${session.session_id}`, { key });
    expect(body.stopped).toMatchObject([{ command: 'git push --force', rule: 'git.force-push' }]);
    expect(body).toMatchObject({ status: 'completed', errorsEncountered: 0 });
    expect(await learnings(server, key)).toEqual([]);
  });
});
