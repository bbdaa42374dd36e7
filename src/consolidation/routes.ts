import { z } from '@hono/zod-openapi';
import { limit, time } from '../http/schemas.ts';
import { served } from '../http/serve.ts';
import { beginRun, type NightServices, nextNight } from './night.ts';
import { getRun, listRuns, shownItems, shownRuns, undo } from './runs.ts';

const Run = z.object(shownRuns.shape).openapi('ConsolidationRun');
const Report = Run.extend({ items: z.array(z.object(shownItems.shape)) }).openapi('ConsolidationReport');

const one = {
  params: z.object({ id: z.string().min(4).max(45) }),
  problems: { 404: 'No such run or item', 409: 'The id is ambiguous, or what was changed cannot be undone' },
};

export const consolidationRoutes = served<NightServices & { wake(worker: 'consolidate'): void }>(
  (route, services) => {
    route(
      'GET /v1/consolidation/runs',
      'The nights, the newest first, without what they changed, and when the next one is due',
      {
        query: z.strictObject({ limit: limit(200, 20), before: z.guid().optional() }),
        answer: z.object({ runs: z.array(Run), next: time }),
      },
      async ({ as, query }) => ({
        runs: await as((tx) => listRuns(tx, query)),
        next: await nextNight(services.db, new Date()),
      }),
    );
    route(
      'GET /v1/consolidation/runs/{id}',
      'What a night changed, and why, the first 1,000 changes; the id, the beginning of it, or `last`',
      { ...one, answer: Report },
      ({ as, params }) => as((tx) => getRun(tx, params.id)),
    );
    route(
      'POST /v1/consolidation/runs',
      'Run a night now, in the background; GET tells how far it is. Goes on with one that is open.',
      { answer: Run },
      async ({ as, caller }) => {
        const id = await beginRun(services, caller, 'person');
        services.wake('consolidate');
        return as((tx) => getRun(tx, id));
      },
    );
    route(
      'POST /v1/consolidation/runs/{id}/undo',
      'Undo what a night changed, all of it or one item. Deleted events and checks do not come back.',
      {
        ...one,
        query: z.strictObject({
          item: z
            .string()
            .regex(/^[0-9a-fA-F-]{8,36}$/, 'must be the id of an item or its beginning')
            .optional(),
        }),
        answer: z.object({ undone: z.number() }),
      },
      ({ as, params, query }) => as((tx) => undo(tx, { run: params.id, item: query.item })),
    );
  },
);
