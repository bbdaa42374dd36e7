import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { sql } from 'drizzle-orm';
import { integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import { drizzle } from 'drizzle-orm/pglite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openEmbeddedClient } from '../../src/db/embedded/client.ts';
import { emptyHome } from '../support/server.ts';

// Tests the client of the embedded engine directly; for PostgreSQL postgres.js does this work. `plain` is PGlite
// without Lore's thread.
const client = await openEmbeddedClient(join(emptyHome(), 'pgdata'));
const db = drizzle(client as unknown as PGlite);
const pglite = await PGlite.create(join(emptyHome(), 'pgdata'));
const plain = drizzle(pglite);

const things = pgTable('things', {
  id: integer('id').primaryKey(),
  name: text('name'),
  tags: text('tags').array(),
  data: jsonb('data'),
  at: timestamp('at', { withTimezone: true, mode: 'date' }),
});
const row = {
  id: 1,
  name: 'it’s "quoted" \\ {x,y} 🚀',
  tags: ['a,b', '"c"', '', 'NULL'],
  data: { deep: [1, null, 'ü'], text: 'null' },
  at: new Date('2026-01-31T12:00:00.123Z'),
};
const empty = { id: 2, name: null, tags: null, data: null, at: null };

beforeAll(async () => {
  const statements = `set timezone to 'UTC';
    create table things (id int primary key, name text, tags text[], data jsonb, at timestamptz)`;
  for (const statement of statements.split(';')) await client.query(statement);
  await pglite.exec(statements);
});
afterAll(() => Promise.all([client.close(), pglite.close()]));

describe('a statement has the same result when it is new and when it is prepared', () => {
  test('values of all types are returned as they were sent', async () => {
    await db.transaction(async (tx) => {
      for (const value of [row, empty]) {
        const [inserted] = await tx.insert(things).values(value).returning();
        expect(inserted).toEqual(value);
      }
      for (let i = 0; i < 8; i++) {
        expect(await tx.select().from(things).orderBy(things.id)).toEqual([row, empty]);
      }
    });
  });

  test('raw rows are the same as from PGlite itself', async () => {
    const read = sql`select id, name, tags, data, at, 1.5::float8 as f, true as b, null as n, 2::bigint as big
                     from things where id = any (${sql.param([1, 2])}::int[]) order by id`;
    const write = sql`with w as (update things set name = ${'x'} where id > ${0} returning id) select count(*) from w`;
    for (const statement of [
      read,
      read,
      write,
      sql`update things set name = name`,
      sql`delete from things`,
    ]) {
      const run = (through: typeof db) =>
        through
          .transaction(async (tx) => {
            const { rows, fields } = await tx.execute(statement);
            throw { rows, names: fields.map((field) => field.name) };
          })
          .catch((seen) => seen);
      await plain.insert(things).values([row, empty]).onConflictDoNothing();
      expect(await run(db)).toEqual(await run(plain));
    }
  });
});

test('urgent work goes before all that waits, and work behind the answers goes last', async () => {
  const order: string[] = [];
  const run = (kind: 'urgent' | 'usual' | 'behind', name: string) =>
    client
      .inTurn(kind)
      .query('select 1')
      .then(() => order.push(name));
  await Promise.all([
    run('usual', 'runs already'),
    run('behind', 'goes last'),
    run('usual', 'waits'),
    run('urgent', 'goes first'),
  ]);
  expect(order).toEqual(['runs already', 'goes first', 'waits', 'goes last']);
});

describe('what must never be stored or seen', () => {
  test('when the error of a statement was swallowed, nothing is stored and the caller learns of it', async () => {
    const swallow = db.transaction(async (tx) => {
      await tx.insert(things).values({ ...row, id: 20 });
      await tx.execute(sql`select nonsense`).catch(() => null);
    });
    await expect(swallow).rejects.toThrow('rolled back');
    const first = db.transaction((tx) => tx.execute(sql`select nonsense`).catch(() => 'swallowed'));
    await expect(first).rejects.toThrow('rolled back');
    await db.transaction(async (tx) =>
      expect(await tx.select().from(things).where(sql`id = 20`)).toEqual([]),
    );
  });

  test('uncommitted rows of another transaction are not seen', async () => {
    const one = (id: number, fails: boolean) =>
      db.transaction(async (tx) => {
        const before = await tx.select().from(things).where(sql`id between 30 and 49`);
        await tx.insert(things).values({ ...row, id });
        await new Promise((resolve) => setTimeout(resolve, 2));
        const after = await tx.select().from(things).where(sql`id between 30 and 49`);
        expect(after.length).toBe(before.length + 1);
        if (fails) throw new Error('on purpose');
      });
    const outside = db.execute(sql`select count(*)::int as n from things where id between 30 and 49`);
    const ended = await Promise.allSettled([
      ...Array.from({ length: 20 }, (_, n) => one(30 + n, n % 2 === 1)),
      outside,
    ]);
    expect(ended.filter(({ status }) => status === 'fulfilled').length).toBe(11);
    const { rows } = await db.execute(sql`delete from things where id between 30 and 49 returning id`);
    expect(rows.length).toBe(10);
  });
});

describe('the thread is ended and started again', () => {
  const home = emptyHome();
  const folder = join(home, 'pgdata');
  let kept: Awaited<ReturnType<typeof openEmbeddedClient>>;
  const restarts: string[] = [];
  const numbers = async () => (await kept.query('select n from t order by n')).rows.map(({ n }) => n);
  beforeAll(async () => {
    kept = await openEmbeddedClient(folder, { onRestart: ({ message }) => restarts.push(message) });
    await kept.query('create table t (n int primary key)');
    await kept.query('insert into t values (1)');
  });
  afterAll(() => kept.close());

  test('when a statement exceeds its limit: waiting work goes on, only that transaction is lost', async () => {
    const long = kept.transaction(async (tx) => {
      await tx.query('insert into t values (2)');
      await tx.single('select count(*) from generate_series(1, 1000000000)', 300);
    });
    const waiting = kept.transaction(async (tx) => {
      await tx.query('insert into t values (3)');
      await tx.query('insert into t values (4)');
    });
    const plain = kept.query('insert into t values (5)');
    await expect(long).rejects.toMatchObject({ code: '57014', message: expect.stringContaining('0.3 s') });
    await Promise.all([waiting, plain]);
    expect(await numbers()).toEqual([1, 3, 4, 5]);
    expect(restarts).toEqual([expect.stringContaining('a statement had taken too long')]);
  });

  test('later statements of the lost transaction fail and run nowhere else', async () => {
    const late: Promise<unknown>[] = [];
    await kept
      .transaction(async (tx) => {
        const long = tx.single('select pg_sleep(60)', 200);
        late.push(tx.query('insert into t values (6)').catch((error) => error));
        await long.catch(() => {});
        late.push(tx.query('insert into t values (7)').catch((error) => error));
      })
      .then(null, (error) => late.push(error));
    for (const error of await Promise.all(late)) expect(error).toMatchObject({ code: '57P02' });
    expect(late.length).toBe(3);
    expect(await numbers()).toEqual([1, 3, 4, 5]);
  });

  test('listeners are informed and get notifications again', async () => {
    const heard: string[] = [];
    let connected = 0;
    const stop = await kept.listen('news"x', {
      onNotify: (payload) => heard.push(payload),
      onConnect: () => connected++,
    });
    await kept.query(`select pg_notify('news"x', 'one')`);
    await expect.poll(() => heard).toEqual(['one']);
    expect(connected).toBe(1);
    await expect(kept.transaction((tx) => tx.single('select pg_sleep(60)', 200))).rejects.toThrow();
    await kept.query(`select pg_notify('news"x', 'two')`);
    await expect.poll(() => heard).toEqual(['one', 'two']);
    expect(connected).toBe(2);
    await stop();
    await kept.query(`select pg_notify('news"x', 'three')`);
    await kept.query('select 1');
    expect(heard).toEqual(['one', 'two']);
  });

  test('when it is closed during a statement that does not end', async () => {
    const closing = join(emptyHome(), 'pgdata');
    const own = await openEmbeddedClient(closing);
    await own.query('create table t (n int)');
    await own.query('insert into t values (1)');
    const long = own.transaction(async (tx) => {
      await tx.query('insert into t values (2)');
      await tx.query('select pg_sleep(25)');
    });
    const waiting = own.query('insert into t values (3)');
    const ends = Promise.all([
      expect(long).rejects.toMatchObject({ code: '57P02' }),
      expect(waiting).rejects.toMatchObject({ code: '57P01' }),
    ]);
    await own.close();
    await ends;
    const again = await openEmbeddedClient(closing);
    expect((await again.query('select n from t')).rows).toEqual([{ n: 1 }]);
    await again.close();
    await expect(again.query('select 1')).rejects.toThrow('closed');
  });

  test('when its folder is back, and makes no empty database in the meantime', async () => {
    const moving = join(emptyHome(), 'pgdata');
    const own = await openEmbeddedClient(moving);
    await own.query('create table t (n int)');
    const lost = own.transaction(async (tx) => {
      await tx.query('select pg_sleep(0)'); // it has the files open then that it needs
      renameSync(moving, `${moving}.away`);
      await tx.single('select pg_sleep(60)', 50);
    });
    await expect(lost).rejects.toMatchObject({ code: '57014' });
    await expect(own.query('select 1')).rejects.toMatchObject({
      code: '57P03',
      message: expect.stringContaining(`there is no database in ${moving}`),
    });
    expect(existsSync(moving)).toBe(false);
    renameSync(`${moving}.away`, moving);
    const found = () => own.query('select n from t').then(({ rows }) => rows, String);
    await expect.poll(found).toEqual([]);
    await own.close();
  });
});
