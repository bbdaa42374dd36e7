import { asUser, type Claims } from '../db/as-user.ts';
import type { Tx } from '../db/open.ts';
import { FORCED } from '../fixes/fixes.ts';
import { keyOfWords } from '../guards/literal.ts';
import { type Admission, discarded, FROM_NO_ERROR, type Provenance } from '../learnings/admit.ts';
import { finishRequest } from '../learnings/requests.ts';
import { promptWith } from '../sessions/calls.ts';
import { sessionContext } from '../sessions/sessions.ts';
import { promptInTranscript } from '../sessions/transcript.ts';
import { admitCandidate, type Made } from './admit-candidate.ts';
import { guardLiterally } from './guard-lesson.ts';
import type { DistilRequest } from './request.ts';
import type { DistilServices } from './services.ts';

/** Returns where a person's rule comes from. */
export const saidBy = (
  about: Pick<Provenance, 'projectId' | 'sessionId'>,
  words: string,
  evaluator = 'person',
): Provenance => ({
  ...about,
  agentId: null,
  ...FROM_NO_ERROR,
  evaluator,
  why: null,
  cause: 'said',
  sameKey: keyOfWords(words),
});

/**
 * Judges what a person said to an agent. It is active at once, as a rule of the project, and what is literal in it
 * becomes its guard.
 */
export async function admitSaid(
  services: DistilServices,
  claims: Claims,
  request: Extract<DistilRequest, { kind: 'said' }>,
): Promise<void> {
  const { candidate, evidence, projectId, sessionId } = request;
  const finish = (tx: Tx, admission: Admission) =>
    finishRequest(tx, request.id, { candidate, evidence, evaluator: 'person', admission });
  if (!(await isTyped(services, claims, sessionId, evidence.words))) {
    const reason = 'no person typed it: the prompt does not stand in the transcript of its session';
    return asUser(services.db, claims, (tx) => finish(tx, discarded(reason)));
  }
  const made: Made = {
    candidate,
    evidence,
    provenance: saidBy({ projectId, sessionId }, evidence.words),
  };
  await admitCandidate(
    services,
    claims,
    async () => made,
    async (tx, admission) => {
      await finish(tx, admission);
      await guardLiterally(tx, admission.learningId);
    },
  );
}

/**
 * Returns whether a prompt with these words may be a person's: it stands in the session's transcript, or there is none
 * on this machine.
 */
async function isTyped(
  { db }: DistilServices,
  claims: Claims,
  sessionId: string | null,
  words: string,
): Promise<boolean> {
  if (claims.role !== 'owner' || sessionId === null) return true;
  const said = await asUser(db, claims, async (tx) => ({
    prompt: await promptWith(tx, sessionId, words),
    session: await sessionContext(tx, sessionId),
  }));
  const { prompt, session } = said;
  if (prompt === null || session.transcriptPath === null) return true;
  return (await promptInTranscript(session.transcriptPath, prompt.clientSessionId, prompt.text)) !== 'no';
}

/** Judges what a subagent reported at its end. */
export async function admitReport(
  services: DistilServices,
  claims: Claims,
  request: Extract<DistilRequest, { kind: 'reported' }>,
): Promise<void> {
  const { candidate, evidence, projectId, sessionId, agentId } = request;
  const provenance: Provenance = {
    projectId,
    sessionId,
    agentId,
    ...FROM_NO_ERROR,
    evaluator: 'agent',
    why: null,
    cause: FORCED.test(candidate.lesson) ? 'forced' : 'noticed',
    sameKey: '',
  };
  await admitCandidate(
    services,
    claims,
    async () => ({ candidate, evidence, provenance }),
    (tx, admission) => finishRequest(tx, request.id, { candidate, evidence, evaluator: 'agent', admission }),
  );
}
