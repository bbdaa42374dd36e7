import { quote } from '../../offers/frame.ts';
import type { OpenError } from './open-errors.ts';

// What an agent is asked. The line carries the form of the answer, so that no tool's description has to. How it was found,
// and what it costs: docs/asking.md.

/** How an agent answers: by Lore's MCP tools, or by a command in its shell. Each takes one JSON object. */
export type Way = { remember: string; rule: string; plan: string };

/** @param session the beginning of the client's session id; null: the session has Lore's tools */
export const wayOf = (lore: string, session: string | null): Way =>
  session === null
    ? {
        remember: 'Lore’s tool remember with',
        rule: 'Lore’s tool rule with',
        plan: 'call Lore’s tool plan_propose with {goal, steps: [{description, after: numbers of steps, agent?}], constraints: what to keep to, in the person’s words}',
      }
    : {
        remember: `\`${lore} remember -s ${session}\` with`,
        rule: `\`${lore} rule -s ${session}\` with`,
        plan: `run \`${lore} plan make -s ${session} "goal" "step" "step" … -c "what to keep to, in the person’s words"\``,
      };

/** Most tokens that a session is asked with. */
export const MOST_TOKENS = 500;

/** In tokens. */
const LENGTH = { line: 50, error: 40, words: 60 };

const called = ({ line, tool }: OpenError): string => `\`${quote(line?.text ?? tool, LENGTH.line)}\``;
const printed = ({ error }: OpenError): string => `“${quote(error, LENGTH.error)}”`;

/** Asks about an error that is gone. */
export const askAboutError = (open: OpenError, way: Way): string =>
  `${called(open)} failed (${printed(open)}), and this passed with no file changed in between. Would one fact about this repository or machine, known beforehand, have saved the failed call? Then call ${way.remember} {error, cause: what is true here, do: the line that passed, applies_when}. Else ignore this line.`;

/** Asks about an error that the last turn ended with. */
export const askAboutOpenError = (open: OpenError, way: Way): string =>
  `${called(open)} failed more than once in the last turn and is still open (${printed(open)}). Is there one fact about this repository or machine that answers it (“only a person can …” is one)? Then call ${way.remember} {error, cause: what is true here, do, applies_when}. Else ignore this line.`;

/** Asks about a sentence of a person. */
export const askAboutWords = (sentence: string, way: Way): string =>
  `“${quote(sentence, LENGTH.words)}” If the person just stated a rule that outlasts this task, call ${way.rule} {words: their exact words, means, about: [{program, args} | {globs, reads?: true} | {pattern, globs} | {tool, field, pattern}], unless?: {program, args}, then: tell or ask, breaks: two calls {tool, input}, keeps: two that do not, scope: project or everywhere}. Else ignore this line.`;

/** Asks for the plan of a task of several steps. */
export const askForPlan = (way: Way): string =>
  `This looks like several steps. Once you know them, hand in your plan for the person and your subagents: ${way.plan}. Ignore this line if you keep a task list, or if it is one step.`;
