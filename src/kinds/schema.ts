// Longer than 400 lines because the tables of all that is known are side by side.
import { sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  bigint,
  boolean,
  customType,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  real,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';
import { NO_PROJECT, ownRows, time, userId, validity } from '../db/columns.ts';
import { WRITERS } from '../http/key-scope.ts';
import { inProject, inSession } from '../sessions/schema.ts';
import type { AuditAnswer } from './audit-form.ts';

// The tables of what agents and people know. An id is unique for its user only, so that an import never tells whether
// another user has the same.

/** Who a statement comes from, the weightiest first. */
export const TIERS = ['person', 'observed', 'agent', 'inferred'] as const;
export type Tier = (typeof TIERS)[number];

/** What opened a row, and what closed it. */
export const CHANGES = ['put', 'end', 'undo', 'amendment'] as const;

// Facts, relations and decisions have two clocks. `valid_from` and `valid_until` say when something was true,
// `recorded_at` and `recorded_until` when Lore held it to be so. A change never rewrites a row: it closes rows
// (`recorded_until`) and opens others. Rows that are still open (`recorded_until` is null) are the present belief. The
// exclusion constraint `…_no_overlap` (sql/tables.sql) keeps the rows of a subject apart in both clocks. sql/temporal
// makes the changes.

const temporal = () => ({
  /** the same in all rows of one statement, of which at most one is open */
  id: uuid('id').notNull().defaultRandom(),
  userId: userId(),
  /** null: the user's own, found from every project */
  projectId: uuid('project_id'),
  /** the project as a value that is never null, because a constraint does not treat two nulls as equal */
  scopeId: uuid('scope_id')
    .notNull()
    .generatedAlwaysAs(sql.raw(`coalesce(project_id, '${NO_PROJECT}'::uuid)`)),
  ...validity(),
  recordedAt: time('recorded_at').notNull().defaultNow(),
  recordedUntil: time('recorded_until'),
  openedBy: text('opened_by', { enum: CHANGES }).notNull().default('put'),
  closedBy: text('closed_by', { enum: CHANGES }),
  tier: text('tier', { enum: TIERS }).notNull(),
  /** where it was learned: a file, a command, a person */
  source: text('source'),
  evidence: text('evidence'),
  sessionId: uuid('session_id'),
  agent: text('agent'),
  /** when the same was last stated again, and how often */
  confirmedAt: time('confirmed_at').notNull().defaultNow(),
  confirmations: integer('confirmations').notNull().default(0),
});

/** Returns SQL for the subject of these columns, as `temporal_subject` in SQL makes it. */
const subjectOf = (...columns: string[]) =>
  sql.raw(`md5(${columns.map((name) => `quote_literal(${name})`).join(` || ',' || `)})::uuid`);

/** Values by type and key. */
export const facts = pgTable(
  'facts',
  {
    ...temporal(),
    type: text('type').notNull(),
    key: text('key').notNull(),
    value: jsonb('value').notNull(),
    subject: uuid('subject').notNull().generatedAlwaysAs(subjectOf('type', 'key')),
  },
  (t) => [
    primaryKey({ name: 'facts_own', columns: [t.userId, t.id, t.recordedAt] }),
    inProject(t),
    index('facts_subject').on(t.userId, t.subject, t.validFrom),
    index('facts_type').on(t.userId, t.type, t.validFrom),
    index('facts_order').on(t.userId, t.validFrom, t.id),
    index('facts_session').on(t.userId, t.sessionId),
    ownRows(),
  ],
);

/** Edges from one entity to another. An entity is a type and a key. */
export const relations = pgTable(
  'relations',
  {
    ...temporal(),
    fromType: text('from_type').notNull(),
    fromKey: text('from_key').notNull(),
    relation: text('relation').notNull(),
    toType: text('to_type').notNull(),
    toKey: text('to_key').notNull(),
    attributes: jsonb('attributes').$type<Record<string, unknown>>().notNull().default({}),
    subject: uuid('subject')
      .notNull()
      .generatedAlwaysAs(subjectOf('from_type', 'from_key', 'relation', 'to_type', 'to_key')),
    /** its two ends, short enough for an index */
    fromEntity: uuid('from_entity').notNull().generatedAlwaysAs(subjectOf('from_type', 'from_key')),
    toEntity: uuid('to_entity').notNull().generatedAlwaysAs(subjectOf('to_type', 'to_key')),
  },
  (t) => [
    primaryKey({ name: 'relations_own', columns: [t.userId, t.id, t.recordedAt] }),
    inProject(t),
    index('relations_subject').on(t.userId, t.subject, t.validFrom),
    index('relations_from').on(t.userId, t.fromEntity),
    index('relations_to').on(t.userId, t.toEntity),
    index('relations_order').on(t.userId, t.validFrom, t.id),
    index('relations_session').on(t.userId, t.sessionId),
    ownRows(),
  ],
);

/** Rules: in this condition, do that. */
export const decisions = pgTable(
  'decisions',
  {
    ...temporal(),
    condition: text('condition').notNull(),
    action: text('action').notNull(),
    confidence: real('confidence').notNull(),
    /** the end that was stated for it; a newer decision may end it earlier (`valid_until`) */
    statedUntil: time('stated_until'),
    subject: uuid('subject').notNull().generatedAlwaysAs(sql.raw('id')),
  },
  (t) => [
    primaryKey({ name: 'decisions_own', columns: [t.userId, t.id, t.recordedAt] }),
    inProject(t),
    index('decisions_order').on(t.userId, t.validFrom, t.id),
    index('decisions_session').on(t.userId, t.sessionId),
    ownRows(),
  ],
);

/** What a note is based on and how to use it. Any other names are allowed too. */
export type NoteMetadata = { breadcrumbs?: Record<string, unknown>; [name: string]: unknown };

export const messageTypes = ['reflection', 'decision', 'pattern', 'policy'] as const;

/** An immutable reflection in a channel. */
export const notes = pgTable(
  'notes',
  {
    id: uuid('id').notNull().defaultRandom(),
    userId: userId(),
    /** null: it belongs to the user and is found from all projects */
    projectId: uuid('project_id'),
    channel: text('channel').notNull(),
    sender: text('sender'),
    senderProject: text('sender_project'),
    /** by its key, whatever `sender` says; null: it is older than 0.5 */
    writtenBy: text('written_by', { enum: WRITERS }),
    content: text('content').notNull(),
    confidence: real('confidence').notNull().default(0.5),
    mentions: text('mentions').array().notNull().default(sql`'{}'`),
    messageType: text('message_type', { enum: messageTypes }).notNull().default('reflection'),
    metadata: jsonb('metadata').$type<NoteMetadata>().notNull().default({}),
    /** the conversation that it belongs to, if the client names one */
    conversation: text('conversation'),
    /** idempotency key: a second note with the same key is not stored */
    dedupKey: text('dedup_key'),
    /** the note that this one replaces */
    supersedes: uuid('supersedes'),
    createdAt: time('created_at').notNull().defaultNow(),
    /** set when another note replaces it */
    validUntil: time('valid_until'),
    /** order of arrival, because notes stored in one request may have the same time */
    seq: bigint('seq', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
  },
  (t) => [
    primaryKey({ name: 'notes_own', columns: [t.userId, t.id] }),
    unique('notes_once').on(t.userId, t.dedupKey),
    inProject(t),
    index('notes_order').on(t.userId, t.projectId, t.createdAt, t.seq),
    index('notes_recent').on(t.userId, t.createdAt, t.seq),
    index('notes_channel').on(t.userId, t.channel, t.createdAt),
    index('notes_sender').on(t.userId, t.sender, t.createdAt),
    index('notes_mentions').on(t.userId, t.createdAt).where(sql`mentions <> '{}'`),
    ownRows(),
  ],
);

/** Agents that wrote notes or were started as subagents. A trigger adds the writers of new notes. */
export const agents = pgTable(
  'agents',
  {
    userId: userId(),
    name: text('name').notNull(),
    createdAt: time('created_at').notNull().defaultNow(),
    lastActive: time('last_active').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.name] }), ownRows()],
);

