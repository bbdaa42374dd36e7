import { createRoute, z } from '@hono/zod-openapi';
import { asCaller, body, commonProblems, json, problem, type Router, router } from '../http.ts';
import type { Services } from '../services.ts';
import { checkCommand, commandMetrics, overrule, personalRules, surroundings } from './check.ts';
import { CheckRequest } from './verdict.ts';

// made anew: `openapi` is known only to schemas made after it was loaded
const Command = z.strictObject(CheckRequest.shape).openapi('Command');

const Checked = z
  .object({
    decision: z.enum(['allow', 'deny', 'ask']),
    safe: z.boolean(),
    reason: z.string(),
    rule: z.string().optional(),
    source: z.enum(['policy', 'model', 'person', 'none']),
    cached: z.boolean(),
    code: z.string(),
  })
  .openapi('CheckedCommand');

const Overruling = z
  .strictObject({
    code: z.string().regex(/^[0-9a-f]{8}$/, 'must be the eight characters that the deny message shows'),
    decision: z.enum(['allow', 'deny']),
    once: z.boolean().default(false),
  })
  .openapi('Overruling');

const Metrics = z
  .object({
    commands: z.object({
      checks: z.number(),
      allowed: z.number(),
      denied: z.number(),
      unverified: z.number(),
      safetyRate: z.number().nullable(),
      overrides: z.number(),
      byRule: z.record(z.string(), z.number()),
      bySource: z.record(z.string(), z.number()),
      latencyMs: z.object({ p50: z.number().nullable(), p95: z.number().nullable() }),
    }),
  })
  .openapi('Metrics');

const routes = {
  check: createRoute({
    method: 'post',
    path: '/v1/commands/check',
    summary: 'The verdict on a shell command; ask means no opinion',
    request: body(Command),
    responses: { 200: json(Checked, 'The verdict'), ...commonProblems },
  }),
  overrule: createRoute({
    method: 'post',
    path: '/v1/commands/overrule',
    summary: "A person's verdict on a command that was checked, for the next time or for good",
    request: body(Overruling),
    responses: {
      200: json(z.object({ command: z.string(), cwd: z.string() }), 'The command it is about'),
      404: problem('No such code'),
      409: problem('A catastrophic rule stands against it'),
      ...commonProblems,
    },
  }),
  metrics: createRoute({
    method: 'get',
    path: '/v1/metrics',
    summary: "The caller's counts over the last days",
    request: {
      query: z.strictObject({
        days: z.coerce.number().int().min(1).max(365).default(7).openapi({ type: 'integer' }),
      }),
    },
    responses: { 200: json(Metrics, 'The counts'), ...commonProblems },
  }),
};

export function commandRoutes(services: Services): Router {
  const app = router();
  app.openapi(routes.check, async (c) => {
    const { command, cwd, root } = c.req.valid('json');
    const place = surroundings(cwd, root ?? null);
    const caller = c.get('caller');
    const personal = personalRules(services.config, caller);
    return c.json(
      await checkCommand(services, caller, { command, place, sessionId: null, record: true, personal }),
      200,
    );
  });
  app.openapi(routes.overrule, async (c) => {
    const { code, decision, once } = c.req.valid('json');
    return c.json(await asCaller(services, c, (tx) => overrule(tx, code, { decision, once })), 200);
  });
  app.openapi(routes.metrics, async (c) => {
    const since = new Date(Date.now() - c.req.valid('query').days * 86_400_000);
    return c.json({ commands: await asCaller(services, c, (tx) => commandMetrics(tx, since)) }, 200);
  });
  return app;
}
