import { z } from '@hono/zod-openapi';
import { runConsole } from '../../db/console.ts';
import type { Database } from '../../db/open.ts';
import { listDeadLetters, type Queue, retryDeadLetters } from '../../db/queue.ts';
import type { Journal } from '../../hooks/journal.ts';
import { ownerOnly } from '../../http/env.ts';
import { wire } from '../../http/schemas.ts';
import { served } from '../../http/serve.ts';
import { AUDIT_QUEUE } from '../../kinds/audits.ts';
import { CUT_QUEUE } from '../../kinds/episodes/cut.ts';
import { DISTIL_QUEUE } from '../../learnings/distil/distil.ts';
import { EMBED_QUEUE } from '../../search/embedding-queue.ts';

// What is done behind the answers, and what was given up on.

/** Each worker with the queue that it takes rows of. */
const QUEUES = {
  distil: DISTIL_QUEUE,
  cut: CUT_QUEUE,
  audit: AUDIT_QUEUE,
  embed: EMBED_QUEUE,
} satisfies Record<string, Queue>;
type Worker = keyof typeof QUEUES;
/** Per queue. More than this usually have one common cause. */
const MAX_SHOWN = 100;

const DeadLetter = z
  .object({ queue: z.string(), id: z.string(), about: z.string(), reason: z.string(), attempts: z.number() })
  .openapi('DeadLetter');

type Services = { journal: Pick<Journal, 'retryRefused'> | null; wake(worker: Worker): void };

export const workRoutes = served((route, services: Services) => {
  route(
    'GET /v1/dead-letters',
    'Work of the caller that failed too often to be tried again by itself: up to 100 of each queue',
    { answer: z.object({ deadLetters: z.array(DeadLetter) }) },
    ({ as }) =>
      as(async (tx) => {
        const deadLetters = [];
        for (const queue of Object.values(QUEUES))
          deadLetters.push(...(await listDeadLetters(tx, queue, MAX_SHOWN)));
        return { deadLetters };
      }),
  );
  route(
    'POST /v1/dead-letters/retry',
    'Have all of it tried again; for the owner also the events that the database refused',
    { answer: z.object({ retried: z.number() }) },
    async ({ caller, as }) => {
      const retried = await as(async (tx) => {
        let count = 0;
        for (const queue of Object.values(QUEUES)) count += await retryDeadLetters(tx, queue);
        return count;
      });
      for (const worker of Object.keys(QUEUES)) services.wake(worker as Worker);
      // the journal contains the events of all users
      const events = caller.role === 'owner' ? services.journal?.retryRefused() : 0;
      return { retried: retried + (events ?? 0) };
    },
  );
});

const Query = z.strictObject({ query: z.string().min(1).max(100_000) }).openapi('SqlQuery');

const Result = z
  .object({
    columns: z.array(z.string()),
    rows: z.array(z.record(z.string(), z.unknown())),
    /** what is missing of the result, in words; null if nothing is */
    cut: z.string().nullable(),
  })
  .openapi('SqlResult');

export const consoleRoutes = served((route, { db }: { db: Database }) =>
  route(
    'POST /v1/sql',
    'One SQL statement that reads, as the owner, under row level security',
    { body: Query, answer: Result, problems: { 403: 'Only the owner has a console' } },
    async ({ caller, body: { query } }) => {
      // Free SQL needs somebody who is trusted not to look for ways around row level security (docs/tenancy.md).
      ownerOnly(caller, 'has a console');
      return wire(await runConsole(db, caller, query));
    },
  ),
);
