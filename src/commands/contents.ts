import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { redactText } from '../redaction/redact.ts';
import { known } from '../shell/arg.ts';
import { unescaped } from '../shell/inline-code.ts';
import { GREPS, SECRET_NAME, SHOWERS, TREE_GREPS } from '../shell/names.ts';
import { mayBeSecret } from '../shell/places.ts';
import { textOrNothing } from '../shell/project-files.ts';
import type { Invocation } from '../shell/types.ts';
import { resolvePath, type Surroundings, within } from '../shell/zones.ts';
import { wordsOf } from './arguments.ts';
import type { MatchContext } from './match.ts';

// Finds secrets in files whose names leave it open: settings, keys without an ending, addresses of remotes. Only the
// owner's files are read, and only those whose names say that they may hold one.

/** A longer file does not hold settings that somebody wrote. */
const MAX_TEXT = 64 * 1024;
/** How many files of one command are looked at. */
const MAX_FILES = 8;

/** Values that everybody knows: `POSTGRES_PASSWORD: postgres`. */
const WELL_KNOWN =
  /^\W*(?:postgres(?:ql)?|mysql|mongo(?:db)?|redis|rabbitmq|minio(?:admin)?|guest|root|admin|user|sa|app|web|api|test(?:ing|er)?|dev(?:elopment)?|local(?:host)?|docker|example|dummy|demo|foo|bar|change[-_ ]?(?:me|it|this)|secret|pass(?:wor[dt])?|token|key|x+|your[\w -]*|my[\w -]*|none|null|true|false|todo|django-insecure[\s\S]*)[-_]?(?:pass(?:word)?|secret|user|key|db)?\d{0,4}!?\W*$/i;

/** Whether texts hold secrets, by digest, because the same files are read again and again. It only saves a computation. */
const looked = new LRUCache<string, boolean>({ max: 300 });

function holdsSecret(text: string): boolean {
  const digest = createHash('sha256').update(text).digest('base64');
  const before = looked.get(digest);
  if (before !== undefined) return before;
  const shown = redactText(text).split('\n');
  const lines = text.split('\n');
  const found =
    shown.length !== lines.length ||
    lines.some((line, i) => line !== shown[i] && !isWellKnown(line, shown[i] as string));
  looked.set(digest, found);
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

/** Whether a file holds secrets, if its name leaves that open; not if it cannot be read. */
export function hasSecretInside(path: string, place: Surroundings): boolean {
  const folder = [place.root, place.home].find((one) => within(path, one));
  if (!place.list || folder === undefined || !mayBeSecret(path.slice(folder.length))) return false;
  // most words of a command are no files
  if (place.exists?.(path) === false) return false;
  const text = textOrNothing(place.real?.(path) ?? path, place, 'quietly');
  return text.length <= MAX_TEXT && holdsSecret(text);
}

/** What git shows of the addresses of remotes, and of the settings in which they stand. */
const SHOWS_ADDRESS =
  /^(remote (-v|--verbose|show|get-url)|config .*(url|remote|http|credential|-l\b|list\b))/i;

/**
 * Returns the file with secrets in it, though its name does not tell, that a command shows; null if it shows none.
 *
 * @param seen the files that a person let the session read
 */
export function insideShown(
  invocation: Invocation,
  { place, options }: MatchContext,
  seen: ReadonlySet<string>,
): string | null {
  const { program, args, reads, cwd, code, remote } = invocation;
  if (!place.list || remote) return null;
  const texts = args.map(({ text }) => text);
  if (program === 'git' && SHOWS_ADDRESS.test(texts.join(' ')))
    return hasSecretInside(`${place.root}/.git/config`, place) ? 'the address of a remote' : null;
  // a search shows what its pattern finds
  const searches = GREPS.includes(program) || TREE_GREPS.includes(program);
  if (searches && !texts.some((text) => SECRET_NAME.test(text) || /^(\.[*+]?|\^|\$|)$/.test(text)))
    return null;
  if (!(SHOWERS.has(program) || searches || code)) return null;
  const named = namesInProgram(invocation).map((name) => known(name));
  const files = [...wordsOf(invocation, options).words, ...named, ...reads].filter(
    (arg) => arg.known && !arg.glob,
  );
  const shown = files.slice(0, MAX_FILES).find((file) => {
    const path = resolvePath(file.text.replace(/^.*[=@](?=.)/s, ''), cwd, place.home);
    return path !== null && !seen.has(path) && hasSecretInside(path, place);
  });
  return shown?.text ?? null;
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
