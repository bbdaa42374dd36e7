import { isInterpreter, SHELLS } from '../shell/names.ts';
import type { Arg, Invocation } from '../shell/types.ts';
import { resolvePath, type Surroundings, within } from '../shell/zones.ts';
import { globMatches } from './listings.ts';

// The files that guard this session, and whether the words of a command name one of them: as they are, by a pattern, from
// within a folder, or by a name that the line puts together. What the command then does to it is not asked here.

/** `lore`: the client's settings with Lore's hooks, or Lore's rules; `unknown`: perhaps those, or git's own settings */
export type Reached = 'lore' | 'unknown';

/** The client's settings and the project's rules, below the project's folder. */
export const LORES = ['.claude/settings.json', '.claude/settings.local.json', '.lore/rules.json'];
/** What git obeys. */
const GITS = ['.git/config', '.git/hooks'];
export const GUARDS = [...LORES, ...GITS];

/** Returns the worst of what was found. */
export const worst = (found: (Reached | null)[]): Reached | null =>
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
/** What git puts before a path to say how it is meant, and before one that it leaves out. */
const MAGIC = /^:(?:\(([^)]*)\)|[/^!]+)/;
const MAX_WORD = 4096;

/** Returns what guards among the files that the words of a command name; null if none is. */
export function namedGuard(invocation: Invocation, place: Surroundings): Reached | null {
  const { args, program } = invocation;
  const folders = [invocation.cwd, ...invocation.otherCwds, ...foldersOf(invocation, place)];
  const inside = folders.some((folder) => folder !== null && guardAt(folder, place) === 'lore');
  // most commands name nothing of the kind
  if (!inside && !args.some(({ text }) => MAY_NAME.test(text))) return null;
  // a hook that is run is judged by what stands in it
  const script = runsScripts(program) ? args.find(({ text }) => !text.startsWith('-')) : undefined;
  const named = args.flatMap((arg, i) => (arg === script ? [] : partsOf(arg, args[i - 1]?.text ?? '')));
  return worst(
    named.map((arg) => {
      if (!inside && !MAY_NAME.test(arg.text)) return null;
      const magic = program === 'git' ? MAGIC.exec(arg.text) : null;
      if (magic && /exclude|[!^]/.test(magic[1] ?? magic[0])) return null;
      const text = magic ? arg.text.slice(magic[0].length) : arg.text;
      const from = magic && /top|\//.test(magic[1] ?? magic[0]) ? [place.root] : folders;
      return worst(from.map((folder) => byWord({ ...arg, text }, folder, place, program === 'git')));
    }),
  );
}

const runsScripts = (program: string): boolean =>
  SHELLS.has(program) || /^(source|\.)$/.test(program) || isInterpreter(program);

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
    const value = FOLDER_OPTION.test(option)
      ? attached
      : FOLDER_OPTION.test(args[i - 1]?.text ?? '')
        ? text
        : undefined;
    return value === undefined || !known ? [] : [resolvePath(value, cwd, home)];
  });

/** Returns what it means to name a path. */
export function guardAt(path: string, { root, home }: Surroundings): Reached | null {
  if (!within(path, root) && !within(path, home) && !path.endsWith('managed-settings.json')) return null;
  return LORES_PATH.test(path) ? 'lore' : GITS_PATH.test(path) ? 'unknown' : null;
}

function byWord(arg: Arg, folder: string | null, place: Surroundings, globs: boolean): Reached | null {
  const unfinished = !arg.known;
  const written = unfinished
    ? arg.text.replace(/\$\{[^}]*\}|\$\([^)]*\)|\$\w+|\$[@*#?!-]|`[^`]*`/g, '*')
    : arg.text;
  // a name that is put together whole may be anything
  if (unfinished && !/(?:^|\/)\.[lcg]/i.test(written)) return null;
  const path = resolvePath(written, folder, place.home) ?? `${place.root}/${written}`;
  // a sentence or a program that speaks of such a file
  if (/[\s'"()<>;|]/.test(path.replace(place.root, '').replace(folder ?? '', ''))) return null;
  if (!unfinished && !arg.glob && !(globs && /[*?[]/.test(written))) return guardAt(path, place);
  const found = byPattern(path, place);
  return found && unfinished ? 'unknown' : found;
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

/** Returns what guards among the files that a pattern finds. */
export function byPattern(pattern: string, place: Surroundings): Reached | null {
  if (pattern.includes('/**')) return null;
  return worst(
    GUARDS.map((file) => {
      const [top = ''] = file.split('/');
      const path = `${place.root}/${file}`;
      const matches = [path, `${place.root}/${top}`].some((one) =>
        globMatches(pattern, one, { anyDepth: false }),
      );
      if (!matches || place.exists?.(path) === false) return null;
      return LORES.includes(file) ? 'lore' : 'unknown';
    }),
  );
}
