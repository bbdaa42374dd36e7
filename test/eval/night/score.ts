// Compares what a night did with what is true.
import type { Lesson } from './history.ts';

/** What a night did to a lesson: the item of its report. */
export type Merge = { action: string; recordId: string; keptId: string | null };

/** Returns the figures of a night, and what it did wrong. Of pairs that say the same, those count that ended in one lesson. */
export function scoreNight(lessons: Lesson[], items: Merge[]) {
  const byId = new Map(lessons.map((lesson) => [lesson.id, lesson]));
  const of = (id: string | null) => byId.get(id ?? '') as Lesson;
  const into = new Map<string, string>();
  for (const { action, recordId, keptId } of items) {
    if (action === 'merged' && keptId !== null) into.set(recordId, keptId);
  }
  const end = (id: string): string => {
    const next = into.get(id);
    return next === undefined ? id : end(next);
  };
  const merges = items.filter(({ action }) => action === 'merged');
  const conflicts = items.filter(({ action }) => action === 'superseded');
  const wrongMerges = merges.filter(({ recordId, keptId }) => of(recordId).group !== of(keptId).group);
  const right = (merge: Merge) => of(merge.recordId).against === of(merge.keptId).group;
  // of two lessons about one thing with two numbers only one can hold; two lessons about two things both hold
  const wrongConflicts = conflicts.filter(
    (one) => !right(one) && of(one.recordId).thing !== of(one.keptId).thing,
  );
  const lost = new Set(conflicts.map(({ recordId }) => end(recordId)));
  const pairs: [Lesson, Lesson][] = [];
  for (const [i, a] of lessons.entries()) {
    for (const b of lessons.slice(0, i)) {
      // a lesson that lost a conflict needs no merge any more
      if (a.group === b.group && !lost.has(end(a.id)) && !lost.has(end(b.id))) pairs.push([a, b]);
    }
  }
  const missed = pairs.filter(([a, b]) => end(a.id) !== end(b.id));
  const opposed = lessons.filter(({ against }) => against !== null).length;
  return {
    figures: {
      lessons: lessons.length,
      'lessons with an opposite': opposed,
      merges: merges.length,
      precision: share(merges.length - wrongMerges.length, merges.length),
      'pairs that say the same': pairs.length,
      recall: share(pairs.length - missed.length, pairs.length),
      contradictionsMerged: merges.filter(right).length,
      'closed by a contradiction': conflicts.length,
      'of these, both would hold': wrongConflicts.length,
    },
    wrong: {
      merges: wrongMerges.map(texts),
      conflicts: wrongConflicts.map(texts),
      missed: missed.map(([a, b]) => [a.lesson, b.lesson]),
    },
  };
  function texts({ recordId, keptId }: Merge) {
    return [of(recordId).lesson, of(keptId).lesson];
  }
}

const share = (part: number, whole: number) => (whole === 0 ? 1 : Math.round((part / whole) * 1000) / 1000);
