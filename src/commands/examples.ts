import { builtinPolicy } from './policy/index.ts';

/** Returns commands of all kinds, allowed and denied: the first example of each rule and each piece of knowledge. */
export const exampleCommands = (): string[] =>
  [
    ...builtinPolicy.knowledge.map((entry) => entry.examples.allow[0]),
    ...builtinPolicy.rules.map((rule) => rule.examples.deny[0]),
  ].flatMap((command) => command ?? []);
