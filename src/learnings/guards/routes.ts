import { z } from '@hono/zod-openapi';
import type { Database, Tx } from '../../db/open.ts';
import { limit, time } from '../../http/schemas.ts';
import { served } from '../../http/serve.ts';
import { reference, references } from '../../kinds/kind.ts';
import { listInProject } from '../../sessions/projects.ts';
import { describeGuard } from './describe.ts';
import { getGuard, listGuards, type ShownGuard, setGuard, writeGuard } from './guards.ts';
import { GuardRule } from './rule.ts';
import { GUARD_SOURCES, GUARD_STATES } from './schema.ts';

// made again here, because only schemas made after the OpenAPI extension was loaded have `openapi`
const Rule = z.strictObject(GuardRule.shape).openapi('GuardRule');

export const Guard = z
  .object({
    id: z.string(),
    project: z.string(),
    /** whether it acts in all projects */
    everywhere: z.boolean(),
    lessonId: z.string(),
    lesson: z.string(),
    /** whether its lesson is in force; if not, the guard does not act */
    inForce: z.boolean(),
    /** which calls it is about, in words */
    about: z.string(),
    rule: Rule,
    source: z.enum(GUARD_SOURCES),
    state: z.enum(GUARD_STATES),
    /** why it is paused or refused, or asks only until somebody confirms it */
    reason: z.string().nullable(),
    hits: z.number().int(),
    lastHitAt: time.nullable(),
    createdAt: time,
    updatedAt: time,
  })
  .openapi('Guard');

const shown = (guard: ShownGuard) => ({ ...guard, about: describeGuard(guard.rule) });
const one = { params: reference, answer: Guard, problems: references };
const filters = z.strictObject({
  project: z.string().min(1).max(4096).optional(),
  lesson: z.uuid().optional(),
  limit: limit(500, 100),
});

/** Adds the routes of `/v1/guards`. */
export const guardRoutes = served<{ db: Database }>((route) => {
  route(
    'GET /v1/guards',
    'The rules of persons as data: at which calls they act, the newest first',
    { query: filters, answer: z.object({ guards: z.array(Guard) }) },
    async ({ as, query: { project, lesson: lessonId, limit } }) => {
      const list = (tx: Tx) =>
        listInProject(tx, project, (projectId) => listGuards(tx, { projectId, lessonId, limit }));
      return { guards: (await as(list)).map(shown) };
    },
  );
  route('GET /v1/guards/{id}', 'A guard by its id or that of its lesson', one, async ({ as, params }) =>
    shown(await as((tx) => getGuard(tx, params.id))),
  );
  route(
    'PUT /v1/guards/{id}',
    "Write a guard, by its lesson's id or its own; it acts if it passes its own examples",
    { ...one, body: Rule },
    async ({ as, params, body }) =>
      shown(await as(async (tx) => getGuard(tx, await writeGuard(tx, params.id, body)))),
  );
  route(
    'PATCH /v1/guards/{id}',
    'Pause a guard, or let it act again',
    { ...one, body: z.strictObject({ state: z.enum(['on', 'paused']) }).openapi('GuardChange') },
    async ({ as, params, body }) =>
      shown(await as(async (tx) => getGuard(tx, await setGuard(tx, params.id, body.state)))),
  );
});