/** From the severest on. */
export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const;
/** The states in which something is still to be done, and those in which nothing is. */
export const OPEN_STATUSES = ['open', 'in_progress'] as const;
export const FINDING_STATUSES = [...OPEN_STATUSES, 'resolved', 'wont_fix', 'duplicate'] as const;

/** A problem that somebody noticed. */
export const findings = pgTable(
  'findings',
  {
    id: uuid('id').notNull().defaultRandom(),
    userId: userId(),
    projectId: uuid('project_id').notNull(),
    title: text('title').notNull(),
    detail: text('detail').notNull().default(''),
    severity: text('severity', { enum: SEVERITIES }).notNull().default('medium'),
    status: text('status', { enum: FINDING_STATUSES }).notNull().default('open'),
    resolution: text('resolution'),
    file: text('file'),
    line: integer('line'),
    /** who noticed it */
    agent: text('agent'),
    /** by its key, whatever `agent` says; null: it is older than 0.5 */
    writtenBy: text('written_by', { enum: WRITERS }),
    createdAt: time('created_at').notNull().defaultNow(),
    updatedAt: time('updated_at').notNull().defaultNow(),
    /** what an episode that changed its file proposes, until somebody decides; null: nothing */
    proposedStatus: text('proposed_status', { enum: FINDING_STATUSES }),
    /** the episode that proposed it last */
    proposedBy: uuid('proposed_by'),
    /** the episode that solved it */
    solvedBy: uuid('solved_by'),
    /** when its status became one in which nothing is to be done any more; set by a trigger */
    closedAt: time('closed_at'),
  },
  (t) => [
    primaryKey({ name: 'findings_own', columns: [t.userId, t.id] }),
    inProject(t),
    index('findings_order').on(t.userId, t.projectId, t.createdAt, t.id),
    index('findings_recent').on(t.userId, t.createdAt, t.id),
    ownRows(),
  ],
);

