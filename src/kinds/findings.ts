import { z } from '@hono/zod-openapi';
import { eq, sql } from 'drizzle-orm';
import { badRequest, Problem } from '../base/errors/problem.ts';
import type { Claims } from '../db/as-user.ts';
import { query, type Tx } from '../db/open.ts';
import { writerOf } from '../http/key-scope.ts';
import { served } from '../http/serve.ts';
import { redactValue, WHOLE } from '../redaction/redact.ts';
import type { QueryVector } from '../search/embedding/embed-query.ts';
import { searchDocuments } from '../search/search.ts';
import { ProjectName, projectNamed } from '../sessions/projects.ts';
import { eraseKind } from './erase.ts';
import { addErase, addReads, inField, kindOf, type Row, reference, references } from './kind.ts';
import { FINDING_STATUSES, findingLinks, findings, OPEN_STATUSES, SEVERITIES } from './schema.ts';

// Findings: problems that were noticed. A trigger notes when one was closed: sql/findings.

/** How a finding is linked to another one, as a person says it. */
const LINKS = ['blocks', 'blocked_by', 'related_to'] as const;
type Link = (typeof LINKS)[number];
type StoredLink = (typeof findingLinks.kind.enumValues)[number];

const id = reference.shape.id;
const status = z.enum(FINDING_STATUSES);
const fields = {
  title: z.string().trim().min(1).max(500),
  detail: z.string().max(100_000),
  severity: z.enum(SEVERITIES),
  status,
  resolution: z.string().trim().min(1).max(20_000).nullable(),
  file: z.string().trim().min(1).max(4096).nullable(),
  line: z.number().int().min(1).max(2_147_483_647).nullable(),
};

/** What is not given is as the table says: open, of medium severity. */
const NewFinding = z
  .strictObject(fields)
  .partial()
  .required({ title: true })
  .extend({
    project: ProjectName,
    /** who noticed it */
    agent: z.string().trim().min(1).max(200).optional(),
  });

const Change = z
  // `proposedStatus`: null turns down what an episode proposed; to accept it, set the status
  .strictObject({ ...fields, proposedStatus: z.null() })
  .partial()
  .refine((change) => Object.values(change).some((value) => value !== undefined), {
    message: 'name at least one field to change',
    path: ['(body)'],
  })
  .openapi('FindingChange');

const linked = z.array(z.object({ id: z.string(), title: z.string(), status }));
/** The findings that a finding `t` is linked to. */
const linkedBy = (...kinds: [StoredLink, 'from_id' | 'to_id', 'from_id' | 'to_id'][]) => ({
  as: linked,
  sql: sql`(select coalesce(json_agg(x order by x.id), '[]') from (${sql.join(
    kinds.map(
      ([kind, own, other]) => sql`
        select f.id, f.title, f.status from finding_links l
        join findings f on f.user_id = l.user_id and f.id = ${sql.raw(`l.${other}`)}
        where l.user_id = t.user_id and l.kind = ${kind} and ${sql.raw(`l.${own}`)} = t.id`,
    ),
    sql` union all `,
  )}) x)`,
});

const Resembled = z
  .object({
    ...{ id: z.string(), title: z.string(), resolution: z.string().nullable(), file: z.string().nullable() },
    /** what solved it */
    episode: z.object({ id: z.string(), description: z.string() }).nullable(),
  })
  .nullable();

type FindingRow = Row & { proposedStatus: string | null; proposedBy: string | null };
const finding = kindOf<FindingRow>('finding', findings, [], {
  resembles: {
    as: Resembled,
    sql: sql`(
      select json_build_object('id', r.id, 'title', r.title, 'resolution', r.resolution, 'file', r.file, 'episode', (
        select json_build_object('id', e.id, 'description', e.description) from episodes e
        where e.user_id = r.user_id and e.id = r.solved_by))
      from findings r where r.user_id = t.user_id and r.id = t.resembles)`,
  },
  blocks: linkedBy(['blocks', 'from_id', 'to_id']),
  blockedBy: linkedBy(['blocks', 'to_id', 'from_id']),
  relatedTo: linkedBy(['related_to', 'from_id', 'to_id'], ['related_to', 'to_id', 'from_id']),
});
const Finding = z.object(finding.shape).openapi('Finding');

/** Changes a finding. Any new status settles what an episode proposed. */
async function changeFinding(tx: Tx, given: string, change: z.output<typeof Change>) {
  const { id, proposedStatus, proposedBy } = await finding.get(tx, given);
  const { status } = change;
  const solved =
    status === 'resolved' && proposedStatus === 'resolved'
      ? { solvedBy: proposedBy }
      : OPEN_STATUSES.some((open) => open === status) && { solvedBy: null };
  await tx
    .update(findings)
    .set({ ...change, ...(status && { proposedStatus: null }), ...solved, updatedAt: sql`now()` })
    .where(eq(findings.id, id));
  return finding.get(tx, id);
}

