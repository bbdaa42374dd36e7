import { describe, expect, test } from 'vitest';
import { logBinomialTail } from '../../src/patterns/chance.ts';
import { findSequences, placeOf, type Trace, withoutRepeats } from '../../src/patterns/sequences.ts';

const tail = (n: number, p: number, seen: number) => Math.exp(logBinomialTail(n, p, seen));

function sequencesOf(traces: Trace[]): string[] {
  const work = findSequences(traces);
  let step = work.next();
  while (!step.done) step = work.next();
  return step.value.map(({ steps, episodes }) => `${steps.join(' ')} × ${episodes.length}`);
}

/** Episodes with their session and steps: `1: a b c`. */
function traces(...lines: string[]): Trace[] {
  const numbers = new Map<string, number>();
  return lines.map((line) => {
    const [session = '', steps = ''] = line.split(': ');
    const number = (step: string) => {
      if (!numbers.has(step)) numbers.set(step, numbers.size);
      return numbers.get(step) as number;
    };
    return { session: Number(session), steps: steps.split(' ').map(number) };
  });
}

describe('the tail of the binomial distribution', () => {
  test.each([
    // sums by hand: 1/8; 4/8; 1 - (5/6)^4
    [3, 0.5, 3, 0.125],
    [3, 0.5, 2, 0.5],
    [4, 1 / 6, 1, 1 - (5 / 6) ** 4],
    [10, 0.3, 0, 1],
  ])('of %d at %d, %d or more', (n, p, seen, expected) => {
    expect(tail(n, p, seen)).toBeCloseTo(expected, 10);
  });

  test('tells the very improbable apart', () => {
    expect(logBinomialTail(5000, 0.01, 4000)).toBeLessThan(logBinomialTail(5000, 0.01, 3000));
    expect(logBinomialTail(5000, 0.01, 3000)).toBeLessThan(-1000);
  });
});

test('a place is found with at most two steps between', () => {
  expect(placeOf(['a', 'x', 'b', 'c'], ['a', 'b', 'c'])).toEqual([0, 2, 3]);
  expect(placeOf(['a', 'x', 'x', 'x', 'b'], ['a', 'b'])).toEqual([]);
  // the first a is too far away
  expect(placeOf(['a', 'x', 'x', 'a', 'x', 'b'], ['a', 'b'])).toEqual([3, 5]);
  expect(withoutRepeats(['a', 'a', 'b', 'a'])).toEqual(['a', 'b', 'a']);
});

describe('a sequence', () => {
  const planted = ['1: a b c d p q', '2: q a b c d r', '3: r p a b c d', '4: p a b c d s', '5: s q a b c d'];
  const others = ['6: p q r s', '7: s r q p', '8: q p s r', '9: r s p q', '10: p s q r'];

  test('is found once, whole, and none of its parts beside it', () => {
    expect(sequencesOf(traces(...planted, ...others))).toEqual(['0 1 2 3 × 5']);
  });

  test('is no pattern in two episodes, nor in one session', () => {
    expect(sequencesOf(traces(...planted.slice(0, 2), ...others))).toEqual([]);
    const same = planted.map((line) => line.replace(/^\d+/, '1'));
    expect(sequencesOf(traces(...same, ...others))).toEqual([]);
  });

  test('is no pattern where chance explains it: in every order of few steps it is frequent', () => {
    const orders = ['a b c', 'a c b', 'b a c', 'b c a', 'c a b', 'c b a'];
    const lines = [0, 1, 2, 3, 4].flatMap((round) => orders.map((order, i) => `${round * 6 + i}: ${order}`));
    expect(sequencesOf(traces(...lines))).toEqual([]);
  });
});
