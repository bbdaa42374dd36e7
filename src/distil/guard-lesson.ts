import { indexable } from '../db/columns.ts';
import type { Tx } from '../db/open.ts';
import { aboutSameCalls, letDeny, onlyTell, putGuard } from '../guards/guards.ts';
import { keyOfWords, literalGuard } from '../guards/literal.ts';
import { stands } from '../language/standing.ts';
import { replaceOlder } from '../learnings/admit.ts';
import { lessonInForce } from '../learnings/learnings.ts';

/** Returns the key that is the same for lessons that say the same: what the words demand of what, else the words themselves. */
export const keyOf = (words: string): string =>
  indexable(
    keyOfWords(words) ||
      words
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, ' ')
        .trim(),
  );

/**
 * Gives a person's rule the guard that follows from what is literal in its words, if anything is. What was heard in a
 * session must begin with a word that lasts, and its guard asks.
 *
 * @param confirmed whether the person has stated or approved these very words
 */
export async function guardLiterally(tx: Tx, learningId: string | null, confirmed = false): Promise<void> {
  const lesson = learningId === null ? null : await lessonInForce(tx, learningId);
  if (lesson === null || lesson.status !== 'active' || lesson.evaluatedBy !== 'person') return;
  const { projectId, lineageId, lesson: words, sourceSessionId } = lesson;
  // what a person stated or worded anew belongs to no session
  const heard = sourceSessionId !== null && !confirmed;
  if (heard && !stands(words)) return onlyTell(tx, lineageId);
  const rule = literalGuard(words);
  if (rule === null) return;
  const said = sourceSessionId === null ? undefined : { sessionId: sourceSessionId };
  await putGuard(tx, { projectId, lineageId, rule, source: 'literal', asks: heard, said });
  if (!heard) await replaceOlder(tx, learningId as string, await aboutSameCalls(tx, lineageId));
}

/** Lets the guard of a lesson that a person has approved deny what it asks about. */
export async function confirmGuard(tx: Tx, learningId: string): Promise<void> {
  await guardLiterally(tx, learningId, true);
  const lesson = await lessonInForce(tx, learningId);
  if (lesson !== null) await letDeny(tx, lesson.lineageId);
}
