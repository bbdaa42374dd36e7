import { readJsonc } from '../base/text/jsonc.ts';
import { holds, programs, SECRET_NAME } from '../shell/names.ts';
import type { Arg, Invocation } from '../shell/types.ts';
import { mayHoldSecrets, resolvePath, zoneOf } from '../shell/zones.ts';
import { lineOf, scriptsOf, wordsOf } from './arguments.ts';
import { hostsOf, isKnownHost } from './hosts.ts';
import printing from './known/printing.jsonc' with { type: 'text' };
import { perCommand } from './per-command.ts';
import type { MatchContext } from './types.ts';

// Finds the secrets that a command may show or send: variables, files with keys in whatever way it gets their names, and
// what programs print of them.

/** Which secret a command may show: its name as it is written, and whether what it does prints it. */
type Showing = { reason: string; asks?: true; secrets?: string[] };

/**
 * Returns why a command is in doubt that may show a secret, and whether a person is asked; null if nothing tells that it
 * shows one. What a person let the session read may be read again.
 */
export function showingOf(invocation: Invocation, context: MatchContext): Showing | null {
  const shown = secretShownBy(invocation, context, NOTHING);
  if (shown === null) return null;
  const seen = context.place.shown ?? NOTHING;
  if (seen.size > 0 && secretShownBy(invocation, context, seen) === null)
    return { reason: `shows ${shown} again, as a person let it` };
  // these use a secret for their work and do not print it
  const uses =
    holds(programs('secret-users'), invocation.program) &&
    invocation.code === undefined &&
    !printsSecrets(invocation) &&
    variableShown(invocation) === null;
  return {
    reason: `may show ${shown}`,
    ...(!uses && { asks: true as const, secrets: secretFiles(invocation, context) }),
  };
}

const NOTHING: ReadonlySet<string> = new Set();

const secretShownBy = (
  invocation: Invocation,
  context: MatchContext,
  seen: ReadonlySet<string>,
): string | null =>
  variableShown(invocation) ??
  fileShown(invocation, context, seen) ??
  (printsSecrets(invocation) ? `what ${invocation.program || invocation.path} knows of keys` : null);

/** Returns the files of secrets that a command names to the letter. */
const secretFiles = ({ args, reads, cwd }: Invocation, { place }: MatchContext): string[] =>
  [...args, ...reads].flatMap((arg) => {
    const path = arg.known && !arg.glob ? resolvePath(arg.text, cwd, place.home) : null;
    return path !== null && mayHoldSecrets(arg, cwd, place) ? path : [];
  });

/** Programs whose first word is a pattern or a program, and no file. */
const WITH_PATTERN = new Set([
  ...programs('greps'),
  ...programs('tree-greps'),
  ...programs('awks'),
  ...programs('seds'),
  ...programs('json-readers'),
]);
/** Options whose values name files to leave out, or are only compared with names; `-g` leaves out only with `!`. */
const LEAVES_OUT =
  /^(--exclude(-dir|-from)?|--ignore(-dir|-file)?|-x|-I|-E|-X|-name|-iname|-path|--i?glob|-g)$/;
const GLOBS = /^(--i?glob|-g)$/;
/** Subcommands of git that show names only. */
const GIT_NAMES = /^(rm|check-ignore|ls-files|status|mv)( |$)/;
/** A command that only asks if a file has a setting of that name: `grep -q ^API_KEY= .env`. */
const ASKS_FOR_NAME =
  /^([ef]?grep|rg)(?= .*(-\w*[cql]|--(count|quiet|silent|files-with-matches)))( -[cqlinsEFw]+| --(count|quiet|silent|files-with-matches))+ \^?[A-Za-z_]\w{1,60}(=\.?)?( \S+)*$/;
/** Options with which a search looks into hidden files of all folders below, and those with which it shows no text. */
const SEARCHES_ALL = /^(-[rRu]+|--(dereference-)?recursive|--hidden|-\.|--no-ignore|--unrestricted)$/;
/** Matches what leaves `.env` out of a search: it excludes that name, or wants names with another ending. */
const LEAVES_OUT_ENV =
  /(^| )(--exclude[ =]|(-g|--i?glob)[ =]!)(\*\*\/)?\*?\.env|(^| )(-g|--i?glob|--include)[ =](?!!)\S*\.(?!env)[\w{},]+( |$)/i;
