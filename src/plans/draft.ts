import { createHash } from 'node:crypto';
import { type Ceremony, clausesOf, isLarge, listNamed, tasksListed } from '../language/intent.ts';
import type { Prompt } from '../language/prompt.ts';
import { stopWords } from '../language/stop-words.ts';
import { clip } from '../text/clip.ts';
import type { NewStep } from './plans.ts';

/** A plan that was drafted for a prompt. `constraints`: what it must keep to, in the prompt's own words. */
export type Draft = { goal: string; constraints: string[]; steps: NewStep[] };

const MAX_STEPS = 12;
const MAX_GOAL = 300;
const MAX_STEP = 300;
const MAX_CONSTRAINTS = 5;
const MAX_FILES = 4;
const LOOK = 'Find out what it touches: the code, its callers, its tests';

/**
 * Drafts a plan for a prompt by rules: from the list in it, else from its clauses. Returns null if the prompt
 * is not complex, or if the plan would only repeat it: one thing to do that is not large by its nature, or
 * errands such as committing and opening a PR.
 *
 * @param earlier the files that similar work changed, for the step that looks at the present state
 */
export function draftByRules({ ceremony }: Prompt, earlier: string[] = []): Draft | null {
  const { intent, own } = ceremony;
  if (intent !== 'complex' || isDocument(own)) return null;
  const constraints = constraintsIn(own);
  const listed = tasksListed(own);
  if (listed.length >= 2) {
    // numbers mean an order
    const numbered = /^\s*\d{1,2}[.)]\s+\S/m.test(own);
    return { goal: goalOf(ceremony), constraints, steps: toSteps(listed, numbered) };
  }
  const parts = doings(own);
  if (parts.length < 2 && !parts.some(isLarge)) return null;
  const files = earlier.slice(0, MAX_FILES).join(', ');
  const look = files === '' ? LOOK : `Look at ${files} (changed by similar work), their callers and tests`;
  const check = 'Run the tests and the checks of the project, and mend what broke';
  const steps = toSteps([look, ...parts, check], true);
  // parts of one sentence need not be done in the order of the sentence
  if (parts.length > 1) {
    const middle = parts.map((_, i) => i + 2);
    for (const number of middle) (steps[number - 1] as NewStep).dependencies = [1];
    (steps.at(-1) as NewStep).dependencies = middle;
  }
  return { goal: goalOf(ceremony), constraints, steps };
}

