import { boolean, date, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { ownRows, time, userId } from '../db/columns.ts';

/** The cost of a user's model calls: one row per UTC day, purpose and model. */
export const llmUsage = pgTable(
  'llm_usage',
  {
    userId: userId(),
    day: date('day').notNull(),
    purpose: text('purpose').notNull(),
    model: text('model').notNull(),
    requests: integer('requests').notNull().default(0),
    failures: integer('failures').notNull().default(0),
    inputTokens: integer('input_tokens').notNull().default(0),
    outputTokens: integer('output_tokens').notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.userId, t.day, t.purpose, t.model] }), ownRows()],
);

/** What a user has set; a user who has set nothing has no row. */
export const settings = pgTable(
  'settings',
  {
    userId: userId().primaryKey(),
    /** false: the model is asked nothing for this user */
    modelSpending: boolean('model_spending').notNull().default(true),
    /** true: the person's own Claude Code login may be used in the background */
    claudeLogin: boolean('claude_login').notNull().default(false),
    /** true: the shape of a command that the person lets run is allowed from then on */
    shapes: boolean('shapes').notNull().default(true),
    /** what the answers to calls may say to the client, where a project has no setting of its own */
    permissions: text('permissions', { enum: ['allow', 'deny-only', 'judge-only'] })
      .notNull()
      .default('allow'),
    /** how much is told of each kind of offer, where it differs from the usual: `{"episode": "none"}` */
    voice: jsonb('voice').$type<Record<string, 'all' | 'few' | 'none'>>().notNull().default({}),
    updatedAt: time('updated_at').notNull().defaultNow(),
  },
  () => [ownRows()],
);
