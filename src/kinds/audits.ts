import { eq, sql } from 'drizzle-orm';
import type { Log } from '../base/log.ts';
import { estimateTokens } from '../base/text/tokens.ts';
import { asUser, type Claims } from '../db/as-user.ts';
import { type Database, query, type Tx } from '../db/open.ts';
import { type Leased, leaseRows, type Queue, reasonOf, workOn } from '../db/queue.ts';
import { forEachUser } from '../db/system.ts';
import { metError } from '../incidents/incidents.ts';
import { type Giver, keepLesson } from '../learnings/distil/hand-in.ts';
import { waitsToBeJudged } from '../learnings/requests.ts';
import { type AskModel, type Fault, ModelUnavailable } from '../llm/ask.ts';
import type { ModelFor } from '../llm/choose.ts';
import { redactValue } from '../redaction/redact.ts';
import type { Embedder } from '../search/embedding/embedder.ts';
import { Answer, type AuditAnswer, INSTRUCTIONS } from './audit-form.ts';
import { readRecord, tellRecord } from './audit-record.ts';
import { sessionAudits } from './schema.ts';

// When a session has ended, a model looks back on it once, as a whole. Its lessons are judged like all others. Where no
// model is set up, an agent may do so, if a person has it do so: audits-waiting.ts.

/** Queue of the sessions that a model looks back on. */
export const AUDIT_QUEUE: Queue = {
  name: 'audits',
  table: 'session_audits',
  columns: { attempts: 'attempts', runAfter: 'run_after', error: 'error' },
  open: sql`status = 'pending'`,
  leaseSeconds: 120,
  pauseSeconds: 30,
  maxAttempts: 3,
  dead: {
    is: sql`status = 'failed'`,
    bury: sql`status = 'failed', finished_at = now()`,
    revive: sql`status = 'pending', finished_at = null`,
    about: sql`'audit of a session that ended at ' || to_char(created_at, 'YYYY-MM-DD HH24:MI')`,
  },
};

/** A session without an error is looked back on only if it made at least this many tool calls. */
const MIN_CALLS = 10;
/** Most tokens of a request, instructions included, and of an answer. */
const MAX_INPUT = 12_000;
const MAX_OUTPUT = 2_000;
/** What passes by itself is waited for, and is no try. */
const PASSING: ReadonlySet<Fault> = new Set(['limited']);
const PUT_OFF_MS = 30 * 60_000;

/** How many sessions of a user wait for an agent, the newest. */
const MOST_WAITING = 20;

/** Leaves the sessions of a user that met errors to an agent, the newest of them, and forgets the others. */
async function leaveToAgents(tx: Tx): Promise<void> {
  await query(
    tx,
    sql`update session_audits a set status = 'waiting'
        where a.status = 'pending' and ${metError(sql`a.session_id`)}`,
  );
  await query(
    tx,
    sql`delete from session_audits
        where status = 'pending' or id in (
          select id from session_audits where status = 'waiting' order by created_at desc offset ${MOST_WAITING})`,
  );
}

type Services = {
  db: Database;
  embedder: Embedder;
  modelFor: ModelFor;
  log: Log;
  wake(worker: 'embed'): void;
};

/**
 * Asks for a session that has ended to be looked back on, if there is something to see: once, also when it goes on and
 * ends again.
 */
export async function queueAudit(
  tx: Tx,
  session: { id: string; projectId: string },
  { errors, calls }: { errors: number; calls: number },
): Promise<void> {
  if (errors === 0 && calls < MIN_CALLS) return;
  const values = { projectId: session.projectId, sessionId: session.id };
  await tx.insert(sessionAudits).values(values).onConflictDoNothing();
}

type Row = Leased & {
  session_id: string;
  project_id: string;
  tokens: number;
  answer: AuditAnswer | null;
  evaluated_by: string | null;
};

/**
 * Looks back on one waiting session of each user. Without a model, sessions are left to an agent: if one is set up later,
 * earlier sessions are not looked back on by it.
 *
 * @returns whether there may be more
 */
