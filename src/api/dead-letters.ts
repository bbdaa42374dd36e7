import { createRoute, z } from '@hono/zod-openapi';
import type { Database } from '../db/open.ts';
import { listDeadLetters, type Queue, retryDeadLetters } from '../db/queue.ts';
import { DISTIL_QUEUE } from '../distil/distil.ts';
import { CUT_QUEUE } from '../episodes/cut.ts';
import { asCaller, type Router, router } from '../http/router.ts';
import { commonProblems, json } from '../http/schemas.ts';
import { AUDIT_QUEUE } from '../kinds/audits.ts';
import { EMBED_QUEUE } from '../search/embedding-queue.ts';

/** Each queue with the worker that takes its rows. */
type Worker = 'distil' | 'cut' | 'audit' | 'embed';
const QUEUES: { queue: Queue; worker: Worker }[] = [
  { queue: DISTIL_QUEUE, worker: 'distil' },
  { queue: CUT_QUEUE, worker: 'cut' },
  { queue: AUDIT_QUEUE, worker: 'audit' },
  { queue: EMBED_QUEUE, worker: 'embed' },
];
/** Per queue. More than this usually have one common cause. */
const MAX_SHOWN = 100;

const DeadLetter = z
  .object({
    queue: z.string(),
    id: z.string(),
    about: z.string(),
    reason: z.string(),
    attempts: z.number(),
  })
  .openapi('DeadLetter');

const routes = {
  list: createRoute({
    method: 'get',
    path: '/v1/dead-letters',
    summary: 'Work of the caller that failed too often to be tried again by itself: up to 100 of each queue',
    responses: {
      200: json(z.object({ deadLetters: z.array(DeadLetter) }), 'What it is about, and why it failed'),
      ...commonProblems,
    },
  }),
  retry: createRoute({
    method: 'post',
    path: '/v1/dead-letters/retry',
    summary: 'Have all of it tried again',
    responses: { 200: json(z.object({ retried: z.number() }), 'How many there were'), ...commonProblems },
  }),
};

export function deadLetterRoutes(services: { db: Database; wake(worker: Worker): void }): Router {
  const app = router();
  app.openapi(routes.list, async (c) => {
    const deadLetters = await asCaller(services, c, async (tx) => {
      const found = [];
      for (const { queue } of QUEUES) found.push(...(await listDeadLetters(tx, queue, MAX_SHOWN)));
      return found;
    });
    return c.json({ deadLetters }, 200);
  });
  app.openapi(routes.retry, async (c) => {
    const retried = await asCaller(services, c, async (tx) => {
      let count = 0;
      for (const { queue } of QUEUES) count += await retryDeadLetters(tx, queue);
      return count;
    });
    for (const { worker } of QUEUES) services.wake(worker);
    return c.json({ retried }, 200);
  });
  return app;
}
