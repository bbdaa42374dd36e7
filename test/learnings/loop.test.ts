import { describe, expect, test } from 'vitest';
import { contextOf, hookSession } from '../support/hook-session.ts';
import { sharedServer } from '../support/server.ts';
import { approveAll } from './mend.ts';

const server = await sharedServer();

const ERROR = `Exit code 1
Error: connection pool exhausted: timeout waiting for a free database connection (pool size 2)
    at check (/home/dev/app/check.js:3:9)`;

/** Plays a session in which a command fails, the cause is repaired, and the command passes. */
async function learn(key: string, cwd: string) {
  const a = hookSession(server, { key, cwd });
  await a.start();
  await a.prompt('Make the checks pass');
  await a.bashFails('node check.js', ERROR);
  await a.edit(`${cwd}/config.json`, '"pool": 2', '"pool": 20');
  await a.bashWorks('node check.js', '42 checks passed');
  await a.stop(
    'The connection pool was too small for the parallel workers, so I raised pool to 20 in config.json.',
  );
  await a.end();
  await server.settled();
}

describe('a command that was denied and the one that then passed become a lesson', () => {
  test('which tells the next session before it tries', async () => {
    const { key } = await server.member();
    const cwd = '/home/dev/pushing';
    const a = hookSession(server, { key, cwd });
    await a.start();
    const denied = {
      tool_name: 'Bash',
      tool_input: { command: 'git push --force' },
      tool_use_id: 'toolu_denied',
    };
    expect((await a.send('PreToolUse', denied)).hookSpecificOutput.permissionDecision).toBe('deny');
    await a.send('PreToolUse', denied);
    await a.bashWorks('git push --force-with-lease origin me', 'ok');
    await a.stop('Pushed with a lease.');
    await a.end();
    await server.settled();
    const { body } = await server.request('GET', `/v1/sessions/${a.session_id}`, { key });
    expect(body.stopped).toMatchObject([{ command: 'git push --force', rule: 'git.force-push' }]);
    expect(body).toMatchObject({ status: 'completed', errorsEncountered: 0 });
    const b = hookSession(server, { key, cwd });
    await b.start();
    const again = await b.send('PreToolUse', { ...denied, tool_use_id: 'toolu_again' });
    expect(again.hookSpecificOutput.permissionDecision).toBe('deny');
    const [lesson] = (await server.request('GET', '/v1/learnings', { key })).body.learnings;
    expect(lesson.lesson).toContain('git push --force-with-lease');
  });
});

describe('an error and its fix become a lesson', () => {
  test('that reaches the next session at its very error, and by a prompt once it is active', async () => {
    const { key } = await server.member();
    await learn(key, '/home/dev/app');
    const prompt = 'database connections time out when many workers run the check';
    const b = hookSession(server, { key, cwd: '/home/dev/app' });
    // one session saw it, and it may never come again
    expect(contextOf(await b.start())).not.toContain('"pool": 20');
    expect(contextOf(await b.prompt(prompt))).not.toContain('"pool": 20');
    expect(contextOf(await b.bashFails('node check.js', ERROR))).toMatch(/\[not yet proven\] .*"pool": 20/);
    await approveAll(server, key);
    const c = hookSession(server, { key, cwd: '/home/dev/app' });
    expect(contextOf(await c.prompt(prompt))).toContain('"pool": 20');
    expect(contextOf(await c.prompt('rename the logo file to brand.svg'))).toBe('');
  });

  test('that stays with its user, and in its project until another one meets the very same error', async () => {
    const { key } = await server.member();
    await learn(key, '/home/dev/app');
    const other = await server.member();
    for (const session of [
      hookSession(server, { key, cwd: '/home/dev/other' }),
      hookSession(server, { key: other.key, cwd: '/home/dev/app' }),
    ]) {
      expect(contextOf(await session.start())).toBe('');
      expect(contextOf(await session.prompt('database connection pool exhausted in check.js'))).toBe('');
      const atFailure = contextOf(await session.bashFails('node check.js', ERROR));
      expect(atFailure).toBe('');
    }
    // of another project, only what was promoted is told
    await approveAll(server, key);
    const elsewhere = hookSession(server, { key, cwd: '/home/dev/other' });
    expect(contextOf(await elsewhere.bashFails('node check.js', ERROR))).toContain(
      '[the same error in /home/dev/app]',
    );
  });

  test('that answers at once when the same error comes back', async () => {
    const { key } = await server.member();
    await learn(key, '/home/dev/app');
    const b = hookSession(server, { key, cwd: '/home/dev/app' });
    expect(contextOf(await b.bashFails('node check.js', ERROR.replace('size 2', 'size 7')))).toContain(
      'pool',
    );
  });
});
