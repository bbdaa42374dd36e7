import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../src/base/config.ts';
import { asUser } from '../../src/db/as-user.ts';
import { type Database, query } from '../../src/db/open.ts';
import { noEmbedder } from '../../src/search/database-model.ts';
import { startServer } from '../../src/server/compose.ts';
import { temporaryFolder } from '../support/left-behind.ts';
import { testDatabase } from '../support/server.ts';

// The database hangs in a transaction that does not end, or is dead because the thread of the embedded engine was ended.

const owner = { userId: '00000000-0000-4000-8000-000000000000', role: 'owner' as const };
const EMBEDDED = process.env.TEST_DATABASE_URL === undefined;

/** Starts a server. Its database answers until `away` works, and while it does. */
async function start(env: Record<string, string> = {}) {
  const database = await testDatabase();
  const config = readConfig({
    ...{ LORE_HOME: temporaryFolder(), LORE_PORT: '0', LORE_LOG_LEVEL: 'silent' },
    ...(database.url && { DATABASE_URL: database.url }),
    ...env,
  });
  let db = null as unknown as Database;
  const server = await startServer(config, {
    openDatabase: async () => {
      db = await database.open();
      return db;
    },
    embedder: noEmbedder('not here'),
  });
  const post = async (path: string, body: unknown, key = server.key) => {
    const response = await fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails if it is missing
    return { status: response.status, body: (await response.json()) as any };
  };
  const cwd = '/home/dev/away';
  let calls = 0;
  const check = (command: string, key?: string) => post('/v1/commands/check', { command, cwd }, key);
  const hook = (command: string, key?: string) => {
    const call = { tool_name: 'Bash', tool_input: { command }, tool_use_id: `away_${calls++}` };
    return post('/v1/hooks', { hook_event_name: 'PreToolUse', session_id: 'away', cwd, ...call }, key);
  };

  const aways: Record<string, (work: () => Promise<void>) => Promise<void>> = {
    async hanging(work) {
      let release = () => {};
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      let begun = false;
      const held = asUser(db, owner, async (tx) => {
        await query(tx, sql`select 1`);
        begun = true;
        await released;
      });
      await expect.poll(() => begun).toBe(true);
      await work().finally(release);
      await held;
    },
    // the thread has ended, and finds no database to open again
    async dead(work) {
      const folder = join(database.home, 'pgdata');
      const slow = asUser(db, owner, async (tx) => {
        await query(tx, sql`select 1`);
        renameSync(folder, `${folder}.away`);
        writeFileSync(folder, '');
        await db.single(tx, 'select pg_sleep(60)', 50);
      });
      await expect(slow).rejects.toMatchObject({ code: '57014' });
      await work().finally(() => {
        rmSync(folder);
        renameSync(`${folder}.away`, folder);
      });
    },
  };
  /** Returns what both ways of asking decide. */
  const decisions = async (command: string) => {
    const [{ body: checked }, { body: hooked }] = await Promise.all([check(command), hook(command)]);
    return [checked.decision, hooked.hookSpecificOutput?.permissionDecision];
  };
  return { server, post, check, hook, decisions, aways };
}

// a transaction that does not end holds up the embedded engine only
describe.runIf(EMBEDDED).each(['hanging', 'dead'])('with the database %s', (name) => {
  test.each<Record<string, string>>([{}, { LORE_JOURNAL: 'off' }])(
    'rules answer, and a key not seen before cannot be verified: %j',
    { timeout: 30_000 },
    async (env) => {
      const { server, post, check, hook, decisions, aways } = await start(env);
      // the server's own key is known then, the new one is not
      const unseen = (await post('/v1/users', { name: 'ann' })).body.key;
      await aways[name]?.(async () => {
        expect(await decisions('rm -rf /')).toEqual(['deny', 'deny']);
        expect(await decisions('git status')).toEqual(['allow', 'allow']);
        expect((await check('frobnicate')).body.decision).toBe('ask');
        for (const { status, body } of [await check('ls', unseen), await hook('ls', unseen)])
          expect([status, body.title]).toEqual([503, 'Key cannot be verified']);
      });
      await server.stop();
    },
  );

  test('what only the database could allow is denied when the server fails closed', {
    timeout: 30_000,
  }, async () => {
    const { server, post, check, decisions, aways } = await start({ LORE_FAIL_MODE: 'closed' });
    const { code } = (await check('git reset --hard')).body;
    await post('/v1/commands/overrule', { code, decision: 'allow', once: true });
    await aways[name]?.(async () => {
      for (const command of ['rm -rf /', 'frobnicate', 'git reset --hard'])
        expect(await decisions(command)).toEqual(['deny', 'deny']);
      expect(await decisions('git status')).toEqual(['allow', 'allow']);
    });
    await server.stop();
  });
});
