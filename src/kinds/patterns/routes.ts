import { z } from '@hono/zod-openapi';
import type { Database } from '../../db/open.ts';
import { type Router, router } from '../../http/router.ts';
import { limit, time } from '../../http/schemas.ts';
import { listInProject } from '../../sessions/projects.ts';
import { serve } from '../records/serve.ts';
import { changePattern, getPattern, listPatterns } from './patterns.ts';
import { PATTERN_TYPES } from './schema.ts';

const type = z.enum(PATTERN_TYPES);
const id = z.string().min(8).max(45);

const status = z.enum(['active', 'rejected']);
const Change = z.strictObject({ status }).openapi('PatternChange');

const Pattern = z
  .object({
    id: z.string(),
    project: z.string(),
    type,
    name: z.string(),
    triggers: z.array(z.string()),
    template: z.object({ steps: z.array(z.string()), commonFiles: z.array(z.string()) }),
    usageCount: z.number(),
    sessions: z.number(),
    successes: z.number(),
    failures: z.number(),
    successRate: z.number().nullable(),
    /** up to 50 of the sessions that it was counted in */
    seenIn: z.array(z.string()),
    status,
    lastUsed: time,
    validFrom: time,
    validUntil: time.nullable(),
    createdAt: time,
    updatedAt: time,
  })
  .openapi('Pattern');

const problems = { 404: 'No such pattern', 409: 'The id is ambiguous' };
const listed = z.strictObject({
  project: z.string().min(1).max(4096).optional(),
  type: type.optional(),
  /** `closed`: no longer found */
  status: z.enum(['active', 'rejected', 'closed']).optional(),
  /** the last id of the previous page */
  before: z.guid().optional(),
  limit: limit(500, 50),
});

export function patternRoutes(services: { db: Database; wake(worker: 'embed'): void }): Router {
  const app = router();
  const route = serve(app, services);
  route(
    'GET /v1/patterns',
    'Patterns, those found last first',
    { query: listed, answer: z.object({ patterns: z.array(Pattern) }) },
    async ({ as, query: { project, ...filter } }) => ({
      patterns: await as((tx) =>
        listInProject(tx, project, (projectId) => listPatterns(tx, { ...filter, projectId })),
      ),
    }),
  );
  route(
    'GET /v1/patterns/{id}',
    'A pattern by its id or the beginning of it',
    { params: z.object({ id }), answer: Pattern, problems },
    ({ as, params }) => as((tx) => getPattern(tx, params.id)),
  );
  route(
    'PATCH /v1/patterns/{id}',
    'Reject a pattern, or take that back',
    { params: z.object({ id }), body: Change, answer: Pattern, problems },
    async ({ as, params, body }) => {
      const changed = await as((tx) => changePattern(tx, params.id, body.status));
      services.wake('embed');
      return changed;
    },
  );
  return app;
}
