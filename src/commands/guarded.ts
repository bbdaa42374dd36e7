import { globPattern } from '../shell/globs.ts';
import { isInterpreter, programs, SHELLS } from '../shell/names.ts';
import type { Arg, Invocation } from '../shell/types.ts';
import { resolvePath, type Surroundings, within } from '../shell/zones.ts';
import { changedBy, pathOf, wordsOf } from './arguments.ts';
import type { Options } from './options.ts';

// The files that guard this session, and whether a command may change one: it names it and is not known to only look, or
// it changes many files that are found for it. Copies of whole folders, patches and archives are doubts (doubts.jsonc).

/** `lore`: the client's settings with Lore's hooks, or Lore's rules; `unknown`: perhaps those, or git's own settings */
export type Reached = 'lore' | 'unknown';

const GUARDS = [
  ...['.claude/settings.json', '.claude/settings.local.json', '.lore/rules.json'],
  ...['.git/config', '.git/hooks'],
];
const worst = (found: (Reached | null)[]): Reached | null =>
  found.includes('lore') ? 'lore' : found.includes('unknown') ? 'unknown' : null;

/** Matches the path of what guards, or of the folder that holds it. */
const LORES_PATH =
  /\/(?:\.lore(?:\/|$)|\.claude(?:\/(?:settings[^/]*\.json|hooks|plugins)(?:\/|$)|$)|\.codex\/(?:hooks\.json|config\.toml)$|\.cursor\/hooks\.json$|\.copilot\/hooks(?:\/|$)|opencode\/plugins?(?:\/|$)|managed-settings\.json$)/i;
