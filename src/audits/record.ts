import { type StoppedCall, stoppedIn } from '../commands/stopped.ts';
import type { Tx } from '../db/open.ts';
import { errorsOfSession } from '../incidents/incidents.ts';
import type { SessionStep } from '../incidents/steps.ts';
import { toSteps } from '../incidents/to-steps.ts';
import { fixesFor } from '../learnings/rules.ts';
import { lessonsGiven } from '../offers/offers.ts';
import { sessionContext } from '../sessions/sessions.ts';
import { type Place, storyPiece } from '../sessions/story.ts';
import { clip } from '../shell/command-key.ts';
import { estimateTokens } from '../text/tokens.ts';

// The record of a session that a model looks back on. Everything in it was redacted when it was stored.

const MAX_ERRORS = 30;
const MAX_STOPPED = 10;
const MAX_LESSONS = 20;
/** The first of these with which the whole fits counts: the longest text, and how many of each list, the last ones. */
const CUTS = [
  [2000, 30],
  [1000, 30],
  [500, 30],
  [250, 30],
  [120, 20],
  [120, 10],
  [120, 5],
  [120, 2],
  [60, 1],
] as const;

type SessionError = Awaited<ReturnType<typeof errorsOfSession>>[number];

export type SessionRecord = {
  session: { id: string; projectId: string };
  about: { branch: string | null; task: string | null; calls: Record<string, number> };
  prompts: string[];
  messages: string[];
  errors: SessionError[];
  stopped: StoppedCall[];
  given: { text: string; outcome: string | null }[];
  stored: string[];
};

/** Most prompts and messages of a session that a model may be told, the last ones. */
const MAX_SAID = 30;

/**
 * Reads what a model is told about a session.
 *
 * @param as runs work in a transaction: a long session takes several
 */
export async function readRecord(
  as: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>,
  session: { id: string; projectId: string },
): Promise<SessionRecord> {
  const calls: Record<string, number> = {};
  let prompts: string[] = [];
  let messages: string[] = [];
  let after: Place | null = null;
  do {
    const place: Place | null = after;
    const { steps, end }: { steps: SessionStep[]; end: Place | null } = await as(async (tx) => {
      const piece = await storyPiece(tx, session.id, null, place);
      return { steps: await toSteps(tx, session.id, piece.events), end: piece.end };
    });
    for (const step of steps) {
      if (step.kind === 'call') calls[step.tool] = (calls[step.tool] ?? 0) + 1;
      else (step.kind === 'prompt' ? prompts : messages).push(step.text);
    }
    [prompts, messages] = [prompts.slice(-MAX_SAID), messages.slice(-MAX_SAID)];
    after = end;
  } while (after !== null);
  return as(async (tx) => {
    const errors = await errorsOfSession(tx, session.id, MAX_ERRORS);
    const { branch, task } = await sessionContext(tx, session.id);
    const signatures = errors.map(({ signature }) => signature);
    return {
      session,
      about: { branch, task, calls },
      prompts,
      messages,
      errors,
      stopped: await stoppedIn(tx, session.id, MAX_STOPPED),
      given: await lessonsGiven(tx, session.id, MAX_LESSONS),
      stored: (await fixesFor(tx, session.projectId, signatures))
        .map(({ lesson }) => lesson)
        .slice(0, MAX_LESSONS),
    };
  });
}

/** Returns the record as the model reads it: at most so many tokens, the errors numbered. */
export function tellRecord(record: SessionRecord, mostTokens: number): string {
  const texts = CUTS.map(
    ([length, entries]) =>
      () =>
        JSON.stringify(cut(record, length, entries), null, 1),
  );
  const fitting = texts.find((text) => estimateTokens(text()) <= mostTokens);
  return (fitting ?? (texts.at(-1) as () => string))();
}

function cut(record: SessionRecord, length: number, entries: number): object {
  const short = (text: string | null) => (text === null ? null : clip(text, length));
  const few = <T>(list: T[]) => list.slice(-entries);
  return {
    task: short(record.about.task),
    branch: record.about.branch,
    calls: record.about.calls,
    prompts: few(record.prompts).map(short),
    messages: few(record.messages).map(short),
    errors: few(record.errors.map((error, n) => ({ n, error }))).map(({ n, error }) => ({
      n,
      tool: error.tool,
      call: short(typeof error.input.command === 'string' ? error.input.command : error.target),
      error: short(error.error),
      status: error.status,
      ...(error.resolution && {
        resolvedBy: {
          commands: few(error.resolution.commands).map(short),
          edits: few(error.resolution.edits).map(({ file, before, after }) => ({
            file,
            before: short(before),
            after: short(after),
          })),
          worked: short(error.resolution.command),
          triedInVain: few(error.resolution.attempts).map(short),
          personSaid: short(error.resolution.said),
        },
      }),
    })),
    stoppedCalls: few(record.stopped).map(({ command, reason }) => ({
      command: short(command),
      reason: short(reason),
    })),
    lessonsGiven: few(record.given).map(({ text, outcome }) => ({ text: short(text), outcome })),
    otherStoredLessons: few(record.stored).map(short),
  };
}
