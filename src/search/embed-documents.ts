import { sql } from 'drizzle-orm';
import { asUser, type Claims } from '../db/as-user.ts';
import { type Database, query, type Tx } from '../db/open.ts';
import type { Embedder } from '../embedding/embedder.ts';
import type { Log } from '../log.ts';

const BATCH = 16;
/** The embedded engine answers nothing else while vectors go into the index: 3 to 6 ms each. */
const STORED_AT_ONCE = 2;
/** A row that a killed worker held is free again after this. */
const LEASE_SECONDS = 60;
/** How much of a vector comes from the text together with what was said before it (measured, docs/search.md). */
const CONTEXT_SHARE = 0.6;

type Row = {
  id: string;
  content: string;
  label: string | null;
  context: string | null;
  embed_attempts: number;
};

/** After so many batches the next user has a turn. */
const BATCHES_A_TURN = 20;

/**
 * Embeds some batches for each user who has documents without a vector of the model in use.
 *
 * @returns whether there may be more. Failures are kept on the row and tried again, later each time (at most hourly).
 */
export async function embedPending(db: Database, embedder: Embedder, log: Log): Promise<boolean> {
  const { state, model } = embedder.status();
  if (state !== 'ready' || model === null) return false;
  const users = await usersToEmbed(db, model);
  for (const userId of users) {
    const claims: Claims = { userId, role: 'member' };
    const some = async () => {
      for (let n = 0; n < BATCHES_A_TURN; n++) {
        if ((await embedBatch(db, claims, embedder, model, log)) === 0) return;
      }
    };
    // two at a time: one batch is being embedded while the other is read or written
    await Promise.all([some(), some()]);
  }
  return users.length > 0;
}

/** Returns how many documents it took on. */
async function embedBatch(
  db: Database,
  claims: Claims,
  embedder: Embedder,
  model: string,
  log: Log,
): Promise<number> {
  const rows = await asUser(db, claims, (tx) => lease(tx, model));
  if (rows.length === 0) return 0;
  let stored = 0;
  try {
    const vectors = await vectorsOf(rows, embedder);
    for (; stored < rows.length; stored += STORED_AT_ONCE) {
      const end = stored + STORED_AT_ONCE;
      await asUser(db, claims, (tx) => store(tx, rows.slice(stored, end), vectors.slice(stored, end), model));
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    log.warn({ documents: rows.length, reason: message }, 'embedding failed; trying again later');
    await asUser(db, claims, (tx) =>
      query(
        tx,
        sql`update search_documents set embed_error = ${message.slice(0, 500)},
              embed_after = now() + make_interval(secs => least(3600, 5 * 2 ^ embed_attempts))
            where id = any (${sql.param(rows.slice(stored).map((row) => row.id))}::uuid[])`,
      ),
    );
  }
  return rows.length;
}

/** One vector a row: of its text, or in a conversation mixed with that of the text after what was said before it. */
async function vectorsOf(rows: Row[], embedder: Embedder): Promise<Float32Array[]> {
  const texts = rows.map(({ label, content }) => (label === null ? content : `${label}: ${content}`));
  const inContext = rows.flatMap(({ context }, i) => (context === null ? [] : [`${context}\n${texts[i]}`]));
  const made = await embedder.embed([...texts, ...inContext], { priority: 'batch' });
  let next = rows.length;
  return rows.map(({ context }, i) => {
    const own = made[i] as Float32Array;
    return context === null ? own : mix(own, made[next++] as Float32Array, CONTEXT_SHARE);
  });
}

function mix(a: Float32Array, b: Float32Array, share: number): Float32Array {
  const sum = a.map((value, n) => value * (1 - share) + (b[n] ?? 0) * share);
  const norm = Math.hypot(...sum);
  return sum.map((value) => value / norm);
}

const store = (tx: Tx, rows: Row[], vectors: Float32Array[], model: string) =>
  query(
    tx,
    sql`update search_documents d set embedding = v.embedding::vector, embedding_model = ${model}, embed_error = null
        from unnest(${sql.param(rows.map((row) => row.id))}::uuid[], ${sql.param(rows.map((row) => row.content))}::text[],
          ${sql.param(vectors.map((vector) => `[${vector.join(',')}]`))}::text[]) v(id, content, embedding)
        -- unless the text changed meanwhile
        where d.id = v.id and d.content = v.content`,
  );

// Not in one condition: `is distinct from`, or an order, would read the whole table for each batch.
const lease = (tx: Tx, model: string) =>
  query<Row>(
    tx,
    sql`with fresh as (
          select id from search_documents where embedding_model is null and embed_after <= now()
          limit ${BATCH} for update skip locked
        ), stale as (
          select id from search_documents
          where (embedding_model < ${model} or embedding_model > ${model}) and embed_after <= now()
          limit ${BATCH} for update skip locked
        )
        update search_documents set embed_attempts = embed_attempts + 1,
          embed_after = now() + make_interval(secs => ${LEASE_SECONDS})
        where id in (select id from fresh union all select id from stale limit ${BATCH})
        returning id, content, label, context, embed_attempts`,
  );

/** Returns how many documents, of all users, lack a vector of `model`. */
export async function countToEmbed(db: Database, model: string | null): Promise<number> {
  const [row] = await query<{ n: number }>(db.drizzle, sql`select lore.count_to_embed(${model})::int as n`);
  return row?.n ?? 0;
}

async function usersToEmbed(db: Database, model: string): Promise<string[]> {
  const rows = await query<{ id: string }>(db.drizzle, sql`select lore.users_to_embed(${model}) as id`);
  return rows.map(({ id }) => id);
}
