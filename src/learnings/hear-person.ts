import type { Tx } from '../db/open.ts';
import { sessionEvents } from '../sessions/calls.ts';
import { type HookEvent, isNotification } from '../sessions/hook-event.ts';
import type { Session } from '../sessions/sessions.ts';
import { clip, filesTouched } from '../shell/command-key.ts';
import { queueTold, SAID_OF_PROJECT } from './admit-told.ts';
import { readWhenQuiet } from './readings.ts';
import { type Candidate, learningRequests } from './schema.ts';
import { heardIn, type Statement, statementsIn } from './statements/statements.ts';

// What a person says about the project counts more than anything that rules can observe. "No, use pnpm here" becomes a
// lesson at once, with the person's words as evidence; "we decided to use pnpm" becomes a decision.

/** Longest prompt that is read, in characters. Longer ones are mostly pasted text. */
const MAX_PROMPT = 6_000;
/** Most deeds of the turn before that are looked at, to know what "that" in a prompt means. */
const MAX_DID = 20;

/** Returns what a person expressly asked to be kept in mind. */
export const askedToRemember = (prompt: string): Statement[] =>
  prompt.length > MAX_PROMPT || isNotification(prompt)
    ? []
    : statementsIn(prompt, { first: false, before: null, did: [] }).filter(({ asked }) => asked);

/**
 * Queues what a person says in a prompt as candidates: corrections, standing instructions and facts of the project
 * become lessons, what is said as a decision becomes one, and facts and relations in plain words are stated too.
 *
 * @returns how many were queued
 */
export async function hearPrompt(tx: Tx, session: Session, event: HookEvent): Promise<number> {
  const prompt = event.prompt ?? '';
  if (prompt.length > MAX_PROMPT || isNotification(prompt)) return 0;
  const context = await contextOf(tx, session, prompt);
  const { said, told } = heardIn(prompt, context);
  for (const statement of said) {
    await tx.insert(learningRequests).values({
      projectId: session.projectId,
      sessionId: session.id,
      event: event.hook_event_name,
      candidate: toCandidate(statement),
      evidence: {
        kind: 'said',
        words: statement.words,
        doubtful: statement.verdict === 'doubtful',
        ...(statement.decision && { decision: statement.decision }),
      },
    });
  }
  await queueTold(tx, session, event.hook_event_name, told);
  // a model, if there is one, reads the session later: what was said, and what came of it
  if (said.length > 0) await readWhenQuiet(tx, session);
  return said.length + told.length;
}

/** Returns what happened before a prompt and may be meant by its words. */
async function contextOf(tx: Tx, session: Session, prompt: string) {
  const events = (await sessionEvents(tx, session.id, null)).map(({ event }) => event);
  const now = events.findLastIndex((event) => event.prompt === prompt);
  const earlier = now < 0 ? events : events.slice(0, now);
  const prompts = earlier.flatMap((event, i) => (event.hook_event_name === 'UserPromptSubmit' ? [i] : []));
  const turn = earlier.slice(prompts.at(-1) ?? 0);
  return {
    first: prompts.length === 0,
    before: earlier.findLast((event) => event.hook_event_name === 'Stop')?.last_assistant_message ?? null,
    did: turn.flatMap(didIn).slice(-MAX_DID),
  };
}

function didIn(event: HookEvent): string[] {
  if (!event.hook_event_name.startsWith('PostToolUse')) return [];
  const tool = event.tool_name ?? '';
  const command = event.tool_input?.command;
  if (tool === 'Bash') return typeof command === 'string' ? [clip(command, 300)] : [];
  return filesTouched(tool, event.tool_input).map((file) => `${tool === 'Write' ? 'write' : 'edit'} ${file}`);
}

const toCandidate = ({ lesson, kind, about }: Pick<Statement, 'lesson' | 'kind' | 'about'>): Candidate => ({
  lesson,
  context: kind === 'preference' ? 'What the person wants in this project' : SAID_OF_PROJECT,
  keywords: about,
  appliesTo: about.length > 0 ? about : ['project'],
  confidence: 0.9,
});