const NAMES_ONLY = /^(-[lLcq]|--files.*|--count|--quiet|--silent|--name-only)$/;
/** Programs that write to the file that their last word names. */
const TARGETS_LAST = new Set(['cp', 'mv', 'ln', 'install']);
/** Returns the file of secrets that a command may show. `seen`: files that count as none. */
function fileShown(invocation: Invocation, context: MatchContext, seen: ReadonlySet<string>): string | null {
  const { program, args, reads, cwd, openArgs } = invocation;
  const { place } = context;
  if (ASKS_FOR_NAME.test(lineOf(invocation))) return null;
  const wasSeen = ({ known, glob, text }: Arg) =>
    known && !glob && seen.has(resolvePath(text, cwd, place.home) ?? '');
  const isSecret = (arg: Arg) => mayHoldSecrets(arg, cwd, place) && !wasSeen(arg);
  const read = reads.find(isSecret);
  if (read) return read.text;
  // openssl prints only certificates then, even of a file that also holds their key
  if (/^(echo|printf)$/.test(program) || (program === 'openssl' && args[0]?.text === 'x509')) return null;
  const { words, options, values, sub } = wordsOf(invocation, context.options);
  const list = values.find(({ kind, arg }) => kind === 'reads' && isSecret(arg));
  if (list) return list.arg.text;
  // after `cd` with a pattern the folder is not known
  const enters = /^(cd|pushd)$/.test(program) && args.some((arg) => arg.glob);
  const names = (programs('namers').has(program) && !enters) || (program === 'git' && GIT_NAMES.test(sub));
  // an empty word is a pattern for grep, and for sed the suffix of BSD's -i
  const given = scriptsOf(program.includes('sed') ? words : words.slice(0, 1), options, values);
  const first = given.length === 0 && words[0]?.text === '' ? words.slice(0, 1) : given;
  const pattern = WITH_PATTERN.has(program) ? first : [];
  const made = TARGETS_LAST.has(program) ? words.slice(-1) : program === 'touch' ? words : [];
  const left = values
    .filter(
      ({ option, kind, arg: { text } }) =>
        kind === 'unread' || (LEAVES_OUT.test(option) && (!GLOBS.test(option) || text.startsWith('!'))),
    )
    .map(({ arg }) => arg.text);
  const found = args.find(
    (arg) =>
      !(pattern.includes(arg) || made.includes(arg) || left.includes(arg.text)) &&
      !LEAVES_OUT.test(arg.text.replace(/=.*$/s, '')) &&
      (!names || arg.text.startsWith('-')) &&
      waysToRead(arg, program).some(isSecret),
  );
  if (found) return found.text;
  const edits = program.includes('sed') && options.some((option) => /^(-i|-I|--in-place)/.test(option));
  // a pattern that is empty or matches any line prints every line
  const showsAll = pattern.some(({ text }) => /^(\^|\$|\.[*+]?|=|\^\.\*?|)$/.test(text));
  const searches = programs('greps').has(program) || programs('tree-greps').has(program);
  const all = options.some((option) => SEARCHES_ALL.test(option)) || words.some(({ listedBy }) => listedBy);
  const sweeps = searches && all && !options.some((option) => NAMES_ONLY.test(option));
  if (names || edits || !(programs('showers').has(program) || showsAll || sweeps)) return null;
  if (openArgs) return 'files that are known only when it runs';
  // a whole home folder holds secrets, and so does what find or a substitution lists without a filter
  const whole = words.find((word) => {
    if (pattern.includes(word) || made.includes(word)) return false;
    if (word.from && !word.known) return !word.from.every(listsNames);
    const folder = word.text.replace(/\/\*\*$/, '');
    const zone = zoneOf({ ...word, text: folder || '/' }, cwd, place);
    if (searches) return /^(home|root)$/.test(zone) || holdsEnv(folder);
    return /^(home|root)$/.test(zone) || (zone === 'project-root' && folder !== word.text);
  });
  const here = sweeps && words.every((word) => pattern.includes(word)) && holdsEnv('.');
  return whole?.text ?? (here ? '.env' : null);

  function holdsEnv(text: string): boolean {
    const folder = resolvePath(text, cwd, place.home);
    const leftOut = LEAVES_OUT_ENV.test(args.map((arg) => arg.text).join(' '));
    return !leftOut && folder !== null && place.exists?.(`${folder}/.env`) === true;
  }
}

/** Whether a command in a substitution prints only names of files, none of which is hidden. */
const listsNames = (invocation: Invocation): boolean =>
  LISTS_NAMES.test(lineOf(invocation)) ||
  programs('line-filters').has(invocation.program) ||
  (programs('namers').has(invocation.program) && !LISTS_HIDDEN.test(lineOf(invocation)));
const LISTS_NAMES = /^(git|mktemp)\b|^(rg|ag|ack|pt) .*(-l|--files)/;
const LISTS_HIDDEN = /^(ls|[dv]*dir|e[xz]a|lsd|tree) .*(-[a-zA-Z]*[aA]|--(almost-)?all)/;

