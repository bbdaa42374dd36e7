import { clip } from '../base/text/clip.ts';

// Removes from an error's text what differs between machines, folders and days.

const MAX_TEXT = 600;
// Huge output is read at its start and end only: compilers print the cause first, test runners and tracebacks last.
const HEAD = 60_000;
const TAIL = 140_000;
const MAX_LINE = 1_000;
const MAX_HEAD_LINES = 2_000;
const MAX_TAIL_LINES = 4_000;

const ESC = String.fromCharCode(27);
const BEL = String.fromCharCode(7);
const ANSI = new RegExp(
  `${ESC}(?:\\[[0-9;?]*[ -/]*[@-~]|\\][^${BEL}${ESC}]*(?:${BEL}|${ESC}\\\\)|[@-Z\\\\^_])`,
  'g',
);

/**
 * Returns the lines of a tool's output without colour codes and control characters, each cut at 1,000 characters. If
 * the output has more than 200,000 characters, the first 60,000 and the last 140,000 are read; if it has more than
 * 6,000 lines, the first 2,000 and the last 4,000.
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
// hexadecimal numbers below 16 digits count only in lower case, because error codes are written in capitals
const HASH = [
  `(?<!${W})[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}(?!${W})`,
  `(?<!${W})0x[0-9a-fA-F]+(?!${W})`,
  `(?<!${W})sha(?:1|256|384|512)[-:][A-Za-z0-9+/=]{20,}`,
  `(?<![\\p{L}\\p{N}_-])(?=[a-fA-F]*\\d)(?=\\d*[a-fA-F])(?:[0-9a-f]{7,128}|[0-9A-F]{16,128})(?![\\p{L}\\p{N}_-])`,
].join('|');
const COUNT = `(?:(?<=^|[\\s([=,:])-)?(?<!${W})\\d+(?:[.,:]\\d+)*(?:e[+-]?\\d+)?(?=(?:[KMGTk]i?B?|B|px|x|th|st|nd|rd)?(?!${W}))`;
const START = `(?<![\\p{L}\\p{N}_.@$+~%#/\\\\>-])`;

// The first match wins at each place. The first row lists what stays as it is: text that is already normalised, names
// of modules (even with a slash: 'lodash/fp'), SQLSTATE codes and exit codes, because these numbers are names.
const TOKENS: [replacement: string | null, pattern: string][] = [
  [
    null,
    `<(?:path|n|hash|time)>|(?:[Mm]odule|[Pp]ackage|crate|gem|specifier)(?: named)? (["'\`])(?![./~\\\\]|[A-Za-z]:[\\\\/]|file:)[^"'\`\\s]{1,200}["'\`]|SQLSTATE[ :=([]*[0-9A-Z]{5}(?!${W})|[Ee]xit (?:code|status) \\d{1,3}(?!${W})`,
  ],
  ['<path>', `(?:file|unix|vscode):///?[^\\s'"\`<>()]+`],
  ['url', `(?<!${W})[a-z][a-z0-9+.-]{1,15}://(?:[^\\s'"\`<>()\\]},]|<(?:path|n|hash|time)>)+`],
  // a quoted path may contain spaces
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
 * Returns an error's text without what differs between machines, folders and days. Paths (with :line:col) become
 * `<path>`, numbers `<n>`, hashes, ids and addresses `<hash>`, times `<time>`. A trailing or bracketed duration is
 * removed. White space collapses, but line breaks stay. Curly quotes become straight. Names, quoted words and codes
 * that begin with a letter stay. The result has at most 600 characters; the function is idempotent.
 *
 * @example normaliseError("src/a.ts:3:7: Cannot find name 'x'") // "<path>: Cannot find name 'x'"
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

/**
 * Returns at most `max` characters of a text. A word that the cut would split is dropped: its part could be another
 * word.
 */
export const cutWord = (text: string, max: number): string =>
  text.length <= max ? text : clip(text, max).replace(/\s*\S{0,100}$/u, '');

/** Repeats until nothing changes, because a placeholder can uncover the text beside it. So the result is idempotent. */
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
