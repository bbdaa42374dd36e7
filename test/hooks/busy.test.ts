import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { asUser } from '../../src/db/as-user.ts';
import { CONNECTIONS, query } from '../../src/db/open.ts';
import { hookSession } from '../support/hook-session.ts';
import { startTestServer } from '../support/server.ts';

const server = await startTestServer({ LORE_MODEL_DIR: '' });
// behind the server's modules, which prepare the schema of events for the API's description
const { storeEntries } = await import('../../src/hooks/store.ts');

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
    const session = hookSession(server, { cwd: '/home/dev/busy' });
    await session.start();
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

const check = async (command: string, cwd: string) =>
  (await server.request('POST', '/v1/commands/check', { body: { command, cwd } })).body;
const overrule = async (code: string, decision: string, once: boolean) =>
  server.request('POST', '/v1/commands/overrule', { body: { code, decision, once } });

describe('a check without an event', () => {
  const cwd = '/home/dev/replayed';
  const stored = async () => {
    const checks = await server.rows<{ at: Date }>(
      `select checked_at as at from command_checks where cwd = '${cwd}' order by id`,
    );
    const verdicts = await server.rows<{ hits: number; expires: Date | null }>(
      `select hit_count as hits, expires_at as expires from command_cache where cwd = '${cwd}'`,
    );
    return { at: checks.map(({ at }) => new Date(at).toISOString()), verdicts };
  };
  /** Has a check go through the journal while the database is busy. Returns its entry. */
  const throughJournal = async (command: string) => {
    const release = await keepBusy();
    await check(command, cwd);
    const entry = JSON.parse(inJournal().trim().split('\n').at(-1) ?? '');
    await release();
    await server.stored();
    return entry;
  };

  test("brings a model's verdict once, which holds for seven days from when it was given", async () => {
    const entry = await throughJournal('unheard-of --of');
    const at = new Date(Date.parse(entry.at) - 86_400_000).toISOString();
    const given = { ...entry.check, decision: 'allow', source: 'model' };
    const judged = { ...entry, id: randomUUID(), at, remember: true, check: given };
    await storeEntries(server.db, [judged]);
    const { verdicts } = await stored();
    expect(new Date(verdicts[0]?.expires ?? 0).getTime()).toBe(Date.parse(at) + 7 * 86_400_000);
    // a person takes it back, and the line is read again
    await server.rows(`delete from command_cache where cwd = '${cwd}'`);
    await storeEntries(server.db, [judged]);
    expect((await stored()).verdicts).toEqual([]);
  });
});

describe("a person's verdict", () => {
  let calls = 0;
  const hook = async (session: ReturnType<typeof hookSession>, command: string) =>
    (await session.send('PreToolUse', bash(command, `verdict_${calls++}`))).hookSpecificOutput
      ?.permissionDecision;

  test('for once is used up by the first request, and the second is judged as before', async () => {
    const session = hookSession(server, { cwd: '/home/dev/once' });
    await session.start();
    const { code } = await check('git status', session.cwd);
    await overrule(code, 'deny', true);
    expect(await hook(session, 'git status')).toBe('deny');
    expect(await hook(session, 'git status')).toBe('allow');
    await overrule(code, 'deny', true);
    expect((await check('git status', session.cwd)).decision).toBe('deny');
    expect(await hook(session, 'git status')).toBe('allow');
  });

  test('for good counts each use once', async () => {
    const session = hookSession(server, { cwd: '/home/dev/lasting' });
    await session.start();
    const { code } = await check('git diff', session.cwd);
    await overrule(code, 'deny', false);
    expect(await hook(session, 'git diff')).toBe('deny');
    expect(await hook(session, 'git diff')).toBe('deny');
    expect(await server.rows(`select hit_count from command_cache where code = '${code}'`)).toEqual([
      { hit_count: 2 },
    ]);
  });
});
