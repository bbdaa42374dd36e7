import { and, eq, sql } from 'drizzle-orm';
import { asUser, type Claims } from '../db/as-user.ts';
import { type Database, query, type Tx } from '../db/open.ts';
import { usersToEmbed } from '../db/system.ts';
import type { Embedder } from '../embedding/embedder.ts';
import type { Log } from '../log.ts';
import { searchDocuments } from './schema.ts';

const BATCH = 16;
/** A row that a killed worker held is free again after this. */
const LEASE_SECONDS = 60;

type Row = { id: string; content: string; embed_attempts: number };

/**
 * Embeds one batch for each user who has documents without a vector of the model in use.
 *
 * @returns whether there may be more. Failures are kept on the row and tried again, later each time (at most hourly).
 */
export async function embedPending(db: Database, embedder: Embedder, log: Log): Promise<boolean> {
  const { state, model } = embedder.status();
  if (state !== 'ready' || model === null) return false;
  const users = await usersToEmbed(db, model);
  for (const userId of users) await embedBatch(db, { userId, role: 'member' }, embedder, model, log);
  return users.length > 0;
}

async function embedBatch(db: Database, claims: Claims, embedder: Embedder, model: string, log: Log) {
  const rows = await asUser(db, claims, (tx) => lease(tx, model));
  if (rows.length === 0) return;
  try {
    const vectors = await embedder.embed(
      rows.map((row) => row.content),
      { priority: 'batch' },
    );
    await asUser(db, claims, async (tx) => {
      for (const [i, row] of rows.entries()) {
        await tx
          .update(searchDocuments)
          .set({ embedding: [...(vectors[i] as Float32Array)], embeddingModel: model, embedError: null })
          // unless the text changed meanwhile
          .where(and(eq(searchDocuments.id, row.id), eq(searchDocuments.content, row.content)));
      }
    });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    log.warn({ documents: rows.length, reason: message }, 'embedding failed; trying again later');
    await asUser(db, claims, async (tx) => {
      for (const row of rows) {
        const wait = Math.min(3600, 5 * 2 ** row.embed_attempts);
        await tx
          .update(searchDocuments)
          .set({ embedError: message.slice(0, 500), embedAfter: sql`now() + make_interval(secs => ${wait})` })
          .where(eq(searchDocuments.id, row.id));
      }
    });
  }
}

const lease = (tx: Tx, model: string) =>
  query<Row>(
    tx,
    sql`update search_documents set embed_attempts = embed_attempts + 1,
          embed_after = now() + make_interval(secs => ${LEASE_SECONDS})
        where id in (
          select id from search_documents
          where embedding_model is distinct from ${model} and embed_after <= now()
          order by embed_after limit ${BATCH} for update skip locked)
        returning id, content, embed_attempts`,
  );

export type IndexHealth = {
  learnings: number;
  documents: number;
  embedded: number;
  pending: number;
  failing: number;
};

/** The caller's counts of source rows, index rows and vectors, as `lore doctor` compares them. */
export async function indexHealth(tx: Tx, model: string | null): Promise<IndexHealth> {
  const [row] = await query<IndexHealth>(
    tx,
    sql`select (select count(*)::int from learnings where status = 'active') as learnings,
          count(*)::int as documents,
          count(*) filter (where embedding_model = ${model})::int as embedded,
          count(*) filter (where embedding_model is distinct from ${model})::int as pending,
          count(*) filter (where embed_error is not null)::int as failing
        from search_documents where kind = 'learning'`,
  );
  return row as IndexHealth;
}

/** Rebuilds the caller's index from the typed tables; vectors follow in the background. Gives the number of rows. */
export async function reindex(tx: Tx): Promise<number> {
  const [row] = await query<{ n: number }>(tx, sql`select rebuild_search_documents()::int as n`);
  return row?.n ?? 0;
}