const toFinding = (t: { userId: AnyPgColumn }, id: AnyPgColumn) =>
  foreignKey({ columns: [t.userId, id], foreignColumns: [findings.userId, findings.id] }).onDelete('cascade');

/** Links between findings. Links that block make no circle. In a relation the smaller id comes first. */
export const findingLinks = pgTable(
  'finding_links',
  {
    userId: userId(),
    kind: text('kind', { enum: ['blocks', 'related_to'] }).notNull(),
    fromId: uuid('from_id').notNull(),
    toId: uuid('to_id').notNull(),
    createdAt: time('created_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.kind, t.fromId, t.toId] }),
    toFinding(t, t.fromId),
    toFinding(t, t.toId),
    index('finding_links_to').on(t.userId, t.toId),
    ownRows(),
  ],
);

const bytes = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' });

/** A long output of a tool, once for each user. Its id is the beginning of the SHA-256 of its text. */
export const observations = pgTable(
  'observations',
  {
    userId: userId(),
    /** the first 12 hex digits of `hash` */
    id: text('id').notNull(),
    /** SHA-256 of the redacted text, in hex */
    hash: text('hash').notNull(),
    /** in UTF-16 units */
    characters: integer('characters').notNull(),
    lines: integer('lines').notNull(),
    /** false: the middle was cut out, because the output was longer than what is kept */
    whole: boolean('whole').notNull(),
    /** the text, deflated (zlib) */
    content: bytes('content').notNull(),
    createdAt: time('created_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.id] }),
    index('observations_day').on(t.userId, t.createdAt),
    ownRows(),
  ],
);

/** An event that produced an observation. The session is named by the client's id, so that an import keeps it. */
export const observationSources = pgTable(
  'observation_sources',
  {
    userId: userId(),
    observationId: text('observation_id').notNull(),
    projectId: uuid('project_id').notNull(),
    session: text('session').notNull(),
    /** key of the event within its session, see `dedupKey` */
    eventKey: text('event_key').notNull(),
    agentId: text('agent_id'),
    tool: text('tool').notNull(),
    /** what the call was about: its command, address or query */
    about: text('about').notNull(),
    /** whether the agent was shown an extract in place of the output */
    masked: boolean('masked').notNull().default(false),
    at: time('at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.session, t.eventKey, t.observationId] }),
    foreignKey({
      columns: [t.userId, t.observationId],
      foreignColumns: [observations.userId, observations.id],
    }).onDelete('cascade'),
    inProject(t),
    index('observation_sources_observation').on(t.userId, t.observationId),
    index('observation_sources_session').on(t.userId, t.session, t.at),
    ownRows(),
  ],
);

/** Queue of sessions that have ended and are to be looked back on. A row stays as the record of what was found. */
export const sessionAudits = pgTable(
  'session_audits',
  {
    id: uuid('id').notNull().defaultRandom(),
    userId: userId(),
    projectId: uuid('project_id').notNull(),
    /** null: it was imported without its session */
    sessionId: uuid('session_id'),
    status: text('status', { enum: ['pending', 'waiting', 'done', 'failed'] })
      .notNull()
      .default('pending'),
    attempts: integer('attempts').notNull().default(0),
    runAfter: time('run_after').notNull().defaultNow(),
    error: text('error'),
    /** what its calls of the model cost, those that failed too */
    tokens: integer('tokens').notNull().default(0),
    /** `audit:` and the model */
    evaluatedBy: text('evaluated_by'),
    /** stored before its lessons are judged, so that a crash does not ask again */
    answer: jsonb('answer').$type<AuditAnswer>(),
    /** why there is no answer */
    reason: text('reason'),
    createdAt: time('created_at').notNull().defaultNow(),
    finishedAt: time('finished_at'),
  },
  (t) => [
    primaryKey({ name: 'session_audits_own', columns: [t.userId, t.id] }),
    // one call a session
    unique('session_audits_session').on(t.userId, t.sessionId),
    inProject(t),
    inSession(t),
    index('session_audits_queue').on(t.runAfter).where(sql`status = 'pending'`),
    ownRows(),
  ],
);

/**
 * What is known of a cited thing: `waiting` until its baseline is taken, then whether it is as it was. `unknown`: it
 * could not be looked at.
 */
export const STATES = ['waiting', 'fresh', 'changed', 'gone', 'unknown'] as const;

/**
 * The files, symbols and commits that notes and lessons cite, each with how it was when the record was written (its
 * baseline) and how it was when it was last looked at.
 */
export const citations = pgTable(
  'citations',
  {
    userId: userId(),
    kind: text('kind').notNull(),
    sourceId: uuid('source_id').notNull(),
    /** `file:src/a.ts`, `symbol:src/a.ts#pool`, `commit:4f2c1aa` */
    ref: text('ref').notNull(),
    projectId: uuid('project_id'),
    /** the folder in which the baseline was taken */
    root: text('root'),
    /** the commit that was checked out then */
    head: text('head'),
    /** of the file then, in bytes; null for a commit */
    size: bigint('size', { mode: 'number' }),
    /** SHA-256 of the file then, `present` for a symbol or a commit; null: it was not there, or could not be read */
    hash: text('hash'),
    state: text('state', { enum: STATES }).notNull().default('waiting'),
    citedAt: time('cited_at').notNull().defaultNow(),
    /** when it was last looked at */
    checkedAt: time('checked_at'),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.kind, t.sourceId, t.ref] }),
    inProject(t),
    index('citations_state').on(t.userId, t.state),
    index('citations_project').on(t.userId, t.projectId, t.checkedAt),
    ownRows(),
  ],
);
