import {
  boolean,
  customType,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { ownRows, time, userId } from '../db/columns.ts';
import { inProject } from '../sessions/schema.ts';

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
