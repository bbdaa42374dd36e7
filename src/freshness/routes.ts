import { z } from '@hono/zod-openapi';
import type { Database } from '../db/open.ts';
import { type Router, router } from '../http/router.ts';
import { limit } from '../http/schemas.ts';
import { serve } from '../records/serve.ts';
import { listInProject } from '../sessions/projects.ts';
import { citationsToLookAt, keepLooked } from './citations.ts';
import { STATES } from './schema.ts';

const kind = z.enum(['note', 'learning']);
const Citation = z
  .object({ kind, id: z.string(), ref: z.string(), state: z.enum(STATES) })
  .openapi('Citation');

const Looked = z.strictObject({
  kind,
  id: z.guid(),
  ref: z.string().min(1).max(8192),
  state: z.enum(['there', 'gone', 'unknown']),
  /** of a file, in bytes */
  size: z.number().int().min(0).nullable().default(null),
  /** SHA-256 of a file; `present` of a symbol or a commit */
  hash: z
    .string()
    .regex(/^([0-9a-f]{64}|present)$/, 'must be a SHA-256 in hex, or present')
    .nullable()
    .default(null),
});
const Report = z
  .strictObject({
    /** the commit that is checked out */
    head: z
      .string()
      .regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/, 'must be the whole id of a commit')
      .nullable()
      .default(null),
    looked: z.array(Looked).min(1).max(500),
  })
  .openapi('FreshnessReport');

export function freshnessRoutes(services: { db: Database }): Router {
  const app = router();
  const route = serve(app, services);
  route(
    'GET /v1/freshness',
    'What notes and lessons cite, what was not looked at for longest first',
    {
      query: z.object({ project: z.string().min(1).max(4096).optional(), limit: limit(500, 200) }),
      answer: z.object({ citations: z.array(Citation) }),
    },
    async ({ as, query: { project, limit } }) => {
      const citations = await as((tx) =>
        listInProject(tx, project, (projectId) => citationsToLookAt(tx, projectId, limit)),
      );
      return { citations: citations.map(({ kind, id, ref, state }) => ({ kind, id, ref, state })) };
    },
  );
  route(
    'POST /v1/freshness',
    'Report what was seen of citations on the machine that has the files',
    // how many of them are known, and how many of these are stale
    { body: Report, answer: z.object({ looked: z.number(), stale: z.number() }) },
    ({ as, body: { head, looked } }) => {
      const seen = looked.map(({ state, size, hash, ...citation }) => ({
        ...citation,
        head,
        seen:
          state !== 'there'
            ? { state }
            : hash === null
              ? { state: 'unknown' as const }
              : { state, size, hash },
      }));
      return as((tx) => keepLooked(tx, seen));
    },
  );
  return app;
}
