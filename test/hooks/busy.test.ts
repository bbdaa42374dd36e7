import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { asUser } from '../../src/db/as-user.ts';
import { CONNECTIONS, query } from '../../src/db/open.ts';
import { startedSession } from '../support/hook-session.ts';
import { startTestServer } from '../support/server.ts';

const server = await startTestServer({ LORE_MODEL_DIR: '' });

/** Holds every connection of the server to its database. Returns a function that releases them. */
async function keepBusy(): Promise<() => Promise<void>> {
  const { body: me } = await server.request('GET', '/v1/me');
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let begun = 0;
  const hold = (urgent: boolean) =>
    asUser(
      server.db,
      { userId: me.userId, role: 'owner' },
      async (tx) => {
        await query(tx, sql`select 1`);
        begun += 1;
        await held;
      },
      { urgent },
    );
  const { usual, urgent } = server.db.engine === 'pglite' ? { usual: 1, urgent: 0 } : CONNECTIONS;
  const transactions = Array.from({ length: usual + urgent }, (_, n) => hold(n < urgent));
  await expect.poll(() => begun).toBe(transactions.length);
  return async () => {
    release();
    await Promise.all(transactions);
  };
}

const inJournal = () =>
  readdirSync(server.home)
    .filter((name) => name.startsWith('journal-'))
    .map((name) => readFileSync(join(server.home, name), 'utf8'))
    .join('');

const bash = (command: string, id: string) => ({
  tool_name: 'Bash',
  tool_use_id: id,
  tool_input: { command },
});

describe('while nobody can reach the database', () => {
  test('a command gets its verdict, calls are recorded, and no secret is on disk', async () => {
    const session = await startedSession(server, { cwd: '/home/dev/busy' });
    await session.send('PreToolUse', bash('git status', 'warm'));
    const secret = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
    const release = await keepBusy();
    const answers = [
      await session.send('PreToolUse', bash('git status', 'b1')),
      await session.send('PreToolUse', bash('rm -rf /', 'b2')),
      await session.send('PreToolUse', bash('unheard-of --of', 'b3')),
      await session.send('PostToolUse', {
        ...bash(`curl -H "Authorization: token ${secret}" example.org`, 'b4'),
        tool_response: { stdout: secret, stderr: '', interrupted: false },
      }),
      await session.send('Stop', { last_assistant_message: 'done', background_tasks: [] }),
    ];
    const kept = inJournal();
    await release();
    expect(answers.map((answer) => answer.hookSpecificOutput?.permissionDecision)).toEqual([
      'allow',
      'deny',
      undefined,
      undefined,
      undefined,
    ]);
    expect(kept).toContain('"b4"');
    expect(kept).not.toContain(secret);
    const stored = await server.rows(
      `select tool_use_id as id from events where session_id = (
         select id from sessions where client_session_id = '${session.session_id}')
       and tool_use_id like 'b_' order by 1`,
    );
    expect(stored.map(({ id }) => id)).toEqual(['b1', 'b2', 'b3', 'b4']);
    const { body } = await server.request('GET', `/v1/sessions/${session.session_id}`);
    expect(body).toMatchObject({ callsStopped: 1, errorsEncountered: 0 });
  });
});
