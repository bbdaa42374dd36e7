import { createHash } from 'node:crypto';
import { clip, programOf } from '../shell/command-key.ts';

const MAX_TEXT = 600;
const MAX_SALIENT = 500;
const MAX_LINES = 3;
/** A compiler may say the same of a thousand places: of so many lines the first that differ are taken. */
const MAX_CANDIDATES = 100;
// Of huge output the start and the end are read: compilers put the cause first, test runners and tracebacks last.
const HEAD = 60_000;
const TAIL = 140_000;
const MAX_LINE = 1_000;
const MAX_HEAD_LINES = 2_000;
const MAX_TAIL_LINES = 4_000;
const MAX_PICKED_LINE = 250;

const ESC = String.fromCharCode(27);
const BEL = String.fromCharCode(7);
const ANSI = new RegExp(
  `${ESC}(?:\\[[0-9;?]*[ -/]*[@-~]|\\][^${BEL}${ESC}]*(?:${BEL}|${ESC}\\\\)|[@-Z\\\\^_])`,
  'g',
);

/**
 * The lines of a tool's output without colour codes and control characters, each cut at 1,000 characters. Of output over
 * 200,000 characters the first 60,000 and the last 140,000 are read, of more than 6,000 lines the first 2,000 and the
 * last 4,000.
 */
export function outputLines(output: string): string[] {
  const read =
    output.length <= HEAD + TAIL ? output : `${output.slice(0, HEAD)}\n${output.slice(output.length - TAIL)}`;
  const lines = read.replace(ANSI, '').split(/\r\n|\n|\r/);
  const kept =
    lines.length <= MAX_HEAD_LINES + MAX_TAIL_LINES
      ? lines
      : [...lines.slice(0, MAX_HEAD_LINES), ...lines.slice(-MAX_TAIL_LINES)];
  return kept.map((line) =>
    clip(line, MAX_LINE)
      .replace(/\t/g, ' ')
      .replace(/\p{Cc}/gu, ''),
  );
}

const W = '[\\p{L}\\p{N}_]';
const NUMBER = '\\d+(?:\\.\\d+)?';
const UNIT = '(?:ns|µs|us|ms|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|days?)';
const CLOCK = '\\d{1,2}:\\d\\d(?::\\d\\d)(?:[.,]\\d+)?(?: ?[AaPp][Mm])?(?:Z| ?[+-]\\d\\d:?\\d\\d)?';
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}';
const POSITION = '(?::\\d+(?::\\d+)?(?![.\\w])|\\(\\d+(?:,\\d+)?\\)|:\\[\\d+,\\d+\\])?';
const SEGMENT = '[\\p{L}\\p{N}_.@+$~%#-]';
const SOURCE =
  '(?:[cm]?[jt]sx?|py|rb|go|rs|java|kt|kts|scala|swift|c|cc|cpp|h|hpp|cs|php|sh|sql|lua|exs?|vue|svelte|json|ya?ml|toml|css|html|md|pl|dart)';
// hexadecimal below 16 digits only in lower case: error codes are written in capitals
const HASH = [
  `(?<!${W})[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}(?!${W})`,
  `(?<!${W})0x[0-9a-fA-F]+(?!${W})`,
  `(?<!${W})sha(?:1|256|384|512)[-:][A-Za-z0-9+/=]{20,}`,
  `(?<![\\p{L}\\p{N}_-])(?=[a-fA-F]*\\d)(?=\\d*[a-fA-F])(?:[0-9a-f]{7,128}|[0-9A-F]{16,128})(?![\\p{L}\\p{N}_-])`,
].join('|');
const COUNT = `(?:(?<=^|[\\s([=,:])-)?(?<!${W})\\d+(?:[.,:]\\d+)*(?:e[+-]?\\d+)?(?=(?:[KMGTk]i?B?|B|px|x|th|st|nd|rd)?(?!${W}))`;
const START = `(?<![\\p{L}\\p{N}_.@$+~%#/\\\\>-])`;

