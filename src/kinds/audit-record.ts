import { clip } from '../base/text/clip.ts';
import { estimateTokens } from '../base/text/tokens.ts';
import { stoppedIn } from '../commands/stopped.ts';
import type { Tx } from '../db/open.ts';
import { errorsOfSession } from '../incidents/incidents.ts';
import { fixesFor } from '../learnings/rules.ts';
import { lessonsGiven } from '../offers/offers.ts';
import { sessionContext } from '../sessions/sessions.ts';
import { workEvents } from '../sessions/story.ts';

// The record of a session that a model looks back on. Everything in it was redacted when it was stored.

/** Most entries of a list that a model is told, the last ones. */
const MOST = 30;

/** Reads what a model is told about a session; the errors in the order of their numbers. */
export async function readRecord(tx: Tx, session: { id: string; projectId: string }) {
  const events = await workEvents(tx, session.id, null);
  const calls: Record<string, number> = {};
  for (const { event, tool } of events)
    if (event.startsWith('PostToolUse') && tool !== null) calls[tool] = (calls[tool] ?? 0) + 1;
  const errors = await errorsOfSession(tx, session.id, MOST);
  const signatures = errors.map(({ signature }) => signature);
  const { task, branch } = await sessionContext(tx, session.id);
  const told = {
    ...{ task, branch, calls },
    prompts: events.flatMap(({ prompt }) => prompt ?? []).slice(-MOST),
    messages: events.flatMap(({ said }) => said ?? []).slice(-MOST),
    errors: errors.map(({ tool, input, target, error, status, resolution }, n) => ({
      ...{ n, tool, call: typeof input.command === 'string' ? input.command : target, error, status },
      ...(resolution && {
        resolvedBy: {
          ...{ commands: resolution.commands, edits: resolution.edits, worked: resolution.command },
          ...{ triedInVain: resolution.attempts, personSaid: resolution.said },
        },
      }),
    })),
    stoppedCalls: (await stoppedIn(tx, session.id, 10)).map(({ command, reason }) => ({ command, reason })),
    lessonsGiven: await lessonsGiven(tx, session.id, 20),
    otherStoredLessons: (await fixesFor(tx, session.projectId, signatures))
      .map(({ lesson }) => lesson)
      .slice(0, 20),
  };
  return { errors, told };
}

/** Returns what is told of a session as the model reads it: as much of each text and list as fits. */
export function tellRecord(told: object, mostTokens: number): string {
  for (let [length, entries] = [2000, MOST]; ; ) {
    const text = JSON.stringify(told, (_, value) => shorter(value, length, entries), 1);
    if (estimateTokens(text) <= mostTokens || entries === 1) return text;
    if (length > 120) length = Math.floor(length / 2);
    else entries = Math.floor(entries / 2);
  }
}

function shorter(value: unknown, length: number, entries: number): unknown {
  if (typeof value === 'string') return clip(value, length);
  return Array.isArray(value) ? value.slice(-entries) : value;
}
