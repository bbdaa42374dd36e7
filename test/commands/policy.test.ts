import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { judgeByPolicy } from '../../src/commands/judge.ts';
import { matches, mayBeAbout } from '../../src/commands/match.ts';
import { builtinPolicy, usualNames } from '../../src/commands/policy/index.ts';
import { Rule, readBuiltin, When } from '../../src/commands/rule-text.ts';
import type { Invocation } from '../../src/shell/types.ts';
import {
  doubtExamples,
  fileExamples,
  knowledgeExamples,
  outwardExamples,
  ruleExamples,
} from '../support/policy-examples.ts';
import { tablesOf } from '../support/tables.ts';

const place = { cwd: '/home/dev/project', root: '/home/dev/project', home: '/home/dev', tmp: '/tmp' };
const context = { place, options: builtinPolicy.options };
const judge = (line: string) => judgeByPolicy(line, place, builtinPolicy);
const outwardOf = (line: string) => {
  const { outward, parts } = judge(line);
  return outward ?? parts.find((part) => part.outward)?.outward;
};
const deniedBy = (line: string) =>
  judge(line)
    .parts.filter((part) => part.decision === 'deny')
    .map((part) => part.rule);

/** The lines of which something does not hold. */
const except = (lines: string[], holds: (line: string) => boolean) => lines.filter((line) => !holds(line));

test.each(ruleExamples)('$rule.id denies its examples, and no others', ({ rule, deny, pass }) => {
  // a graver rule may be reported instead, so this rule is tested by itself
  const caught = (one: Invocation) =>
    rule.when.some((when) => mayBeAbout(when, one.program) && matches(when, one, context));
  const denied = (line: string) => {
    const { decision, invocations } = judge(line);
    return decision === 'deny' && invocations.some(caught);
  };
  expect(except(deny, denied)).toEqual([]);
  expect(except(pass, (line) => deniedBy(line).length === 0)).toEqual([]);
});

test.each(knowledgeExamples)('$entry.about is allowed, and no more', ({ allow, unknown }) => {
  const allowed = (line: string) => judge(line).parts.every((part) => part.decision === 'allow');
  expect(except(allow, allowed)).toEqual([]);
  expect(except(unknown, (line) => judge(line).decision !== 'allow')).toEqual([]);
});

test.each(doubtExamples)('what $entry.reason is asked about', ({ entry, unknown, allow }) => {
  const asked = (line: string) => {
    const { decision, parts } = judge(line);
    return decision === 'unknown' && parts.some((part) => part.reason === entry.reason);
  };
  expect(except(unknown, asked)).toEqual([]);
  expect(except(allow, (line) => judge(line).decision === 'allow')).toEqual([]);
});

test.each(outwardExamples)('what $entry.does says so', ({ entry, outward, inward }) => {
  expect(except(outward, (line) => outwardOf(line) === entry.does)).toEqual([]);
  expect(except(inward, (line) => outwardOf(line) === undefined)).toEqual([]);
});

test.each(Object.entries(tablesOf('outward')))('%s', (title, lines) => {
  const found = title.startsWith('brings') ? title : undefined;
  for (const [line = ''] of lines) expect([line, outwardOf(line)]).toEqual([line, found]);
});

test('every rule has a short reason and examples of both kinds', () => {
  for (const { rule, deny, pass } of ruleExamples) {
    const said = rule.id.length + rule.reason.length + rule.instead.length;
    expect(`${rule.id}: ${said < 210}`).toBe(`${rule.id}: true`);
    expect([rule.id, deny.length > 0, pass.length > 0]).toEqual([rule.id, true, true]);
  }
});

test('no two entries share a name, and examples in files are those of an entry', () => {
  const names = [
    ...builtinPolicy.rules.map(({ id }) => id),
    ...builtinPolicy.knowledge.map(({ about }) => about),
    ...builtinPolicy.doubts.map(({ reason }) => reason),
    ...builtinPolicy.outward.map(({ does }) => does),
  ];
  expect(names).toEqual([...new Set(names)]);
  expect([...fileExamples.keys()].filter((name) => !names.includes(name))).toEqual([]);
});

const folder = new URL('../../src/commands/policy/', import.meta.url);
const textsIn = (path: string) =>
  readdirSync(new URL(path, folder))
    .filter((name) => name.endsWith('.jsonc'))
    .map((name): [string, string] => [name, readFileSync(new URL(`${path}${name}`, folder), 'utf8')]);

describe('the texts of the policy', () => {
  const subjects = textsIn('./').filter(([name]) => name !== 'shared.jsonc');

  test.each(subjects)('%s has the form that the rule files of people have', (_, text) => {
    const { rules, allow, doubts, outward } = readBuiltin(text, usualNames);
    for (const rule of rules) expect(() => Rule.parse(rule)).not.toThrow();
    for (const { when } of [...allow, ...doubts, ...outward])
      for (const one of when) expect(() => When.parse(one)).not.toThrow();
  });

  test('the README explains each condition', () => {
    const readme = readFileSync(new URL('README.md', folder), 'utf8');
    const explained = [...readme.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
    expect(explained.sort()).toEqual(Object.keys(When.shape).sort());
  });
});