// First match wins at each place, and what stands here in the first row is left alone: text already normalised,
// names of modules (even with a slash: 'lodash/fp'), SQLSTATE codes and exit codes, which are names made of digits.
const TOKENS: [replacement: string | null, pattern: string][] = [
  [
    null,
    `<(?:path|n|hash|time)>|(?:[Mm]odule|[Pp]ackage|crate|gem|specifier)(?: named)? (["'\`])(?![./~\\\\]|[A-Za-z]:[\\\\/]|file:)[^"'\`\\s]{1,200}["'\`]|SQLSTATE[ :=([]*[0-9A-Z]{5}(?!${W})|[Ee]xit (?:code|status) \\d{1,3}(?!${W})`,
  ],
  ['<path>', `(?:file|unix|vscode):///?[^\\s'"\`<>()]+`],
  ['url', `(?<!${W})[a-z][a-z0-9+.-]{1,15}://(?:[^\\s'"\`<>()\\]},]|<(?:path|n|hash|time)>)+`],
  // a quoted path may hold spaces
  [
    '<path>',
    `(?<=')(?:~|\\.{1,2})?/[^'/][^']*(?=')|(?<=")(?:~|\\.{1,2})?/[^"/][^"]*(?=")|(?<=['"])[A-Za-z]:[\\\\/][^'"]*`,
  ],
  [
    '<time>',
    `(?<!${W})(?:\\d{4}[-/]\\d\\d[-/]\\d\\d(?:[T ]${CLOCK})?|(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6},? )?(?:${MONTH} \\d{1,2}|\\d{1,2}[ /]${MONTH})(?:,?[ /]\\d{4})?(?:[ :]${CLOCK})?(?: \\d{4})?|${CLOCK})(?!${W})`,
  ],
  ['<time>', `(?<![\\p{L}\\p{N}_.])${NUMBER} ?${UNIT}(?: ?${NUMBER} ?${UNIT})*(?!${W})`],
  ['<path>', `(?<!${W})(?:[A-Za-z]:[\\\\/]|\\\\\\\\${W})[^\\s'"\`<>|:*?;,()\\[\\]]*${POSITION}`],
  [
    '<path>',
    `${START}(?:~|\\.{1,2})?/(?=${SEGMENT})[\\p{L}\\p{N}_.@+$~%#/-]*[\\p{L}\\p{N}_@+$~%#/-]${POSITION}`,
  ],
  ['<path>', `${START}(?!@)(?:${SEGMENT}+/)+${SEGMENT}*\\.[A-Za-z]\\w{0,7}(?![\\w/])${POSITION}`],
  ['<path>', `${START}(?!@)(?:${SEGMENT}+/)+${SEGMENT}+(?=:\\d)${POSITION}`],
  ['<path>', `${START}(?:[\\w$.-]+\\\\)+[\\w$.-]*\\.[A-Za-z]\\w{0,7}(?!\\w)${POSITION}`],
  ['<path>', `${START}[\\w$@+.-]+\\.${SOURCE}(?::\\d+(?::\\d+)?(?![.\\w])|\\(\\d+,\\d+\\))`],
  ['<hash>', HASH],
  ['<n>', `(?<!${W})v\\d+(?:\\.\\d+)+(?!${W})`],
  ['<n>', COUNT],
];
const TOKEN = new RegExp(TOKENS.map(([, pattern], index) => `(?<t${index}>${pattern})`).join('|'), 'gu');
const HASHES = new RegExp(HASH, 'gu');
const COUNTS = new RegExp(COUNT, 'gu');

/**
 * Error text with what differs between machines, folders and days taken out: paths (with :line:col) become `<path>`,
 * numbers `<n>`, hashes, ids and addresses `<hash>`, times `<time>` (a trailing or bracketed duration goes), white
 * space collapses (line breaks stay), curly quotes become straight. Names, quoted words and codes that begin with a
 * letter stay. At most 600 characters; idempotent.
 */
export function normaliseError(error: string): string {
  let text = '';
  for (const line of outputLines(error)) {
    const normal = normaliseLine(line);
    if (normal !== '') text += text === '' ? normal : `\n${normal}`;
    if (text.length > MAX_TEXT) return normaliseError(cutWord(text, MAX_TEXT));
  }
  return text;
}

/** A cut inside a word could make another word of it, so the word goes. */
const cutWord = (text: string, max: number): string =>
  text.length <= max ? text : clip(text, max).replace(/\s*\S{0,100}$/, '');

