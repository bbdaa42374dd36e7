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
type OfProgram = { all: Speaking; verbs: ReadonlySet<string>; byVerb: Map<string, Speaking> };

const MAX_PROGRAMS = 1000;
const indexes = new WeakMap<Policy, Map<string, OfProgram>>();

/** Returns the rules, the knowledge and the others that may be about a command. Most of a policy never is. */
export function speakingOf(policy: Policy, invocation: Invocation): Speaking {
  const { all, verbs, byVerb } = ofProgram(policy, invocation.program);
  const word = firstWord(wordsOf(invocation, policy.options).sub);
  const verb = verbs.has(word) ? word : '';
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
  let programs = indexes.get(policy);
  // the names come from the commands, so the memory needs a limit
  if (!programs || programs.size > MAX_PROGRAMS) {
    programs = new Map();
    indexes.set(policy, programs);
  }
  const before = programs.get(program);
  if (before) return before;
  const whole = {
    rules: every(policy.rules),
    knowledge: every(policy.knowledge),
    doubts: every(policy.doubts),
    outward: every(policy.outward),
  };
  const all = narrowed(whole, (when) => mayBeAbout(when, program));
  const phrases = [...all.rules, ...all.knowledge, ...all.doubts, ...all.outward].flatMap(({ when }) =>
    when.flatMap(({ sub = [] }) => sub),
  );
  const made = { all, verbs: new Set(phrases.map(firstWord)), byVerb: new Map() };
  programs.set(program, made);
  return made;
}

const every = <T extends { when: LoadedWhen[] }>(entries: T[]): About<T> =>
  entries.map((entry) => ({ entry, when: entry.when }));

/** Keeps the conditions that may hold, and what has any of them, in the same order. */
function narrowed(
  { rules, knowledge, doubts, outward }: Speaking,
  may: (when: LoadedWhen) => boolean,
): Speaking {
  const those = <T>(about: About<T>): About<T> =>
    about.map(({ entry, when }) => ({ entry, when: when.filter(may) })).filter(({ when }) => when.length > 0);
  return {
    rules: those(rules),
    knowledge: those(knowledge),
    doubts: those(doubts),
    outward: those(outward),
  };
}

const firstWord = (text: string): string => text.split(' ', 1)[0] ?? '';
