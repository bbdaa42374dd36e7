import { known } from '../shell/arg.ts';
import { holds, programs } from '../shell/lists.ts';
import {
  AS_ANOTHER,
  AWKS,
  GREPS,
  LINE_FILTERS,
  NAMERS,
  SECRET_NAME,
  SHOWERS,
  TREE_GREPS,
} from '../shell/names.ts';
import type { Arg, Invocation } from '../shell/types.ts';
import { mayHoldSecrets, resolvePath, type Surroundings, zoneOf } from '../shell/zones.ts';
import { scriptsOf, wordsOf } from './arguments.ts';
import { hasSecretInside, insideShown, namesInProgram } from './contents.ts';
import { printsSecrets } from './credentials.ts';
import type { MatchContext } from './match.ts';

// Finds the secrets that a command may show: variables, and files with keys, in whatever way it gets their
// names.

/** Programs whose first word is a pattern or a program, and no file. */
const WITH_PATTERN = new Set([
  ...GREPS,
  ...TREE_GREPS,
  ...AWKS,
  ...programs('seds'),
  ...programs('json-readers'),
]);
/** Options whose values name files to leave out, or are only compared with names. */
const LEAVES_OUT =
  /^(--exclude(-dir|-from)?|--ignore(-dir|-file)?|-x|-I|-E|-X|-name|-iname|-path|--i?glob|-g)$/;
/** Those of `LEAVES_OUT` that leave out files only if the value begins with `!`. */
const GLOBS = /^(--i?glob|-g)$/;
/** Subcommands of git that show names only. */
const GIT_NAMES = /^(rm|check-ignore|ls-files|status|mv)( |$)/;

/**
 * Returns the secret that a command may show, as it is written in the command; null when nothing tells that
 * it shows one.
 */
function secretShownBy(
  invocation: Invocation,
  context: MatchContext,
  seen: ReadonlySet<string> = NOTHING,
): string | null {
  const { program, path } = invocation;
  return (
    variableShown(invocation) ??
    fileShown(invocation, context, seen) ??
    insideShown(invocation, context, seen) ??
    (printsSecrets(invocation) ? `what ${program || path} knows of keys` : null)
  );
}

const NOTHING: ReadonlySet<string> = new Set();

/**
 * Returns why a command is in doubt that may show a secret, and whether a person is asked; null if nothing tells that it
 * shows one. `again`: it shows only files that a person let the session read.
 */
export function showingOf(
  invocation: Invocation,
  context: MatchContext,
): { doubt: { reason: string; asks?: true; secrets?: string[] } } | null {
  const shown = secretShownBy(invocation, context);
  if (shown === null) return null;
  const seen = context.place.shown ?? NOTHING;
  if (seen.size > 0 && secretShownBy(invocation, context, seen) === null)
    return { doubt: { reason: `shows ${shown} again, as a person let it` } };
  const asked = isShown(invocation) ? { asks: true as const, secrets: secretFiles(invocation, context) } : {};
  return { doubt: { reason: `may show ${shown}`, ...asked } };
}

/** Returns the files of secrets that a command names to the letter. */
const secretFiles = ({ args, reads, cwd }: Invocation, { place }: MatchContext): string[] =>
  [...args, ...reads].flatMap((arg) => {
    const path = arg.known && !arg.glob ? resolvePath(arg.text, cwd, place.home) : null;
    const isSecret = (file: string) => mayHoldSecrets(arg, cwd, place) || hasSecretInside(file, place);
    return path !== null && isSecret(path) ? path : [];
  });

/**
 * Programs that use a secret for their work and do not print it. The client asks before it runs them, or a person has
 * told it not to.
 */
const USERS = programs('secret-users');

/** Whether a command that reads a secret would print it, so that a person must be asked. */
const isShown = (invocation: Invocation): boolean =>
  !holds(USERS, invocation.program) ||
  invocation.code !== undefined ||
  printsSecrets(invocation) ||
  variableShown(invocation) !== null;

