import type { Line } from '../shell/line.ts';
import { outputKind } from '../shell/looks.ts';
import { isShellTool } from '../shell/shell-tools.ts';
import type { ShellPipeline, ShellStep } from '../shell/steps.ts';
import { endsInError, losesExit, printsFailure } from './lost-exit.ts';
import { outputLines } from './normalise.ts';

// Lines that only a failure prints. A tally must count at least one: "0 failed" is a success.
const FAILED = new RegExp(
  [
    // test runners
    '^\\s*(?:Test Files|Tests) +[1-9]\\d* failed',
    '^(?:Test Suites|Tests): +(?:.*, )?[1-9]\\d* failed',
    '^\\s+[1-9]\\d* failing$',
    '^\\s*FAIL +(?:\\|\\S+\\| +)?\\S+\\.\\w+(?: |$)',
    '^=* ?(?:.*, )?[1-9]\\d* (?:failed|errors?)\\b.* in [\\d.]+s',
    '^(?:FAILED|ERROR) \\S+\\.py(?:::| - |$)',
    '^FAILED \\((?:failures|errors)=[1-9]',
    '^\\s*not ok \\d+ - (?!.*# (?:SKIP|TODO))',
    '^(?:#|ℹ) fail [1-9]|^✖ failing tests:$',
    '^--- FAIL: ',
    '^FAIL +\\S+ +(?:[\\d.]+s|\\[(?:build|setup) failed\\])',
    '^test result: FAILED\\.',
    '^\\d+ examples?, [1-9]\\d* failures?',
    '^\\d+ (?:runs|tests), .*\\b[1-9]\\d* (?:failures|errors)',
    '^\\d+ tests? completed, [1-9]\\d* failed',
    '^\\[ERROR\\] +Tests run:',
    '^Failed! +- Failed: +[1-9]',
    // compilers, linters, builds
    '^(?:\\S.*(?:\\(\\d+,\\d+\\):|:\\d+:\\d+ -) )?error (?:TS|CS)\\d{4,5}: ',
    '^error\\[E\\d{4}\\]: ',
    '^error: (?:could not compile|test failed|aborting due to) ',
    '^\\S+?:\\d+(?::\\d+)?: (?:fatal )?error: ',
    '^(?:cc1(?:plus)?|clang|gcc|g\\+\\+|collect2|ld): (?:fatal )?error: ',
    ': undefined reference to ',
    '^e: file:',
    '^[×✖] [1-9]\\d* problems? \\([1-9]\\d* errors?',
    '^Found [1-9]\\d* errors?(?: in |\\.|$)',
    '^BUILD FAILED\\b|^\\[(?:INFO|ERROR)\\] BUILD (?:FAILURE|ERROR)|^FAILURE: Build failed',
    '^(?:g?make|mingw32-make)(?:\\[\\d+\\])?: \\*\\*\\* ',
    '^ninja: build stopped',
    '^ERROR: failed to (?:build|solve)',
    // package managers
    '^npm (?:ERR!|error) \\S',
    '^\\s*ERR_PNPM_\\w+\\s',
    '^\\s*ELIFECYCLE\\b',
    '^error Command (?:failed with exit code [1-9]|"[^"]*" not found)',
    "^git: '[^']*' is not a git command",
  ].join('|'),
  'u',
);

// Lines that usually end the program that prints them. Some programs log them and continue, so a line of success
// (PASSED) outweighs them.
const DIED = new RegExp(
  [
    '^\\s*AssertionError\\b.*:|^\\s+at Context\\.<anonymous> \\(',
    '^Error: (?:Cannot find module|Could not find or load main class|(?:listen|connect|spawn) E|E[A-Z]{3,}: )',
    '^ERROR: (?:Could not|Invalid|No matching|Failed|Cannot|Exception)\\b',
    ": can't open file '",
    '^\\S*sh: (?:.*: )?(?:Permission denied|No such file or directory|Is a directory|syntax error\\b.*)$',
    '^Traceback \\(most recent call last\\):',
    '^(?:SyntaxError|IndentationError|TabError): ',
    '^Exception in thread "',
    '^node:[\\w/]+:\\d+$',
    '^Node\\.js v\\d+\\.\\d+\\.\\d+$',
    '^fatal: ',
    '^(?:panic|fatal error): ',
    "^thread '.*' (?:\\(\\d+\\) )?panicked at ",
    '^\\S+\\.rb:\\d+:in .*\\(\\w+(?:::\\w+)*\\)$',
    '^\\S+\\.go:\\d+:\\d+: \\S',
    '^(?:\\S*sh: )(?:line \\d+: |\\d+: )?\\S+: (?:command )?not found$|^zsh: command not found: ',
    '^(?:\\S*sh: )?(?:line \\d+: )?(?: *\\d+ )?(?:Segmentation fault|Bus error|Aborted|Illegal instruction)\\b',
    '^(?:FATAL ERROR: .*)?JavaScript heap out of memory',
    '^(?:\\(error\\) )?(?:NOAUTH|WRONGPASS|NOPERM|WRONGTYPE|ERR) \\S',
    '^psql: error: |^(?:psql:\\S*:\\d+: )?(?:ERROR|FATAL):  \\S',
    '^(?:docker: )?Error response from daemon: ',
    '^error: (?!(?:0|none|null|nil|false|undefined)\\b|no errors?\\b)\\S',
  ].join('|'),
  'u',
);

