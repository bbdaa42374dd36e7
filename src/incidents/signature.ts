import { createHash } from 'node:crypto';
import { clip } from '../base/text/clip.ts';
import { readLine } from '../shell/line.ts';
import { isShellTool, takesFields } from '../shell/shell-tools.ts';
import { EXIT, errorTypeOf, messageIn, type Picked, pickLines } from './error-lines.ts';
import { isAnnouncement, NOISE } from './forms.ts';
import { cutWord, normaliseError, outputLines } from './normalise.ts';

const MAX_SALIENT = 500;
const MAX_LINES = 3;
/** How many lines are compared to find different ones, because a compiler may report the same for a thousand places. */
const MAX_CANDIDATES = 100;
const MAX_PICKED_LINE = 250;

/** Removes the mark that TAP sets before what a test file printed itself. What a runner says of its tests keeps it. */
const withoutMarks = (lines: string[]): string[] =>
  lines.some((line) => /^TAP version \d|^\s*not ok \d|^# +Failed test /.test(line))
    ? lines.map((line) =>
        line.replace(
          /^(\s*)# (?!Subtest: |(?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) \d)/,
          '$1',
        ),
      )
    : lines;

/**
 * Returns what identifies a failure, so that it is recognised on another machine, on another day or in another folder:
 *
 * - `salient`: at most three lines that say what went wrong, as printed (≤ 500 characters), for people and models; a
 *   fourth if these only name tests
 * - `text`: the same lines through {@link normaliseError} (≤ 600 characters), for search
 * - `id`: 16 hex digits of SHA-256 over tool, program and text. Only Bash has a program; other tools' target is a file.
 * - `errorType`: `TypeError`, `TS2345`, `ENOENT`, `test failure`, `command not found` …; null if unknown
 *
 * Reads at most 200,000 characters; never throws.
 *
 * @param input.error must be redacted already
 * @example
 * // The same id wherever the project lies and however long the run took:
 * errorSignature({ tool: 'Bash', target: 'npm test', error: "Error: Cannot find module '/home/a/x.js'" })
 */
export function errorSignature(input: { tool: string; target: string | null; error: string }) {
  const lines = outputLines(input.error.replaceAll(/<\/?tool_use_error>/g, ''));
  const body = withoutMarks(lines).filter((line) => line.trim() !== '' && !EXIT.test(line));
  const shell = isShellTool(input.tool);
  // errors of other tools begin with the message, and text of the user follows it
  const readsOutput = shell || takesFields(input.tool);
  const picked = readsOutput ? pickLines(body) : [];

  const chosen: Picked[] = [];
  const texts: string[] = [];
  const take = (found: Picked): void => {
    // the cut comes after normalising, so that a longer path does not move it
    const text = cutWord(normaliseError(found.line), MAX_PICKED_LINE);
    if (text === '' || texts.includes(text)) return;
    texts.push(text);
    chosen.push(found);
  };
  for (const found of picked.slice(0, MAX_CANDIDATES)) if (texts.length < MAX_LINES) take(found);
  if (texts.length === 0) {
    const substance = body.filter((line) => !NOISE.test(line));
    const exit = lines.find((line) => EXIT.test(line));
    const line = (shell ? substance.at(-1) : substance[0]) ?? exit ?? body[0] ?? '';
    take({ line, rank: 0, type: EXIT.test(line) ? 'exit code' : null });
  }

  // a heading says little without the line below it
  const [heading] = chosen;
  if (readsOutput && chosen.length === 1 && heading?.line.trimEnd().endsWith(':')) {
    const below = body.slice(body.indexOf(heading.line) + 1).find((line) => !NOISE.test(line));
    if (below !== undefined) take({ ...heading, line: below });
  }

  const text = normaliseError(texts.join('\n'));
  const program = shell && input.target !== null ? readLine(input.target).program : '';
  const hash = createHash('sha256').update([input.tool, program, text].join('\0')).digest('hex');
  // people and models need the cause too; it is left out of the id, which would change with each test
  const told = (line: string) => !isAnnouncement(line);
  const cause =
    readsOutput && !chosen.some(({ line }) => told(line))
      ? (picked.find(({ line }) => told(line))?.line ?? messageIn(body))
      : undefined;
  const salient = [...chosen.map(({ line }) => line), ...(cause === undefined ? [] : [cause])]
    .map((line) => clip(line.replace(/\s+/g, ' ').trim(), MAX_PICKED_LINE))
    .join('\n');
  return {
    id: hash.slice(0, 16),
    text,
    errorType: errorTypeOf(chosen),
    salient: clip(salient, MAX_SALIENT),
  };
}
