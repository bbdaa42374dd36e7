import type { Tx } from '../db/open.ts';
import { literalGuard } from '../guards/literal.ts';
import { namesIn } from '../language/names.ts';
import { saidIn, statementsIn } from '../language/read-prompt.ts';
import type { Statement } from '../language/sentence.ts';
import type { Candidate } from '../learnings/candidate.ts';
import type { Evidence } from '../learnings/judge.ts';
import { queueRequests, requestReading } from '../learnings/requests.ts';
import { isPersonsPrompt } from '../sessions/author.ts';
import type { HookEvent } from '../sessions/hook-event.ts';
import type { Session } from '../sessions/sessions.ts';
import { type EarlierCall, turnBefore } from '../sessions/story.ts';
import { filesTouched } from '../shell/tool-target.ts';
import { clip } from '../text/clip.ts';
import { queueTold } from './admit-told.ts';
import { QUIET_SECONDS } from './readings.ts';

// What a person says about the work counts more than anything that rules can observe. It is kept to the letter, and only
// if its words show that it lasts. Everything else is left to a model, if there is one.

/** Longest prompt that is read, in characters. Longer ones are mostly pasted text. */
const MAX_PROMPT = 6_000;
/** Most deeds of the turn before that are looked at, to know what a correction is about. */
const MAX_DID = 20;
/** A prompt that states more than this at once is a document, and not a person's correction. */
const MAX_STATEMENTS = 8;

const NOTHING_BEFORE = { first: false, before: null, did: [] };

/** Returns whether a person states something in a prompt that a model may find to be lasting. */
export const statesSomething = (prompt: string): boolean =>
  prompt.length <= MAX_PROMPT && statementsIn(prompt, NOTHING_BEFORE).length > 0;

/**
 * Queues what a person says in a prompt as candidates, one for each sentence that stands by its words. They are judged
 * when the turn has ended: until then nobody knows whether the agent did as it was told.
 *
 * @returns how many were queued
 */
export async function hearPrompt(tx: Tx, session: Session, event: HookEvent, at: Date): Promise<number> {
  const prompt = event.prompt ?? '';
  if (prompt.length > MAX_PROMPT || !isPersonsPrompt(event)) return 0;
  const context = await contextOf(tx, session, prompt, at);
  const { statements, facts: told } = saidIn(prompt, context);
  const standing = statements.filter(({ stands }) => stands !== null).slice(0, MAX_STATEMENTS);
  const queued = await queueSaid(tx, session, event.hook_event_name, standing);
  await queueTold(tx, session, event.hook_event_name, told);
  if (statements.length > 0) await requestReading(tx, session, QUIET_SECONDS);
  return queued + told.length;
}

/**
 * Queues statements of a person that stand. A decision in plain words becomes a decision, and besides a rule if a call
 * could break it.
 *
 * @returns how many requests were queued
 */
export async function queueSaid(
  tx: Tx,
  session: { id: string; projectId: string },
  event: string,
  statements: Statement[],
  waits = QUIET_SECONDS,
): Promise<number> {
  const requests = statements.flatMap((statement) => {
    const { words, stands, decision } = statement;
    const about = {
      projectId: session.projectId,
      sessionId: session.id,
      event,
      candidate: candidateOf(words),
      waits,
    };
    const said = { kind: 'said', words, stands } as const;
    const rule = decision === null || literalGuard(statement) !== null ? [{ ...about, evidence: said }] : [];
    const decided: Evidence[] = decision === null ? [] : [{ ...said, decision }];
    return [...rule, ...decided.map((evidence) => ({ ...about, evidence }))];
  });
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

/** Returns what happened before a prompt and may be meant by its words. */
async function contextOf(tx: Tx, session: Session, text: string, at: Date) {
  const { first, said, deeds } = await turnBefore(tx, session.id, { text, at }, MAX_DID);
  return { first, before: said, did: deeds.flatMap(didIn) };
}

function didIn({ tool, input }: EarlierCall): string[] {
  if (typeof input.command === 'string') return [clip(input.command, 300)];
  return filesTouched(tool, input).map((file) => `${tool === 'Write' ? 'write' : 'edit'} ${file}`);
}
