import type { Tx } from '../db/open.ts';
import { putGuard } from '../guards/guards.ts';
import { literalGuard } from '../guards/literal.ts';
import { joinRules } from '../guards/mend.ts';
import type { GuardRule } from '../guards/rule.ts';
import { readRule } from '../language/reading.ts';
import { lessonInForce } from '../learnings/learnings.ts';

/** Gives a person's rule the guard that follows from what is literal in its words, if anything is. */
export async function guardLiterally(tx: Tx, learningId: string | null): Promise<void> {
  const lesson = learningId === null ? null : await lessonInForce(tx, learningId);
  if (lesson === null || lesson.status !== 'active' || lesson.evaluatedBy !== 'person') return;
  const rule = literalRule(lesson.lesson);
  if (rule !== null) await put(tx, lesson, rule, 'literal');
}

/** Gives a person's rule the guard that a model read in it. */
export async function guardByModel(tx: Tx, learningId: string | null, rule: GuardRule): Promise<void> {
  const lesson = learningId === null ? null : await lessonInForce(tx, learningId);
  if (lesson?.status !== 'active') return;
  await put(tx, lesson, joinRules(rule, literalRule(lesson.lesson)), 'model');
}

/** Returns the rule that follows from what is literal in a person's words; null if nothing does. */
export const literalRule = (words: string): GuardRule | null => literalGuard({ ...readRule(words), words });

const put = (
  tx: Tx,
  lesson: NonNullable<Awaited<ReturnType<typeof lessonInForce>>>,
  rule: GuardRule,
  source: 'literal' | 'model',
) =>
  putGuard(tx, {
    projectId: lesson.projectId,
    lineageId: lesson.lineageId,
    rule,
    source,
    ...(lesson.sourceSessionId && { said: { sessionId: lesson.sourceSessionId } }),
  });
