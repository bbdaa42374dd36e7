import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findDatabase } from '../../src/db/embedded/folder.ts';
import { openDatabase } from '../../src/db/open.ts';
import { emptyHome } from '../support/server.ts';

test('a folder in which a database lacks a part is not opened, and no new one is made over it', async () => {
  const home = emptyHome();
  const pgdata = join(home, 'pgdata');
  const open = () => openDatabase({ home, databaseUrl: undefined });
  await (await open()).close();
  expect(findDatabase(pgdata)).toEqual({ state: 'whole' });
  mkdirSync(join(pgdata, 'base/5'), { recursive: true });
  writeFileSync(join(pgdata, 'base/5/16384'), 'a table that somebody made');
  for (const part of ['PG_VERSION', 'global/pg_control', 'pg_wal']) {
    rmSync(join(pgdata, part), { recursive: true });
    expect(findDatabase(pgdata)).toMatchObject({ state: 'lacking' });
    await expect(open()).rejects.toMatchObject({ status: 500, detail: expect.stringContaining(part) });
  }
});

test('what a killed first start leaves is no database yet', () => {
  const pgdata = join(emptyHome(), 'begun');
  expect(findDatabase(pgdata)).toEqual({ state: 'none' });
  mkdirSync(join(pgdata, 'base/1'), { recursive: true });
  writeFileSync(join(pgdata, 'base/1/1259'), '');
  expect(findDatabase(pgdata)).toEqual({ state: 'none' });
});
