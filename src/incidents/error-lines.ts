import { FORMS, isAnnouncement, NOISE, TYPES } from './forms.ts';

// Finds the lines of a tool's output that say what went wrong, by the forms in error-forms.jsonc.

export type Picked = { line: string; rank: number; type: string | null; root?: boolean | undefined };

/** The exit code of a call, and what `go run` says of its program's. */
export const EXIT = /^(?:(?:Error: )?Exit code -?\d+|exit status \d+)$/;

const HEADINGS = FORMS.filter(({ rank }) => rank === 5);
const MESSAGES = FORMS.filter(({ rank, explained }) => rank === 3 && !explained);
/** An exception by its name. */
const EXCEPTION = FORMS.find(({ pattern }) => pattern.source.includes('Caused by: '))?.pattern as RegExp;

/** The name of an exception, whose message stands on the line below. */
const NAME = /^\s*[A-Z][\w:.]*(?:Error|Exception|::E[A-Z]+): *$/;

/** Few lines that are no error contain one of these. It is tried first, because one pattern is fast. */
const HINT =
  /error|exception|fail|fatal|panic|critical|not ok |undefined (?:reference|symbol)|[●×✖✗✕✘]| line \d+\.$|\.go:\d|interrupt|fault|systemexit|stopiteration|no such file|permission denied|is a directory|not a directory|not permitted|file exists|refused|in use|not empty|no space left|^e: |rspec /i;
/** Among the lines with words of failure (rank 2), this matches those that clearly name an error. */
const OUTRIGHT = /\b(?:errors?|exceptions?|fail(?:ed|ures?)?|fatal|critical|panic)\b/i;

/**
 * Returns whether a line by itself reports an error. Unlike `pickLines` it does not look for the best lines, so all
 * errors of a long log are found.
 */
export function isErrorLine(line: string): boolean {
  if (!HINT.test(line) || NOISE.test(line)) return false;
  return FORMS.some(
    ({ rank, pattern }) => (rank >= 3 || (rank === 2 && OUTRIGHT.test(line))) && pattern.test(line),
  );
}

/** Returns the lines of error output that say what went wrong: those of the best rank, each with its explanation. */
export function pickLines(lines: string[]): Picked[] {
  let picked: Picked[] = [];
  let best = 0;
  let inTraceback = false;
  for (const [index, line] of lines.entries()) {
    const found = inTraceback && /^\S/.test(line) ? thrown(line) : formOf(line);
    inTraceback = line.startsWith('Traceback (most recent call last)') || (inTraceback && !/^\S/.test(line));
    if (found === null || found.rank < best) continue;
    if (found.rank > best) picked = [];
    best = found.rank;
    const root = found.thrown || CAUSE.test(line);
    // the last of several causes is the root, and the last of several tracebacks ended the program
    if (root && picked.at(-1)?.root) picked.pop();
    picked.push({ line, rank: best, type: found.type, root });
    // a test file that ended before its first test printed its error above its name
    const explanation =
      found.explained &&
      (explain(lines.slice(index + 1, index + 41)) ?? messageIn(lines.slice(Math.max(0, index - 40), index)));
    if (explanation)
      picked.push({ line: explanation, rank: best, type: EXCEPTION.exec(explanation)?.[1] ?? null });
  }
  return picked;
}

const CAUSE = /^\s*Caused by: /;

type Found = { rank: number; type: string | null; explained?: boolean | undefined; thrown?: boolean };

/** The line below a traceback names the exception, whatever its name looks like. */
const thrown = (line: string): Found => ({
  rank: 4,
  thrown: true,
  type: /^(?:[\w.]+\.)?(\w+)(?::|$)/.exec(line)?.[1] ?? null,
});

function formOf(line: string): Found | null {
  if (NOISE.test(line)) return null;
  for (const { pattern, rank, type, explained } of FORMS) {
    const match = pattern.exec(line);
    if (match) return { rank, explained, type: type === '$1' ? (match[1] ?? null) : (type ?? null) };
  }
  return null;
}

/** Returns the line that explains a heading, from those below it up to the next one. */
function explain(below: string[]): string | undefined {
  const next = below.findIndex((line) => HEADINGS.some(({ pattern }) => pattern.test(line)));
  const said = below.slice(0, next < 0 ? undefined : next).filter((line) => !NOISE.test(line));
  const line =
    messageIn(said) ??
    said.find((line) => EXCEPTION.test(line)) ??
    said.find((line) => !isAnnouncement(line) || line.endsWith(':'));
  // the message may stand on the line below the name of an exception; TAP writes it as a value of YAML
  return line !== undefined && NAME.test(line)
    ? `${line.trimEnd()} ${said[said.indexOf(line) + 1]?.trim() ?? ''}`
    : line?.replace(/^ +error: (["'])(.*)\1$/, '$2');
}

/** Returns the first line that names an exception, else the first error message. */
export function messageIn(lines: readonly string[]): string | undefined {
  const telling = lines.filter((line) => !NOISE.test(line) && (!isAnnouncement(line) || NAME.test(line)));
  return (
    telling.find((line) => EXCEPTION.test(line)) ??
    telling.find((line) => MESSAGES.some(({ pattern }) => pattern.test(line)))
  );
}

/** Types that only say what kind of program failed. A code found in the text is preferred to them. */
const GENERIC = /^(?:Error|test failure|compile error|lint error|build failure|fatal|panic)$/;

/** Returns the most specific error type of the lines, or null if none is known. */
export function errorTypeOf(picked: Picked[]): string | null {
  const named = picked.flatMap(({ type }) => type ?? []);
  const specific = named.find((type) => !GENERIC.test(type));
  if (specific) return specific;
  for (const { line } of picked) {
    for (const { pattern, type } of TYPES) {
      const match = pattern.exec(line);
      if (match) return type.replace('$1', match[1] ?? '');
    }
  }
  return (
    named.find((type) => type !== 'Error') ?? (picked[0]?.rank === 5 ? 'test failure' : (named[0] ?? null))
  );
}
