import { asUser, type Claims } from '../db/as-user.ts';
import type { Database, Tx } from '../db/open.ts';
import { type Admission, admit as admitHere, discarded, type Provenance } from '../learnings/admit.ts';
import type { Candidate, Evidence } from '../learnings/candidate.ts';

/** A candidate with what it rests on and where it comes from. `refused`: why it is not kept. */
export type Made = {
  candidate: Candidate;
  evidence: Evidence;
  provenance: Provenance;
  refused?: string | null;
};

/**
 * Admits what an agent, a model, a person or code made, all by the same way, in one transaction: a crash cannot count it
 * twice.
 *
 * @param read makes the candidate
 * @param record stores the decision
 */
export const admit = (
  { db }: { db: Database },
  claims: Claims,
  read: (tx: Tx) => Promise<Made>,
  record: (tx: Tx, admission: Admission, made: Made) => Promise<void>,
): Promise<Admission> =>
  asUser(db, claims, async (tx) => {
    const made = await read(tx);
    const { candidate, evidence, provenance, refused } = made;
    const admission = refused ? discarded(refused) : await admitHere(tx, candidate, evidence, provenance);
    await record(tx, admission, made);
    return admission;
  });
