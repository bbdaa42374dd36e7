import type { Tx } from '../db/open.ts';
import { letDeny, onlyTell, putGuard } from '../guards/guards.ts';
import { literalGuard } from '../guards/literal.ts';
import { joinRules } from '../guards/mend.ts';
import type { GuardRule } from '../guards/rule.ts';
import { readRule } from '../language/reading.ts';
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
  const rule = literalRule(lesson.lesson);
  if (rule !== null) await put(tx, lesson, rule, 'literal', confirmed);
}

/** Gives a person's rule the guard that a model read in it. */
export async function guardByModel(tx: Tx, learningId: string | null, rule: GuardRule): Promise<void> {
  const lesson = learningId === null ? null : await lessonInForce(tx, learningId);
  if (lesson?.status !== 'active') return;
  await put(tx, lesson, joinRules(rule, literalRule(lesson.lesson)), 'model');
}

/** Lets the guard of a lesson that a person has approved deny what their words forbid. */
export async function confirmGuard(tx: Tx, learningId: string): Promise<void> {
  await guardLiterally(tx, learningId, true);
  const lesson = await lessonInForce(tx, learningId);
  if (lesson !== null && /^(?:never|instead)$/.test(readRule(lesson.lesson).demand))
    await letDeny(tx, lesson.lineageId);
}

/** Returns the rule that follows from what is literal in a person's words; null if nothing does. */
export const literalRule = (words: string): GuardRule | null => literalGuard({ ...readRule(words), words });

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
