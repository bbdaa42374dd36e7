import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { generateDrizzleJson } from 'drizzle-kit/api';
import { type SQL, sql } from 'drizzle-orm';
import { afterAll, describe, expect, test } from 'vitest';
import type { Released } from '../../scripts/migrations.ts';
import { ensureOwner } from '../../src/accounts/accounts.ts';
import { Problem } from '../../src/base/errors/problem.ts';
import { migrateDatabase } from '../../src/db/migrate.ts';
import { type Database, openDatabase, query, type Tx } from '../../src/db/open.ts';
import * as tables from '../../src/server/schema.ts';
import { emptyDatabase, startServerProcess, temporaryFolder } from '../support/process.ts';
import { emptyHome, testDatabase } from '../support/server.ts';

const postgresUrl = process.env.TEST_DATABASE_URL;

type Entry = { idx: number; when: number; tag: string };
const entries: Entry[] = JSON.parse(readFileSync('drizzle/meta/_journal.json', 'utf8')).entries;
const snapshotOf = ({ tag }: Entry) =>
  JSON.parse(readFileSync(`drizzle/meta/${tag.split('_')[0]}_snapshot.json`, 'utf8'));
describe('migration files', () => {
  test('are those in the journal, in the order of their time stamps', () => {
    const files = readdirSync('drizzle').filter((name) => name.endsWith('.sql'));
    expect(files.length).toBeGreaterThan(0);
    expect(files).toEqual(entries.map((entry) => `${entry.tag}.sql`));
    // `supabase db push` takes only names of this form.
    for (const file of files) expect(file).toMatch(/^\d{14}_\w+\.sql$/);
    const stamps = files.map((file) => file.slice(0, 14));
    expect(new Set(stamps).size).toBe(stamps.length);
    expect(stamps).toEqual(stamps.toSorted());
    // The migrator applies migrations younger than the youngest applied one.
    const times = entries.map((entry) => entry.when);
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
    expect(entries.map((entry) => entry.idx)).toEqual(entries.map((_, i) => i));
  });

  test('are up to date with the schema: drizzle-kit would generate nothing', async () => {
    const current = JSON.parse(JSON.stringify(generateDrizzleJson({ ...tables })));
    const { id: _, prevId: __, ...last } = snapshotOf(entries.at(-1) as Entry);
    const { id: ___, prevId: ____, ...now } = current;
    expect(Object.keys(now.tables).sort()).toEqual(Object.keys(last.tables).sort());
    expect(now).toEqual(last);
  });

  test('have the checksums in scripts/released.json: a released migration is never edited', () => {
    const released: Released = JSON.parse(readFileSync('scripts/released.json', 'utf8'));
    const noted = Object.assign({}, ...Object.values(released).map(({ migrations }) => migrations));
    const sums = entries.map(({ tag }) => {
      const text = readFileSync(`drizzle/${tag}.sql`, 'utf8');
      return [tag, createHash('sha256').update(text).digest('hex')];
    });
    expect(Object.fromEntries(sums)).toEqual(noted);
  });

  test('are also the migrations of Supabase', () => {
    expect(lstatSync('supabase/migrations').isSymbolicLink()).toBe(true);
    expect(readlinkSync('supabase/migrations')).toBe('../drizzle');
    expect(readdirSync('supabase/migrations').filter((name) => name.endsWith('.sql')).length).toBe(
      entries.length,
    );
  });
});

const database = await testDatabase();
const db = await database.open();
afterAll(() => db.close());

const applied = (tx: Tx) =>
  query(tx, sql`select hash, created_at from drizzle.__drizzle_migrations order by id`);

/** Returns the catalog and the rows of Lore's schemas. */
async function everything(tx: Tx) {
  const objects = await query(
    tx,
    sql`select n.nspname || '.' || c.relname as name, c.relkind::text as kind, c.relacl::text as rights
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname in ('public', 'lore', 'auth', 'drizzle') order by 1, 2`,
  );
  const functions = await query(
    tx,
    sql`select p.oid::regprocedure::text as name, md5(p.prosrc) as source, p.proacl::text as rights from pg_proc p
        join pg_namespace n on n.oid = p.pronamespace where n.nspname in ('public', 'lore', 'auth') order by 1`,
  );
  return {
    objects,
    functions,
    applied: await applied(tx),
    profiles: await query(tx, sql`select * from profiles`),
  };
}

