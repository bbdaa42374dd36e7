import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { Tx } from '../db/open.ts';
import type { Env } from '../http/env.ts';
import { asCaller, type Router, router } from '../http/router.ts';
import { body, commonProblems, instant, json, limit, time, wire } from '../http/schemas.ts';
import { type FreshnessServices, freshnessOf, type Stale } from '../kinds/citations.ts';
import { listInProject } from '../sessions/projects.ts';
import { countOutcome } from './credit.ts';
import { eraseLessons } from './erase.ts';
import { getLearning, learningHistory, lessonToChange, listLearnings, retireLearning } from './learnings.ts';
import { DECISIONS, STATUSES } from './schema.ts';
import { Learning, noSuch, reference } from './schemas.ts';

/** What became of a candidate, or how a lesson was moved. */
const Judged = z.object({
  event: z.string(),
  decision: z.enum(DECISIONS).nullable(),
  reason: z.string().nullable(),
  evaluator: z.string().nullable(),
  evidence: z.record(z.string(), z.unknown()).nullable(),
  finishedAt: time.nullable(),
});

/** A time that a lesson was offered to an agent. */
const Injection = z
  .object({
    /** the client's id of it */
    session: z.string().nullable(),
    sessionId: z.string(),
    event: z.string(),
    relevance: z.enum(['high', 'medium']).nullable(),
    injectedAt: time,
    outcome: z.enum(['helped', 'failed', 'unused', 'unknown']).nullable(),
  })
  .openapi('Injection');

const WholeLearning = Learning.extend({
  /** all versions of the lesson, the newest first */
  versions: z.array(Learning),
  /** what it still needs to become active, in a sentence; null if it is active or has ended */
  missing: z.string().nullable(),
  judgements: z.array(Judged),
  injections: z.array(Injection),
  /** how many sessions were told it, and what came of it there */
  inSessions: z.object({ told: z.number(), helped: z.number(), failed: z.number() }),
}).openapi('WholeLearning');

const routes = {
  list: createRoute({
    method: 'get',
    path: '/v1/learnings',
    summary: 'Lessons, the newest first; with asOf as they stood then',
    request: {
      query: z.object({
        project: z.string().min(1).max(4096).optional(),
        limit: limit(500, 50),
        /** ended: those that were rejected or replaced */
        status: z.enum([...STATUSES, 'ended']).optional(),
        asOf: instant().optional(),
        /** words to search for: each must be somewhere in the lesson */
        q: z.string().min(1).max(200).optional(),
        /** the last lesson of the page before */
        before: z.uuid().optional(),
      }),
    },
    responses: { 200: json(z.object({ learnings: z.array(Learning) }), 'The lessons'), ...commonProblems },
  }),
  get: createRoute({
    method: 'get',
    path: '/v1/learnings/{id}',
    summary: 'A lesson by its id or the beginning of it, with how it came to be',
    request: { params: reference },
    responses: { 200: json(WholeLearning, 'The lesson'), ...noSuch, ...commonProblems },
  }),
  retire: createRoute({
    method: 'post',
    path: '/v1/learnings/{id}/retire',
    summary: "End a lesson's validity; it stays for time travel",
    request: {
      params: reference,
      query: z.strictObject({
        /** why a person rejects it; told with its judgements */
        reason: z.string().trim().min(1).max(2000).optional(),
      }),
    },
    responses: { 200: json(Learning, 'The lesson'), ...noSuch, ...commonProblems },
  }),
  rate: createRoute({
    method: 'post',
    path: '/v1/learnings/{id}/feedback',
    summary: 'Say whether a lesson helped',
    request: { params: reference, ...body(z.strictObject({ helpful: z.boolean() })) },
    responses: { 200: json(Learning, 'The lesson'), ...noSuch, ...commonProblems },
  }),
  erase: createRoute({
    method: 'delete',
    path: '/v1/learnings/{id}',
    summary: 'Permanently erase a lesson',
    request: { params: reference },
    responses: { 204: { description: 'Erased' }, ...noSuch, ...commonProblems },
  }),
};

export function learningRoutes(services: FreshnessServices): Router {
  const app = router();
  /** Adds to each lesson its citations that are stale. */
  const withStale = async <L extends { id: string }>(c: Context<Env>, lessons: L[]) => {
    const ids = lessons.map(({ id }) => id);
    const stale = await freshnessOf(services, c.get('caller'), ids);
    return lessons.map((lesson) => ({ ...lesson, stale: stale.get(lesson.id) ?? [] }));
  };
  app.openapi(routes.list, async (c) => {
    const { project, ...filter } = c.req.valid('query');
    const rows = await asCaller(services, c, (tx) =>
      listInProject(tx, project, (projectId) => listLearnings(tx, { ...filter, projectId })),
    );
    return c.json({ learnings: wire(await withStale(c, rows)) }, 200);
  });

  app.openapi(routes.get, async (c) => {
    const learning = await asCaller(services, c, async (tx) => {
      const found = await getLearning(tx, c.req.valid('param').id);
      return { ...found, ...(await learningHistory(tx, found.id)) };
    });
    const [shown] = await withStale(c, [learning]);
    return c.json(wire(shown as typeof learning & { stale: Stale[] }), 200);
  });

  /** Finds the lesson, changes it and returns it as it is afterwards. */
  const change = async (
    c: Parameters<typeof asCaller>[1],
    id: string,
    act: (tx: Tx, id: string) => Promise<unknown>,
  ) =>
    wire(
      await asCaller(services, c, async (tx) => {
        const found = await lessonToChange(tx, id);
        await act(tx, found.id);
        return getLearning(tx, found.id);
      }),
    );
  app.openapi(routes.retire, async (c) => {
    const { reason = null } = c.req.valid('query');
    const learning = await change(c, c.req.valid('param').id, (tx, id) => retireLearning(tx, id, reason));
    return c.json(learning, 200);
  });
  app.openapi(routes.rate, async (c) => {
    const outcome = c.req.valid('json').helpful ? 'helped' : 'failed';
    const by = { sessionId: null, evaluator: 'person' };
    return c.json(
      await change(c, c.req.valid('param').id, (tx, id) => countOutcome(tx, id, outcome, by)),
      200,
    );
  });
  app.openapi(routes.erase, async (c) => {
    await asCaller(services, c, async (tx) =>
      eraseLessons(tx, [(await lessonToChange(tx, c.req.valid('param').id)).id]),
    );
    return c.body(null, 204);
  });
  return app;
}
