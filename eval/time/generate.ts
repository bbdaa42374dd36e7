import type { Random } from '../../bench/sessions.ts';
import { TIERS } from '../../src/facts/schema.ts';
import { type Change, type Moment, PAST } from './model.ts';

const VALUES = ['red', 'green', 'blue'];

/** Returns changes of one key at random: values for now, for earlier and for later, periods, ends and undone changes. */
export function changesAtRandom(random: Random, count: number): Change[] {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const moment = (): Moment => {
    const n = Math.floor(random() * PAST);
    const chance = random();
    return chance < 0.5 ? { at: 'past', n } : chance < 0.9 ? { at: 'future', n } : { at: 'change', n };
  };
  // mostly one tier, or most changes would be refused
  const tier = () => (random() < 0.7 ? 'agent' : pick(TIERS));
  return Array.from({ length: count }, (): Change => {
    const chance = random();
    if (chance < 0.1) return { do: 'undo' };
    if (chance < 0.2) return { do: 'end', tier: tier(), ...(random() < 0.5 && { at: moment() }) };
    return {
      do: 'put',
      value: pick(VALUES),
      tier: tier(),
      ...(random() < 0.6 && { from: moment() }),
      ...(random() < 0.3 && { until: moment() }),
    };
  });
}
