import { Problem } from '../../base/errors/problem.ts';
import { asUser, type Claims } from '../../db/as-user.ts';
import { indexable } from '../../db/columns.ts';
import type { Database, Tx } from '../../db/open.ts';
import { FORCED, namedIn } from '../../incidents/fixes/fixes.ts';
import { redactValue } from '../../redaction/redact.ts';
import { isPersonsPrompt } from '../../sessions/author.ts';
import { promptWith } from '../../sessions/calls.ts';
import type { HookEvent } from '../../sessions/hook-event.ts';
import { projectNamed } from '../../sessions/projects.ts';
import { type Session, type SessionIds, sessionOfId } from '../../sessions/sessions.ts';
import { promptInTranscript } from '../../sessions/transcript-person.ts';
import { admit, replaceOlder } from '../admit.ts';
import { lastingSentence } from '../asking/lasting.ts';
import type { Candidate, Evidence } from '../candidate.ts';
import { letDeny, putGuard } from '../guards/guards.ts';
import { literalGuard } from '../guards/literal.ts';
import { isEverywhere, type Said, saidIn } from '../language/stated-rules.ts';
import { lessonInForce, mayBeEverywhere } from '../learnings.ts';
import { QUIET_SECONDS, queueRequests, requestReading } from '../requests.ts';
import { moveLesson } from '../states.ts';
import type { DistilServices } from './ask-model.ts';

// What a person says is kept to the letter: what they state expressly, the sentences of a prompt that begin with a word
// that lasts, and what follows “remember:” or “rule:”. What anything else means is known to the agent, who is asked, and to
// a model, if there is one.

/** Returns the key that is the same for lessons that say the same: their words, in small letters. */
export const keyOf = (words: string): string =>
  indexable(
    words
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim(),
  );

/**
 * Gives a person's rule the guard that follows from what is literal in its words, if anything is. That of a sentence that
 * was heard in a session asks.
 *
 * @param confirmed whether the person has stated or approved these very words
 */
export async function guardLiterally(tx: Tx, learningId: string | null, confirmed = false): Promise<void> {
  const lesson = learningId === null ? null : await lessonInForce(tx, learningId);
  if (lesson === null || lesson.status !== 'active' || lesson.evaluatedBy !== 'person') return;
  const { projectId, lineageId, lesson: words, sourceSessionId } = lesson;
  const rule = literalGuard(words);
  if (rule === null) return;
  const said = sourceSessionId === null ? undefined : { sessionId: sourceSessionId };
  // what a person stated or worded anew belongs to no session
  const asks = said !== undefined && !confirmed;
  await putGuard(tx, { projectId, lineageId, rule, source: 'literal', asks, said });
  if (!asks) await replaceOlder(tx, learningId as string);
}

/** Gives a lesson that a person stated or approved its guard, and lets that deny what it asks about. */
async function confirmGuard(tx: Tx, id: string): Promise<void> {
  await guardLiterally(tx, id, true);
  const lesson = await lessonInForce(tx, id);
  if (lesson !== null) await letDeny(tx, lesson.lineageId);
}

/**
 * Makes a lesson active, because a person accepts it, and lets its guard deny what it asks about.
 *
 * @throws Problem (409) when the lesson has ended
 */
export async function approveLesson(tx: Tx, id: string): Promise<void> {
  const lesson = await lessonInForce(tx, id);
  const detail = 'It was rejected or replaced, so it cannot be approved. State it anew if it holds again.';
  if (lesson === null) throw new Problem({ status: 409, title: 'Lesson has ended', detail });
  await moveLesson(tx, id, 'approved', { sessionId: null, evaluator: 'person' });
  await confirmGuard(tx, id);
}

/** A lesson that a person or an agent states in words. */
export type StatedLesson = Candidate & {
  project: string;
  why?: string | undefined;
  /** name of the agent that states it; undefined for a person */
  agent?: string | undefined;
  everywhere: boolean;
};

/**
 * Keeps a stated lesson. What a person states is active at once, whatever its form, and gets the guard that follows from
 * its words; what an agent states is only proposed. The text is redacted first. The project is created if
 * there is none of that name.
 */
export function stateLesson(db: Database, claims: Claims, stated: StatedLesson) {
  const { project: name, agent, why = null, everywhere, ...candidate } = redactValue(stated);
  const words = candidate.lesson;
  const byPerson = agent === undefined;
  return asUser(db, claims, async (tx) => {
    await mayBeEverywhere(tx, everywhere);
    const { id: projectId } = await projectNamed(tx, name);
    const provenance = {
      ...{ projectId, sessionId: null, agentId: agent ?? null, why, everywhere },
      evaluator: byPerson ? 'person' : 'agent',
      cause: byPerson ? ('said' as const) : FORCED.test(words) ? ('forced' as const) : ('proposed' as const),
      sameKey: keyOf(words),
    };
    const made = { candidate, evidence: { kind: 'stated' as const }, provenance };
    const admission = await admit(tx, made, { event: 'api' });
    if (byPerson && admission.learningId) await confirmGuard(tx, admission.learningId);
    return admission;
  });
}

/**
 * Queues what a person says in a prompt. It is judged when the turn has ended: until then the client may not have written
 * the prompt into its own record.
 *
 * @returns how many were queued
 */
export async function hearPrompt(tx: Tx, session: Session, event: HookEvent): Promise<number> {
  const prompt = event.prompt ?? '';
  if (!isPersonsPrompt(event)) return 0;
  const queued = await queueSaid(tx, session, event.hook_event_name, saidIn(prompt), QUIET_SECONDS);
  if (queued > 0 || lastingSentence(prompt) !== null) await requestReading(tx, session);
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
      appliesTo: about,
      confidence: 0.9,
    };
    const stands = stated ? ('remember' as const) : ('standing' as const);
    const evidence = { kind: 'said' as const, words, stands };
    return { projectId, sessionId, event, waits, candidate, evidence };
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
  request: { id: string; projectId: string; sessionId: string | null } & {
    candidate: Candidate;
    evidence: Extract<Evidence, { kind: 'said' }>;
  },
): Promise<void> {
  const { id, candidate, evidence, projectId, sessionId } = request;
  const provenance = {
    ...{ projectId, sessionId, agentId: null, why: null },
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

/** Whether a prompt with these words may be a person's: it stands in the session's transcript, or none is on this machine. */
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
    async (tx) => [await promptWith(tx, sessionId, words), await sessionOfId(tx, sessionId)] as const,
  );
  if (prompt === undefined || !session?.transcriptPath) return true;
  return (await promptInTranscript(session.transcriptPath, prompt.clientSessionId, prompt.text)) !== 'no';
}
