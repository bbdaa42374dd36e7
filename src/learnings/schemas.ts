import { z } from '@hono/zod-openapi';
import { StaleCitations } from '../kinds/citations.ts';
import { shownLessons } from './learnings.ts';
import { DECISIONS } from './schema.ts';

/** A lesson, as the API answers with it; `stale`: citations that are no longer as they were when it was written. */
export const Learning = z
  .object<z.ZodRawShape>({ ...shownLessons.shape, stale: StaleCitations.optional() })
  .openapi('Learning');

/** What became of a lesson that somebody stated. */
export const Admitted = z
  .object({
    decision: z.enum(DECISIONS),
    reason: z.string(),
    learning: Learning.nullable(),
  })
  .openapi('Admitted');
