import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { Hono } from 'hono';
import { expect, test, vi } from 'vitest';
import { openDatabase, query } from '../../src/db/open.ts';
import type { Env } from '../../src/http/env.ts';
import { onError } from '../../src/http/errors.ts';
import { createLog } from '../../src/log.ts';
import { embedded } from '../support/needs.ts';
import { preparedHome, runLore, startHere } from '../support/process.ts';

vi.setConfig({ testTimeout: 120_000 });

const KEY = `an-owner-key-for-tests-${'d'.repeat(20)}`;

embedded.test('rows that are gone are told of, and an index that lost its file is made anew', async () => {
  const env = { ...(await preparedHome()), LORE_KEY: KEY };
  const running = async (
    work: (ask: (path: string, body?: unknown) => Promise<Response>) => Promise<void>,
  ) => {
    const server = await startHere(env);
    const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
    try {
      await work((path, body) =>
        fetch(`${server.url}${path}`, {
          headers,
          ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
        }),
      );
    } finally {
      server.kill('SIGTERM');
      await server.finished;
    }
  };
  await running(async (ask) => {
    const notes = Array.from({ length: 5 }, (_, n) => ({ project: 'app', content: `the port is 404${n}` }));
    expect((await ask('/v1/notes', notes)).status).toBe(201);
  });

  const db = await openDatabase({ home: env.LORE_HOME, databaseUrl: undefined });
  const [index] = await query<{ path: string }>(
    db.drizzle,
    sql`select pg_relation_filepath('search_documents_part') as path`,
  );
  const [checked] = await query<{ checked: string }>(
    db.drizzle,
    sql`select current_setting('data_checksums') as checked`,
  );
  expect(checked).toEqual({ checked: 'on' });
  await query(db.drizzle, sql`delete from notes where content in ('the port is 4040', 'the port is 4041')`);
  await db.close();
  truncateSync(join(env.LORE_HOME, 'pgdata', index?.path ?? ''), 0);

  await running(async (ask) => {
    const health = (await (await ask('/health')).json()) as object;
    expect(health).toMatchObject({
      status: 'degraded',
      database: { ok: true, loss: expect.stringContaining('notes has 3 rows, and had 5') },
    });
    const found = await ask('/v1/search', { query: 'port 4043', project: 'app' });
    expect([found.status, ((await found.json()) as { results: [] }).results.length]).toEqual([200, 3]);
    expect((await ask('/v1/notes', { project: 'app', content: 'the index takes this' })).status).toBe(201);
    const doctor = await runLore(['doctor'], { env: { ...env, LORE_URL: new URL(found.url).origin } });
    expect(doctor.stdout).toMatch(/PROBLEM database +pglite: notes has 3 rows/);
  });
  // it was told; from then on it is as it is
  await running(async (ask) => {
    const { database } = (await (await ask('/health')).json()) as { database: object };
    expect(database).toEqual({ engine: 'pglite', ok: true });
  });
});

test('what a damaged file answers says what to do', async () => {
  const app = new Hono<Env>();
  app.onError(onError(createLog('silent')));
  app.get('/', () => {
    throw new Error('Failed query', {
      cause: Object.assign(new Error('could not open file'), { code: '58P01' }),
    });
  });
  const answer = await app.request('/');
  expect([answer.status, ((await answer.json()) as { detail: string }).detail]).toEqual([
    503,
    expect.stringContaining('REINDEX DATABASE'),
  ]);
});
