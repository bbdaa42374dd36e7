import { asUser, type Claims } from '../db/as-user.ts';
import type { Database } from '../db/open.ts';
import type { Embedder } from '../embedding/embedder.ts';
import { FORCED } from '../fixes/fixes.ts';
import { type Admission, FROM_NO_ERROR, type Provenance } from '../learnings/admit.ts';
import type { Candidate } from '../learnings/candidate.ts';
import { mayBeEverywhere } from '../learnings/learnings.ts';
import { redactValue } from '../redaction/redact.ts';
import { projectNamed } from '../sessions/projects.ts';
import { admit } from './admit.ts';
import { guardLiterally, keyOf } from './guard-lesson.ts';

/** A lesson that a person or an agent states in words. */
export type StatedLesson = Candidate & {
  project: string;
  why?: string | undefined;
  /** name of the agent that states it; undefined for a person */
  agent?: string | undefined;
  everywhere?: boolean;
};

/**
 * Keeps a stated lesson. What a person states is active at once, whatever its form, and gets the guard that follows from
 * its words; what an agent states is only proposed. The text is redacted first. The project is created if
 * there is none of that name.
 */
export async function stateLesson(
  services: { db: Database; embedder: Embedder },
  claims: Claims,
  stated: StatedLesson,
): Promise<Admission> {
  const { project: name, agent, why, everywhere = false, ...candidate } = redactValue(stated);
  const evidence = { kind: 'stated' } as const;
  const evaluator = agent === undefined ? 'person' : 'agent';
  const words = candidate.lesson;
  return asUser(services.db, claims, async (tx) => {
    await mayBeEverywhere(tx, everywhere);
    const { id: projectId } = await projectNamed(tx, name);
    const provenance: Provenance = {
      ...{
        projectId,
        sessionId: null,
        agentId: agent ?? null,
        ...FROM_NO_ERROR,
        evaluator,
        why: why ?? null,
      },
      cause: agent === undefined ? 'said' : FORCED.test(words) ? 'forced' : 'proposed',
      sameKey: keyOf(words),
      everywhere,
    };
    const admission = await admit(tx, { candidate, evidence, provenance }, { event: 'api' });
    await guardLiterally(tx, admission.learningId);
    return admission;
  });
}
