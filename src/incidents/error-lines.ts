import { isAnnouncement } from './announces.ts';

// Finds the lines of a tool's output that say what went wrong. RULES lists the forms in which test runners, compilers,
// linters, package managers and run times print their failures.

type Rule = {
  /** 5: name of a failed test, 4: diagnosis, 3: error message of the tool itself, 2: words of failure, 1: tally. */
  rank: 5 | 4 | 3 | 2 | 1;
  pattern: RegExp;
  /** Error type of the line. `$1` stands for the pattern's first group. */
  type?: string;
  /** Whether to take the explaining line too: the exception that follows, else the next line that is not noise. */
  explained?: boolean;
};

const NAMED =
  '[A-Z]\\w*(?:Error|Exception|Interrupt|Fault)|Error|SystemExit|StopIteration|(?<=Errno::)E[A-Z0-9]+';
const EXCEPTION = new RegExp(
  `^\\s*(?:E {2,}|Uncaught (?:\\w+ )?|Caused by: |Exception in thread "[^"]*" |Unhandled exception\\. |(?:npm|gyp) (?:ERR!|error) (?:stack )?|\\[ERROR\\] +|error: Uncaught (?:\\(in promise\\) )?|\\[cause\\]: |[\\w.-]+ +\\| |PHP Fatal error: +Uncaught |[⨯✘] )*` +
    `(?:[A-Za-z_]\\w*(?:\\.|::|\\\\))*(${NAMED})(?: \\[\\w+\\])?(?: \\(\\w+\\))?(?::?$|:\\s)`,
);

// mocha and rspec number their failures. Other programs number other lists, so such a line counts only after a tally or
// heading of failures.
const NUMBERED = /^ {2}\d+\) \S/;
const NUMBERING = /^\s+\d+ failing$|^\s*Failures:$/;

