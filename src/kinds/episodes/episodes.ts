import { z } from '@hono/zod-openapi';
import { sql } from 'drizzle-orm';
import { query, type Tx } from '../../db/open.ts';
import { served } from '../../http/serve.ts';
import { addReads, kindOf } from '../kind.ts';
import { EPISODE_OUTCOMES, episodes } from '../schema.ts';
import { Step } from '../values.ts';

// Episodes as they are shown. A worker makes them: cut.ts.

/** Its session by the id that the client knows; null: it was imported. */
const session = {
  as: z.string().nullable(),
  sql: sql`(select s.client_session_id from sessions s where s.id = t.session_id)`,
};
const NOT_SHOWN = ['sessionId', 'startKey', 'steps'];
const inList = kindOf('episode', episodes, NOT_SHOWN, { session }, 'started_at');
const steps = { as: z.array(Step), sql: sql`t.steps` };
const episode = kindOf('episode', episodes, NOT_SHOWN, { session, steps }, 'started_at');
const Episode = z.object(episode.shape).openapi('Episode');

/** Returns a session's episodes in their order, each in one line: its task, whether it worked, and how. */
export const episodesOfSession = (tx: Tx, sessionId: string): Promise<{ id: string; line: string }[]> =>
  query<{ id: string; line: string }>(tx)`
    select e.id, episode_line(e) as line from episodes e
    where e.user_id = auth.uid() and e.session_id = ${sessionId} order by e.started_at, e.id`;

export const episodeRoutes = served((route) => {
  addReads(route, episode, {
    shown: Episode,
    listed: { kind: inList, shown: z.object(inList.shape).openapi('ListedEpisode') },
    filters: {
      outcome: z.enum(EPISODE_OUTCOMES).optional(),
      /** the client's session id, or Lore's */
      session: z.string().min(1).max(200).optional(),
    },
    where: ({ outcome, session: given }) => [
      outcome && sql`t.outcome = ${outcome}`,
      given && sql`(${session.sql} = ${given} or t.session_id::text = ${given})`,
    ],
  });
});
