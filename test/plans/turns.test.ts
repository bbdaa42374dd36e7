import { sql } from 'drizzle-orm';
import { expect, onTestFinished, test } from 'vitest';
import { ensureOwner } from '../../src/accounts/accounts.ts';
import { asUser, type Claims } from '../../src/db/as-user.ts';
import { query, type Tx } from '../../src/db/open.ts';
import { plansInTurn } from '../../src/plans/change-batches.ts';
import { testDatabase } from '../support/server.ts';

const PLAN = '0b7e2c7e-5a8f-4d52-9c1f-2f1a3d9be001';

test('a change that the database refuses is told so, and those that came with it are made', async () => {
  const db = await (await testDatabase()).open();
  onTestFinished(() => db.close());
  const userId = await ensureOwner(db, { key: 'key', source: 'key file', inFolder: null });
  const me: Claims = { userId, role: 'owner' };
  const change = plansInTurn<null>(db);
  const note = (name: string) => async (tx: Tx) => {
    await query(tx, sql`insert into projects (name) values (${name})`);
    return null;
  };
  const refused = async (tx: Tx) => {
    await query(tx, sql`select 1 / 0`);
    return null;
  };
  const made = await Promise.allSettled(
    [note('first'), note('second'), refused, note('third')].map((one) => change(me, PLAN, one)),
  );
  expect(made.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  const rows = await asUser(db, me, (tx) =>
    query<{ name: string }>(tx, sql`select name from projects order by name`),
  );
  expect(rows.map(({ name }) => name)).toEqual(['first', 'second', 'third']);
});