describe('a migrated database', () => {
  test('is not changed by another run', async () => {
    await ensureOwner(db, { key: 'key', source: 'key file', inFolder: null });
    const before = await everything(db.drizzle);
    expect(before.applied.length).toBe(entries.length);
    await migrateDatabase(db, database.url);
    await migrateDatabase(db, database.url);
    expect(await everything(db.drizzle)).toEqual(before);
  });

  test('that is newer than the code is refused and not changed', async () => {
    const future = Math.max(...entries.map((entry) => entry.when)) + 1;
    await db.drizzle.execute(
      sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('of a later version', ${future})`,
    );
    const before = await everything(db.drizzle);
    const error = await migrateDatabase(db, database.url).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(Problem);
    expect(error).toMatchObject({ status: 409, title: expect.stringContaining('newer') });
    expect(error.detail).toMatch(/1 migration.*Nothing was changed\. Update Lore \(lore update\)/);
    expect(await everything(db.drizzle)).toEqual(before);
    await db.drizzle.execute(sql`delete from drizzle.__drizzle_migrations where hash = 'of a later version'`);
    await migrateDatabase(db, database.url);
  });

  test.each([
    ['between two releases', 'a version in the making', (entries.at(-1) as Entry).when - 1],
    ['by Lore 0.1', 'Lore 0.1', (entries[0] as Entry).when - 1],
  ])('that was made %s is refused with that reason', async (_, who, at) => {
    await db.drizzle.execute(
      sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('made anew since', ${at})`,
    );
    await expect(migrateDatabase(db, database.url)).rejects.toMatchObject({
      code: 'database-was-made-by-another-lore',
      detail: expect.stringMatching(new RegExp(`1 migration\\(s\\) of ${who}.*lore export.*lore import`)),
    });
    await db.drizzle.execute(sql`delete from drizzle.__drizzle_migrations where hash = 'made anew since'`);
  });
});

/** Opens a new, empty database. */
async function empty(): Promise<{ db: Database; url: string | undefined }> {
  const url = await emptyDatabase();
  const opened = await openDatabase({ home: url ? '' : emptyHome(), databaseUrl: url });
  opens.push(opened);
  return { db: opened, url };
}
const opens: Database[] = [];
afterAll(() => Promise.all(opens.map((opened) => opened.close())));

