import { z } from 'zod';
import { isObject } from '../text/json.ts';
import { readJsonc } from '../text/jsonc.ts';
import { at, fillPattern, type Names, NO_NAMES, namesOf, phrasesIn, wordsIn } from './rule-names.ts';
import type { Doubt, Knowledge, Outward, Rule } from './types.ts';
import { REGEX_FIELDS, When } from './when.ts';

// Reads texts of rules: the built-in ones beside policy/index.ts, and the files of people and projects. policy/README.md
// describes their form. Lists and patterns that a text names are put where it uses them.

/** The rules in a text. `off`: the ids of built-in rules that a person switched off. */
export type RuleText = {
  rules: Rule[];
  allow: Knowledge[];
  doubts: Doubt[];
  outward: Outward[];
  off: string[];
};

/** At most 85 characters, because the reason of a deny has 250 in all, with the command and the rule's id. */
const words = z.string().trim().min(3).max(85);
const condition = When.refine((when) => Object.keys(when).length > 0, 'must have a condition');
const lines = z.array(z.string()).default([]);

const rule = z.strictObject({
  id: z
    .string()
    .max(40)
    .regex(/^[a-z][\w-]*(\.[\w-]+)+$/, 'must look like subject.what'),
  severity: z.enum(['catastrophic', 'high', 'medium']).default('high'),
  reason: words,
  instead: words,
  when: z.array(condition).min(1).max(50),
  examples: z.strictObject({ deny: lines, pass: lines }).default({ deny: [], pass: [] }),
});
const allowed = z.strictObject({
  about: words,
  when: z
    .array(condition.refine((when) => when.program !== undefined, 'must name the program'))
    .min(1)
    .max(50),
  examples: z.strictObject({ allow: lines, unknown: lines }).default({ allow: [], unknown: [] }),
});

const ProjectText = z.strictObject({
  $schema: z.string().optional(),
  rules: z.array(rule).max(200).default([]),
});
const PersonText = ProjectText.extend({
  allow: z.array(allowed).max(200).default([]),
  off: z.array(z.string()).max(200).default([]),
});
/** People have no need of the fields that only it has: what they allow is allowed without further questions. */
const BuiltinText = z.strictObject({
  rules: z.array(rule).default([]),
  allow: z
    .array(
      allowed.extend({
        about: z.string(),
        looks: z.literal(true).optional(),
        keeps: z.literal(true).optional(),
        when: z.array(condition).min(1),
      }),
    )
    .default([]),
  doubts: z
    .array(
      z.strictObject({
        reason: z.string(),
        when: z.array(condition).min(1),
        examples: z.strictObject({ unknown: lines, allow: lines }).optional(),
      }),
    )
    .default([]),
  outward: z
    .array(
      z.strictObject({
        does: z.string(),
        when: z.array(condition).min(1),
        examples: z.strictObject({ outward: lines, inward: lines }).optional(),
      }),
    )
    .default([]),
});
const FORMS = { project: ProjectText, person: PersonText, builtin: BuiltinText };

/**
 * Returns the rules in a text.
 *
 * @param names what the text may use besides its own lists and patterns
 * @throws Error that names the field, or the line of a syntax error
 */
export function readRuleText(text: string, form: keyof typeof FORMS, names = NO_NAMES): RuleText {
  const { success, data, error } = FORMS[form].safeParse(filledIn(readJsonc(text), names));
  if (!success) {
    const [issue] = error.issues;
    const foreign = issue?.code === 'unrecognized_keys' && form === 'project';
    const hint = foreign && /allow|off/.test(String(issue.keys)) ? ' (a project can only deny more)' : '';
    throw new Error(`${issue?.path.join('.') || 'the file'}: ${issue?.message}${hint}`);
  }
  return { allow: [], doubts: [], outward: [], off: [], ...(data as Partial<RuleText> & { rules: Rule[] }) };
}

/**
 * Returns the rules in a text that comes with Lore. It is not checked, because that takes longer than all else that a start
 * does with rules: the tests do it.
 */
export function readTrusted(text: string, names: Names): RuleText {
  const content = filledIn(readJsonc(text), names) as Partial<RuleText>;
  return { rules: [], allow: [], doubts: [], outward: [], off: [], ...content };
}

/**
 * Returns a text's content, without its lists and patterns, which now stand where they were named. What has another form
 * than a rule stays as it is: the check finds it.
 */
function filledIn(content: unknown, outer: Names): unknown {
  if (!isObject(content)) return content;
  const { lists, patterns, ...rest } = content;
  const names = namesOf({ lists, patterns }, outer);
  const filled = Object.entries(rest).map(([key, entries]) => [
    key,
    Array.isArray(entries) ? entries.map((entry, n) => fillEntry(entry, names, `${key}.${n}`)) : entries,
  ]);
  return Object.fromEntries(filled);
}

function fillEntry(entry: unknown, names: Names, path: string): unknown {
  if (!isObject(entry) || !Array.isArray(entry.when)) return entry;
  const when = entry.when.map((one: unknown, n) =>
    isObject(one) ? at(`${path}.when.${n}`, () => fillWhen(one, names)) : one,
  );
  return { ...entry, when };
}

/** Fields whose texts hold words with blanks between them, and names of lists. */
const WORD_FIELDS = new Set(
  'program notProgram notFlags via notVia calls zone within writes runs code signals reaches'.split(' '),
);
const PATTERN_FIELDS: ReadonlySet<string> = new Set(REGEX_FIELDS);

function fillWhen(when: Record<string, unknown>, names: Names): Record<string, unknown> {
  const filled: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(when)) {
    if (PATTERN_FIELDS.has(field) && typeof value === 'string') filled[field] = fillPattern(value, names);
    else if (WORD_FIELDS.has(field) && isTexts(value)) filled[field] = wordsIn(value, names);
    else if (field === 'flags' && Array.isArray(value))
      filled[field] = value.map((group: unknown) => (isTexts(group) ? wordsIn(group, names) : group));
    else if (field === 'sub' && isTexts(value)) filled[field] = phrasesIn(value);
    else filled[field] = value;
  }
  return filled;
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((text) => typeof text === 'string');
