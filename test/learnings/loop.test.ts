import { describe, expect, test } from 'vitest';
import { contextOf, hookSession } from '../support/hook-session.ts';
import { sharedServer } from '../support/server.ts';
import { approveAll } from './mend.ts';

const server = await sharedServer();

const ERROR = `Exit code 1
Error: Cannot find module './config.json' (pool size 2)
    at check (/home/dev/app/check.js:3:9)`;

/** Plays a session in which a command fails, the cause is repaired, and the command passes. */
async function learn(key: string, cwd: string) {
  const a = hookSession(server, { key, cwd });
  await a.start();
  await a.prompt('Make the checks pass');
  await a.bashFails('node check.js', ERROR);
  await a.bashWorks('npm run gen', 'written');
  await a.bashWorks('node check.js', '42 checks passed');
  await a.stop('The pool file is not in git, so I generated it.');
  await a.end();
  await server.settled();
}

describe('an error and its fix become a lesson', () => {
  test('that reaches the next session at its very error, and before its line once it is active', async () => {
    const { key } = await server.member();
    await learn(key, '/home/dev/app');
    const b = hookSession(server, { key, cwd: '/home/dev/app' });
    // one session saw it, and it may never come again
    expect(contextOf(await b.start())).not.toContain('npm run gen');
    expect(contextOf(await b.bashFails('node check.js', ERROR))).toMatch(/\[not yet proven\] .*npm run gen/);
    await approveAll(server, key);
    const c = hookSession(server, { key, cwd: '/home/dev/app' });
    const call = { tool_name: 'Bash', tool_input: { command: 'node check.js' }, tool_use_id: 'toolu_c' };
    expect(contextOf(await c.send('PreToolUse', call))).toContain('npm run gen');
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
      expect(contextOf(await session.prompt('cannot find module config.json in check.js'))).toBe('');
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
      'npm run gen',
    );
  });
});
