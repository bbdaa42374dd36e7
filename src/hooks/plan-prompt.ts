import { asUser } from '../db/as-user.ts';
import type { Tx } from '../db/open.ts';
import type { Offer } from '../offers/frame.ts';
import { draftByRules, draftId, isSameMatter } from '../plans/draft.ts';
import { draftByModel } from '../plans/draft-by-model.ts';
import { classify } from '../plans/intent.ts';
import { offerPlan } from '../plans/offer-plan.ts';
import type { WatchedPlan } from '../plans/plan-memory.ts';
import { createPlan, type NewPlan } from '../plans/plans.ts';
import { isNotification } from '../sessions/hook-event.ts';
import { followPlan, keepIntent } from '../sessions/sessions.ts';
import type { KnownSession } from './known-sessions.ts';
import type { Asked, HookServices, Stored } from './types.ts';

// A prompt says how much ceremony a task wants. For one of several steps a plan is drafted, and told to the agent that
// was asked: by the rules at once, by a model behind the answer.

/** Returns whether a prompt begins a matter that wants a plan of its own. */
function isNewMatter(prompt: string, session: KnownSession, plans: WatchedPlan[]): boolean {
  if (classify(prompt).intent !== 'complex') return false;
  return !plans.some(
    ({ plan }) =>
      (plan.id === session.planId || plan.status === 'planning' || plan.status === 'in_progress') &&
      isSameMatter(prompt, [plan.goal, ...plan.steps.map(({ description }) => description)].join('\n')),
  );
}

/** Offers the plan that the rules draft for a prompt. It is stored together with the prompt. */
export async function offerDraft(
  services: HookServices,
  { claims, event, key }: Asked,
  session: KnownSession,
): Promise<Offer[]> {
  const { prompt } = event;
  if (!prompt || event.agent_id || services.draftPlan !== null) return [];
  if (classify(prompt).intent !== 'complex') return [];
  const plans = await services.plans.of(claims, session.projectId);
  if (!isNewMatter(prompt, session, plans)) return [];
  const draft = draftByRules(prompt);
  if (draft === null) return [];
  const id = draftId(session.id, key);
  session.planId = id;
  const about = { projectId: session.projectId, planId: id, toldAt: 0, beatAt: 0, waits: false };
  services.plans.follow(claims, event, { ...about, told: draft.steps.length + 1 });
  const steps = draft.steps.map((step, i) => ({
    ...step,
    number: i + 1,
    status: 'pending',
    proposed: false,
  }));
  return [offerPlan({ id, goal: draft.goal, steps: steps as never })];
}

const asNewPlan = (id: string, sessionId: string, draftedBy: string, draft: Omit<NewPlan, keyof About>) => ({
  ...draft,
  id,
  sessionId,
  draftedBy,
  constraints: [],
  projectType: null,
  learnings: [],
});
type About = Pick<NewPlan, 'id' | 'sessionId' | 'draftedBy' | 'constraints' | 'projectType' | 'learnings'>;

/** Keeps what a prompt says of its task, and the plan that it was answered with. */
export async function recordPrompt(tx: Tx, { session, event, key, offers }: Stored): Promise<void> {
  if (!event.prompt || isNotification(event.prompt)) return;
  await keepIntent(tx, session.id, classify(event.prompt));
  const id = draftId(session.id, key);
  if (!offers?.some(({ kind, sourceId }) => kind === 'step' && sourceId === id)) return;
  const draft = draftByRules(event.prompt);
  if (draft === null) return;
  await createPlan(tx, session.projectId, asNewPlan(id, session.id, 'rules', draft));
  await followPlan(tx, session.id, id);
}

/** Drafts a plan by the model behind the answer; by the rules if there is no usable answer. It is told with a later call. */
export async function draftBehind(services: HookServices, asked: Asked): Promise<void> {
  const { claims, event, at, key } = asked;
  const { draftPlan, log, db, plans } = services;
  const { prompt } = event;
  if (draftPlan === null || !prompt || event.agent_id || isNotification(prompt)) return;
  if (classify(prompt).intent !== 'complex') return;
  const session = await services.sessions.of(claims, event, at);
  if (!isNewMatter(prompt, session, await plans.of(claims, session.projectId))) return;
  const id = draftId(session.id, key);
  session.planId = id;
  let by = 'model';
  const draft = await draftByModel(draftPlan, claims, prompt).catch((error) => {
    log.warn({ error }, 'the model drafted no plan, so the rules do');
    by = 'rules';
    return draftByRules(prompt);
  });
  if (draft === null) return;
  const { goal, steps } = draft;
  const made = await asUser(db, claims, async (tx) => {
    const created = await createPlan(tx, session.projectId, asNewPlan(id, session.id, by, { goal, steps }));
    await followPlan(tx, session.id, id);
    return created;
  });
  if (made === null) return;
  const about = { projectId: session.projectId, planId: id, toldAt: 0, beatAt: 0, waits: false };
  plans.follow(claims, event, { ...about, told: 0 });
}