/** Whether a prompt is a text with headings: it says more than a plan of its lists would. */
const isDocument = (own: string): boolean => (own.match(/^#{1,6} \S/gm)?.length ?? 0) >= 2;

/** Words with which a clause limits how something is done. English only. */
const LIMIT =
  /\b(?:without|must(?:n['’]t| not)?|never|don['’]t|do not|should(?:n['’]t| not)|keep(?:ing)?|only|no (?:new|other|more)|at (?:most|least)|stays?|unchanged|backwards?[- ]compatib\w+)\b/i;
/** A clause that is a limit as a whole; of any other only what begins with these words is one. */
const LIMITS =
  /^(?:(?:and|but|it|they|this|please)\s+)*(?:must|never|don['’]t|do not|should|keep|only|no |at (?:most|least))\b|\b(?:must|stays?|unchanged|backwards?[- ]compatib\w+)\b/i;
const TAIL = /\b(?:without|(?:while )?keeping|never|but not)\b.*$/i;
/** Where the limit ends and the task goes on: “without touching its tests and add EUR”. */
const TASK_GOES_ON =
  /,?\s+(?:and|then)\s+(?:(?:also|then)\s+)?(?:add|build|change|create|extend|fix|implement|make|migrate|move|refactor|remove|rename|replace|rewrite|update|write)\b.*$/i;
/** Fewest words of a limit. */
const MIN_LIMIT = 2;

/** Returns what a prompt says that the work must keep to: its clauses that limit it, and not the task itself. */
function constraintsIn(own: string): string[] {
  const clauses = own
    .split(/(?<=[.!?;])\s+|\n+/)
    .map((one) => one.replace(/^\s*(?:[-*•]|\d{1,2}[.)])\s+/, ''))
    .flatMap((sentence) =>
      sentence.split(/[,:–—]\s+(?:but |and )?|\s+but\s+(?=(?:don|do not|keep|never|only|without)\b)/i),
    );
  const limits = clauses.flatMap((clause) => {
    if (!LIMIT.test(clause)) return [];
    const limit = LIMITS.test(clause) ? clause : (TAIL.exec(clause)?.[0] ?? '').replace(TASK_GOES_ON, '');
    const bare = cut(limit.replace(/[\s:]+$/, ''), MAX_STEP);
    return bare.split(' ').length < MIN_LIMIT ? [] : [bare];
  });
  return [...new Set(limits)].slice(0, MAX_CONSTRAINTS);
}

const cut = (text: string, max: number) => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= max ? line : `${clip(line, max - 1).replace(/\s+\S*$/, '')}…`;
};

function toSteps(descriptions: string[], inOrder: boolean): NewStep[] {
  return descriptions
    .slice(0, MAX_STEPS)
    .map((text, i) => ({ description: cut(text, MAX_STEP), dependencies: inOrder && i > 0 ? [i] : [] }));
}

/** Returns what a plan is for: the words before a list, what is in it if they say nothing, else the first sentence. */
function goalOf({ own }: Ceremony): string {
  const listed = listNamed(own);
  if (listed !== null) return listed.length <= MAX_GOAL ? listed : cut(listed, MAX_GOAL);
  const before = own.split(/^\s*(?:[-*•]|\d{1,2}[.)])\s+\S/m)[0]?.trim() ?? '';
  const text = before.length >= 15 ? before : own;
  return cut((text.match(/^[\s\S]{15,}?[.!?](?=\s|$)/)?.[0] ?? text).replace(/:\s*$/, ''), MAX_GOAL);
}

/** Returns what a prompt with one task is about, as the goal of a plan. */
export const taskOf = ({ ceremony }: Prompt): string => goalOf(ceremony);

/** Fewest words of a clause that can say what to do. */
const MIN_WORDS = 3;
const DOING =
  /^(?:add|adapt|build|change|clean|convert|create|decouple|deploy|design|develop|document|extend|extract|fix|implement|integrate|introduce|make|migrate|modernize|move|port|refactor|remove|rename|replace|restructure|rewrite|set up|split|start|support|test|unify|update|upgrade|write)\b/i;

/** What every agent does at the end of any task: no step of it. */
const ERRAND =
  /\b(?:prs?|pull requests?|merge requests?|branch(?:es)?|commits?|push|tags?)\b|^(?:make sure|start (?:off|the|a)?)\b/i;

const MAX_PARTS = 6;
/** “Integrate the bank: accounts, transfers and statements” */
const ENUMERATED = /^([^:.\n]{3,80}):\s+((?:[^,.;:\n]{2,80},\s+){2,}[^.;:\n]{2,80})/;

/** Returns the parts of a task that names them after a colon. */
function enumerated(own: string): string[] {
  const [, head = '', list = ''] = ENUMERATED.exec(own) ?? [];
  if (!DOING.test(clausesOf(head)[0] ?? '')) return [];
  return list.split(/,\s+(?:and\s+)?|\s+and\s+/).map((part) => `${head}: ${part.trim()}`);
}

/** Returns the clauses of a text that tell what to do, or the parts that it enumerates, at most six. */
function doings(own: string): string[] {
  const found = clausesOf(own).filter(
    (clause) => DOING.test(clause) && !ERRAND.test(clause) && clause.split(/\s+/).length >= MIN_WORDS,
  );
  const parts = found.length < 2 ? enumerated(own) : [];
  return (parts.length > 0 ? parts : found).slice(0, MAX_PARTS);
}

/** Returns the id of the plan that is drafted for a prompt: the same each time its delivery is stored. */
export function draftId(sessionId: string, deliveryKey: string): string {
  const hex = createHash('sha256').update(`plan ${sessionId} ${deliveryKey}`).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

/**
 * A prompt and a plan are about the same matter if the plan contains at least this share of the prompt's
 * words.
 */
const SAME_MATTER = 0.3;
const COMMON = stopWords('plans');
const content = (text: string) =>
  new Set((text.toLowerCase().match(/[\p{L}\p{N}_]{4,}/gu) ?? []).filter((word) => !COMMON.has(word)));

/** Returns whether a prompt names nothing to do: “go on”, “run the tests”. */
export const saysNothing = (prompt: string): boolean => content(prompt).size === 0;

/** Returns whether a prompt is about the matter of a plan. */
export function isSameMatter(prompt: string, plan: string): boolean {
  const asked = content(prompt);
  const known = content(plan);
  if (asked.size === 0) return true;
  return [...asked].filter((word) => known.has(word)).length / asked.size >= SAME_MATTER;
}
