import type { Invocation } from '../shell/types.ts';
import { wordsOf } from './arguments.ts';
import { mayBeAbout } from './match.ts';
import type { Doubt, Knowledge, Outward, Policy, Rule } from './types.ts';
import type { LoadedWhen } from './when.ts';

// Finds the rules that can fit a command, by its program and its first word, so that it is compared with these alone.

type About<T> = { entry: T; when: LoadedWhen[] }[];
type Speaking = {
  rules: About<Rule>;
  knowledge: About<Knowledge>;
  doubts: About<Doubt>;
  outward: About<Outward>;
};
/** All that is about a program, and by first word what is about it too; the empty word stands for all other words. */
type OfProgram = { all: Speaking; byVerb: Map<string, Speaking | null> };

const MAX_PROGRAMS = 1000;
const indexes = new WeakMap<Policy, Map<string, OfProgram>>();
const firstWord = (text: string): string => text.split(' ', 1)[0] ?? '';

/** Returns the rules, the knowledge and the others that may be about a command. Most of a policy never is. */
export function speakingOf(policy: Policy, invocation: Invocation): Speaking {
  const { all, byVerb } = ofProgram(policy, invocation.program);
  const word = firstWord(wordsOf(invocation, policy.options).sub);
  const verb = byVerb.has(word) ? word : '';
  const before = byVerb.get(verb);
  if (before) return before;
  const made = narrowed(all, ({ sub }) => !sub || sub.some((phrase) => firstWord(phrase) === verb));
  byVerb.set(verb, made);
  return made;
}

/** Whether Lore knows something harmless that a program does. */
export const isKnown = (policy: Policy, program: string): boolean =>
  ofProgram(policy, program).all.knowledge.some(({ when }) =>
    when.some((one) => one.program?.includes('*') === false && !one.via),
  );

function ofProgram(policy: Policy, program: string): OfProgram {
  let known = indexes.get(policy);
  // the names come from the commands, so the memory needs a limit
  if (!known || known.size > MAX_PROGRAMS) {
    known = new Map();
    indexes.set(policy, known);
  }
  const before = known.get(program);
  if (before) return before;
  const every = <T extends { when: LoadedWhen[] }>(entries: T[]): About<T> =>
    entries.map((entry) => ({ entry, when: entry.when }));
  const { rules, knowledge, doubts, outward } = policy;
  const whole = {
    rules: every(rules),
    knowledge: every(knowledge),
    doubts: every(doubts),
    outward: every(outward),
  };
  const all = narrowed(whole, (when) => mayBeAbout(when, program));
  const phrases = Object.values(all).flatMap((about) =>
    about.flatMap(({ when }) => when.flatMap(({ sub = [] }) => sub)),
  );
  const made = { all, byVerb: new Map(phrases.map((phrase) => [firstWord(phrase), null])) };
  known.set(program, made);
  return made;
}

/** Keeps the conditions that may hold, and what has any of them, in the same order. */
function narrowed(speaking: Speaking, may: (when: LoadedWhen) => boolean): Speaking {
  const those = <T>(about: About<T>): About<T> =>
    about.map(({ entry, when }) => ({ entry, when: when.filter(may) })).filter(({ when }) => when.length > 0);
  const { rules, knowledge, doubts, outward } = speaking;
  return { rules: those(rules), knowledge: those(knowledge), doubts: those(doubts), outward: those(outward) };
}
