import { describe, expect, test } from 'vitest';
import { firstState, MOVES, missingOf, moveOf, type Status } from '../../src/learnings/states.ts';

const STATUSES: Status[] = ['trial', 'active', 'review'];

describe('the table of moves', () => {
  test('lets only recurrence, a person or a model make a lesson active', () => {
    const makesActive = MOVES.filter(({ to }) => to === 'active').map(({ on }) => on);
    expect([...new Set(makesActive)].sort()).toEqual(['approved', 'judged', 'recurred', 'said']);
  });

  test.each([
    ['noticed', 'trial'],
    ['doubted', 'trial'],
    ['forced', 'review'],
    ['said', 'active'],
    ['judged', 'active'],
  ] as const)('a lesson that is %s begins as %s', (cause, status) => {
    expect(firstState(cause)).toBe(status);
  });

  test('no model and no recurrence takes a way around a safeguard out of review', () => {
    expect(moveOf('review', 'judged')).toBeNull();
    expect(moveOf('review', 'recurred')).toBeNull();
    expect(moveOf('review', 'approved')?.to).toBe('active');
  });

  test('what is active falls back to trial, and never to review', () => {
    expect(moveOf('active', 'failing')?.to).toBe('trial');
    expect(moveOf('active', 'forced')).toBeNull();
  });

  test('a person can end a lesson in any state, and no move leads to where it is', () => {
    for (const status of STATUSES) expect(moveOf(status, 'ended')?.to).toBe('ended');
    for (const { from, to } of MOVES)
      for (const one of from) if (one === to) expect(moveOf(one, 'said')).toBeNull();
  });

  test('a lesson that begins otherwise is a mistake of the program', () => {
    expect(() => firstState('recurred')).toThrow('no lesson begins');
  });
});

test('what is missing is said of each state, and nothing of an active lesson', () => {
  expect(missingOf('active', true)).toBeNull();
  expect(missingOf('trial', true)).toContain('another session meets the error');
  expect(missingOf('trial', false)).toContain('Told to nobody');
  expect(missingOf('review', true)).toContain('a person approves it');
});
