import { sql } from 'drizzle-orm';
import {
  boolean,
  customType,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  real,
  sparsevec,
  text,
  unique,
  uuid,
  vector,
} from 'drizzle-orm/pg-core';
import { ownRows, time, userId } from '../db/columns.ts';
import { inProject } from '../sessions/schema.ts';

const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' });

/**
 * The search index, derived from the records. It has one row per part of a searchable record; most records have one
 * part. Triggers write the rows in the record's own transaction, and `lore reindex` rebuilds them. The rows without a
 * vector of the model in use are the queue of the embedding worker. There are no foreign keys, so the table can be
 * emptied and refilled at any time.
 */
export const searchDocuments = pgTable(
  'search_documents',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: userId(),
    projectId: uuid('project_id'),
    kind: text('kind').notNull(),
    /**
     * the part of the index in which a search looks for it: large kinds have a shelf of their own, see
     * `search_shelf`
     */
    shelf: text('shelf').notNull().default(''),
    sourceId: uuid('source_id').notNull(),
    /** number of the part; a long text is cut into parts, but found as one result */
    part: integer('part').notNull().default(0),
    content: text('content').notNull(),
    /** who said it; embedded and searched with the content, but not shown */
    label: text('label'),
    /** what was said before in the same conversation; counts less than the content */
    context: text('context'),
    /** lexemes of content, label and context; those of the context have weight D. Set by trigger, like `terms`. */
    tsv: tsvector('tsv').notNull().default(sql`''`),
    /** BM25 weight of each lexeme, at the position of its hash */
    terms: sparsevec('terms', { dimensions: 268_435_456 }),
    /** 0.6 to 1, less for a turn of a conversation that says little or only asks, see `search_telling`. Set by trigger. */
    telling: real('telling').notNull().default(1),
    /** what the record may share with others: `file:src/a.ts`, `incident:<id>`, `commit:<sha>` */
    links: text('links').array().notNull().default(sql`'{}'`),
    embedding: vector('embedding', { dimensions: 384 }),
    embeddingModel: text('embedding_model'),
    embedAttempts: integer('embed_attempts').notNull().default(0),
    /** earliest time of the next try; lies in the future while a worker holds the row */
    embedAfter: time('embed_after').notNull().defaultNow(),
    embedError: text('embed_error'),
    agent: text('agent'),
    channel: text('channel'),
    // To filter by. They come from the metadata and the content of the record; null and empty for kinds without them.
    messageType: text('message_type'),
    /** in lower case */
    mentions: text('mentions').array().notNull().default(sql`'{}'`),
    hasBreadcrumbs: boolean('has_breadcrumbs').notNull().default(false),
    /** number of words of the whole record */
    words: integer('words').notNull().default(0),
    /** found only by searches in its own project */
    private: boolean('private').notNull().default(false),
    confidence: real('confidence').notNull(),
    validFrom: time('valid_from').notNull(),
    validUntil: time('valid_until'),
    /** when the record was last confirmed; recency counts from here */
    confirmedAt: time('confirmed_at').notNull(),
    /** days until its recency has fallen by half; comes from the view of its kind */
    halfLifeDays: real('half_life_days').notNull().default(90),
  },
  (t) => [
    unique('search_documents_part').on(t.userId, t.kind, t.sourceId, t.part),
    index('search_documents_scope').on(t.userId, t.projectId, t.shelf, t.id),
    index('search_documents_user').on(t.userId, t.shelf, t.id),
    index('search_documents_recent').on(t.userId, t.confirmedAt),
    index('search_documents_tsv').using('gin', t.tsv),
    // 10 links per vector instead of 16 save a third of the work of storing one; the recall of the nearest hundred is
    // 0.996 instead of 0.999
    index('search_documents_near')
      .using('hnsw', t.embedding.op('vector_cosine_ops'))
      .with({ m: 10, ef_construction: 64 }),
    // the embedding worker takes what was confirmed last first
    index('search_documents_model').on(t.userId, t.embeddingModel, t.confirmedAt),
    // for filters that leave few texts of a large scope
    index('search_documents_types').on(t.userId, t.messageType, t.hasBreadcrumbs, t.words, t.projectId, t.id),
    index('search_documents_channels').on(t.userId, t.channel),
    index('search_documents_failing').on(t.userId).where(sql`embed_error is not null`),
    ownRows(),
  ],
);

/** Why Lore decided that a text amends another. */
export type Evidence = {
  /** what the newer text says: the words of change, or the beginning of the other's id; `stated` if its writer said so */
  words: string;
  /** cosine of their nearest parts, and the model whose vectors these are; null if it was stated */
  similarity: number | null;
  model: string | null;
};

/** Links from a newer record to the older one that it amends. A search puts the newer above the older. */
export const amendments = pgTable(
  'amendments',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: userId(),
    /** kind of both records */
    kind: text('kind').notNull(),
    newerId: uuid('newer_id').notNull(),
    olderId: uuid('older_id').notNull(),
    evidence: jsonb('evidence').$type<Evidence>().notNull(),
    createdAt: time('created_at').notNull().defaultNow(),
    /** when a person undid it; the row stays, so that it is not decided again */
    undoneAt: time('undone_at'),
  },
  (t) => [
    unique('amendments_once').on(t.userId, t.kind, t.newerId, t.olderId),
    index('amendments_older').on(t.userId, t.kind, t.olderId),
    ownRows(),
  ],
);

/** Queue of the records that may amend an older one. They wait until all texts have their vectors. */
export const amendmentQueue = pgTable(
  'amendment_queue',
  {
    userId: userId(),
    kind: text('kind').notNull(),
    sourceId: uuid('source_id').notNull(),
    validFrom: time('valid_from').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.kind, t.sourceId] }),
    index('amendment_queue_order').on(t.userId, t.validFrom),
    ownRows(),
  ],
);

/** What a search was answered with, and what somebody said about it. */
export const searches = pgTable(
  'searches',
  {
    /** unique for its user only, so that an import never tells whether another user has the same id */
    id: uuid('id').notNull(),
    userId: userId(),
    projectId: uuid('project_id'),
    /** ids of the records, best first */
    results: uuid('results').array().notNull(),
    /** those that were rated */
    useful: uuid('useful').array().notNull().default(sql`'{}'`),
    notUseful: uuid('not_useful').array().notNull().default(sql`'{}'`),
    searchedAt: time('searched_at').notNull().defaultNow(),
    ratedAt: time('rated_at'),
  },
  (t) => [
    primaryKey({ name: 'searches_own', columns: [t.userId, t.id] }),
    inProject(t),
    index('searches_rated').on(t.userId, t.ratedAt).where(sql`rated_at is not null`),
    ownRows(),
  ],
);

/** When a note was last among the results of a search, to the day. The night closes old notes that nobody finds. */
export const noteFinds = pgTable(
  'note_finds',
  {
    userId: userId(),
    noteId: uuid('note_id').notNull(),
    foundAt: time('found_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.noteId] }), ownRows()],
);
