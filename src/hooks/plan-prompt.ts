import { asUser, type Claims } from '../db/as-user.ts';
import type { Tx } from '../db/open.ts';
import { filesOfEpisodes } from '../episodes/episodes.ts';
import { episodesForPrompt } from '../episodes/offer-episode.ts';
import type { Prompt } from '../language/prompt.ts';
import type { Offer, ShownOffer } from '../offers/frame.ts';
import { patternForPrompt } from '../patterns/offer-pattern.ts';
import { type Draft, draftByRules, draftId, isSameMatter } from '../plans/draft.ts';
import { draftByModel } from '../plans/draft-by-model.ts';
import { beginFocus } from '../plans/focus.ts';
import type { WatchedPlan } from '../plans/plan-memory.ts';
import { createPlan, type NewPlan } from '../plans/plans.ts';
import { projectTypeIn } from '../plans/project-type.ts';
import { searchForPrompt } from '../recall/recall.ts';
import { isPersonsPrompt } from '../sessions/author.ts';
import { projectTypeTold } from '../sessions/calls.ts';
import { followPlan, keepIntent, type Session } from '../sessions/sessions.ts';
import type { KnownSession } from './known-sessions.ts';
import { offerWhole } from './plan-agents.ts';
import { promptOf } from './read-event.ts';
import { toQuery } from './to-query.ts';
import type { Asked, HookServices, Stored } from './types.ts';

// A prompt shows how much ceremony a task needs. For a task of several steps a plan is drafted and offered to
// the agent. The rules draft it at once; a model drafts it behind the answer.

/**
 * Returns whether a prompt begins a task that needs a plan of its own, and no plan is about this task yet.
 */
function isNewMatter(prompt: Prompt, session: KnownSession, plans: WatchedPlan[]): boolean {
  if (prompt.ceremony.intent !== 'complex') return false;
  return !plans.some(
    ({ plan }) =>
      (plan.id === session.planId || plan.status === 'planning' || plan.status === 'in_progress') &&
      isSameMatter(prompt.text, [plan.goal, ...plan.steps.map(({ description }) => description)].join('\n')),
  );
}

/** Returns the files that were changed by the earlier work that is told with a prompt. */
const filesOfEarlier = (tx: Tx, offers: Pick<ShownOffer, 'kind' | 'sourceId'>[]): Promise<string[]> =>
  filesOfEpisodes(tx, idsOf(offers, 'episode'));

const idsOf = (offers: Pick<ShownOffer, 'kind' | 'sourceId'>[], kind: ShownOffer['kind']): string[] =>
  offers.flatMap((offer) => (offer.kind === kind && offer.sourceId !== null ? [offer.sourceId] : []));

/**
 * Offers the plan that the rules draft for a prompt. It is stored together with the prompt.
 *
 * @param others what else is told with the prompt
 */
export async function offerDraft(
  services: HookServices,
  { claims, event, key }: Asked,
  session: KnownSession,
  others: Offer[],
): Promise<Offer[]> {
  if (!event.prompt || event.agent_id || services.draftPlan !== null) return [];
  const prompt = promptOf(event);
  const voice = await services.voices.of(claims);
  if (voice.plan === 'none' || prompt.ceremony.intent !== 'complex') return [];
  const plans = await services.plans.of(claims, session.projectId);
  if (!isNewMatter(prompt, session, plans)) return [];
  const files = await asUser(services.db, claims, (tx) => filesOfEarlier(tx, others), {
    readOnly: true,
    urgent: true,
  });
  const draft = draftByRules(prompt, files);
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
  return [offerWhole({ id, goal: draft.goal, steps: steps as never }, voice)];
}

/** @param learnings ids of the lessons that were told with the prompt */
const asNewPlan = (
  about: Pick<NewPlan, 'id' | 'sessionId' | 'draftedBy' | 'projectType'>,
  draft: Draft,
  learnings: string[],
): NewPlan => ({ ...draft, ...about, learnings });

/**
 * Returns what a session's project is made with, as its client said at the start. If it said nothing, the server reads
 * the project's folder, but for the owner only.
 */
const projectTypeFor = async (
  tx: Tx,
  { role }: Claims,
  { id, root }: Pick<Session, 'id' | 'root'>,
): Promise<string | null> =>
  (await projectTypeTold(tx, id)) ?? (role === 'owner' ? projectTypeIn(root) : null);

