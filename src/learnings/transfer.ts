import { z } from 'zod';
import { indexable } from '../db/columns.ts';
import { field } from '../db/records.ts';
import { ended, transferred } from '../kinds/records/transfer.ts';
import { learnings, STATUSES } from './schema.ts';

/** Every version of every lesson. One whose period overlaps another version of its lesson is skipped. */
export const LEARNING_RECORDS = transferred(learnings, 'learning', {
  hidden: ['sourceSessionId', 'sourceIncidentId'],
  fields: {
    // versions before 0.6.0 had more states
    status: z.preprocess((old) => (old === 'trial' || old === 'review' ? 'proposed' : old), z.enum(STATUSES)),
    context: field.text(50_000),
    signature: field.text(1000).transform(indexable).nullable().default(null),
  },
  into: ended,
});
