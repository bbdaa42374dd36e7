import { sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  bigint,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';
import { ownRows, time, userId } from '../db/columns.ts';

export const projects = pgTable(
  'projects',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: userId(),
    /** the normalised git remote, else the folder */
    name: text('name').notNull(),
    /** names that lead to it too: those that it had, and those of the projects that were joined to it */
    also: text('also').array().notNull().default(sql`'{}'`),
    /** the folders that are its own: where it was attached, and where its first sessions ran */
    roots: text('roots').array().notNull().default(sql`'{}'`),
    /** what the answers to calls may say to the client; null: as the person has set for all projects */
    permissions: text('permissions', { enum: ['allow', 'deny-only', 'judge-only'] }),
    createdAt: time('created_at').notNull().defaultNow(),
    lastActivity: time('last_activity').notNull().defaultNow(),
  },
  (t) => [
    unique('projects_name').on(t.userId, t.name),
    unique('projects_tenant').on(t.userId, t.id),
    ownRows(),
  ],
);

type Columns = { userId: AnyPgColumn; projectId: AnyPgColumn; sessionId: AnyPgColumn };

/** Foreign keys include the tenant, so that no row can refer to another user's project or session. */
export const inProject = (t: Pick<Columns, 'userId' | 'projectId'>) =>
  foreignKey({ columns: [t.userId, t.projectId], foreignColumns: [projects.userId, projects.id] }).onDelete(
    'cascade',
  );

/** A foreign key to a session of the same user, as {@link inProject} is to a project. */
export const inSession = (t: Pick<Columns, 'userId' | 'sessionId'>) =>
  foreignKey({ columns: [t.userId, t.sessionId], foreignColumns: [sessions.userId, sessions.id] }).onDelete(
    'cascade',
  );

/** `stopped`: it has ended, and Lore let none of its calls run */
export const SESSION_STATUSES = ['active', 'completed', 'failed', 'stopped'] as const;

export const sessions = pgTable(
  'sessions',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: userId(),
    projectId: uuid('project_id').notNull(),
    /** the client's `session_id` */
    clientSessionId: text('client_session_id').notNull(),
    status: text('status', { enum: SESSION_STATUSES }).notNull().default('active'),
    taskDescription: text('task_description'),
    shortTitle: text('short_title'),
    /** how much ceremony the task needs, and how large it is, as its prompts show */
    taskType: text('task_type', { enum: ['quick', 'focused', 'complex'] }),
    complexity: text('complexity', { enum: ['low', 'medium', 'high'] }),
    mode: text('mode', { enum: ['quick', 'planned'] })
      .notNull()
      .default('quick'),
    /** the plan that it follows */
    planId: uuid('plan_id'),
    /** the calls that wait for a person (`waits_after`) */
    waits: jsonb('waits').$type<object[]>().notNull().default([]),
    /** what the first of them waits for a person to do; null: none waits */
    waitingFor: text('waiting_for'),
    outcome: text('outcome'),
    summary: text('summary'),
    cwd: text('cwd'),
    /** the work tree that it runs in; each clone and linked work tree of a project is one */
    root: text('root'),
    branch: text('branch'),
    transcriptPath: text('transcript_path'),
    /** how often it was started, or went on after its end; distinguishes a second SessionEnd from a repeated delivery */
    starts: integer('starts').notNull().default(0),
    errorsEncountered: integer('errors_encountered').notNull().default(0),
    filesModified: text('files_modified').array().notNull().default(sql`'{}'`),
    /** tool name → calls */
    toolsUsed: jsonb('tools_used').$type<Record<string, number>>().notNull().default({}),
    startedAt: time('started_at').notNull().defaultNow(),
    lastActivity: time('last_activity').notNull().defaultNow(),
    endedAt: time('ended_at'),
    /** whether it is offered memory, chosen by chance; null: there was no holdout when it began (docs/metrics.md) */
    arm: text('arm', { enum: ['memory', 'withheld'] }),
    /**
     * tokens that its models wrote and read, without those from the cache, as its transcript tells; null: not
     * known
     */
    tokens: bigint('tokens', { mode: 'number' }),
    /** the model that answered last, as its transcript tells; null: not known */
    model: text('model'),
  },
  (t) => [
    unique('sessions_client').on(t.userId, t.clientSessionId),
    unique('sessions_tenant').on(t.userId, t.id),
    inProject(t),
    // No index on last_activity: each hook changes it, and would then have to rewrite all index entries of the row.
    index('sessions_project').on(t.userId, t.projectId),
    // a hash, because a folder may be too long for an index that is sorted
    index('sessions_root').using('hash', t.root),
    ownRows(),
  ],
);