/** Stores what a prompt says about its task, and the plan that was offered in the answer. */
export async function recordPrompt(tx: Tx, { claims, session, event, key, offers }: Stored): Promise<void> {
  if (!event.prompt || !isPersonsPrompt(event)) return;
  const prompt = promptOf(event);
  await keepIntent(tx, session.id, prompt.ceremony);
  if (prompt.ceremony.intent === 'focused' && !event.agent_id) {
    const projectType = () => projectTypeFor(tx, claims, session);
    const begun = await beginFocus(tx, session, { key, prompt, projectType });
    if (begun !== null) await followPlan(tx, session.id, begun);
  }
  const id = draftId(session.id, key);
  if (!offers?.some(({ kind, sourceId }) => kind === 'step' && sourceId === id)) return;
  const draft = draftByRules(prompt, await filesOfEarlier(tx, offers));
  if (draft === null) return;
  const projectType = await projectTypeFor(tx, claims, session);
  const about = { id, sessionId: session.id, draftedBy: 'rules', projectType };
  await createPlan(tx, session.projectId, asNewPlan(about, draft, idsOf(offers, 'lesson')));
  await followPlan(tx, session.id, id);
}

/**
 * Has the model draft a plan, behind the answer. If the model gives no usable draft, the rules draft it. The
 * agent is told of the plan with a later call.
 */
export async function draftBehind(services: HookServices, asked: Asked): Promise<void> {
  const { claims, event, at, key } = asked;
  const { draftPlan, log, db, plans } = services;
  if (draftPlan === null || !event.prompt || event.agent_id || !isPersonsPrompt(event)) return;
  const prompt = promptOf(event);
  if (prompt.ceremony.intent !== 'complex') return;
  if ((await services.voices.of(claims)).plan === 'none') return;
  const session = await services.sessions.of(claims, event, at);
  if (!isNewMatter(prompt, session, await plans.of(claims, session.projectId))) return;
  const id = draftId(session.id, key);
  session.planId = id;
  let by = 'model';
  const earlier = await earlierWork(services, asked, session);
  const lines = earlier.offers.flatMap((offer) => offer.lines);
  const draft = await draftByModel(draftPlan, claims, prompt.text, lines).catch((error) => {
    log.warn({ error }, 'the model drafted no plan, so the rules do');
    by = 'rules';
    return draftByRules(prompt, earlier.files);
  });
  if (draft === null) return;
  // what its client said at the start may not be stored yet
  await services.journal?.drained(claims.userId);
  const made = await asUser(db, claims, async (tx) => {
    const projectType = await projectTypeFor(tx, claims, session);
    const about = { id, sessionId: session.id, draftedBy: by, projectType };
    const created = await createPlan(
      tx,
      session.projectId,
      asNewPlan(about, draft, lessonsToldWith(session, key)),
    );
    await followPlan(tx, session.id, id);
    return created;
  });
  if (made === null) return;
  const follower = { projectId: session.projectId, planId: id, toldAt: 0, beatAt: 0, waits: false };
  plans.follow(claims, event, { ...follower, told: 0 });
}

/** Returns the ids of the lessons that a session was told in an answer. */
const lessonsToldWith = (session: KnownSession, key: string): string[] =>
  session.arm === 'withheld'
    ? []
    : idsOf(
        session.offered.filter(({ dedupKey }) => dedupKey === key),
        'lesson',
      );

/**
 * Returns what is known of earlier work like the one that a prompt asks for, and the files that the earlier
 * work changed.
 */
async function earlierWork(
  services: HookServices,
  { claims, event }: Asked,
  session: KnownSession,
): Promise<{ offers: Offer[]; files: string[] }> {
  const query = toQuery(event.prompt ?? '');
  const vector = await services.embedQuery(claims, query);
  return asUser(
    services.db,
    claims,
    async (tx) => {
      const found = await searchForPrompt(tx, session.projectId, query, vector, []);
      const { projectId } = session;
      const patterns = await patternForPrompt(tx, found, {
        projectId,
        prompt: query,
        offered: [],
        first: false,
        level: 'all',
      });
      const episodes = await episodesForPrompt(tx, session, found, 'all');
      return { offers: [...patterns, ...episodes], files: await filesOfEarlier(tx, episodes) };
    },
    { readOnly: true },
  );
}
