import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { indexable } from '../db/columns.ts';
import { field, recordTable } from '../db/records.ts';
import { WRITERS } from '../http/key-scope.ts';
import { projectNameOf } from '../sessions/projects.ts';
import { messageTypes, notes } from './schema.ts';

export { messageTypes };

/** A note in an export. Inserting notes uses the same fields. */
export const NoteRecord = z.object({
  type: z.literal('note'),
  id: field.id,
  project: field.project.nullable().default(null),
  channel: field.text(8192).min(1).transform(indexable),
  sender: field.text(1000).min(1).transform(indexable).nullable().default(null),
  senderProject: field.text(8192).nullable().default(null),
  writtenBy: z.enum(WRITERS).nullable().default(null),
  content: field.text(200_000),
  confidence: field.share.default(0.5),
  mentions: field.words,
  messageType: z.enum(messageTypes).default('reflection'),
  conversation: field.text(1000).nullable().default(null),
  key: field.text(1000).min(1).nullable().default(null),
  supersedes: field.id.nullable().default(null),
  metadata: z.record(z.string(), z.unknown()).default({}),
  createdAt: field.instant,
  validUntil: field.instant.nullable().default(null),
});
export type NoteRecord = z.infer<typeof NoteRecord>;

export const NOTE_ROWS = recordTable(notes, NoteRecord, {
  columns: { key: 'dedupKey' },
  outOf: { type: sql`'note'`, project: projectNameOf(sql`t.project_id`) },
  into: {
    createdAt: `coalesce(r."createdAt", now())`,
    validUntil: `case when r."validUntil" is not null then greatest(r."validUntil", r."createdAt") end`,
  },
});
