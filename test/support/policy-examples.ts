import { readdirSync, readFileSync } from 'node:fs';
import { readJsonc } from '../../src/base/text/jsonc.ts';
import { builtinPolicy } from '../../src/commands/policy/index.ts';

// The command lines with which the built-in rules are tested: the one that stands with each rule, and those in
// test/fixtures/policy-examples, in a file for each subject.

/**
 * Command lines by the verdict that they must get: `deny` and `pass` for a rule, `allow` and `unknown` for knowledge and
 * doubts, `outward` and `inward` for what a command does beyond this machine.
 */
type Examples = Record<'deny' | 'pass' | 'allow' | 'unknown' | 'outward' | 'inward', string[]>;

/** From the folder of the repository, in which tests and evaluations run. */
const FOLDER = 'test/fixtures/policy-examples';

/** The examples in files, by the id of a rule, by what knowledge is about, or by the reason of a doubt. */
export const fileExamples = new Map(
  readdirSync(FOLDER).flatMap((file) =>
    Object.entries(readJsonc(readFileSync(`${FOLDER}/${file}`, 'utf8')) as Record<string, Partial<Examples>>),
  ),
);

const all = (own: Partial<Examples> = {}, name: string): Examples => {
  const more = fileExamples.get(name);
  const both = (verdict: keyof Examples) => [...(own[verdict] ?? []), ...(more?.[verdict] ?? [])];
  return {
    deny: both('deny'),
    pass: both('pass'),
    allow: both('allow'),
    unknown: both('unknown'),
    outward: both('outward'),
    inward: both('inward'),
  };
};

export const ruleExamples = builtinPolicy.rules.map((rule) => ({ rule, ...all(rule.examples, rule.id) }));
export const knowledgeExamples = builtinPolicy.knowledge.map((entry) => ({
  entry,
  ...all(entry.examples, entry.about),
}));
export const doubtExamples = builtinPolicy.doubts.map((entry) => ({
  entry,
  ...all(entry.examples, entry.reason),
}));
export const outwardExamples = builtinPolicy.outward.map((entry) => ({
  entry,
  ...all(entry.examples, entry.does),
}));