/** Options with which a search only says whether, where or how often it finds something. */
const ONLY_COUNTS = /^(-\w*[cql]\w*|--(count|quiet|silent|files-with-matches))$/;
/** The name of a setting, perhaps with the sign that it has a value, but nothing of its value. */
const NAME_OF_SETTING = /^\^?[A-Za-z_]\w{1,60}(=\.?)?$/;

/** Whether a command only asks if a file has a setting of that name: `grep -q ^API_KEY= .env`. */
function asksForName({ program, args }: Invocation): boolean {
  if (!/^([ef]?grep|rg)$/.test(program) || !args.every((arg) => arg.known)) return false;
  const options = args.filter(({ text }) => text.startsWith('-'));
  const [pattern] = args.filter(({ text }) => !text.startsWith('-'));
  return (
    options.some(({ text }) => ONLY_COUNTS.test(text)) &&
    options.every(({ text }) => /^-[cqlinsEFw]+$|^--(count|quiet|silent|files-with-matches)$/.test(text)) &&
    NAME_OF_SETTING.test(pattern?.text ?? '')
  );
}

/** @param seen files that count as no secrets */
function fileShown(invocation: Invocation, context: MatchContext, seen: ReadonlySet<string>): string | null {
  if (asksForName(invocation)) return null;
  const { program, args, reads, cwd, openArgs, via } = invocation;
  const { place } = context;
  const asRoot = via.some((one) => AS_ANOTHER.has(one)) && (SHOWERS.has(program) || GREPS.includes(program));
  const wasSeen = ({ known, glob, text }: Arg) =>
    known && !glob && seen.has(resolvePath(text, cwd, place.home) ?? '');
  const secret = (arg: Arg) =>
    (mayHoldSecrets(arg, cwd, place) && !wasSeen(arg)) ||
    (SHOWERS.has(program) && RAW_DEVICE.test(arg.text)) ||
    (asRoot && arg.text.includes('/') && !isPublic(arg, cwd, place));
  const texts = namesInProgram(invocation);
  const read = [...reads, ...texts.map((text) => known(text))].find(secret);
  if (read) return read.text;
  if (program === 'echo' || program === 'printf') return null;
  // this prints only certificates, even of a file that also holds their key
  if (program === 'openssl' && args[0]?.text === 'x509') return null;
  const { words, options, values, sub } = wordsOf(invocation, context.options);
  // after `cd` with a pattern the folder is not known
  const enters = /^(cd|pushd)$/.test(program) && args.some((arg) => arg.glob);
  const names = (NAMERS.has(program) && !enters) || (program === 'git' && GIT_NAMES.test(sub));
  // an empty word is a pattern for grep, and for sed the suffix of BSD's -i
  const given = scriptsOf(program.includes('sed') ? words : words.slice(0, 1), options, values);
  const first = given.length === 0 && words[0]?.text === '' ? words.slice(0, 1) : given;
  const pattern = WITH_PATTERN.has(program) ? first : [];
  const left = values
    .filter(
      ({ option, kind, arg }) =>
        kind === 'unread' || (LEAVES_OUT.test(option) && (!GLOBS.test(option) || arg.text.startsWith('!'))),
    )
    .map(({ arg }) => arg.text);
  const made = new Set(TARGETS_LAST.has(program) ? words.slice(-1) : program === 'touch' ? words : []);
  const list = values.find(({ kind, arg }) => kind === 'reads' && secret(arg));
  if (list) return list.arg.text;
  const handed = args.filter((arg) => !pattern.includes(arg) && !left.includes(arg.text) && !made.has(arg));
  const found = handed
    .filter((arg) => !LEAVES_OUT.test(arg.text.replace(/=.*$/s, '')))
    .find((arg) =>
      names && !arg.text.startsWith('-') ? false : waysToRead(arg, program).some((one) => secret(one)),
    );
  if (found) return found.text;
  const edits = program.includes('sed') && options.some((option) => /^(-i|-I|--in-place)/.test(option));
  // packing into an archive file does not show anything yet
  const packs = /tar$/.test(program) && values.some(({ option, arg }) => option === '-f' && arg.text !== '-');
  if (names || edits || packs || !(SHOWERS.has(program) || showsAll(pattern))) return null;
  if (openArgs) return 'files that are known only when it runs';
  // a whole home folder holds secrets, and so does what find lists without a filter
  const whole = words
    .filter((word) => !pattern.includes(word) && !made.has(word))
    .find((word) => {
      const folder = word.text.replace(/\/\*\*$/, '');
      const zone = zoneOf({ ...word, text: folder || '/' }, cwd, place);
      return ['home', 'root'].includes(zone) || (zone === 'project-root' && folder !== word.text);
    });
  if (whole) return whole.text;
  return words.find((word) => word.from && !word.known && !word.from.every(listsNames))?.text ?? null;
}

