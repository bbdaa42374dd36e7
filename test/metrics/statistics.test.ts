import { describe, expect, test } from 'vitest';
import { newcombe, ratio, ratioOverStrata, studentQuantile, wilson } from '../../src/metrics/statistics.ts';

// Against worked examples of the papers, and tables.

describe('wilson', () => {
  // Newcombe, Statistics in Medicine 17 (1998) 857–872, table I, method 3
  test.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('%d of %d', (part, whole, low, high) => {
    const found = wilson(part, whole);
    expect(found.low).toBeCloseTo(low, 4);
    expect(found.high).toBeCloseTo(high, 4);
  });
});

describe('newcombe', () => {
  // Newcombe, Statistics in Medicine 17 (1998) 873–890, table II, method 10
  test.each([
    [56, 70, 48, 80, 0.0524, 0.3339],
    [9, 10, 3, 10, 0.1705, 0.809],
    [5, 56, 0, 29, -0.0381, 0.1926],
    [10, 10, 0, 10, 0.6075, 1],
  ])('%d of %d against %d of %d', (a, m, b, n, low, high) => {
    const found = newcombe([a, m], [b, n]);
    expect(found.low).toBeCloseTo(low, 4);
    expect(found.high).toBeCloseTo(high, 4);
  });
});

test.each([
  [3, 3.182],
  [5, 2.571],
  [10, 2.228],
  [30, 2.042],
  [120, 1.98],
])('the quantile of t with %d degrees of freedom', (freedom, expected) => {
  expect(Math.abs(studentQuantile(freedom) / expected - 1)).toBeLessThan(0.01);
});

describe('a ratio of geometric means', () => {
  const logs = (...values: number[]) => {
    const own = values.map(Math.log);
    const mean = own.reduce((a, b) => a + b, 0) / own.length;
    const variance = own.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (own.length - 1);
    return { n: own.length, mean, variance };
  };

  test('is that of the means, with an interval around it', () => {
    const found = ratio(logs(1, 2, 4, 8), logs(2, 4, 8, 16));
    expect(found?.value).toBeCloseTo(0.5, 10);
    // by hand: the difference of the logs is −ln 2, its standard error 0.6327, t(6) = 2.4469
    expect(found?.low).toBeCloseTo(Math.exp(-Math.LN2 - 2.4469 * 0.6327), 2);
    expect(found?.high).toBeCloseTo(Math.exp(-Math.LN2 + 2.4469 * 0.6327), 2);
  });

  test('is none of a single value, and has no width without variance', () => {
    expect(ratio(logs(1), logs(1, 2))).toBe(null);
    expect(ratio(logs(2, 2), logs(4, 4))).toEqual({ value: 0.5, low: 0.5, high: 0.5 });
  });

  test('over strata does not mistake a shift between them for a difference', () => {
    // short and long tasks, each a tenth shorter; one side has more of the long ones
    const strata = [
      { a: logs(9, 9.9, 8.1), b: logs(10, 11, 9) },
      { a: logs(900, 990, 810, 900, 900), b: logs(1000, 1100, 900) },
    ];
    const found = ratioOverStrata(strata);
    expect(found?.value).toBeCloseTo(0.9, 2);
    expect(ratioOverStrata([{ a: logs(1), b: logs(1, 2) }])).toBe(null);
  });
});
