import { lastingSentence } from '../asking/lasting.ts';
import { asUser, type Claims } from '../db/as-user.ts';
import type { Tx } from '../db/open.ts';
import { isEverywhere, type Said, saidIn } from '../language/standing.ts';
import { FROM_NO_ERROR } from '../learnings/admit.ts';
import { queueRequests, requestReading } from '../learnings/requests.ts';
import { isPersonsPrompt } from '../sessions/author.ts';
import { promptWith } from '../sessions/calls.ts';
import type { HookEvent } from '../sessions/hook-event.ts';
import { type Session, type SessionIds, sessionContext } from '../sessions/sessions.ts';
import { promptInTranscript } from '../sessions/transcript.ts';
import { admit } from './admit.ts';
import { guardLiterally, keyOf } from './guard-lesson.ts';
import { namedIn } from './in-record.ts';
import { QUIET_SECONDS } from './readings.ts';
import type { DistilServices, Waiting } from './services.ts';

// What a person says is kept to the letter: the sentences that begin with a word that lasts, and what follows “remember:”
// or “rule:”. What anything else means is known to the agent, who is asked, and to a model, if there is one.

/**
 * Queues what a person says in a prompt. It is judged when the turn has ended: until then nobody knows whether the agent
 * did as it was told.
 *
 * @returns how many were queued
 */
export async function hearPrompt(tx: Tx, session: Session, event: HookEvent): Promise<number> {
  const prompt = event.prompt ?? '';
  if (!isPersonsPrompt(event)) return 0;
  const queued = await queueSaid(tx, session, event.hook_event_name, saidIn(prompt), QUIET_SECONDS);
  if (queued > 0 || lastingSentence(prompt) !== null) await requestReading(tx, session, QUIET_SECONDS);
  return queued;
}

/** Queues what a person said that lasts. Returns how many requests were queued. */
export async function queueSaid(
  tx: Tx,
  { id: sessionId, projectId }: SessionIds,
  event: string,
  said: Said[],
  waits = 0,
): Promise<number> {
  const requests = said.map(({ words, stated }) => {
    const about = namedIn(words);
    const candidate = {
      lesson: words,
      context: 'What the person wants in this project',
      keywords: about,
      appliesTo: about.length > 0 ? about : ['project'],
      confidence: 0.9,
    };
    const stands = stated ? ('remember' as const) : ('standing' as const);
    return {
      projectId,
      sessionId,
      event,
      waits,
      candidate,
      evidence: { kind: 'said' as const, words, stands },
    };
  });
  return (await queueRequests(tx, requests)).length;
}

/**
 * Keeps what a person said to an agent. It is active at once, as a rule of the project. What is literal in it becomes its
 * guard, which asks until the person has answered, unless they stated it expressly.
 */
export async function admitSaid(
  services: DistilServices,
  claims: Claims,
  request: Waiting<'said'>,
): Promise<void> {
  const { id, candidate, evidence, projectId, sessionId } = request;
  const provenance = {
    ...{ projectId, sessionId, agentId: null, ...FROM_NO_ERROR, why: null },
    ...({ evaluator: 'person', cause: 'said', sameKey: keyOf(evidence.words) } as const),
    everywhere: isEverywhere(evidence.words),
  };
  const refused = (await isTyped(services, claims, sessionId, evidence.words))
    ? null
    : 'no person typed it: the prompt does not stand in the transcript of its session';
  await asUser(services.db, claims, async (tx) => {
    const { learningId } = await admit(tx, { candidate, evidence, provenance, refused }, { requestId: id });
    await guardLiterally(tx, learningId, evidence.stands === 'remember');
  });
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
  const [prompt, session] = await asUser(
    db,
    claims,
    async (tx) => [await promptWith(tx, sessionId, words), await sessionContext(tx, sessionId)] as const,
  );
  if (prompt === null || session.transcriptPath === null) return true;
  return (await promptInTranscript(session.transcriptPath, prompt.clientSessionId, prompt.text)) !== 'no';
}
