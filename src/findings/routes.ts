import { z } from '@hono/zod-openapi';
import { sql } from 'drizzle-orm';
import type { Claims } from '../db/as-user.ts';
import type { Database } from '../db/open.ts';
import type { QueryVector } from '../embedding/embed-query.ts';
import { WRITERS, writerOf } from '../http/key-scope.ts';
import { type Router, router } from '../http/router.ts';
import { limit, time } from '../http/schemas.ts';
import { addErase, reference, references } from '../records/by-id.ts';
import { serve } from '../records/serve.ts';
import { redactValue, WHOLE } from '../redaction/redact.ts';
import { listInProject, ProjectName } from '../sessions/projects.ts';
import { eraseFindings } from './erase.ts';
import {
  addFinding,
  changeFinding,
  getFinding,
  LINKS,
  linkFindings,
  listFindings,
  unlinkFindings,
} from './findings.ts';
import { findingQuery } from './proposals.ts';
import { SEVERITIES, STATUSES } from './schema.ts';

const id = reference.shape.id;
const ids = z.array(id).max(100).default([]);
const status = z.enum(STATUSES);
const fields = {
  title: z.string().trim().min(1).max(500),
  detail: z.string().max(100_000),
  severity: z.enum(SEVERITIES),
  status,
  resolution: z.string().trim().min(1).max(20_000).nullable(),
  file: z.string().trim().min(1).max(4096).nullable(),
  line: z.number().int().min(1).max(2_147_483_647).nullable(),
};

const NewFinding = z
  .strictObject({
    project: ProjectName,
    title: fields.title,
    detail: fields.detail.default(''),
    severity: fields.severity.default('medium'),
    status: status.default('open'),
    resolution: fields.resolution.default(null),
    file: fields.file.default(null),
    line: fields.line.default(null),
    /** who noticed it */
    agent: z.string().trim().min(1).max(200).optional(),
    /** ids of other findings, or the first eight characters of these */
    blocks: ids,
    blockedBy: ids,
    relatedTo: ids,
  })
  .openapi('NewFinding');

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
const Finding = z
  .object({
    id: z.string(),
    project: z.string(),
    title: z.string(),
    detail: z.string(),
    severity: fields.severity,
    status,
    resolution: z.string().nullable(),
    file: z.string().nullable(),
    line: z.number().nullable(),
    agent: z.string().nullable(),
    /** by its key, whatever `agent` says; null: it is older than 0.5 */
    writtenBy: z.enum(WRITERS).nullable(),
    createdAt: time,
    updatedAt: time,
    closedAt: time.nullable(),
    /** what an episode that changed its file proposes, until somebody decides */
    proposedStatus: status.nullable(),
    proposedBy: z.string().nullable(),
    /** the episode that solved it */
    solvedBy: z.string().nullable(),
    /** a resolved finding that it resembles, with the episode that solved that one */
    resembles: z
      .object({
        id: z.string(),
        title: z.string(),
        resolution: z.string().nullable(),
        file: z.string().nullable(),
        episode: z.object({ id: z.string(), line: z.string() }).nullable(),
      })
      .nullable(),
    blocks: linked,
    blockedBy: linked,
    relatedTo: linked,
  })
  .openapi('Finding');

const link = z.object({ id, kind: z.enum(LINKS), other: id });
const circle = { 409: 'Blocking would go round in a circle; or the id is ambiguous' };

type Needs = {
  db: Database;
  wake(worker: 'embed'): void;
  embedQuery(claims: Claims, text: string): Promise<QueryVector>;
};

export function findingRoutes(services: Needs): Router {
  const app = router();
  const route = serve(app, services);
  route(
    'POST /v1/findings',
    'Keep a problem that was noticed',
    { body: NewFinding, answer: Finding, created: true, problems: circle },
    async ({ as, body, caller }) => {
      const { blocks, blockedBy, relatedTo, ...fields } = body;
      const finding = {
        ...redactValue(fields, WHOLE),
        writtenBy: writerOf(caller.scope),
        links: { blocks, blocked_by: blockedBy, related_to: relatedTo },
      };
      const vector = await services.embedQuery(caller, findingQuery(finding));
      const added = await as((tx) => addFinding(tx, finding, vector));
      services.wake('embed');
      return added;
    },
  );
  route(
    'GET /v1/findings',
    'Findings, the newest first',
    {
      query: z.object({
        project: z.string().min(1).max(4096).optional(),
        status: status.optional(),
        severity: fields.severity.optional(),
        /** whether nothing is to be done any more */
        closed: z.enum(['true', 'false']).optional(),
        /** the last id of the previous page */
        before: z.guid().optional(),
        limit: limit(500, 50),
      }),
      answer: z.object({ findings: z.array(Finding) }),
    },
    async ({ as, query: { project, closed, ...filter } }) => ({
      findings: await as((tx) =>
        listInProject(tx, project, (projectId) =>
          listFindings(tx, { ...filter, projectId, closed: closed && closed === 'true' }),
        ),
      ),
    }),
  );
  route(
    'GET /v1/findings/{id}',
    'A finding by its id or the beginning of it',
    { params: reference, answer: Finding, problems: references },
    ({ as, params }) => as((tx) => getFinding(tx, params.id)),
  );
  route(
    'PATCH /v1/findings/{id}',
    'Change a finding: resolve it, say more about it',
    { params: reference, body: Change, answer: Finding, problems: references },
    async ({ as, params, body }) => {
      const change = redactValue(body, WHOLE);
      const changed = await as((tx) => changeFinding(tx, params.id, change));
      services.wake('embed');
      return changed;
    },
  );
  addErase(route, 'finding', getFinding, (tx, id) => eraseFindings(tx, sql`id = ${id}`));
  const toLink = { params: link, answer: Finding, problems: { ...references, ...circle } };
  const path = '/v1/findings/{id}/links/{kind}/{other}';
  route(`PUT ${path}`, 'Link a finding to another one', toLink, ({ as, params: { id, kind, other } }) =>
    as((tx) => linkFindings(tx, id, kind, other)),
  );
  route(`DELETE ${path}`, 'Take a link away', toLink, ({ as, params: { id, kind, other } }) =>
    as((tx) => unlinkFindings(tx, id, kind, other)),
  );
  return app;
}
