import { asUser } from '../db/as-user.ts';
import { offerLesson } from '../learnings/offer-lesson.ts';
import { recallForPrompt } from '../learnings/recall.ts';
import type { Offer } from '../offers/frame.ts';
import { isNotification } from '../sessions/hook-event.ts';
import { stillOffered } from './known-sessions.ts';
import type { Asked, HookServices } from './types.ts';

/** Longer prompts are searched by their beginning and their end: the model reads 256 word pieces. */
const MAX_QUERY = 2000;

/** Offers a person's prompt the lessons that answer it. */
export async function offerForPrompt(services: HookServices, { claims, event, at }: Asked): Promise<Offer[]> {
  if (!event.prompt || isNotification(event.prompt)) return [];
  const query = toQuery(event.prompt);
  const [session, vector] = await Promise.all([
    services.sessions.of(claims, event, at),
    services.embedQuery(query),
  ]);
  const offered = stillOffered(session);
  const lessons = await asUser(
    services.db,
    claims,
    (tx) => recallForPrompt(tx, session.projectId, query, vector, offered),
    { readOnly: true },
  );
  return lessons.map(offerLesson);
}

/** Rules, bullets and other runs of signs mean nothing, but would fill the model's window. */
function toQuery(prompt: string): string {
  const words = prompt.replace(/[^\p{L}\p{N}]{4,}/gu, '\n');
  if (words.length <= MAX_QUERY) return words;
  return `${words.slice(0, MAX_QUERY / 2)}\n${words.slice(-MAX_QUERY / 2)}`;
}
