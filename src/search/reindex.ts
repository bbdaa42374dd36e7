import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Log } from '../base/log.ts';
import { asUser, type Claims } from '../db/as-user.ts';
import { type Database, query, type Tx } from '../db/open.ts';
import { forEachUser } from '../db/system.ts';

const n = z.number();
/** The caller's counts. sql/index/index_health.sql explains each of them. */
export const IndexHealth = z.object({
  ...{ sources: n, documents: n, embedded: n, pending: n, failing: n, missing: n, orphaned: n },
});
type IndexHealth = z.output<typeof IndexHealth>;

/** Returns how complete the caller's index is, for `lore doctor` and `/v1/index`. */
export async function indexHealth(tx: Tx, model: string | null): Promise<IndexHealth> {
  const [row] = await query<IndexHealth>(tx)`select * from index_health(${model})`;
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
    await query(tx)`select delete_orphaned_search_documents()`;
    return query<{ kind: string }>(tx)`select searchable_kinds() as kind`;
  });
  for (const { kind } of kinds) {
    let after: string | null = '00000000-0000-0000-0000-000000000000';
    while (after !== null) {
      const last: string = after;
      const [row] = await asUser(
        db,
        claims,
        (tx) =>
          query<{ last: string | null }>(tx)`
          select rebuild_search_documents(${kind}, ${last}::uuid, ${PIECE}::int) as last`,
      );
      after = row?.last ?? null;
    }
  }
}

/** Indexes the records that the search index lacks, as after a restore. */
export async function healIndex(db: Database, log: Log): Promise<void> {
  const users = sql`select lore.users_to_reindex() as id`;
  await forEachUser(db, users, { log, name: 'heal the index' }, async (userId) => {
    await reindex(db, { userId, role: 'member' });
    return false;
  });
}