/** Nothing was tested, although the line says what to test: a false green. */
const NONE_SELECTED = /^No tests? (?:files? )?found, exiting with code 0$|^collected 0 items$/;
const SELECTS = /testPathPattern|--testNamePattern|\.(?:test|spec)\b|_test\.|test_\w+\.py| -[kt] /;

const PASSED = new RegExp(
  [
    '^\\s*(?:Test Files|Tests) +[1-9]\\d* passed',
    '^Tests: +(?:\\d+ (?:skipped|todo), )*[1-9]\\d* passed',
    '^\\s+[1-9]\\d* passing\\b',
    '^=* ?[1-9]\\d* passed\\b.* in [\\d.]+s',
    '^(?:#|ℹ) fail 0$',
    '^test result: ok\\.',
    '^ok +\\S+ +(?:[\\d.]+s|\\(cached\\))',
    '^OK(?: \\(|$)',
    '^\\d+ examples?, 0 failures',
    '^BUILD SUCCESS|^\\[INFO\\] BUILD SUCCESS',
  ].join('|'),
  'u',
);

// Lines of passing tests. They are skipped, because a test may be named after any error.
const MARKED_PASSED = /^\s*(?:[✓✔√]|ok \d|PASS\b|PASSED\b|test .* \.\.\. ok$)/u;
const CURL = /^(?:.*[\d-])?curl: \(\d+\) /;

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
    const last = steps.findLast((step) => outputKind(step) === 'runs' || outputKind(step) === 'fetches');
    if (last) {
      for (const file of steps.flatMap(({ writes }) => writes)) written.add(file);
      heard[outputKind(last) === 'runs' ? 'runs' : 'fetches'] = true;
      continue;
    }
    const reader = steps.find((step) => outputKind(step) === 'reads' && (!step.piped || step.viaXargs));
    const ownLog = reader?.args.some((arg) => written.has(arg));
    if (reader && !ownLog) heard.shows = true;
  }
  return heard;
}

/**
 * Whether a response of a server says that the request failed, although the program that sent it succeeded.
 */
