import { known } from '../shell/arg.ts';
import { readAwk } from '../shell/awk.ts';
import { AWKS } from '../shell/names.ts';
import { readSed, type TextProgram } from '../shell/sed.ts';
import type { Arg, Invocation } from '../shell/types.ts';
import { resolvePath, type Surroundings } from '../shell/zones.ts';
import type { Options, Value, Words } from './options.ts';

// Splits a command's arguments into the parts that rules are about: words, options with values, scripts, and
// the files that the command writes.

/** Returns the absolute path of an argument; the argument itself where the folder is not known. */
export const pathOf = (arg: Arg, { cwd }: Invocation, { home }: Surroundings): string =>
  resolvePath(arg.text, cwd, home) ?? arg.text;

const split = new WeakMap<Invocation, Words>();

/** Returns the arguments of a command split into words, options and their values. Remembered for each command. */
export function wordsOf(invocation: Invocation, options: Options): Words {
  const before = split.get(invocation);
  if (before) return before;
  const made = options.split(invocation.program, invocation.args);
  split.set(invocation, made);
  return made;
}

/** Returns the scripts of sed and awk: the values of -e, or else the first word. */
export function scriptsOf(words: Arg[], options: string[], values: Value[]): Arg[] {
  const given = values.filter(({ option }) => /^(-e|--expression|--source)$/.test(option));
  if (given.length > 0) return given.map(({ arg }) => arg);
  if (options.some((option) => /^(-f|--file)$/.test(option))) return [];
  // an empty word, or one such as `.bak`, is the suffix of BSD's -i
  return words.filter((word) => !/^(\.(bak|orig|old))?$/.test(word.text)).slice(0, 1);
}

/**
 * Returns what the scripts in the arguments of sed and awk do; null for a script that the reader does not
 * understand.
 */
export function textProgramsOf(invocation: Invocation, table: Options): (TextProgram | null)[] {
  const read = SEDS.has(invocation.program) ? readSed : AWKS.includes(invocation.program) ? readAwk : null;
  if (!read) return [];
  const { words, options, values } = wordsOf(invocation, table);
  return scriptsOf(words, options, values).map((arg) => (arg.known ? read(arg.text) : null));
}

const SEDS = new Set(['sed', 'gsed']);

/**
 * Returns what a command writes over or makes: the targets of its redirections, and of programs that copy or
 * edit files.
 *
 * @param table the options that are known
 */
export function targetsOf(invocation: Invocation, table: Options): Arg[] {
  const before = targets.get(invocation);
  if (before) return before;
  const made = findTargets(invocation, table);
  targets.set(invocation, made);
  return made;
}

/** Rules and knowledge ask for the targets of a command again and again. */
const targets = new WeakMap<Invocation, Arg[]>();

function findTargets(invocation: Invocation, table: Options): Arg[] {
  const { words, options, values } = wordsOf(invocation, table);
  const redirected = [
    ...invocation.writes.map((write) => write.target),
    ...values.filter(({ kind }) => kind === 'writes').map(({ arg }) => arg),
    ...(invocation.code?.writesTo ?? []),
    ...textProgramsOf(invocation, table).flatMap(
      (program) => program?.writes.map((text) => known(text)) ?? [],
    ),
  ];
  const named = (pattern: RegExp) =>
    values.filter(({ option }) => pattern.test(option)).map(({ arg }) => arg);
  switch (invocation.program) {
    case 'tee':
    case 'sponge':
    case 'truncate':
    case 'shred':
    case 'ed':
      return [...redirected, ...words];
    case 'cp':
    case 'mv':
    case 'ln':
    case 'install':
    case 'rsync':
    case 'scp':
    case 'ditto': {
      if (invocation.program === 'rsync' && isDryRun(options)) return redirected;
      const folder = named(/^(-t|--target-directory)$/);
      if (folder.length > 0) return [...redirected, ...folder];
      const [last] = words.slice(-1);
      // if the target is a folder, each file keeps its name in it
      const inFolder =
        last && /(^|\/)\.{0,2}$/.test(last.text)
          ? words.slice(0, -1).map((word) => ({
              ...word,
              text: `${last.text}/${word.text.replace(/^.*\/(?=.)/s, '')}`,
              known: word.known && last.known,
            }))
          : [];
      return [...redirected, ...words.slice(-1), ...inFolder.filter((arg) => arg.known)];
    }
    case 'dd':
      return [
        ...redirected,
        ...words
          .filter((arg) => arg.text.startsWith('of='))
          .map((arg) => ({ ...arg, text: arg.text.slice(3) })),
      ];
    case 'sed':
    case 'gsed':
    case 'perl':
      return options.some((option) => /^(-i|--in-place)/.test(option))
        ? [
            ...redirected,
            // an empty word is the suffix of BSD's -i
            ...words
              .slice(words.indexOf(scriptsOf(words, options, values)[0] as Arg) + 1)
              .filter(({ text }) => text !== ''),
          ]
        : redirected;
    case 'uniq':
    case 'xxd':
      return [...redirected, ...words.slice(1, 2)];
    case 'yq':
    case 'dasel':
      return options.some((option) => /^(-i|--in-?place)$/.test(option))
        ? [...redirected, ...words.slice(1)]
        : redirected;
    case 'curl':
      return [...redirected, ...named(/^(-o|--output)$/)];
    case 'wget':
      return [...redirected, ...named(/^(-O|-P|--output-document|--directory-prefix)$/)];
    default:
      return redirected;
  }
}

const isDryRun = (options: string[]): boolean =>
  options.some((option) => option === '-n' || option === '--dry-run') &&
  !options.some((option) => option.startsWith('--no-'));

/** Returns what a command writes, and what it deletes or moves away. */
export function changedBy(invocation: Invocation, table: Options): Arg[] {
  const written = targetsOf(invocation, table);
  return REMOVERS.has(invocation.program) ? [...written, ...wordsOf(invocation, table).words] : written;
}

const REMOVERS = new Set('rm grm unlink trash shred srm mv rename rimraf del-cli'.split(' '));

/**
 * Returns the arguments that name paths: of the words those that `which` chooses, and with `all` and `rest`
 * also the values of options that look like paths. Files that an option writes are left out.
 */
export function pathsAmong(
  which: 'all' | 'first' | 'rest' | 'last' | 'none',
  words: Arg[],
  values: Value[],
): Arg[] {
  // options that write are left out here, because `targetsOf` has them
  const extra = values
    .filter(({ kind }) => kind !== 'writes' && kind !== 'unread')
    .map(({ arg }) => arg)
    .filter((arg) => /[/~]|^\.\.$/.test(arg.text));
  switch (which) {
    case 'none':
      return [];
    case 'first':
      return words.slice(0, 1);
    case 'rest':
      return [...words.slice(1), ...extra];
    case 'last':
      return words.slice(-1);
    default:
      return [...words, ...extra];
  }
}
