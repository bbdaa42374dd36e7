import { asUser } from '../db/as-user.ts';
import { episodesForPrompt } from '../episodes/offer-episode.ts';
import { decisionsForPrompt, findingsForPrompt } from '../kinds/offers.ts';
import { saidIn } from '../language/standing.ts';
import type { Offer, OfferKind } from '../offers/frame.ts';
import type { Voice, VoiceKind } from '../offers/voice.ts';
import { classify } from '../plans/intent.ts';
import { searchForPrompt } from '../recall/recall.ts';
import { isPersonsPrompt } from '../sessions/author.ts';
import { offerSkill } from '../skills/offer-skill.ts';
import { askAtPrompt } from './asking.ts';
import { type KnownSession, stillOffered, wasTold } from './known-sessions.ts';
import { planForPrompt } from './plan-prompt.ts';
import { toQuery } from './to-query.ts';
import type { Asked, HookServices } from './types.ts';

/** Of these kinds a session is usually told once: a second one is seldom as near as the first. */
const ONCE: OfferKind[] = ['episode', 'skill'];

/**
 * Offers what a person's prompt is about: decisions and open findings; how earlier work like
 * it went, and the skill that fits it. A prompt that only asks or says something
 * is told nothing, unless all of a kind is wanted.
 */
export async function offerForPrompt(services: HookServices, asked: Asked): Promise<Offer[]> {
  const { claims, event, at } = asked;
  if (!event.prompt || !isPersonsPrompt(event)) return [];
  const { intent } = classify(event.prompt);
  const asks = intent === 'quick';
  const [session, wanted] = await Promise.all([
    services.sessions.of(claims, event, at),
    services.voices.of(claims),
  ]);
  // how earlier work went is worth its tokens only where there is much to do
  const voice = asks ? onlyAll(wanted) : intent === 'complex' ? wanted : withoutKinds(wanted, ['episode']);
  const query = toQuery(event.prompt);
  const found = isSilent(voice) ? [] : await recordsFor(services, asked, session, query, { voice, asks });
  // the calls after this prompt need these lessons; they are read after what the prompt itself needs
  void services.callLessons.of(claims, session.projectId).catch(() => {});
  return [
    ...(await planForPrompt(services, asked, session)),
    ...saidIn(event.prompt).flatMap(({ words, stated }) => (stated ? confirmed(words) : [])),
    ...found,
    ...(await askAtPrompt(services, asked, session)),
  ];
}

/** Returns a voice that offers only the kinds that are wanted in full. */
const onlyAll = (voice: Voice): Voice =>
  Object.fromEntries(
    Object.entries(voice).map(([kind, level]) => [kind, level === 'all' ? level : 'none']),
  ) as Voice;

const ASKED: VoiceKind[] = ['decision', 'finding', 'episode', 'skill'];
const isSilent = (voice: Voice): boolean => ASKED.every((kind) => voice[kind] === 'none');

/** Searches once for the records of all kinds that a task is about. */
export async function recordsFor(
  services: HookServices,
  { claims, event }: Asked,
  session: KnownSession,
  query: string,
  about: { voice: Voice; asks: boolean },
): Promise<Offer[]> {
  const { asks } = about;
  const vector = await services.embedQuery(claims, query);
  const offered = stillOffered(session, event);
  const { projectId } = session;
  const voice = withoutKinds(
    about.voice,
    ONCE.filter((kind) => wasTold(session, event, kind)),
  );
  const [decisions, skills, findings, episodes] = await asUser(
    services.db,
    claims,
    async (tx) => {
      const found = await searchForPrompt(tx, projectId, query, vector, offered);
      const decisions = decisionsForPrompt(found, asks, voice.decision);
      const read = Promise.all([
        offerSkill(tx, session, found, voice.skill),
        findingsForPrompt(tx, found, { projectId, prompt: query, offered, level: voice.finding }),
        episodesForPrompt(tx, session, found, voice.episode),
      ]);
      return [decisions, ...(await read)] as const;
    },
    { readOnly: true, urgent: true },
  );
  return [...decisions, ...skills, ...findings, ...episodes];
}

/** Returns a voice that usually tells nothing more of these kinds. */
const withoutKinds = (voice: Voice, kinds: OfferKind[]): Voice =>
  Object.fromEntries(
    Object.entries(voice).map(([kind, level]) => [
      kind,
      level === 'few' && kinds.includes(kind as OfferKind) ? 'none' : level,
    ]),
  ) as Voice;

/** Says in one line that what the person asked to remember is kept. */
const confirmed = (words: string): Offer => ({
  kind: 'lesson',
  sourceId: null,
  relevance: null,
  lines: [`Kept, because the person asked for it: ${words}`],
});