/** Whether the agent may see a file that only another user, such as root, can read: the project's, programs and logs. */
const isPublic = (arg: Arg, cwd: string | null, place: Surroundings): boolean =>
  /^\/(usr|bin|lib\w*|boot|sys|dev|var\/log|etc\/(hosts|fstab|[\w-]*release|resolv\.conf|passwd|nginx|apt|systemd))(\/|$)|^\/proc\/\w+$/.test(
    resolvePath(arg.text, cwd, place.home) ?? '',
  ) || ['project', 'temp'].includes(zoneOf(arg, cwd, place));

/** Devices that give a whole disk, the memory, or what is typed. */
const RAW_DEVICE =
  /^(if=)?\/dev\/([shvx]v?d[a-z]|nvme|mmcblk|mapper\/|disk\/|dm-|loop\d|k?mem$|port$|input\/|video|snd\/)/;

/** Programs that write to the file that their last word names. */
const TARGETS_LAST = new Set(['cp', 'mv', 'ln', 'install']);

/** Whether a search prints every line, because its pattern is empty or matches any line. */
const showsAll = (patterns: Arg[]) => patterns.some(({ text }) => /^(\^|\$|\.[*+]?|=|\^\.\*?|)$/.test(text));

/** Whether a substitution prints only names of files that are not hidden. */
const listsNames = ({ program, args }: Invocation): boolean =>
  program === 'git' ||
  program === 'mktemp' ||
  LINE_FILTERS.has(program) ||
  ([...TREE_GREPS].includes(program) && args.some(({ text }) => /^(-l|--files.*)$/.test(text))) ||
  (NAMERS.has(program) &&
    !(
      programs('listers').has(program) &&
      args.some(({ text }) => /^-[a-zA-Z]*[aA]|^--(almost-)?all$/.test(text))
    ));

/**
 * Returns the files that an argument may name: itself, and the text behind `=`, `@`, `:` or an option's
 * letters.
 */