function refused(command: string, output: string): boolean {
  const last = [...output.matchAll(/^HTTP\/[\d.]+ (\d{3})/gm)].at(-1)?.[1];
  if (last !== undefined) return /^[45]/.test(last);
  if (/%\{(?:http_code|response_code)\}/.test(command) && /(?:^|\D)[45]\d\d\s*$/.test(output)) return true;
  if (/^\s*(?:<!doctype html>\s*)?<html>?.{0,200}<title>\s*[45]\d\d\b/is.test(output)) return true;
  const start = output.search(/[{]/);
  if (start < 0 || output.length > 20_000) return false;
  try {
    const body = record(JSON.parse(output.slice(start)));
    const status = [body.status, body.statusCode, body.code].find((value) => typeof value === 'number') as
      | number
      | undefined;
    if (status !== undefined && status >= 400 && status < 600) return true;
    const fields = Object.keys(body);
    if (fields.length === 1 && isDetail(body.detail)) return true;
    return (
      fields.length <= 6 &&
      fields.some((name) => /^errors?$/.test(name)) &&
      hasContent(body.error ?? body.errors) &&
      !('data' in body && body.data)
    );
  } catch {
    return false;
  }
}

/** Whether a field says something: `"error": {}` and `"errors": []` do not. */
const hasContent = (value: unknown): boolean =>
  value !== null && typeof value === 'object' ? Object.keys(value).length > 0 : Boolean(value);

const REFUSAL =
  /\b(?:not|no|invalid|fail(?:ed|ure|s)?|denied|forbidden|required|missing|errors?|expired|cannot|must|unauthori[sz]ed|throttled|too many)\b/i;
/** `{"detail": …}` alone is how FastAPI and Django REST framework refuse a request. */
const isDetail = (detail: unknown): boolean =>
  (typeof detail === 'string' && REFUSAL.test(detail)) ||
  (Array.isArray(detail) && detail.some((one) => 'loc' in record(one) && 'msg' in record(one)));

function shellError({ text: command, pipelines }: Line, output: string): string | null {
  if (!pipelines) return null;
  const { runs, fetches, shows } = voices(pipelines);
  if (shows || !(runs || fetches)) return null;
  const lines = outputLines(output).filter((line) => !MARKED_PASSED.test(line));
  const has = (pattern: RegExp): boolean => lines.some((line) => pattern.test(line));
  const failed =
    fetches && (has(CURL) || refused(command, output))
      ? true
      : runs &&
        (has(FAILED) ||
          (SELECTS.test(command) && has(NONE_SELECTED)) ||
          (!fetches &&
            !has(PASSED) &&
            (has(DIED) ||
              printsFailure(command, lines) ||
              (losesExit(command, pipelines) && endsInError(lines)))));
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
  'grep egrep fgrep zgrep rg ag ack diff colordiff cmp test [ [[ (( which type command hash pgrep pidof'.split(
    ' ',
  ),
);
const GIT_ASKING =
  /^(?:-C \S+ |--no-pager )*(?:diff\b.* (?:--exit-code|--quiet|--no-index|--check)\b|grep\b|merge-base --is-ancestor|show-ref\b|rev-parse\b|check-ignore\b|config --get\b)/;
const COMPLAINT =
  /^(?:[\w./+-]+: )+.*(?:No such file or directory|Permission denied|not found|Is a directory|(?:invalid|unrecognized|unknown) option)|^usage:/i;

function asks({ program, args }: ShellStep): boolean {
  if (program === 'git') return GIT_ASKING.test(args.join(' '));
  if (program === 'command') return /^-[vV]$/.test(args[0] ?? '');
  // checks of a pull request that failed, or are not done yet
  if (program === 'gh') return /^(?:pr checks|run (?:watch|view))\b/.test(args.join(' '));
  return ASKING.has(program) || (program === 'npm' && args[0] === 'outdated');
}

/**
 * Returns whether a failed shell command only answered "no". This is true for `grep`, `diff`, `test`, `which`,
 * `git diff --exit-code` and similar commands with exit code 1 (123 through `xargs`) and no error in the output, and for
 * `gh pr checks`, whose checks have failed or still run.
 *
 * @param error the client's text; its first line is `Exit code N`
 */
export function isExpectedExit(line: Line, error: string): boolean {
  const [first = '', ...output] = outputLines(error);
  const code = /^(?:Error: )?Exit code (\d+)$/.exec(first)?.[1];
  const pipelines = line.pipelines ?? [];
  // the exit code comes from the last statement, and there from the last command of each pipeline
  const deciding = pipelines.filter(({ statement }) => statement === pipelines.at(-1)?.statement);
  const ends = deciding.flatMap(({ steps }) => steps.at(-1) ?? []);
  const asking = ends.filter(asks);
  if (asking.length === 0 || deciding.some(({ nested }) => nested)) return false;
  if (ends.some((step) => !asks(step) && outputKind(step) === 'runs')) return false;
  const ofGh = asking.some(({ program }) => program === 'gh');
  if (code !== '1' && !(code === '8' && ofGh) && !(code === '123' && asking.some(({ viaXargs }) => viaXargs)))
    return false;
  // if a search finds nothing, the output is what the program before it printed to standard error
  if (pipelines.some(({ steps }) => steps.some((step) => outputKind(step) === 'runs')) && endsInError(output))
    return false;
  const names = asking.some(({ program }) => ['which', 'type', 'hash'].includes(program));
  return !output.some(
    (line) =>
      FAILED.test(line) || DIED.test(line) || (COMPLAINT.test(line) && !(names && /not found$/.test(line))),
  );
}
