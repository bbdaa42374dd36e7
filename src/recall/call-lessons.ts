import { setImmediate } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import { createProjectMemory, type ProjectMemory, type ReadingServices } from '../db/project-memory.ts';
import { fixIn } from '../fixes/fixes.ts';
import { type Citation, citationsOf } from '../freshness/citations.ts';
import { type Answered, answeredHow } from '../incidents/incidents.ts';
import { ignoredByLast } from '../offers/offers.ts';
import { readLine } from '../shell/line.ts';
import { isExact, keysOfLesson } from './call-keys.ts';
import { MIN_CONFIDENCE, type Recalled, type Row, recalledColumns, toRecalled } from './recall.ts';

// The hook before a call must answer within a millisecond. So the lessons of the projects that are worked on are kept
// in memory, by the keys of the calls at which they are told.

/** A lesson that is told at a call. */
type CallLesson = Recalled & {
  /** whether the call is held once, so that the lesson is read before it runs */
  holds: boolean;
  /** what it cites */
  citations: Citation[];
};

/** Lessons by call, for one project of one user. */
type CallLessons = {
  /** Returns the lessons that are told at a call with these keys, the strictest match first. */
  at(keys: string[]): CallLesson[];
  /** Returns whether a lesson in any state answers an error. */
  answers(signature: string): boolean;
};

export type CallMemory = ProjectMemory<CallLessons>;

/** For each project, the most confident. */
const MAX_LESSONS = 2_000;
const MAX_SIGNATURES = 10_000;
/** An active lesson that this many sessions in a row made no use of is told only at its error. */
const MAX_IGNORED = 5;

/** Returns a memory of the lessons in a database. Call `refresh` when lessons were changed. */
export const createCallMemory = (services: ReadingServices): CallMemory =>
  createProjectMemory(services, 'lessons', loadLessons);

type Kept = Row & {
  target: string | null;
  applies_to: string[];
  answered: Answered | null;
  /** whether a person approved it, or another session met the error, followed it and passed */
  proven: boolean;
};

async function loadLessons(tx: Tx, projectId: string): Promise<CallLessons> {
  const rows = await query<Kept>(
    tx,
    sql`select ${recalledColumns}, l.target, l.applies_to, ${answeredHow(sql`l.source_incident_id`)} as answered,
          l.success_count > 0 or exists (select from learning_requests r
            where r.learning_id = l.id and r.event = 'move' and r.evaluator = 'person') as proven
        from learnings l
        where l.project_id = ${projectId} and l.status = 'active' and l.valid_until is null
          and l.confidence >= ${MIN_CONFIDENCE} and not ${ignoredByLast(sql`l.id`, MAX_IGNORED)}
        order by l.confidence desc, l.id limit ${MAX_LESSONS}`,
  );
  const cited = await citationsOf(
    tx,
    rows.map(({ id }) => id),
  );
  const answered = await query<{ signature: string }>(
    tx,
    sql`select distinct signature from learnings
        where project_id = ${projectId} and valid_until is null and signature is not null limit ${MAX_SIGNATURES}`,
  );
  return toCallLessons(rows, cited, new Set(answered.map(({ signature }) => signature)), Date.now());
}

/** After so many lessons, hooks that have come meanwhile are answered. */
const AT_A_TIME = 50;

/** Only a proven fix may hold the line that failed, until the agent has read what to run instead, or before it. */
const mayHold = ({ proven, answered }: Kept, key: string): boolean =>
  proven &&
  isExact(key) &&
  answered !== null &&
  fixIn({ line: readLine(answered.line), error: answered.error, resolution: answered.resolution }) !== null;

async function toCallLessons(
  rows: Kept[],
  cited: Citation[],
  answered: Set<string>,
  loadedAt: number,
): Promise<CallLessons> {
  const citations = new Map<string, Citation[]>();
  for (const one of cited) citations.set(one.id, [...(citations.get(one.id) ?? []), one]);
  const byKey = new Map<string, { row: Kept; holds: boolean }[]>();
  for (const [n, row] of rows.entries()) {
    if (n % AT_A_TIME === AT_A_TIME - 1) await setImmediate();
    for (const key of keysOfLesson({ target: row.target, appliesTo: row.applies_to }))
      byKey.set(key, [...(byKey.get(key) ?? []), { row, holds: mayHold(row, key) }]);
  }
  return {
    answers: (signature) => answered.has(signature),
    at(keys) {
      const found = new Map<string, CallLesson>();
      for (const key of keys) {
        for (const { row, holds } of byKey.get(key) ?? []) {
          if (found.has(row.id)) continue;
          const days = (Date.now() - loadedAt) / 86_400_000;
          const lesson = toRecalled({ ...row, age_days: row.age_days + days }, 'high');
          found.set(row.id, { ...lesson, holds, citations: citations.get(row.id) ?? [] });
        }
        // if there is a lesson about this very line, those about its program seldom help
        if (found.size > 0 && isExact(key)) break;
      }
      return [...found.values()];
    },
  };
}