/** How each project stands now: small, derived (`refresh_dashboard_project`), and published to the phone page. */
export const dashboardProjects = pgTable(
  'dashboard_projects',
  {
    userId: userId(),
    projectId: uuid('project_id').notNull(),
    name: text('name').notNull(),
    status: text('status', { enum: ['active', 'idle', 'blocked'] }).notNull(),
    /** why it is blocked */
    reason: text('reason'),
    lastActivity: time('last_activity').notNull(),
    /** the title of the session that was active last */
    lastTitle: text('last_title'),
    activeSessions: integer('active_sessions').notNull(),
    /** the UTC day that the counts are of */
    day: date('day').notNull(),
    errorsToday: integer('errors_today').notNull(),
    lessonsToday: integer('lessons_today').notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.projectId] }), inProject(t), ownRows()],
);

/** Every hook call, redacted, append-only. */
export const events = pgTable(
  'events',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    userId: userId(),
    sessionId: uuid('session_id').notNull(),
    event: text('event').notNull(),
    /** the same for repeated deliveries of one event (see `dedupKey`) */
    dedupKey: text('dedup_key').notNull(),
    source: text('source', { enum: ['hook', 'transcript'] }).notNull(),
    agentId: text('agent_id'),
    toolName: text('tool_name'),
    toolUseId: text('tool_use_id'),
    /** what the tool worked on: the command's key or the file */
    target: text('target'),
    payload: jsonb('payload').$type<Record<string, unknown>>().notNull(),
    occurredAt: time('occurred_at').notNull(),
    receivedAt: time('received_at').notNull().defaultNow(),
  },
  (t) => [
    unique('events_once').on(t.userId, t.sessionId, t.dedupKey),
    inSession(t),
    index('events_session').on(t.sessionId, t.occurredAt),
    ownRows(),
  ],
);

/**
 * A turn of a session: what a person asked, and what the agent said at its end, both cut. The session is named by the
 * client's id, so that an import keeps it.
 */
export const turns = pgTable(
  'turns',
  {
    /** unique for its user only, so that an import never tells whether another user has the same id */
    id: uuid('id').notNull().defaultRandom(),
    userId: userId(),
    projectId: uuid('project_id').notNull(),
    session: text('session').notNull(),
    /** key of its prompt within the session, see `dedupKey` */
    startKey: text('start_key').notNull(),
    branch: text('branch'),
    prompt: text('prompt').notNull(),
    /** null: the turn has no end, or ended without a word */
    said: text('said'),
    startedAt: time('started_at').notNull(),
    endedAt: time('ended_at'),
  },
  (t) => [
    primaryKey({ name: 'turns_own', columns: [t.userId, t.id] }),
    unique('turns_once').on(t.userId, t.session, t.startKey),
    inProject(t),
    index('turns_session').on(t.userId, t.session, t.startedAt),
    ownRows(),
  ],
);

/** How far each transcript has been read to recover missed events. */
export const transcriptCursors = pgTable(
  'transcript_cursors',
  {
    userId: userId(),
    path: text('path').notNull(),
    /** bytes read; always the end of a line */
    offset: bigint('offset', { mode: 'number' }).notNull(),
    updatedAt: time('updated_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.path] }), ownRows()],
);

/** What was erased at a person's request, so that it is not read from the client's transcripts again. */
export const erasures = pgTable(
  'erasures',
  {
    userId: userId(),
    /** SHA-256 of the client's session id, in hex; empty: all sessions */
    session: text('session').notNull(),
    /** events until this instant (included) were erased */
    until: time('until').notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.session] }), ownRows()],
);
