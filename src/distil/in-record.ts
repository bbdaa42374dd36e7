import { sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import type { GuardRule, Match } from '../guards/rule.ts';
import wellKnownText from '../shell/well-known.jsonc' with { type: 'text' };
import { readWordLists } from '../text/word-lists.ts';

// Nobody is believed who names what the session's record does not hold. A guard says in a machine's words what a person
// said in theirs (`git push --force` for “no force pushes”), so in a guard common knowledge may be named besides.

/** The calls and prompts of a session, without Lore's own tools: a proposal is one of their calls. */
const RECORD = sql`e.event in ('UserPromptSubmit', 'PostToolUse', 'PostToolUseFailure')
  and coalesce(e.tool_name, '') !~ '^mcp__.*lore'`;

/** What a lesson names: code, options, paths, files and numbers. */
const NAMES =
  /(?<![\w-])--?[a-z][\w-]*|(?:\.{0,2}|~|@[\w-]+)\/[\w./@-]*\w|[\w-]+(?:\/[\w.-]+){2,}|\b[\w-]{2,}\.[a-z]{1,5}\b|\b\d[\w.]*\b/gi;

/** Returns what a text names: the words in backticks, and outside of them options, paths, files and numbers. */
export function namedIn(text: string): string[] {
  const quoted = [...text.matchAll(/`([^`]+)`/g)].flatMap(([, code = '']) =>
    code.split(/[\s;&|]+/).filter((word) => /\w/.test(word)),
  );
  return [...new Set([...quoted, ...(text.replace(/`[^`]+`/g, ' ').match(NAMES) ?? [])])];
}

/** Returns the first of these names that no call and no prompt of a session holds; null if all are held. */
export async function unseenIn(tx: Tx, sessionId: string, names: string[]): Promise<string | null> {
  if (names.length === 0) return null;
  // a payload is searched as its JSON, in which quotes and line ends are escaped
  const written = names.map((name) => JSON.stringify(name).slice(1, -1).toLowerCase());
  const [first] = await query<{ n: number }>(
    tx,
    sql`select n::int as n from unnest(${sql.param(written)}::text[]) with ordinality w(name, n)
        where not exists (select from events e
          where e.session_id = ${sessionId} and ${RECORD} and strpos(lower(e.payload::text), w.name) > 0)
        order by n limit 1`,
  );
  return first === undefined ? null : (names[first.n - 1] ?? null);
}

const MAX_EVENTS = 500;
const MAX_LENGTH = 2_000;

/** Whether all that a guard names stands in a session's record, or everybody who writes software knows it. */
export async function knowsGuard(tx: Tx, sessionId: string, guard: GuardRule): Promise<boolean> {
  const [row] = await query<{ text: string | null }>(
    tx,
    sql`select string_agg(part, E'\n') as text from (
          select left(coalesce(payload ->> 'prompt', (payload -> 'tool_input')::text), ${MAX_LENGTH}::int) as part
          from events e where e.session_id = ${sessionId} and ${RECORD} order by id desc limit ${MAX_EVENTS}::int) e`,
  );
  const record = (row?.text ?? '').toLowerCase();
  const unless = guard.unless === undefined ? [] : [{ kind: 'command' as const, ...guard.unless }];
  return (
    [...guard.when, ...unless].every((match) => knows(record, match)) &&
    (guard.branch === undefined || isKnown(record, guard.branch))
  );
}

const wellKnown = readWordLists(wellKnownText, 'well-known.jsonc');
const PROGRAMS = wellKnown('programs');
const KNOWN_TO_ALL = wellKnown('all');
const EXTENSION = /^(?:\*\*\/)?\*?\.(?:\w{1,10}|\{[\w,]+\})$/;

function knows(record: string, match: Match): boolean {
  if (match.kind === 'mcp')
    return (
      isKnown(record, match.tool.replace(/^mcp__/, '').replaceAll('_', ' ')) &&
      isKnown(record, plainOf(match.pattern))
    );
  if (match.kind === 'path' || match.kind === 'content')
    return (
      (match.kind === 'path' || isKnown(record, plainOf(match.pattern))) &&
      (match.globs ?? []).every((glob) => EXTENSION.test(glob) || isKnown(record, glob))
    );
  const [program = '', ...verbs] = match.program.toLowerCase().split(/\s+/);
  const known = PROGRAMS.has(program);
  if (!known && !stands(record, program)) return false;
  // what a known program calls its options is common knowledge too
  const isOption = (word: string) => known && /^-{1,2}[a-z][\w-]*\*?$/i.test(word);
  return [...verbs, ...(match.args ?? [])].every((arg) => isOption(arg) || isKnown(record, arg));
}

/** Returns a regular expression without what is no text in it: `\bfoo\d+` is `foo`, and `[A-Za-z]{3,}` is nothing. */
const plainOf = (pattern = '') =>
  pattern
    .replace(/\(\?[a-z]+\)/g, ' ')
    .replace(/\\./g, ' ')
    .replace(/\[(?:\\.|[^\]\\])*\]|\{[\d,]*\}/g, ' ');

/** Whether the record has a word of a name, or all its words are common knowledge. A name without words is known. */
function isKnown(record: string, name: string): boolean {
  const words = name.toLowerCase().match(/[\p{L}\p{N}_]{2,}(?:-[\p{L}\p{N}_]+)*/gu) ?? [];
  return (
    words.length === 0 ||
    words.every((word) => KNOWN_TO_ALL.has(word)) ||
    words.some((word) => stands(record, word))
  );
}

/** Whether a text contains a word, or one that begins with it: `comment` is in `comments`, `ars` is not in `parse`. */
function stands(text: string, word: string): boolean {
  const plain = word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<![\\p{L}\\p{N}])${plain}`, 'u').test(text);
}