test('a migration that fails leaves nothing behind', async () => {
  const other = await empty();
  const run = (statement: SQL) => other.db.drizzle.execute(statement);
  await run(sql`create table sessions (mine int)`);
  await expect(migrateDatabase(other.db, other.url)).rejects.toThrow();
  const tables = await query(
    other.db.drizzle,
    sql`select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  );
  expect(tables).toEqual([{ relname: 'sessions' }]);
  // on PostgreSQL not even the ledger
  expect(await applied(other.db.drizzle).catch(() => [])).toEqual([]);
});

/** A value of a type that is another one for each version, and fits what the tables check. */
const VALUES: Record<string, (n: number) => unknown> = {
  uuid: (n) => `00000000-0000-4000-8000-00000000000${n}`,
  text: (n) => `text ${n}`,
  bool: () => true,
  timestamptz: (n) => `2026-0${n}-01T00:00:00Z`,
  date: (n) => `2026-0${n}-01`,
  jsonb: (n) => JSON.stringify({ n }),
  bytea: (n) => `\\x0${n}`,
  vector: (n) => `[${Array(384).fill(n)}]`,
  sparsevec: (n) => `{${n}:1}/268435456`,
  tsvector: (n) => `'text${n}':1`,
};
/** What must be said of a row, so that no migration takes it for one that is kept no longer. */
const SAID: Record<string, unknown> = {
  'api_keys.scope': 'hooks',
  'episodes.agent_id': null,
  'learnings.evaluated_by': 'person',
  'learnings.status': 'active',
  'skills.memory_place': null,
};
/** What a migration writes anew: a skill with what it remembered, the id of a key's project. */
const WRITTEN_ANEW = ['skills.content', 'skills.files', 'api_keys.project'];
const made = (column: string, type: string, n: number): unknown => {
  if (/_until$|^expires_at$/.test(column)) return `2027-0${n}-01T00:00:00Z`;
  if (type.startsWith('_')) return '{}';
  return VALUES[type]?.(n) ?? (/confidence/.test(column) ? n / 10 : n);
};

type Table = { of: string; columns: { name: string; type: string }[] };
const tablesOf = (tx: Tx) =>
  query<Table>(
    tx,
    sql`select c.relname as of, json_agg(json_build_object('name', a.attname, 'type', t.typname)) as columns
        from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_type t on t.oid = a.atttypid
        where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and attnum > 0 and not attisdropped
          and attgenerated = '' group by 1 order by 1`,
  );

test('a row of each table of each release is there after the upgrade, as it was', async () => {
  const { db: old, url } = await empty();
  const run = (statement: string) => old.drizzle.execute(sql.raw(statement));
  await run('create schema drizzle');
  await run(
    'create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)',
  );
  const releases = Object.values(JSON.parse(readFileSync('scripts/released.json', 'utf8')) as Released);
  const settled = releases.filter(({ released }) => released).flatMap((one) => Object.keys(one.migrations));
  const rows: { of: string; row: Record<string, unknown> }[] = [];
  for (const { tag, when, idx } of entries.filter((entry) => settled.includes(entry.tag))) {
    const text = readFileSync(`drizzle/${tag}.sql`, 'utf8');
    for (const statement of text.split('--> statement-breakpoint')) await run(statement);
    const hash = createHash('sha256').update(text).digest('hex');
    await run(`insert into drizzle.__drizzle_migrations (hash, created_at) values ('${hash}', ${when})`);
    if (idx === 0) continue; // 0.2.0 kept its verdicts in another way
    const all = await tablesOf(old.drizzle);
    await old.drizzle.transaction(async (tx) => {
      // the rows of a version name each other, in any order
      await query(tx, sql`set local session_replication_role = replica`);
      for (const { of, columns } of all) {
        const names = sql.raw(columns.map(({ name }) => `"${name}"`).join());
        const values = columns.map(
          ({ name, type }) =>
            sql`${`${of}.${name}` in SAID ? SAID[`${of}.${name}`] : made(name, type, idx + 1)}::text::${sql.raw(type)}`,
        );
        const row = await query<{ row: Record<string, unknown> }>(
          tx,
          sql`insert into ${sql.raw(of)} (${names}) overriding system value values (${sql.join(values, sql`, `)})
              returning to_jsonb(${sql.raw(of)}) as row`,
        );
        rows.push({ of, row: row[0]?.row ?? {} });
      }
    });
  }
  await migrateDatabase(old, url);
  expect((await applied(old.drizzle)).length).toBe(entries.length);
  const present = new Map((await tablesOf(old.drizzle)).map(({ of, columns }) => [of, columns]));
  const lost: unknown[] = [];
  for (const { of, row } of rows) {
    const kept = present
      .get(of)
      ?.filter(({ name }) => name in row && !WRITTEN_ANEW.includes(`${of}.${name}`));
    // a table that is gone
    if (kept === undefined) continue;
    const same = kept.map(
      ({ name }) => sql`to_jsonb(t) -> ${name} = ${JSON.stringify(row[name])}::text::jsonb`,
    );
    const [found] = await query(
      old.drizzle,
      sql`select 1 from ${sql.raw(of)} t where ${sql.join(same, sql` and `)}`,
    );
    if (found === undefined) lost.push({ of, row });
  }
  expect(lost).toEqual([]);
});

// These are about PostgreSQL only: PGlite has one process and no roles of a platform.
if (postgresUrl) {
  describe('PostgreSQL', () => {
    test('is migrated once when several servers start on it at the same time', async () => {
      const { db: shared, url } = await empty();
      const start = (name: string) =>
        startServerProcess({
          LORE_HOME: join(temporaryFolder(), name),
          LORE_PORT: '0',
          LORE_SECRET: 'the-one-secret-of-all-servers-here',
          DATABASE_URL: url as string,
        });
      const servers = await Promise.all([start('a'), start('b'), start('c')]);
      for (const server of servers) {
        expect(await (await fetch(`${server.url}/health`)).json()).toMatchObject({ database: { ok: true } });
      }
      expect((await applied(shared.drizzle)).length).toBe(entries.length);
      // There is one owner, with a key on each machine.
      expect(await query(shared.drizzle, sql`select role from profiles`)).toEqual([{ role: 'owner' }]);
      expect(await query(shared.drizzle, sql`select count(*)::int as n from api_keys`)).toEqual([{ n: 3 }]);
      for (const server of servers) server.kill('SIGTERM');
      for (const server of servers) expect((await server.finished).code).toBe(0);
    });
  });
}
