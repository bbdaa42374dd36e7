import type { Surroundings } from '../shell/zones.ts';
import { judgeByPolicy } from './judge.ts';
import { builtinPolicy } from './policy/index.ts';

/**
 * Judges the policy's own examples once, one in each turn of the event loop. Before that, the rules of each program
 * must be looked up and their patterns compiled; after it, the first commands are judged within a millisecond.
 */
export async function warmUp(place: Surroundings): Promise<void> {
  const examples = [
    ...builtinPolicy.knowledge.map((entry) => entry.examples.allow[0]),
    ...builtinPolicy.rules.map((rule) => rule.examples.deny[0]),
  ];
  for (const line of examples) {
    if (line !== undefined) judgeByPolicy(line, place, builtinPolicy);
    await new Promise(setImmediate);
  }
}
