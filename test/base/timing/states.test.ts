import { afterEach, expect, test, vi } from 'vitest';
import type { Log } from '../../../src/base/log.ts';
import { backoffMs } from '../../../src/base/timing/backoff.ts';
import { createStates } from '../../../src/base/timing/states.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

const door = (log: Pick<Log, 'error'>) =>
  createStates(
    'the door',
    { open: ['closed'], closed: ['open', 'locked'], locked: ['closed'] },
    'open',
    log as Log,
  );

test('a move that the table does not allow throws in tests, and is logged and made in life', () => {
  const log = { error: vi.fn() };
  const state = door(log);
  state.move('closed');
  state.move('locked');
  expect(() => state.move('open')).toThrow('the door may not go from locked to open');
  expect(state.now()).toBe('locked');
  expect(log.error).not.toHaveBeenCalled();
  vi.stubEnv('NODE_ENV', 'production');
  state.move('open');
  expect(state.now()).toBe('open');
  expect(log.error).toHaveBeenCalledOnce();
});

test('a pause is a random share of a limit that doubles up to the longest', () => {
  const limits = { firstMs: 100, maxMs: 1_000 };
  for (const failures of [1, 2, 3, 4, 5, 50]) {
    const pauses = Array.from({ length: 200 }, () => backoffMs(failures, limits));
    const limit = Math.min(1_000, 100 * 2 ** (failures - 1));
    expect(Math.max(...pauses)).toBeLessThanOrEqual(limit);
    expect(Math.max(...pauses)).toBeGreaterThan(limit / 2);
    expect(Math.min(...pauses)).toBeLessThan(limit / 2);
  }
});
