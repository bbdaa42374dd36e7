import { isDeepStrictEqual } from 'node:util';
import { eq, sql } from 'drizzle-orm';
import { asUser, type Claims } from '../db/as-user.ts';
import type { Database, Tx } from '../db/open.ts';
import { failRow, type Leased, leaseRows, type Queue, reasonOf } from '../db/queue.ts';
import { userIds } from '../db/system.ts';
import type { Embedder } from '../embedding/embedder.ts';
import {
  type LoadedIncident,
  loadIncident,
  type Resolution,
  sawErrorBefore,
} from '../incidents/incidents.ts';
import { filesWritten } from '../incidents/read-session.ts';
import { ModelUnavailable } from '../llm/call-gemini.ts';
import type { AskModel } from '../llm/gemini.ts';
import type { Log } from '../log.ts';
import { redactValue } from '../redaction/redact.ts';
import { assistantWords } from '../sessions/transcript.ts';
import { type Admission, admit, compare, findNeighbours, type Provenance } from './admit.ts';
import type { Evidence } from './judge.ts';
import { isLasting, type Question } from './lasting.ts';
import { readSession, TURN } from './readings.ts';
import { type Candidate, learningRequests } from './schema.ts';
import { evidenceOf, type Written, writeByModel, writeByRules } from './write-lesson.ts';

export type DistilServices = {
  db: Database;
  embedder: Embedder;
  /** null if there is no API key; then plain rules write the lessons */
  ask: AskModel | null;
  log: Log;
  /** the account whose transcripts are on this machine */
  ownerId: string | null;
  wake(worker: 'embed'): void;
};

/** Queue of the candidate lessons that wait to be judged. */
export const DISTIL_QUEUE: Queue = {
  name: 'lessons',
  table: 'learning_requests',
  columns: { attempts: 'attempts', runAfter: 'run_after', error: 'error' },
  leaseSeconds: 120,
  pauseSeconds: 10,
  maxAttempts: 5,
  dead: {
    is: sql`status = 'failed'`,
    bury: sql`status = 'failed', finished_at = now()`,
    revive: sql`status = 'pending', finished_at = null`,
    about: sql`'candidate of ' || event || ' at ' || to_char(created_at, 'YYYY-MM-DD HH24:MI')`,
  },
};

/** The client's file tools. Their own errors ("read it first") say nothing about the project. */
const FILE_TOOLS = new Set(['Read', 'Edit', 'Write', 'MultiEdit', 'NotebookEdit', 'Glob', 'Grep']);

/**
 * Takes one waiting request per user, writes its lesson and judges it.
 *
 * @returns whether there may be more
 */
export async function distilPending(services: DistilServices): Promise<boolean> {
  // judged without vectors, a near-duplicate of a stored lesson would not be noticed
  if (services.embedder.status().state === 'loading') return false;
  const users = await userIds(services.db, sql`select lore.users_to_distil() as id`);
  for (const userId of users) {
    const claims: Claims = { userId, role: userId === services.ownerId ? 'owner' : 'member' };
    const request = await asUser(services.db, claims, leaseRequest);
    if (request) await distilRequest(services, claims, request);
  }
  if (users.length > 0) services.wake('embed');
  return users.length > 0;
}

type Request = Leased & {
  event: string;
  project_id: string;
  session_id: string | null;
  incident_id: string | null;
  evidence: (Parameters<typeof readSession>[1]['evidence'] & { kind?: never }) | Said | null;
  candidate: Candidate | null;
};

type Said = Extract<Evidence, { kind: 'said' }>;

async function leaseRequest(tx: Tx): Promise<Request | undefined> {
  const [request] = await leaseRows<Request>(tx, DISTIL_QUEUE, {
    rows: 1,
    waiting: [sql`status = 'pending'`],
    order: sql`run_after, created_at`,
    returning: sql`event, project_id, session_id, incident_id, evidence, candidate`,
  });
  return request;
}

async function distilRequest(services: DistilServices, claims: Claims, request: Request): Promise<void> {
  const { db } = services;
  try {
    const { event, session_id: sessionId, project_id: projectId, incident_id: incidentId } = request;
    if (event === TURN && sessionId !== null) {
      const evidence = request.evidence?.kind === undefined ? request.evidence : null;
      const turn = { id: request.id, evidence };
      return await asUser(db, claims, (tx) => readSession(tx, turn, { id: sessionId, projectId }));
    }
    if (request.candidate !== null && request.evidence?.kind === 'said') {
      return await judgeSaid(services, claims, request, request.candidate, request.evidence);
    }
    const asked = await asUser(db, claims, (tx) => questionOf(tx, incidentId ?? ''));
    if (!asked) throw new Error('the incident has no resolution');
    const { incident, resolution, question } = asked;
    const evidence = evidenceOf(resolution);
    const discard = (evaluator: string, reason: string) =>
      asUser(db, claims, (tx) =>
        finish(tx, request.id, null, evidence, evaluator, {
          decision: 'discarded',
          reason,
          score: 0,
          learningId: null,
        }),
      );
    if (FILE_TOOLS.has(incident.toolName)) {
      return await discard('rules', "an error of the client's own file tool, not of the project");
    }
    const { verdict, reason } = isLasting(question);
    if (verdict === 'local') return await discard('rules', `it does not transfer: ${reason}`);
    const { written, evaluator, note } = await write(services, claims, incident, resolution, evidence);
    if (written === null) return await discard(evaluator, 'the model found nothing to learn from it');
    const doubt = verdict === 'doubtful' ? reason : null;
    await judgeAndStore(services, claims, request.id, {
      written,
      evaluator,
      note,
      incident,
      evidence,
      doubt,
    });
  } catch (error) {
    const reason = reasonOf(error);
    services.log.warn({ request: request.id, attempt: request.attempts, reason }, 'distilling failed');
    await asUser(db, claims, (tx) => failRow(tx, DISTIL_QUEUE, request, reason));
  }
}

