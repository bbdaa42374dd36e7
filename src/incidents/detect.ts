import type { Line } from '../shell/line.ts';
import { isShellTool } from '../shell/shell-tools.ts';
import { outputKind, type ShellPipeline, type ShellStep } from '../shell/steps.ts';
import { DIED, FAILED, HARMLESS, LAST_WORD, PASSED, SUCCEEDED } from './forms.ts';
import { outputLines } from './normalise.ts';

// Did a call fail? Its exit code says so, unless a pipe, a `;` or a `||` has lost it. Then the words of the program do:
// any line that calls itself an error, if no line of success follows. If the exit code is the program's own, that would
// be wrong, because programs log errors and go on; then only the forms count that nothing but a failure prints.

const CURL = /^(?:.*[\d-])?curl: \(\d+\) /;

/** Whether a step is what its line is about: it does not only show, prepare or fetch something. */
const runs = (step: ShellStep): boolean => outputKind(step) === 'runs';

type Voices = { runs: boolean; fetches: boolean; shows: boolean };

/**
 * Returns what a shell line prints: the output of programs that it runs, of the network, or of older files
 * and logs.
 */
function voices(pipelines: readonly ShellPipeline[]): Voices {
  const written = new Set<string>();
  const heard: Voices = { runs: false, fetches: false, shows: false };
  for (const { steps } of pipelines) {
    // steps before the last running program only feed it, and steps behind it filter its output
    const last = steps.findLast((step) => runs(step) || outputKind(step) === 'fetches');
    if (last) {
      for (const file of steps.flatMap(({ writes }) => writes)) written.add(file);
      heard[runs(last) ? 'runs' : 'fetches'] = true;
      continue;
    }
    const reader = steps.find((step) => outputKind(step) === 'reads' && (!step.piped || step.viaXargs));
    if (reader && !reader.args.some((arg) => written.has(arg))) heard.shows = true;
  }
  return heard;
}

/** Programs behind a pipe that pick lines. What they leave says little about how the program before them ended. */
const PICKERS = /^(?:[ef]?grep|rg|ag|awk|jq|sed|wc|sort|uniq|cut|head)$/;

/** Returns whether a line loses the exit code of what it runs: behind a pipe, a `;` or a `||`. */
export function losesExit({ text, pipelines }: Line): boolean {
  if (!pipelines || /\bpipefail\b/.test(text)) return false;
  const end = pipelines.at(-1)?.statement;
  return pipelines.some(({ steps, statement }) => {
    const last = steps.findLastIndex(runs);
    if (last < 0 || steps.slice(last + 1).some(({ program }) => PICKERS.test(program))) return false;
    return last < steps.length - 1 || statement !== end || text.includes('||');
  });
}

const NOT = /\b(?:not|un\w+|without|never)\b|n't\b/i;
/** Only this many characters of a line are read. Its beginning tells what it is. */
const MAX_LINE = 300;

/** Returns whether the last word of an output is an error, as far as words tell. */
function endsInError(output: string[]): boolean {
  const lines = output.map((line) => line.slice(0, MAX_LINE));
  const error = lines.findLastIndex((line) => LAST_WORD.test(line) && !HARMLESS.test(line));
  return error >= 0 && !lines.slice(error + 1).some((line) => SUCCEEDED.test(line) && !NOT.test(line));
}

function shellError(line: Line, output: string): string | null {
  if (!line.pipelines) return null;
  const { runs, fetches, shows } = voices(line.pipelines);
  if (shows || !(runs || fetches)) return null;
  const lines = outputLines(output);
  const has = (pattern: RegExp): boolean => lines.some((line) => pattern.test(line));
  const failed =
    (fetches && has(CURL)) ||
    (runs && has(FAILED)) ||
    (runs && !fetches && !has(PASSED) && (has(DIED) || (losesExit(line) && endsInError(lines))));
  return failed ? output.trim() : null;
}

const record = (value: unknown): Record<string, unknown> =>
  value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {};
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * Returns the error inside a tool call that counts as successful (PostToolUse), or null. Such an error is a shell
 * command whose exit code was lost in a pipe, `;` or `|| true`, or a response with `is_error`, `isError`, `success:
 * false` or `error`.
 *
 * Commands that only show text (`cat`, `git log`, `docker logs` …), text that is not valid bash and interrupted calls
 * return null, because a wrongly opened incident costs more than a missed one. The returned text is the whole output,
 * as `errorSignature` needs it.
 *
 * @param line what it ran in a shell; null for other tools
 * @example outputError('Bash', readLine('npm test | tail'), { stdout: 'Tests  2 failed | 3 passed (5)' })
 */
export function outputError(tool: string, line: Line | null, response: unknown): string | null {
  const fields = record(response);
  if (fields.interrupted === true) return null;
  if (isShellTool(tool)) {
    const output = typeof response === 'string' ? response : `${text(fields.stdout)}\n${text(fields.stderr)}`;
    return line && shellError(line, output);
  }
  const error = text(fields.error) || text(record(fields.error).message);
  const failed = fields.is_error === true || fields.isError === true || fields.success === false;
  if (!error && !failed) return null;
  const content = Array.isArray(fields.content)
    ? fields.content.map((part) => text(record(part).text)).join('\n')
    : '';
  return error || text(fields.message) || text(fields.content) || content || 'error';
}

const ASKING = new Set(
  'grep egrep fgrep zgrep rg ag ack diff colordiff cmp test [ [[ (( which type command pgrep pidof'.split(
    ' ',
  ),
);
const GIT_ASKING =
  /^(?:-C \S+ |--no-pager )*(?:diff\b.* (?:--exit-code|--quiet|--no-index|--check)\b|grep\b|merge-base --is-ancestor|show-ref\b|rev-parse\b|check-ignore\b|config --get\b)/;
const COMPLAINT =
  /^(?:[\w./+-]+: )+(?!type: ).*(?:No such file or directory|Permission denied|not found|Is a directory|(?:invalid|unrecognized|unknown) option)|^usage:/i;

function asks({ program, args }: ShellStep): boolean {
  if (program === 'git') return GIT_ASKING.test(args.join(' '));
  if (program === 'command') return /^-[vV]$/.test(args[0] ?? '');
  // checks of a pull request that failed, or are not done yet
  if (program === 'gh') return /^(?:pr checks|run (?:watch|view))\b/.test(args.join(' '));
  return ASKING.has(program) || (program === 'npm' && args[0] === 'outdated');
}

/**
 * Returns whether a failed shell command only answered "no": `grep`, `diff`, `test`, `which`, `git diff --exit-code` and
 * the like with exit code 1 (123 through `xargs`, 8 of `gh`) and no error in the output.
 *
 * @param error the client's text; its first line is `Exit code N`
 */
export function isExpectedExit(line: Line, error: string): boolean {
  const [first = '', ...output] = outputLines(error);
  if (!/^(?:Error: )?Exit code (?:1|8|123)$/.test(first)) return false;
  const pipelines = line.pipelines ?? [];
  // the exit code comes from the last statement, and there from the last command of each pipeline
  const deciding = pipelines.filter(({ statement }) => statement === pipelines.at(-1)?.statement);
  const ends = deciding.flatMap(({ steps }) => steps.at(-1) ?? []);
  if (!ends.some(asks) || deciding.some(({ nested }) => nested)) return false;
  if (ends.some((step) => !asks(step) && runs(step))) return false;
  // if a search finds nothing, the output is what the program before it printed to standard error
  if (pipelines.some(({ steps }) => steps.some(runs)) && endsInError(output)) return false;
  return !output.some((line) => FAILED.test(line) || DIED.test(line) || COMPLAINT.test(line));
}
