import { type SQL, sql } from 'drizzle-orm';
import { asUser, type Claims } from '../db/as-user.ts';
import type { Database, Tx } from '../db/open.ts';
import { query } from '../db/open.ts';
import type { Embedder } from '../embedding/embedder.ts';
import { loadIncident } from '../incidents/incidents.ts';
import { type Admission, FROM_NO_ERROR, type Provenance } from './admit.ts';
import { admitCandidate, discarded } from './admit-candidate.ts';
import type { Evidence } from './judge.ts';
import { FORCED } from './lasting.ts';
import { type Candidate, learningRequests } from './schema.ts';

/** A lesson that a model reports after it looked back on a session. */
export type Reported = {
  candidate: Candidate;
  lasting: 'lasting' | 'local' | 'doubtful';
  /**
   * a name in the lesson that the record does not contain, so the lesson must not be believed; null if there
   * is none
   */
  invented: string | null;
  /** the error of the session that it answers */
  incidentId: string | null;
  sessionId: string;
  projectId: string;
  /** id of the audit, and `audit:` with the model */
  audit: string;
  evaluator: string;
};

/**
 * Judges a reported lesson like any other, and stores the decision. If it was judged before, nothing changes.
 */
export async function admitReported(
  services: { db: Database; embedder: Embedder },
  claims: Claims,
  reported: Reported,
): Promise<void> {
  const { candidate, sessionId, projectId, audit, evaluator } = reported;
  const known = await asUser(services.db, claims, (tx) => wasJudged(tx, reported), { readOnly: true });
  if (known) return;
  const incident = await asUser(
    services.db,
    claims,
    async (tx) => (reported.incidentId === null ? null : await loadIncident(tx, reported.incidentId)),
    { readOnly: true },
  );
  const evidence: Evidence = incident?.resolution
    ? { kind: 'reported-resolved', audit, incident: incident.id }
    : { kind: 'reported', audit };
  const keep = (tx: Tx, decided: Admission) =>
    tx
      .insert(learningRequests)
      .values({
        projectId,
        sessionId,
        event: 'audit',
        status: 'done',
        attempts: 1,
        candidate,
        evidence,
        evaluator,
        finishedAt: new Date(),
        ...decided,
      })
      .then(() => {});
  const refusal =
    reported.invented !== null
      ? `it names ${reported.invented}, which the record does not hold`
      : reported.lasting === 'local'
        ? 'it does not transfer, says the model'
        : null;
  if (refusal !== null) return asUser(services.db, claims, (tx) => keep(tx, discarded(refusal)));
  const doubt = FORCED.test(candidate.lesson)
    ? 'it was forced'
    : reported.lasting === 'doubtful'
      ? 'the model doubts that it transfers'
      : null;
  const provenance: Provenance = {
    projectId,
    sessionId,
    agentId: incident?.agentId ?? null,
    ...(incident
      ? {
          incidentId: incident.id,
          error: incident.error,
          errorType: incident.errorType,
          signature: incident.signature,
          target: incident.target,
          branch: incident.branch,
        }
      : FROM_NO_ERROR),
    evaluator,
    why: null,
    doubt,
  };
  await admitCandidate(services, claims, candidate, evidence, provenance, keep);
}

async function wasJudged(tx: Tx, { sessionId, candidate }: Reported): Promise<boolean> {
  const rows = await query(
    tx,
    sql`select 1 from learning_requests
        where session_id = ${sessionId} and event = 'audit' and candidate ->> 'lesson' = ${candidate.lesson} limit 1`,
  );
  return rows.length > 0;
}

/** SQL condition: something that was captured in a session waits to be judged. */
export const waitsToBeJudged = (sessionId: SQL) =>
  sql`exists (select 1 from learning_requests r where r.session_id = ${sessionId} and r.status = 'pending')`;
