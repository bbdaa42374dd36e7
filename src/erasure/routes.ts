import { createRoute, z } from '@hono/zod-openapi';
import { deleteMember, removeMember } from '../accounts/accounts.ts';
import type { KnownKeys } from '../accounts/known-keys.ts';
import { type Router, router } from '../http/router.ts';
import { body, commonProblems, instant, json, problem } from '../http/schemas.ts';
import { type ErasureServices, eraseRecords, type Wanted } from './erase.ts';

const WANTED = ['session', 'project', 'before'] as const;

const ToErase = z
  .strictObject({
    /** a session, by Lore's id or the client's */
    session: z.string().min(1).max(200).optional(),
    project: z.string().min(1).max(4096).optional(),
    /** everything from before this instant */
    before: instant().optional(),
    /** lessons and notes stay; they only lose what leads to the erased sessions */
    keepLearned: z.boolean().default(false),
    /** only count what would be erased */
    dryRun: z.boolean().default(false),
  })
  .refine((given) => WANTED.filter((name) => given[name] !== undefined).length === 1, {
    message: 'exactly one of session, project and before must be given',
    path: ['(body)'],
    // a field that is wrong by itself is named alone
    when: ({ issues }) => issues.length === 0,
  })
  .openapi('ToErase');

const Counts = z.record(z.string(), z.number());
const Erased = z.object({ dryRun: z.boolean(), erased: Counts }).openapi('Erased');
const Removed = z
  .object({
    userId: z.string(),
    name: z.string(),
    /** null: the rows were kept */
    erased: Counts.nullable(),
  })
  .openapi('RemovedUser');

const routes = {
  erase: createRoute({
    method: 'post',
    path: '/v1/erase',
    summary:
      "Permanently erase the caller's records of a session, a project or a time, and all that was made of them",
    request: body(ToErase),
    responses: {
      200: json(Erased, 'How many records of each kind were (or with dryRun would be) erased'),
      404: problem('No such session or project'),
      503: problem('Acknowledged events cannot be stored now'),
      ...commonProblems,
    },
  }),
  remove: createRoute({
    method: 'delete',
    path: '/v1/users/{id}',
    summary: 'Remove a member (owner only): the keys stop at once; the rows stay unless erase is true',
    request: {
      params: z.object({ id: z.uuid() }),
      query: z.object({ erase: z.enum(['true', 'false']).default('false') }),
    },
    responses: {
      200: json(Removed, 'The member, and what was erased'),
      403: problem('Owner only'),
      404: problem('No such member'),
      409: problem('It is the owner'),
      503: problem('Acknowledged events cannot be stored now; the keys are refused already'),
      ...commonProblems,
    },
  }),
};

/** Routes that erase. Removing a member is here, because it may erase what the member has in every room. */
export function erasureRoutes(services: ErasureServices & { keys: Pick<KnownKeys, 'forget'> }): Router {
  const app = router();
  app.openapi(routes.erase, async (c) => {
    const { keepLearned, dryRun, ...wanted } = c.req.valid('json');
    const erased = await eraseRecords(services, c.get('caller'), wanted as Wanted, { keepLearned, dryRun });
    return c.json({ dryRun, erased }, 200);
  });
  app.openapi(routes.remove, async (c) => {
    const { id } = c.req.valid('param');
    const name = await removeMember(services.db, c.get('caller'), id);
    services.keys.forget(id);
    if (c.req.valid('query').erase === 'false') return c.json({ userId: id, name, erased: null }, 200);
    const member = { userId: id, role: 'member' as const };
    const erased = await eraseRecords(services, member, 'everything', { keepLearned: false, dryRun: false });
    await deleteMember(services.db, id);
    return c.json({ userId: id, name, erased }, 200);
  });
  return app;
}
