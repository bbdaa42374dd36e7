import { asUser } from '../db/as-user.ts';
import { episodesForPrompt } from '../episodes/offer-episode.ts';
import { decisionsIn, offerDecision } from '../facts/offer-decision.ts';
import { findingsForPrompt } from '../findings/offer-finding.ts';
import { citationsOf } from '../freshness/citations.ts';
import { staleLines } from '../freshness/freshness.ts';
import { askedToRemember } from '../learnings/hear-person.ts';
import { offerLesson } from '../learnings/offer-lesson.ts';
import { type FoundForPrompt, recallForPrompt, searchForPrompt } from '../learnings/recall.ts';
import type { Offer } from '../offers/frame.ts';
import { patternForPrompt } from '../patterns/offer-pattern.ts';
import { classify } from '../plans/intent.ts';
import { isNotification } from '../sessions/hook-event.ts';
import { offerSkill, skillsNamedIn } from '../skills/offer-skill.ts';
import { offerForFill } from './context.ts';
import { stillOffered } from './known-sessions.ts';
import { offerDraft } from './plan-prompt.ts';
import { toQuery } from './to-query.ts';
import type { Asked, HookServices } from './types.ts';

/**
 * Offers the decisions, lessons and open findings that a person's prompt is about. Also offers earlier work
 * like it, the skill that fits it, and how such work was done before.
 */
export async function offerForPrompt(services: HookServices, asked: Asked): Promise<Offer[]> {
  const { claims, event, at } = asked;
  if (!event.prompt || isNotification(event.prompt)) return [];
  const query = toQuery(event.prompt);
  const asks = classify(event.prompt).intent === 'quick';
  services.db.expectUrgent();
  const [session, vector] = await Promise.all([
    services.sessions.of(claims, event, at),
    services.embedQuery(claims, query),
  ]);
  const offered = stillOffered(session, event);
  const first = !session.prompted;
  session.prompted = true;
  const reading = asUser(
    services.db,
    claims,
    async (tx) => {
      const found = await searchForPrompt(tx, session.projectId, query, vector, offered);
      const decisions = decisionsIn(found, asks);
      const named = skillsNamedIn(
        tx,
        session.projectId,
        decisions.map(({ content }) => content),
      );
      const recalled = recallForPrompt(tx, found);
      const read = Promise.all([
        named,
        recalled,
        offerSkill(tx, session, query, found),
        findingsForPrompt(tx, found),
        patternForPrompt(tx, found, { projectId: session.projectId, prompt: query, offered, first }),
        citationsOf(tx, likely(found)),
        episodesForPrompt(
          tx,
          session,
          found,
          recalled.then((told) => told.map(({ id }) => id)),
        ),
      ]);
      return [decisions, ...(await read)] as const;
    },
    { readOnly: true, urgent: true },
  );
  // the calls after this prompt need these lessons; they are read after what the prompt itself needs
  void services.callLessons.of(claims, session.projectId).catch(() => {});
  const [decisions, skillNamedIn, lessons, skills, findings, patterns, citations, episodes] = await reading;
  const fill = offerForFill(services, session, asked);
  const plan = await offerDraft(services, asked, session, episodes);
  const stale = staleLines(services, claims, citations);
  return [
    ...fill,
    ...plan,
    ...askedToRemember(event.prompt).map(confirmed),
    ...decisions.map((decision) => offerDecision(decision, skillNamedIn)),
    ...lessons.map((lesson) => offerLesson(lesson, undefined, stale(lesson.id))),
    ...skills,
    ...findings,
    ...patterns,
    ...episodes,
  ];
}

/** Returns the ids of the records that a prompt's search found and that may be offered. */
const likely = (found: FoundForPrompt[]) =>
  found.flatMap(({ id, relevance }) => (relevance === 'low' ? [] : [id]));

/** Says in one line that what the person asked to remember is kept. */
const confirmed = ({ lesson }: { lesson: string }): Offer => ({
  kind: 'lesson',
  sourceId: null,
  relevance: null,
  lines: [`Kept, because the person asked for it: ${lesson}`],
});
