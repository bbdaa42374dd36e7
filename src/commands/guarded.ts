import { globPattern } from '../shell/globs.ts';
import { programs } from '../shell/lists.ts';
import { isInterpreter, SHELLS } from '../shell/names.ts';
import type { Arg, Invocation } from '../shell/types.ts';
import { resolvePath, type Surroundings, within } from '../shell/zones.ts';
import { changedBy, pathOf, wordsOf } from './arguments.ts';
import type { Options } from './options.ts';

// The files that guard this session, and whether a command may change one: it names it and is not known to only look, or
// it changes many files at once where they lie.

/** `lore`: the client's settings with Lore's hooks, or Lore's rules; `unknown`: perhaps those, or git's own settings */
export type Reached = 'lore' | 'unknown';

const LORES = ['.claude/settings.json', '.claude/settings.local.json', '.lore/rules.json'];
const GUARDS = [...LORES, '.git/config', '.git/hooks'];
const worst = (found: (Reached | null)[]): Reached | null =>
  found.includes('lore') ? 'lore' : found.includes('unknown') ? 'unknown' : null;

/** Matches the path of what guards, or of the folder that holds it. */
const LORES_PATH =
  /\/(?:\.lore(?:\/|$)|\.claude(?:\/(?:settings[^/]*\.json|hooks|plugins)(?:\/|$)|$)|\.codex\/(?:hooks\.json|config\.toml)$|\.cursor\/hooks\.json$|\.copilot\/hooks(?:\/|$)|opencode\/plugins?(?:\/|$)|managed-settings\.json$)/i;
