import type { HookEvent } from '../sessions/hook-event.ts';
import { offerAfterCall, recordCall } from './after-call.ts';
import { judgeCommand, recordDenial } from './before-call.ts';
import { endSession, endSubagent, endTurn } from './end.ts';
import { offerForPrompt } from './prompt.ts';
import { offerAtStart } from './session-start.ts';
import type { Moment } from './types.ts';

/**
 * What each hook event means to Lore: what is recorded beside it, what it settles, what is put before the agent, what
 * else is answered, and whether it may be answered before it is stored. An event that is not named here is stored
 * behind an empty answer.
 */
const MOMENTS: Record<string, Moment> = {
  SessionStart: { stored: 'before', recovers: true, offer: offerAtStart },
  UserPromptSubmit: { stored: 'behind', offer: offerForPrompt },
  PreToolUse: { stored: 'behind', answer: judgeCommand, record: recordDenial },
  PostToolUse: { stored: 'behind', offer: offerAfterCall, record: recordCall },
  PostToolUseFailure: { stored: 'behind', offer: offerAfterCall, record: recordCall },
  // what was offered before is forgotten, which the next answer must know
  PostCompact: { stored: 'before' },
  SubagentStop: { stored: 'behind', settle: endSubagent },
  Stop: { stored: 'behind', settle: endTurn },
  SessionEnd: { stored: 'behind', settle: endSession },
};

const UNKNOWN: Moment = { stored: 'behind' };

/** Returns what an event means; the name comes from the client, so only own names of the table count. */
export const momentOf = ({ hook_event_name: name }: HookEvent): Moment =>
  (Object.hasOwn(MOMENTS, name) ? MOMENTS[name] : undefined) ?? UNKNOWN;
