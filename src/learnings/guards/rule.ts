import { z } from 'zod';

// A person's rule as data: which calls it is about, unless what, and what then happens. It is what decides whether a
// call is stopped; the sentence is only quoted.

/** Shell words. `*` in a word stands for any characters; a word without it must be equal. */
const word = z.string().min(1).max(200);
const glob = z.string().min(1).max(300);

/** A shell command, in any spelling: `docker-compose` is `docker compose`, `npx x` and `pnpm exec x` are `x`. */
const CommandMatch = z.strictObject({
  kind: z.literal('command'),
  /** the program, with the words that choose what it does: `npm`, `git push`, `docker compose`; `*` for any */
  program: word,
  /**
   * words that must all be among the arguments: `--force`, `lodash`, `*.sql`; also the branch of a push or a commit (`main`)
   * and a variable that is set (`CI=0`)
   */
  args: z.array(word).max(8).optional(),
  /** words of which none may be among the arguments, nor be what runs the program (`uv` of `uv run pytest`) */
  without: z.array(word).max(8).optional(),
});

/** A file that a call changes, by a tool or by a shell command; with `reads` one that it reads or names, too. */
const PathMatch = z.strictObject({
  kind: z.literal('path'),
  /** globs relative to the work tree: `config/licenses.json`, `db/migrations/**`, `*.env` (in any folder) */
  globs: z.array(glob).min(1).max(8),
  except: z.array(glob).max(8).optional(),
  reads: z.literal(true).optional(),
});

/** New text that a call is about to write into a file. */
const ContentMatch = z.strictObject({
  kind: z.literal('content'),
  /** RE2 expression; `^` and `$` are the ends of a line */
  pattern: z.string().min(1).max(300),
  globs: z.array(glob).max(8).optional(),
});

/** A call of an MCP tool. */
const McpMatch = z.strictObject({
  kind: z.literal('mcp'),
  /** name of the tool, `*` for any characters: `mcp__db__*` */
  tool: glob,
  /** a field of the input, with dots: `query`, `options.force`; absent: the whole input as JSON */
  field: z.string().max(100).optional(),
  /** RE2 expression that the field must fit; absent: any call of the tool */
  pattern: z.string().max(300).optional(),
});

export const Match = z.discriminatedUnion('kind', [CommandMatch, PathMatch, ContentMatch, McpMatch]);
export type Match = z.infer<typeof Match>;

/** A call as an example shows it. */
export const Example = z.strictObject({
  tool: z.string().min(1).max(200),
  /** the fields that matter: `{command}`, `{file_path, new_string}`, `{file_path, content}`, or those of an MCP tool */
  input: z.record(z.string(), z.unknown()),
  /** the branch that is checked out; absent: main */
  branch: z.string().min(1).max(200).optional(),
});
export type Example = z.infer<typeof Example>;

export const GuardRule = z.strictObject({
  /** the rule is about a call that fits any of these */
  when: z.array(Match).min(1).max(6),
  /** a command that must have passed since the last change of a file, or stand earlier in the same line */
  unless: z.strictObject({ program: word, args: z.array(word).max(8).optional() }).optional(),
  /** the rule is told with the call, the client asks the person, or the call is denied */
  then: z.enum(['tell', 'ask', 'deny']),
  /** calls that break the rule, and calls that do not: it acts only if it sorts them rightly */
  breaks: z.array(Example).min(1).max(4),
  keeps: z.array(Example).min(1).max(4),
});
export type GuardRule = z.infer<typeof GuardRule>;
