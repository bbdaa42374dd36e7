import { z } from '@hono/zod-openapi';
import { and, asc, eq, sql } from 'drizzle-orm';
import type { Log } from '../base/log.ts';
import { clip } from '../base/text/clip.ts';
import { theOne } from '../base/text/short-id.ts';
import { estimateTokens } from '../base/text/tokens.ts';
import { stoppedIn } from '../commands/stopped.ts';
import { asUser, type Claims } from '../db/as-user.ts';
import { NO_PROJECT } from '../db/columns.ts';
import { type Database, query, type Tx } from '../db/open.ts';
import { type Leased, leaseRows, type Queue, reasonOf, workOn } from '../db/queue.ts';
import { forEachUser } from '../db/system.ts';
import { served } from '../http/serve.ts';
import { errorsOfSession } from '../incidents/incidents.ts';
import { type Giver, keepLesson } from '../learnings/distil/hand-in.ts';
import { waitsToBeJudged } from '../learnings/requests.ts';
import { fixesFor } from '../learnings/rules.ts';
import { type AskModel, ModelUnavailable } from '../llm/ask.ts';
import type { ModelFor } from '../llm/choose.ts';
import { lessonsGiven } from '../offers/offers.ts';
import { redactValue } from '../redaction/redact.ts';
import type { Embedder } from '../search/embedding/embedder.ts';
import { findProject, ProjectName } from '../sessions/projects.ts';
import { sessionOfId } from '../sessions/sessions.ts';
import { workEvents } from '../sessions/story.ts';
import { Answer, type AuditAnswer, INSTRUCTIONS } from './audit-form.ts';
import { sessionAudits } from './schema.ts';
import { storableText } from './values.ts';

// When a session has ended, a model looks back on it once, as a whole. Its lessons are judged like all others. Where no
// model is set up, ended sessions wait for an agent to do so, if a person has it do so.

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
const PUT_OFF_MS = 30 * 60_000;

/** How many sessions of a user wait for an agent, the newest. */
const MOST_WAITING = 20;

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
      await asUser(db, claims, (tx) => query(tx)`select leave_audits_to_agents(${MOST_WAITING}::int)`);
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
    const by = { by: 'model', evaluator: found.evaluator } as const;
    await keepLessons(db, claims, found.answer, { session, errors }, by);
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
    // what passes by itself is waited for, and is no try
    await change(
      error.fault === 'limited'
        ? { attempts: row.attempts - 1, runAfter, error: reason }
        : { status: 'done', reason, finishedAt: new Date() },
    );
  }
}

/** Keeps the lessons of an answer as all that is handed in, unless they hold for their task only. */
async function keepLessons(
  db: Database,
  claims: Claims,
  answer: AuditAnswer,
  { session, errors }: { session: { id: string; projectId: string }; errors: { id: string }[] },
  by: Pick<Giver, 'by' | 'evaluator'>,
): Promise<void> {
  const of = { sessionId: session.id, projectId: session.projectId, agentId: null, event: 'audit' };
  for (const { error, lasting, ...lesson } of answer.learnings) {
    if (lasting !== 'lasting') continue;
    const incidentId = error === null ? null : (errors[error]?.id ?? null);
    await keepLesson({ db }, claims, { ...lesson, why: null, incidentId }, { ...by, ...of });
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

/** Most entries of a list that a model is told, the last ones. */
const MOST = 30;

/** Reads what a model is told about a session, all redacted when it was stored; the errors in the order of their numbers. */
async function readRecord(tx: Tx, session: { id: string; projectId: string }) {
  const events = await workEvents(tx, session.id, null);
  const calls: Record<string, number> = {};
  for (const { event, tool } of events)
    if (event.startsWith('PostToolUse') && tool !== null) calls[tool] = (calls[tool] ?? 0) + 1;
  const errors = await errorsOfSession(tx, session.id, MOST);
  const signatures = errors.map(({ signature }) => signature);
  const { task = null, branch = null } = (await sessionOfId(tx, session.id)) ?? {};
  const told = {
    ...{ task, branch, calls },
    prompts: events.flatMap(({ prompt }) => prompt ?? []).slice(-MOST),
    messages: events.flatMap(({ said }) => said ?? []).slice(-MOST),
    errors: errors.map(({ tool, input, target, error, status, resolution }, n) => ({
      ...{ n, tool, call: typeof input.command === 'string' ? input.command : target, error, status },
      ...(resolution && {
        resolvedBy: {
          ...{ commands: resolution.commands, edits: resolution.edits, worked: resolution.command },
          ...{ triedInVain: resolution.attempts, personSaid: resolution.said },
        },
      }),
    })),
    stoppedCalls: (await stoppedIn(tx, session.id, 10)).map(({ command, reason }) => ({ command, reason })),
    lessonsGiven: await lessonsGiven(tx, session.id, 20),
    otherStoredLessons: (await fixesFor(tx, session.projectId, signatures))
      .map(({ lesson }) => lesson)
      .slice(0, 20),
  };
  return { errors, told };
}

/** Returns what is told of a session as the model reads it: as much of each text and list as fits. */
function tellRecord(told: object, mostTokens: number): string {
  for (let [length, entries] = [2000, MOST]; ; ) {
    const shorter = (_: string, value: unknown) =>
      typeof value === 'string' ? clip(value, length) : Array.isArray(value) ? value.slice(-entries) : value;
    const text = JSON.stringify(told, shorter, 1);
    if (estimateTokens(text) <= mostTokens || entries === 1) return text;
    if (length > 120) length = Math.floor(length / 2);
    else entries = Math.floor(entries / 2);
  }
}

/** Most tokens of a record that an agent reads: its client may cut what is longer. */
const MAX_TOLD = 8_000;
const isWaiting = eq(sessionAudits.status, 'waiting');
const waitsIn = (projectId: string | undefined) =>
  and(isWaiting, projectId === undefined ? undefined : eq(sessionAudits.projectId, projectId));

/** Returns how many sessions wait for an agent, in a project or in all. */
const countWaiting = (tx: Tx, projectId: string | undefined): Promise<number> =>
  tx.$count(sessionAudits, waitsIn(projectId));

/** The session that has waited longest, what is asked about it, and what happened in it, redacted. */
const Next = z.object({
  id: z.string(),
  instructions: z.string(),
  record: z.record(z.string(), z.unknown()),
});
/** `waiting`: how many sessions wait to be looked back on by an agent */
const Waiting = z.object({ waiting: z.number().int(), next: Next.nullable() }).openapi('WaitingAudits');

/** The routes by which agents look back on sessions where no model is set up. */
export const auditRoutes = served((route, { db }: { db: Database }) => {
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
      const found = project && ((await as((tx) => findProject(tx, project)))?.id ?? NO_PROJECT);
      const waiting = await as((tx) => countWaiting(tx, found));
      const row = await waitingRow(caller, waitsIn(found));
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
      wakes: ['embed'],
      problems: { 404: 'No such session waits' },
    },
    async ({ as, caller, params: { id }, body: { agent, ...given } }) => {
      const waits = and(eq(sessionAudits.id, id), isWaiting);
      const row = await waitingRow(caller, waits);
      if (row === null) return theOne<never>([], 'audit', id);
      const [answer, evaluatedBy] = [redactValue(given), `agent:${agent}`];
      await keepLessons(db, caller, answer, row, { by: 'agent', evaluator: evaluatedBy });
      const done = { status: 'done', answer, evaluatedBy, finishedAt: new Date() } as const;
      await as((tx) => tx.update(sessionAudits).set(done).where(waits));
      return { waiting: await as((tx) => countWaiting(tx, undefined)) };
    },
  );
});
