import { z } from '@hono/zod-openapi';
import { deleteMember, removeMember } from '../accounts/accounts.ts';
import type { KnownKeys } from '../accounts/known-keys.ts';
import { type Router, router } from '../http/router.ts';
import { instant } from '../http/schemas.ts';
import { serve } from '../records/serve.ts';
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

/** how many records of each kind were (or with dryRun would be) erased */
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

/** Routes that erase. Removing a member is here, because it may erase what the member has in every room. */
export function erasureRoutes(services: ErasureServices & { keys: Pick<KnownKeys, 'forget'> }): Router {
  const app = router();
  const route = serve(app, services);
  route(
    'POST /v1/erase',
    "Permanently erase the caller's records of a session, a project or a time, and all that was made of them",
    {
      body: ToErase,
      answer: Erased,
      problems: { 404: 'No such session or project', 503: 'Acknowledged events cannot be stored now' },
    },
    async ({ caller, body: { keepLearned, dryRun, ...wanted } }) => {
      const erased = await eraseRecords(services, caller, wanted as Wanted, { keepLearned, dryRun });
      return { dryRun, erased };
    },
  );
  route(
    'DELETE /v1/users/{id}',
    'Remove a member (owner only): the keys stop at once; the rows stay unless erase is true',
    {
      params: z.object({ id: z.uuid() }),
      query: z.object({ erase: z.enum(['true', 'false']).default('false') }),
      answer: Removed,
      problems: {
        403: 'Owner only',
        404: 'No such member',
        409: 'It is the owner',
        503: 'Acknowledged events cannot be stored now; the keys are refused already',
      },
    },
    async ({ caller, params: { id }, query }) => {
      const name = await removeMember(services.db, caller, id);
      services.keys.forget(id);
      if (query.erase === 'false') return { userId: id, name, erased: null };
      const member = { userId: id, role: 'member' as const };
      const erased = await eraseRecords(services, member, 'everything', {
        keepLearned: false,
        dryRun: false,
      });
      await deleteMember(services.db, id);
      return { userId: id, name, erased };
    },
  );
  return app;
}
