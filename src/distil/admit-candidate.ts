import { isDeepStrictEqual } from 'node:util';
import { sql } from 'drizzle-orm';
import { asUser, type Claims } from '../db/as-user.ts';
import type { Database, Tx } from '../db/open.ts';
import type { Embedder } from '../embedding/embedder.ts';
import {
  type Admission,
  admit,
  compare,
  findNeighbours,
  type Neighbour,
  type Provenance,
} from '../learnings/admit.ts';
import type { Candidate } from '../learnings/candidate.ts';
import type { Evidence } from '../learnings/judge.ts';

/** A candidate with what proves it and where it comes from. */
export type Made = { candidate: Candidate; evidence: Evidence; provenance: Provenance };

/** Each try fails only because another candidate was admitted; more at once are not worked on. */
const MAX_TRIES = 50;

/** The decision on a candidate that is not worth a comparison. */
export const discarded = (reason: string): Admission => ({
  decision: 'discarded',
  reason,
  score: 0,
  learningId: null,
});

/**
 * Judges a candidate against the similar lessons of its project and carries out the decision: one transaction reads, and
 * one decides. The comparison runs between the two, because it may call the embedding model. `record` stores the decision
 * in the transaction that carries it out, so that a crash cannot count a candidate twice. A project admits one candidate
 * at a time; if the neighbours changed since they were read, the candidate is compared again.
 *
 * @param read makes the candidate; null if there is nothing to judge, which it has recorded itself
 */
export async function admitCandidate(
  services: { db: Database; embedder: Embedder },
  claims: Claims,
  read: (tx: Tx) => Promise<Made | null>,
  record: (tx: Tx, admission: Admission, made: Made) => Promise<void>,
): Promise<Admission | null> {
  const { db, embedder } = services;
  const neighbours = (tx: Tx, { candidate, provenance }: Made) => findNeighbours(tx, candidate, provenance);
  let [made, found] = await asUser(db, claims, async (tx): Promise<[Made | null, Neighbour[]]> => {
    const first = await read(tx);
    return [first, first === null ? [] : await neighbours(tx, first)];
  });
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    if (made === null) return null;
    const one: Made = made;
    const compared = await compare(embedder, claims.userId, one.candidate.lesson, found);
    const decided = await asUser(db, claims, async (tx): Promise<Admission | Neighbour[]> => {
      await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${one.provenance.projectId}, 0))`);
      const now = await neighbours(tx, one);
      if (!isDeepStrictEqual(now, found)) return now;
      const admission = await admit(tx, one.candidate, one.evidence, one.provenance, compared);
      await record(tx, admission, one);
      return admission;
    });
    if (!Array.isArray(decided)) return decided;
    [made, found] = [one, decided];
  }
  throw new Error('the lessons near a candidate changed at each try to admit it');
}
