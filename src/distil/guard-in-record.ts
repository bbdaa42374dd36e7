import type { GuardRule, Match } from '../guards/rule.ts';
import { sortsExamples } from '../guards/verify.ts';
import text from '../shell/well-known.jsonc' with { type: 'text' };
import { readWordLists } from '../text/word-lists.ts';

// A guard says in a machine's words what a person said in theirs: for “no force pushes” it names `git push --force`. So
// its names need not all stand in the record, but none may be made up. A name is known if the record has one of its
// words, or if all of them are common knowledge. What names anything else is taken out; the rest must still be a rule.
// Whether that is right is tried elsewhere, on examples and calls.

/** Names that everybody who writes software knows. */
const wellKnown = readWordLists(text, 'well-known.jsonc');
const PROGRAMS = wellKnown('programs');
const KNOWN_TO_ALL = wellKnown('all');
const MIN_WORD = 2;
const EXTENSION = /^(?:\*\*\/)?\*?\.(?:\w{1,10}|\{[\w,]+\})$/;

/** Returns a guard without the matches and globs that name what nobody knows; null if nothing of it is left. */
export function guardInRecord(record: string, guard: GuardRule): GuardRule | null {
  const text = record.toLowerCase();
  const around = [guard.branch].filter((name) => name !== undefined);
  const unless = guard.unless === undefined || isKnownMatch(text, { kind: 'command', ...guard.unless });
  if (!unless || !around.every((name) => isKnown(text, name))) return null;
  const when = guard.when.flatMap((match) => knownOf(text, match) ?? []);
  if (when.length === 0) return null;
  if (JSON.stringify(when) === JSON.stringify(guard.when)) return guard;
  // an example that only what was taken out would see is gone with it
  const breaks = guard.breaks.filter(
    (one) => sortsExamples({ ...guard, when, breaks: [one], keeps: [] }) === null,
  );
  return breaks.length === 0 ? null : { ...guard, when, breaks };
}

/** Returns a match without the globs that nobody knows; null if it is made up. */
function knownOf(text: string, match: Match): Match | null {
  if (match.kind === 'command' || match.kind === 'mcp') return isKnownMatch(text, match) ? match : null;
  if (match.kind === 'content' && !isKnown(text, plainOf(match.pattern))) return null;
  const globs = match.globs?.filter((glob) => EXTENSION.test(glob) || isKnown(text, glob)) ?? [];
  // without its globs a pattern would be about every file
  if (globs.length === 0 && (match.globs?.length ?? 0) > 0) return null;
  return { ...match, ...(match.globs && { globs }) } as Match;
}

function isKnownMatch(text: string, match: Extract<Match, { kind: 'command' | 'mcp' }>): boolean {
  if (match.kind === 'mcp') {
    const name = match.tool.replace(/^mcp__/, '').replaceAll('_', ' ');
    return isKnown(text, name) && isKnown(text, plainOf(match.pattern ?? ''));
  }
  const [program = '', ...verbs] = match.program.toLowerCase().split(/\s+/);
  const known = PROGRAMS.has(program);
  if (!known && !stands(text, program)) return false;
  // what a known program calls its options is common knowledge too
  const isOption = (word: string) => known && /^-{1,2}[a-z][\w-]*\*?$/i.test(word);
  // what makes a call innocent may be called anything
  return [...verbs, ...(match.args ?? [])].every((arg) => isOption(arg) || isKnown(text, arg));
}

/** Returns a regular expression without what is no text in it: `\bfoo\d+` is `foo`, and `[A-Za-z]{3,}` is nothing. */
const plainOf = (pattern: string) =>
  pattern
    .replace(/\(\?[a-z]+\)/g, ' ')
    .replace(/\\./g, ' ')
    .replace(/\[(?:\\.|[^\]\\])*\]|\{[\d,]*\}/g, ' ');

/** Whether the record has a word of a name, or all its words are common knowledge. A name without words is known. */
function isKnown(text: string, name: string): boolean {
  const words = name.toLowerCase().match(/[\p{L}\p{N}_]+(?:-[\p{L}\p{N}_]+)*/gu) ?? [];
  const own = words.filter((word) => word.length >= MIN_WORD);
  return (
    own.length === 0 || own.every((word) => KNOWN_TO_ALL.has(word)) || own.some((word) => stands(text, word))
  );
}

/** Whether a text contains a word, or one that begins with it: `comment` is in `comments`, `ars` is not in `parse`. */
function stands(text: string, word: string): boolean {
  const plain = word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<![\\p{L}\\p{N}])${plain}`, 'u').test(text);
}
