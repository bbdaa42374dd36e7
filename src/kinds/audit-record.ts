import { estimateTokens } from '../base/text/tokens.ts';
import { stoppedIn } from '../commands/stopped.ts';
import type { Tx } from '../db/open.ts';
import { errorsOfSession } from '../incidents/incidents.ts';
import type { SessionStep } from '../incidents/steps.ts';
import { toSteps } from '../incidents/to-steps.ts';
import { fixesFor } from '../learnings/rules.ts';
import { lessonsGiven } from '../offers/offers.ts';
import { sessionContext } from '../sessions/sessions.ts';
import { type Place, storyPiece } from '../sessions/story.ts';
import { clip } from '../shell/command-key.ts';

// The record of a session that a model looks back on. Everything in it was redacted when it was stored.

/** Most entries of a list that a model is told, the last ones. */
const MOST = 30;
export type SessionRecord = Awaited<ReturnType<typeof readRecord>>;

/**
 * Reads what a model is told about a session.
 *
 * @param as runs work in a transaction: a long session takes several
 */
export async function readRecord(
  as: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>,
  session: { id: string; projectId: string },
) {
  const calls: Record<string, number> = {};
  const said = { prompt: [] as string[], message: [] as string[] };
  let after: Place | null = null;
  do {
    const place: Place | null = after;
    const { steps, end }: { steps: SessionStep[]; end: Place | null } = await as(async (tx) => {
      const piece = await storyPiece(tx, session.id, null, place);
      return { steps: await toSteps(tx, session.id, piece.events), end: piece.end };
    });
    for (const step of steps) {
      if (step.kind === 'call') calls[step.tool] = (calls[step.tool] ?? 0) + 1;
      else said[step.kind === 'prompt' ? 'prompt' : 'message'].push(step.text);
    }
    after = end;
  } while (after !== null);
  return as(async (tx) => {
    const errors = await errorsOfSession(tx, session.id, MOST);
    const signatures = errors.map(({ signature }) => signature);
    return {
      session,
      about: { ...(await sessionContext(tx, session.id)), calls },
      prompts: said.prompt.slice(-MOST),
      messages: said.message.slice(-MOST),
      errors,
      stopped: await stoppedIn(tx, session.id, 10),
      given: await lessonsGiven(tx, session.id, 20),
      stored: (await fixesFor(tx, session.projectId, signatures)).map(({ lesson }) => lesson).slice(0, 20),
    };
  });
}

/** Returns the record as the model reads it, the errors numbered: as much of each text and list as fits. */
export function tellRecord(record: SessionRecord, mostTokens: number): string {
  let [length, entries] = [2000, MOST];
  for (;;) {
    const told = JSON.stringify(cut(record, length, entries), null, 1);
    if (estimateTokens(told) <= mostTokens || entries === 1) return told;
    if (length > 120) length = Math.floor(length / 2);
    else entries = Math.floor(entries / 2);
  }
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
            ...{ file, before: short(before), after: short(after) },
          })),
          worked: short(error.resolution.command),
          triedInVain: few(error.resolution.attempts).map(short),
          personSaid: short(error.resolution.said),
        },
      }),
    })),
    stoppedCalls: few(record.stopped).map(({ command, reason }) => ({
      ...{ command: short(command), reason: short(reason) },
    })),
    lessonsGiven: few(record.given).map(({ text, outcome }) => ({ text: short(text), outcome })),
    otherStoredLessons: few(record.stored).map(short),
  };
}
