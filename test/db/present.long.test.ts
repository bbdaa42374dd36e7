import { readFileSync } from 'node:fs';
import { sql } from 'drizzle-orm';
import { afterAll, describe, expect, test } from 'vitest';
import { CATALOG, type CatalogRow } from '../../scripts/catalog.ts';
import { presentStatements } from '../../scripts/migrations.ts';
import { readSqlFiles } from '../../scripts/sql-files.ts';
import { type Database, openDatabase, query } from '../../src/db/open.ts';
import { emptyDatabase } from '../support/process.ts';
import { emptyHome, testDatabase } from '../support/server.ts';

const opens: Database[] = [];
afterAll(() => Promise.all(opens.map((opened) => opened.close())));
const keep = (db: Database) => {
  opens.push(db);
  return db;
};
const catalog = (db: Database) => query<CatalogRow>(db.drizzle, sql.raw(CATALOG));
const run = async (db: Database, statements: string[]) => {
  for (const statement of statements) await db.drizzle.execute(sql.raw(statement));
};

describe('sql/', () => {
  test('and the tables match a freshly migrated database', async () => {
    const migrated = keep(await (await testDatabase()).open());
    const url = await emptyDatabase();
    const present = keep(await openDatabase({ home: url ? '' : emptyHome(), databaseUrl: url }));
    await run(present, await presentStatements('.'));
    expect(await catalog(migrated)).toEqual(await catalog(present));
  });

  test('changes nothing when applied again', async () => {
    const db = keep(await (await testDatabase()).open());
    const before = await catalog(db);
    expect(before.filter((row) => row.kind === 'function').length).toBeGreaterThan(20);
    const { before: first, functions, end } = readSqlFiles('sql');
    for (const file of [...first, ...functions, ...end]) await run(db, file.statements);
    expect(await catalog(db)).toEqual(before);
  });

  test('has lines of at most 120 characters', () => {
    const files = Object.values(readSqlFiles('sql')).flat();
    const long = files.flatMap(({ path }) =>
      readFileSync(path, 'utf8')
        .split('\n')
        .flatMap((line, i) => (line.length > 120 ? [`${path}:${i + 1}`] : [])),
    );
    expect(long).toEqual([]);
  });
});
