import { z } from 'zod';
import { isObject } from '../base/text/json.ts';
import { readJsonc } from '../base/text/jsonc.ts';
import { programs } from '../shell/names.ts';
import { EFFECTS } from '../shell/types.ts';
import { ZONES } from '../shell/zones.ts';

// Reads texts of rules: the built-in ones beside policy/index.ts, and the files of people and projects. policy/README.md
// describes their form. Lists and patterns that a text names are put where it uses them.

const list = z.array(z.string().min(1)).min(1);
const zones = z.array(z.enum(ZONES)).min(1).optional();
const pattern = z.string().refine(isRegex, 'must be a regular expression').optional();
const count = z.number().int().optional();

function isRegex(source: string): boolean {
  try {
    return source.length <= 5000 && new RegExp(source, 'i') instanceof RegExp;
  } catch {
    return false;
  }
}

export const When = z.strictObject({
  program: list.optional(),
  notProgram: list.optional(),
  sub: list.optional(),
  flags: z.array(list).optional(),
  notFlags: list.optional(),
  arg: pattern,
  notArg: pattern,
  everyArg: pattern,
  line: pattern,
  notLine: pattern,
  known: z.literal(true).optional(),
  installed: z.boolean().optional(),
  zone: zones,
  within: zones,
  paths: z.enum(['all', 'first', 'rest', 'last', 'none']).optional(),
  script: pattern,
  path: pattern,
  writes: zones,
  writesTo: pattern,
  runs: zones,
  remote: z.boolean().optional(),
  open: z.boolean().optional(),
  input: z.enum(['secret', 'pipe', 'text', 'plain']).optional(),
  stdin: pattern,
  from: pattern,
  notFrom: pattern,
  executes: pattern,
  code: z.array(z.enum(EFFECTS)).optional(),
  verbs: pattern,
  notVerbs: pattern,
  via: list.optional(),
  notVia: list.optional(),
  env: pattern,
  notEnv: pattern,
  signals: z.array(z.enum(['lore', 'unknown'])).optional(),
  reaches: z.array(z.enum(['lore', 'unknown'])).optional(),
  minWords: count,
  maxWords: count,
});
export type When = z.infer<typeof When>;

/** The conditions that are patterns. */
export const isPattern = (field: string): boolean =>
  (When.shape as Record<string, unknown>)[field] === pattern;

/**
 * A condition in force. `linear`: it comes from a file, so its patterns are matched in linear time and cannot stall the
 * server.
 */
export type LoadedWhen = When & { linear?: true };

/** At most 85 characters, because the reason of a deny has 250 in all, with the command and the rule's id. */
const words = z.string().trim().min(3).max(85);
const condition = When.refine((when) => Object.keys(when).length > 0, 'must have a condition');
const lines = z.array(z.string()).default([]);

/** A rule: a reason to deny, as data. */
export const Rule = z.strictObject({
  /** `<subject>.<what>` */
  id: z
    .string()
    .max(40)
    .regex(/^[a-z][\w-]*(\.[\w-]+)+$/, 'must look like subject.what'),
  severity: z.enum(['catastrophic', 'high', 'medium']).default('high'),
  /** what is wrong with the command, in a few words */
  reason: words,
  /** what to do instead */
  instead: words,
  when: z.array(condition).min(1).max(50),
  /** command lines that the rule must catch (`deny`) and must not catch (`pass`) */
  examples: z.strictObject({ deny: lines, pass: lines }).default({ deny: [], pass: [] }),
});

/** A kind of command known to be read-only or to stay inside the project, as data. One that matches allows a command. */
export const Allowed = z.strictObject({
  about: words,
  when: z
    .array(condition.refine((when) => when.program !== undefined, 'must name the program'))
    .min(1)
    .max(50),
  examples: z.strictObject({ allow: lines, unknown: lines }).default({ allow: [], unknown: [] }),
});

/**
 * A way to call a known program that knowledge does not allow, as data. A person's own file can still allow
 * it.
 */
export type Doubt = { reason: string; when: LoadedWhen[] };

/**
 * What reaches beyond this machine or brings something in from outside, as data. It changes no verdict: the client asks
 * about a command that is allowed and does this, as it does without Lore (docs/permissions.md).
 */
export type Outward = {
  /** what the command does, to be read behind “it” */
  does: string;
  when: LoadedWhen[];
};

const ProjectFile = z.strictObject({
  $schema: z.string().optional(),
  rules: z.array(Rule).max(200).default([]),
});
const PersonFile = ProjectFile.extend({
  allow: z.array(Allowed).max(200).default([]),
  /** the ids of rules that a person switched off */
  off: z.array(z.string()).max(200).default([]),
});
export type RuleFile = Omit<z.infer<typeof PersonFile>, '$schema'>;

/**
 * Returns the rules in the file of a person or of a project.
 *
 * @throws Error that names the field, or the line of a syntax error
 */