const GITS_PATH = /\/\.git(?:\/(?:config$|hooks(?:\/|$))|$)/i;
/** A word without any of this names nothing that guards, unless the command runs in a folder of it. */
const MAY_NAME = /\.(?:lore|claude|codex|cursor|copilot|git)\b|opencode\b|managed-settings|[*?[$`]/i;
/** Matches options whose value says what is left out, and patterns of searches. */
const LEAVES_OUT =
  /^--?(?:x|I|g|prune|i?glob|i?name|i?path|(?:no|not|exclude|ignore|skip|omit|without|filter|prune)(?:[-_]?[a-z-]*)?)$/i;
/** Matches options whose value is the folder in which a program works. */
const FOLDER_OPTION = /^(?:-C|--(?:directory|chdir|cwd|prefix|dir|work-tree|root|rootdir|project))$/;
/** What git puts before a path to say how it is meant. */
const MAGIC = /^:(?:\([^)]*\)|[/^!]+)/;
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
  const linked = changed.map((arg) => {
    const path = arg.known && place.real ? resolvePath(arg.text, invocation.cwd, place.home) : null;
    return path === null ? null : guardAt(place.real?.(path) ?? path, place);
  });
  const matched = changed.filter(({ glob }) => glob).map((arg) => byWord(arg, invocation.cwd, place));
  const found = worst([...linked, ...matched, changesMany(invocation, place, options) ? 'unknown' : null]);
  if (found === 'lore') return found;
  if (keepsSources(invocation))
    return worst([found, ...changed.map((arg) => byWord(arg, invocation.cwd, place))]);
  const listers = invocation.args.flatMap(({ listedBy, from }) => [...(listedBy ?? []), ...(from ?? [])]);
  const named = worst([invocation, ...listers].map((one) => namedGuard(one, place)));
  return named !== null && !onlyLooks(invocation) ? worst([found, named]) : found;
}

/** Whether a program only reads all that it names but its target. A second name for the same file is no copy. */
const keepsSources = ({ program, args }: Invocation): boolean =>
  programs('keeping-copiers').has(program) &&
  !args.some(({ text }) => /^(-[a-zA-Z]*[ls][a-zA-Z]*|--(link|symbolic|remove-source).*)$/.test(text));

/** Returns what guards among the files that the words of a command name; null if none is. */
function namedGuard(invocation: Invocation, place: Surroundings): Reached | null {
  const { args, program } = invocation;
  const folders = [invocation.cwd, ...invocation.otherCwds, ...foldersOf(invocation, place), place.root];
  const inside = folders.some((folder) => folder !== null && guardAt(folder, place) === 'lore');
  // most commands name nothing of the kind
  if (!inside && !args.some(({ text }) => MAY_NAME.test(text))) return null;
  // a hook that is run is judged by what stands in it
  const runsScript = SHELLS.has(program) || /^(source|\.)$/.test(program) || isInterpreter(program);
  const script = runsScript ? args.find(({ text }) => !text.startsWith('-')) : undefined;
  const named = args.flatMap((arg, i) => (arg === script ? [] : partsOf(arg, args[i - 1]?.text ?? '')));
  return worst(
    named.map((arg) => {
      if (!inside && !MAY_NAME.test(arg.text)) return null;
      const text = program === 'git' ? arg.text.replace(MAGIC, '') : arg.text;
      const glob = arg.glob || (program === 'git' && /[*?[]/.test(text));
      return worst(folders.map((folder) => byWord({ ...arg, text, glob }, folder, place)));
    }),
  );
}

/** Returns the parts of a word that may be paths: `a`, `--x=a`, `-xa`, `of=a`, `@a`, `a:b`. */
function partsOf(arg: Arg, before: string): Arg[] {
  const { text } = arg;
  if (text.length > MAX_WORD || text.includes('\n') || text.startsWith('!') || LEAVES_OUT.test(before))
    return [];
  const [, option] = /^(--?[\w-]+)=/.exec(text) ?? [];
  if (option !== undefined && LEAVES_OUT.test(option)) return [];
  const attached = /^-[a-zA-Z](?=[^-])/.test(text) ? [text.slice(2)] : [];
  const parts = /[=@:,]/.test(text) && !MAGIC.test(text) ? text.split(/[=@:,]/) : [];
  return [text, ...attached, ...parts].map((part) => ({ ...arg, text: part }));
}

/** Returns the folders in which options tell a program to work. */
const foldersOf = ({ args, cwd }: Invocation, { home }: Surroundings): (string | null)[] =>
  args.flatMap(({ text, known }, i) => {
    const [, option = '', attached] = /^(--[a-z-]+)=(.*)$/s.exec(text) ?? /^(-C)(.+)$/s.exec(text) ?? [];
    const behind = FOLDER_OPTION.test(args[i - 1]?.text ?? '') ? text : undefined;
    const value = FOLDER_OPTION.test(option) ? attached : behind;
    return value === undefined || !known ? [] : [resolvePath(value, cwd, home)];
  });

/** Returns what it means to name a path. */
function guardAt(path: string, { root, home }: Surroundings): Reached | null {
  if (!within(path, root) && !within(path, home) && !path.endsWith('managed-settings.json')) return null;
  return LORES_PATH.test(path) ? 'lore' : GITS_PATH.test(path) ? 'unknown' : null;
}

function byWord(arg: Arg, folder: string | null, place: Surroundings): Reached | null {
  const written = arg.known
    ? arg.text
    : arg.text.replace(/\$\{[^}]*\}|\$\([^)]*\)|\$\w+|\$[@*#?!-]|`[^`]*`/g, '*');
  // a name that is put together whole may be anything
  if (!arg.known && !/(?:^|\/)\.[lcg]/i.test(written)) return null;
  const path = resolvePath(written, folder, place.home) ?? `${place.root}/${written}`;
  // a sentence or a program that speaks of such a file
  if (/[\s'"()<>;|]/.test(path.replace(place.root, '').replace(folder ?? '', ''))) return null;
  if (arg.known && !arg.glob) return guardAt(path, place);
  const found = byPattern(path, place);
  return found && !arg.known ? 'unknown' : found;
}

/** Returns what guards among the files that a pattern of the shell finds. */
function byPattern(pattern: string, place: Surroundings): Reached | null {
  if (pattern.includes('/**')) return null;
  const matched = globPattern(pattern);
  // a star finds hidden names only behind a dot
  const finds = (path: string) =>
    matched === null ||
    (matched.test(path) &&
      path.split('/').every((name, i) => !name.startsWith('.') || pattern.split('/')[i]?.startsWith('.')));
  return worst(
    GUARDS.map((file) => {
      const path = `${place.root}/${file}`;
      if (!finds(path) && !finds(`${place.root}/${file.split('/')[0]}`)) return null;
      return place.exists?.(path) === false ? null : LORES.includes(file) ? 'lore' : 'unknown';
    }),
  );
}

/** Whether a command changes many files at once, of which nobody here can say that none guards. */
function changesMany(invocation: Invocation, place: Surroundings, options: Options): boolean {
  const { program, args } = invocation;
  const { words, values, options: given } = wordsOf(invocation, options);
  const has = (pattern: RegExp) => given.some((option) => pattern.test(option));
  if (program === 'find') return has(/^-delete$/) && findsGuards([invocation], place, options);
  const listed = args.find((arg) => arg.listedBy);
  if (listed?.listedBy)
    return (
      (programs('changers').has(program) || changedBy(invocation, options).includes(listed)) &&
      findsGuards(listed.listedBy, place, options)
    );
  if (/^(g?cp|mv|rsync)$/.test(program)) {
    const given = values.find(({ option }) => /^(-t|--target-directory)$/.test(option))?.arg;
    const to = given ?? words.at(-1);
    const whole = ({ text }: Arg) =>
      /(^|\/)\.([^/]*[*?[][^/]*)?$/.test(text) || (program === 'rsync' && text.endsWith('/'));
    const all = has(/^(-T|--no-target-directory)$/) || words.some((word) => word !== to && whole(word));
    return all && to !== undefined && holdsGuards(pathOf(to, invocation, place), place);
  }
  if (program === 'patch' || (program === 'git' && /^(apply|am)$/.test(words[0]?.text ?? ''))) {
    const only = args.some(({ text }) => /^--(check|(num)?stat|summary|dry-run|abort|skip|quit)$/.test(text));
    // with --apply git applies it nevertheless
    return !only || has(/^--apply$/);
  }
  const [first = ''] = args.map(({ text }) => text);
  const unpacks = program === 'unzip' ? !has(/^-[lvptZz]/) : /^-?\w*[xe]|^-\w*[ri]/.test(first);
  if (!programs('unpackers').has(program) || !unpacks) return false;
  const folder = args.find((_, i) => /^(-C|-d|--directory)$/.test(args[i - 1]?.text ?? ''));
  return holdsGuards(folder ? pathOf(folder, invocation, place) : (invocation.cwd ?? '/'), place);
}

const holdsGuards = (folder: string, { root }: Surroundings): boolean =>
  GUARDS.some((file) => within(`${root}/${file}`, folder));

/** Whether a command that lists files, with the filters behind it, may list one that guards. */
function findsGuards([source, ...filters]: Invocation[], place: Surroundings, options: Options): boolean {
  if (!source) return true;
  const { words, values, options: given } = wordsOf(source, options);
  const has = (pattern: RegExp) => given.some((option) => pattern.test(option));
  if (/^(rg|fd|fdfind)$/.test(source.program) && !has(/^(-u+|-H|--hidden|-\.|--no-ignore)$/)) return false;
  const starts = /^git$|grep$|^rg$/.test(source.program) && !has(/^(-e|--regexp)$/) ? words.slice(1) : words;
  const patterns = starts.filter(({ text }) => source.program === 'git' && /[*?]/.test(text));
  const folders = starts.filter((word) => !patterns.includes(word));
  const isElsewhere = (word: Arg) =>
    word.known && !word.glob && !holdsGuards(pathOf(word, source, place), place);
  if (folders.length > 0 && folders.every(isElsewhere)) return false;
  const line = source.args.map(({ text }) => text).join(' ');
  // also a filter for another ending passes: `grep '\.ts$'`
  const narrowed = filters.some(({ args }) => /^\\\.(?!json)\w+\$$/.test(args.at(-1)?.text ?? ''));
  if (narrowed || /(^| )(!|-not) -(path|name) (\*\/)?\.\*/.test(line)) return false;
  const named = values
    .filter(({ option }) => /^(-i?name|--include|-g|--glob)$/.test(option))
    .map(({ arg }) => arg);
  const finds = ({ text }: Arg) => {
    const pattern = globPattern(text.slice(text.lastIndexOf('/') + 1));
    return pattern === null || GUARDS.some((file) => file.split('/').some((name) => pattern.test(name)));
  };
  return patterns.length + named.length === 0 || [...patterns, ...named].some(finds);
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
