import { setImmediate } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import { createProjectMemory, type ProjectMemory, type ReadingServices } from '../db/project-memory.ts';
import { type Citation, citationsOf } from '../freshness/citations.ts';
import { type ResolvedHow, resolvedHow } from '../incidents/incidents.ts';
import { ignoredByLast } from '../offers/offers.ts';
import { type CallKey, keysOfLesson, type LessonKeys } from './call-keys.ts';
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
  /**
   * Returns the lessons that are told at a call, the strictest match first.
   *
   * @param keys the call's keys
   * @param command its shell line; null for other tools
   */
  at(keys: CallKey[], command: string | null): CallLesson[];
};

export type CallMemory = ProjectMemory<CallLessons>;

/** For each project, the most confident. */
const MAX_LESSONS = 2_000;
/** A lesson on trial that this many sessions in a row made no use of is told only at its error. */
const MAX_IGNORED_TRIALS = 2;
/** An active lesson that this many sessions in a row made no use of is told only at its error. */
const MAX_IGNORED = 5;

/** Returns a memory of the lessons in a database. Call `refresh` when lessons were changed. */
export const createCallMemory = (services: ReadingServices): CallMemory =>
  createProjectMemory(services, 'lessons', loadLessons);

type Kept = Row & {
  target: string | null;
  applies_to: string[];
  resolved_how: ResolvedHow | null;
};

async function loadLessons(tx: Tx, projectId: string): Promise<CallLessons> {
  const rows = await query<Kept>(
    tx,
    sql`select ${recalledColumns}, l.target, l.applies_to, ${resolvedHow(sql`l.source_incident_id`)} as resolved_how
        from learnings l
        where l.project_id = ${projectId} and l.status in ('trial', 'active') and l.valid_until is null
          and l.confidence >= ${MIN_CONFIDENCE}
          and not (l.status = 'trial' and ${ignoredByLast(sql`l.id`, MAX_IGNORED_TRIALS)})
          and not (l.status = 'active' and ${ignoredByLast(sql`l.id`, MAX_IGNORED)})
        order by (l.status = 'active') desc, l.confidence desc, l.id limit ${MAX_LESSONS}`,
  );
  const cited = await citationsOf(
    tx,
    rows.map(({ id }) => id),
  );
  return toCallLessons(rows, cited, Date.now());
}

/** After so many lessons, hooks that have come meanwhile are answered. */
const AT_A_TIME = 50;

/**
 * Only an active lesson about exactly this line may hold the call, and only if something else must be done than the line
 * itself: another line, or a command before it.
 */
const mayHold = ({ status, resolved_how: how }: Kept, strictness: number): boolean =>
  status === 'active' && strictness === 3 && how !== null && (how.kind !== 'same' || how.commands.length > 0);

async function toCallLessons(rows: Kept[], cited: Citation[], loadedAt: number): Promise<CallLessons> {
  const citations = new Map<string, Citation[]>();
  for (const one of cited) citations.set(one.id, [...(citations.get(one.id) ?? []), one]);
  const byKey = new Map<string, { row: Kept; keys: LessonKeys }[]>();
  for (const [n, row] of rows.entries()) {
    if (n % AT_A_TIME === AT_A_TIME - 1) await setImmediate();
    const keys = keysOfLesson({
      status: row.status,
      lesson: row.lesson,
      appliesTo: row.applies_to,
      target: row.target,
      resolvedHow: row.resolved_how,
    });
    for (const key of keys.at) byKey.set(key, [...(byKey.get(key) ?? []), { row, keys }]);
  }
  return {
    at(callKeys, command) {
      const found = new Map<string, CallLesson>();
      let exact = false;
      for (const { key, strictness } of callKeys) {
        for (const { row, keys } of byKey.get(key) ?? []) {
          // if there is a lesson about this very line, those about its program seldom help
          if (exact && strictness < 2) continue;
          if (found.has(row.id) || callKeys.some((other) => keys.done.has(other.key))) continue;
          if (command !== null && keys.lines.some((line) => command.includes(line))) continue;
          exact ||= strictness >= 2;
          const days = (Date.now() - loadedAt) / 86_400_000;
          const lesson = toRecalled({ ...row, age_days: row.age_days + days }, 'high');
          found.set(row.id, {
            ...lesson,
            holds: mayHold(row, strictness),
            citations: citations.get(row.id) ?? [],
          });
        }
      }
      return [...found.values()];
    },
  };
}
