import type { Surroundings } from '../shell/zones.ts';
import { judgeByPolicy } from './judge.ts';
import { builtinPolicy } from './policy/index.ts';

/**
 * Judges common commands once, one a turn, so that the first ones that come are judged in a millisecond: until then
 * each program's rules must be looked up and their patterns compiled. The commands are the policy's own examples.
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
