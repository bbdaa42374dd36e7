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
