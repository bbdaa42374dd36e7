import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { redactText } from '../redaction/redact.ts';
import { known } from '../shell/arg.ts';
import { unescaped } from '../shell/inline-code.ts';
import { GREPS, SHOWERS, TREE_GREPS } from '../shell/names.ts';
import { textOrNothing } from '../shell/project-files.ts';
import { mayBeSecret } from '../shell/secret-places.ts';
import type { Arg, Invocation } from '../shell/types.ts';
import { resolvePath, type Surroundings, within } from '../shell/zones.ts';
import { wordsOf } from './arguments.ts';
import type { MatchContext } from './match.ts';
import type { Words } from './options.ts';

// Finds secrets in files whose names leave it open: settings, keys without an ending, addresses of remotes. Only the
// owner's files are read, and only those whose names say that they may hold one.

/** A longer file does not hold settings that somebody wrote. */
const MAX_TEXT = 64 * 1024;
/** How many files of one command are looked at. */
const MAX_FILES = 8;

/** Values that everybody knows: `POSTGRES_PASSWORD: postgres`. */
const WELL_KNOWN =
  /^\W*(?:postgres(?:ql)?|mysql|mongo(?:db)?|redis|rabbitmq|minio(?:admin)?|guest|root|admin|user|sa|app|web|api|test(?:ing|er)?|dev(?:elopment)?|local(?:host)?|docker|example|dummy|demo|foo|bar|change[-_ ]?(?:me|it|this)|secret|pass(?:wor[dt])?|token|key|x+|your[\w -]*|my[\w -]*|none|null|true|false|todo|django-insecure[\s\S]*)[-_]?(?:pass(?:word)?|secret|user|key|db)?\d{0,4}!?\W*$/i;

/**
 * The digests of texts without secrets, because the same files are read again and again. All servers of a process may share
 * it: it only saves a computation.
 */
const clean = new LRUCache<string, true>({ max: 300 });

/** Returns the lines of a text that hold a secret value other than one that everybody knows. */
function secretLinesIn(text: string): readonly string[] {
  const digest = createHash('sha256').update(text).digest('base64');
  if (clean.get(digest)) return [];
  const lines = text.split('\n');
  const shown = redactText(text).split('\n');
  const found =
    shown.length === lines.length
      ? lines.filter((line, i) => line !== shown[i] && !isWellKnown(line, shown[i] as string))
      : lines;
  if (found.length === 0) clean.set(digest, true);
  return found;
}

/** Whether all that redaction takes out of a line is a value that everybody knows. */
function isWellKnown(line: string, shown: string): boolean {
  const kept = shown.split(/\[redacted(?::[\w-]+)?\]/);
  let rest = line;
  for (const [i, piece] of kept.entries()) {
    const at = rest.indexOf(piece);
    if (at < 0 || (i > 0 && !WELL_KNOWN.test(rest.slice(0, piece === '' ? undefined : at)))) return false;
    rest = rest.slice(piece === '' && i > 0 ? rest.length : at + piece.length);
  }
  return true;
}

/** Whether the name of a file leaves open that it holds secrets, so that its content decides. */
function isUndecided(path: string, { root, home }: Surroundings): boolean {
  const folder = [root, home].find((one) => within(path, one));
  return folder !== undefined && mayBeSecret(path.slice(folder.length));
}

/** Returns the lines of a file that hold secrets, if its name leaves that open; none if it cannot be read. */
export function secretLinesOf(path: string, place: Surroundings): readonly string[] {
  if (!place.list || !isUndecided(path, place)) return [];
  // most words of a command are no files
  if (place.exists?.(path) === false) return [];
  const text = textOrNothing(place.real?.(path) ?? path, place, 'quietly');
  return text.length <= MAX_TEXT ? secretLinesIn(text) : [];
}

/**
 * Returns the file with secrets in it, though its name does not tell, that a command shows; null if it shows none.
 *
 * @param seen the files that a person let the session read
 */
export function insideShown(
  invocation: Invocation,
  context: MatchContext,
  seen: ReadonlySet<string>,
): string | null {
  const { place, options } = context;
  const { program, reads, cwd, code, remote } = invocation;
  if (!place.list || remote) return null;
  const split = wordsOf(invocation, options);
  if (program === 'git' && !split.sub.startsWith('grep')) return remoteShown(invocation, split, place);
  const searches = SEARCHES.has(program);
  if (!(SHOWERS.has(program) || searches || code)) return null;
  const { patterns, paths } = searches
    ? searchedFor(invocation, split)
    : { patterns: null, paths: split.words };
  const named = namesInProgram(invocation).map((name) => known(name));
  const files = [...paths, ...named, ...reads].filter((arg) => arg.known && !arg.glob).slice(0, MAX_FILES);
  const shown = files.find((file) => {
    const path = resolvePath(file.text.replace(/^.*[=@](?=.)/s, ''), cwd, place.home);
    const lines = path === null || seen.has(path) ? [] : secretLinesOf(path, place);
    return lines.some((line) => patterns === null || patterns.some((pattern) => mayMatch(pattern, line)));
  });
  return shown?.text ?? null;
}

