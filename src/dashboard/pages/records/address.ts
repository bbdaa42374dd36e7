/**
 * Returns the page of a record; undefined if it has none.
 *
 * @param kind as searches, and what agents are told, name it
 */
export function addressOfRecord(kind: string, id: string | null): string | undefined {
  if (id === null) return undefined;
  if (kind === 'lesson' || kind === 'rule' || kind === 'learning') return `/learnings/${id}`;
  if (kind === 'step' || kind === 'plan') return `/plans/${id}`;
  if (kind === 'hand-off' || kind === 'session') return `/sessions/${id}`;
  return PAGES.has(kind) ? `/records/${kind}/${id}` : undefined;
}

/** The kinds whose records have a page of the kind that is the same for all (../record.tsx). */
const PAGES = new Set(['fact', 'relation', 'decision', 'finding', 'note', 'episode', 'pattern', 'skill']);

/** The kinds of records that searches find, as a person would say them. */
export const NAMES_OF_KINDS: Record<string, string> = {
  learning: 'Lesson',
  note: 'Note',
  finding: 'Finding',
  fact: 'Fact',
  relation: 'Relation',
  decision: 'Decision',
  episode: 'Earlier work',
  error: 'Error',
  pattern: 'Pattern',
  skill: 'Skill',
  conversation: 'Said',
  plan: 'Plan',
  session: 'Session',
};
