// A model is believed only if the record that it was given contains what the model names.

/** Returns all strings within a value. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** What a lesson names: code, options, paths, files and numbers. */
const NAMES =
  /(?<![\w-])--?[a-z][\w-]*|(?:\.{0,2}|~|@[\w-]+)\/[\w./@-]*\w|[\w-]+(?:\/[\w.-]+){2,}|\b[\w-]{2,}\.[a-z]{1,5}\b|\b\d[\w.]*\b/gi;

/**
 * Returns the first thing that a lesson names but the record does not contain; null if there is none. Words
 * in backticks may be at different places in the record, because a lesson may join two commands.
 */
export const nameNotIn = (record: string, lesson: string): string | null =>
  namedIn(lesson).find((name) => !holds(record, name)) ?? null;

/** Returns what a lesson names: the words in backticks, and outside of them options, paths, files and numbers. */
export function namedIn(lesson: string): string[] {
  const quoted = [...lesson.matchAll(/`([^`]+)`/g)].flatMap(([, code = '']) =>
    code.split(/[\s;&|]+/).filter((word) => /\w/.test(word)),
  );
  return [...quoted, ...(lesson.replace(/`[^`]+`/g, ' ').match(NAMES) ?? [])];
}

/** Whether a record contains a name as a whole: `20` is not in `2000`. */
const holds = (record: string, name: string): boolean => stands(record, name, '\\w');

/** Whether a text names a thing: `route` is not in `route-planner`. */
export const names = (text: string, thing: string): boolean => stands(text, thing, '\\w-');

function stands(text: string, name: string, within: string): boolean {
  const plain = name.replace(/[.,:]+$/, '').replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<![${within}])${plain}(?![${within}])`, 'i').test(text);
}
