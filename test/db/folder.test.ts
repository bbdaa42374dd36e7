import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { findDatabase } from '../../src/db/embedded/folder.ts';
import { openDatabase, query } from '../../src/db/open.ts';
import { temporaryFolder } from '../support/process.ts';
import { emptyHome } from '../support/server.ts';

/** In the order in which PGlite writes them last. */
const WRITTEN_LAST = ['postgresql.conf', 'PG_VERSION', 'pg_ident.conf', 'pg_hba.conf', 'pg_twophase', 'base'];

const open = (home: string) => openDatabase({ home, databaseUrl: undefined });

describe('the folder of the embedded database', () => {
  test('is free when it is not there or empty', () => {
    const folder = join(temporaryFolder(), 'pgdata');
    expect(findDatabase(folder)).toEqual({ state: 'none' });
    mkdirSync(folder);
    expect(findDatabase(folder)).toEqual({ state: 'none' });
  });

  test('is free when it holds no more than a first start leaves that was killed', async () => {
    const home = emptyHome();
    const pgdata = join(home, 'pgdata');
    expect(findDatabase(pgdata)).toEqual({ state: 'whole' });
    for (const name of WRITTEN_LAST) {
      rmSync(join(pgdata, name), { recursive: true, force: true });
      if (!existsSync(join(pgdata, 'PG_VERSION'))) expect(findDatabase(pgdata)).toEqual({ state: 'none' });
    }
    const db = await open(home);
    expect(await query(db.drizzle, sql`select 1 as one`)).toEqual([{ one: 1 }]);
    await db.close();
  });

  test('is never free when anybody made a table in it', async () => {
    const home = emptyHome();
    const pgdata = join(home, 'pgdata');
    const db = await open(home);
    await query(db.drizzle, sql`create table mine as select 1 as one`);
    await db.close();
    rmSync(join(pgdata, 'PG_VERSION'));
    for (const lost of [[], ['pg_wal'], ['global/pg_control', 'pg_xact']]) {
      for (const name of lost) rmSync(join(pgdata, name), { recursive: true });
      expect(findDatabase(pgdata).state).toBe('lacking');
      await expect(open(home)).rejects.toMatchObject({ detail: expect.stringContaining(pgdata) });
    }
  });

  test.each([
    ['what is not PostgreSQL’s', 'notes.txt'],
    ['a write-ahead log that goes on', 'pg_wal/000000010000000000000002'],
  ])('is not free when it holds %s', (_, file) => {
    const pgdata = join(temporaryFolder(), 'pgdata');
    mkdirSync(join(pgdata, 'pg_wal'), { recursive: true });
    writeFileSync(join(pgdata, file), '');
    expect(findDatabase(pgdata).state).toBe('lacking');
  });
});