function waysToRead(arg: Arg, program: string): Arg[] {
  const { text } = arg;
  if (text.length > MAX_NAME) return [];
  const texts = new Set([text]);
  for (const part of text.split(/[=@:,]/).slice(1)) texts.add(part);
  if (/^-[a-zA-Z]./.test(text)) for (let at = 2; at < 5; at++) texts.add(text.slice(at));
  // `tar` reads what begins with a dot as options, so does nothing else
  texts.delete('');
  // a quoted pattern is one for the program
  const glob = arg.glob || (text.startsWith('-') && /[*?[]/.test(text));
  return [...texts].map((one) => ({ ...arg, glob, text: one })).filter(({ text: one }) => one !== program);
}

/** Longest name of a file, in characters. */
const MAX_NAME = 400;

/** Matches a variable with the name of a secret, or one that another variable names: `${!name}`. */
const SECRET_VARIABLE = new RegExp(
  `\\$\\{?(!?\\w*${SECRET_NAME.source}S?\\w*)(?!\\w*\\}?:?\\+)|\\$\\{!\\w+\\}`,
  'i',
);
/**
 * The same for programs that are not meant to print: only names in capitals, as in the environment, are
 * matched.
 */
const LOUD_VARIABLE =
  /\$\{?\w*(TOKEN|SECRET|PASSW(OR)?D|PASSPHRASE|CREDENTIALS?|_KEY|APIKEY|DSN|DATABASE_URL)\b|\$\{!\w+\}/;
/** Matches program code that reads such a variable. The next pattern matches one whose name is computed. */
const SECRET_IN_CODE = new RegExp(
  `\\b(environb?|getenvb?|get_env|_?ENV|_SERVER)\\W{1,5}((get|fetch|dig)\\W{1,4})?\\w*${SECRET_NAME.source}`,
  'i',
);
const COMPUTED_IN_CODE =
  /\b(environb?|getenvb?|get_env|_?ENV|_SERVER)\s?(\.\s?(get|fetch)\s?)?([[(]\s?([^\s"'`)\]]|["'`][^"'`]*["'`]\s*[+.%])|\{\$)|\bENV\s?\)/i;
/**
 * Programs that keep a value, compare it, or connect with it, without showing it. Where they send it is
 * judged elsewhere.
 */
const KEEPS = programs('secret-keepers');

/** Whether `env` gets no command to run, so that it prints the environment: `env -u X`, `env X=1`. */
function runsNothing(texts: string[]): boolean {
  if (texts.some((text) => /^(-\w*i\w*|-|--ignore-environment|--help|--version)$/.test(text))) return false;
  return texts.every(
    (text, i) => /^-|^[A-Za-z_]\w*=/.test(text) || /^(-\w*[uCP]|--unset|--chdir)$/.test(texts[i - 1] ?? ''),
  );
}

/** Returns a variable with a secret, or the whole environment, that a command prints. */
function variableShown({ program, args, openArgs, input, code }: Invocation): string | null {
  if (program === 'readonly' && args.some(({ text }) => /^-\w*p/.test(text))) return 'the environment';
  if (KEEPS.has(program)) return null;
  const prints = programs('printers').has(program);
  const tells = prints || SHOWERS.has(program) ? SECRET_VARIABLE : LOUD_VARIABLE;
  if (input.kind === 'text' && !input.known && tells.test(input.text)) return input.text;
  const texts = args.map((arg) => arg.text);
  if (code && (SECRET_IN_CODE.test(code.text) || COMPUTED_IN_CODE.test(code.text)))
    return 'a variable of its environment';
  switch (program) {
    case 'env':
      return runsNothing(texts) ? 'the environment' : null;
    case 'printenv':
      if (openArgs || texts.every((text) => text.startsWith('-'))) return 'the environment';
      return args.find((arg) => !arg.known || SECRET_NAME.test(arg.text))?.text ?? null;
    case 'set':
      return texts.length === 0 ? 'the environment' : null;
    case 'export':
    case 'declare':
    case 'typeset':
      if (texts.every((text) => /^-[px]+$/.test(text))) return 'the environment';
      return /^-[a-zA-Z]*p/.test(texts[0] ?? '')
        ? (texts.find((text) => SECRET_NAME.test(text)) ?? null)
        : null;
    case 'ps':
      // the letter e of BSD's options shows the environment
      return (
        texts.find(
          (text) => /^[aAcfgGhjlLmMnrsSTuUvwxXZ]*e[a-zA-Z]*$/.test(text) && /^[a-z]{1,6}$/i.test(text),
        ) ?? null
      );
    case 'jq':
    case 'gojq':
    case 'jaq':
      return texts.find((text) => /\$ENV\b|(^|[^.\w])env\b/.test(text) && !text.startsWith('-')) ?? null;
    case 'yq':
      return texts.find((text) => /\b(env|strenv|envsubst|load\w*)\s*\(|\$ENV\b/.test(text)) ?? null;
    default:
      return (
        args.find((arg) => !arg.known && (prints ? SECRET_VARIABLE : LOUD_VARIABLE).test(arg.text))?.text ??
        null
      );
  }
}
