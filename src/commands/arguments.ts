import { programs } from '../shell/lists.ts';
import { isPlainAwk, isPlainSed } from '../shell/text-programs.ts';
import type { Arg, Invocation } from '../shell/types.ts';
import { resolvePath, type Surroundings } from '../shell/zones.ts';
import type { Options, Value, Words } from './options.ts';
import { COPIES, REMOVES, writerOf } from './writers.ts';

// Splits a command's arguments into the parts that rules are about: words, options with values, scripts, and
// the files that the command writes.

/** Returns the absolute path of an argument; the argument itself where the folder is not known. */
export const pathOf = (arg: Arg, { cwd }: Invocation, { home }: Surroundings): string =>
  resolvePath(arg.text, cwd, home) ?? arg.text;

/** Returns the absolute paths that an argument may mean: several if a `cd` before the command may fail. */
export const pathsAt = (arg: Arg, { cwd, otherCwds }: Invocation, { home }: Surroundings): string[] =>
  arg.known
    ? [cwd, ...(/^[/~]/.test(arg.text) ? [] : otherCwds)].flatMap(
        (folder) => resolvePath(arg.text, folder, home) ?? [],
      )
    : [];

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

/** Matches a script of sed that leaves nothing, or only the lines that it picks out. */
const EMPTIES =
  /^\s*((1,\$|0~1)?\s*[dD]|(\d+|\$|\/[^/]*\/)!\s*[dD]|\d*[qQ]\d*|s(.)(\^?\.[*+]\$?|\[[^\]]+\][*+]?)\4{2}g?)\s*$/;

/**
 * Whether the scripts in the arguments of sed and awk do nothing but change text.
 *
 * @param keepsText whether they must also leave some of it
 */
export function hasPlainScripts(invocation: Invocation, table: Options, keepsText: boolean): boolean {
  const isPlain = SEDS.has(invocation.program) ? isPlainSed : isPlainAwk;
  const { words, options, values } = wordsOf(invocation, table);
  return scriptsOf(words, options, values).every(
    ({ known, text }) => known && isPlain(text) && !(keepsText && EMPTIES.test(text)),
  );
}

const SEDS = programs('seds');

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
  const { words, options, values, sub } = wordsOf(invocation, table);
  const redirected = [
    ...invocation.writes.map((write) => write.target),
    ...values.filter(({ kind }) => kind === 'writes').map(({ arg }) => arg),
    ...(SEDS.has(invocation.program) ? scriptsOf(words, options, values) : []).flatMap((arg) => {
      const file = /w\s*([/~]\S+)\s*$/.exec(arg.text)?.[1];
      return file ? [{ ...arg, text: file }] : [];
    }),
  ];
  const named = (pattern: RegExp) =>
    values.filter(({ option }) => pattern.test(option)).map(({ arg }) => arg);
  const has = (pattern: RegExp) => options.some((option) => pattern.test(option));
  const { program } = invocation;
  switch (program) {
    case 'tar':
    case 'bsdtar':
      // `tar cf x.tgz src` has its letters without a dash
      return /^-?\w*[cru]/.test(invocation.args[0]?.text ?? '') || has(/^(--create|--append)$/)
        ? [
            ...redirected,
            ...named(/^(-f|--file)$/),
            ...(/^\w*f$/.test(words[0]?.text ?? '') ? words.slice(1, 2) : []),
          ]
        : redirected;
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
      // an empty word is the suffix of BSD's -i
      return has(/^(-i|--in-place)/)
        ? [
            ...redirected,
            ...words
              .slice(words.indexOf(scriptsOf(words, options, values)[0] as Arg) + 1)
              .filter(({ text }) => text !== ''),
          ]
        : redirected;
    case 'yq':
    case 'dasel':
      return has(/^(-i|--in-?place)$/) ? [...redirected, ...words.slice(1)] : redirected;
    case 'curl':
      return [...redirected, ...named(/^(-o|--output)$/)];
    case 'wget':
      return [...redirected, ...named(/^(-O|-P|--output-document|--directory-prefix)$/)];
    case 'rsync':
      if (isDryRun(options)) return redirected;
  }
  // the value of -t is the folder, and all words are copied into it
  if (COPIES.has(program) && named(/^(-t|--target-directory)$/).length > 0) return redirected;
  const writer = writerOf(program, sub);
  if (!writer) return redirected;
  const own = words.slice(writer.from);
  const written = {
    all: own,
    first: own.slice(0, 1),
    second: own.slice(1, 2),
    last: own.length > 1 || program === 'ln' ? own.slice(-1) : [],
  }[writer.which].filter(({ text }) => writer.from === 0 || !/^[\w.-]+:/.test(text));
  const [last] = written;
  // if the target is a folder, each file keeps its name in it
  const inFolder =
    last && COPIES.has(program) && /(^|\/)\.{0,2}$/.test(last.text)
      ? own.slice(0, -1).map((word) => ({
          ...word,
          text: `${last.text}/${word.text.replace(/^.*\/(?=.)/s, '')}`,
          known: word.known && last.known,
        }))
      : [];
  return [...redirected, ...written, ...inFolder.filter((arg) => arg.known)];
}

const isDryRun = (options: string[]): boolean =>
  options.some((option) => option === '-n' || option === '--dry-run') &&
  !options.some((option) => option.startsWith('--no-'));

/** Returns what a command writes, and what it deletes or moves away. */
export function changedBy(invocation: Invocation, table: Options): Arg[] {
  const written = targetsOf(invocation, table);
  const { words, options } = wordsOf(invocation, table);
  const keeps = options.some((option) => /^(-[cklt]|--(keep|stdout|to-stdout|list|test))$/.test(option));
  return REMOVES.has(invocation.program) && !keeps ? [...written, ...words] : written;
}

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
