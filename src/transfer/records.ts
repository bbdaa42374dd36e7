import { z } from '@hono/zod-openapi';
import { messageTypes } from '../notes/schema.ts';

// What an export is made of. Times stay text: a Date would lose their microseconds.

const moment = z.iso
  .datetime({ offset: true, message: 'must be an ISO 8601 instant such as 2026-01-31T12:00:00Z' })
  .refine((text) => {
    const at = new Date(text);
    return at.getTime() >= 0 && at.getUTCFullYear() <= 9999;
  }, 'must lie between 1970 and 9999');

const share = z.number().min(0).max(1);
const count = z.number().int().min(0).max(2_147_483_647);
// longer than what the API takes: redaction may have made a text longer
const text = (most: number) => z.string().max(most);
const words = z.array(text(1000)).max(1000).default([]);
const id = z.guid().transform((given) => given.toLowerCase());
const project = text(8192).min(1);

export const NoteRecord = z.object({
  type: z.literal('note'),
  id,
  project,
  channel: text(8192).min(1),
  sender: text(1000).nullable().default(null),
  senderProject: text(8192).nullable().default(null),
  content: text(200_000),
  confidence: share.default(0.5),
  mentions: words,
  messageType: z.enum(messageTypes).default('reflection'),
  conversation: text(1000).nullable().default(null),
  key: text(1000).min(1).nullable().default(null),
  supersedes: id.nullable().default(null),
  metadata: z.record(z.string(), z.unknown()).default({}),
  createdAt: moment,
  validUntil: moment.nullable().default(null),
});

export const LearningRecord = z.object({
  type: z.literal('learning'),
  id,
  project,
  lineageId: id,
  supersedes: id.nullable().default(null),
  status: z.enum(['active', 'review']),
  lesson: text(50_000).min(1),
  context: text(50_000),
  why: text(50_000).nullable().default(null),
  errorType: text(1000).nullable().default(null),
  keywords: words,
  appliesTo: words,
  signature: text(1000).nullable().default(null),
  target: text(100_000).nullable().default(null),
  branch: text(1000).nullable().default(null),
  confidence: share,
  priorConfidence: share,
  usageCount: count.default(0),
  successCount: count.default(0),
  failureCount: count.default(0),
  qualityScore: z.number().min(-1e6).max(1e6),
  evaluatedBy: text(1000),
  sourceSubagent: text(1000).nullable().default(null),
  sourceError: text(200_000).nullable().default(null),
  validFrom: moment,
  validUntil: moment.nullable().default(null),
  lastConfirmedAt: moment,
  createdAt: moment,
  updatedAt: moment,
});

export const TransferRecord = z.discriminatedUnion('type', [NoteRecord, LearningRecord]);

export type NoteRecord = z.infer<typeof NoteRecord>;
export type LearningRecord = z.infer<typeof LearningRecord>;
export type TransferRecord = z.infer<typeof TransferRecord>;