const RULES: Rule[] = [
  // the lists at the end of pytest's and rspec's output; after `| tail` nothing else is left
  {
    rank: 5,
    pattern: /^(?:FAILED|ERROR) \S+\.py\S*(?: - (?:[\w.]+\.)?(\w+(?:Error|Exception))\b)?/,
    type: '$1',
  },
  { rank: 5, pattern: /^rspec \S+(?::\d+|\[[\d:]+\]) # / },
  // vitest, jest, go, unittest, mocha and rspec, TAP, gradle and JUnit, cargo
  { rank: 5, pattern: /^\s*FAIL\s+\S.* > /, explained: true },
  { rank: 5, pattern: /^\s*FAIL\s+\S+ \[ .* \]$/, explained: true },
  { rank: 5, pattern: /^\s*● (?!Console$)/, explained: true },
  { rank: 5, pattern: /^\s*--- FAIL: /, explained: true },
  { rank: 5, pattern: /^(?:FAIL|ERROR): \w+ \(/, explained: true },
  { rank: 5, pattern: NUMBERED, explained: true },
  { rank: 5, pattern: /^\s*not ok \d+ (?!.*# (?:SKIP|TODO))/, explained: true },
  { rank: 5, pattern: /^\s*(?:# +)?Failed test (?:'|at )/, explained: true },
  { rank: 5, pattern: /^\S+ > .+ FAILED$/, explained: true },
  { rank: 5, pattern: /^\[ERROR\] +\w[\w$]*\.\w+:\d+ / },
  { rank: 4, pattern: /^test \S+(?: - .*)? \.\.\. FAILED$/, type: 'test failure' },
  { rank: 4, pattern: /^\s+\S+_test\.go:\d+: /, type: 'test failure' },
  { rank: 4, pattern: /^\s*[×✖✗✕✘] (?!\d+ problems?\b|failing tests:)/ },
  // compilers and linters
  { rank: 4, pattern: /(?:^|\s)error (TS\d{4,5}|CS\d{4}): /, type: '$1' },
  { rank: 4, pattern: /^error\[(E\d{4})\]: /, type: '$1' },
  { rank: 4, pattern: /^\s+\d+:\d+ +error +\S.*(?<= {2})([@\w/-]+)$/, type: '$1' },
  { rank: 4, pattern: /^\s+\d+:\d+ +error +\S/, type: 'lint error' },
  { rank: 3, pattern: /^\S+:\d+:\d+ (?:lint\/\w+\/(\w+)|parse|format) /, type: '$1', explained: true },
  {
    rank: 4,
    pattern: /^(?:\S+?:\d+(?::\d+)?|cc1(?:plus)?|clang|gcc|g\+\+): (?:fatal )?error: /,
    type: 'compile error',
  },
  { rank: 4, pattern: /^\[ERROR\] \S+:\[\d+,\d+\] /, type: 'compile error' },
  { rank: 4, pattern: /^e: \S+/, type: 'compile error' },
  { rank: 4, pattern: /: undefined reference to |^Undefined symbols for /, type: 'link error' },
  { rank: 4, pattern: /^\S+\.go:\d+(?::\d+)?: \S/, type: 'compile error' },
  // run time
  { rank: 4, pattern: /(?<!\w)(ERR_PNPM_(?!RECURSIVE_RUN)\w+)$/, type: '$1', explained: true },
  { rank: 4, pattern: /(?<!\w)(ERR_PNPM_(?!RECURSIVE_RUN)\w+)/, type: '$1' },
  { rank: 4, pattern: EXCEPTION, type: '$1' },
  { rank: 4, pattern: /^\S+\.rb:\d+:in .*\((?:\w+::)*(\w+)\)$/, type: '$1' },
  { rank: 4, pattern: /^thread '.*' (?:\(\d+\) )?panicked at /, type: 'panic', explained: true },
  { rank: 4, pattern: /^(?:panic|fatal error): /, type: 'panic' },
  {
    rank: 4,
    pattern: /^npm (?:ERR!|error) code (E(?!LIFECYCLE)[A-Z0-9]+|ERR_\w+)/,
    type: '$1',
    explained: true,
  },
  { rank: 4, pattern: /^npm (?:ERR!|error) (?:dev |optional )?peer .+ from / },
  { rank: 4, pattern: /^\* What went wrong:$/, type: 'build failure', explained: true },
  { rank: 4, pattern: /^\s*Failure\/Error: /, type: 'test failure', explained: true },
  // error messages of the tools themselves
  {
    rank: 3,
    pattern: /(?:^|[:\s])([^:\s]+: command not found|command not found: \S+)$/,
    type: 'command not found',
  },
  { rank: 3, pattern: /^\S*sh: (?:line )?\d+: \S+: not found$/, type: 'command not found' },
  { rank: 3, pattern: /^\S.* at \S+ line \d+\.$/, type: 'perl error' },
  // pytest about a fixture, and node about a connection, a port or a program
  { rank: 3, pattern: /^E {2,}\S/ },
  { rank: 3, pattern: /\b(?:connect|listen|bind|getaddrinfo|spawn) E[A-Z]{3,}\b/ },
  { rank: 3, pattern: /^CONFLICT \(/, type: 'merge conflict' },
  { rank: 3, pattern: /^ ?! \[(?:remote )?rejected\]/, type: 'push rejected' },
  { rank: 3, pattern: /\bSegmentation fault\b/, type: 'segmentation fault' },
  { rank: 3, pattern: /\bheap out of memory\b|\b[Oo]ut of memory\b|\boom-kill/, type: 'out of memory' },
  { rank: 3, pattern: /^Command timed out after /, type: 'timeout' },
  { rank: 3, pattern: /^(?:curl: \(\d+\)|psql:|docker:|Error response from daemon:|ERROR: failed to ) ?\S/ },
  { rank: 3, pattern: /^make(?:\[\d+\])?: \*\*\* (?!.*\] Error \d+$)/ },
  { rank: 3, pattern: /^\[ERROR\] (?!Tests run:|Failures: ?$|Errors: ?$|COMPILATION ERROR)\S.*\S/ },
  { rank: 3, pattern: /^npm (?:ERR!|error) Missing script/, type: 'missing script' },
  { rank: 3, pattern: /^npm (?:ERR!|error) (?!code |path |command |errno |syscall |Lifecycle )\S/ },
  { rank: 3, pattern: /^(?:fatal|FATAL|Fatal error|PHP Fatal error|panic): +\S/, type: 'fatal' },
  {
    rank: 3,
    pattern:
      /^ *(?:[\w./-]+: )?(?:error|ERROR|Error):? +(?!Command failed with exit code|could not compile|test failed)[^\s:]/,
  },
  {
    rank: 3,
    pattern:
      /^(?:[\w./+-]+: )+(?:.*: )?(?:No such file or directory|Permission denied|Is a directory|Not a directory|Operation not permitted|File exists|Connection refused|Address already in use|Directory not empty|No space left on device)/,
  },
  // tallies and exits say that something failed, but not what
  { rank: 1, pattern: /^\s*(?:Test Files|Tests|Test Suites:|Tests:) +.*\b\d+ failed/, type: 'test failure' },
  {
    rank: 1,
    pattern: /^=* ?\d+ (?:failed|errors?|passed)\b.* in [\d.]+s|^\s+\d+ failing$|^FAILED \(/,
    type: 'test failure',
  },
  {
    rank: 1,
    pattern: /^test result: FAILED|^\d+ examples?, \d+ failures?|^# fail \d|^ℹ fail \d/,
    type: 'test failure',
  },
  { rank: 1, pattern: /^\s*FAIL\b/, type: 'test failure', explained: true },
  { rank: 1, pattern: /^\[ERROR\] Tests run:|^\d+ tests? completed, \d+ failed/, type: 'test failure' },
  {
    rank: 1,
    pattern: /\bBUILD FAIL(?:ED|URE)\b|^FAILURE: Build failed|could not compile|^collect2: error/,
    type: 'build failure',
  },
  {
    rank: 1,
    pattern: /\bELIFECYCLE\b|^error: test failed|Command failed with exit code|\] Error \d+$|^exit status \d/,
  },
  { rank: 1, pattern: /^\s*[×✖✗✕] \d+ problems?/, type: 'lint error' },
  {
    rank: 2,
    pattern:
      /^(?!.*\b(?:0|no) (?:errors?|failures?|failed)\b).*\b(?:errors?|fail(?:ed|ure|s)?|cannot|can't|could ?n[o']t|unable to|not found|denied|refused|rejected|invalid|unexpected|missing|undefined|no such|unknown|unrecogni[sz]ed|timed? ?out|does(?: not|n't) exist|already exists|(?:not |un)supported|nothing to commit|abort(?:ed|ing)?|fatal|exception|conflict|illegal|forbidden|unauthorized|expired|must be|required|too many|out of range|mismatch|not a|not (?:allowed|permitted|something)|terminated|killed|crashed|unterminated)\b/i,
  },
];

// Lines that say nothing about the cause: stack frames, source excerpts, carets, hints, warnings, other chatter.
export const NOISE = new RegExp(
  [
    '^[\\s\\p{P}\\p{S}]*$',
    '^\\s+at ',
    '^\\s*File ".*", line \\d+',
    '^\\s*(?:> *)?\\d+ *[|│]',
    '^\\s*(?:>|[|│])',
    '^npm (?:warn|WARN|notice)\\b',
    '^npm (?:ERR!|error)(?: \\d+)?\\s*$',
    '^npm (?:ERR!|error) (?:A complete log of this run|Note that you can|tarball, folder|To see a list|npm run$)',
    '^\\[(?:INFO|WARNING|DEBUG)\\]',
    '^\\[ERROR\\] (?:To see the full|Re-run Maven|For more information|\\[Help|After correcting|-> \\[Help)',
    '^\\s*(?:help|note|hint|warning|warn|info|debug|usage)\\b[:\\s]',
    ': (?:warning|note): ',
    '^\\s+\\d+:\\d+ +warning ',
    '^(?:Require stack:|- /|Node\\.js v\\d|Shell cwd was reset|# Subtest|compilation terminated)',
    '^(?:For more information about this error|Some errors have detailed|Automatic merge failed)',
    '^\\s+(?:code|errno|syscall|path|requireStack|port|address|duration_ms|location|failureType|type|name): ',
    '^\\s+\\S+ \\(\\S+:\\d+:\\d+\\)$|^\\s*\\((?:in|from) .*, line \\d+\\)$',
    '^npm (?:ERR!|error) (?:syscall|path|errno|command|dest|Lifecycle) ',
    '^ImportError: Failed to import test module',
    "^\\s+(?:error: (?:\\|-|'test failed')$|'test failed'$)",
    '^\\s*(?:[✓✔√]|PASS(?:ED)?\\b|ok \\d|test .* \\.\\.\\. ok$)',
    '^(?:[+-] |=== RUN|=== PAUSE|=== CONT)',
    '^Traceback \\(most recent call last\\)',
    '^\\s*× Some errors were emitted',
  ].join('|'),
  'iu',
);
const CHAINED = /^(?:During handling of the above exception|The above exception was the direct cause)/;
export const EXIT = /^(?:Error: )?Exit code -?\d+$/;

// Error types for lines without a type of their own. Codes with E… count only as the system and npm write them.
const TYPES: [RegExp, string][] = [
  [/\b(ERR_[A-Z][A-Z_]+)\b/, '$1'],
  [
    /\b(E(?:ACCES|ADDRINUSE|ADDRNOTAVAIL|AGAIN|AI_AGAIN|BADENGINE|BUSY|CONNABORTED|CONNREFUSED|CONNRESET|EXIST|HOSTUNREACH|INTEGRITY|INVAL|IO|ISDIR|LOOP|MFILE|NETUNREACH|NOENT|NOMEM|NOSPC|NOTDIR|NOTEMPTY|NOTFOUND|PERM|PIPE|RESOLVE|ROFS|TIMEDOUT|USAGE))\b/,
    '$1',
  ],
  [/\bSQLSTATE[ :=([]*([0-9A-Z]{5})\b/, 'SQLSTATE $1'],
  [/Cannot find (?:module|package) /, 'MODULE_NOT_FOUND'],
  [/command not found/, 'command not found'],
  [/No such file or directory|File does not exist|does not exist\b.*\bfile/, 'ENOENT'],
  [/Permission denied/i, 'EACCES'],
  [/Connection refused/i, 'ECONNREFUSED'],
  [/Address already in use/i, 'EADDRINUSE'],
  [/No space left on device/, 'ENOSPC'],
  [/timed? ?out\b/i, 'timeout'],
  [/\bsyntax error\b/i, 'syntax error'],
  [/\bparse error\b|Parsing error/i, 'parse error'],
  [/^Killed$|: +\d+ Killed /, 'killed'],
];

/**
 * Every line about an error contains one of these, and few other lines do. Matching one pattern first is
 * fast.
 */
const HINT =
  /error|exception|fail|fatal|panic|critical|not ok |undefined (?:reference|symbol)|[●×✖✗✕✘]| line \d+\.$|\.go:\d|interrupt|fault|systemexit|stopiteration|no such file|permission denied|is a directory|not a directory|not permitted|file exists|refused|in use|not empty|no space left|^e: |rspec /i;
/** Among the lines with words of failure (rank 2), this matches those that clearly name an error. */
const OUTRIGHT = /\b(?:errors?|exceptions?|fail(?:ed|ures?)?|fatal|critical|panic)\b/i;

/**
 * Returns whether a line by itself reports an error. Unlike `pickLines` it does not look for the best lines, so all
 * errors of a long log are found.
 *
 * @param known it stands in the output of a call that failed, so that words of failure are enough
 */
export function isErrorLine(line: string, { known = false } = {}): boolean {
  if (!HINT.test(line) || NOISE.test(line)) return false;
  return RULES.some(
    ({ rank, pattern }) =>
      pattern !== NUMBERED &&
      (rank >= 3 || (rank === 2 && (known || OUTRIGHT.test(line)))) &&
      pattern.test(line),
  );
}

export type Picked = { line: string; rank: number; type: string | null; cause: boolean; traceback: boolean };

/** Returns the lines of error output that say what went wrong: those of the best rank, each with its explanation. */
export function pickLines(lines: string[]): Picked[] {
  const picked: Picked[] = [];
  let best = 0;
  let inTraceback = false;
  let numbered = false;
  const classify = (line: string): { rule: Rule; type: string | null } | null => {
    if (NOISE.test(line)) return null;
    for (const rule of RULES) {
      if (rule.pattern === NUMBERED && !numbered) continue;
      const match = rule.pattern.exec(line);
      if (match) return { rule, type: rule.type === '$1' ? (match[1] ?? null) : (rule.type ?? null) };
    }
    return null;
  };
  const add = (found: Picked): void => {
    if (found.rank > best) {
      picked.length = 0;
      best = found.rank;
    }
    const last = picked.at(-1);
    // in a chain of causes the last one is the root; among several tracebacks the last one ended the program
    if (last && ((found.cause && last.cause) || (found.traceback && last.traceback))) picked.pop();
    picked.push(found);
  };
  for (const [index, line] of lines.entries()) {
    numbered ||= NUMBERING.test(line);
    if (CHAINED.test(line)) {
      if (picked.at(-1)?.rank === 4) picked.pop();
      continue;
    }
    if (line.startsWith('Traceback (most recent call last)')) inTraceback = true;
    else if (inTraceback && /^\S/.test(line)) {
      inTraceback = false;
      const name = /^(?:[\w.]+\.)?(\w+)(?::|$)/.exec(line)?.[1] ?? null;
      if (best <= 4) add({ line, rank: 4, type: name, cause: false, traceback: true });
      continue;
    }
    const found = classify(line);
    if (!found || found.rule.rank < best) continue;
    const { rule, type } = found;
    add({
      line:
        rule.pattern === NUMBERED ? lines.slice(index, index + titleLength(lines, index)).join(' ') : line,
      rank: rule.rank,
      type,
      cause: /^\s*Caused by: /.test(line),
      traceback: false,
    });
    if (rule.explained) {
      const below = index + (rule.pattern === NUMBERED ? titleLength(lines, index) : 1);
      const crash = () => crashBefore(lines, index);
      const explanation = (TEST_FILE.test(line) ? crash() : null) ?? explain(lines, below, line) ?? crash();
      if (explanation) add({ ...explanation, rank: rule.rank, cause: false, traceback: false });
    }
  }
  return picked;
}

/** Returns how many lines a test's title takes. mocha prints it over several, and only the last one ends in a colon. */
function titleLength(lines: string[], from: number): number {
  const end = lines.slice(from, from + 6).findIndex((line) => /^\s+\S.*:$/.test(line));
  return end < 0 ? 1 : end + 1;
}

const HEADERS = RULES.filter(({ rank }) => rank === 5);
const MESSAGES = RULES.filter(({ rank, explained }) => rank === 3 && !explained);
/** bats shows the line of the test that failed. */
const SHOWN = /^ *`.*' failed$/;
const TAP = /^\s*not ok \d/;
/** A test file as a whole: it ended before its first test, or after one. */
const TEST_FILE = /^\s*not ok \d+ - \S+\.\w+(?: #|$)/;
/** What TAP says of a failed test beside its message: times, places, codes. */
const FIELD = /^\s+(?!(?:error|message|expected|actual|got|found|wanted): )\w+:(?: |$)/;
/** TAP's count of tests. What stands below it is about the whole run. */
const PLAN = /^\s*1\.\.\d+$/;

/**
 * Returns what explains a header, from the lines between it and the next one or the end of the tests (at most 40): the
 * first exception, else the first error message, else the first line that is not noise and announces nothing.
 */
function explain(
  lines: string[],
  from: number,
  header: string,
): { line: string; type: string | null } | null {
  let message: string | null = null;
  let first: string | null = null;
  let announced: string | null = null;
  const below = lines.slice(from, from + 40);
  for (const [index, line] of below.entries()) {
    if (HEADERS.some(({ pattern }) => pattern.test(line)) || PLAN.test(line)) break;
    // an error that says the test's title again was made to have a stack
    if (
      NOISE.test(line) ||
      (TAP.test(header) && FIELD.test(line)) ||
      header.includes(line.replace(/^\s*Error: /, '').trim())
    )
      continue;
    const type = EXCEPTION.exec(line)?.[1];
    if (type) return { line: whole(line, below.slice(index + 1)), type };
    if (MESSAGES.some(({ pattern }) => pattern.test(line))) message ??= line;
    if ((isAnnouncement(line) && !line.endsWith(':')) || SHOWN.test(line)) announced ??= line;
    else first ??= line;
  }
  const line = message ?? first ?? announced;
  // TAP writes the message as a value of YAML
  return line === null ? null : { line: line.replace(/^ +error: (["'])(.*)\1$/, '$2'), type: null };
}

/** Returns an exception with its message, if that stands on the line below its name. */
function whole(line: string, below: string[]): string {
  const message = /^[ \w:.]+: *$/.test(line) && below.find((one) => !NOISE.test(one));
  return message ? `${line.trimEnd()} ${message.trim()}` : line;
}

/**
 * Returns the exception that a test file printed before its header, because it ended before its first test. node prints
 * nothing of it below the header.
 */
function crashBefore(lines: string[], header: number): { line: string; type: string | null } | null {
  const above = lines.slice(Math.max(0, header - 40), header);
  const from = above.findLastIndex((line) => HEADERS.some(({ pattern }) => pattern.test(line)));
  const line = exceptionIn(above.slice(from + 1));
  return line === undefined ? null : { line, type: EXCEPTION.exec(line)?.[1] ?? null };
}

/** Returns the first line that names an exception. */
const exceptionIn = (lines: readonly string[]): string | undefined =>
  lines.find((line) => EXCEPTION.test(line) && !NOISE.test(line));

/** Returns the first line that says what went wrong, for errors whose best lines only announce it. */
export function messageIn(lines: readonly string[]): string | undefined {
  const telling = lines.filter((line) => !isAnnouncement(line) && !NOISE.test(line));
  return exceptionIn(telling) ?? telling.find((line) => MESSAGES.some(({ pattern }) => pattern.test(line)));
}

/** Types that only say what kind of program failed. A code found in the text is preferred to them. */
const GENERIC = new Set([
  'Error',
  'test failure',
  'compile error',
  'lint error',
  'build failure',
  'fatal',
  'panic',
]);

/** Returns the most specific error type of the lines, or null if none is known. */
export function errorTypeOf(picked: Picked[]): string | null {
  const named = picked.map(({ type }) => type).filter((type) => type !== null);
  const specific = named.find((type) => !GENERIC.has(type));
  if (specific) return specific;
  for (const { line } of picked) {
    for (const [pattern, type] of TYPES) {
      const match = pattern.exec(line);
      if (match) return type.replace('$1', match[1] ?? '');
    }
  }
  return (
    named.find((type) => type !== 'Error') ?? (picked[0]?.rank === 5 ? 'test failure' : (named[0] ?? null))
  );
}
