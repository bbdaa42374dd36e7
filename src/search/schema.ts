import { sql } from 'drizzle-orm';
import { customType, index, integer, pgTable, real, text, unique, uuid, vector } from 'drizzle-orm/pg-core';
import { ownRows, time, userId } from '../db/columns.ts';

const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' });

/**
 * The derived index: one row for each searchable record, written by triggers in the record's own transaction and
 * rebuilt by `lore reindex`. Rows without a vector of the model in use are the embedding worker's queue.
 * No foreign keys: it can be emptied and refilled at any time.
 */
export const searchDocuments = pgTable(
  'search_documents',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: userId(),
    projectId: uuid('project_id'),
    kind: text('kind').notNull(),
    sourceId: uuid('source_id').notNull(),
    content: text('content').notNull(),
    tsv: tsvector('tsv').generatedAlwaysAs(sql`to_tsvector('english', content)`),
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
  },
  (t) => [
    unique('search_documents_source').on(t.userId, t.kind, t.sourceId),
    index('search_documents_scope').on(t.userId, t.projectId, t.kind),
    index('search_documents_tsv').using('gin', t.tsv),
    ownRows(),
  ],
);
