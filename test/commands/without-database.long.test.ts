import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../src/base/config.ts';
import { asUser } from '../../src/db/as-user.ts';
import { driverOf, type Transaction } from '../../src/db/driver.ts';
import { type Database, openDatabase, query } from '../../src/db/open.ts';
import { startServer } from '../../src/server/compose.ts';
import { asking } from '../support/asking.ts';
import { temporaryFolder } from '../support/left-behind.ts';
import { networkTo } from '../support/network.ts';
import { noEmbedder } from '../support/no-embedder.ts';
import { testDatabase } from '../support/server.ts';

// The embedded engine hangs in a transaction that does not end, or is dead because its thread was ended. PostgreSQL falls silent
// behind a proxy, as behind a network that is gone: no connection ends, and nothing answers.

const owner = { userId: '00000000-0000-4000-8000-000000000000', role: 'owner' as const };
const EMBEDDED = process.env.TEST_DATABASE_URL === undefined;

/** Starts a server. Its database answers until `away` works, and while it does. */
async function start(env: Record<string, string> = {}) {
  const database = await testDatabase();
  const network = database.url === undefined ? null : await networkTo(database.url);
  const config = readConfig({
    ...{ LORE_HOME: temporaryFolder(), LORE_PORT: '0', LORE_LOG_LEVEL: 'silent' },
    ...(network && { DATABASE_URL: network.url }),
    ...env,
  });
  let db = null as unknown as Database;
  const server = await startServer(config, {
    openDatabase: async () => {
      db = await (network ? openDatabase(config) : database.open());
      return db;
    },
    embedder: noEmbedder('not here'),
  });
  const post = (path: string, body: unknown, key = server.key) => asking(server.url, key)('POST', path, body);
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
    async silent(work) {
      if (network) network.state.silent = true;
      await work().finally(() => {
        if (network) network.state.silent = false;
        network?.drop();
      });
    },
    // the thread has ended, and finds no database to open again
    async dead(work) {
      const folder = join(database.home, 'pgdata');
      const slow = asUser(db, owner, async (tx) => {
        await query(tx, sql`select 1`);
        renameSync(folder, `${folder}.away`);
        writeFileSync(folder, '');
        await driverOf<Transaction>(tx).single('select pg_sleep(60)', 50);
      });
      await expect(slow).rejects.toMatchObject({ code: '57014' });
      await work().finally(() => {
        rmSync(folder);
        renameSync(`${folder}.away`, folder);
      });
    },
  };
  const stop = async () => {
    await server.stop();
    network?.close();
  };
  /** Returns what both ways of asking decide. */
  const decisions = async (command: string) => {
    const [{ body: checked }, { body: hooked }] = await Promise.all([check(command), hook(command)]);
    return [checked.decision, hooked.hookSpecificOutput?.permissionDecision];
  };
  return { post, check, hook, decisions, aways, stop };
}

describe.each(EMBEDDED ? ['hanging', 'dead'] : ['silent'])('with the database %s', (name) => {
  test.each<Record<string, string>>([{}, { LORE_JOURNAL: 'off' }])(
    'rules answer, and a key not seen before cannot be verified: %j',
    { timeout: 30_000 },
    async (env) => {
      const { post, check, hook, decisions, aways, stop } = await start(env);
      // the server's own key is known then, the new one is not
      const unseen = (await post('/v1/users', { name: 'ann' })).body.key;
      await aways[name]?.(async () => {
        expect(await decisions('rm -rf /')).toEqual(['deny', 'deny']);
        expect(await decisions('git status')).toEqual(['allow', 'allow']);
        expect((await check('frobnicate')).body.decision).toBe('ask');
        for (const { status, body } of [await check('ls', unseen), await hook('ls', unseen)])
          expect([status, body.title]).toEqual([503, 'Key cannot be verified']);
      });
      await stop();
    },
  );

  test('what only the database could allow is denied when the server fails closed', {
    timeout: 30_000,
  }, async () => {
    const { post, check, decisions, aways, stop } = await start({ LORE_FAIL_MODE: 'closed' });
    const { code } = (await check('git reset --hard')).body;
    await post('/v1/commands/overrule', { code, decision: 'allow', once: true });
    await aways[name]?.(async () => {
      for (const command of ['rm -rf /', 'frobnicate', 'git reset --hard'])
        expect(await decisions(command)).toEqual(['deny', 'deny']);
      expect(await decisions('git status')).toEqual(['allow', 'allow']);
    });
    await stop();
  });
});
