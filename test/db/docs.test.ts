import { readFileSync } from 'node:fs';
import { sql } from 'drizzle-orm';
import { afterAll, describe, expect, test } from 'vitest';
import { query } from '../../src/db/open.ts';
import { testDatabase } from '../support/server.ts';

const db = await (await testDatabase()).open();
afterAll(() => db.close());

const names = async (statement: string) => {
  const rows = await query<{ name: string }>(db.drizzle, sql.raw(statement));
  return rows.map((row) => row.name.replace(/^public\./, '')).sort();
};
const OWN = `not exists (select from pg_depend d where d.objid = o.oid and d.deptype = 'e')`;
const functions = (where: string) =>
  names(`select distinct n.nspname || '.' || o.proname as name from pg_proc o
    join pg_namespace n on n.oid = o.pronamespace where n.nspname in ('public', 'lore') and ${OWN} and ${where}`);

/** Returns the first column of the table with this heading in a document, split at commas. */
function column(text: string, heading: string): string[] {
  const rows = text.split(`| ${heading} |`)[1]?.split('\n\n')[0]?.split('\n').slice(2) ?? [];
  return rows.flatMap((row) => row.split('|')[1]?.trim().split(', ') ?? []).sort();
}

describe('docs/data.md', () => {
  const text = readFileSync('docs/data.md', 'utf8');

  test('lists exactly the existing tables', async () => {
    const tables = await names(`select n.nspname || '.' || o.relname as name from pg_class o
      join pg_namespace n on n.oid = o.relnamespace
      where n.nspname in ('public', 'lore') and o.relkind in ('r', 'p') and ${OWN}`);
    expect(column(text, 'table')).toEqual(tables);
  });
});

describe('docs/tenancy.md', () => {
  const text = readFileSync('docs/tenancy.md', 'utf8');

  test('names each function that bypasses row level security', async () => {
    const definers = await functions('o.prosecdef');
    for (const name of definers) expect(text).toContain(`\`${name.replace('lore.', '')}\``);
  });

  test('says which of them tenants may call', async () => {
    const open = await functions(`o.prosecdef and has_function_privilege('lore_user', o.oid, 'execute')`);
    expect(open).toEqual([
      'lore.documents_with_each',
      'lore.erase_checks',
      'lore.erase_events',
      'lore.expire_checks',
      'lore.expire_events',
    ]);
  });
});
