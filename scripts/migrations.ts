// Writes migrations from src/**/schema.ts and sql/. The command is scripts/migration.ts.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist';
import { vector } from '@electric-sql/pglite-pgvector';
import { type DrizzleSnapshotJSON, generateDrizzleJson, generateMigration } from 'drizzle-kit/api';
import * as tables from '../src/server/schema.ts';
import { CATALOG, type CatalogRow } from './catalog.ts';
import { readSqlFiles, type SqlFile } from './sql-files.ts';

/** The migrators of Drizzle and Supabase run the text between two of these as one statement. */
const BREAK = '\n--> statement-breakpoint\n';
/** The title of a section. By it, the last migrated text of a file in sql/ is found in the migrations. */
const title = (name: string) => `-- ── ${name} ──`;
const TITLE = /^-- ── (.+) ──$/m;

/** Drizzle writes this where it does not know a primary key's name. `dropsBetween` drops that key. */
const PLACEHOLDER = '<constraint_name>';

const NO_TABLES = '00000000-0000-0000-0000-000000000000';

type Entry = { idx: number; version: string; when: number; tag: string; breakpoints: boolean };
type Section = { name: string; statements: string[] };
/** Each version with its migrations and their SHA-256. Once `released` is true, they never change. */
export type Released = Record<string, { released: boolean; migrations: Record<string, string> }>;

const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
const writeJson = (file: string, value: unknown) =>
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** The section for statements that are written by hand. They run before all others. */
const DATA = 'data';

/**
 * Writes a migration from the state after the last released version to the present sources, in place of all migrations
 * of the version that is being made; their statements for data, written by hand, are kept. Returns its tag; null when
 * nothing changed. Before writing it checks that a database that went through all migrations has the same catalog as one
 * created from the sources.
 *
 * @param name what the migration does, in letters, digits and underscores
 * @throws {Error} when the catalogs differ
 */
export async function writeMigration(
  root: string,
  scratch: Scratch,
  name: string,
  now = new Date(),
): Promise<string | null> {
  const settled = releasedTags(root);
  const entries = readEntries(root).filter(({ tag }) => settled.has(tag));
  const replaced = readEntries(root).filter(({ tag }) => !settled.has(tag));
  const data = replaced.flatMap((entry) => sectionIn(root, entry, DATA));
  const last = snapshotOf(root, entries.at(-1) as Entry);
  const schema = await readSchema(last.id);
  const between = withoutDropped(last, schema);
  const tables = [...(await generateMigration(last, between)), ...(await generateMigration(between, schema))]
    .filter((text) => !text.includes(PLACEHOLDER))
    // a constraint goes before its column, which would take it along
    .sort((a, b) => Number(!a.includes('DROP CONSTRAINT')) - Number(!b.includes('DROP CONSTRAINT')));
  const sql = readSqlFiles(join(root, 'sql'));
  const texts = lastTexts(root, entries);
  const isChanged = (file: SqlFile) => texts.get(file.path) !== file.statements.join(BREAK);
  const changed = new Set([...sql.before, ...sql.functions, ...sql.end].filter(isChanged));

  // An earlier migration may already have dropped what a deleted file created. The list of drops below shows it.
  const isGone = [...texts.keys()].some((path) => path.startsWith('sql/') && !existsSync(join(root, path)));
  if (tables.length === 0 && changed.size === 0 && !isGone) return null;

  const past = entries.flatMap((entry) => statementsIn(root, entry));
  const present = await scratch.catalogOf(await presentStatements(root));
  const drops = dropsBetween(await scratch.catalogOf(past), present, tables.length > 0);
  if (tables.length === 0 && changed.size === 0 && drops.length === 0) return null;
  // PostgreSQL refuses changes to what a view depends on. So all views are dropped and created again.
  if (drops.some((drop) => drop.startsWith('drop view'))) {
    for (const file of sql.functions) {
      if (file.statements.some((text) => /^create or replace view/m.test(text))) changed.add(file);
    }
  }
  const tag = `${now.toISOString().replace(/\D/g, '').slice(0, 14)}_${name}`;
  const version = `update lore.instance set migration = '${tag.split('_')[0]}';`;
  const sections = [
    { name: DATA, statements: data },
    ...sql.before.filter((file) => changed.has(file)).map(section),
    { name: 'dropped', statements: drops },
    { name: 'tables', statements: tables },
    ...sql.functions.filter((file) => changed.has(file)).map(section),
    ...sql.end.map(section),
    { name: 'version', statements: [version] },
  ].filter(({ statements }) => statements.length > 0);
  const made = await scratch.catalogOf([...past, ...sections.flatMap(({ statements }) => statements)]);
  const differs = difference(made, present);
  if (differs.length > 0)
    throw new Error(`the migration does not lead to the present: ${differs.join(', ')}`);

  for (const entry of replaced) {
    rmSync(join(root, 'drizzle', `${entry.tag}.sql`));
    rmSync(join(root, 'drizzle/meta', snapshotName(entry)));
  }
  write(root, entries, { tag, when: now.getTime(), sections, schema });
  return tag;
}

