import { sql } from 'drizzle-orm';
import { asUser, type Claims } from '../db/as-user.ts';
import type { Tx } from '../db/open.ts';
import { failRow, type Leased, leaseRows, type Queue, reasonOf } from '../db/queue.ts';
import { forEachUser } from '../db/system.ts';
import {
  type LoadedIncident,
  loadIncident,
  type Resolution,
  sawErrorBefore,
} from '../incidents/incidents.ts';
import { filesWritten } from '../incidents/read-session.ts';
import { FROM_NO_ERROR, type Provenance } from './admit.ts';
import { admitCandidate, type DistilServices, discarded, finish, judgeAndStore } from './admit-candidate.ts';
import { admitDecision } from './admit-decision.ts';
import { admitTold } from './admit-told.ts';
import type { Evidence } from './judge.ts';
import { FORCED, isLasting, type Question } from './lasting.ts';
import { readTurn } from './read-turn.ts';
import { TURN } from './readings.ts';
import type { Candidate } from './schema.ts';
import { evidenceOf, writeByRules } from './write-lesson.ts';

/** Queue of the candidate lessons that wait to be judged. */
export const DISTIL_QUEUE: Queue = {
  name: 'lessons',
  table: 'learning_requests',
  columns: { attempts: 'attempts', runAfter: 'run_after', error: 'error' },
  open: sql`status = 'pending'`,
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
  // without vectors, a near-duplicate of a stored lesson would not be noticed
  if (services.embedder.status().state === 'loading') return false;
  const { db, log } = services;
  const users = sql`select lore.users_to_distil() as id`;
  const more = await forEachUser(db, users, { log, name: 'distil' }, async (userId) => {
    const claims: Claims = { userId, role: userId === services.ownerId ? 'owner' : 'member' };
    const request = await asUser(db, claims, leaseRequest);
    if (request) await distilRequest(services, claims, request);
    return true;
  });
  if (more) services.wake('embed');
  return more;
}

type Request = Leased & {
  event: string;
  project_id: string;
  session_id: string | null;
  incident_id: string | null;
  agent_id: string | null;
  evidence: { kind?: undefined } | Said | Told | Noted | Reported | null;
  candidate: Candidate | null;
  /** why the rules write it, if a model was asked first */
  reason: string | null;
};

type Said = Extract<Evidence, { kind: 'said' }>;
type Told = Extract<Evidence, { kind: 'told' }>;
type Reported = Extract<Evidence, { kind: 'reported' }>;
type Noted = Extract<Evidence, { kind: 'noted' }>;

async function leaseRequest(tx: Tx): Promise<Request | undefined> {
  const [request] = await leaseRows<Request>(tx, DISTIL_QUEUE, {
    rows: 1,
    waiting: [sql`status = 'pending'`],
    order: sql`run_after, created_at`,
    returning: sql`event, project_id, session_id, incident_id, agent_id, evidence, candidate, reason`,
  });
  return request;
}

async function distilRequest(services: DistilServices, claims: Claims, request: Request): Promise<void> {
  const { db } = services;
  try {
    const { event, session_id: sessionId, project_id: projectId, incident_id: incidentId } = request;
    if (event === TURN && sessionId !== null) {
      return await readTurn(services, claims, request.id, { id: sessionId, projectId });
    }
    const { candidate, evidence: given } = request;
    if (candidate !== null && given?.kind === 'noted') {
      return await admitDecision(services, claims, request, candidate, given);
    }
    if (candidate !== null && given?.kind === 'told') {
      return await admitTold(services, claims, request, candidate, given);
    }
    if (candidate !== null && given?.kind === 'said') {
      const admitted = given.decision ? admitDecision : judgeSaid;
      return await admitted(services, claims, request, candidate, given);
    }
    if (candidate !== null && given?.kind === 'reported') {
      return await judgeReported(services, claims, request, candidate);
    }
    const asked = await asUser(db, claims, (tx) => questionOf(tx, incidentId ?? ''));
    if (!asked) throw new Error('the incident has no resolution');
    const { incident, resolution, question } = asked;
    const evidence = evidenceOf(resolution);
    const discard = (reason: string) =>
      asUser(db, claims, (tx) => finish(tx, request.id, null, evidence, 'rules', discarded(reason)));
    if (FILE_TOOLS.has(incident.toolName)) {
      return await discard("an error of the client's own file tool, not of the project");
    }
    const { verdict, reason } = isLasting(question);
    if (verdict === 'local') return await discard(`it does not transfer: ${reason}`);
    const doubt = verdict === 'doubtful' ? reason : null;
    await judgeAndStore(services, claims, request.id, {
      written: writeByRules(incident, resolution),
      evaluator: 'rules',
      note: request.reason,
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

/** Judges what a person said to an agent. If it may hold for one task only, it waits for review. */
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
    ...FROM_NO_ERROR,
    evaluator: 'person',
    why: `the person said: “${evidence.words}”`,
    doubt: evidence.doubtful ? 'the person may have meant this task only' : null,
  };
  await admitCandidate(services, claims, candidate, evidence, provenance, (tx, admission) =>
    finish(tx, request.id, candidate, evidence, 'person', admission),
  );
}

/** Judges what a subagent reported at its end. */
async function judgeReported(
  services: DistilServices,
  claims: Claims,
  request: Request,
  candidate: Candidate,
): Promise<void> {
  const evidence = { kind: 'reported' } as const;
  const provenance: Provenance = {
    projectId: request.project_id,
    sessionId: request.session_id,
    agentId: request.agent_id,
    ...FROM_NO_ERROR,
    evaluator: 'agent',
    why: null,
    doubt: FORCED.test(candidate.lesson) ? 'it was forced' : null,
  };
  await admitCandidate(services, claims, candidate, evidence, provenance, (tx, admission) =>
    finish(tx, request.id, candidate, evidence, 'agent', admission),
  );
}

/**
 * Returns an incident, and what decides whether its lesson transfers. Null if it is gone or has no
 * resolution.
 */
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
