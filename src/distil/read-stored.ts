import { asUser, type Claims } from '../db/as-user.ts';
import { indexable } from '../db/columns.ts';
import type { Database, Tx } from '../db/open.ts';
import { cureKey } from '../fixes/fixes.ts';
import { keyOfWords } from '../guards/rule-key.ts';
import { adviceOfLessons } from '../learnings/credit.ts';
import { setSameKey, withoutKey } from '../learnings/learnings.ts';
import { guardLiterally } from './guard-lesson.ts';

/** Lessons that are read in one transaction. */
const AT_ONCE = 50;

/**
 * Reads the stored lessons that have no key yet: those of an earlier version of Lore, those that were imported, and those
 * that a person has worded anew. Rules of persons get their guards.
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
        await setSameKey(tx, id, keyOfWords(words), lesson.status);
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
