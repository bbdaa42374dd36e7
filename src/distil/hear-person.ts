import type { Tx } from '../db/open.ts';
import { namesIn } from '../language/names.ts';
import { mayLast, type Said, saidIn } from '../language/read-prompt.ts';
import type { Candidate, Evidence } from '../learnings/candidate.ts';
import { queueRequests, requestReading } from '../learnings/requests.ts';
import { isPersonsPrompt } from '../sessions/author.ts';
import type { HookEvent } from '../sessions/hook-event.ts';
import type { Session } from '../sessions/sessions.ts';
import { queueTold } from './admit-told.ts';
import { QUIET_SECONDS } from './readings.ts';

// What a person says about the work counts more than anything that rules can observe. It is kept to the letter, and only
// if it begins with a word that lasts. Everything else is left to a model, if there is one.

/**
 * Queues what a person says in a prompt as candidates: the sentences that begin with a word that lasts, what they ask to
 * be remembered, decisions and facts. They are judged when the turn has ended: until then nobody knows whether the agent
 * did as it was told.
 *
 * @returns how many were queued
 */
export async function hearPrompt(tx: Tx, session: Session, event: HookEvent): Promise<number> {
  const prompt = event.prompt ?? '';
  if (!isPersonsPrompt(event)) return 0;
  const said = saidIn(prompt);
  const queued = await queueSaid(tx, session, event.hook_event_name, said);
  await queueTold(tx, session, event.hook_event_name, said.facts);
  if (queued > 0 || mayLast(prompt)) await requestReading(tx, session, QUIET_SECONDS);
  return queued + said.facts.length;
}

/**
 * Queues what a person said that lasts.
 *
 * @returns how many requests were queued
 */
export async function queueSaid(
  tx: Tx,
  session: { id: string; projectId: string },
  event: string,
  { rules, remember, decisions }: Pick<Said, 'rules' | 'remember' | 'decisions'>,
  waits = QUIET_SECONDS,
): Promise<number> {
  const about = { projectId: session.projectId, sessionId: session.id, event, waits };
  const requestOf = (evidence: Extract<Evidence, { kind: 'said' }>) => ({
    ...about,
    candidate: candidateOf(evidence.words),
    evidence,
  });
  const requests = [
    ...rules.map((words) => requestOf({ kind: 'said', words, stands: 'standing' })),
    ...remember.map((words) => requestOf({ kind: 'said', words, stands: 'remember' })),
    ...decisions.map(({ words, decision }) => requestOf({ kind: 'said', words, stands: null, decision })),
  ];
  return (await queueRequests(tx, requests)).length;
}

/** Returns the candidate of a person's sentence: the sentence itself, to the letter. */
export function candidateOf(words: string): Candidate {
  const about = namesIn(words);
  return {
    lesson: words,
    context: 'What the person wants in this project',
    keywords: about,
    appliesTo: about.length > 0 ? about : ['project'],
    confidence: 0.9,
  };
}
