import { z } from '@hono/zod-openapi';
import { problem, time } from '../http/schemas.ts';
import { StaleCitations } from '../kinds/citations.ts';
import { DECISIONS, STATUSES } from './schema.ts';

/** A lesson, as the API answers with it. */
export const Learning = z
  .object({
    id: z.string(),
    project: z.string(),
    status: z.enum(STATUSES),
    lesson: z.string(),
    context: z.string(),
    why: z.string().nullable(),
    errorType: z.string().nullable(),
    keywords: z.array(z.string()),
    appliesTo: z.array(z.string()),
    confidence: z.number(),
    usageCount: z.number(),
    successCount: z.number(),
    failureCount: z.number(),
    successRate: z.number().nullable(),
    /** told in all projects of the user */
    everywhere: z.boolean(),
    evaluatedBy: z.string(),
    sourceSessionId: z.string().nullable(),
    sourceSubagent: z.string().nullable(),
    sourceIncidentId: z.string().nullable(),
    sourceError: z.string().nullable(),
    supersedes: z.string().nullable(),
    validFrom: time,
    validUntil: time.nullable(),
    lastConfirmedAt: time,
    createdAt: time,
    updatedAt: time,
    /** citations that are no longer as they were when the lesson was written */
    stale: StaleCitations.optional(),
  })
  .openapi('Learning');

/** Parameters of a route of one lesson: its id, or the beginning of it. */
export const reference = z.object({ id: z.string().min(8).max(45) });
/** What such a route answers if the id fits none or several. */
export const noSuch = { 404: problem('No such learning'), 409: problem('The id is ambiguous') };

/** What became of a lesson that somebody stated. */
export const Admitted = z
  .object({
    decision: z.enum(DECISIONS),
    reason: z.string(),
    learning: Learning.nullable(),
  })
  .openapi('Admitted');
