import { eq, sql } from 'drizzle-orm';
import { asUser, type Claims } from '../db/as-user.ts';
import type { Database, Tx } from '../db/open.ts';
import { type Leased, leaseRows, type Queue, reasonOf, workOn } from '../db/queue.ts';
import { forEachUser } from '../db/system.ts';
import { abortable, type Embedder } from '../embedding/embedder.ts';
import { waitsToBeJudged } from '../learnings/requests.ts';
import { type AskModel, type Fault, ModelUnavailable } from '../llm/ask.ts';
import type { ModelFor } from '../llm/choose.ts';
import type { Log } from '../log.ts';
import { redactValue } from '../redaction/redact.ts';
import { estimateTokens } from '../text/tokens.ts';
import { admitOne } from './answer.ts';
import { Answer, type AuditAnswer, INSTRUCTIONS } from './form.ts';
import { readRecord, tellRecord } from './record.ts';
import { sessionAudits } from './schema.ts';
import { leaveToAgents } from './waiting.ts';

// When a session has ended, a model looks back on it once, as a whole. (The reading of turns saw each turn by
// itself.) The model's lessons are judged like all others.

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
/** Most tokens of a request, instructions included. */
const MAX_INPUT = 12_000;
const MAX_OUTPUT = 2_000;
/** Most tokens that one session may cost in all its tries. A try that could exceed it is not made. */
const MAX_SESSION_TOKENS = MAX_INPUT + MAX_OUTPUT;
/** What passes by itself is waited for, and is no try. */
const PASSING: ReadonlySet<Fault> = new Set(['limited']);
const PUT_OFF_MS = 30 * 60_000;

export type AuditServices = {
  db: Database;
  embedder: Embedder;
  /** the sessions of a user without a model wait for an agent */
  modelFor: ModelFor;
  log: Log;
  wake(worker: 'embed'): void;
};

/**
 * Asks for a session that has ended to be looked back on, if there is something to see. A session is looked back on
 * once, also when it goes on and ends again.
 */
export async function queueAudit(
  tx: Tx,
  session: { id: string; projectId: string },
  { errors, calls }: { errors: number; calls: number },
): Promise<void> {
  if (errors === 0 && calls < MIN_CALLS) return;
  await tx
    .insert(sessionAudits)
    .values({ projectId: session.projectId, sessionId: session.id })
    .onConflictDoNothing();
}

type Row = Leased & {
  session_id: string;
  project_id: string;
  tokens: number;
  answer: AuditAnswer | null;
  evaluated_by: string | null;
};

/**
 * Looks back on one waiting session of each user. Without a model, sessions are left to an agent: if a key is set later,
 * earlier sessions are not looked back on by it.
 *
 * @returns whether there may be more
 */
export async function auditPending(services: AuditServices, signal: AbortSignal): Promise<boolean> {
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
    const row = await asUser(db, claims, lease);
    if (!row) return true;
    await workOn({ db, claims, queue: AUDIT_QUEUE, log, signal }, [row], async (signal) => {
      const ask = await modelFor(claims, signal);
      if (ask === null) throw new Error('there is no model any more');
      await auditSession({ ...services, embedder: abortable(embedder, signal) }, ask, claims, row);
    });
    return true;
  });
  if (more) services.wake('embed');
  return more;
}

async function lease(tx: Tx): Promise<Row | undefined> {
  const [row] = await leaseRows<Row>(tx, AUDIT_QUEUE, {
    rows: 1,
    // while the lessons of its turns wait to be judged, an audit waits too, because it must find them
    waiting: [sql`status = 'pending' and not ${waitsToBeJudged(sql`session_audits.session_id`)}`],
    order: sql`run_after, created_at`,
    returning: sql`session_id, project_id, tokens, answer, evaluated_by`,
  });
  return row;
}

async function auditSession(services: AuditServices, ask: AskModel, claims: Claims, row: Row): Promise<void> {
  const { db } = services;
  const change = (set: Partial<typeof sessionAudits.$inferInsert>) =>
    asUser(db, claims, (tx) => tx.update(sessionAudits).set(set).where(eq(sessionAudits.id, row.id)));
  try {
    const session = { id: row.session_id, projectId: row.project_id };
    const record = await readRecord((work) => asUser(db, claims, work, { readOnly: true }), session);
    const prompt = tellRecord(record, MAX_INPUT - estimateTokens(INSTRUCTIONS));
    let found = row.answer && { answer: row.answer, evaluator: row.evaluated_by ?? 'audit' };
    if (!found) {
      const most = estimateTokens(INSTRUCTIONS + prompt) + MAX_OUTPUT;
      if (row.tokens + most > MAX_SESSION_TOKENS) {
        const reason = `another try would pass the ${MAX_SESSION_TOKENS} tokens that a session may cost`;
        await change({ status: 'done', reason, finishedAt: new Date() });
        return;
      }
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
    for (const learning of found.answer.learnings) {
      await admitOne(services, claims, learning, record, { by: 'model', evaluator: found.evaluator });
    }
    await change({ status: 'done', error: null, finishedAt: new Date() });
  } catch (error) {
    if (error instanceof ModelUnavailable && !error.asked) {
      const reason = reasonOf(error);
      services.log.warn({ audit: row.id, attempt: row.attempts, reason }, 'the model was not asked');
      if (PASSING.has(error.fault)) {
        const runAfter = new Date(Date.now() + PUT_OFF_MS);
        await change({ attempts: row.attempts - 1, runAfter, error: reason });
        return;
      }
      await change({ status: 'done', reason, finishedAt: new Date() });
      return;
    }
    if (error instanceof ModelUnavailable) await change({ tokens: row.tokens + error.tokens });
    throw error;
  }
}

/** Returns what a model found in a session; null if it was not asked. */
export async function auditOf(tx: Tx, sessionId: string) {
  const [row] = await tx
    .select({
      status: sessionAudits.status,
      answer: sessionAudits.answer,
      evaluatedBy: sessionAudits.evaluatedBy,
      tokens: sessionAudits.tokens,
      reason: sql<string | null>`coalesce(${sessionAudits.reason}, ${sessionAudits.error})`,
      finishedAt: sessionAudits.finishedAt,
    })
    .from(sessionAudits)
    .where(eq(sessionAudits.sessionId, sessionId));
  if (!row) return null;
  const { answer, ...about } = row;
  return {
    ...about,
    verdict: answer?.verdict ?? null,
    errorsFound: answer?.errorsFound ?? [],
    recommendedNextSteps: answer?.recommendedNextSteps ?? [],
  };
}
