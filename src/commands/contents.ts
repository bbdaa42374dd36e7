import { redactText } from '../redaction/redact.ts';
import { known } from '../shell/arg.ts';
import { unescaped } from '../shell/inline-code.ts';
import { GREPS, SECRET_NAME, SHOWERS, TREE_GREPS } from '../shell/names.ts';
import { mayBeSecret } from '../shell/places.ts';
import { textOrNothing } from '../shell/project-files.ts';
import type { Invocation } from '../shell/types.ts';
import { resolvePath, type Surroundings, within } from '../shell/zones.ts';
import { wordsOf } from './arguments.ts';
import type { MatchContext } from './types.ts';

// Finds secrets in files whose names leave it open: settings, keys without an ending, addresses of remotes. Only the
// owner's files are read, and only those whose names say that they may hold one.

/** A longer file does not hold settings that somebody wrote. */
const MAX_TEXT = 64 * 1024;
/** How many files of one command are looked at. */
const MAX_FILES = 8;

/** Values that everybody knows: `POSTGRES_PASSWORD: postgres`. */
const WELL_KNOWN =
  /[:=]\W*(?:postgres(?:ql)?|mysql|mongo(?:db)?|redis|rabbitmq|minio(?:admin)?|guest|root|admin|user|sa|app|web|api|test(?:ing|er)?|dev(?:elopment)?|local(?:host)?|docker|example|dummy|demo|foo|bar|change[-_ ]?(?:me|it|this)|secret|pass(?:wor[dt])?|token|key|x+|your[\w -]*|my[\w -]*|none|null|true|false|todo|django-insecure.*)[-_]?(?:pass(?:word)?|secret|user|key|db)?\d{0,4}!?\W*$/gim;

/** Whether a file holds secrets, if its name leaves that open; not if it cannot be read. */
export function hasSecretInside(path: string, place: Surroundings): boolean {
  const folder = [place.root, place.home].find((one) => within(path, one));
  if (!place.real || folder === undefined || !mayBeSecret(path.slice(folder.length))) return false;
  // most words of a command are no files
  if (place.exists?.(path) === false) return false;
  const text = textOrNothing(place.real?.(path) ?? path, place, 'quietly').replace(WELL_KNOWN, '');
  return text.length <= MAX_TEXT && redactText(text) !== text;
}

/** What git shows of the addresses of remotes, and of the settings in which they stand. */
const SHOWS_ADDRESS =
  /^git (remote (-v|--verbose|show|get-url)|config .*(url|remote|http|credential|-l\b|list\b))/i;

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
  if (!place.real || remote) return null;
  const texts = args.map(({ text }) => text);
  if (SHOWS_ADDRESS.test([program, ...texts].join(' ')))
    return hasSecretInside(`${place.root}/.git/config`, place) ? 'the address of a remote' : null;
  // a search shows what its pattern finds
  const searches = GREPS.includes(program) || TREE_GREPS.includes(program);
  const finds = texts.some((text) => SECRET_NAME.test(text) || /^(\.[*+]?|\^|\$|)$/.test(text));
  if (searches ? !finds : !SHOWERS.has(program) && !code) return null;
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

/** Returns the first strings of a program in the line that may be names of files which it reads. */
export function namesInProgram({ code }: Invocation): string[] {
  if (!code || !READS.test(code.text)) return [];
  const strings = [...code.text.matchAll(STRING)].map(([, , word = '']) => unescaped(word));
  return strings.filter((word) => /^[\w./~-]+$/.test(word)).slice(0, 20);
}
