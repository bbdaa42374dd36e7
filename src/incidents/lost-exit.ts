import type { Line } from '../shell/line.ts';
import { outputKind } from '../shell/looks.ts';
import type { ShellPipeline, ShellStep } from '../shell/steps.ts';
import { isErrorLine, NOISE } from './error-lines.ts';
import { normaliseError, outputLines } from './normalise.ts';

// `xcodebuild test | tail -20` exits with 0 whatever xcodebuild says, so only its words tell how it went, and
// no list contains the words of every program. So here every line counts that calls itself an error, unless a
// line of success follows. If the exit code is the program's own, this would be wrong, because programs log
// errors and go on. In that case only the forms of detect.ts count.

/**
 * Programs behind a pipe that pick lines. The lines that they leave say little about how the program before
 * them ended.
 */
const PICKERS = /^(?:[ef]?grep|rg|ag|awk|jq|sed|wc|sort|uniq|cut|head)$/;

const runs = (step: ShellStep): boolean => outputKind(step) === 'runs';

/** Returns whether a line loses the exit code of what it runs: behind a pipe, a `;` or a `||`. */
export function losesExit(command: string, pipelines: readonly ShellPipeline[]): boolean {
  if (/\bpipefail\b/.test(command)) return false;
  const end = pipelines.at(-1)?.statement;
  return pipelines.some(({ steps, statement }) => {
    const last = steps.findLastIndex(runs);
    if (last < 0 || steps.slice(last + 1).some(({ program }) => PICKERS.test(program))) return false;
    return last < steps.length - 1 || statement !== end || command.includes('||');
  });
}

/**
 * Whether a call with exit code 0 shows the error with which another call had failed: `mvn -U verify | head
 * -3`. It counts only if the exit code is that of another program.
 *
 * @param failed what the failed call printed, and the lines of it that matter
 * @param shown what the other call printed
 */
export function showsAgain(failed: { printed: string; output: string }, line: Line, shown: string): boolean {
  const { text: command } = line;
  const pipelines = line.pipelines ?? [];
  const piped = pipelines.some(({ steps }) => steps.findLastIndex(runs) < steps.length - 1);
  if (/\bpipefail\b/.test(command) || !(piped || losesExit(command, pipelines))) return false;
  const lines = outputLines(shown).filter((line) => line.trim() !== '');
  const telling = new Set(
    [
      ...outputLines(failed.output),
      ...outputLines(failed.printed).filter((line) => isErrorLine(line) || ERROR.test(line)),
    ]
      .map(normaliseError)
      .filter((line) => line.length >= MIN_TELLING),
  );
  // numbers are not compared, so `12 tests, 0 failures` is like `12 tests, 12 failures`
  const isGood = (line: string) => HARMLESS.test(line) || (SUCCEEDED.test(line) && !NOT.test(line));
  const again = lines.findLastIndex((line) => !isGood(line) && telling.has(normaliseError(line)));
  return again >= 0 && !lines.slice(again + 1).some((line) => SUCCEEDED.test(line) && !NOT.test(line));
}

/** Shortest line that identifies an error, in characters. `Error:` alone may be the heading of anything. */
const MIN_TELLING = 12;

/** A line that calls itself an error, behind at most three words of who says so, or counts what failed. */
const ERROR = new RegExp(
  [
    '^[^\\p{L}\\d]*(?:[[(]?[\\p{L}\\d]\\S*\\s+){0,3}?[[(]?(?:error|fatal|severe|critical|failure)\\b(?:\\[[\\w-]+\\])?(?=\\s*[\\])]?\\s*[:!•(\\]]|\\s+\\[|$)',
    '^[^\\p{L}\\d]*(?:[\\w$]+(?:[.\\\\]|::))*[A-Z]\\w*(?:Error|Exception)(?=:|\\s*$)',
    '(?:^|[\\s,:[(])(?:[1-9]\\d* (?:failed|failing|failures?|errors?|issues? found)\\b)',
  ].join('|'),
  'iu',
);
const FAILED = /(?:^|[\s[(])FAILED(?:[\s\]):]|$)/;
/**
 * What a program says if it cannot go on. It counts only in a short output, because programs also say it
 * about lesser things.
 */
const REFUSES =
  /\b(?:could ?n[o']t|cannot|can't|unable to|^\W*failed|failed(?: to\b|:|!|\.?$)|does(?: not|n't) (?:exist|contain|match|support)|not (?:found|supported|allowed|permitted|recogni[sz]ed)|no (?:such|usable|matching)|none of|denied|refused|rejected|invalid|unknown|unrecogni[sz]ed|requires?|must|expired|please (?:specify|set|provide|install))\b(?!=0)/i;
const SUCCEEDED =
  /\b(?:succe(?:ss|eded|ssful|ssfully)|pass(?:ed|ing)|completed?|done|finished|up[- ]to[- ]date|(?:0|no) (?:errors?|failures?|failed|failing|problems?|issues?)|built|installed|created|applied|generated|compiled|listening|ready|deployed|published|uploaded|saved|wrote|written|added|updated)\b|(?:^|\s)(?:ok|[✓✔√✅])(?:\s|$)/i;
const NOT = /\b(?:not|un\w+|without|never)\b|n't\b/i;
/**
 * Lines that are no error whatever they hold: warnings, counts of none, errors that were put right, and a writer that
 * `head` has cut off.
 */
const HARMLESS =
  /\bwarn(?:ing)?s?\b|\bdeprecated\b|^\s*(?:note|hint|info)\b|\b(?:0|no) errors?\b|\b(?:fixed|resolved|retry(?:ing)?)\b|\bbroken pipe\b/i;
/** Longest short output, in lines. A program that cannot begin says so briefly. */
const MAX_SHORT = 8;
/** Only this many characters of a line are read. Its beginning tells what it is. */
const MAX_LINE = 300;

/** Returns whether the output of a program ends in an error, as far as words tell. */
export function endsInError(output: string[]): boolean {
  const lines = output.map((line) => line.slice(0, MAX_LINE)).filter((line) => line.trim() !== '');
  const isError = (line: string) => (ERROR.test(line) || FAILED.test(line)) && !HARMLESS.test(line);
  const error = lines.findLastIndex(isError);
  const success = lines.findLastIndex(
    (line, i) => i !== error && SUCCEEDED.test(line) && !NOT.test(line) && !isError(line),
  );
  if (error >= 0) return error > success;
  const telling = lines.filter((line) => !NOISE.test(line) && !HARMLESS.test(line));
  return success < 0 && lines.length <= MAX_SHORT && telling.slice(-2).some((line) => REFUSES.test(line));
}

/**
 * Whether a command line ends by printing its exit code (`…; echo "exit $?"`), and the output shows one that
 * is not 0.
 */
export const printsFailure = (command: string, output: string[]): boolean =>
  /\becho\b[^;|&]*\$(?:\?|\{?PIPESTATUS)[^;|&]*$/.test(command) &&
  /(?:^|[^\d.])[1-9]\d{0,2}\W*$/.test(output.findLast((line) => line.trim() !== '') ?? '');
