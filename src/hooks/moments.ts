import { hearPrompt } from '../learnings/hear-person.ts';
import type { HookEvent } from '../sessions/hook-event.ts';
import { offerAfterCall, recordCall } from './after-call.ts';
import { judgeCommand, recordDenial } from './before-call.ts';
import { endSession, endSubagent, endTurn } from './end.ts';
import { noticeCompaction, noticeStart } from './known-sessions.ts';
import { offerForPrompt } from './prompt.ts';
import { offerAtStart } from './session-start.ts';
import type { Moment } from './types.ts';

/**
 * What each hook event means to Lore: what the server notices in memory, what is recorded beside the event, what it
 * settles, what is offered to the agent, and what else is answered. Every event may be answered before it is stored,
 * because the journal keeps it. An event that is not listed here gets an empty answer. To handle another event, add a
 * row.
 */
const MOMENTS: Record<string, Moment> = {
  SessionStart: { recovers: true, notice: noticeStart, offer: offerAtStart },
  UserPromptSubmit: { offer: offerForPrompt, settle: hearPrompt },
  PreToolUse: { answer: judgeCommand, record: recordDenial },
  PostToolUse: { offer: offerAfterCall, record: recordCall },
  PostToolUseFailure: { offer: offerAfterCall, record: recordCall },
  PostCompact: { notice: noticeCompaction },
  SubagentStop: { settle: endSubagent },
  Stop: { settle: endTurn },
  SessionEnd: { settle: endSession },
};

const UNKNOWN: Moment = {};

/**
 * Returns what an event means. The name comes from the client, so inherited names such as `constructor` do not count.
 */
export const momentOf = ({ hook_event_name: name }: HookEvent): Moment =>
  (Object.hasOwn(MOMENTS, name) ? MOMENTS[name] : undefined) ?? UNKNOWN;
