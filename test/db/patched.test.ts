import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { drizzle } from 'drizzle-orm/pglite';
import { describe, expect, test } from 'vitest';
import { driverOf } from '../../src/db/patched/drizzle.ts';
import { patchPostgres } from '../../src/db/patched/postgres-source.js';

// Each change of a library must still be needed. If a test of this file fails after an update, try without the change.

describe('the driver of PostgreSQL', () => {
  test('is the source that Lore changes; another one is refused', () => {
    for (const name of ['connection', 'index']) {
      const path = resolve(`node_modules/postgres/src/${name}.js`);
      const source = readFileSync(path, 'utf8');
      expect(patchPostgres(path, source)).not.toBe(source);
      expect(() =>
        patchPostgres(path, source.replaceAll('connection', 'link').replaceAll('socket', 'wire')),
      ).toThrow(/is not the source/);
    }
  });
});

test('Drizzle keeps the driver where Lore looks for it, and still shows it to nobody', async () => {
  // Drizzle only hands on what a driver does, so no database is needed to see where it keeps the driver
  const inner = { query: async () => ({ rows: [], fields: [] }) };
  const client = { ...inner, transaction: (work: (tx: object) => unknown) => work(inner) };
  const db = drizzle(client as unknown as PGlite);
  expect(driverOf(db)).toBe(client);
  await db.transaction(async (tx) => {
    expect(driverOf(tx)).toBe(inner);
    // `$client` is there for a connection only
    expect('$client' in tx).toBe(false);
  });
  expect(() => driverOf({})).toThrow('keeps its driver elsewhere');
});
