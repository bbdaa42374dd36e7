import { sql } from 'drizzle-orm';
import type { Tx } from '../db/open.ts';
import { Problem } from '../errors/problem.ts';
import { addCitations } from '../freshness/citations.ts';
import { referencesAmong } from '../freshness/references.ts';
import { redactValue } from '../redaction/redact.ts';
import { endLesson } from './admit.ts';
import { learnings } from './schema.ts';

/** The parts of a lesson that a person changes. A part that is undefined stays as it is. */
export type LessonEdit = {
  lesson?: string | undefined;
  context?: string | undefined;
  /** null removes it */
  why?: string | null | undefined;
  keywords?: string[] | undefined;
  appliesTo?: string[] | undefined;
};

/**
 * Changes the words of a lesson at a person's wish. The old version is closed. A new one of the same lineage
 * is in force from now on, with the same counts. The text is redacted first. Returns the
 * new version's id.
 *
 * @throws Problem (409) when the lesson is not in force any more
 */
export async function editLearning(tx: Tx, id: string, edit: LessonEdit): Promise<string> {
  const closed = await endLesson(tx, id);
  if (!closed) {
    throw new Problem({
      status: 409,
      title: 'Lesson has ended',
      detail: 'Another version took its place, or it was retired. Edit the current one.',
    });
  }
  const { id: old, validFrom: _from, validUntil: _until, updatedAt: _updated, ...kept } = closed;
  const wanted = Object.fromEntries(
    Object.entries(redactValue(edit)).filter(([, value]) => value !== undefined),
  );
  const [row] = await tx
    .insert(learnings)
    .values({
      ...kept,
      ...wanted,
      // it is read for a key again
      ...(wanted.lesson !== undefined && { sameKey: null }),
      supersedes: old,
      status: 'active',
      evaluatedBy: 'person',
      lastConfirmedAt: sql`now()`,
    })
    .returning({ id: learnings.id, projectId: learnings.projectId, appliesTo: learnings.appliesTo });
  const made = row as NonNullable<typeof row>;
  const refs = referencesAmong(made.appliesTo);
  await addCitations(tx, 'learning', [{ id: made.id, projectId: made.projectId, refs }]);
  return made.id;
}
