import { sql } from 'drizzle-orm';
import {
  boolean,
  customType,
  index,
  integer,
  pgTable,
  real,
  sparsevec,
  text,
  unique,
  uuid,
  vector,
} from 'drizzle-orm/pg-core';
import { ownRows, time, userId } from '../db/columns.ts';

const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' });

/**
 * The derived index: one row for each part of a searchable record (most have one part), written by triggers in the
 * record's own transaction and rebuilt by `lore reindex`. Rows without a vector of the model in use are the embedding
 * worker's queue. No foreign keys: it can be emptied and refilled at any time.
 */
export const searchDocuments = pgTable(
  'search_documents',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: userId(),
    projectId: uuid('project_id'),
    kind: text('kind').notNull(),
    sourceId: uuid('source_id').notNull(),
    /** long texts are cut into parts and answer as one item */
    part: integer('part').notNull().default(0),
    content: text('content').notNull(),
    /** read with the content, but not shown: who said it */
    label: text('label'),
    /** what was said before it in the same conversation; counts less than the content */
    context: text('context'),
    /** the lexemes of all three; those of the context have weight D. By trigger, as is `terms`. */
    tsv: tsvector('tsv').notNull().default(sql`''`),
    /** the BM25 weight of each lexeme, by its hash */
    terms: sparsevec('terms', { dimensions: 268_435_456 }),
    /** what it shares with others: `file:src/a.ts`, `incident:<id>`, `commit:<sha>` */
    links: text('links').array().notNull().default(sql`'{}'`),
    /** says that something changed, or is a decision: it outranks an older text about the same matter. By trigger. */
    amends: boolean('amends').notNull().default(false),
    embedding: vector('embedding', { dimensions: 384 }),
    embeddingModel: text('embedding_model'),
    embedAttempts: integer('embed_attempts').notNull().default(0),
    /** earliest time of the next try; set ahead while a worker holds the row */
    embedAfter: time('embed_after').notNull().defaultNow(),
    embedError: text('embed_error'),
    agent: text('agent'),
    channel: text('channel'),
    confidence: real('confidence').notNull(),
    validFrom: time('valid_from').notNull(),
    validUntil: time('valid_until'),
    /** when it was last found true; recency counts from here */
    confirmedAt: time('confirmed_at').notNull(),
    /** days until its recency has fallen half way; its kind's view says it */
    halfLifeDays: real('half_life_days').notNull().default(90),
  },
  (t) => [
    unique('search_documents_part').on(t.userId, t.kind, t.sourceId, t.part),
    index('search_documents_scope').on(t.userId, t.projectId, t.id),
    index('search_documents_user').on(t.userId, t.id),
    index('search_documents_recent').on(t.userId, t.confirmedAt),
    index('search_documents_tsv').using('gin', t.tsv),
    // 10 links instead of 16: a third less work for each vector stored, recall of the nearest hundred 0.996 for 0.999
    index('search_documents_near')
      .using('hnsw', t.embedding.op('vector_cosine_ops'))
      .with({ m: 10, ef_construction: 64 }),
    index('search_documents_model').on(t.embeddingModel),
    ownRows(),
  ],
);
