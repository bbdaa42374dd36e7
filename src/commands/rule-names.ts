import { z } from 'zod';
import { programs } from '../shell/lists.ts';

// Lists and patterns with names: texts of rules define them, and name them where they use them.

/** The lists and patterns that a text may use, by name. The lists of programs in shell/lists.jsonc are known everywhere. */
export type Names = {
  lists: ReadonlyMap<string, readonly string[]>;
  patterns: ReadonlyMap<string, string>;
};

export const NO_NAMES: Names = { lists: new Map(), patterns: new Map() };

/**
 * So many words has a list at most, and so many characters a pattern, when all that they name is put into them: a short
 * file whose names name each other would else become a huge one.
 */
const MAX_WORDS = 1000;
const MAX_PATTERN = 2000;
const NAME = /^[a-z][a-z0-9-]*$/;
const TextLists = z.record(z.string().regex(NAME), z.array(z.string()));
const TextPatterns = z.record(z.string().regex(NAME), z.union([z.string(), z.array(z.string())]));

/**
 * Returns the names that a text defines together with those that it may use. A definition may use those before it.
 *
 * @throws Error when a definition has another form, or uses a name that is not known yet
 */
export function namesOf(content: { lists?: unknown; patterns?: unknown }, outer: Names): Names {
  const lists = new Map(outer.lists);
  const patterns = new Map(outer.patterns);
  const names = { lists, patterns };
  for (const [name, texts] of Object.entries(checked('lists', TextLists, content.lists))) {
    const words = at(`lists.${name}`, () => wordsIn(texts, names));
    lists.set(name, words);
  }
  for (const [name, value] of Object.entries(checked('patterns', TextPatterns, content.patterns))) {
    const text = typeof value === 'string' ? value : `(${value.join('|')})`;
    const pattern = at(`patterns.${name}`, () => fillPattern(text, names, true));
    patterns.set(name, pattern);
  }
  return names;
}

/** Does some work. What it throws gets the field in front that it is about. */
export function at<T>(field: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new Error(`${field}: ${(error as Error).message}`);
  }
}

function checked<T>(field: string, form: z.ZodType<T>, value: unknown = {}): T {
  const { success, data, error } = form.safeParse(value);
  const [issue] = error?.issues ?? [];
  if (!success) throw new Error(`${[field, ...(issue?.path ?? [])].join('.')}: ${issue?.message}`);
  return data;
}

/**
 * Returns the words in texts, which stand between blanks. `@name` stands for the words of a list.
 *
 * @throws Error when there is no such list, or there are too many words
 */
export function wordsIn(texts: readonly string[], names: Names): readonly string[] {
  const [only = ''] = texts;
  if (texts.length === 1 && /^@\S+$/.test(only)) return listNamed(only.slice(1), names);
  const found: string[] = [];
  for (const word of texts.flatMap((text) => text.split(' '))) {
    if (word.startsWith('@')) found.push(...listNamed(word.slice(1), names));
    else found.push(word);
    if (found.length > MAX_WORDS) throw new Error(`more than ${MAX_WORDS} words in a list`);
  }
  return found;
}

function listNamed(name: string, { lists }: Names): readonly string[] {
  const own = lists.get(name);
  if (own) return own;
  try {
    return [...programs(name)];
  } catch {
    throw new Error(`there is no list “${name}”`);
  }
}

/** Returns the phrases in texts, which stand between commas: `stash drop, stash clear`. */
export const phrasesIn = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => text.split(',')).flatMap((phrase) => phrase.trim() || []);

/**
 * Returns a pattern with the patterns and lists that it names: `{name}`, and `{@name}` for any word of a list. A brace
 * behind a backslash means itself.
 *
 * @param strict whether what has the form of a name must be one. Else a brace also means itself where no pattern has a
 *   name: `stash@{upstream}`
 */
export function fillPattern(pattern: string, names: Names, strict = names.patterns.size > 0): string {
  let length = pattern.length;
  return pattern.replace(/(?<!\\)\{(@?)([a-z][a-z0-9-]*)\}/g, (text, sign: string, name: string) => {
    const part = sign !== '' ? listNamed(name, names).map(literal).join('|') : names.patterns.get(name);
    if (part === undefined && strict)
      throw new Error(`there is no pattern “${name}” (a brace that means itself is written \\\\{)`);
    length += part?.length ?? 0;
    if (length > MAX_PATTERN) throw new Error(`a pattern of more than ${MAX_PATTERN} characters`);
    return part ?? text;
  });
}

/** Returns a pattern that matches a text and nothing else. */
export const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
