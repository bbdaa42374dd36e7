import { z } from '@hono/zod-openapi';
import { JsonValue, storableText as text } from '../../kinds/values.ts';
import { Example, GuardRule, Match } from '../guards/rule.ts';

// The form in which whoever understands language hands in what is worth keeping: the agent in the session (MCP, shell,
// HTTP) or the person's model. One form, so that both are asked alike and checked alike.

/** Where a lesson or rule holds once it is confirmed: in its project, or in all of its user's. */
const scope = z.enum(['project', 'everywhere']).optional();

/** What answers an error, or a fact about the project. */
export const Remember = z.strictObject({
  /** what the call printed that failed */
  error: text(4000).optional(),
  /** what is true here */
  cause: text(2000).optional(),
  /** what to do, or not to do */
  do: text(2000).optional(),
  applies_when: text(2000).optional(),
  scope,
  /** of a fact: what kind it is, what it is about, and what is true */
  type: text(200).optional(),
  key: text(1000).optional(),
  value: JsonValue.optional(),
});
export type Remember = z.infer<typeof Remember>;

/** A call that a rule is about: the kind of match follows from what it names. */
const About = z.record(z.string(), z.unknown()).transform((about, c) => {
  const kind =
    'program' in about ? 'command' : 'tool' in about ? 'mcp' : 'pattern' in about ? 'content' : 'path';
  const read = Match.safeParse({ kind, ...about });
  if (read.success) return read.data;
  const [first] = read.error.issues;
  c.addIssue({ code: 'custom', message: `${first?.path.join('.') || kind}: ${first?.message}` });
  return z.NEVER;
});

/** A line of a shell may stand for its call. */
const Call = z.union([text(4000).transform((command) => ({ tool: 'Bash', input: { command } })), Example]);

/** A rule that a person stated. */
export const Rule = z.strictObject({
  /** the person's words, to the letter */
  words: z.string().trim().min(4).max(1000),
  /** what they mean, if the words alone do not say it */
  means: z.string().trim().max(1000).default(''),
  /** the calls that it is about; none: no single call shows whether it is kept */
  about: z.array(About).max(6).default([]),
  unless: GuardRule.shape.unless,
  then: z.enum(['tell', 'ask']),
  breaks: z.array(Call).max(4).default([]),
  keeps: z.array(Call).max(4).default([]),
  scope,
});
export type Rule = z.infer<typeof Rule>;

/** Most of each kind that are taken of an answer. */
const MOST = 3;
/** A list of which the items are left out that do not fit. */
const fitting = <T extends z.ZodType>(one: T) =>
  z
    .array(one.nullable().catch(null))
    .transform((all) => all.flatMap((item) => (item === null ? [] : [item as z.output<T>])).slice(0, MOST));

/** What a model answers after it has read a turn. */
export const Answer = z.object({ remember: fitting(Remember), rules: fitting(Rule) });
