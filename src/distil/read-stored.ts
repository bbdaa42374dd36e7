import { asUser, type Claims } from '../db/as-user.ts';
import { indexable } from '../db/columns.ts';
import type { Database } from '../db/open.ts';
import { cureKey } from '../fixes/fixes.ts';
import { adviceOfLessons } from '../learnings/credit.ts';
import { setSameKey, withoutKey } from '../learnings/learnings.ts';
import { guardLiterally, keyOf } from './guard-lesson.ts';

/** Lessons that are read in one transaction. */
const AT_ONCE = 50;

/**
 * Reads the stored lessons that have no key yet: those of an earlier version of Lore, those that were imported, and those
 * that a person has worded anew. Rules of persons get their guards.
 */
export async function readStoredLessons({ db }: { db: Database }, claims: Claims): Promise<void> {
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
          await setSameKey(tx, id, told ? indexable(cureKey(told)) : '');
          continue;
        }
        await setSameKey(tx, id, keyOf(words));
        await guardLiterally(tx, id);
      }
      return lessons.length;
    });
    if (count < AT_ONCE) return;
  }
}
