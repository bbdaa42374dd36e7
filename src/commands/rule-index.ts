import type { Invocation } from '../shell/types.ts';
import { mayBeAbout } from './match.ts';
import type { Doubt, Knowledge, Outward, Policy, Rule } from './types.ts';
import type { LoadedWhen } from './when.ts';

// Finds the rules that can fit a command, by its program, so that it is compared with these alone.

type About<T> = { entry: T; when: LoadedWhen[] }[];
type Speaking = {
  rules: About<Rule>;
  knowledge: About<Knowledge>;
  doubts: About<Doubt>;
  outward: About<Outward>;
};

/** The names come from the commands, so the memory needs a limit. */
const MAX_PROGRAMS = 1000;
const indexes = new WeakMap<Policy, Map<string, Speaking>>();

/** Returns the rules, the knowledge and the others that may be about a command. Most of a policy never is. */
export function speakingOf(policy: Policy, { program }: Pick<Invocation, 'program'>): Speaking {
  const index = indexes.get(policy) ?? new Map<string, Speaking>();
  indexes.set(policy, index);
  const before = index.get(program);
  if (before) return before;
  if (index.size > MAX_PROGRAMS) index.clear();
  const about = <T extends { when: LoadedWhen[] }>(entries: T[]): About<T> =>
    entries
      .map((entry) => ({ entry, when: entry.when.filter((when) => mayBeAbout(when, program)) }))
      .filter(({ when }) => when.length > 0);
  const { rules, knowledge, doubts, outward } = policy;
  const made = {
    rules: about(rules),
    knowledge: about(knowledge),
    doubts: about(doubts),
    outward: about(outward),
  };
  index.set(program, made);
  return made;
}

/** Whether Lore knows something harmless that a program does. */
export const isKnown = (policy: Policy, program: string): boolean =>
  speakingOf(policy, { program }).knowledge.some(({ when }) =>
    when.some((one) => one.program?.includes('*') === false && !one.via),
  );
