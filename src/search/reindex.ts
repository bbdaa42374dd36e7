import { getTableName, type SQL, sql } from 'drizzle-orm';
import { getTableConfig, type IndexedColumn } from 'drizzle-orm/pg-core';
import { asUser, type Claims } from '../db/as-user.ts';
import { asMigrator } from '../db/migrate.ts';
import { type Database, query, type Tx } from '../db/open.ts';
import { askSystem, forEachUser } from '../db/system.ts';
import type { Log } from '../log.ts';
import { searchDocuments } from './schema.ts';

/** The caller's counts. sql/index/index_health.sql explains each of them. */
export type IndexHealth = {
  sources: number;
  documents: number;
  embedded: number;
  pending: number;
  failing: number;
  missing: number;
  orphaned: number;
};

/** Returns how complete the caller's index is, for `lore doctor` and `/v1/index`. */
export async function indexHealth(tx: Tx, model: string | null): Promise<IndexHealth> {
  const [row] = await query<IndexHealth>(tx, sql`select * from index_health(${model})`);
  return row as IndexHealth;
}

/** Records per piece. The embedded engine takes about 50 ms for a piece and answers nothing else meanwhile. */
const PIECE = 100;

/**
 * Rebuilds the caller's index from the records. It works in pieces, so searches continue meanwhile. Missing rows are
 * added, rows without a record are deleted, changed texts are replaced, and failed embeddings are tried again. Vectors
 * of unchanged texts stay.
 */
export async function reindex(db: Database, claims: Claims): Promise<void> {
  const kinds = await asUser(db, claims, async (tx) => {
    await query(tx, sql`select delete_orphaned_search_documents()`);
    return query<{ kind: string }>(tx, sql`select searchable_kinds() as kind`);
  });
  for (const { kind } of kinds) {
    let after: string | null = '00000000-0000-0000-0000-000000000000';
    while (after !== null) {
      const last: string = after;
      const [row] = await asUser(db, claims, (tx) =>
        query<{ last: string | null }>(
          tx,
          sql`select rebuild_search_documents(${kind}, ${last}::uuid, ${PIECE}::int) as last`,
        ),
      );
      after = row?.last ?? null;
    }
  }
}

/** Restores what was lost while no server ran: dropped database indexes, and records that the search index lacks. */
export async function healIndex(db: Database, log: Log, migrateUrl?: string): Promise<void> {
  await restoreSearchIndexes(db, migrateUrl).catch((error) =>
    log.warn(
      { error },
      'an index of search is missing; only the owner of the tables can make it (LORE_MIGRATE_URL)',
    ),
  );
  const users = sql`select lore.users_to_reindex() as id`;
  await forEachUser(db, users, { log, name: 'heal the index' }, async (userId) => {
    await reindex(db, { userId, role: 'member' });
    return false;
  });
}

/**
 * Creates the database indexes of search that somebody dropped. On PostgreSQL this does not block writers.
 *
 * @param migrateUrl connects as the owner of the tables, if `db` does not
 */
export async function restoreSearchIndexes(db: Database, migrateUrl?: string): Promise<void> {
  const how = sql.raw(db.engine === 'postgres' ? 'concurrently if not exists' : 'if not exists');
  const present = await askSystem<{ name: string }>(
    db,
    sql`select indexname as name from pg_indexes where tablename = ${getTableName(searchDocuments)}`,
  );
  const names = new Set(present.map(({ name }) => name));
  const missing = getTableConfig(searchDocuments).indexes.filter(
    ({ config }) => !names.has(config.name ?? ''),
  );
  for (const { config } of missing) {
    const columns = config.columns.map((column): SQL => {
      const { name, indexConfig } = column as IndexedColumn;
      return sql`${sql.identifier(name as string)} ${sql.raw(indexConfig.opClass ?? '')}`;
    });
    const options = Object.entries(config.with ?? {}).map(([name, value]) => sql.raw(`${name} = ${value}`));
    const create = sql`create index ${how} ${sql.identifier(config.name as string)} on ${searchDocuments}
        using ${sql.raw(config.method ?? 'btree')} (${sql.join(columns, sql`, `)})
        ${options.length > 0 ? sql`with (${sql.join(options, sql`, `)})` : sql``}
        ${config.where ? sql`where ${config.where}` : sql``}`;
    await (migrateUrl ? asMigrator(migrateUrl, (one) => query(one, create)) : askSystem(db, create));
  }
}
