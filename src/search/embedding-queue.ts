import { sql } from 'drizzle-orm';
import type { Log } from '../base/log.ts';
import { asUser, type Claims } from '../db/as-user.ts';
import { type Database, query, type Tx } from '../db/open.ts';
import { type Leased, leaseRows, type Queue, workOn } from '../db/queue.ts';
import { askSystem, forEachUser } from '../db/system.ts';
import type { Embedder } from './embedding/embedder.ts';

/** How many texts are embedded together. */
const BATCH = 16;
/**
 * How many vectors a transaction stores. The embedded engine takes 3 to 6 ms for each and answers nothing else
 * meanwhile.
 */
const STORED_AT_ONCE = 2;
/**
 * Queue of the texts without a vector of the model in use. It has no state column: a row leaves it by getting a vector.
 */
export const EMBED_QUEUE: Queue = {
  name: 'texts without a vector',
  table: 'search_documents',
  columns: { attempts: 'embed_attempts', runAfter: 'embed_after', error: 'embed_error' },
  leaseSeconds: 60,
  pauseSeconds: 5,
  maxAttempts: 10,
  dead: {
    is: sql`embed_after = 'infinity'`,
    bury: sql`embed_after = 'infinity'`,
    about: sql`kind || ' ' || source_id`,
  },
};

/** Weight of the vector of text and context together, beside the text's own vector (measured, see docs/search.md). */
const CONTEXT_SHARE = 0.6;

/** What is embedded of a search document. */
type Text = { content: string; label: string | null; context: string | null };

type Row = Leased & Text;

/** Number of batches before the next user has a turn: what somebody just wrote waits for no more of another's. */
const BATCHES_A_TURN = 5;

/**
 * Embeds some batches for each user who has documents without a vector of the model in use. A failure is stored on the
 * row and tried again, at most ten times.
 *
 * @returns whether there may be more
 */
export async function embedPending(
  services: { db: Database; embedder: Embedder; log: Log },
  signal: AbortSignal,
): Promise<boolean> {
  const { db, embedder, log } = services;
  const { state, model } = embedder.status();
  if (state !== 'ready' || model === null) return false;
  const users = sql`select lore.users_to_embed(${model}) as id`;
  // the first server that has something to embed decides on the model of the database
  let row: { may: boolean } | undefined;
  return forEachUser(db, users, { log, name: 'embed', signal }, async (userId) => {
    [row] = row ? [row] : await askSystem<{ may: boolean }>(db)`select lore.may_embed(${model}) as may`;
    if (!row?.may) return false;
    const claims: Claims = { userId, role: 'member' };
    const one = async () => (await embedBatch(services, claims, model, signal)) === BATCH;
    const some = async () => {
      for (let n = 0; n < BATCHES_A_TURN; n++) if (signal.aborted || !(await one())) return false;
      return true;
    };
    // if there are many, two batches run at a time, so that one is embedded while the other is read or
    // written
    return (await one()) && (await Promise.all([some(), some()])).includes(true);
  });
}

/** Embeds one batch. Returns the number of documents that it took from the queue. */
async function embedBatch(
  { db, embedder, log }: { db: Database; embedder: Embedder; log: Log },
  claims: Claims,
  model: string,
  signal: AbortSignal,
): Promise<number> {
  const rows = await asUser(db, claims, (tx) => leaseDocuments(tx, model));
  // after a failure each text is embedded alone, so that one that cannot be embedded does not stop the others
  const batches = rows.some(({ attempts }) => attempts > 1) ? rows.map((row) => [row]) : [rows];
  for (const batch of batches.filter(({ length }) => length > 0)) {
    const waiting = [...batch];
    await workOn({ db, claims, queue: EMBED_QUEUE, log, signal }, waiting, async (signal) => {
      const vectors = await vectorsOf(batch, embedder, claims.userId, signal);
      while (waiting.length > 0) {
        const some = waiting.slice(0, STORED_AT_ONCE);
        await asUser(db, claims, (tx) => store(tx, some, vectors.splice(0, STORED_AT_ONCE), model));
        waiting.splice(0, STORED_AT_ONCE);
      }
    });
  }
  return rows.length;
}

/**
 * Returns one vector per text, in the form of pgvector: that of the text, mixed in a conversation with that of context and
 * text together.
 */
async function vectorsOf(
  rows: Text[],
  embedder: Embedder,
  userId: string,
  signal: AbortSignal,
): Promise<string[]> {
  const texts = rows.map(({ label, content }) => (label === null ? content : `${label}: ${content}`));
  const inContext = rows.flatMap(({ context }, i) => (context === null ? [] : [`${context}\n${texts[i]}`]));
  const made = await embedder.embed([...texts, ...inContext], { userId, signal });
  let next = rows.length;
  return rows.map(({ context }, i) => {
    const own = made[i] as Float32Array;
    const vector = context === null ? own : mix(own, made[next++] as Float32Array, CONTEXT_SHARE);
    return `[${vector.join(',')}]`;
  });
}

function mix(a: Float32Array, b: Float32Array, share: number): Float32Array {
  const sum = a.map((value, n) => value * (1 - share) + (b[n] ?? 0) * share);
  const norm = Math.hypot(...sum);
  return sum.map((value) => value / norm);
}

async function store(tx: Tx, rows: Row[], vectors: string[], model: string) {
  const ids = sql`${sql.param(rows.map((row) => row.id))}::uuid[]`;
  // in one order, or two servers could deadlock
  await query(tx)`
    with mine as (select id from search_documents where id = any(${ids}) order by id for update)
    update search_documents d set embedding = v.embedding::vector, embedding_model = ${model}, embed_error = null,
      embed_attempts = 0, embed_after = now()
    from unnest(${ids}, ${sql.param(rows.map((row) => row.content))}::text[],
      ${sql.param(vectors)}::text[]) v(id, content, embedding) join mine using (id)
    -- unless the text changed meanwhile
    where d.id = v.id and d.content = v.content`;
  await query(tx)`select queue_amendments(${ids})`;
}

const leaseDocuments = (tx: Tx, model: string) =>
  leaseRows<Row>(tx, EMBED_QUEUE, {
    rows: BATCH,
    // What was just written comes first, before what was imported or indexed anew, which was confirmed long ago.
    // (By both columns, because the planner does not see that the first is always null.)
    order: sql`embedding_model desc, confirmed_at desc`,
    // `is distinct from` would read the whole table
    waiting: [sql`embedding_model is null`, sql`(embedding_model < ${model} or embedding_model > ${model})`],
    returning: sql`content, label, context`,
  });