/**
 * Writes the checksums of migrations to scripts/released.json. Those of released versions stay as they are.
 *
 * @throws {Error} when there are new migrations but the version in package.json is released
 */
export function writeChecksums(root: string): void {
  const released = readReleased(root);
  const { version } = readJson(join(root, 'package.json'));
  const done = Object.entries(released).filter(([, { released }]) => released);
  const settled = releasedTags(root);
  const open = readEntries(root).filter(({ tag }) => !settled.has(tag));
  if (open.length > 0 && released[version]?.released) {
    throw new Error(`${version} is released: raise the version in package.json first`);
  }
  const sums = Object.fromEntries(open.map(({ tag }) => [tag, sha256(readMigration(root, tag))]));
  writeJson(join(root, 'scripts/released.json'), {
    ...Object.fromEntries(done),
    ...(open.length > 0 && { [version]: { released: false, migrations: sums } }),
  });
}

/** Returns the statements that create the present schema in an empty database, to compare it with the migrated one. */
export async function presentStatements(root: string): Promise<string[]> {
  const schema = await readSchema(NO_TABLES);
  const sql = readSqlFiles(join(root, 'sql'));
  const tables = await generateMigration(emptyOf(schema), schema);
  return [
    ...sql.before.flatMap(statements),
    ...tables,
    ...[...sql.functions, ...sql.end].flatMap(statements),
  ];
}

const statements = (file: SqlFile) => file.statements;
const section = (file: SqlFile): Section => ({ name: file.path, statements: file.statements });
const readMigration = (root: string, tag: string) =>
  readFileSync(join(root, 'drizzle', `${tag}.sql`), 'utf8');
const readEntries = (root: string): Entry[] => readJson(join(root, 'drizzle/meta/_journal.json')).entries;
const statementsIn = (root: string, { tag }: Entry) => readMigration(root, tag).split(BREAK.trim());
const snapshotName = ({ tag }: Pick<Entry, 'tag'>) => `${tag.split('_')[0]}_snapshot.json`;
const snapshotOf = (root: string, entry: Entry): DrizzleSnapshotJSON =>
  readJson(join(root, 'drizzle/meta', snapshotName(entry)));

/** Returns the statements of a section of a migration; none if it has no such section. */
function sectionIn(root: string, { tag }: Entry, name: string): string[] {
  const [, ...parts] = readMigration(root, tag).split(TITLE);
  const text = parts[parts.indexOf(name) + 1];
  if (!parts.includes(name) || text === undefined) return [];
  return text
    .split(BREAK.trim())
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}

/**
 * Returns a schema without the columns that a later one no longer has. Drizzle asks on a terminal whether a column was
 * renamed when a table loses one and gets another in one step.
 */
function withoutDropped(from: DrizzleSnapshotJSON, to: DrizzleSnapshotJSON): DrizzleSnapshotJSON {
  type Index = { columns: { expression: string; isExpression: boolean }[] };
  type Tables = Record<string, { columns: Record<string, unknown>; indexes: Record<string, Index> }>;
  const between: DrizzleSnapshotJSON = structuredClone(from);
  const present: Tables = to.tables;
  for (const [name, table] of Object.entries<Tables[string]>(between.tables)) {
    const kept = present[name]?.columns;
    if (kept === undefined) continue;
    for (const column of Object.keys(table.columns)) if (!kept[column]) delete table.columns[column];
    for (const [index, { columns }] of Object.entries(table.indexes)) {
      if (columns.some(({ expression, isExpression }) => !isExpression && !kept[expression]))
        delete table.indexes[index];
    }
  }
  return between;
}

/** Returns the migrations that are part of a release. */
function releasedTags(root: string): Set<string> {
  const done = Object.values(readReleased(root)).filter(({ released }) => released);
  return new Set(done.flatMap(({ migrations }) => Object.keys(migrations)));
}

function readReleased(root: string): Released {
  const file = join(root, 'scripts/released.json');
  return existsSync(file) ? readJson(file) : {};
}

