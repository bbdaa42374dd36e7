import { index, integer, jsonb, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import { ownRows, time, userId } from '../db/columns.ts';
import { inSession } from '../sessions/schema.ts';
import type { WorkingState } from './working-state.ts';

/** What a session was working on when its context was nearly full or about to be compacted. */
export const workingStates = pgTable(
  'working_states',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: userId(),
    sessionId: uuid('session_id').notNull(),
    /** `filled`: the context passed four fifths of its window; `compaction`: it was about to be compacted */
    reason: text('reason', { enum: ['filled', 'compaction'] }).notNull(),
    /** key of the event at which it was saved, see `dedupKey` */
    eventKey: text('event_key').notNull(),
    /** of the compaction, as the client names it: manual or auto */
    trigger: text('trigger'),
    state: jsonb('state').$type<WorkingState>().notNull(),
    itemsSaved: integer('items_saved').notNull(),
    /** null: not restored yet */
    itemsRestored: integer('items_restored'),
    /** tokens in the context before and after the compaction; null: not known */
    tokensBefore: integer('tokens_before'),
    tokensAfter: integer('tokens_after'),
    /** whether the client's transcript told the tokens; otherwise they are estimated from what is stored */
    measured: text('measured', { enum: ['transcript', 'events'] }),
    savedAt: time('saved_at').notNull(),
    restoredAt: time('restored_at'),
  },
  (t) => [
    unique('working_states_once').on(t.userId, t.sessionId, t.eventKey),
    inSession(t),
    index('working_states_session').on(t.sessionId, t.savedAt),
    ownRows(),
  ],
);
