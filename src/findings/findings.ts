import { and, desc, eq, inArray, notInArray, sql } from 'drizzle-orm';
import type { Tx } from '../db/open.ts';
import type { QueryVector } from '../embedding/embed-query.ts';
import { episodeInLine } from '../episodes/episodes.ts';
import { type FieldError, Problem } from '../errors/problem.ts';
import type { Writer } from '../http/key-scope.ts';
import { redactValue, WHOLE } from '../redaction/redact.ts';
import { projectNamed, projectNameOf } from '../sessions/projects.ts';
import { idPrefix, theOne } from '../text/short-id.ts';
import { addLink, type Link, lockLinks, stored } from './links.ts';
import { noteResembling } from './proposals.ts';
import { findingLinks, findings, OPEN_STATUSES, type Severity, type STATUSES } from './schema.ts';

// Findings: problems that were noticed. A trigger notes when one was closed: sql/findings.

export type Status = (typeof STATUSES)[number];

/** The fields of a finding that can be changed. */
export type FindingFields = {
  title: string;
  detail: string;
  severity: Severity;
  status: Status;
  resolution: string | null;
  file: string | null;
  line: number | null;
};

export type NewFinding = FindingFields & {
  project: string;
  agent?: string | undefined;
  writtenBy: Writer;
  /** ids of other findings, or their beginnings */
  links: Record<Link, string[]>;
};

/**
 * Redacts what a request says about a finding. Call it before a transaction is opened: it is slow for long
 * texts.
 */
export const prepareFinding = <T extends Partial<FindingFields>>(given: T): T => redactValue(given, WHOLE);

/** Returns SQL for the findings that a finding is linked to: their ids, titles and statuses. */
const linked = (kind: 'blocks' | 'related_to', own: 'from_id' | 'to_id', other: 'from_id' | 'to_id') => sql`
  select f.id, f.title, f.status from finding_links l
  join findings f on f.user_id = l.user_id and f.id = ${sql.raw(`l.${other}`)}
  where l.user_id = ${findings}.user_id and l.kind = ${kind} and ${sql.raw(`l.${own}`)} = ${findings}.id`;
const asList = (rows: ReturnType<typeof sql>) =>
  sql<LinkedFinding[]>`(select coalesce(json_agg(x order by x.id), '[]') from (${rows}) x)`;

/** A finding that was resolved, with the episode that solved it. */
type Resembled = {
  id: string;
  title: string;
  resolution: string | null;
  file: string | null;
  episode: { id: string; line: string } | null;
};
type LinkedFinding = { id: string; title: string; status: Status };

const shown = {
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
};

const select = (tx: Tx) => tx.select(shown).from(findings);

export type Finding = Awaited<ReturnType<typeof select>>[number];

/**
 * Returns findings, the newest first.
 *
 * @param filter.closed true: only findings with nothing left to do; false: only the others
 * @throws Problem (400) when `before` is not a finding of the caller
 */