/** Repeats until nothing changes, which makes it idempotent: a placeholder can free the text beside it. */
function normaliseLine(line: string): string {
  const cut = cutWord(line, MAX_LINE);
  const next = cut
    .replace(/(?<=^|\s)[─━═⎯_=*#~-]{5,}(?=\s|$)/g, '')
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/\s+/g, ' ')
    .replace(TOKEN, (...match) => {
      const groups = match.at(-1) as Record<string, string | undefined>;
      const found = TOKENS.findIndex((_, index) => groups[`t${index}`] !== undefined);
      const replacement = TOKENS[found]?.[0];
      return replacement === 'url' ? normaliseUrl(match[0]) : (replacement ?? match[0]);
    })
    .replace(/ [([]<time>[)\]](?= |$)/g, '')
    .replace(/<time>(?: <time>)+/g, '<time>')
    .trim()
    .replace(/(?: <time>)+$/, '');
  return next === line ? next : normaliseLine(next);
}

const normaliseUrl = (url: string): string =>
  url.replace(/\?.*$/, '').replace(HASHES, '<hash>').replace(COUNTS, '<n>');

type Rule = {
  /** 5 the name of a failed test, 4 a diagnosis, 3 a tool's own word of error, 2 words of failure, 1 a tally. */
  rank: 5 | 4 | 3 | 2 | 1;
  pattern: RegExp;
  /** The error type when the line names none itself; `$1` stands for the pattern's first group. */
  type?: string;
  /** Also take the line that explains it: the exception that follows, else the next line of substance. */
  explained?: boolean;
};

const NAMED = '[A-Z]\\w*(?:Error|Exception|Interrupt|Fault)|Error|SystemExit|StopIteration';
const EXCEPTION = new RegExp(
  `^\\s*(?:E {2,}|Uncaught (?:\\w+ )?|Caused by: |Exception in thread "[^"]*" |Unhandled exception\\. |(?:npm|gyp) (?:ERR!|error) (?:stack )?|\\[ERROR\\] +|error: Uncaught (?:\\(in promise\\) )?|\\[cause\\]: |[\\w.-]+ +\\| |PHP Fatal error: +Uncaught |[⨯✘] )*` +
    `(?:[A-Za-z_]\\w*(?:\\.|::|\\\\))*(${NAMED})(?: \\[\\w+\\])?(?: \\(\\w+\\))?(?::\\s|$)`,
);

// mocha and rspec number their failures; other lists are numbered too, so only after a tally or heading of failures
const NUMBERED = /^ {2}\d+\) \S/;
const NUMBERING = /^\s+\d+ failing$|^\s*Failures:$/;

const RULES: Rule[] = [
  // pytest's and rspec's closing lists; with `| tail` they are all there is
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
  { rank: 5, pattern: /^\S+ > .+ FAILED$/, explained: true },
  { rank: 5, pattern: /^\[ERROR\] +\w[\w$]*\.\w+:\d+ / },
  { rank: 4, pattern: /^test \S+(?: - .*)? \.\.\. FAILED$/, type: 'test failure' },
  { rank: 4, pattern: /^\s+\S+_test\.go:\d+: /, type: 'test failure' },
  { rank: 4, pattern: /^\s*[×✖✗✕] (?!\d+ problems?\b|failing tests:)/ },
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
  { rank: 4, pattern: /(?<!\w)(ERR_PNPM_(?!RECURSIVE_RUN)\w+)/, type: '$1' },
  { rank: 4, pattern: /^\* What went wrong:$/, type: 'build failure', explained: true },
  { rank: 4, pattern: /^\s*Failure\/Error: /, type: 'test failure', explained: true },
  // a tool's own word
  {
    rank: 3,
    pattern: /(?:^|[:\s])([^:\s]+: command not found|command not found: \S+)$/,
    type: 'command not found',
  },
  { rank: 3, pattern: /^\S*sh: (?:line )?\d+: \S+: not found$/, type: 'command not found' },
  { rank: 3, pattern: /^CONFLICT \(/, type: 'merge conflict' },
  { rank: 3, pattern: /^ ! \[(?:remote )?rejected\]/, type: 'push rejected' },
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
  // tallies and exits: they say that something failed, not what
  { rank: 1, pattern: /^\s*(?:Test Files|Tests|Test Suites:|Tests:) +.*\b\d+ failed/, type: 'test failure' },
  {
    rank: 1,
    pattern: /^=* ?\d+ (?:failed|errors?|passed)\b.* in [\d.]+s|^\s+\d+ failing$|^FAILED \(/,
    type: 'test failure',
  },
  {
    rank: 1,
    pattern: /^FAIL\b|^test result: FAILED|^\d+ examples?, \d+ failures?|^# fail \d|^ℹ fail \d/,
    type: 'test failure',
  },
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

// stack frames, source excerpts, carets, hints, warnings and other tools' small talk
const NOISE = new RegExp(
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
    '^\\s+error: \\|-$',
    '^\\s*(?:[✓✔√]|PASS(?:ED)?\\b|ok \\d|test .* \\.\\.\\. ok$)',
    '^(?:[+-] |=== RUN|=== PAUSE|=== CONT)',
    '^Traceback \\(most recent call last\\)',
    '^\\s*× Some errors were emitted',
  ].join('|'),
  'iu',
);
const CHAINED = /^(?:During handling of the above exception|The above exception was the direct cause)/;
const EXIT = /^(?:Error: )?Exit code -?\d+$/;

// when the lines name no type themselves; E… only as the system and npm write them
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

type Picked = { line: string; rank: number; type: string | null; cause: boolean; traceback: boolean };

/** The lines of error output that say what went wrong, best rank only, with the explanation of each. */
function pickLines(lines: string[]): Picked[] {
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
    // of a chain of causes the last is the root; of several tracebacks the last ended the program
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
      line: rule.pattern === NUMBERED ? wholeTitle(lines, index) : line,
      rank: rule.rank,
      type,
      cause: /^\s*Caused by: /.test(line),
      traceback: false,
    });
    if (rule.explained) {
      const explanation = explain(lines, index + 1);
      if (explanation) add({ ...explanation, rank: rule.rank, cause: false, traceback: false });
    }
  }
  return picked;
}

