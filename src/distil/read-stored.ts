import { asUser, type Claims } from '../db/as-user.ts';
import { indexable } from '../db/columns.ts';
import type { Database, Tx } from '../db/open.ts';
import { cureKey } from '../fixes/advice.ts';
import { keyOfWords } from '../guards/rule-key.ts';
import { statementsIn } from '../language/read-prompt.ts';
import { adviceOfLessons } from '../learnings/credit.ts';
import { type StoredWords, setSameKey, withoutKey } from '../learnings/learnings.ts';
import { guardLiterally } from './guard-lesson.ts';

/** Lessons that are read in one transaction. */
const AT_ONCE = 50;

/**
 * Reads the stored lessons that have no key yet: those of an earlier version of Lore, those that were imported, and those
 * that a person has worded anew. Rules of persons get their guards. What an earlier version took for a person's rule,
 * although its words do not show that it lasts, waits for a person's review.
 *
 * @param read what else is to be done with the lessons that were read, in the same transaction
 */
export async function readStoredLessons(
  { db }: { db: Database },
  claims: Claims,
  read: (tx: Tx, ids: string[]) => Promise<unknown>,
): Promise<void> {
  for (;;) {
    const count = await asUser(db, claims, async (tx) => {
      const lessons = await withoutKey(tx, AT_ONCE);
      const advice = await adviceOfLessons(
        tx,
        lessons.flatMap(({ id, byPerson }) => (byPerson ? [] : id)),
      );
      for (const lesson of lessons) {
        const { id, lesson: words } = lesson;
        if (!lesson.byPerson) {
          const told = advice.get(id);
          await setSameKey(tx, id, told ? indexable(cureKey(told)) : '', lesson.status);
          continue;
        }
        await setSameKey(tx, id, keyOfWords(words), stateOf(lesson));
        await guardLiterally(tx, id);
      }
      await read(
        tx,
        lessons.map(({ id }) => id),
      );
      return lessons.length;
    });
    if (count < AT_ONCE) return;
  }
}

/** What a person stated themselves stays. Of what was heard in a prompt, only what stands by its words does. */
function stateOf({ lesson, heard, status }: StoredWords): StoredWords['status'] {
  if (!heard || status !== 'active') return status;
  const stands = statementsIn(lesson, { first: false, before: null, did: [] }).some(
    (one) => one.stands !== null,
  );
  return stands ? status : 'review';
}
