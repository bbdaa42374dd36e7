import { z } from '@hono/zod-openapi';
import type { Database } from '../db/open.ts';
import { type Router, router } from '../http/router.ts';
import { instant, limit, time } from '../http/schemas.ts';
import { serve } from '../records/serve.ts';
import { listInProject } from '../sessions/projects.ts';
import { getSession } from '../sessions/sessions.ts';
import { toText } from './keep.ts';
import { readLines } from './lines.ts';
import { getObservation, listObservations } from './observations.ts';

const Source = z
  .object({
    project: z.string(),
    /** the client's session id */
    session: z.string(),
    /** key of the event within the session */
    event: z.string(),
    agentId: z.string().nullable(),
    tool: z.string(),
    /** the command, address or query of the call */
    about: z.string(),
    /** whether the agent was shown an extract in its place */
    masked: z.boolean(),
    at: time,
  })
  .openapi('ObservationSource');

const size = {
  id: z.string(),
  characters: z.number(),
  lines: z.number(),
  /** false: the middle was cut out, because the output was longer than what is kept */
  whole: z.boolean(),
};
const Listed = Source.extend(size).openapi('ListedObservation');

const Observation = z
  .object({
    ...size,
    createdAt: time,
    sources: z.array(Source),
    /** the lines of this answer, counted from 1; long ones are cut */
    content: z.array(z.object({ number: z.number(), text: z.string(), match: z.boolean() })),
    /** the number of lines that match `q`; null without it */
    matches: z.number().nullable(),
    /** the first line that was asked for and is not in this answer; null: all are */
    next: z.number().nullable(),
  })
  .openapi('Observation');

const line = () => z.coerce.number().int().min(1).max(10_000_000);
const Range = z
  .strictObject({
    /** the first line, counted from 1 */
    from: line().default(1).openapi({ type: 'integer' }),
    /** the last line; 200 lines without it, or all when something is searched for */
    to: line().optional().openapi({ type: 'integer' }),
    /** only lines that hold all of these words */
    q: z.string().trim().min(1).max(200).optional(),
    /** lines around each match; none without it */
    context: z.coerce.number().int().min(1).max(50).optional().openapi({ type: 'integer' }),
  })
  .refine(({ from, to }) => to === undefined || to >= from, {
    message: 'must not be before `from`',
    path: ['to'],
    when: ({ issues }) => issues.length === 0,
  });

/** Routes that read what tools put out. */
export function observationRoutes(services: { db: Database }): Router {
  const app = router();
  const route = serve(app, services);
  route(
    'GET /v1/observations',
    'Long outputs of tools that were kept, of a session or a project, the newest first',
    {
      query: z.strictObject({
        /** Lore's id of a session or the client's */
        session: z.string().min(1).max(200).optional(),
        project: z.string().min(1).max(4096).optional(),
        /** only those from before this instant */
        before: instant().optional(),
        limit: limit(200, 50),
      }),
      answer: z.object({ observations: z.array(Listed) }),
    },
    async ({ as, query: { session, project, ...filter } }) => ({
      observations: await as((tx) =>
        listInProject(tx, project, async (projectId) => {
          // an imported observation may have a session that does not exist here
          const known = session === undefined ? undefined : await getSession(tx, session);
          return listObservations(tx, { ...filter, projectId, session: known?.clientSessionId ?? session });
        }),
      ),
    }),
  );
  route(
    'GET /v1/observations/{id}',
    'An observation by its id ([obs:1a2b3c4d5e6f]): a range of its lines, or the lines with some words',
    {
      params: z.object({ id: z.string().min(1).max(100) }),
      query: Range,
      answer: Observation,
      problems: { 404: 'No such observation' },
    },
    async ({ as, params, query: { context = 0, ...wanted } }) => {
      const { content, ...about } = await as((tx) => getObservation(tx, params.id));
      const { lines, ...part } = readLines(await toText(content), { ...wanted, context });
      return { ...about, content: lines, ...part };
    },
  );
  return app;
}
