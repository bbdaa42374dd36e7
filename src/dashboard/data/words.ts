import type { ShownCheck } from '../../base/wire/routes.ts';

/** Returns a number with its noun: “1 error”, “3 errors”. */
export const counted = (n: number, one: string, many = `${one}s`): string =>
  `${n.toLocaleString()} ${n === 1 ? one : many}`;

/** Returns how often something was: “never”, “once”, “3 times”. */
export const times = (n: number): string => (n === 0 ? 'never' : n === 1 ? 'once' : `${n} times`);

export const percent = (share: number): string => `${Math.round(100 * share)} %`;

export const modelName = (model: string | null) => model?.replace(/^claude-/, '').replace(/-\d{8}$/, '');

export const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns the parts that are there, with points between them. */
export const joined = (parts: (string | false | null | undefined)[]): string =>
  parts.filter(Boolean).join(' · ');

/** Ids are long, and their first eight characters name a record well enough. */
export const shortId = (id: string): string => id.slice(0, 8);

/** Returns who wrote a record, as a person would say it. */
export const writer = (by: string | null): string =>
  ({ person: 'you', rules: 'plain rules', agent: 'an agent', import: 'an import' })[by ?? ''] ??
  by ??
  'not known';

/** Returns what a client needs of the person, from the server's words: “Needs you to permit Bash”. */
export const neededOf = (waitingFor: string): string =>
  `Needs you to ${waitingFor.replace(/^a person to /i, '')}`;

/** What Lore keeps and tells, as a person would say it. */
export const NAMES: Record<string, string> = {
  learning: 'Lesson',
  lesson: 'Lesson',
  rule: 'Your rule',
  note: 'Note',
  finding: 'Finding',
  fact: 'Fact',
  relation: 'Relation',
  decision: 'Decision',
  episode: 'Earlier work',
  error: 'Error',
  pattern: 'Pattern',
  skill: 'Skill',
  conversation: 'Said',
  plan: 'Plan',
  step: 'Plan',
  session: 'Session',
  'hand-off': 'Hand-off',
  'working-state': 'Where it was',
  ask: 'Question',
};

/** Where the pages of records lie that are not below /records. */
const PATHS: Record<string, string> = {
  learning: '/learnings',
  lesson: '/learnings',
  rule: '/learnings',
  plan: '/plans',
  step: '/plans',
  session: '/sessions',
  'hand-off': '/sessions',
};
const BELOW_RECORDS = ['fact', 'relation', 'decision', 'finding', 'note', 'episode', 'pattern', 'skill'];

/**
 * Returns the page of a record; undefined if it has none.
 *
 * @param kind as searches, and what agents are told, name it
 */
export function addressOfRecord(kind: string, id: string | null): string | undefined {
  const path = PATHS[kind] ?? (BELOW_RECORDS.includes(kind) ? `/records/${kind}` : undefined);
  return id === null || path === undefined ? undefined : `${path}/${id}`;
}

/** Says what decided on a call: a person's rule, a lesson, or a rule for commands by its name. */
export function byWhat(check: Pick<ShownCheck, 'source' | 'decision' | 'rule' | 'tool'>): string {
  const { source, decision, rule, tool } = check;
  const what = tool === null ? '' : `${tool}: `;
  if (source === 'guard') return `${what}Your rule ${decision === 'ask' ? 'asked you' : 'stopped it'}`;
  if (source === 'lesson') return `${what}Held once for a lesson`;
  if (source === 'person') return `${what}You ${decision === 'allow' ? 'allowed' : 'blocked'} it`;
  if (source === 'model' || source === 'sandbox')
    return `${what}${source === 'model' ? 'A model judged it' : 'The client’s sandbox contains it'}`;
  return `${what}${rule === null ? 'No rule' : `The rule ${rule}`}`;
}
