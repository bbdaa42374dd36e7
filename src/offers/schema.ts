import { sql } from 'drizzle-orm';
import { boolean, index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import { ownRows, time, userId } from '../db/columns.ts';
import { inSession } from '../sessions/schema.ts';

/** The kinds of offers, in the order in which an answer shows them and spends its budget on them. */
export const OFFER_KINDS = [
  'rule',
  'working-state',
  'step',
  'note',
  'decision',
  'lesson',
  'skill',
  'finding',
  'episode',
  'pattern',
  'hand-off',
  'ask',
] as const;

/** `unknown`: it was followed, and nobody knows how that ended. */
export const OUTCOMES = ['helped', 'failed', 'unused', 'unknown'] as const;

/** Everything that was put before an agent, as it was shown, and its outcome. */
export const offers = pgTable(
  'offers',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: userId(),
    sessionId: uuid('session_id').notNull(),
    /** key of the delivery whose answer contained the offer, see `dedupKey` of an event */
    dedupKey: text('dedup_key').notNull(),
    event: text('event').notNull(),
    /** the subagent that it was offered to; null: the session's own agent, or one of before 0.5.0 */
    agentId: text('agent_id'),
    /** the kind of agent that it was offered to, as the client names it; null: none named */
    agentType: text('agent_type'),
    kind: text('kind', { enum: OFFER_KINDS }).notNull(),
    /** the record it comes from; null if it comes from no single record, such as a working state */
    sourceId: uuid('source_id'),
    relevance: text('relevance', { enum: ['high', 'medium'] }),
    /** its place in the answer, counted from 0 */
    position: integer('position').notNull(),
    /** the lines that the agent read, without their number */
    text: text('text').notNull(),
    tokens: integer('tokens').notNull(),
    offeredAt: time('offered_at').notNull(),
    /** kept back on purpose, to compare sessions with and without it */
    withheld: boolean('withheld').notNull().default(false),
    outcome: text('outcome', { enum: OUTCOMES }),
    settledAt: time('settled_at'),
  },
  (t) => [
    inSession(t),
    unique('offers_once').on(t.userId, t.sessionId, t.dedupKey, t.position),
    index('offers_source').on(t.userId, t.sourceId),
    // the ones that metrics count
    index('offers_settled').on(t.userId, t.offeredAt).where(sql`outcome is not null`),
    index('offers_open_patterns').on(t.userId, t.sessionId).where(sql`kind = 'pattern' and outcome is null`),
    ownRows(),
  ],
);