export async function listFindings(
  tx: Tx,
  filter: {
    projectId?: string | undefined;
    status?: Status | undefined;
    severity?: Severity | undefined;
    closed?: boolean | undefined;
    /** the id of a finding: only those after it in this list are returned, which are older */
    before?: string | undefined;
    limit: number;
  },
): Promise<Finding[]> {
  const { projectId, status, severity, closed, before } = filter;
  if (before !== undefined) await refuseUnknown(tx, { before: [before] });
  const open = [...OPEN_STATUSES];
  return select(tx)
    .where(
      and(
        projectId === undefined ? undefined : eq(findings.projectId, projectId),
        status === undefined ? undefined : eq(findings.status, status),
        severity === undefined ? undefined : eq(findings.severity, severity),
        closed === undefined
          ? undefined
          : closed
            ? notInArray(findings.status, open)
            : inArray(findings.status, open),
        before === undefined
          ? undefined
          : sql`(${findings.createdAt}, ${findings.id}) <
              (select b.created_at, b.id from findings b where b.id = ${before}::uuid)`,
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
export async function getFinding(tx: Tx, reference: string): Promise<Finding> {
  const prefix = idPrefix(reference);
  if (prefix === null) return theOne([], 'finding', reference);
  const is =
    prefix.length === 36 ? eq(findings.id, prefix) : sql`starts_with(${findings.id}::text, ${prefix})`;
  return theOne(await select(tx).where(is).limit(2), 'finding', reference);
}

async function refuseUnknown(tx: Tx, given: Record<string, string[]>): Promise<void> {
  const ids = Object.values(given).flat();
  const known = await tx.select({ id: findings.id }).from(findings).where(inArray(findings.id, ids));
  const errors = Object.entries(given).flatMap(([field, list]) =>
    list
      .filter((id) => !known.some((row) => row.id === id.toLowerCase()))
      .map((id) => ({ field, message: `you have no finding ${id}` })),
  );
  if (errors.length > 0) throw badRequest(errors);
}

const badRequest = (errors: FieldError[]) =>
  new Problem({
    status: 400,
    title: 'Bad request',
    detail: errors.map((e) => `${e.field}: ${e.message}`).join('; '),
    errors,
  });

/**
 * Stores a prepared finding with its links, all or nothing. Returns it, with the resolved finding that it resembles.
 *
 * @param vector of its `findingQuery`; null: it is compared by words
 * @throws Problem (400) that names a link to a finding that the caller does not have, (409) that names a circle
 */
export async function addFinding(
  tx: Tx,
  { links, project, agent, ...fields }: NewFinding,
  vector: QueryVector,
): Promise<Finding> {
  const { id: projectId } = await projectNamed(tx, project);
  const [row] = await tx
    .insert(findings)
    .values({ ...fields, agent: agent ?? null, projectId })
    .returning({ id: findings.id });
  const { id } = row as { id: string };
  for (const [kind, others] of Object.entries(links) as [Link, string[]][]) {
    for (const other of others) await linkFindings(tx, id, kind, other, kind);
  }
  await noteResembling(tx, { id, projectId, ...fields }, vector);
  return getFinding(tx, id);
}

/**
 * Changes a finding. Returns it.
 *
 * @param change a prepared change
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
  // any new status settles the proposal
  const decided = change.status !== undefined && { proposedStatus: null };
  const solved =
    change.status === 'resolved' && proposedStatus === 'resolved'
      ? { solvedBy: proposedBy }
      : change.status !== undefined &&
        OPEN_STATUSES.some((open) => open === change.status) && { solvedBy: null };
  await tx
    .update(findings)
    .set({ ...change, ...decided, ...solved, updatedAt: sql`now()` })
    .where(eq(findings.id, id));
  return getFinding(tx, id);
}

/**
 * Links a finding to another one; a link that is there stays as it is. Returns the finding.
 *
 * @param field names the other one in an error
 * @throws Problem (404) when the caller has no such finding, (400) when the other one is not the caller's,
 *   (409) that names the findings which would block each other in a circle
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
  await lockLinks(tx);
  const result = await addLink(tx, link.kind, link.from, link.to);
  if (typeof result !== 'string') {
    const { reason } = result;
    throw new Problem({
      status: 409,
      title: 'Circle of findings',
      detail: `${reason}. Nothing was changed.`,
      errors: [{ field, message: reason }],
    });
  }
  return getFinding(tx, one.id);
}

/** Removes a link between two findings; nothing happens if there is none. Returns the finding. */
export async function unlinkFindings(tx: Tx, reference: string, kind: Link, other: string): Promise<Finding> {
  const one = await getFinding(tx, reference);
  const link = stored(kind, one.id, (await otherFinding(tx, other, 'other')).id);
  await tx
    .delete(findingLinks)
    .where(
      and(
        eq(findingLinks.kind, link.kind),
        eq(findingLinks.fromId, link.from),
        eq(findingLinks.toId, link.to),
      ),
    );
  return getFinding(tx, one.id);
}

/** Returns the other end of a link. If there is none, the request is at fault (400), not its path (404). */
async function otherFinding(tx: Tx, reference: string, field: string): Promise<Finding> {
  try {
    return await getFinding(tx, reference);
  } catch (error) {
    if (error instanceof Problem) throw badRequest([{ field, message: error.detail }]);
    throw error;
  }
}
