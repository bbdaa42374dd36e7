import { type SQL, sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import type { Status } from './states.ts';

// What a project's people said, and what is known of an error: the lessons that a start tells.

/** Most rules that are read; a start has room for fewer. */
const MAX_RULES = 100;
/** A lesson with less confidence failed more often than it helped. */
const MIN_CONFIDENCE = 0.5;

/** What a person said, stated or approved. The lesson of an error is no rule: it is told at its error and its call. */
const saidByPerson: SQL = sql`(l.source_incident_id is null and (l.evaluated_by = 'person' or exists (
  select from learning_requests r
  where r.user_id = l.user_id and r.learning_id = l.id and r.event = 'move' and r.evaluator = 'person')))`;
/** SQL condition: a lesson `l` is told in a project: it is one of its own, or an active one that holds everywhere. */
export const holdsIn = (projectId: string): SQL =>
  sql`l.user_id = auth.uid() and (l.project_id = ${projectId} or l.everywhere and l.status = 'active')`;
const inForce = (projectId: string): SQL =>
  sql`${holdsIn(projectId)} and l.valid_until is null
    and l.confidence >= ${MIN_CONFIDENCE}`;

/** A rule of a project, in the words of the person who said it. */
export type ProjectRule = { id: string; text: string };

/** Returns the rules of a project that hold now: what a person stated and no guard enforces first, then the last confirmed. */
export const rulesOf = (tx: Tx, projectId: string): Promise<ProjectRule[]> =>
  query<ProjectRule>(tx)`select l.id, l.lesson as text from learnings l
    where ${inForce(projectId)} and l.status = 'active' and ${saidByPerson}
    order by l.evaluated_by = 'person' and not exists (select from guards g
      where g.user_id = l.user_id and g.lineage_id = l.lineage_id and g.state = 'on') desc,
      l.last_confirmed_at desc, l.id limit ${MAX_RULES}`;

/** A lesson that answers an error. */
export type KnownFix = { id: string; lesson: string; signature: string; status: Status };

/**
 * Returns SQL for the lineages of the lessons that answer these errors of a project, each with the error: the lessons
 * that an error taught, and those into which its own lesson was merged.
 *
 * @param signatures SQL for an array of texts
 */
export const answering = (projectId: string, signatures: SQL): SQL =>
  sql`(
    select l.lineage_id, l.signature from learnings l
    where ${holdsIn(projectId)} and l.signature = any (${signatures})
    union
    select s.lineage_id, i.signature from incidents i
    join learning_requests r on r.user_id = i.user_id and r.incident_id = i.id
    join learnings s on s.user_id = r.user_id and s.id = r.learning_id
    where i.user_id = auth.uid() and i.project_id = ${projectId} and i.signature = any (${signatures}))`;

/** Returns the best lesson for each of these errors, also those that are not proven yet. */
export const fixesFor = (tx: Tx, projectId: string, signatures: string[]): Promise<KnownFix[]> =>
  query<KnownFix>(tx)`select distinct on (a.signature) l.id, l.lesson, a.signature, l.status
    from ${answering(projectId, sql`${sql.param(signatures)}::text[]`)} a
    join learnings l on l.user_id = auth.uid() and l.lineage_id = a.lineage_id
    where ${inForce(projectId)}
    order by a.signature, l.status, l.confidence desc, l.last_confirmed_at desc, l.id`;