/** Longest name of a file, in characters. */
const MAX_NAME = 400;

/** Returns the files that an argument may name: itself, and the text behind `=`, `@`, `:` or an option's letters. */
function waysToRead(arg: Arg, program: string): Arg[] {
  const { text } = arg;
  if (text.length > MAX_NAME) return [];
  const behindLetters = /^-[a-zA-Z]./.test(text) ? [2, 3, 4].map((at) => text.slice(at)) : [];
  const texts = new Set([text, ...text.split(/[=@:,]/).slice(1), ...behindLetters]);
  // a quoted pattern is one for the program
  const glob = arg.glob || (text.startsWith('-') && /[*?[]/.test(text));
  return [...texts]
    .filter((one) => one !== '' && one !== program)
    .map((one) => ({ ...arg, glob, text: one }));
}

/** Matches a variable with the name of a secret, or one that another variable names: `${!name}`. */
const SECRET_VARIABLE = new RegExp(
  `\\$\\{?(!?\\w*${SECRET_NAME.source}S?\\w*)(?!\\w*\\}?:?\\+)|\\$\\{!\\w+\\}`,
  'i',
);
/** The same for programs that are not meant to print: only names in capitals, as in the environment, are matched. */
const LOUD_VARIABLE =
  /\$\{?\w*(TOKEN|SECRET|PASSW(OR)?D|PASSPHRASE|CREDENTIALS?|_KEY|APIKEY|DSN|DATABASE_URL)\b|\$\{!\w+\}/;
/** Matches program code that reads such a variable. */
const SECRET_IN_CODE = new RegExp(
  `\\b(environb?|getenvb?|get_env|_?ENV|_SERVER)\\W{1,5}((get|fetch|dig)\\W{1,4})?\\w*${SECRET_NAME.source}`,
  'i',
);

/** Returns a variable with a secret that a command prints. */
function variableShown({ program, args, input, code }: Invocation): string | null {
  // these keep a value, compare it, or connect with it; where they send it is judged elsewhere
  if (programs('secret-keepers').has(program)) return null;
  const prints = programs('printers').has(program);
  const tells = prints || programs('showers').has(program) ? SECRET_VARIABLE : LOUD_VARIABLE;
  if (input.kind === 'text' && !input.known && tells.test(input.text)) return input.text;
  if (code && SECRET_IN_CODE.test(code.text)) return 'a variable of its environment';
  const variable = prints ? SECRET_VARIABLE : LOUD_VARIABLE;
  return args.find((arg) => !arg.known && variable.test(arg.text))?.text ?? null;
}

const PRINTS_SECRETS = new RegExp(`^(?:${(readJsonc(printing) as string[]).join('|')})`, 'i');

/** Whether a command prints keys, tokens, or an environment that contains them. */
export const printsSecrets = perCommand((invocation: Invocation): boolean =>
  PRINTS_SECRETS.test(lineOf(invocation).slice(0, 500)),
);

/** Subcommands of gh and glab that show what they are given to others. */
const POSTS = /^(issue|pr|mr|gist|snippet|release|discussion|api|repo)( |$)/;

/**
 * Returns where a command sends the content of a file of secrets, the environment or a token; null if it sends none. A
 * secret that is named as an argument may be the key with which it connects, so rules judge that.
 */
export function sendsSecretTo(invocation: Invocation, { place, options }: MatchContext): string | null {
  const far = hostsOf(invocation, options).find((one) => !isKnownHost(one, place));
  const posts = /^(gh|glab)$/.test(invocation.program) && POSTS.test(wordsOf(invocation, options).sub);
  if (far === undefined && !posts) return null;
  const isSecret = (cwd: string | null) => (arg: Arg) => zoneOf(arg, cwd, place) === 'secret';
  const readsSecret = (stage: Invocation): boolean =>
    printsSecrets(stage) ||
    (!programs('namers').has(stage.program) && [...stage.args, ...stage.reads].some(isSecret(stage.cwd)));
  const stagesOf = ({ input }: Invocation): Invocation[] =>
    input.kind === 'pipe' ? input.from.flatMap((one) => [one, ...stagesOf(one)]) : [];
  const inArgs = invocation.args.flatMap(({ from = [] }) => from).flatMap((one) => [one, ...stagesOf(one)]);
  const reads = invocation.reads.some(isSecret(invocation.cwd));
  if (!reads && ![...inArgs, ...stagesOf(invocation)].some(readsSecret)) return null;
  return far === undefined ? 'where others read it' : `to ${far.split('.').slice(-2).join('.')}`;
}
