import type { Tx } from '../db/open.ts';
import { redactValue } from '../redaction/redact.ts';
import { newVersion } from './admit.ts';

/** The parts of a lesson that a person changes. A part that is undefined stays as it is; null removes the reason. */
export type LessonEdit = {
  lesson?: string | undefined;
  context?: string | undefined;
  why?: string | null | undefined;
  keywords?: string[] | undefined;
  appliesTo?: string[] | undefined;
  everywhere?: boolean | undefined;
};

/**
 * Changes the words of a lesson at a person's wish, as a new version. The text is redacted first. Returns its id.
 *
 * @throws Problem (409) when the lesson is not in force any more
 */
export function editLearning(tx: Tx, id: string, edit: LessonEdit): Promise<string> {
  const wanted = Object.fromEntries(
    Object.entries(redactValue(edit)).filter(([, value]) => value !== undefined),
  );
  // new words are read for a key again
  return newVersion(tx, id, { ...wanted, ...(wanted.lesson !== undefined && { sameKey: null }) });
}
