import { WORKING_STATE_TOKENS } from '../compaction/working-state.ts';
import { hearPrompt } from '../learnings/hear-person.ts';
import type { HookEvent } from '../sessions/hook-event.ts';
import { offerAfterCall, recordCall } from './after-call.ts';
import { judgeCommand, offerBeforeCall, recordDenial } from './before-call.ts';
import { offerAtSessionStart, recordPreCompact, recordStart, watchContext } from './context.ts';
import { countTokens } from './count-tokens.ts';
import { endSession, endSubagent, endTurn } from './end.ts';
import { HAND_OFF_TOKENS } from './hand-off.ts';
import { noticeCompaction, noticeStart } from './known-sessions.ts';
import { maskOutput } from './output.ts';
import { offerForPrompt } from './prompt.ts';
import { askToLook, offerAtStart, recordAgent, START_TOKENS } from './session-start.ts';
import type { Moment } from './types.ts';

/** A call that is about to run waits no longer for lessons that are not in memory yet. */
const PATIENCE_BEFORE_CALL_MS = 30;

/**
 * What each hook event means to Lore: what the server notices in memory, what is recorded beside the event, what it
 * settles, what is offered to the agent, and what else is answered. Every event may be answered before it is stored,
 * because the journal keeps it. An event that is not listed here gets an empty answer. To handle another event, add a
 * row.
 */
const MOMENTS: Record<string, Moment> = {
  SessionStart: {
    recovers: true,
    notice: noticeStart,
    offer: offerAtSessionStart,
    mostTokens: START_TOKENS + HAND_OFF_TOKENS,
    stateTokens: WORKING_STATE_TOKENS,
    record: recordStart,
    look: askToLook,
    behind: watchContext,
  },
  SubagentStart: { offer: offerAtStart, mostTokens: START_TOKENS, record: recordAgent },
  UserPromptSubmit: { offer: offerForPrompt, settle: hearPrompt },
  PreToolUse: {
    answer: judgeCommand,
    offer: offerBeforeCall,
    patienceMs: PATIENCE_BEFORE_CALL_MS,
    record: recordDenial,
  },
  PostToolUse: { mask: maskOutput, offer: offerAfterCall, record: recordCall },
  PostToolUseFailure: { offer: offerAfterCall, record: recordCall },
  PreCompact: { record: recordPreCompact, behind: watchContext },
  PostCompact: { notice: noticeCompaction, behind: watchContext },
  SubagentStop: { settle: endSubagent },
  Stop: { settle: endTurn, behind: watchContext },
  SessionEnd: { settle: endSession, behind: countTokens },
};

const UNKNOWN: Moment = {};

/**
 * Returns what an event means. The name comes from the client, so inherited names such as `constructor` do not count.
 */
export const momentOf = ({ hook_event_name: name }: HookEvent): Moment =>
  (Object.hasOwn(MOMENTS, name) ? MOMENTS[name] : undefined) ?? UNKNOWN;
