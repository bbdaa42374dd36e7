import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { CATALOG, type CatalogRow } from '../../scripts/catalog.ts';
import {
  openScratch,
  presentStatements,
  type Released,
  type Scratch,
  writeMigration,
} from '../../scripts/migrations.ts';
import { readSqlFiles } from '../../scripts/sql-files.ts';
import { type Database, openDatabase, query } from '../../src/db/open.ts';
import { emptyDatabase } from '../support/process.ts';
import { emptyHome, testDatabase } from '../support/server.ts';

// Slow, because every migration that is written is tried out in a database.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

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

describe('npm run migration', () => {
  let scratch: Scratch;
  beforeAll(async () => {
    scratch = await openScratch(join(emptyHome(), 'pgdata'));
  });
  const root = mkdtempSync(join(tmpdir(), 'lore-migrations-'));
  afterAll(async () => {
    await scratch.close();
    rmSync(root, { recursive: true, force: true });
  });
  mkdirSync(join(root, 'scripts'));
  for (const name of ['drizzle', 'sql', 'package.json', 'scripts/released.json'])
    cpSync(name, join(root, name), { recursive: true });
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const edit = (path: string, from: string, to: string) => {
    expect(read(path)).toContain(from);
    writeFileSync(join(root, path), read(path).replaceAll(from, to));
  };
  const released = (): Released => JSON.parse(read('scripts/released.json'));
  /** Releases all there is, and goes on to the next version. */
  const release = (next: string) => {
    const versions = Object.entries(released()).map(([version, rest]) => [
      version,
      { ...rest, released: true },
    ]);
    writeFileSync(join(root, 'scripts/released.json'), JSON.stringify(Object.fromEntries(versions)));
    writeFileSync(join(root, 'package.json'), JSON.stringify({ version: next }));
  };
  const later = (minutes: number) => new Date(Date.UTC(2030, 0, 1, 0, minutes));

  release('9.9.8');

  test('writes nothing when nothing changed', async () => {
    expect(await writeMigration(root, scratch, 'nothing', later(0))).toBeNull();
  });

  test('takes over changed bodies and new kinds, and first drops what cannot be replaced or is gone', async () => {
    edit('sql/tenancy/waiting_users.sql', "s.status = 'active'", "s.status <> 'completed'");
    edit('sql/index/searchable_note.sql', 'note_links(metadata jsonb)', 'note_links(of_note jsonb)');
    edit('sql/index/searchable_note.sql', "metadata -> 'breadcrumbs'", "of_note -> 'breadcrumbs'");
    unlinkSync(join(root, 'sql/notes/close_superseded_note.sql'));
    const view = read('sql/index/searchable_note.sql').split('create or replace view')[1] as string;
    const saying = view
      .replace('searchable_note', 'searchable_saying')
      .replace('index_note', 'index_saying')
      .replaceAll("'note'", "'saying'");
    writeFileSync(join(root, 'sql/index/searchable_saying.sql'), `create or replace view${saying}`);

    const tag = await writeMigration(root, scratch, 'sayings', later(1));
    expect(tag).toBe('20300101000100_sayings');
    expect(Object.keys(released()['9.9.8']?.migrations ?? {})).toEqual([tag]);
    const text = read(`drizzle/${tag}.sql`);
    expect(text.match(/^drop .*$/gm)).toEqual([
      expect.stringMatching(/^drop view searchable, searchable_.*, searchable_note.*;$/),
      'drop trigger close_superseded_note on notes;',
      'drop routine close_superseded_note();',
      'drop routine note_links(jsonb);',
    ]);
    const kinds = readdirSync(join(root, 'sql/index')).filter((name) => name.startsWith('searchable_'));
    expect(kinds).toContain('searchable_saying.sql');
    expect(text.match(/^-- ── .* ──$/gm)).toEqual([
      '-- ── dropped ──',
      ...kinds.sort().map((name) => `-- ── sql/index/${name} ──`),
      '-- ── sql/tenancy/waiting_users.sql ──',
      '-- ── sql/index/searchable.sql ──',
      '-- ── sql/tenancy/rights.sql ──',
      '-- ── version ──',
    ]);
    expect(text).toContain("s.status <> 'completed'");
  });
});
