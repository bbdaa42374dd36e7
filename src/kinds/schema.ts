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
import type { SkillFile } from './skills/skill-file.ts';
import type { EpisodeStep } from './values.ts';

// The tables of what agents and people know.

/** An id that is unique for its user only, so that an import never tells whether another user has the same. */
const own = () => ({ id: uuid('id').notNull().defaultRandom(), userId: userId() });
type Own = Record<'userId' | 'id' | 'projectId', AnyPgColumn>;
/** What tables with such an id and a project have in common. */
const owned = (table: string, t: Own) => [
  primaryKey({ name: `${table}_own`, columns: [t.userId, t.id] }),
  inProject(t),
  ownRows(),
];

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

/** What the tables of statements have in common. */
const believed = (table: string, t: Own & Record<'recordedAt' | 'validFrom' | 'sessionId', AnyPgColumn>) => [
  primaryKey({ name: `${table}_own`, columns: [t.userId, t.id, t.recordedAt] }),
  inProject(t),
  index(`${table}_order`).on(t.userId, t.validFrom, t.id),
  index(`${table}_session`).on(t.userId, t.sessionId),
  ownRows(),
];

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
    ...believed('facts', t),
    index('facts_subject').on(t.userId, t.subject, t.validFrom),
    index('facts_type').on(t.userId, t.type, t.validFrom),
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
    ...believed('relations', t),
    index('relations_subject').on(t.userId, t.subject, t.validFrom),
    index('relations_from').on(t.userId, t.fromEntity),
    index('relations_to').on(t.userId, t.toEntity),
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
  (t) => believed('decisions', t),
);

/** What a note is based on and how to use it. Any other names are allowed too. */
export type NoteMetadata = { breadcrumbs?: Record<string, unknown>; [name: string]: unknown };

export const messageTypes = ['reflection', 'decision', 'pattern', 'policy'] as const;

/** An immutable reflection in a channel. */
export const notes = pgTable(
  'notes',
  {
    ...own(),
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
    ...owned('notes', t),
    unique('notes_once').on(t.userId, t.dedupKey),
    index('notes_order').on(t.userId, t.projectId, t.createdAt, t.seq),
    index('notes_recent').on(t.userId, t.createdAt, t.seq),
    index('notes_channel').on(t.userId, t.channel, t.createdAt),
    index('notes_sender').on(t.userId, t.sender, t.createdAt),
    index('notes_mentions').on(t.userId, t.createdAt).where(sql`mentions <> '{}'`),
  ],
);

