import { createHash } from 'node:crypto';
import { askForPlan } from '../asking/lines.ts';
import type { Tx } from '../db/open.ts';
import type { Offer } from '../offers/frame.ts';
import { classify } from '../plans/intent.ts';
import { isSameMatter } from '../plans/matter.ts';
import { offerPlanInLine, offerPlanOfOthers } from '../plans/offer-plan.ts';
import type { WatchedPlan } from '../plans/plan-memory.ts';
import { createPlan } from '../plans/plans.ts';
import { isOpen } from '../plans/view.ts';
import { isPersonsPrompt } from '../sessions/author.ts';
import type { HookEvent } from '../sessions/hook-event.ts';
import { followPlan, keepIntent } from '../sessions/sessions.ts';
import { clip } from '../text/clip.ts';
import { numberedIn } from '../text/numbered.ts';
import { ask } from './asking.ts';
import type { KnownSession } from './known-sessions.ts';
import type { Asked, HookServices, Stored } from './types.ts';

// A task of several steps wants a plan. The steps that a person numbers are one, to the letter. Else the agent, who knows
// the task, is asked for its plan.

const MAX_STEPS = 30;
const MAX_GOAL = 300;
const MAX_STEP = 4_000;

/** Returns the plan that a prompt lists, with an id that is the same each time its delivery is stored. */
function planListed(prompt: string, sessionId: string, key: string) {
  const list = numberedIn(prompt);
  if (list === null || list.items.length > MAX_STEPS) return null;
  const hex = createHash('sha256').update(`plan ${sessionId} ${key}`).digest('hex');
  const id = hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-a$4-$5');
  const [first] = list.items;
  const before = list.before.replace(/\s+/g, ' ').replace(/[\s:]+$/, '');
  const goal = clip(before || `${first}, and ${list.items.length - 1} more`, MAX_GOAL);
  const steps = list.items.map((item, i) => ({
    number: i + 1,
    description: clip(item, MAX_STEP),
    dependencies: i > 0 ? [i] : [],
    status: 'pending' as const,
    proposed: false,
  }));
  return { id, goal, steps };
}

/** Offers the plan that a person's prompt lists, or asks the agent for one, unless a plan is about the matter. */
export async function planForPrompt(
  services: HookServices,
  asked: Asked,
  session: KnownSession,
): Promise<Offer[]> {
  const { claims, event, key } = asked;
  const prompt = event.prompt ?? '';
  if (event.agent_id || classify(prompt).intent !== 'complex') return [];
  if ((await services.voices.of(claims)).plan === 'none') return [];
  const plans = await services.plans.newest(claims, session.projectId);
  const mine = plans.filter(({ plan }) => isOpen(plan) || plan.id === session.planId);
  if (mine.some(({ plan }) => isSameMatter(prompt, plan))) return [];
  const listed = planListed(prompt, session.id, key);
  if (listed === null) return ask(services, asked, session, askForPlan, { modelDoesIt: false });
  session.planId = listed.id;
  return [offerPlanInLine(listed)];
}

/** Stores what a prompt says about its task, and the plan that was offered in the answer. */
export async function recordPrompt(tx: Tx, { session, event, key, offers }: Stored): Promise<void> {
  if (!event.prompt || !isPersonsPrompt(event)) return;
  await keepIntent(tx, session.id, classify(event.prompt));
  const listed = planListed(event.prompt, session.id, key);
  if (!listed || !offers?.some(({ kind, sourceId }) => kind === 'step' && sourceId === listed.id)) return;
  const { id, goal } = listed;
  const steps = listed.steps.map(({ description, dependencies }) => ({ description, dependencies }));
  await createPlan(tx, session.projectId, {
    id,
    goal,
    draftedBy: 'prompt',
    sessionId: session.id,
    steps,
  });
  await followPlan(tx, session.id, id);
}

/** Returns the open plan that a session follows, or that was made in it. */
export const planOf = (plans: WatchedPlan[], session: KnownSession, { session_id: client }: HookEvent) => {
  const open = plans.filter(({ plan }) => isOpen(plan));
  return (
    open.find(({ plan }) => plan.id === session.planId) ?? open.find(({ plan }) => plan.sessionId === client)
  );
};

/** A plan that nobody has changed for this long is no longer offered. */
const MAX_AGE_MS = 7 * 86_400_000;

/**
 * Offers the open plan of its session to an agent that begins. If the session has none, offers one line about
 * the plan of the project that changed last.
 */
export async function offerOpenPlan(
  services: HookServices,
  { claims, event }: Pick<Asked, 'claims' | 'event'>,
  session: KnownSession,
): Promise<Offer[]> {
  const recent = (await services.plans.newest(claims, session.projectId)).filter(
    ({ plan }) => plan.steps.length > 0 && Date.now() - Date.parse(plan.updatedAt) < MAX_AGE_MS,
  );
  const own = planOf(recent, session, event);
  if (own) return [offerPlanInLine(own.plan)];
  const other = recent.find(({ plan }) => isOpen(plan));
  return other ? [offerPlanOfOthers(other.plan)] : [];
}