export async function auditPending(services: Services, signal: AbortSignal): Promise<boolean> {
  const { db, modelFor, embedder, log } = services;
  // without vectors, a near-duplicate of a stored lesson would not be noticed
  if (embedder.status().state === 'loading') return false;
  const users = sql`select lore.users_to_audit() as id`;
  const more = await forEachUser(db, users, { log, name: 'audit', signal }, async (userId) => {
    const claims: Claims = { userId, role: 'member' };
    if ((await modelFor(claims)) === null) {
      await asUser(db, claims, leaveToAgents);
      return false;
    }
    const [row] = await asUser(db, claims, (tx) =>
      leaseRows<Row>(tx, AUDIT_QUEUE, {
        rows: 1,
        // while the lessons of its turns wait to be judged, an audit waits too, because it must find them
        waiting: [sql`status = 'pending' and not ${waitsToBeJudged(sql`session_audits.session_id`)}`],
        order: sql`run_after, created_at`,
        returning: sql`session_id, project_id, tokens, answer, evaluated_by`,
      }),
    );
    if (!row) return true;
    await workOn({ db, claims, queue: AUDIT_QUEUE, log, signal }, [row], async (signal) => {
      const ask = await modelFor(claims, signal);
      if (ask === null) throw new Error('there is no model any more');
      await auditSession(services, ask, claims, row);
    });
    return true;
  });
  if (more) services.wake('embed');
  return more;
}

async function auditSession(services: Services, ask: AskModel, claims: Claims, row: Row): Promise<void> {
  const { db } = services;
  const change = (set: Partial<typeof sessionAudits.$inferInsert>) =>
    asUser(db, claims, (tx) => tx.update(sessionAudits).set(set).where(eq(sessionAudits.id, row.id)));
  try {
    const session = { id: row.session_id, projectId: row.project_id };
    const { errors, told } = await asUser(db, claims, (tx) => readRecord(tx, session), { readOnly: true });
    const prompt = tellRecord(told, MAX_INPUT - estimateTokens(INSTRUCTIONS));
    let found = row.answer && { answer: row.answer, evaluator: row.evaluated_by ?? 'audit' };
    if (!found) {
      const { answer, model, tokens } = await ask(claims, {
        purpose: 'audit',
        instructions: INSTRUCTIONS,
        prompt,
        form: Answer,
        maxOutputTokens: MAX_OUTPUT,
      });
      found = { answer: redactValue(answer), evaluator: `audit:${model}` };
      await change({ answer: found.answer, evaluatedBy: found.evaluator, tokens: row.tokens + tokens });
    }
    await keepLessons(
      services,
      claims,
      found.answer,
      { session, errors },
      { by: 'model', evaluator: found.evaluator },
    );
    await change({ status: 'done', error: null, finishedAt: new Date() });
  } catch (error) {
    if (!(error instanceof ModelUnavailable)) throw error;
    if (error.asked) {
      await change({ tokens: row.tokens + error.tokens });
      throw error;
    }
    const reason = reasonOf(error);
    services.log.warn({ audit: row.id, attempt: row.attempts, reason }, 'the model was not asked');
    const runAfter = new Date(Date.now() + PUT_OFF_MS);
    await change(
      PASSING.has(error.fault)
        ? { attempts: row.attempts - 1, runAfter, error: reason }
        : { status: 'done', reason, finishedAt: new Date() },
    );
  }
}

/** Keeps the lessons of an answer as all that is handed in, unless they hold for their task only. */
export async function keepLessons(
  services: { db: Database },
  claims: Claims,
  answer: AuditAnswer,
  { session, errors }: { session: { id: string; projectId: string }; errors: { id: string }[] },
  by: Pick<Giver, 'by' | 'evaluator'>,
): Promise<void> {
  const { id: sessionId, projectId } = session;
  const giver: Giver = { ...by, projectId, sessionId, agentId: null, event: 'audit' };
  for (const { error, lasting, ...lesson } of answer.learnings) {
    if (lasting !== 'lasting') continue;
    const incidentId = error === null ? null : (errors[error]?.id ?? null);
    await keepLesson(services, claims, { ...lesson, why: null, incidentId }, giver);
  }
}

/** Returns what a model found in a session; null if it was not asked. */
export async function auditOf(tx: Tx, sessionId: string) {
  const [row] = await tx.select().from(sessionAudits).where(eq(sessionAudits.sessionId, sessionId));
  if (!row) return null;
  const { status, answer, evaluatedBy, tokens, finishedAt } = row;
  return {
    ...{ status, evaluatedBy, tokens, reason: row.reason ?? row.error, finishedAt },
    verdict: answer?.verdict ?? null,
    errorsFound: answer?.errorsFound ?? [],
    recommendedNextSteps: answer?.recommendedNextSteps ?? [],
  };
}