export function readRuleFile(text: string, owner: 'project' | 'person'): RuleFile {
  const form = owner === 'person' ? PersonFile : ProjectFile;
  const { success, data, error } = form.safeParse(filledIn(readJsonc(text), NO_NAMES));
  if (success) return { allow: [], off: [], ...data };
  const [issue] = error.issues;
  const foreign = issue?.code === 'unrecognized_keys' && owner === 'project';
  const hint = foreign && /allow|off/.test(String(issue.keys)) ? ' (a project can only deny more)' : '';
  throw new Error(`${issue?.path.join('.') || 'the file'}: ${issue?.message}${hint}`);
}

/** What a built-in text says. `options`: those that do no harm, by program or by program and subcommand, see options.ts. */
type BuiltinText = {
  rules: z.infer<typeof Rule>[];
  allow: z.infer<typeof Allowed>[];
  doubts: Doubt[];
  outward: Outward[];
  options: Record<string, string>;
};

/**
 * Returns the rules in a text that comes with Lore. It is not checked, because that takes longer than all else that a start
 * does with rules: the tests do it.
 */
export function readBuiltin(text: string, outer: Names): BuiltinText {
  const { lists, patterns, options = {}, ...rest } = readJsonc(text) as Definitions & Partial<OptionLists>;
  const names = namesOf({ lists, patterns }, outer);
  const content = filledIn(rest, names) as Partial<BuiltinText>;
  const table = Object.entries(options).map(([key, words]) => [key, wordsIn(words, names).join(' ')]);
  return { rules: [], allow: [], doubts: [], outward: [], ...content, options: Object.fromEntries(table) };
}

/** The lists and patterns that a text may use, by name. The lists of programs in shell/lists.jsonc are known everywhere. */
export type Names = { lists: ReadonlyMap<string, readonly string[]>; patterns: ReadonlyMap<string, string> };
export const NO_NAMES: Names = { lists: new Map(), patterns: new Map() };

type OptionLists = { options: Record<string, string[]> };
type Definitions = {
  lists?: Record<string, string[]> | undefined;
  patterns?: Record<string, string | string[]> | undefined;
};

/** Returns the names that a text defines together with those that it may use. A definition may use those before it. */
export function namesOf(content: Definitions, outer: Names): Names {
  const names = { lists: new Map(outer.lists), patterns: new Map(outer.patterns) };
  for (const [name, texts] of Object.entries(content.lists ?? {}))
    names.lists.set(name, wordsIn(texts, names));
  for (const [name, value] of Object.entries(content.patterns ?? {})) {
    const text = typeof value === 'string' ? value : `(${value.join('|')})`;
    names.patterns.set(name, fillPattern(text, names));
  }
  return names;
}

/**
 * Returns a text's content with the words of lists and the patterns where they were named. What has another form than a
 * rule stays as it is: the check finds it.
 */
function filledIn(content: unknown, names: Names): unknown {
  if (!isObject(content)) return content;
  const fill = (entry: unknown) =>
    isObject(entry) && Array.isArray(entry.when)
      ? { ...entry, when: entry.when.map((one) => (isObject(one) ? fillWhen(one, names) : one)) }
      : entry;
  const entries = Object.entries(content);
  return Object.fromEntries(
    entries.map(([key, value]) => [key, Array.isArray(value) ? value.map(fill) : value]),
  );
}

function fillWhen(when: Record<string, unknown>, names: Names): Record<string, unknown> {
  const fill = (field: string, value: unknown): unknown => {
    if (typeof value === 'string') return isPattern(field) ? fillPattern(value, names) : value;
    if (field === 'flags' && Array.isArray(value)) return value.map((group) => fill('notFlags', group));
    if (!Array.isArray(value) || !value.every((text) => typeof text === 'string')) return value;
    return field === 'sub' ? phrasesIn(value) : wordsIn(value, names);
  };
  return Object.fromEntries(Object.entries(when).map(([field, value]) => [field, fill(field, value)]));
}

/**
 * Returns the words in texts, which stand between blanks. `@name` stands for the words of a list.
 *
 * @throws Error when there is no such list
 */
const wordsIn = (texts: readonly string[], names: Names): readonly string[] =>
  texts
    .flatMap((text) => text.split(' '))
    .flatMap((word) => (word.startsWith('@') ? listNamed(word.slice(1), names) : word));

function listNamed(name: string, { lists }: Names): readonly string[] {
  try {
    return lists.get(name) ?? [...programs(name)];
  } catch {
    throw new Error(`there is no list “${name}”`);
  }
}

/** Returns the phrases in texts, which stand between commas: `stash drop, stash clear`. */
const phrasesIn = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => text.split(',')).flatMap((phrase) => phrase.trim() || []);

/**
 * Returns a pattern with the patterns and lists that it names: `{name}`, and `{@name}` for any word of a list. A brace
 * that names no pattern means itself.
 */
const fillPattern = (pattern: string, names: Names): string =>
  pattern.replace(/(?<!\\)\{(@?)([a-z][a-z0-9-]*)\}/g, (text, sign: string, name: string) =>
    sign !== '' ? listNamed(name, names).map(literal).join('|') : (names.patterns.get(name) ?? text),
  );

/** Returns a pattern that matches a text and nothing else. */
export const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
