import { z } from '@hono/zod-openapi';
import type { Database } from '../../db/open.ts';
import { reference, references } from '../../kinds/kind.ts';
import { served } from '../../kinds/records/serve.ts';
import { projectToState, storableText as text } from '../../kinds/values.ts';
import { redactValue } from '../../redaction/redact.ts';
import { ProjectName } from '../../sessions/projects.ts';
import { newVersion } from '../admit.ts';
import { approveLearning, lessonToChange, mayBeEverywhere, shownLessons } from '../learnings.ts';
import { Admitted, Learning } from '../schemas.ts';
import { Remember, Rule } from './form.ts';
import { agentIn, keepRule, remember } from './hand-in.ts';
import { confirmGuard, guardLiterally, keyOf, stateLesson } from './said.ts';

// The routes by which a lesson is put in words, by a person or an agent; those that read and move lessons are in
// `learnings/routes.ts`.

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

type Services = { db: Database; wake(worker: 'embed' | 'baselines'): void };
const one = { params: reference, problems: references };

export const lessonRoutes = served<Services>((route, services) => {
  const { db, wake } = services;
  route(
    'POST /v1/learnings',
    'State a lesson: a person’s is active at once, an agent’s is proposed',
    { body: NewLearning, answer: Admitted, created: 'sometimes' },
    async ({ as, body, caller, isNew }) => {
      const { learningId, ...decided } = await stateLesson(db, caller, body);
      wake('embed');
      wake('baselines');
      isNew(decided.decision === 'stored');
      const learning = learningId === null ? null : await as((tx) => shownLessons.get(tx, learningId));
      return { ...decided, learning };
    },
  );
  route(
    'POST /v1/learnings/{id}/approve',
    'Accept a lesson that is proposed: it becomes active',
    { ...one, answer: Learning },
    async ({ as, params }) => {
      const learning = await as(async (tx) => {
        const { id } = await lessonToChange(tx, params.id);
        await approveLearning(tx, id);
        await confirmGuard(tx, id);
        return shownLessons.get(tx, id);
      });
      wake('embed');
      return learning;
    },
  );
  route(
    'PATCH /v1/learnings/{id}',
    'Word a lesson anew, as a person: a new version takes its place',
    { ...one, body: LearningChange, answer: Learning },
    async ({ as, params, body }) => {
      const { lesson, ...change } = redactValue(body);
      const learning = await as(async (tx) => {
        const found = await lessonToChange(tx, params.id);
        await mayBeEverywhere(tx, change.everywhere);
        const worded = lesson === undefined ? {} : { lesson, sameKey: keyOf(lesson) };
        const id = await newVersion(tx, found.id, { ...change, ...worded });
        await guardLiterally(tx, id, true);
        return shownLessons.get(tx, id);
      });
      wake('embed');
      wake('baselines');
      return learning;
    },
  );
  route(
    'POST /v1/proposals',
    'Propose a lesson or fact, as an agent: kept until a person or an outcome confirms it',
    { body: Proposal, answer: Proposed },
    async ({ body: { project, agent, session, ...given }, caller }) => {
      const giver = await agentIn(services, caller, { project, agent, session });
      const proposed = await remember(services, caller, given, giver);
      wake('embed');
      return proposed;
    },
  );
  route(
    'POST /v1/proposals/rules',
    "Propose a rule from a person's words, as the agent that heard them: it asks at most until it is confirmed",
    { body: RuleProposal, answer: Proposed },
    async ({ body: { project, agent, session, ...rule }, caller }) => {
      const giver = await agentIn(services, caller, { project, agent, session });
      const proposed = await keepRule(services, caller, rule, giver);
      wake('embed');
      return proposed;
    },
  );
});
