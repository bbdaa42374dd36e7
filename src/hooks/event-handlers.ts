import { START_TOKENS, SUBAGENT_TOKENS, WORKING_STATE_TOKENS } from '../offers/budget.ts';
import type { HookEvent } from '../sessions/hook-event.ts';
import { offerAfterCall, recordCall } from './after-call.ts';
import { judgeCall, offerBeforeCall, recordDecision } from './before-call.ts';
import { countTokens, endSession, endSubagent, endTurn } from './end.ts';
import { maskOutput } from './output.ts';
import { recordPermission, recordPrompt } from './plans.ts';
import { offerForPrompt } from './prompt.ts';
import {
  besidePrompt,
  besideStart,
  offerAtSessionStart,
  offerAtSubagentStart,
  recordAgent,
} from './session-start.ts';
import type { EventHandler } from './types.ts';

/**
 * What each hook event means to Lore: what is recorded beside the event, what is offered to the agent, and what else is
 * answered. Every event may be answered before it is stored, because the journal keeps it. An event that is not listed here
 * gets an empty answer. To handle another event, add a row.
 */
const EVENT_HANDLERS: Record<string, EventHandler> = {
  SessionStart: {
    offer: offerAtSessionStart,
    mostTokens: START_TOKENS,
    stateTokens: WORKING_STATE_TOKENS,
    record: recordAgent,
    beside: besideStart,
  },
  SubagentStart: { offer: offerAtSubagentStart, mostTokens: SUBAGENT_TOKENS, record: recordAgent },
  UserPromptSubmit: { offer: offerForPrompt, record: recordPrompt, beside: besidePrompt },
  PreToolUse: { answer: judgeCall, offer: offerBeforeCall, record: recordDecision },
  PostToolUse: { mask: maskOutput, offer: offerAfterCall, record: recordCall },
  PostToolUseFailure: { offer: offerAfterCall, record: recordCall },
  PermissionRequest: { record: recordPermission },
  SubagentStop: { record: endSubagent },
  Stop: { record: endTurn, behind: countTokens },
  SessionEnd: { record: (tx, { session }) => endSession(tx, session), behind: countTokens },
};

const UNKNOWN: EventHandler = {};

/**
 * Returns what an event means. The name comes from the client, so inherited names such as `constructor` do not count.
 */
export const handlerOf = ({ hook_event_name: name }: HookEvent): EventHandler =>
  (Object.hasOwn(EVENT_HANDLERS, name) ? EVENT_HANDLERS[name] : undefined) ?? UNKNOWN;
