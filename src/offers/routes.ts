import { z } from '@hono/zod-openapi';
import { type Database, query } from '../db/open.ts';
import { limit, time } from '../http/schemas.ts';
import { served } from '../http/serve.ts';
import { getSession, noSession } from '../sessions/sessions.ts';
import { OFFER_KINDS, OUTCOMES } from './schema.ts';

const Offered = z
  .object({
    /** the event that was answered with it */
    event: z.string(),
    kind: z.enum(OFFER_KINDS),
    /** the record that it comes from; null if it comes from no single one */
    sourceId: z.string().nullable(),
    text: z.string(),
    tokens: z.number(),
    offeredAt: time,
    outcome: z.enum(OUTCOMES).nullable(),
  })
  .openapi('Offered');

export const offerRoutes = served<{ db: Database }>((route) =>
  route(
    'GET /v1/sessions/{id}/offers',
    'What a session was told, the newest first, and what came of it',
    {
      params: z.object({ id: z.string().min(1).max(200) }),
      query: z.strictObject({ limit: limit(500, 100) }),
      answer: z.object({ offers: z.array(Offered) }),
      problems: { 404: 'No such session' },
    },
    ({ as, params: { id }, query: { limit } }) =>
      as(async (tx) => {
        const session = await getSession(tx, id);
        if (session === undefined) throw noSession(id);
        // what was withheld on purpose was not told
        const offers = await query<z.infer<typeof Offered>>(tx)`
          select event, kind, source_id as "sourceId", text, tokens, to_json(offered_at) as "offeredAt", outcome
          from offers where session_id = ${session.id} and not withheld
          order by offers.offered_at desc, position limit ${limit}::int`;
        return { offers };
      }),
  ),
);