/** Judges what a person said to an agent. What may hold for one task only waits for review. */
async function judgeSaid(
  services: DistilServices,
  claims: Claims,
  request: Request,
  candidate: Candidate,
  evidence: Said,
): Promise<void> {
  const provenance: Provenance = {
    projectId: request.project_id,
    sessionId: request.session_id,
    agentId: null,
    incidentId: null,
    evaluator: 'person',
    error: null,
    errorType: null,
    signature: null,
    target: null,
    branch: null,
    why: `the person said: “${evidence.words}”`,
    doubt: evidence.doubtful ? 'the person may have meant this task only' : null,
  };
  await admitCandidate(services, claims, candidate, evidence, provenance, (tx, admission) =>
    finish(tx, request.id, candidate, evidence, 'person', admission),
  );
}

/** Returns an incident with what decides whether its lesson transfers; null if it is gone or has no resolution. */
async function questionOf(
  tx: Tx,
  id: string,
): Promise<{ incident: LoadedIncident; resolution: Resolution; question: Question } | null> {
  const incident = await loadIncident(tx, id);
  if (!incident?.resolution) return null;
  const { resolution } = incident;
  const question = {
    tool: incident.toolName,
    command: incident.command,
    error: incident.error,
    errorType: incident.errorType,
    resolution,
    ownFiles: await filesWritten(tx, incident.sessionId, incident.openedAt),
    seenBefore: await sawErrorBefore(tx, incident),
  };
  return { incident, resolution, question };
}

/**
 * Returns the lesson as the model writes it, or as the rules write it if the model cannot; the record then says why.
 */
async function write(
  services: DistilServices,
  claims: Claims,
  incident: LoadedIncident,
  resolution: Resolution,
  evidence: Evidence,
): Promise<{ written: Written | null; evaluator: string; note: string | null }> {
  const byRules = (note: string | null) => ({
    written: writeByRules(incident, resolution),
    evaluator: 'rules',
    note,
  });
  // without evidence the candidate is refused anyway, so it is not worth a model call
  if (services.ask === null || evidence.kind === 'none') return byRules(null);
  try {
    const excerpt =
      claims.role === 'owner' && incident.transcriptPath && incident.resolvedAt
        ? await assistantWords(incident.transcriptPath, incident.openedAt, incident.resolvedAt)
        : '';
    const { written, model } = await writeByModel(services.ask, claims, incident, resolution, excerpt);
    return { written: written && redactValue(written), evaluator: model, note: null };
  } catch (error) {
    if (!(error instanceof ModelUnavailable)) throw error;
    services.log.warn({ reason: error.message }, 'no model for this lesson; written by rules');
    return byRules(error.message);
  }
}

async function judgeAndStore(
  services: DistilServices,
  claims: Claims,
  requestId: string,
  made: {
    written: Written;
    evaluator: string;
    note: string | null;
    incident: LoadedIncident;
    evidence: Evidence;
    doubt: string | null;
  },
): Promise<void> {
  const { incident, written, evidence, doubt } = made;
  const { why, ...candidate } = written;
  const provenance: Provenance = {
    projectId: incident.projectId,
    sessionId: incident.sessionId,
    agentId: incident.agentId,
    incidentId: incident.id,
    evaluator: made.evaluator,
    error: incident.error,
    errorType: incident.errorType,
    signature: incident.signature,
    target: incident.target,
    branch: incident.branch,
    why,
    doubt,
  };
  await admitCandidate(services, claims, candidate, evidence, provenance, (tx, admission) =>
    finish(tx, requestId, candidate, evidence, made.evaluator, {
      ...admission,
      reason: made.note ? `${admission.reason}; ${made.note}` : admission.reason,
    }),
  );
}

/**
 * Judges a candidate against the similar lessons of its project and carries out the decision. The comparison runs
 * outside any transaction, because it may call the embedding model. `record` stores the decision in the transaction
 * that carries it out, so that a crash cannot count a candidate twice. A project admits one candidate at a time; if the
 * neighbours changed since the comparison, it is compared again.
 */
export async function admitCandidate(
  services: Pick<DistilServices, 'db' | 'embedder'>,
  claims: Claims,
  candidate: Candidate,
  evidence: Evidence,
  provenance: Provenance,
  record: (tx: Tx, admission: Admission) => Promise<void>,
): Promise<Admission> {
  const neighbours = (tx: Tx) => findNeighbours(tx, provenance.projectId, candidate, provenance.signature);
  for (;;) {
    const found = await asUser(services.db, claims, neighbours);
    const compared = await compare(services.embedder, claims.userId, candidate.lesson, found);
    const admission = await asUser(services.db, claims, async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${provenance.projectId}, 0))`);
      if (!isDeepStrictEqual(await neighbours(tx), found)) return null;
      const decided = await admit(tx, candidate, evidence, provenance, compared);
      await record(tx, decided);
      return decided;
    });
    if (admission) return admission;
  }
}

async function finish(
  tx: Tx,
  requestId: string,
  candidate: Candidate | null,
  evidence: Evidence,
  evaluator: string,
  admission: Admission,
): Promise<void> {
  const kept = await tx
    .update(learningRequests)
    .set({
      status: 'done',
      candidate,
      evidence,
      evaluator,
      ...admission,
      error: null,
      finishedAt: new Date(),
    })
    .where(eq(learningRequests.id, requestId))
    .returning({ id: learningRequests.id });
  // so that nothing is learned from it
  if (kept.length === 0) throw new Error('the evidence was erased meanwhile');
}
