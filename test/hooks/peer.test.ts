import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/left-behind.ts';
import { onLinux } from '../support/needs.ts';
import { startTestServer } from '../support/server.ts';

// A prompt that a process of an agent posts with the key of the hooks, against one that comes from a client of a person.

const server = await startTestServer({ LORE_CHECK_SENDER: 'on' });
const folder = temporaryFolder();
/** a program whose process has the name of the client */
const client = join(folder, 'claude');
symlinkSync(process.execPath, client);
const posts = join(folder, 'post.cjs');
writeFileSync(
  posts,
  `const { request } = require('node:http');
  const [, , url, key, body, padding] = process.argv;
  const headers = { authorization: 'Bearer ' + key, 'content-type': 'application/json' };
  // without a length the request takes the way of the app
  if (!padding) headers['content-length'] = Buffer.byteLength(body);
  request(url, { method: 'POST', headers }, (response) => response.pipe(process.stdout)).end(body);`,
);
const starts = join(folder, 'start.cjs');
writeFileSync(
  starts,
  `require('node:child_process').spawn(process.argv[2], process.argv.slice(3), { stdio: 'inherit' });`,
);

const AGENTS_SHELL = {
  CLAUDECODE: '1',
  AI_AGENT: 'claude-code_2-1-330_agent',
  CLAUDE_CODE_ENTRYPOINT: 'cli',
};
const HOOK = {
  ...AGENTS_SHELL,
  AI_AGENT: 'claude-code_2-1-330_harness',
  CLAUDE_PROJECT_DIR: '/home/dev/shop',
};

/** Runs a command line that nobody but the system's first process is above, whoever runs this test. */
async function run(words: string[], env: Record<string, string>): Promise<string> {
  const args = ['-c', '"$@" & exit 0', 'sh', ...words];
  const child = spawn('/bin/sh', args, {
    env: { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  for await (const piece of child.stdout.setEncoding('utf8')) said += piece;
  return said;
}

/** The words of a command that posts a prompt. */
function post(prompt: string, slow = false) {
  const session = { session_id: randomUUID(), cwd: `/home/dev/${randomUUID()}` };
  const event = { ...session, hook_event_name: 'UserPromptSubmit', prompt, prompt_id: randomUUID() };
  const words = [
    posts,
    `${server.url}/v1/hooks`,
    server.key,
    JSON.stringify(event),
    ...(slow ? ['slow'] : []),
  ];
  return { ...session, words };
}

const stored = async (session: string) => {
  const [row] = await server.rows(
    `select e.payload #>> '{lore,by}' as by, s.short_title as title, s.task_type as type,
       (select count(*)::int from learnings l where l.project_id = s.project_id) as lessons,
       (select count(*)::int from plans p where p.project_id = s.project_id) as plans
     from sessions s join events e on e.session_id = s.id where s.client_session_id = '${session}'`,
  );
  return row;
};

const RULE = 'From now on always run make lint before you commit.';
const TASK =
  'Implement the export: first the schema, then the endpoint, then tests and docs, and then migrate all callers.';

onLinux.describe('a prompt', () => {
  test.each([
    ['from a shell of an agent', [process.execPath], AGENTS_SHELL, false],
    ['the same, if it is not answered on the short way', [process.execPath], AGENTS_SHELL, true],
    [
      'from below a client, without a trace in the environment',
      [client, starts, '/bin/sh', '-c', 'exec env -i "$@"', 'sh', process.execPath],
      {},
      false,
    ],
    [
      'from a client that an agent started',
      [client, starts, '/bin/sh', '-c', '"$@"; true', 'sh', client],
      {},
      false,
    ],
    ['from a client in a shell of an agent', [client], AGENTS_SHELL, false],
  ])('%s is not a person’s', async (_, program, env, slow) => {
    for (const prompt of [RULE, TASK]) {
      const { session_id, words } = post(prompt, slow);
      expect(await run([...program, ...words], env)).toBe('{}');
      await server.stored();
      await server.settled();
      expect(await stored(session_id)).toEqual({
        by: 'agent',
        title: null,
        type: null,
        lessons: 0,
        plans: 0,
      });
    }
  });

  test.each([
    ['from a client', [client], {}],
    ['from a client that another of its own processes started', [client, starts, client], {}],
    ['from any other program of a person', [process.execPath], {}],
    [
      'from a hook that the client runs',
      [client, starts, '/bin/sh', '-c', '"$@"; true', 'sh', process.execPath],
      HOOK,
    ],
  ])('%s is a person’s', async (about, program, env) => {
    // only the client itself has no trace of itself in its environment
    const clean =
      program[0] === client && env === HOOK
        ? [...program.slice(0, 2), 'env', ...assigned(HOOK), ...program.slice(2)]
        : program;
    const { session_id, words } = post(RULE);
    await run([...clean, ...words], env === HOOK ? {} : env);
    await server.stored();
    await server.settled();
    expect(await stored(session_id), about).toMatchObject({
      by: null,
      title: expect.stringContaining('make lint'),
    });
  });
});

const assigned = (env: Record<string, string>) =>
  Object.entries(env).map(([name, value]) => `${name}=${value}`);
