import { sql } from 'drizzle-orm';
import { query, type Tx } from '../../db/open.ts';
import { createProjectMemory, type ProjectMemory, type ReadingServices } from '../../db/project-memory.ts';
import { type Citation, citationsOf } from '../../kinds/citations.ts';
import { holdsIn } from '../../learnings/rules.ts';
import { ignoredByLast } from '../offers.ts';
import { isExact, keysOfLesson } from './call-keys.ts';
import { MIN_CONFIDENCE, type Recalled, recalledColumns } from './recall.ts';

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
  at(keys: () => string[]): CallLesson[];
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

type Row = Recalled & {
  target: string | null;
  appliesTo: string[];
  /**
   * whether a person approved it, or it has helped, and the line still fails without it; only then may it hold that line.
   * It no longer does if the call was made again without its advice when it was last held, and passed
   */
  proven: boolean;
};

async function loadLessons(tx: Tx, projectId: string): Promise<CallLessons> {
  const rows = await query<Row>(tx)`select ${recalledColumns}, l.target, l.applies_to as "appliesTo",
      l.source_incident_id is not null and (l.success_count > 0 or exists (select from learning_requests r
        where r.learning_id = l.id and r.event = 'move' and r.evaluator = 'person')) and not exists (
        select from (select * from command_checks k where k.lesson_id = l.id and k.decision = 'hold'
          order by k.id desc limit 1) held
        where exists (select from command_checks n
            where n.session_id = held.session_id and n.id > held.id and n.command = held.command
              and not exists (select from command_checks f where f.session_id = n.session_id
                and f.id > held.id and f.id < n.id and strpos(l.lesson, '\`' || f.command || '\`') > 0
                and f.command <> held.command))
          and not exists (select from incidents i
            where i.project_id = ${projectId} and i.signature = l.signature and i.opened_at > held.checked_at)
      ) as proven
    from learnings l
    where ${holdsIn(projectId)} and l.status = 'active'
      and l.valid_until is null and l.confidence >= ${MIN_CONFIDENCE} and not ${ignoredByLast(sql`l.id`, MAX_IGNORED)}
    order by l.confidence desc, l.id limit ${MAX_LESSONS}`;
  const cited = await citationsOf(
    tx,
    rows.map(({ id }) => id),
  );
  const answered = await query<{ signature: string }>(tx)`select distinct l.signature from learnings l
    where ${holdsIn(projectId)} and l.valid_until is null and l.signature is not null limit ${MAX_SIGNATURES}`;
  const signatures = new Set(answered.map(({ signature }) => signature));
  const byKey = new Map<string, Row[]>();
  for (const row of rows)
    for (const key of keysOfLesson(row)) byKey.set(key, [...(byKey.get(key) ?? []), row]);
  return {
    answers: (signature) => signatures.has(signature),
    at(keys) {
      const found = new Map<string, CallLesson>();
      for (const key of byKey.size > 0 ? keys() : []) {
        for (const row of byKey.get(key) ?? []) {
          const holds = row.proven && isExact(key);
          const citations = cited.filter(({ id }) => id === row.id);
          if (!found.has(row.id)) found.set(row.id, { ...row, holds, citations });
        }
        // if there is a lesson about this very line, those about its program seldom help
        if (found.size > 0 && isExact(key)) break;
      }
      return [...found.values()];
    },
  };
}
