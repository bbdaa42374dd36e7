import { asUser, type Claims } from '../db/as-user.ts';
import type { Database, Tx } from '../db/open.ts';
import { type Admission, admit, type Provenance } from '../learnings/admit.ts';
import type { Candidate, Evidence } from '../learnings/candidate.ts';

/** A candidate with what proves it and where it comes from. */
export type Made = { candidate: Candidate; evidence: Evidence; provenance: Provenance };

/**
 * Keeps a candidate, in one transaction: a crash cannot count it twice.
 *
 * @param read makes the candidate; null if there is nothing to keep, which it has recorded itself
 * @param record stores the decision
 */
export const admitCandidate = (
  { db }: { db: Database },
  claims: Claims,
  read: (tx: Tx) => Promise<Made | null>,
  record: (tx: Tx, admission: Admission, made: Made) => Promise<void>,
): Promise<Admission | null> =>
  asUser(db, claims, async (tx) => {
    const made = await read(tx);
    if (made === null) return null;
    const admission = await admit(tx, made.candidate, made.evidence, made.provenance);
    await record(tx, admission, made);
    return admission;
  });
