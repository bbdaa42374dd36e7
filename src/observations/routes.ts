import { createRoute, z } from '@hono/zod-openapi';
import type { Database } from '../db/open.ts';
import { asCaller, type Router, router } from '../http/router.ts';
import { commonProblems, instant, json, limit, problem, time, wire } from '../http/schemas.ts';
import { listInProject } from '../sessions/projects.ts';
import { getSession } from '../sessions/sessions.ts';
import { countLines } from './keep.ts';
import { readLines } from './lines.ts';
import { getObservation, listObservations, textOf } from './observations.ts';

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
    /** false: the search ended before the line `next`, because it took too long */
    searched: z.boolean(),
  })
  .openapi('Observation');

const MAX_LINE_NUMBER = 10_000_000;
const line = () => z.coerce.number().int().min(1).max(MAX_LINE_NUMBER);
/** How many lines are returned without a range or a search. */
const USUAL_LINES = 200;

const Range = z
  .strictObject({
    /** the first line, counted from 1 */
    from: line().default(1).openapi({ type: 'integer' }),
    /** the last line; 200 lines without it, or all when something is searched for */
    to: line().optional().openapi({ type: 'integer' }),
    /** only lines that hold all of these words, or match this regular expression */
    q: z.string().trim().min(1).max(200).optional(),
    /** `true`: `q` is a regular expression, in the syntax of RE2 */
    regex: z.enum(['true', 'false']).default('false'),
    /** lines around each match; none without it */
    context: z.coerce.number().int().min(1).max(50).optional().openapi({ type: 'integer' }),
  })
  .refine(({ from, to }) => to === undefined || to >= from, {
    message: 'must not be before `from`',
    path: ['to'],
    when: ({ issues }) => issues.length === 0,
  });

const routes = {
  list: createRoute({
    method: 'get',
    path: '/v1/observations',
    summary: 'Long outputs of tools that were kept, of a session or a project, the newest first',
    request: {
      query: z.strictObject({
        /** Lore's id of a session or the client's */
        session: z.string().min(1).max(200).optional(),
        project: z.string().min(1).max(4096).optional(),
        /** only those from before this instant */
        before: instant().optional(),
        limit: limit(200, 50),
      }),
    },
    responses: {
      200: json(z.object({ observations: z.array(Listed) }), 'The observations'),
      ...commonProblems,
    },
  }),
  get: createRoute({
    method: 'get',
    path: '/v1/observations/{id}',
    summary:
      'An observation by its id ([obs:1a2b3c4d5e6f]): a range of its lines, or the lines with some words',
    request: { params: z.object({ id: z.string().min(1).max(100) }), query: Range },
    responses: {
      200: json(Observation, 'The lines'),
      404: problem('No such observation'),
      ...commonProblems,
    },
  }),
};

/** Routes that read what tools put out. */
export function observationRoutes(services: { db: Database }): Router {
  const app = router();
  app.openapi(routes.list, async (c) => {
    const { session, project, ...filter } = c.req.valid('query');
    const rows = await asCaller(services, c, (tx) =>
      listInProject(tx, project, async (projectId) => {
        // an imported observation may have a session that does not exist here
        const known = session === undefined ? undefined : await getSession(tx, session);
        return listObservations(tx, { ...filter, projectId, session: known?.clientSessionId ?? session });
      }),
    );
    return c.json({ observations: wire(rows) }, 200);
  });
  app.openapi(routes.get, async (c) => {
    const { from, to, q, regex, context = 0 } = c.req.valid('query');
    const { content, ...about } = await asCaller(services, c, (tx) =>
      getObservation(tx, c.req.valid('param').id),
    );
    const text = await textOf({ content });
    const last = to ?? (q === undefined ? from + USUAL_LINES - 1 : countLines(text));
    const part = await readLines(text, { from, to: last, q, regex: regex === 'true', context });
    const { lines, ...rest } = part;
    return c.json({ ...wire(about), content: lines, ...rest }, 200);
  });
  return app;
}
