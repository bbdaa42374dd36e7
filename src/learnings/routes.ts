import { z } from '@hono/zod-openapi';
import type { Tx } from '../db/open.ts';
import type { Caller } from '../http/env.ts';
import { instant, limit, time } from '../http/schemas.ts';
import { type FreshnessServices, freshnessOf } from '../kinds/citations.ts';
import { reference, references } from '../kinds/kind.ts';
import { served } from '../kinds/records/serve.ts';
import { listInProject } from '../sessions/projects.ts';
import { countOutcome } from './credit.ts';
import { eraseLessons } from './erase.ts';
import { learningHistory, lessonToChange, listLearnings, retireLearning, shownLessons } from './learnings.ts';
import { DECISIONS, STATUSES } from './schema.ts';
import { Learning } from './schemas.ts';

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

const filters = z.object({
  project: z.string().min(1).max(4096).optional(),
  limit: limit(500, 50),
  /** ended: those that were rejected or replaced */
  status: z.enum([...STATUSES, 'ended']).optional(),
  asOf: instant().optional(),
  /** words to search for: each must be somewhere in the lesson */
  q: z.string().min(1).max(200).optional(),
  /** the last lesson of the page before */
  before: z.uuid().optional(),
});
const one = { params: reference, problems: references };

/** Changes a lesson, and returns it as it is afterwards. */
async function change(tx: Tx, reference: string, act: (id: string) => Promise<unknown>) {
  const { id } = await lessonToChange(tx, reference);
  await act(id);
  return shownLessons.get(tx, id);
}

export const learningRoutes = served<FreshnessServices>((route, services) => {
  /** Adds to each lesson its citations that are stale. */
  const withStale = async <L extends { id: string }>(caller: Caller, lessons: L[]) => {
    const stale = await freshnessOf(
      services,
      caller,
      lessons.map(({ id }) => id),
    );
    return lessons.map((lesson) => ({ ...lesson, stale: stale.get(lesson.id) ?? [] }));
  };
  route(
    'GET /v1/learnings',
    'Lessons, the newest first; with asOf as they stood then',
    { query: filters, answer: z.object({ learnings: z.array(Learning) }) },
    async ({ as, caller, query: { project, ...filter } }) => {
      const list = (tx: Tx) => listInProject(tx, project, (id) => listLearnings(tx, id, filter));
      return { learnings: await withStale(caller, await as(list)) };
    },
  );
  route(
    'GET /v1/learnings/{id}',
    'A lesson by its id or the beginning of it, with how it came to be',
    { ...one, answer: WholeLearning },
    async ({ as, caller, params }) => {
      const whole = await as(async (tx) => {
        const found = await shownLessons.get(tx, params.id);
        return { ...found, ...(await learningHistory(tx, found.id)) };
      });
      return (await withStale(caller, [whole]))[0] as never;
    },
  );
  route(
    'POST /v1/learnings/{id}/retire',
    "End a lesson's validity; it stays for time travel",
    {
      ...one,
      query: z.strictObject({
        /** why a person rejects it; told with its judgements */
        reason: z.string().trim().min(1).max(2000).optional(),
      }),
      answer: Learning,
    },
    ({ as, params, query: { reason = null } }) =>
      as((tx) => change(tx, params.id, (id) => retireLearning(tx, id, reason))),
  );
  route(
    'POST /v1/learnings/{id}/feedback',
    'Say whether a lesson helped',
    { ...one, body: z.strictObject({ helpful: z.boolean() }), answer: Learning },
    ({ as, params, body: { helpful } }) => {
      const by = { sessionId: null, evaluator: 'person' };
      return as((tx) =>
        change(tx, params.id, (id) => countOutcome(tx, id, helpful ? 'helped' : 'failed', by)),
      );
    },
  );
  route('DELETE /v1/learnings/{id}', 'Permanently erase a lesson', one, ({ as, params }) =>
    as(async (tx) => {
      await eraseLessons(tx, [(await lessonToChange(tx, params.id)).id]);
    }),
  );
});
