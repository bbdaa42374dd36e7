import { createRoute, z } from '@hono/zod-openapi';
import type { Database } from '../db/open.ts';
import { asCaller, type Router, router } from '../http/router.ts';
import { body, commonProblems, json, limit } from '../http/schemas.ts';
import { listInProject } from '../sessions/projects.ts';
import { citationsToLookAt, keepLooked } from './citations.ts';

const KINDS = ['note', 'learning'] as const;
const named = { kind: z.enum(KINDS), id: z.guid(), ref: z.string().min(1).max(8192) };

const Citation = z
  .object({
    kind: z.enum(KINDS),
    id: z.string(),
    ref: z.string(),
    state: z.enum(['waiting', 'fresh', 'changed', 'gone', 'unknown']),
  })
  .openapi('Citation');

const Report = z
  .strictObject({
    /** the commit that is checked out */
    head: z
      .string()
      .regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/, 'must be the whole id of a commit')
      .nullable()
      .default(null),
    looked: z
      .array(
        z.strictObject({
          ...named,
          state: z.enum(['there', 'gone', 'unknown']),
          /** of a file, in bytes */
          size: z.number().int().min(0).nullable().default(null),
          /** SHA-256 of a file; `present` of a symbol or a commit */
          hash: z
            .string()
            .regex(/^([0-9a-f]{64}|present)$/, 'must be a SHA-256 in hex, or present')
            .nullable()
            .default(null),
        }),
      )
      .min(1)
      .max(500),
  })
  .openapi('FreshnessReport');

const routes = {
  list: createRoute({
    method: 'get',
    path: '/v1/freshness',
    summary: 'What notes and lessons cite, what was not looked at for longest first',
    request: { query: z.object({ project: z.string().min(1).max(4096).optional(), limit: limit(500, 200) }) },
    responses: { 200: json(z.object({ citations: z.array(Citation) }), 'The citations'), ...commonProblems },
  }),
  report: createRoute({
    method: 'post',
    path: '/v1/freshness',
    summary: 'Report what was seen of citations on the machine that has the files',
    request: body(Report),
    responses: {
      200: json(
        z.object({ looked: z.number(), stale: z.number() }),
        'How many of them are known, and how many of these are stale',
      ),
      ...commonProblems,
    },
  }),
};

export function freshnessRoutes(services: { db: Database }): Router {
  const app = router();
  app.openapi(routes.list, async (c) => {
    const { project, limit } = c.req.valid('query');
    const citations = await asCaller(services, c, (tx) =>
      listInProject(tx, project, (projectId) => citationsToLookAt(tx, projectId, limit)),
    );
    return c.json(
      { citations: citations.map(({ kind, id, ref, state }) => ({ kind, id, ref, state })) },
      200,
    );
  });
  app.openapi(routes.report, async (c) => {
    const { head, looked } = c.req.valid('json');
    const seen = looked.map(({ state, size, hash, ...citation }) => ({
      ...citation,
      head,
      seen: state !== 'there' ? { state } : hash === null ? UNKNOWN : { state, size, hash },
    }));
    return c.json(await asCaller(services, c, (tx) => keepLooked(tx, seen)), 200);
  });
  return app;
}

const UNKNOWN = { state: 'unknown' } as const;