/** Returns a link of a finding to another one in the form in which it is stored, so that each is stored once. */
async function linkOf(tx: Tx, given: string, kind: Link, other: string) {
  const { id: a } = await finding.get(tx, given);
  const { id: b } = await inField('other', finding.get(tx, other));
  if (a === b) throw badRequest('other', 'a finding cannot be linked to itself');
  const turned = kind === 'blocked_by' || (kind === 'related_to' && b < a);
  const [fromId, toId] = turned ? [b, a] : [a, b];
  return { of: a, link: { kind: kind === 'related_to' ? kind : ('blocks' as const), fromId, toId } };
}

/** @throws Problem (409) when findings would block each other in a circle */
async function refuseCircle(tx: Tx, { kind, fromId, toId }: typeof findingLinks.$inferInsert): Promise<void> {
  if (kind !== 'blocks') return;
  const [row] = await query<{ circle: boolean }>(tx)`select blocks(${toId}::uuid, ${fromId}::uuid) as circle`;
  if (!row?.circle) return;
  const [a, b] = [fromId.slice(0, 8), toId.slice(0, 8)];
  const message = `${a} cannot block ${b}, which blocks it: that would go round in a circle`;
  const errors = [{ field: 'other', message }];
  throw new Problem({ status: 409, title: 'Circle of findings', detail: message, errors });
}

type Needs = { embedQuery(claims: Claims, text: string): Promise<QueryVector> };

export const findingRoutes = served((route, { embedQuery }: Needs) => {
  route(
    'POST /v1/findings',
    'Keep a problem that was noticed',
    { body: NewFinding, answer: Finding, created: true, wakes: ['embed'] },
    async ({ as, body, caller }) => {
      const { project, ...given } = redactValue(body, WHOLE);
      // the model does not read more
      const text = `${given.title}\n${given.detail ?? ''}`.trim().slice(0, 2000).toWellFormed();
      const vector = await embedQuery(caller, text);
      return as(async (tx) => {
        const { id: projectId } = await projectNamed(tx, project);
        const values = { ...given, projectId, writtenBy: writerOf(caller.scope) };
        const [{ id } = { id: '' }] = await tx.insert(findings).values(values).returning({ id: findings.id });
        // it resembles the nearest one of the project that was resolved, if that is of MEDIUM relevance or more
        const asked = { query: text, vector, projectId, kinds: ['finding'], superseded: true, limit: 5 };
        const { results } = await searchDocuments(tx, asked);
        const near = sql.param(results.flatMap((one) => (one.relevance === 'low' ? [] : one.id)));
        await query(tx)`select note_resembling(${id}::uuid, ${near}::uuid[])`;
        return finding.get(tx, id);
      });
    },
  );
  const open = sql`t.status in ('open', 'in_progress')`;
  addReads(route, finding, {
    shown: Finding,
    filters: {
      status: status.optional(),
      severity: fields.severity.optional(),
      /** whether nothing is to be done any more */
      closed: z.enum(['true', 'false']).optional(),
    },
    where: ({ status, severity, closed }) => [
      status && sql`t.status = ${status}`,
      severity && sql`t.severity = ${severity}`,
      closed && (closed === 'true' ? sql`not ${open}` : open),
    ],
  });
  route(
    'PATCH /v1/findings/{id}',
    'Change a finding: resolve it, say more about it',
    { params: reference, body: Change, answer: Finding, wakes: ['embed'], problems: references },
    ({ as, params, body }) => {
      const change = redactValue(body, WHOLE);
      return as((tx) => changeFinding(tx, params.id, change));
    },
  );
  addErase(route, finding, (tx, where) => eraseKind(tx, 'finding', where));
  for (const [method, summary] of [
    ['PUT', 'Link a finding to another one'],
    ['DELETE', 'Take a link away'],
  ] as const)
    route(
      `${method} /v1/findings/{id}/links/{kind}/{other}`,
      summary,
      {
        params: z.object({ id, kind: z.enum(LINKS), other: id }),
        answer: Finding,
        problems: { ...references, 409: 'Blocking would go round in a circle; or the id is ambiguous' },
      },
      ({ as, params }) =>
        as(async (tx) => {
          const { of, link } = await linkOf(tx, params.id, params.kind, params.other);
          if (method === 'PUT') {
            await refuseCircle(tx, link);
            await tx.insert(findingLinks).values(link).onConflictDoNothing();
          } else
            await query(tx)`
              delete from finding_links
              where kind = ${link.kind} and from_id = ${link.fromId}::uuid and to_id = ${link.toId}::uuid`;
          return finding.get(tx, of);
        }),
    );
});