/** mocha prints a test's title over several lines, the last of which ends in a colon. */
function wholeTitle(lines: string[], from: number): string {
  const title = lines.slice(from, from + 6);
  const end = title.findIndex((line) => /^\s+\S.*:$/.test(line));
  return title.slice(0, end < 0 ? 1 : end + 1).join(' ');
}

const HEADERS = RULES.filter(({ rank }) => rank === 5);

/** The first exception between a header and the next one (within 40 lines), else the first line of substance. */
function explain(lines: string[], from: number): { line: string; type: string | null } | null {
  let first: string | null = null;
  for (const line of lines.slice(from, from + 40)) {
    if (HEADERS.some(({ pattern }) => pattern.test(line))) break;
    if (NOISE.test(line)) continue;
    const type = EXCEPTION.exec(line)?.[1];
    if (type) return { line, type };
    first ??= line;
  }
  return first === null ? null : { line: first, type: null };
}

/** Types that only say what kind of program failed; a code found in the text says more. */
const GENERIC = new Set([
  'Error',
  'test failure',
  'compile error',
  'lint error',
  'build failure',
  'fatal',
  'panic',
]);

function errorTypeOf(picked: Picked[]): string | null {
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

/**
 * What identifies a failure, so that it is known again on another machine, day or folder.
 *
 * - `salient`: the at most three lines that say what went wrong, as printed (≤ 500 characters), for people and models;
 * - `text`: the same through {@link normaliseError} (≤ 600 characters), for search;
 * - `id`: 16 hex digits of SHA-256 over tool, program of the target (Bash only: elsewhere the target is a file) and text;
 * - `errorType`: `TypeError`, `TS2345`, `ENOENT`, `test failure`, `command not found` …, null when unknown.
 *
 * `error` is redacted before it comes here. Reads at most 200,000 characters; never throws.
 */
export function errorSignature(input: { tool: string; target: string | null; error: string }): {
  id: string;
  text: string;
  errorType: string | null;
  salient: string;
} {
  const lines = outputLines(input.error.replaceAll(/<\/?tool_use_error>/g, ''));
  const body = lines.filter((line) => line.trim() !== '' && !EXIT.test(line));
  const shell = input.tool === 'Bash';
  // the other tools' errors begin with the message and go on with text of the user's
  const readsOutput = shell || input.tool.startsWith('mcp__');
  const picked = readsOutput ? pickLines(body) : [];

  const chosen: Picked[] = [];
  const texts: string[] = [];
  const take = (found: Picked): void => {
    // cut after normalising: a longer path must not move the cut
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
    take({ line, rank: 0, type: EXIT.test(line) ? 'exit code' : null, cause: false, traceback: false });
  }

  const text = normaliseError(texts.join('\n'));
  const program = shell && input.target !== null ? programOf(input.target) : '';
  const digest = createHash('sha256').update([input.tool, program, text].join('\0')).digest('hex');
  const salient = chosen
    .map(({ line }) => clip(line.replace(/\s+/g, ' ').trim(), MAX_PICKED_LINE))
    .join('\n');
  return {
    id: digest.slice(0, 16),
    text,
    errorType: errorTypeOf(chosen),
    salient: clip(salient, MAX_SALIENT),
  };
}