const GITS_PATH = /\/\.git(?:\/(?:config$|hooks(?:\/|$))|$)/i;
/** A word without any of this names nothing that guards, unless the command runs in a folder of it. */
const MAY_NAME = /\.(?:lore|claude|codex|cursor|copilot|git)\b|opencode\b|managed-settings|[*?[]/i;
/** Matches options whose value says what is left out, and patterns of searches. */
const LEAVES_OUT =
  /^--?(?:x|I|g|prune|i?glob|i?name|i?path|(?:no|not|exclude|ignore|skip|omit|without|filter|prune)(?:[-_]?[a-z-]*)?)$/i;
/** What git puts before a path to say how it is meant. */
const MAGIC = /^:(?:\([^)]*\)|[/^!]+)/;
const SENTENCE = /[\s'"()<>;|]/;
const MAX_WORD = 4096;

/**
 * Returns what a command may change of what guards; null if it reaches none.
 *
 * @param onlyLooks whether a command is known to change nothing that it names
 */
export function reachOf(
  invocation: Invocation,
  place: Surroundings,
  options: Options,
  onlyLooks: (invocation: Invocation) => boolean,
): Reached | null {
  if (invocation.remote || within(place.home, place.root)) return null;
  const changed = changedBy(invocation, options);
  const found = worst([
    ...changed.map((arg) => (arg.glob || !arg.known ? meant(arg, invocation, place) : led(arg))),
    changesFound(invocation, place, options) ? 'unknown' : null,
  ]);
  if (found === 'lore' || keepsSources(invocation)) return found;
  const listers = invocation.args.flatMap(({ listedBy, from }) => [...(listedBy ?? []), ...(from ?? [])]);
  const named = worst([invocation, ...listers].map((one) => namedBy(one, place)));
  return named !== null && !onlyLooks(invocation) ? worst([found, named]) : found;

  /** What is written through a link reaches what it leads to. */
  function led(arg: Arg): Reached | null {
    const path = pathOf(arg, invocation, place);
    return guardAt(place.real?.(path) ?? path);
  }
}

/** Whether a program only reads all that it names but its target. A second name for the same file is no copy. */
const keepsSources = ({ program, args }: Invocation): boolean =>
  programs('keeping-copiers').has(program) &&
  !args.some(({ text }) => /^(-[a-zA-Z]*[ls][a-zA-Z]*|--(link|symbolic|remove-source).*)$/.test(text));

const guardAt = (path: string): Reached | null =>
  LORES_PATH.test(path) ? 'lore' : GITS_PATH.test(path) ? 'unknown' : null;

/** Returns what guards among the files that the words of a command name; null if none is. */
function namedBy({ args, program, cwd }: Invocation, place: Surroundings): Reached | null {
  const inside = cwd !== null && guardAt(cwd) === 'lore';
  // a hook that is run is judged by what stands in it
  const runsScript = SHELLS.has(program) || /^(source|\.)$/.test(program) || isInterpreter(program);
  const script = runsScript ? args.find(({ text }) => !text.startsWith('-')) : undefined;
  const parts = args.flatMap((arg, i) => (arg === script ? [] : partsOf(arg, args[i - 1]?.text ?? '')));
  return worst(
    parts.map((arg) => {
      if (!inside && !MAY_NAME.test(arg.text)) return null;
      const text = program === 'git' ? arg.text.replace(MAGIC, '') : arg.text;
      const glob = arg.glob || (program === 'git' && /[*?[]/.test(text));
      return worst([cwd, place.root].map((folder) => meant({ ...arg, text, glob }, { cwd: folder }, place)));
    }),
  );
}

/** Returns the parts of a word that may be paths: `a`, `--x=a`, `-xa`, `of=a`, `@a`, `a:b`. */
function partsOf(arg: Arg, before: string): Arg[] {
  const { text } = arg;
  const [option = ''] = /^--?[\w-]+(?==)/.exec(text) ?? [];
  const none = text.length > MAX_WORD || text.startsWith('!') || LEAVES_OUT.test(before);
  if (none || text.includes('\n') || LEAVES_OUT.test(option)) return [];
  const attached = /^-[a-zA-Z](?=[^-])/.test(text) ? [text.slice(2)] : [];
  const parts = MAGIC.test(text) ? [] : text.split(/[=@:,]/);
  return [text, ...attached, ...parts].map((part) => ({ ...arg, text: part }));
}

/** Returns what a word means of what guards, by the path or the pattern that it is. */
function meant(arg: Arg, { cwd }: Pick<Invocation, 'cwd'>, place: Surroundings): Reached | null {
  // what is known only when it runs may be any folder
  const text = arg.known ? arg.text : arg.text.replace(/\$\{[^}]*\}|\$\([^)]*\)|\$\w+|`[^`]*`/g, '.');
  const path = resolvePath(text, cwd ?? place.root, place.home) ?? text;
  if (SENTENCE.test(path.replace(place.root, '').replace(cwd ?? '', ''))) return null;
  return arg.glob ? (byPattern(path, place) ?? guardAt(path)) : guardAt(path);
}

/** Returns what guards among the files that a pattern of the shell finds. */
function byPattern(pattern: string, { root, exists }: Surroundings): Reached | null {
  // a star finds hidden names only behind a dot
  if (pattern.includes('/**') || !pattern.slice(root.length).startsWith('/.')) return null;
  const matched = globPattern(pattern);
  const isFound = (name = '') => matched?.test(`${root}/${name}`) !== false;
  const found = GUARDS.filter((file) => isFound(file) || isFound(file.split('/')[0]));
  return worst(found.map((file) => (exists?.(`${root}/${file}`) === false ? null : guardAt(`/${file}`))));
}

/** Whether a command changes files that are found for it, of which nobody here can say that none guards. */
function changesFound(invocation: Invocation, place: Surroundings, options: Options): boolean {
  const { program, args } = invocation;
  const deletes = program === 'find' && wordsOf(invocation, options).options.includes('-delete');
  const listed = args.find((arg) => arg.listedBy);
  const changes =
    listed && (programs('changers').has(program) || changedBy(invocation, options).includes(listed));
  const [source, ...filters] = deletes ? [invocation] : changes ? (listed?.listedBy ?? []) : [];
  if (!source) return false;
  const { words, values } = wordsOf(source, options);
  const has = (pattern: RegExp) => source.args.some(({ text }) => pattern.test(text));
  // these leave out hidden files by themselves, and what stands in .gitignore
  if (/^(rg|fd|fdfind)$/.test(source.program) && !has(/^(-u+|-H|--hidden|-\.|--no-ignore)$/)) return false;
  // `-not -path '*/.*'`, and a filter for another ending: `grep '\.ts$'`
  const narrowed = filters.some(({ args }) => /^\\\.(?!json)\w+\$$/.test(args.at(-1)?.text ?? ''));
  if (narrowed || has(/^(\*\/)?\.\*$/)) return false;
  const starts = /^git$|grep$|^rg$/.test(source.program) ? words.slice(1) : words;
  const patterns = [
    ...values.filter(({ option }) => /^(-i?name|--include|-g|--glob)$/.test(option)).map(({ arg }) => arg),
    ...starts.filter(({ text }) => source.program === 'git' && /[*?]/.test(text)),
  ];
  const finds = ({ text }: Arg) => {
    const pattern = globPattern(text.slice(text.lastIndexOf('/') + 1));
    return GUARDS.some((file) => file.split('/').some((name) => pattern?.test(name) !== false));
  };
  const isElsewhere = (word: Arg) =>
    word.known &&
    !word.glob &&
    !GUARDS.some((file) => within(`${place.root}/${file}`, pathOf(word, source, place)));
  if (starts.length > 0 && starts.every(isElsewhere)) return false;
  return patterns.length === 0 || patterns.some(finds);
}

/**
 * Whether a text that nobody said to be a path is the path of what guards.
 *
 * @param data Lore's data folder
 */
export function isGuardPath(text: string, data: string): boolean {
  if (text.length > MAX_WORD || text.includes('\n')) return false;
  const path = text.replaceAll('\\', '/').replace(/^file:\/\//i, '');
  // with blanks it is a sentence, unless it begins as a path does
  if (/\s/.test(path) && !/^(?:~?\/|[a-z]:\/)/i.test(path)) return false;
  return LORES_PATH.test(`/${path}`) || path.startsWith(data);
}
