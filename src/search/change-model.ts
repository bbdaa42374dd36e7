import { sql } from 'drizzle-orm';
import { asUser, type Claims } from '../db/as-user.ts';
import { type Database, query, type Tx } from '../db/open.ts';
import { type Leased, leaseRows, type Queue, workOn } from '../db/queue.ts';
import { askSystem, forEachUser } from '../db/system.ts';
import { abortable, type Embedder } from '../embedding/embedder.ts';
import { Problem } from '../errors/problem.ts';
import type { Log } from '../log.ts';
import { type DatabaseEmbedder, type Models, readModels } from './database-model.ts';
import { BATCH, BATCHES_A_TURN, type Text, vectorsOf } from './embedding-queue.ts';

// Changes the embedding model of a database (sql/index/embedding_model.sql). What was made stands in next_vectors, so a
// change that was interrupted goes on where it was.

/** Queue of the texts whose vector of the next model is not made yet. A row leaves it by getting the vector. */
export const NEXT_VECTOR_QUEUE: Queue = {
  name: 'vectors of the next model',
  table: 'next_vectors',
  columns: { attempts: 'attempts', runAfter: 'run_after', error: 'error' },
  open: sql`embedding is null`,
  leaseSeconds: 20,
  pauseSeconds: 5,
  maxAttempts: 10,
  dead: {
    is: sql`embedding is null and run_after = 'infinity'`,
    bury: sql`run_after = 'infinity'`,
    about: sql`(select d.kind || ' ' || d.source_id from search_documents d
                where d.user_id = next_vectors.user_id and d.id = next_vectors.id)`,
  },
};

/** How many texts are queued at once. */
const QUEUED_AT_ONCE = 500;

/** How far a change is, over all users: texts, and those that have a vector of the model in use and of the next one. */
export type ModelChange = Models & {
  /** the model of this server; null: it has none */
  own: string | null;
  documents: number;
  embedded: number;
  prepared: number;
};

type Owned = Pick<DatabaseEmbedder, 'own' | 'note'>;

/** Returns which models there are, and how far a change is. It counts all texts. */
export async function modelChange(db: Database, embedder: Owned): Promise<ModelChange> {
  const [counts] = await askSystem<Pick<ModelChange, 'documents' | 'embedded' | 'prepared'>>(
    db,
    sql`select * from lore.model_progress()`,
  );
  const models = await readModels(db);
  embedder.note(models);
  const { documents = 0, embedded = 0, prepared = 0 } = counts ?? {};
  return { own: embedder.own.status().model, ...models, documents, embedded, prepared };
}

/**
 * Begins to change the database to this server's model, or ends a change to another one if this server has the model in
 * use. The worker does the rest.
 *
 * @throws Problem 409 when the server has no model
 */
export async function beginModelChange(db: Database, embedder: Owned): Promise<void> {
  const { state, model, reason } = embedder.own.status();
  if (model === null)
    throw new Problem({
      status: 409,
      title: 'No embedding model',
      detail: `This server has no embedding model that the database could be changed to (${reason ?? state}). lore doctor says when it has one.`,
    });
  await askSystem(db, sql`select lore.begin_model_change(${model})`);
  embedder.note(await readModels(db));
}

/**
 * Makes some vectors of the next model for each user, if that is the model of this server, and puts the model in use when
 * all are made.
 *
 * @returns whether there may be more
 */
export async function changeModel(
  services: { db: Database; embedder: DatabaseEmbedder; log: Log; wake(worker: 'embed'): void },
  signal: AbortSignal,
): Promise<boolean> {
  const { db, embedder, log } = services;
  const { state, model } = embedder.own.status();
  const models = await readModels(db);
  embedder.note(models);
  if (state !== 'ready' || model === null || models.next !== model) return false;
  const users = sql`select lore.users_to_prepare(${model}) as id`;
  const more = await forEachUser(db, users, { log, name: 'change model', signal }, async (userId) => {
    const batch = { claims: { userId, role: 'member' } as const, model, embedder: embedder.own, signal };
    const some = async () => {
      for (let n = 0; n < BATCHES_A_TURN; n++)
        if (signal.aborted || !(await prepareBatch({ db, log }, batch))) return false;
      return true;
    };
    return (await Promise.all([some(), some()])).includes(true);
  });
  if (more || signal.aborted) return more;
  const [row] = await askSystem<{ ended: boolean }>(db, sql`select lore.end_model_change(${model}) as ended`);
  if (!row?.ended) return false;
  embedder.note(await readModels(db));
  log.info({ model, before: models.inUse }, 'the embedding model of the database was changed');
  services.wake('embed');
  return false;
}

type Batch = { claims: Claims; model: string; embedder: Embedder; signal: AbortSignal };

/** Makes the vectors of one batch. Returns whether there was anything to do. */
async function prepareBatch(
  { db, log }: { db: Database; log: Log },
  { claims, model, embedder, signal }: Batch,
): Promise<boolean> {
  const rows = await asUser(db, claims, (tx) => lease(tx, model));
  if (rows.length === 0) {
    const [row] = await asUser(db, claims, (tx) =>
      query<{ n: number }>(tx, sql`select prepare_vectors(${model}, ${QUEUED_AT_ONCE}::int) as n`),
    );
    return (row?.n ?? 0) > 0;
  }
  // after a failure each text is embedded alone, so that one that cannot be embedded does not stop the others
  const batches = rows.some(({ attempts }) => attempts > 1) ? rows.map((row) => [row]) : [rows];
  for (const batch of batches) {
    await workOn({ db, claims, queue: NEXT_VECTOR_QUEUE, log, signal }, batch, async (signal) => {
      const vectors = await vectorsOf(batch, abortable(embedder, signal), claims.userId);
      await asUser(db, claims, (tx) => store(tx, batch, vectors, model));
    });
  }
  return true;
}

/** Leases rows and reads their texts. A row whose text is gone is deleted. */
async function lease(tx: Tx, model: string): Promise<(Leased & Text)[]> {
  const leased = await leaseRows(tx, NEXT_VECTOR_QUEUE, {
    rows: BATCH,
    waiting: [sql`model = ${model} and embedding is null`],
    returning: sql`model`,
  });
  if (leased.length === 0) return [];
  const ids = sql.param(leased.map(({ id }) => id));
  const texts = await query<{ id: string } & Text>(
    tx,
    sql`select id, content, label, context from search_documents where id = any (${ids}::uuid[])`,
  );
  if (texts.length < leased.length)
    await query(
      tx,
      sql`delete from next_vectors v where v.id = any (${ids}::uuid[]) and not exists (
          select from search_documents d where d.user_id = v.user_id and d.id = v.id)`,
    );
  const byId = new Map(texts.map((text) => [text.id, text]));
  return leased.flatMap(({ id, attempts }) => {
    const text = byId.get(id);
    return text ? [{ ...text, attempts }] : [];
  });
}

async function store(tx: Tx, rows: (Leased & Text)[], vectors: string[], model: string): Promise<void> {
  await query(
    tx,
    sql`update next_vectors n set embedding = v.embedding::vector, error = null
        from unnest(${sql.param(rows.map(({ id }) => id))}::uuid[], ${sql.param(rows.map(({ content }) => content))}::text[],
          ${sql.param(vectors)}::text[]) v(id, content, embedding)
        join search_documents d on d.id = v.id and d.content = v.content -- unless the text changed meanwhile
        where n.id = v.id and n.model = ${model}`,
  );
}
