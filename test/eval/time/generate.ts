import { TIERS } from '../../../src/kinds/schema.ts';
import type { Random } from '../../bench/sessions.ts';
import { type Change, type Moment, PAST } from './model.ts';

const VALUES = ['red', 'green', 'blue'];

/** Orders moments, as far as they can be before it is known which changes are made. */
const placeOf = ({ at, n }: Moment): number => ({ past: 0, change: 1_000, future: 2_000 })[at] + n;

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
    const put = { do: 'put' as const, value: pick(VALUES), tier: tier() };
    const [from, until] = [moment(), moment()].sort((a, b) => placeOf(a) - placeOf(b));
    const kind = random();
    if (kind < 0.35) return put;
    if (kind < 0.7) return { ...put, from };
    // a few end before they begin
    if (kind < 0.8)
      return { ...put, until: random() < 0.9 ? { at: 'future', n: Math.floor(random() * PAST) } : from };
    return random() < 0.95 ? { ...put, from, until } : { ...put, from: until, until: from };
  });
}
