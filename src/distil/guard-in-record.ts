import type { GuardRule, Match } from '../guards/rule.ts';
import { WELL_KNOWN_NAMES, WELL_KNOWN_PROGRAMS, WELL_KNOWN_VERBS } from './well-known.ts';

// A guard says in a machine's words what a person said in theirs: for “no force pushes” it names `git push --force`. So
// its names need not all stand in the record, but none may be made up. A name is known if the record has one of its
// words, or if all of them are common knowledge. Whether the guard is right is tried elsewhere, on examples and calls.

const MIN_WORD = 2;
const EXTENSION = /^(?:\*\*\/)?\*?\.(?:\w{1,5}|\{[\w,]+\})$/;

/** Returns the first name in a guard that is neither in the record nor common knowledge; null if there is none. */
export function guardNotIn(record: string, guard: GuardRule): string | null {
  const text = record.toLowerCase();
  const unless = guard.unless ? [{ kind: 'command', ...guard.unless } as const] : [];
  for (const match of [...guard.when, ...unless]) {
    const unknown = unknownIn(text, match);
    if (unknown !== null) return unknown;
  }
  const around = [guard.branch, guard.environment].filter((name) => name !== undefined);
  return around.find((name) => !isKnown(text, name)) ?? null;
}

function unknownIn(text: string, match: Match): string | null {
  switch (match.kind) {
    case 'command': {
      const [program = '', ...verbs] = match.program.toLowerCase().split(/\s+/);
      const wellKnown = WELL_KNOWN_PROGRAMS.has(program);
      if (!wellKnown && !stands(text, program)) return match.program;
      // what a known program calls its options is common knowledge too
      const isOption = (word: string) => wellKnown && /^-{1,2}[a-z][\w-]*$/i.test(word);
      const args = [...verbs, ...(match.args ?? []), ...('without' in match ? (match.without ?? []) : [])];
      return args.find((arg) => !isOption(arg) && !isKnown(text, arg)) ?? null;
    }
    case 'path':
      return unknownGlob(text, [...match.globs, ...(match.except ?? [])]);
    case 'content':
      return isKnown(text, plainOf(match.pattern)) ? unknownGlob(text, match.globs ?? []) : match.pattern;
    case 'mcp': {
      const name = match.tool.replace(/^mcp__/, '');
      if (!isKnown(text, name)) return match.tool;
      return isKnown(text, plainOf(match.pattern ?? '')) ? null : (match.pattern ?? null);
    }
  }
}

const unknownGlob = (text: string, globs: string[]) =>
  globs.find((glob) => !EXTENSION.test(glob) && !isKnown(text, glob)) ?? null;

/** Returns a regular expression without what is no text in it: `\bfoo\d+` is `foo`. */
const plainOf = (pattern: string) => pattern.replace(/\(\?[a-z]+\)/g, ' ').replace(/\\[a-zA-Z]/g, ' ');

/** Whether the record has a word of a name, or all its words are common knowledge. A name without words is known. */
function isKnown(text: string, name: string): boolean {
  const words = name.toLowerCase().match(/[\p{L}\p{N}_]+(?:-[\p{L}\p{N}_]+)*/gu) ?? [];
  const own = words.filter((word) => word.length >= MIN_WORD);
  const common = (word: string) =>
    WELL_KNOWN_NAMES.has(word) || WELL_KNOWN_VERBS.has(word) || WELL_KNOWN_PROGRAMS.has(word);
  return own.length === 0 || own.every(common) || own.some((word) => stands(text, word));
}

/** Whether a text contains a word, or one that begins with it: `comment` is in `comments`, `ars` is not in `parse`. */
function stands(text: string, word: string): boolean {
  const plain = word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<![\\p{L}\\p{N}])${plain}`, 'u').test(text);
}
