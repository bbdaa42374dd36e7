import { sql } from 'drizzle-orm';
import { afterAll, describe, expect, test } from 'vitest';
import { type AsUserOptions, asUser } from '../../src/db/as-user.ts';
import { type Database, openDatabase, query, type Tx } from '../../src/db/open.ts';
import { networkTo } from '../support/network.ts';
import { testDatabase } from '../support/server.ts';

const database = await testDatabase();
const db = await database.open();
afterAll(() => db.close());

const id = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;
const claims = (n: number) => ({ userId: id(n), role: 'member' }) as const;
const whoAmI = sql`select current_user::text as role, auth.uid()::text as id, pg_sleep(${0.005}) is null as slept`;
const mine = async (tx: Tx) => (await query<{ role: string; id: string }>(tx, whoAmI))[0];

test('each statement of concurrent transactions runs as its own caller', async () => {
  const seen = await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      asUser(
        db,
        claims(n % 7),
        async (tx) => [await mine(tx), ...(await Promise.all([mine(tx), mine(tx)]))],
        {
          readOnly: n % 2 === 0,
        },
      ),
    ),
  );
  seen.forEach((answers, n) => {
    for (const answer of answers) expect(answer).toMatchObject({ role: 'lore_user', id: id(n % 7) });
  });
});

test('after an error nothing of the transaction is stored, and the first error is reported', async () => {
  const count = async () => (await query(db.drizzle, sql`select count(*)::int as n from things`))[0]?.n;
  await query(db.drizzle, sql`create table if not exists things (n int)`);
  await query(db.drizzle, sql`grant all on things to lore_user`);
  const insert = (tx: Tx) => query(tx, sql`insert into things values (${1})`);
  await expect(
    asUser(db, claims(1), (tx) => Promise.all([insert(tx), query(tx, sql`select nonsense`), insert(tx)])),
  ).rejects.toMatchObject({ cause: { code: '42703' } });
  await expect(
    asUser(db, claims(1), async (tx) => {
      await insert(tx);
      throw new Error('on purpose');
    }),
  ).rejects.toThrow('on purpose');
  await expect(
    asUser(db, claims(1), async (tx) => {
      await insert(tx);
      await query(tx, sql`select nonsense`).catch(() => {});
    }),
  ).rejects.toThrow();
  expect(await count()).toBe(0);
});

if (database.url) {
  const url = database.url;

  test('a statement that waits for a lock is ended after 30 s; what limits it ends with the transaction', async () => {
    const limit = sql`select current_setting('statement_timeout') as ms`;
    for (const readOnly of [true, false]) {
      expect(await asUser(db, claims(1), (tx) => query(tx, limit), { readOnly })).toEqual([{ ms: '30s' }]);
    }
    expect(await query(db.drizzle, limit)).toEqual([{ ms: '0' }]);
  });

  /** A database behind a network. */
  async function far() {
    const network = await networkTo(url);
    const opened = await openDatabase({ home: '', databaseUrl: network.url });
    const close = async () => {
      await opened.close();
      network.close();
    };
    return { ...network, db: opened, close };
  }

  const one = (on: Database, n: number, options: AsUserOptions) =>
    asUser(on, claims(1), async (tx) => (await query(tx, sql`select ${n}::int as n`))[0]?.n, options);

  describe('with a distant database', () => {
    test('when BEGIN or a setting fails, none of the work runs, and the connection can be used again', async () => {
      await query(db.drizzle, sql`create table if not exists ran (n int)`);
      await query(db.drizzle, sql`grant all on ran to lore_user`);
      for (const [right, wrong] of [
        ['begin;', 'begim;'],
        ['set local role', 'set local rola'],
      ] as const) {
        let broken = false;
        const away = await far();
        away.state.change = (bytes) =>
          broken ? Buffer.from(bytes.toString('latin1').replaceAll(right, wrong), 'latin1') : bytes;
        try {
          for (const prepared of [false, true]) {
            const work = (tx: Tx) =>
              Promise.allSettled([
                query(tx, sql`insert into ran values (${1}) returning n`),
                query(tx, sql`insert into ran values (${2}) returning n`),
                tx.execute(sql`insert into ran values (3)`),
                tx.execute(sql`select count(*) from ran`),
              ]);
            if (prepared) {
              await Promise.all(Array.from({ length: 20 }, () => asUser(away.db, claims(1), work)));
              await query(db.drizzle, sql`delete from ran`);
            }
            broken = true;
            let ended: PromiseSettledResult<unknown>[] = [];
            const failed = asUser(away.db, claims(1), async (tx) => {
              ended = await work(tx);
              const late = await Promise.allSettled([query(tx, sql`insert into ran values (${4})`)]);
              ended.push(...late);
            });
            await expect(failed).rejects.toThrow();
            // The caller may get the error before the last statement is refused.
            await expect.poll(() => ended.map(({ status }) => status)).toEqual(Array(5).fill('rejected'));
            broken = false;
            expect(await query(db.drizzle, sql`select n from ran`)).toEqual([]);
            expect(await asUser(away.db, claims(2), mine)).toMatchObject({ role: 'lore_user', id: id(2) });
          }
        } finally {
          await away.close();
        }
      }
    });

    test('a connection that breaks ends its transaction, and no statement of it uses another connection', async () => {
      const away = await far();
      try {
        await query(db.drizzle, sql`delete from ran`);
        const broken = asUser(away.db, claims(1), async (tx) => {
          await query(tx, sql`insert into ran values (${1})`);
          away.drop();
          await new Promise((resolve) => setTimeout(resolve, 50));
          await query(tx, sql`insert into ran values (${2})`);
        });
        await expect(broken).rejects.toMatchObject({ cause: { code: 'CONNECTION_CLOSED' } });
        // Read-only work is tried again over a new connection.
        let tries = 0;
        const read = asUser(
          away.db,
          claims(1),
          async (tx) => {
            await mine(tx);
            if (++tries === 1) away.drop();
            return mine(tx);
          },
          { readOnly: true },
        );
        expect(await read).toMatchObject({ id: id(1) });
        expect(tries).toBe(2);
        expect(await query(db.drizzle, sql`select n from ran`)).toEqual([]);
        for (let i = 0; i < 30; i++) expect(await one(away.db, i, { readOnly: i % 2 === 0 })).toBe(i);
      } finally {
        await away.close();
      }
    });
  });
}
