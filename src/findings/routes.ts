import { createRoute, z } from '@hono/zod-openapi';
import { sql } from 'drizzle-orm';
import type { Claims } from '../db/as-user.ts';
import type { Database } from '../db/open.ts';
import type { QueryVector } from '../embedding/embed-query.ts';
import { WRITERS, writerOf } from '../http/key-scope.ts';
import { asCaller, type Router, router } from '../http/router.ts';
import { body, commonProblems, json, limit, problem, time, wire } from '../http/schemas.ts';
import { listInProject, ProjectName } from '../sessions/projects.ts';
import { eraseFindings } from './erase.ts';
import {
  addFinding,
  changeFinding,
  getFinding,
  linkFindings,
  listFindings,
  prepareFinding,
  unlinkFindings,
} from './findings.ts';
import { LINKS } from './links.ts';
import { findingQuery } from './proposals.ts';
import { SEVERITIES, STATUSES } from './schema.ts';

const title = z.string().trim().min(1).max(500);
const detail = z.string().max(100_000);
const severity = z.enum(SEVERITIES);
const status = z.enum(STATUSES);
const resolution = z.string().trim().min(1).max(20_000);
const file = z.string().trim().min(1).max(4096);
const line = z.number().int().min(1).max(2_147_483_647);
const id = z.string().min(8).max(45);
const ids = z.array(id).max(100).default([]);

const NewFinding = z
  .strictObject({
    project: ProjectName,
    title,
    detail: detail.default(''),
    severity: severity.default('medium'),
    status: status.default('open'),
    resolution: resolution.nullable().default(null),
    file: file.nullable().default(null),
    line: line.nullable().default(null),
    /** who noticed it */
    agent: z.string().trim().min(1).max(200).optional(),
    /** ids of other findings, or the first eight characters of these */
    blocks: ids,
    blockedBy: ids,
    relatedTo: ids,
  })
  .openapi('NewFinding');

const Change = z
  .strictObject({
    title: title.optional(),
    detail: detail.optional(),
    severity: severity.optional(),
    status: status.optional(),
    resolution: resolution.nullable().optional(),
    file: file.nullable().optional(),
    line: line.nullable().optional(),
    /** null turns down what an episode proposed; to accept it, set the status */
    proposedStatus: z.null().optional(),
  })
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
    severity,
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

const reference = z.object({ id });
const link = z.object({ id, kind: z.enum(LINKS), other: id });
const noSuch = { 404: problem('No such finding'), 409: problem('The id is ambiguous') };
const circle = {
  409: problem('Blocking would go round in a circle, which is named; or the id is ambiguous'),
};

const routes = {
  create: createRoute({
    method: 'post',
    path: '/v1/findings',
    summary: 'Keep a problem that was noticed',
    request: body(NewFinding),
    responses: { 201: json(Finding, 'The finding'), ...circle, ...commonProblems },
  }),
  list: createRoute({
    method: 'get',
    path: '/v1/findings',
    summary: 'Findings, the newest first',
    request: {
      query: z.object({
        project: z.string().min(1).max(4096).optional(),
        status: status.optional(),
        severity: severity.optional(),
        /** whether nothing is to be done any more */
        closed: z.enum(['true', 'false']).optional(),
        /** the last id of the previous page */
        before: z.guid().optional(),
        limit: limit(500, 50),
      }),
    },
    responses: { 200: json(z.object({ findings: z.array(Finding) }), 'The findings'), ...commonProblems },
  }),
  get: createRoute({
    method: 'get',
    path: '/v1/findings/{id}',
    summary: 'A finding by its id or the beginning of it',
    request: { params: reference },
    responses: { 200: json(Finding, 'The finding'), ...noSuch, ...commonProblems },
  }),
  change: createRoute({
    method: 'patch',
    path: '/v1/findings/{id}',
    summary: 'Change a finding: resolve it, say more about it',
    request: { params: reference, ...body(Change) },
    responses: { 200: json(Finding, 'The finding'), ...noSuch, ...commonProblems },
  }),
  erase: createRoute({
    method: 'delete',
    path: '/v1/findings/{id}',
    summary: 'Permanently erase a finding',
    request: { params: reference },
    responses: { 204: { description: 'Erased' }, ...noSuch, ...commonProblems },
  }),
  link: createRoute({
    method: 'put',
    path: '/v1/findings/{id}/links/{kind}/{other}',
    summary: 'Link a finding to another one',
    request: { params: link },
    responses: { 200: json(Finding, 'The finding'), ...noSuch, ...circle, ...commonProblems },
  }),
  unlink: createRoute({
    method: 'delete',
    path: '/v1/findings/{id}/links/{kind}/{other}',
    summary: 'Take a link away',
    request: { params: link },
    responses: { 200: json(Finding, 'The finding'), ...noSuch, ...commonProblems },
  }),
};

type Needs = {
  db: Database;
  wake(worker: 'embed'): void;
  embedQuery(claims: Claims, text: string): Promise<QueryVector>;
};

export function findingRoutes(services: Needs): Router {
  const app = router();
  app.openapi(routes.create, async (c) => {
    const { blocks, blockedBy, relatedTo, ...fields } = c.req.valid('json');
    const prepared = prepareFinding(fields);
    const links = { blocks, blocked_by: blockedBy, related_to: relatedTo };
    const vector = await services.embedQuery(c.get('caller'), findingQuery(prepared));
    const writtenBy = writerOf(c.get('caller').scope);
    const finding = await asCaller(services, c, (tx) =>
      addFinding(tx, { ...prepared, links, writtenBy }, vector),
    );
    services.wake('embed');
    return c.json(wire(finding), 201);
  });
  app.openapi(routes.list, async (c) => {
    const { project, closed, ...filter } = c.req.valid('query');
    const findings = await asCaller(services, c, (tx) =>
      listInProject(tx, project, (projectId) =>
        listFindings(tx, {
          ...filter,
          projectId,
          closed: closed === undefined ? closed : closed === 'true',
        }),
      ),
    );
    return c.json({ findings: wire(findings) }, 200);
  });
  app.openapi(routes.get, async (c) => {
    return c.json(wire(await asCaller(services, c, (tx) => getFinding(tx, c.req.valid('param').id))), 200);
  });
  app.openapi(routes.change, async (c) => {
    const change = prepareFinding(c.req.valid('json'));
    const finding = await asCaller(services, c, (tx) => changeFinding(tx, c.req.valid('param').id, change));
    services.wake('embed');
    return c.json(wire(finding), 200);
  });
  app.openapi(routes.erase, async (c) => {
    await asCaller(services, c, async (tx) => {
      const { id } = await getFinding(tx, c.req.valid('param').id);
      await eraseFindings(tx, sql`id = ${id}`);
    });
    return c.body(null, 204);
  });
  app.openapi(routes.link, async (c) => {
    const { id, kind, other } = c.req.valid('param');
    return c.json(wire(await asCaller(services, c, (tx) => linkFindings(tx, id, kind, other))), 200);
  });
  app.openapi(routes.unlink, async (c) => {
    const { id, kind, other } = c.req.valid('param');
    return c.json(wire(await asCaller(services, c, (tx) => unlinkFindings(tx, id, kind, other))), 200);
  });
  return app;
}
