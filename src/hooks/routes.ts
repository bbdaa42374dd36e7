import { createRoute, z } from '@hono/zod-openapi';
import { CheckRequest } from '../commands/verdict.ts';
import { asFarAs } from '../http/distant.ts';
import { ownerOnly } from '../http/owner-only.ts';
import { connectionOf } from '../http/remote-address.ts';
import { type Router, router } from '../http/router.ts';
import { body, commonProblems, json, problem } from '../http/schemas.ts';
import { HookEvent } from '../sessions/hook-event.ts';
import { handleHook } from './handle.ts';
import { JOURNAL_STATES } from './journal.ts';
import { stopsOf } from './stops.ts';
import type { HookServices } from './types.ts';
import { Unchecked, uncheckedOf } from './unchecked.ts';

const HookOutput = z.looseObject({}).openapi('HookOutput');

const route = createRoute({
  method: 'post',
  path: '/v1/hooks',
  summary: 'Any hook event, as the client sends it',
  request: body(HookEvent.openapi('HookEvent')),
  responses: { 200: json(HookOutput, "The hook's output; {} is no opinion"), ...commonProblems },
});

const uncheckedRoute = createRoute({
  method: 'get',
  path: '/v1/hooks/unchecked',
  summary: 'Where calls are not checked, because hooks are missing, refused or unanswered, and what to do',
  responses: {
    200: json(z.object({ unchecked: z.array(Unchecked) }), 'Empty when all is well'),
    ...commonProblems,
  },
});

const Stop = z
  .object({
    /** deny, ask: a person's rule; hold: a lesson stops it once, and the same call passes when it is made again */
    decision: z.enum(['deny', 'ask', 'hold']),
    lessonId: z.string(),
    lesson: z.string(),
  })
  .openapi('Stop');

const named = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .refine((name) => !name.includes('\0'), 'must not hold a NUL');

const stopsRoute = createRoute({
  method: 'post',
  path: '/v1/commands/stops',
  summary:
    'Which of your rules and lessons would stop shell commands in a project, besides the safety rules; nothing is stored',
  request: body(
    z.strictObject({
      commands: z.array(CheckRequest.shape.command).min(1).max(500),
      project: named(4096),
      cwd: CheckRequest.shape.cwd,
      /** the work tree around it; default: cwd */
      root: CheckRequest.shape.root,
      /** the branch that is checked out there */
      branch: named(1000).optional(),
    }),
  ),
  responses: {
    200: json(
      z.object({ stops: z.array(Stop.nullable()) }),
      'What would stop each command, in their order; null: nothing of the project',
    ),
    ...commonProblems,
  },
});

const Journal = z
  .object({
    /** what the worker of the journal does; null: the journal is turned off */
    state: z.enum(JOURNAL_STATES).nullable(),
    waiting: z.number(),
    stuck: z.string().nullable(),
    refused: z.array(
      z.object({
        at: z.string(),
        reason: z.string(),
        event: z.string().nullable(),
        session: z.string().nullable(),
      }),
    ),
  })
  .openapi('Journal');

// the journal contains the events of all users
const refusal = { 403: problem('Owner only') };
const journalRoute = createRoute({
  method: 'get',
  path: '/v1/journal',
  summary: 'Events that are acknowledged but not in the database, and why (owner only)',
  responses: {
    200: json(Journal, 'What waits; all empty when everything is stored'),
    ...refusal,
    ...commonProblems,
  },
});
export function hookRoutes(services: HookServices): Router {
  const app = router();
  app.openapi(route, async (c) => {
    const claims = asFarAs(services, c.get('caller'));
    const sender = c.req.header('x-lore-hook');
    return c.json(await handleHook(services, claims, c.req.valid('json'), connectionOf(c), sender), 200);
  });
  app.openapi(uncheckedRoute, async (c) =>
    c.json({ unchecked: await uncheckedOf(services, c.get('caller')) }, 200),
  );
  app.openapi(stopsRoute, async (c) => {
    const { commands, cwd, project, root = cwd, branch = null } = c.req.valid('json');
    const place = { project, cwd, root, branch };
    return c.json(
      { stops: await stopsOf(services, asFarAs(services, c.get('caller')), commands, place) },
      200,
    );
  });
  app.openapi(journalRoute, async (c) => {
    ownerOnly(c.get('caller'), 'sees its journal');
    const none = { state: null, waiting: 0, stuck: null, refused: [] };
    return c.json((await services.journal?.status()) ?? none, 200);
  });
  return app;
}
