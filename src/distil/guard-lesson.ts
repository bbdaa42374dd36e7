import type { Tx } from '../db/open.ts';
import { letDeny, onlyTell, putGuard } from '../guards/guards.ts';
import { literalGuard } from '../guards/literal.ts';
import type { GuardRule } from '../guards/rule.ts';
import { stands } from '../language/standing.ts';
import { lessonInForce } from '../learnings/learnings.ts';

/**
 * Gives a person's rule the guard that follows from what is literal in its words, if anything is. What was heard in a
 * session must begin with a word that lasts, and its guard asks.
 *
 * @param confirmed whether the person has stated or approved these very words
 */
export async function guardLiterally(tx: Tx, learningId: string | null, confirmed = false): Promise<void> {
  const lesson = learningId === null ? null : await lessonInForce(tx, learningId);
  if (lesson === null || lesson.status !== 'active' || lesson.evaluatedBy !== 'person') return;
  if (isHeard(lesson) && !confirmed && !stands(lesson.lesson)) return onlyTell(tx, lesson.lineageId);
  const rule = literalGuard(lesson.lesson);
  if (rule !== null) await put(tx, lesson, rule, 'literal', confirmed);
}

/** Gives a person's rule the guard that a model read in it. */
export async function guardByModel(tx: Tx, learningId: string | null, rule: GuardRule): Promise<void> {
  const lesson = learningId === null ? null : await lessonInForce(tx, learningId);
  if (lesson?.status !== 'active') return;
  await put(tx, lesson, rule, 'model');
}

/** Lets the guard of a lesson that a person has approved deny what it asks about. */
export async function confirmGuard(tx: Tx, learningId: string): Promise<void> {
  await guardLiterally(tx, learningId, true);
  const lesson = await lessonInForce(tx, learningId);
  if (lesson !== null) await letDeny(tx, lesson.lineageId);
}

type Guarded = NonNullable<Awaited<ReturnType<typeof lessonInForce>>>;

/** Whether a lesson was heard in a session. What a person stated or worded anew belongs to none. */
const isHeard = ({ sourceSessionId }: Guarded): boolean => sourceSessionId !== null;

const put = (tx: Tx, lesson: Guarded, rule: GuardRule, source: 'literal' | 'model', confirmed = false) =>
  putGuard(tx, {
    projectId: lesson.projectId,
    lineageId: lesson.lineageId,
    rule,
    source,
    asks: isHeard(lesson) && !confirmed,
    ...(lesson.sourceSessionId && { said: { sessionId: lesson.sourceSessionId } }),
  });
