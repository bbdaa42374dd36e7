import { z } from '@hono/zod-openapi';
import { and, asc, eq } from 'drizzle-orm';
import { Problem } from '../base/errors/problem.ts';
import { asUser, type Claims } from '../db/as-user.ts';
import type { Database, Tx } from '../db/open.ts';
import { type Router, router } from '../http/router.ts';
import { redactValue } from '../redaction/redact.ts';
import { findProject, ProjectName } from '../sessions/projects.ts';
import { Answer, INSTRUCTIONS } from './audit-form.ts';
import { readRecord, tellRecord } from './audit-record.ts';
import { keepLessons } from './audits.ts';
import { serve } from './records/serve.ts';
import { sessionAudits } from './schema.ts';
import { storableText } from './values.ts';

// Where no model is set up, ended sessions wait for an agent to look back on them.

/** Most tokens of a record that an agent reads: its client may cut what is longer. */
const MAX_TOLD = 8_000;
const isWaiting = eq(sessionAudits.status, 'waiting');
const waitsIn = (projectId: string | undefined) =>
  and(isWaiting, projectId === undefined ? undefined : eq(sessionAudits.projectId, projectId));

/** Returns how many sessions wait for an agent, in a project or in all. */
export const countWaiting = (tx: Tx, projectId: string | undefined): Promise<number> =>
  tx.$count(sessionAudits, waitsIn(projectId));

const Waiting = z
  .object({
    /** how many sessions wait to be looked back on by an agent */
    waiting: z.number().int(),
    /** the one that has waited longest, what is asked about it, and what happened in it, redacted */
    next: z
      .object({ id: z.string(), instructions: z.string(), record: z.record(z.string(), z.unknown()) })
      .nullable(),
  })
  .openapi('WaitingAudits');

/** The routes by which agents look back on sessions where no model is set up. */
export function auditRoutes(services: { db: Database; wake(worker: 'embed'): void }): Router {
  const { db } = services;
  const app = router();
  const route = serve(app, services);
  /** Returns the waiting row that fits and is the oldest, with the record of its session. */
  const waitingRow = (claims: Claims, which: ReturnType<typeof and>) =>
    asUser(
      db,
      claims,
      async (tx) => {
        const { createdAt, id } = sessionAudits;
        const rows = tx.select().from(sessionAudits).where(which);
        const [row] = await rows.orderBy(asc(createdAt), asc(id)).limit(1);
        if (row?.sessionId == null) return null;
        const session = { id: row.sessionId, projectId: row.projectId };
        return { id: row.id, session, ...(await readRecord(tx, session)) };
      },
      { readOnly: true },
    );
  route(
    'GET /v1/audits/waiting',
    'The session that has waited longest to be looked back on by an agent, because no model is set up',
    { query: z.strictObject({ project: ProjectName.optional() }), answer: Waiting },
    async ({ as, caller, query: { project } }) => {
      const found = project === undefined ? undefined : await as((tx) => findProject(tx, project));
      if (project !== undefined && found === undefined) return { waiting: 0, next: null };
      const waiting = await as((tx) => countWaiting(tx, found?.id));
      const row = await waitingRow(caller, waitsIn(found?.id));
      if (row === null) return { waiting, next: null };
      const record = JSON.parse(tellRecord(row.told, MAX_TOLD)) as Record<string, unknown>;
      return { waiting, next: { id: row.id, instructions: INSTRUCTIONS, record } };
    },
  );
  route(
    'POST /v1/audits/{id}/answer',
    'Hand in what an agent found in a session that waits; its lessons wait for a person',
    {
      params: z.object({ id: z.guid() }),
      body: z.strictObject({ ...Answer.shape, agent: storableText(200) }).openapi('AuditAnswer'),
      answer: z.object({ waiting: z.number().int() }),
      problems: { 404: 'No such session waits' },
    },
    async ({ as, caller, params: { id }, body: { agent, ...given } }) => {
      const row = await waitingRow(caller, and(eq(sessionAudits.id, id), isWaiting));
      if (row === null) {
        const detail = `No session waits as ${id}. It may be answered already.`;
        throw new Problem({ status: 404, title: 'Audit not found', detail });
      }
      const [answer, evaluatedBy] = [redactValue(given), `agent:${agent}`];
      await keepLessons(services, caller, answer, row, { by: 'agent', evaluator: evaluatedBy });
      const done = { status: 'done', answer, evaluatedBy, finishedAt: new Date() } as const;
      const waiting = await as(async (tx) => {
        await tx
          .update(sessionAudits)
          .set(done)
          .where(and(eq(sessionAudits.id, id), isWaiting));
        return countWaiting(tx, undefined);
      });
      services.wake('embed');
      return { waiting };
    },
  );
  return app;
}
