import { readdirSync, readFileSync } from 'node:fs';
import { readJsonc } from '../../src/base/text/jsonc.ts';
import { builtinPolicy } from '../../src/commands/policy/index.ts';

// The command lines with which the built-in rules are tested, in a file for each subject.

/**
 * Command lines by the verdict that they must get: `deny` and `pass` for a rule, `allow` and `unknown` for knowledge and
 * doubts, `outward` and `inward` for what a command does beyond this machine.
 */
const VERDICTS = ['deny', 'pass', 'allow', 'unknown', 'outward', 'inward'] as const;
type Examples = Record<(typeof VERDICTS)[number], string[]>;

/** From the folder of the repository, in which tests and evaluations run. */
const FOLDER = 'test/fixtures/policy-examples';

/** The examples in files, by the id of a rule, by what knowledge is about, or by the reason of a doubt. */
export const fileExamples = new Map(
  readdirSync(FOLDER).flatMap((file) =>
    Object.entries(readJsonc(readFileSync(`${FOLDER}/${file}`, 'utf8')) as Record<string, Partial<Examples>>),
  ),
);

const of = (name: string) =>
  Object.fromEntries(VERDICTS.map((one) => [one, fileExamples.get(name)?.[one] ?? []])) as Examples;

export const ruleExamples = builtinPolicy.rules.map((rule) => ({ rule, ...of(rule.id) }));
export const knowledgeExamples = builtinPolicy.knowledge.map((entry) => ({ entry, ...of(entry.about) }));
export const doubtExamples = builtinPolicy.doubts.map((entry) => ({ entry, ...of(entry.reason) }));
export const outwardExamples = builtinPolicy.outward.map((entry) => ({ entry, ...of(entry.does) }));
