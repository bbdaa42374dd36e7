import { and, desc, eq, inArray, notInArray, sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import type { QueryVector } from '../embedding/embed-query.ts';
import { episodeInLine } from '../episodes/episodes.ts';
import { badRequest, Problem } from '../errors/problem.ts';
import type { Writer } from '../http/key-scope.ts';
import { recordRef } from '../records/by-id.ts';
import { projectNamed, projectNameOf } from '../sessions/projects.ts';
import { noteResembling } from './proposals.ts';
import {
  findingLinks,
  findings,
  OPEN_STATUSES,
  type Severity,
  type STATUSES,
  type STORED_LINKS,
} from './schema.ts';

// Findings: problems that were noticed. A trigger notes when one was closed: sql/findings.

type Status = (typeof STATUSES)[number];
/** How a finding is linked to another one, as a person says it. */
export const LINKS = ['blocks', 'blocked_by', 'related_to'] as const;
type Link = (typeof LINKS)[number];
type StoredLink = (typeof STORED_LINKS)[number];

/** The fields of a finding that can be changed. */
type FindingFields = {
  title: string;
  detail: string;
  severity: Severity;
  status: Status;
  resolution: string | null;
  file: string | null;
  line: number | null;
};

/** Returns SQL for the findings that a finding is linked to: their ids, titles and statuses. */
const linked = (kind: StoredLink, own: 'from_id' | 'to_id', other: 'from_id' | 'to_id') => sql`
  select f.id, f.title, f.status from finding_links l
  join findings f on f.user_id = l.user_id and f.id = ${sql.raw(`l.${other}`)}
  where l.user_id = ${findings}.user_id and l.kind = ${kind} and ${sql.raw(`l.${own}`)} = ${findings}.id`;
const asList = (rows: ReturnType<typeof sql>) =>
  sql<{ id: string; title: string; status: Status }[]>`(
    select coalesce(json_agg(x order by x.id), '[]') from (${rows}) x)`;

/** A finding that was resolved, with the episode that solved it. */
type Resembled = {
  id: string;
  title: string;
  resolution: string | null;
  file: string | null;
  episode: { id: string; line: string } | null;
};

const select = (tx: Tx) =>
  tx
    .select({
      id: findings.id,
      project: projectNameOf(findings.projectId),
      title: findings.title,
      detail: findings.detail,
      severity: findings.severity,
      status: findings.status,
      resolution: findings.resolution,
      file: findings.file,
      line: findings.line,
      agent: findings.agent,
      writtenBy: findings.writtenBy,
      createdAt: findings.createdAt,
      updatedAt: findings.updatedAt,
      closedAt: findings.closedAt,
      proposedStatus: findings.proposedStatus,
      proposedBy: findings.proposedBy,
      solvedBy: findings.solvedBy,
      resembles: sql<Resembled | null>`(
        select json_build_object('id', r.id, 'title', r.title, 'resolution', r.resolution, 'file', r.file,
          'episode', ${episodeInLine(sql`r.solved_by`)})
        from findings r where r.user_id = ${findings}.user_id and r.id = ${findings}.resembles)`,
      blocks: asList(linked('blocks', 'from_id', 'to_id')),
      blockedBy: asList(linked('blocks', 'to_id', 'from_id')),
      relatedTo: asList(
        sql`${linked('related_to', 'from_id', 'to_id')} union all ${linked('related_to', 'to_id', 'from_id')}`,
      ),
    })
    .from(findings);

type Finding = Awaited<ReturnType<typeof select>>[number];

/**
 * Returns findings, the newest first.
 *
 * @param filter.closed true: only findings with nothing left to do; false: only the others
 * @param filter.before the id of a finding: only those after it in this list are returned, which are older
 * @throws Problem (400) when `before` is not a finding of the caller
 */
export async function listFindings(
  tx: Tx,
  filter: {
    projectId?: string | undefined;
    status?: Status | undefined;
    severity?: Severity | undefined;
    closed?: boolean | undefined;
    before?: string | undefined;
    limit: number;
  },
): Promise<Finding[]> {
  const { projectId, status, severity, closed, before } = filter;
  const last = before === undefined ? undefined : await otherFinding(tx, before, 'before');
  return select(tx)
    .where(
      and(
        projectId === undefined ? undefined : eq(findings.projectId, projectId),
        status === undefined ? undefined : eq(findings.status, status),
        severity === undefined ? undefined : eq(findings.severity, severity),
        closed === undefined
          ? undefined
          : (closed ? notInArray : inArray)(findings.status, [...OPEN_STATUSES]),
        last &&
          sql`(${findings.createdAt}, ${findings.id}) <
              (select b.created_at, b.id from findings b where b.id = ${last.id}::uuid)`,
      ),
    )
    .orderBy(desc(findings.createdAt), desc(findings.id))
    .limit(filter.limit);
}

/**
 * Returns a finding by its id or the beginning of it, as it is cited.
 *
 * @throws Problem (404) when the caller has no such finding, (409) when the beginning is that of several
 */
export const getFinding = (tx: Tx, reference: string): Promise<Finding> =>
  recordRef('finding', reference, findings.id, (is) => select(tx).where(is).limit(2));

/** Returns a finding that a request names. If there is none, the request is at fault (400), not its path (404). */
async function otherFinding(tx: Tx, reference: string, field: string): Promise<Finding> {
  return getFinding(tx, reference).catch((error) => {
    throw error instanceof Problem ? badRequest(field, error.detail) : error;
  });
}

/**
 * Stores a redacted finding with its links, all or nothing. Returns it, with the resolved finding that it resembles.
 *
 * @param given.links ids of other findings, or their beginnings
 * @param vector of its `findingQuery`; null: it is compared by words
 * @throws Problem (400) that names a link to a finding that the caller does not have, (409) that names a circle
 */
export async function addFinding(
  tx: Tx,
  given: FindingFields & {
    project: string;
    agent?: string | undefined;
    writtenBy: Writer;
    links: Record<Link, string[]>;
  },
  vector: QueryVector,
): Promise<Finding> {
  const { links, project, agent = null, ...fields } = given;
  const { id: projectId } = await projectNamed(tx, project);
  const [row] = await tx
    .insert(findings)
    .values({ ...fields, agent, projectId })
    .returning({ id: findings.id });
  const { id } = row as { id: string };
  for (const kind of LINKS) for (const other of links[kind]) await linkFindings(tx, id, kind, other, kind);
  await noteResembling(tx, { id, projectId, ...fields }, vector);
  return getFinding(tx, id);
}

/**
 * Changes a finding. Returns it. Any new status settles what an episode proposed.
 *
 * @param change what is changed, redacted
 * @throws Problem (404) when the caller has no such finding
 */
export async function changeFinding(
  tx: Tx,
  reference: string,
  change: { [F in keyof FindingFields]?: FindingFields[F] | undefined } & {
    proposedStatus?: null | undefined;
  },
): Promise<Finding> {
  const { id, proposedStatus, proposedBy } = await getFinding(tx, reference);
  const { status } = change;
  const solved =
    status === 'resolved' && proposedStatus === 'resolved'
      ? { solvedBy: proposedBy }
      : OPEN_STATUSES.some((open) => open === status) && { solvedBy: null };
  await tx
    .update(findings)
    .set({ ...change, ...(status && { proposedStatus: null }), ...solved, updatedAt: sql`now()` })
    .where(eq(findings.id, id));
  return getFinding(tx, id);
}

/** Returns a link in the form in which it is stored, so that each is stored once. */
function stored(kind: Link, a: string, b: string): { kind: StoredLink; from: string; to: string } {
  if (kind === 'blocked_by') return { kind: 'blocks', from: b, to: a };
  const swapped = kind === 'related_to' && b < a;
  return { kind, from: swapped ? b : a, to: swapped ? a : b };
}

/**
 * Links a finding to another one; a link that is there stays as it is. Returns the finding.
 *
 * @param field names the other one in an error
 * @throws Problem (404) when the caller has no such finding, (400) when the other one is not the caller's, (409) when
 *   findings would block each other in a circle
 */
export async function linkFindings(
  tx: Tx,
  reference: string,
  kind: Link,
  other: string,
  field = 'other',
): Promise<Finding> {
  const one = await getFinding(tx, reference);
  const link = stored(kind, one.id, (await otherFinding(tx, other, field)).id);
  const { refused } = await addLink(tx, link.kind, link.from, link.to);
  if (refused !== null) {
    const detail = `${refused}. Nothing was changed.`;
    const errors = [{ field, message: refused }];
    throw new Problem({ status: 409, title: 'Circle of findings', detail, errors });
  }
  return getFinding(tx, one.id);
}

/**
 * Adds a link as it is stored. It is refused, and nothing is stored, if one of the findings is not the caller's, if both
 * are the same, or if findings would block each other in a circle.
 */
export async function addLink(
  tx: Tx,
  kind: StoredLink,
  from: string,
  to: string,
): Promise<{ added: boolean; refused: string | null }> {
  // one transaction at a time adds links of the caller: two that close a circle together must see each other
  await query(tx, sql`select pg_advisory_xact_lock(hashtextextended('finding links ' || auth.uid(), 0))`);
  const there = await tx
    .select({ id: findings.id })
    .from(findings)
    .where(inArray(findings.id, [from, to]));
  const missing = [from, to].filter((id) => !there.some((row) => row.id === id));
  if (missing.length > 0) return { added: false, refused: `you have no finding ${missing.join(' and no ')}` };
  const [a, b] = [from.slice(0, 8), to.slice(0, 8)];
  if (from === to) return { added: false, refused: `${a} cannot be linked to itself` };
  const [circle] = await query(
    tx,
    sql`with recursive blocked (id) as (
          select ${to}::uuid
          union
          select l.to_id from blocked r
          join finding_links l on l.user_id = auth.uid() and l.kind = 'blocks' and l.from_id = r.id)
        select from blocked where ${kind} = 'blocks' and id = ${from}::uuid`,
  );
  if (circle)
    return {
      added: false,
      refused: `${a} cannot block ${b}, which blocks it: that would go round in a circle`,
    };
  const added = await tx
    .insert(findingLinks)
    .values({ kind, fromId: from, toId: to })
    .onConflictDoNothing()
    .returning({ kind: findingLinks.kind });
  return { added: added.length > 0, refused: null };
}

/** Removes a link between two findings; nothing happens if there is none. Returns the finding. */
export async function unlinkFindings(tx: Tx, reference: string, kind: Link, other: string): Promise<Finding> {
  const one = await getFinding(tx, reference);
  const link = stored(kind, one.id, (await otherFinding(tx, other, 'other')).id);
  const { kind: is, fromId, toId } = findingLinks;
  await tx.delete(findingLinks).where(and(eq(is, link.kind), eq(fromId, link.from), eq(toId, link.to)));
  return getFinding(tx, one.id);
}
