import type { HookEvent } from '../sessions/hook-event.ts';
import { offerAfterCall, recordCall } from './after-call.ts';
import { judgeCommand, recordDenial } from './before-call.ts';
import { endSession, endSubagent, endTurn } from './end.ts';
import { offerForPrompt } from './prompt.ts';
import { offerAtStart } from './session-start.ts';
import type { Moment } from './types.ts';

/**
 * What each hook event means to Lore: what is recorded beside it, what it settles, what is offered to the agent, what
 * else is answered, and whether the event may be answered before it is stored. An event that is not listed here gets an
 * empty answer and is stored after it. To handle another event, add a row.
 */
const MOMENTS: Record<string, Moment> = {
  SessionStart: { stored: 'before', recovers: true, offer: offerAtStart },
  UserPromptSubmit: { stored: 'behind', offer: offerForPrompt },
  PreToolUse: { stored: 'behind', answer: judgeCommand, record: recordDenial },
  PostToolUse: { stored: 'behind', offer: offerAfterCall, record: recordCall },
  PostToolUseFailure: { stored: 'behind', offer: offerAfterCall, record: recordCall },
  // after this event the agent has forgotten the earlier offers, and the next answer must know that
  PostCompact: { stored: 'before' },
  SubagentStop: { stored: 'behind', settle: endSubagent },
  Stop: { stored: 'behind', settle: endTurn },
  SessionEnd: { stored: 'behind', settle: endSession },
};

const UNKNOWN: Moment = { stored: 'behind' };

/**
 * Returns what an event means. The name comes from the client, so inherited names such as `constructor` do not count.
 */
export const momentOf = ({ hook_event_name: name }: HookEvent): Moment =>
  (Object.hasOwn(MOMENTS, name) ? MOMENTS[name] : undefined) ?? UNKNOWN;
