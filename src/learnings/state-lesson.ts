import { asUser, type Claims } from '../db/as-user.ts';
import type { Database } from '../db/open.ts';
import type { Embedder } from '../embedding/embedder.ts';
import { redactValue } from '../redaction/redact.ts';
import { projectNamed } from '../sessions/projects.ts';
import { type Admission, FROM_NO_ERROR } from './admit.ts';
import { admitCandidate } from './admit-candidate.ts';
import { type Candidate, learningRequests } from './schema.ts';

/** A lesson that a person or an agent states in words. */
export type StatedLesson = Candidate & {
  project: string;
  why?: string | undefined;
  /** name of the agent that states it; undefined for a person */
  agent?: string | undefined;
};

/**
 * Judges a stated lesson like a learned one and stores the verdict. The text is redacted first. The project is created
 * if there is none of that name.
 */
export async function stateLesson(
  services: { db: Database; embedder: Embedder },
  claims: Claims,
  stated: StatedLesson,
): Promise<Admission> {
  const { project: name, agent, why, ...candidate } = redactValue(stated);
  const project = await asUser(services.db, claims, (tx) => projectNamed(tx, name));
  const evidence = { kind: 'stated' } as const;
  const provenance = {
    projectId: project.id,
    sessionId: null,
    agentId: agent ?? null,
    ...FROM_NO_ERROR,
    evaluator: 'person',
    why: why ?? null,
    doubt: null,
  };
  return admitCandidate(services, claims, candidate, evidence, provenance, async (tx, decided) => {
    await tx.insert(learningRequests).values({
      projectId: project.id,
      event: 'api',
      status: 'done',
      attempts: 1,
      candidate,
      evidence,
      evaluator: 'person',
      agentId: agent ?? null,
      finishedAt: new Date(),
      ...decided,
    });
  });
}
