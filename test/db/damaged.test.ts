import { openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { openDatabase, query } from '../../src/db/open.ts';
import { insisting } from '../support/asking.ts';
import { embedded } from '../support/needs.ts';
import { preparedHome, runLore, startHere } from '../support/process.ts';

embedded.test(
  'a damaged page of the database is named with what to do, by the console and the doctor',
  async () => {
    const LORE_KEY = 'the-key-of-the-owner-of-this-server';
    const env = { ...(await preparedHome()), LORE_KEY, LORE_MODEL_DIR: '' };
    const first = await startHere(env);
    const hook = { session_id: 'damaged', cwd: '/home/dev/damaged', hook_event_name: 'Stop' };
    await insisting(first.url, LORE_KEY)('POST', '/v1/hooks', { ...hook, last_assistant_message: 'Done.' });
    first.kill('SIGTERM');
    await first.finished;

    const db = await openDatabase({ home: env.LORE_HOME, databaseUrl: undefined });
    const [table] = await query<{ path: string }>(
      db.drizzle,
      sql`select pg_relation_filepath('events') as path, pg_catalog.pg_relation_size('events') as size`,
    );
    expect(Number((table as { size?: unknown })?.size)).toBeGreaterThan(0);
    await db.drizzle.execute(sql`checkpoint`);
    await db.close();
    writeSync(
      openSync(join(env.LORE_HOME, 'pgdata', table?.path ?? ''), 'r+'),
      Buffer.alloc(400, 0xff),
      0,
      400,
      0,
    );

    const server = await startHere(env);
    const remedy = /lore export.*lore restore <folder>/;
    const asked = await runLore(['sql', 'select count(event) from events'], {
      env: { ...env, LORE_URL: server.url },
    });
    expect(asked).toMatchObject({ code: 1, stderr: expect.stringMatching(remedy) });
    const doctor = await runLore(['doctor'], { env: { ...env, LORE_URL: server.url } });
    expect(doctor.stdout).toMatch(remedy);
    server.kill('SIGTERM');
    await server.finished;
  },
);
