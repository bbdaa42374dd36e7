import { expect, test } from 'vitest';
import { contextOf, hookSession } from '../support/hook-session.ts';
import { sharedServer } from '../support/server.ts';
import { approveAll, ERROR, learn } from './mend.ts';

const server = await sharedServer({ model: false });

let calls = 0;
/** Returns what a new session of the project is told before a call. */
async function toldAt(key: string, command: string): Promise<string> {
  const session = hookSession(server, { key, cwd: '/home/dev/app' });
  await session.start();
  const call = { tool_name: 'Bash', tool_input: { command }, tool_use_id: `toolu_before_${calls++}` };
  return contextOf(await session.send('PreToolUse', call));
}

test('a lesson on trial is told at its error; an active one before its very line too, and before no other', async () => {
  const { key } = await server.member();
  await learn(server, { key });
  expect(await toldAt(key, 'node check.js')).toBe('');
  const session = hookSession(server, { key, cwd: '/home/dev/app' });
  expect(contextOf(await session.bashFails('node check.js', ERROR))).toContain('[not yet proven]');
  await approveAll(server, key);
  expect(await toldAt(key, 'node check.js')).toMatch(/\[HIGH\] .*npm run gen/);
  for (const other of ['node check.js --quiet', 'npm run gen && node check.js', 'node build.js'])
    expect(await toldAt(key, other)).toBe('');
});