async function readSchema(prevId: string): Promise<DrizzleSnapshotJSON> {
  const json = JSON.parse(JSON.stringify(generateDrizzleJson({ ...tables }, prevId)));
  // The id that Drizzle makes is random. Use a hash instead, so that the result is always the same.
  const sum = sha256(JSON.stringify({ ...json, id: '' }));
  return { ...json, id: sum.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') };
}

const emptyOf = (schema: DrizzleSnapshotJSON): DrizzleSnapshotJSON => ({
  ...schema,
  id: NO_TABLES,
  tables: {},
});

/** Returns, for each file in sql/, its statements as the last migration with that file has them. */
function lastTexts(root: string, entries: Entry[]): Map<string, string> {
  const texts = new Map<string, string>();
  for (const { tag } of entries) {
    const [, ...parts] = readMigration(root, tag).split(TITLE);
    for (let i = 0; i + 1 < parts.length; i += 2) {
      const text = (parts[i + 1] as string).trim().replace(/\s*--> statement-breakpoint$/, '');
      texts.set(parts[i] as string, text);
    }
  }
  return texts;
}

/** Returns the drops that must come first: of what no longer exists and of what `create or replace` cannot change. */
function dropsBetween(before: CatalogRow[], after: CatalogRow[], tablesChange: boolean): string[] {
  const now = new Map(after.map((row) => [`${row.kind} ${row.name}`, row]));
  const lost = (row: CatalogRow) => now.get(`${row.kind} ${row.name}`)?.signature !== row.signature;
  const functions = before.filter((row) => row.kind === 'function' && lost(row)).map(({ name }) => name);
  const triggers = before.filter((row) => row.kind === 'trigger' && lost(row)).map(({ name }) => name);
  const views = before.filter((row) => row.kind === 'view');
  const viewsChange = views.some((row) => now.get(`view ${row.name}`)?.definition !== row.definition);
  const dropViews = views.length > 0 && (tablesChange || viewsChange || functions.length > 0);
  // Drizzle does not drop a primary key that was declared on its column.
  const primaryKeys = before.flatMap(({ kind, name, definition }) => {
    const [table, key] = name.split('.');
    const isLost =
      kind === 'constraint' && definition.startsWith('PRIMARY KEY') && !now.has(`${kind} ${name}`);
    return isLost && now.has(`table ${table}`) ? [`alter table ${table} drop constraint ${key};`] : [];
  });
  return [
    ...(dropViews ? [`drop view ${views.map(({ name }) => name).join(', ')};`] : []),
    ...triggers.map((name) => `drop trigger ${name};`),
    ...functions.map((name) => `drop routine ${name};`),
    ...primaryKeys,
  ];
}

/** An empty database to try statements out in. */
export type Scratch = {
  /** Runs the statements, returns the catalog that they lead to, and takes everything back. */
  catalogOf(statements: string[]): Promise<CatalogRow[]>;
  close(): Promise<void>;
};

/**
 * Opens an empty database in memory, which takes seconds to make.
 *
 * @param dataDir a folder with an empty database, which is there sooner
 */
export async function openScratch(dataDir = 'memory://'): Promise<Scratch> {
  const client = await PGlite.create(dataDir, { extensions: { vector, btree_gist } });
  return {
    async catalogOf(list) {
      await client.exec('begin');
      try {
        for (const statement of list) {
          await client.exec(statement).catch((error: Error) => {
            throw new Error(`${error.message}, in:\n${statement}`);
          });
        }
        return (await client.query<CatalogRow>(CATALOG)).rows;
      } finally {
        await client.exec('rollback');
      }
    },
    close: () => client.close(),
  };
}

/** Returns the names of what differs between two catalogs. The order of columns and tables does not matter. */
function difference(one: CatalogRow[], other: CatalogRow[]): string[] {
  const lines = (rows: CatalogRow[]) => new Map(rows.map((row) => [JSON.stringify(row), row]));
  const [a, b] = [lines(one), lines(other)];
  const only = [...a.keys()].filter((key) => !b.has(key)).concat([...b.keys()].filter((key) => !a.has(key)));
  return [
    ...new Set(only.map((key) => `${(a.get(key) ?? b.get(key))?.kind} ${(a.get(key) ?? b.get(key))?.name}`)),
  ];
}

type Migration = { tag: string; when: number; sections: Section[]; schema: DrizzleSnapshotJSON };

function write(root: string, entries: Entry[], { tag, when, sections, schema }: Migration): void {
  const text = sections
    .map(({ name, statements }) => `${title(name)}\n\n${statements.map((text) => text.trim()).join(BREAK)}`)
    .join(BREAK);
  writeFileSync(join(root, 'drizzle', `${tag}.sql`), `${text}\n`);
  writeJson(join(root, 'drizzle/meta', snapshotName({ tag })), schema);
  const entry = { idx: entries.length, version: schema.version, when, tag, breakpoints: true };
  writeJson(join(root, 'drizzle/meta/_journal.json'), {
    version: schema.version,
    dialect: schema.dialect,
    entries: [...entries, entry],
  });
  writeChecksums(root);
}
