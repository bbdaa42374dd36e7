import { setImmediate } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import { createProjectMemory, type ProjectMemory, type ReadingServices } from '../db/project-memory.ts';
import { decisionsSaid, type SaidDecision } from '../facts/decisions.ts';
import { type Citation, citationsOf } from '../freshness/citations.ts';
import { type ResolvedHow, resolvedHow } from '../incidents/incidents.ts';
import type { Ground } from '../offers/frame.ts';
import { OF_PROJECT } from './admit-decision.ts';
import { type CallKey, keysOfLesson, type LessonKeys } from './call-keys.ts';
import {
  MIN_CONFIDENCE,
  type Recalled,
  type Row,
  recalledColumns,
  saidByPerson,
  toRecalled,
} from './recall.ts';

// The hook before a call must answer within a millisecond. So the lessons of the projects that are worked on are kept
// in memory, by the keys of the calls at which they are told.

/** A lesson or a person's decision that is told at a call. */
type CallLesson = Recalled & {
  kind: 'lesson' | 'decision';
  /** why the call is held once; null if it is not */
  holds: Ground | null;
  /** what it cites */
  citations: Citation[];
};

/** Lessons by call, for one project of one user. */
type CallLessons = {
  /**
   * Returns the lessons that are told at a call, the strictest match first.
   *
   * @param keys the call's keys
   */
  at(keys: CallKey[]): CallLesson[];
};

export type CallMemory = ProjectMemory<CallLessons>;

/** For each project, the most confident. */
const MAX_LESSONS = 2_000;
/** A lesson that helped this often, with this confidence, may hold a call. */
const PROVEN = { successes: 2, confidence: 0.85 };

/** Returns a memory of the lessons in a database. Call `refresh` when lessons were changed. */
export const createCallMemory = (services: ReadingServices): CallMemory =>
  createProjectMemory(services, 'lessons', loadLessons);

type Kept = Row & {
  kind?: 'decision';
  target: string | null;
  applies_to: string[];
  resolved_how: ResolvedHow | null;
  from_person: boolean;
};

async function loadLessons(tx: Tx, projectId: string): Promise<CallLessons> {
  const rows = await query<Kept>(
    tx,
    sql`select ${recalledColumns}, l.target, l.applies_to, ${resolvedHow(sql`l.source_incident_id`)} as resolved_how,
          ${saidByPerson} as from_person
        from learnings l
        where l.project_id = ${projectId} and l.status = 'active' and l.valid_until is null
          and l.confidence >= ${MIN_CONFIDENCE}
        order by l.confidence desc, l.id limit ${MAX_LESSONS}`,
  );
  const decided = (await decisionsSaid(tx, projectId, MAX_LESSONS)).map(asLesson);
  const cited = await citationsOf(
    tx,
    rows.map(({ id }) => id),
  );
  return toCallLessons([...decided, ...rows], cited, Date.now());
}

/**
 * Returns a decision as a lesson. The reason of a held call quotes it, so the project's name is left out of
 * it.
 */
const asLesson = ({ id, condition, action, confidence, ageDays }: SaidDecision): Kept => ({
  kind: 'decision',
  id,
  lesson: condition.startsWith(OF_PROJECT) ? action : `When ${condition}: ${action}`,
  why: null,
  confidence,
  age_days: ageDays,
  successes: 0,
  failures: 0,
  target: null,
  applies_to: [],
  resolved_how: null,
  from_person: true,
});

/** After so many lessons, hooks that have come meanwhile are answered. */
const AT_A_TIME = 50;

async function toCallLessons(rows: Kept[], cited: Citation[], loadedAt: number): Promise<CallLessons> {
  const citations = new Map<string, Citation[]>();
  for (const one of cited) citations.set(one.id, [...(citations.get(one.id) ?? []), one]);
  const byKey = new Map<string, { row: Kept; keys: LessonKeys }[]>();
  for (const [n, row] of rows.entries()) {
    if (n % AT_A_TIME === AT_A_TIME - 1) await setImmediate();
    const keys = keysOfLesson({
      lesson: row.lesson,
      appliesTo: row.applies_to,
      target: row.target,
      resolvedHow: row.resolved_how,
      fromPerson: row.from_person,
    });
    for (const key of keys.at) byKey.set(key, [...(byKey.get(key) ?? []), { row, keys }]);
  }
  return {
    at(callKeys) {
      const found = new Map<string, CallLesson>();
      let exact = false;
      for (const { key, strictness } of callKeys) {
        for (const { row, keys } of byKey.get(key) ?? []) {
          // if there is a lesson about this very line, those about its program seldom help
          if (exact && strictness < 2 && !row.from_person) continue;
          if (found.has(row.id) || callKeys.some((other) => keys.done.has(other.key))) continue;
          const proven =
            row.successes >= PROVEN.successes && row.confidence >= PROVEN.confidence && strictness >= 2;
          exact ||= strictness >= 2;
          const days = (Date.now() - loadedAt) / 86_400_000;
          const lesson = toRecalled({ ...row, age_days: row.age_days + days }, 'high');
          found.set(row.id, {
            ...lesson,
            kind: row.kind ?? 'lesson',
            holds: row.from_person ? 'said' : proven ? 'proven' : null,
            citations: citations.get(row.id) ?? [],
          });
        }
      }
      return [...found.values()];
    },
  };
}
