import { z } from '@hono/zod-openapi';

/** What a record cites that is no longer as it was. `head`: the commit that was checked out when it was written. */
export const StaleCitations = z
  .array(z.object({ ref: z.string(), state: z.enum(['changed', 'gone']), head: z.string().nullable() }))
  .openapi('StaleCitations');