/** Channels of notes. A trigger adds those of new notes. */
export const channels = pgTable(
  'channels',
  {
    userId: userId(),
    name: text('name').notNull(),
    description: text('description'),
    createdAt: time('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.name] }), ownRows()],
);

/** Agents that wrote notes or were started as subagents. A trigger adds the writers of new notes. */
export const agents = pgTable(
  'agents',
  {
    userId: userId(),
    name: text('name').notNull(),
    description: text('description'),
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
    ...own(),
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
    /** the resolved finding that it resembles, found when it was added */
    resembles: uuid('resembles'),
    /** when its status became one in which nothing is to be done any more; set by a trigger */
    closedAt: time('closed_at'),
  },
  (t) => [
    ...owned('findings', t),
    index('findings_order').on(t.userId, t.projectId, t.createdAt, t.id),
    index('findings_recent').on(t.userId, t.createdAt, t.id),
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
    ...own(),
    projectId: uuid('project_id').notNull(),
    /** null: it was imported without its session */
    sessionId: uuid('session_id'),
    /** `waiting`: for an agent, because no model is set up */
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
    ...owned('session_audits', t),
    // one call a session
    unique('session_audits_session').on(t.userId, t.sessionId),
    inSession(t),
    index('session_audits_queue').on(t.runAfter).where(sql`status = 'pending'`),
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

/** What solved an error, and the first steps of tasks of one type. */
export const PATTERN_TYPES = ['error_recovery', 'tool_sequence'] as const;

/** What was done. */
export type Template = {
  /** in their order; of a sequence `tool:kind of target`, of a recovery what was run */
  steps: string[];
  commonFiles: string[];
};

/** What agents did again and again. A row is found again by its form, so its id stays. */
export const patterns = pgTable(
  'patterns',
  {
    /** a hash of the user, project, type and form */
    id: uuid('id').notNull(),
    userId: userId(),
    projectId: uuid('project_id').notNull(),
    type: text('type', { enum: PATTERN_TYPES }).notNull(),
    /** the form by which it is recognised when it is counted again */
    form: text('form').notNull(),
    name: text('name').notNull(),
    /** when it applies: the type of a task, the words of an error */
    triggers: text('triggers').array().notNull().default(sql`'{}'`),
    template: jsonb('template').$type<Template>().notNull(),
    /** of a recovery: the error that it answers */
    signature: text('signature'),
    /** how many episodes (of a recovery: errors) and sessions it was seen in */
    episodes: integer('episodes').notNull(),
    sessions: integer('sessions').notNull(),
    /** those that ended well, and badly; of the rest it is not known */
    successes: integer('successes').notNull(),
    failures: integer('failures').notNull(),
    /** up to 50 of the sessions that it was counted in */
    evidence: uuid('evidence').array().notNull().default(sql`'{}'`),
    /** what a person rejected stays away */
    status: text('status', { enum: ['active', 'rejected'] })
      .notNull()
      .default('active'),
    /** when it was last seen */
    lastUsed: time('last_used').notNull(),
    ...validity(),
    createdAt: time('created_at').notNull().defaultNow(),
    updatedAt: time('updated_at').notNull().defaultNow(),
  },
  (t) => [
    ...owned('patterns', t),
    unique('patterns_form').on(t.userId, t.projectId, t.type, t.form),
    index('patterns_signature').on(t.userId, t.signature),
    index('patterns_order').on(t.userId, t.createdAt, t.id),
  ],
);

export const TASK_TYPES = ['feature', 'bugfix', 'refactor', 'investigation', 'question'] as const;
export type TaskType = (typeof TASK_TYPES)[number];

/** `stopped`: Lore let none of its calls run */
export const EPISODE_OUTCOMES = ['success', 'error', 'stopped', 'unknown'] as const;
export type EpisodeOutcome = (typeof EPISODE_OUTCOMES)[number];

/** One unit of work: what an agent did for one task, and how it ended. */
export const episodes = pgTable(
  'episodes',
  {
    ...own(),
    projectId: uuid('project_id').notNull(),
    /** null: it was imported without its session */
    sessionId: uuid('session_id'),
    /** key of the event with which it begins, see `dedupKey`; with the session it makes a second cut harmless */
    startKey: text('start_key').notNull(),
    description: text('description').notNull(),
    type: text('type', { enum: TASK_TYPES }).notNull(),
    steps: jsonb('steps').$type<EpisodeStep[]>().notNull().default([]),
    /** relative to the work tree where they lie in it */
    filesModified: text('files_modified').array().notNull().default(sql`'{}'`),
    /** from evidence in the events; unknown where there is none */
    outcome: text('outcome', { enum: EPISODE_OUTCOMES }).notNull().default('unknown'),
    error: text('error'),
    /** what the agent said at its end */
    lastMessage: text('last_message'),
    startedAt: time('started_at').notNull(),
    endedAt: time('ended_at'),
  },
  (t) => [
    ...owned('episodes', t),
    unique('episodes_once').on(t.userId, t.sessionId, t.startKey),
    inSession(t),
    index('episodes_order').on(t.userId, t.projectId, t.startedAt, t.id),
    index('episodes_recent').on(t.userId, t.startedAt, t.id),
  ],
);

/** Queue of the sessions that have something new to cut. Asking again while a request waits changes its row. */
export const episodeCuts = pgTable(
  'episode_cuts',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: userId(),
    sessionId: uuid('session_id').notNull(),
    /** counts the times that it was asked for; a cut that was overtaken leaves the row */
    asked: integer('asked').notNull().default(1),
    /** `last`: since its last episode began; `whole`: older events may have come in, so all of it */
    part: text('part', { enum: ['last', 'whole'] }).notNull(),
    attempts: integer('attempts').notNull().default(0),
    runAfter: time('run_after').notNull().defaultNow(),
    error: text('error'),
    failedAt: time('failed_at'),
  },
  (t) => [unique('episode_cuts_once').on(t.userId, t.sessionId, t.part), inSession(t), ownRows()],
);

/** A skill's name and the project whose own it is; null: the user's. */
export type SkillKey = { name: string; projectId: string | null };

/** A skill without a project belongs to its user, and is found from every project. */
const NONE = sql.raw(`'${NO_PROJECT}'::uuid`);

/** Skills. Each row is a version; an exclusion constraint in SQL keeps the periods of a skill's versions apart. */
export const skills = pgTable(
  'skills',
  {
    ...own(),
    projectId: uuid('project_id'),
    /** the project, or a fixed id if there is none, because a constraint does not treat two nulls as equal */
    scope: uuid('scope').notNull().generatedAlwaysAs(sql`coalesce(project_id, ${NONE})`),
    /** the name of the folder that holds its SKILL.md, by which the client calls it */
    name: text('name').notNull(),
    description: text('description').notNull(),
    /** the front matter as it was written, with its fences; empty if there is none */
    frontMatter: text('front_matter').notNull().default(''),
    /** what follows the front matter */
    content: text('content').notNull(),
    /** the text files beside the SKILL.md, in the order of their paths */
    files: jsonb('files').$type<SkillFile[]>().notNull().default([]),
    ...validity(),
  },
  (t) => [...owned('skills', t), index('skills_name').on(t.userId, t.name, t.scope, t.validFrom)],
);

/** The runs of skills, and what came of them. */
export const skillLogs = pgTable(
  'skill_logs',
  {
    ...own(),
    projectId: uuid('project_id'),
    sessionId: uuid('session_id'),
    agentId: text('agent_id'),
    /** a name as it was called; the skill need not be known to Lore */
    skill: text('skill').notNull(),
    /** `started`: it is not known how it ended */
    result: text('result', { enum: ['started', 'succeeded', 'failed'] }).notNull(),
    /** the client's id of the call of its tool; null if the skill was read from Lore */
    toolUseId: text('tool_use_id'),
    at: time('at').notNull().defaultNow(),
  },
  (t) => [
    ...owned('skill_logs', t),
    unique('skill_logs_call').on(t.userId, t.sessionId, t.toolUseId),
    inSession(t),
    index('skill_logs_skill').on(t.userId, t.skill, t.at),
    index('skill_logs_session').on(t.sessionId),
  ],
);
