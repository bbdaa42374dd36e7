import { sql } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { asUser } from '../../src/db/as-user.ts';
import { query } from '../../src/db/open.ts';
import { testDatabase } from '../support/server.ts';

const database = await testDatabase();
const db = await database.open();
afterAll(() => db.close());

test('a statement in plain SQL returns the same rows as Drizzle, inside and outside a transaction', async () => {
  const values = sql`select ${'it’s "quoted" \\ $1'}::text as text, ${null}::text as nothing, ${true}::boolean as yes,
    ${42}::int as number, ${1.5}::float8 as float, ${'{"a": [1, null]}'}::jsonb as json,
    ${sql.param(['a,b', '', '"c"'])}::text[] as list, ${'2026-01-31T12:00:00.123Z'}::timestamptz as at,
    array[now()] is not null as nested, '2026-01-31'::date as day, 2::bigint as big`;
  const read = async (tx: typeof db.drizzle) => {
    const result = (await tx.execute(values)) as unknown as { rows?: unknown[] };
    return [...(result.rows ?? (result as unknown as unknown[]))];
  };
  for (let i = 0; i < 3; i++) {
    const rows = await query(db.drizzle, values);
    expect([...rows]).toEqual(await read(db.drizzle));
    expect(rows[0]).toMatchObject({
      list: ['a,b', '', '"c"'],
      json: { a: [1, null] },
      yes: true,
      number: 42,
    });
    expect(rows[0]?.at).toBe('2026-01-31 12:00:00.123+00');
    const inside = await db.drizzle.transaction(async (tx) => [
      await query(tx, values),
      await read(tx as never),
    ]);
    expect([...(inside[0] as unknown[])]).toEqual(inside[1]);
  }
  const nested = sql`select n from (values (1), (2), (3)) v (n) where n in ${[1, 3]} and ${sql`n > ${1}`}`;
  expect([...(await query(db.drizzle, nested))]).toEqual([{ n: 3 }]);
});

test('an error contains the database’s error, as Drizzle’s errors do', async () => {
  const wrong = sql`select ${'x'}::int as n`;
  const [own, drizzles] = await Promise.all(
    [query(db.drizzle, wrong), db.drizzle.execute(wrong)].map((run) => run.then(null, (error) => error)),
  );
  expect(own).toMatchObject({
    name: drizzles.name,
    query: drizzles.query,
    params: ['x'],
    cause: { code: '22P02' },
  });
});

test('a transaction has its caller’s role from the first statement, and is read-only on request', async () => {
  const claims = { userId: '00000000-0000-4000-8000-000000000001', role: 'member' } as const;
  const who = sql`select current_user::text as role, auth.uid()::text as id`;
  expect([...(await asUser(db, claims, (tx) => query(tx, who)))]).toEqual([
    { role: 'lore_user', id: claims.userId },
  ]);
  const [outside] = await query(db.drizzle, who);
  expect(outside?.role).not.toBe('lore_user');
  expect(outside?.id).toBeNull();
  const write = sql`insert into projects (name) values (${'p'})`;
  await expect(asUser(db, claims, (tx) => query(tx, write), { readOnly: true })).rejects.toMatchObject({
    cause: { code: '25006' },
  });
});