const SEARCHES: ReadonlySet<string> = new Set([...GREPS, 'rgrep', ...TREE_GREPS, 'git']);
/** Options with which a search shows other lines than those that match the patterns in the line. */
const OTHER_LINES = /^(-v|--invert-match|--passthru|-f|--file)$/;

/**
 * Returns what a search looks for, and where. The patterns are null if they are not known, or if it shows other lines
 * than those that match.
 */
function searchedFor(
  { program }: Invocation,
  { words: all, options, values }: Words,
): { patterns: string[] | null; paths: Arg[] } {
  const words = all.slice(program === 'git' ? 1 : 0);
  const given = values.filter(({ option }) => /^(-e|--regexp)$/.test(option)).map(({ arg }) => arg);
  const asked = given.length > 0 ? given : words.slice(0, 1);
  const inFile = options.some((option) => option === '-f' || option === '--file');
  const told = asked.every((arg) => arg.known) && !options.some((option) => OTHER_LINES.test(option));
  return {
    patterns: told ? asked.map(({ text }) => text) : null,
    paths: words.slice(given.length > 0 || inFile ? 0 : 1),
  };
}

const READS =
  /\b(open|fopen|read_text|read_bytes|readFile(Sync)?|readTextFile(Sync)?|createReadStream|file_get_contents|readfile|readlines?|slurp|(File|IO)\s?\.\s?(read|open|foreach)\w*)\b/;
const STRING = /(["'`])((?:(?!\1)[^\\\n]|\\[^\n]){1,200})\1/g;
const MAX_NAMES = 20;

/** Returns the strings of a program in the line that may be names of files which it reads. */
export const namesInProgram = ({ code }: Invocation): string[] =>
  code && READS.test(code.text)
    ? [...code.text.matchAll(STRING)]
        .map(([, , word = '']) => unescaped(word))
        .filter((word) => /^[\w./~-]+$/.test(word))
        .slice(0, MAX_NAMES)
    : [];

/** What git shows of the addresses of remotes, and of the settings in which they stand. */
const SHOWS_ADDRESS =
  /^(?:remote (?:.* )?(?:-v|--verbose|show|get-url)\b|remote (?:show|get-url)|ls-remote .*--get-url)/;
const SHOWS_SETTING =
  /^config .*(?:url|remote|http|credential|submodule|--?l(?:ist)?\b|\blist\b|--get-regexp|--get-urlmatch|--edit|-e\b)/i;
const PLAIN_SETTINGS = /--get-regexp \^?(?:alias|user|core|init|branch|pull|push|color|diff|merge)\b[^|]*$/;
const MAX_LEVELS = 20;

/** Returns the settings of git that hold a secret, such as a token in the address of a remote, if a command shows them. */
function remoteShown(
  { args, cwd }: Invocation,
  { words, values }: Words,
  place: Surroundings,
): string | null {
  const line = [words[0], ...args].map((arg) => arg?.text ?? '').join(' ');
  // a name with a value is set, and not shown
  const sets = words.length > 2 && !/^(?:get|list)$/.test(words[1]?.text ?? '') && !/ --get/.test(line);
  const setting = SHOWS_SETTING.test(line) && !PLAIN_SETTINGS.test(line) && !sets;
  if (!SHOWS_ADDRESS.test(line) && !setting) return null;
  const told = values.find(({ option }) => option === '-C')?.arg.text ?? '.';
  const folder = resolvePath(told, cwd, place.home);
  if (folder === null) return null;
  const parts = folder.split('/');
  const above = parts.map((_, i) => parts.slice(0, parts.length - i).join('/')).slice(0, MAX_LEVELS);
  const settings = [...above.map((one) => `${one}/.git/config`), `${place.home}/.gitconfig`];
  return settings.some((path) => secretLinesOf(path, place).length > 0) ? 'the address of a remote' : null;
}

/**
 * Whether a line of a text may match a pattern of a search. The plain words of the pattern are looked for, without regard
 * to case and to what stands between them.
 */
function mayMatch(pattern: string, text: string): boolean {
  const lines = text.toLowerCase().split('\n');
  return pattern.split(/\\?\||\n/).some((one) => {
    const plain = one
      .replace(/\\[bB<>wsdWSD][*+]?|\.[*+?]?|\^|\$/g, '\n')
      .replace(/\\([.()\-/[\]{}"'+*?])/g, '\n')
      .replace(/[()]/g, '\n');
    // a set, a repetition or a group that may be left out: nobody knows here what it matches
    if (/[\\[\]{}*+?]/.test(plain)) return true;
    const words = plain
      .toLowerCase()
      .split('\n')
      .filter((word) => word !== '');
    return lines.some((line) => words.every((word) => line.includes(word)));
  });
}
