import { describe, expect, test } from 'vitest';
import { judgeByPolicy } from '../../src/commands/judge.ts';
import { matches, mayBeAbout, When } from '../../src/commands/match.ts';
import { builtinPolicy } from '../../src/commands/policy/index.ts';
import type { Doubt, Knowledge, Rule } from '../../src/commands/types.ts';

const place = { cwd: '/home/dev/project', root: '/home/dev/project', home: '/home/dev', tmp: '/tmp' };
const context = { place, options: builtinPolicy.options };
const judge = (line: string) => judgeByPolicy(line, place, builtinPolicy);
const deniedBy = (line: string) =>
  judge(line)
    .parts.filter((part) => part.decision === 'deny')
    .map((part) => part.rule);

describe.each(builtinPolicy.rules.map((rule) => [rule.id, rule] as [string, Rule]))('%s', (id, rule) => {
  test.each(rule.examples.deny)('denies %s', (line) => {
    const { decision, invocations } = judge(line);
    expect(decision).toBe('deny');
    // a graver rule may be reported instead, so this rule is tested by itself
    const caught = invocations.some((one) =>
      rule.when.some((when) => mayBeAbout(when, one.program) && matches(when, one, context)),
    );
    expect(caught, `not caught by ${id}`).toBe(true);
  });
  test.each(rule.examples.pass)('does not deny %s', (line) => {
    expect(deniedBy(line)).toEqual([]);
  });
});

describe.each(builtinPolicy.knowledge.map((entry) => [entry.about, entry] as [string, Knowledge]))(
  '%s',
  (_, entry) => {
    test.each(entry.examples.allow)('allows %s', (line) => {
      const { parts } = judge(line);
      expect(parts.filter((part) => part.decision !== 'allow')).toEqual([]);
    });
    test.each(entry.examples.unknown)('does not allow %s', (line) => {
      expect(judge(line).decision).not.toBe('allow');
    });
  },
);

describe.each(builtinPolicy.doubts.map((entry) => [entry.reason, entry] as [string, Doubt]))(
  '%s',
  (_, entry) => {
    test.each(entry.examples.unknown)('asks about %s', (line) => {
      expect(judge(line).parts.map((part) => part.reason)).toContain(entry.reason);
      expect(judge(line).decision).toBe('unknown');
    });
    test.each(entry.examples.allow)('allows %s', (line) => {
      expect(judge(line).decision).toBe('allow');
    });
  },
);

test('every condition is valid data, and every rule has a short reason and examples', () => {
  for (const rule of builtinPolicy.rules) {
    for (const when of rule.when) When.parse(when);
    const said = rule.id.length + rule.reason.length + rule.instead.length;
    expect(`${rule.id}: ${said < 210}`).toBe(`${rule.id}: true`);
    expect(rule.examples.deny.length).toBeGreaterThan(0);
    expect(rule.examples.pass.length).toBeGreaterThan(0);
  }
  for (const entry of [...builtinPolicy.knowledge, ...builtinPolicy.doubts])
    for (const when of entry.when) When.parse(when);
});

test('no two rules share an id', () => {
  const ids = builtinPolicy.rules.map((rule) => rule.id);
  expect(ids).toEqual([...new Set(ids)]);
});
