// The budget of what is injected into an agent's context, in tokens. LORE_INJECT_TOKENS (src/base/config.ts) limits every answer
// to a hook. These limits hold within it: how much an answer, a kind of offer and a line may take. docs/offers.md lists them.

/** The client cuts `additionalContext` here, and the closing tag of the frame would be lost. */
export const MAX_CHARACTERS = 10_000;
/** Longest line. */
export const MAX_LINE_TOKENS = 240;

/** Most tokens of the rules at a start, and of those for a subagent, which has its step to read too. */
export const RULE_TOKENS = { session: 500, subagent: 250 };
/** Longest rule. */
export const ONE_RULE_TOKENS = 90;
/** Most tokens of a hand-off in an answer, with its number and indentation. */
const HAND_OFF_TOKENS = 150;
/** Most tokens of the lines that a start tells besides the rules and the hand-off. */
export const LINE_TOKENS = 200;
/** Most tokens of the kinds that somebody wants in full at a start. */
export const ALL_TOKENS = 300;
/** Longest decision, and most tokens of those that hold: twelve of the usual length. */
export const DECISION_TOKENS = { one: 60, few: 550, all: 800 };
/** Most tokens of what a start tells, with its frame. */
export const START_TOKENS = RULE_TOKENS.session + HAND_OFF_TOKENS + LINE_TOKENS + DECISION_TOKENS.few;
/** Most tokens of what a subagent is told at its start. */
export const SUBAGENT_TOKENS = 600;
/** Most tokens of a working state, which a start after a compaction has in addition. */
export const WORKING_STATE_TOKENS = 1_500;
