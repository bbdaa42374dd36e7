import { sql } from 'drizzle-orm';
import { clip, clipStart } from '../base/text/clip.ts';
import { query, type Tx } from '../db/open.ts';
import { decisionsInForce, episodesForPrompt, findingsForPrompt, offerSkill } from '../kinds/offers.ts';
import { noteSpoken } from '../learnings/asking/open-errors.ts';
import { saidIn } from '../learnings/language/stated-rules.ts';
import type { Offer, OfferKind } from '../offers/frame.ts';
import { searchForPrompt } from '../offers/recall/recall.ts';
import type { Voice, VoiceKind } from '../offers/voice.ts';
import { classify } from '../plans/intent.ts';
import { isPersonsPrompt } from '../sessions/author.ts';
import { askAtPrompt } from './asking.ts';
import { type KnownSession, readFirst, stillOffered, wasTold } from './known-sessions.ts';
import { planForPrompt } from './plans.ts';
import type { Asked, HookServices } from './types.ts';

/** Of these kinds a session is usually told once: a second one is seldom as near as the first. */
const ONCE: OfferKind[] = ['episode', 'skill'];

/**
 * Offers what a person's prompt is about: open findings, how earlier work like it went, the skill that fits it; and what was
 * decided since the start. A prompt that only asks or says something is told nothing, unless all of a kind is wanted.
 */
export async function offerForPrompt(services: HookServices, asked: Asked): Promise<Offer[]> {
  const { claims, event, session } = asked;
  if (!session || !event.prompt || !isPersonsPrompt(event)) return [];
  noteSpoken(session.asking);
  const { intent } = classify(event.prompt);
  const asks = intent === 'quick';
  const { voice: wanted } = await services.settings.of(claims);
  // how earlier work went is worth its tokens only where there is much to do
  const voice = withoutFew(wanted, (kind) => asks || (kind === 'episode' && intent !== 'complex'));
  const found = await recordsFor(services, asked, session, event.prompt, voice);
  // the calls after this prompt need these lessons; they are read after what the prompt itself needs
  void services.callLessons.of(claims, session.projectId).catch(() => {});
  return [
    ...(intent === 'complex' ? await planForPrompt(services, asked, session) : []),
    ...saidIn(event.prompt).flatMap(({ words, stated }) => (stated ? confirmed(words) : [])),
    ...found,
    ...(await askAtPrompt(services, asked, session)),
  ];
}

const ASKED: VoiceKind[] = ['finding', 'episode', 'skill'];

/** Searches once for the records of all kinds that a task is about. Returns also the decisions that were not told yet. */
export async function recordsFor(
  services: HookServices,
  { claims, event }: Asked,
  session: KnownSession,
  task: string,
  wantedVoice: Voice,
): Promise<Offer[]> {
  const wanted = ASKED.filter((kind) => wantedVoice[kind] !== 'none');
  if (wanted.length === 0 && wantedVoice.decision === 'none') return [];
  const { projectId } = session;
  const offered = stillOffered(session, event);
  // most people have records of few of these kinds, and a search costs more than the rest of a prompt
  const [kinds, decisions] = await readFirst(services, claims, (tx) =>
    Promise.all([kindsThere(tx, wanted), decisionsInForce(tx, projectId, offered, wantedVoice.decision)]),
  );
  if (kinds.length === 0) return decisions;
  const query = toQuery(task);
  const vector = await services.embedQuery(claims, query);
  const told = ONCE.filter((kind) => wasTold(session, event, kind));
  const voice = withoutFew(wantedVoice, (kind) => told.includes(kind as OfferKind));
  const [skills, findings, episodes] = await readFirst(services, claims, async (tx) => {
    const found = await searchForPrompt(tx, projectId, { prompt: query, vector, kinds }, offered);
    return Promise.all([
      offerSkill(tx, session, found, voice.skill),
      findingsForPrompt(tx, found, { projectId, prompt: query, offered, level: voice.finding }),
      episodesForPrompt(tx, session, found, voice.episode),
    ]);
  });
  return [...decisions, ...skills, ...findings, ...episodes];
}

/** Returns a voice that tells nothing of some kinds, unless all of a kind is wanted. */
const withoutFew = (voice: Voice, drops: (kind: VoiceKind) => boolean): Voice =>
  Object.fromEntries(
    Object.entries(voice).map(([kind, level]) => [
      kind,
      level === 'few' && drops(kind as VoiceKind) ? 'none' : level,
    ]),
  ) as Voice;

/** Says in one line that what the person asked to remember is kept. */
const confirmed = (words: string): Offer => ({
  kind: 'lesson',
  sourceId: null,
  relevance: null,
  lines: [`Kept, because the person asked for it: ${words}`],
});

/** Longest query, in characters: the model reads 256 word pieces of the beginning and the end of a longer text. */
const MAX_QUERY = 2000;

/** Returns a text as a query, without ruled lines and other runs of four or more signs. */
function toQuery(text: string): string {
  const words = text.replace(/[^\p{L}\p{N}]{4,}/gu, '\n');
  return words.length <= MAX_QUERY
    ? words
    : `${clip(words, MAX_QUERY / 2)}\n${clipStart(words, MAX_QUERY / 2)}`;
}

/** Returns those of the kinds of which somebody has records at all. */
async function kindsThere(tx: Tx, kinds: string[]): Promise<string[]> {
  const rows = await query<{ kind: string }>(tx)`
    select kind from unnest(${sql.param(kinds)}::text[]) kind
    where exists (select from search_documents d where d.kind = kind.kind)`;
  return rows.map(({ kind }) => kind);
}
