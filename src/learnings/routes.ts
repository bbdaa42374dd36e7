import { z } from '@hono/zod-openapi';
import type { Tx } from '../db/open.ts';
import type { Caller } from '../http/env.ts';
import { instant, limit, time } from '../http/schemas.ts';
import { served } from '../http/serve.ts';
import { type FreshnessServices, freshnessOf, StaleCitations } from '../kinds/citations.ts';
import { reference, references } from '../kinds/kind.ts';
import { projectToState, storableText as text } from '../kinds/values.ts';
import { redactValue } from '../redaction/redact.ts';
import { listInProject, ProjectName } from '../sessions/projects.ts';
import { newVersion } from './admit.ts';
import { countOutcome } from './credit.ts';
import { Remember, Rule } from './distil/form.ts';
import { agentIn, keepRule, remember } from './distil/hand-in.ts';
import { approveLesson, guardLiterally, keyOf, stateLesson } from './distil/said.ts';
import { eraseLessons } from './erase.ts';
import { describeGuard } from './guards/describe.ts';
import { listGuards } from './guards/guards.ts';
import { Guard } from './guards/routes.ts';
import {
  learningHistory,
  lessonToChange,
  listLearnings,
  mayBeEverywhere,
  retireLearning,
  shownLessons,
} from './learnings.ts';
import { DECISIONS, STATUSES } from './schema.ts';

/** A lesson; `stale`: citations that are no longer as they were when it was written. */
const Learning = z
  .object<z.ZodRawShape>({ ...shownLessons.shape, stale: StaleCitations.optional() })
  .openapi('Learning');

/** What became of a lesson that somebody stated. */
const Admitted = z
  .object({
    decision: z.enum(DECISIONS),
    reason: z.string(),
    learning: Learning.nullable(),
    /** what it does at calls that break it, and why it does not; null: nothing in the words says which calls break it */
    guard: z
      .object({ id: z.string(), state: Guard.shape.state, about: z.string(), reason: z.string().nullable() })
      .nullable(),
  })
  .openapi('Admitted');

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
const words = z.array(z.string().trim().min(1).max(200)).max(30);

const parts = {
  lesson: z.string().trim().min(1).max(2000),
  /** when the lesson applies */
  context: z.string().trim().max(2000),
  why: z.string().trim().max(2000),
  keywords: words,
  appliesTo: words,
  /** told in all projects of the user */
  everywhere: z.boolean(),
};
const NewLearning = z
  .strictObject({
    project: ProjectName,
    lesson: parts.lesson,
    context: parts.context.default(''),
    why: parts.why.optional(),
    keywords: words.default([]),
    appliesTo: words.default([]),
    confidence: z.number().min(0).max(1).default(0.8),
    agent: z.string().max(200).optional(),
    everywhere: parts.everywhere.default(false),
  })
  .openapi('NewLearning');

/** A part that is left out stays as it is; null removes the reason. */
const LearningChange = z
  .strictObject({ ...parts, why: parts.why.nullable() })
  .partial()
  .refine((change) => Object.keys(change).length > 0, 'must change something')
  .openapi('LearningChange');

const from = { project: projectToState, agent: text(200) };
const Proposal = Remember.extend({
  ...from,
  /** the client's id of the session in which it was learned; what it names is looked for there */
  session: text(200).optional(),
}).openapi('Proposal');
const RuleProposal = Rule.extend({ ...from, session: text(200) })
  .refine((rule) => !JSON.stringify(rule).includes('\\u0000'), 'must hold no NUL character')
  .openapi('RuleProposal');

const Proposed = z
  .object({
    /** the kind and the beginning of the id of the record; null if nothing was kept */
    id: z.string().nullable(),
    /** proposed, merged, inferred, confirmed, discarded or refused */
    state: z.string(),
    reason: z.string(),
  })
  .openapi('Proposed');

const one = { params: reference, problems: references };

/** Changes a lesson, and returns it as it is afterwards. */
async function change(tx: Tx, reference: string, act: (id: string) => Promise<unknown>) {
  const { id } = await lessonToChange(tx, reference);
  await act(id);
  return shownLessons.get(tx, id);
}

export const learningRoutes = served((route, services: FreshnessServices) => {
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
  route(
    'POST /v1/learnings',
    'State a lesson: a person’s is active at once, an agent’s is proposed',
    { body: NewLearning, answer: Admitted, created: 'sometimes', wakes: ['embed', 'baselines'] },
    async ({ as, body, caller, isNew }) => {
      const { learningId, ...decided } = await stateLesson(services.db, caller, body);
      isNew(decided.decision === 'stored');
      if (learningId === null) return { ...decided, learning: null, guard: null };
      const learning = await as((tx) => shownLessons.get(tx, learningId));
      const [made] = await as((tx) => listGuards(tx, { lessonId: learningId, limit: 1 }));
      const guard = made
        ? { id: made.id, state: made.state, about: describeGuard(made.rule), reason: made.reason }
        : null;
      return { ...decided, learning, guard };
    },
  );
  route(
    'POST /v1/learnings/{id}/approve',
    'Accept a lesson that is proposed: it becomes active',
    { ...one, answer: Learning, wakes: ['embed'] },
    ({ as, params }) => as((tx) => change(tx, params.id, (id) => approveLesson(tx, id))),
  );
  route(
    'PATCH /v1/learnings/{id}',
    'Word a lesson anew, as a person: a new version takes its place',
    { ...one, body: LearningChange, answer: Learning, wakes: ['embed', 'baselines'] },
    ({ as, params, body }) => {
      const { lesson, ...change } = redactValue(body);
      return as(async (tx) => {
        const found = await lessonToChange(tx, params.id);
        await mayBeEverywhere(tx, change.everywhere);
        const worded = lesson === undefined ? {} : { lesson, sameKey: keyOf(lesson) };
        const id = await newVersion(tx, found.id, { ...change, ...worded });
        await guardLiterally(tx, id, true);
        return shownLessons.get(tx, id);
      });
    },
  );
  route(
    'POST /v1/proposals',
    'Propose a lesson or fact, as an agent: kept until a person or an outcome confirms it',
    { body: Proposal, answer: Proposed, wakes: ['embed'] },
    async ({ body: { project, agent, session, ...given }, caller }) => {
      const giver = await agentIn(services, caller, { project, agent, session });
      return remember(services, caller, given, giver);
    },
  );
  route(
    'POST /v1/proposals/rules',
    "Propose a rule from a person's words, as the agent that heard them: it asks at most until it is confirmed",
    { body: RuleProposal, answer: Proposed, wakes: ['embed'] },
    async ({ body: { project, agent, session, ...rule }, caller }) => {
      const giver = await agentIn(services, caller, { project, agent, session });
      return keepRule(services, caller, rule, giver);
    },
  );
});
