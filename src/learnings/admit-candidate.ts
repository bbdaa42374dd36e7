import { isDeepStrictEqual } from 'node:util';
import { and, eq, sql } from 'drizzle-orm';
import { asUser, type Claims } from '../db/as-user.ts';
import type { Database, Tx } from '../db/open.ts';
import type { Embedder } from '../embedding/embedder.ts';
import type { LoadedIncident } from '../incidents/incidents.ts';
import type { AskModel } from '../llm/gemini.ts';
import type { Log } from '../log.ts';
import { type Admission, admit, compare, findNeighbours, type Provenance } from './admit.ts';
import type { Evidence } from './judge.ts';
import { type Candidate, learningRequests } from './schema.ts';
import type { Written } from './write-lesson.ts';

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

/** The decision on a candidate that is not worth a comparison. */
export const discarded = (reason: string): Admission => ({
  decision: 'discarded',
  reason,
  score: 0,
  learningId: null,
});

/** Judges the lesson of an incident and stores the decision in its request. */
export async function judgeAndStore(
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

/**
 * Stores how a request was decided. Throws if its evidence was erased meanwhile, or if another worker has decided it, so
 * that nothing is learned from it, or twice.
 */
export async function finish(
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
    .where(and(eq(learningRequests.id, requestId), eq(learningRequests.status, 'pending')))
    .returning({ id: learningRequests.id });
  if (kept.length === 0) throw new Error('the evidence was erased, or judged by another worker, meanwhile');
}
