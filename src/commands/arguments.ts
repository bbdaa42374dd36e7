import { readWordLists } from '../base/text/jsonc.ts';
import { programs } from '../shell/names.ts';
import type { Arg, Invocation } from '../shell/types.ts';
import { resolvePath, type Surroundings } from '../shell/zones.ts';
import text from './known/writers.jsonc' with { type: 'text' };
import type { Options, Value, Words } from './options.ts';
import { perCommand } from './per-command.ts';

// Splits a command's arguments into the parts that rules are about: words, options with values, scripts, and
// the files that the command writes.

/** Longest line of a command that patterns are compared with, in characters. */
export const MAX_LINE = 20_000;

/** Returns a command as one line. */
export const lineOf = ({ program, path, args }: Invocation): string =>
  [program || path, ...args.map(({ text }) => text)].join(' ').slice(0, MAX_LINE);

/** Returns the absolute path of an argument; the argument itself where the folder is not known. */
export const pathOf = (arg: Arg, { cwd }: Invocation, { home }: Surroundings): string =>
  resolvePath(arg.text, cwd, home) ?? arg.text;

/** Returns the absolute path of an argument; none where it is known only when the command runs. */
export const pathsAt = (arg: Arg, { cwd }: Invocation, { home }: Surroundings): string[] =>
  arg.known ? [resolvePath(arg.text, cwd, home) ?? []].flat() : [];

/** Returns the arguments of a command split into words, options and their values. */
export const wordsOf = perCommand(
  (invocation: Invocation, options: Options): Words => options(invocation.program, invocation.args),
);

/** Returns the scripts of sed and awk: the values of -e, or else the first word. */
export function scriptsOf(words: Arg[], options: string[], values: Value[]): Arg[] {
  const given = values.filter(({ option }) => /^(-e|--expression|--source)$/.test(option));
  if (given.length > 0) return given.map(({ arg }) => arg);
  if (options.some((option) => /^(-f|--file)$/.test(option))) return [];
  // an empty word, or one such as `.bak`, is the suffix of BSD's -i
  return words.filter((word) => !/^(\.(bak|orig|old))?$/.test(word.text)).slice(0, 1);
}

const SEDS = programs('seds');

/** Programs that copy, link or move: if what they write is a folder, each file keeps its name in it. */
export const COPIES = programs('copiers-into-folders');
/** Programs that change a file which is there, and leave most of it as it is. */
export const EDITS = programs('editing-programs');
/** Programs that delete, rename or replace each file that they are given. */
const REMOVES = programs('removers');

const writers = readWordLists(text, 'writers.jsonc');
const WHICH = ['all', 'first', 'second', 'last'] as const;

/** Options that name a file which is written, and do so only for these programs. */
const WRITING_OPTIONS: Record<string, RegExp> = {
  curl: /^(-o|--output)$/,
  wget: /^(-O|-P|--output-document|--directory-prefix)$/,
};

/**
 * Returns what a command writes over or makes: the targets of its redirections, and of programs that copy or edit files.
 *
 * @param table the options that are known
 */
export const targetsOf = perCommand((invocation: Invocation, table: Options): Arg[] => {
  const { program, args } = invocation;
  const { words, options, values } = wordsOf(invocation, table);
  const named = (pattern: RegExp) =>
    values.filter(({ option }) => pattern.test(option)).map(({ arg }) => arg);
  const has = (pattern: RegExp) => options.some((option) => pattern.test(option));
  const scripts = /^g?sed$|^perl$/.test(program) ? scriptsOf(words, options, values) : [];
  const always = [
    ...invocation.writes.map((write) => write.target),
    ...values.filter(({ kind }) => kind === 'writes').map(({ arg }) => arg),
    ...(SEDS.has(program) ? scripts : []).flatMap((arg) => {
      const file = /w\s*([/~]\S+)\s*$/.exec(arg.text)?.[1];
      return file ? [{ ...arg, text: file }] : [];
    }),
    ...named(WRITING_OPTIONS[program] ?? /^$/),
  ];
  if (/^(bsd)?tar$/.test(program)) {
    // `tar cf x.tgz src` has its letters without a dash
    const packs = /^-?\w*[cru]/.test(args[0]?.text ?? '') || has(/^(--create|--append)$/);
    const archive = /^\w*f$/.test(words[0]?.text ?? '') ? words.slice(1, 2) : [];
    return packs ? [...always, ...named(/^(-f|--file)$/), ...archive] : always;
  }
  if (program === 'dd') {
    const made = words.filter(({ text }) => text.startsWith('of='));
    return [...always, ...made.map((arg) => ({ ...arg, text: arg.text.slice(3) }))];
  }
  if (/^(g?sed|perl|yq|dasel)$/.test(program)) {
    const files = words.slice(
      scripts[0] ? words.indexOf(scripts[0]) + 1 : /^(yq|dasel)$/.test(program) ? 1 : 0,
    );
    // an empty word is the suffix of BSD's -i
    return has(/^(-i|--in-?place)/) ? [...always, ...files.filter(({ text }) => text !== '')] : always;
  }
  if (program === 'rsync' && has(/^(-n|--dry-run)$/) && !has(/^--no-/)) return always;
  // the value of -t is the folder, and all words are copied into it
  if (COPIES.has(program) && named(/^(-t|--target-directory)$/).length > 0) return always;
  const which = WHICH.find((one) => writers(one).has(program));
  if (which === undefined) return always;
  const last = words.length > 1 || program === 'ln' ? words.slice(-1) : [];
  const written = { all: words, first: words.slice(0, 1), second: words.slice(1, 2), last }[which];
  const [into] = written;
  if (!into?.known || !COPIES.has(program) || !/(^|\/)\.{0,2}$/.test(into.text))
    return [...always, ...written];
  const inFolder = words
    .slice(0, -1)
    .filter(({ known }) => known)
    .map((word) => ({ ...word, text: `${into.text}/${word.text.replace(/^.*\/(?=.)/s, '')}` }));
  return [...always, ...written, ...inFolder];
});

/** Returns what a command writes, and what it deletes or moves away. */
export function changedBy(invocation: Invocation, table: Options): Arg[] {
  const written = targetsOf(invocation, table);
  const { words, options } = wordsOf(invocation, table);
  const keeps = options.some((option) => /^(-[cklt]|--(keep|stdout|to-stdout|list|test))$/.test(option));
  return REMOVES.has(invocation.program) && !keeps ? [...written, ...words] : written;
}

/**
 * Returns the arguments that name paths: of the words those that `which` chooses, and with `all` and `rest`
 * also the values of options that look like paths. Files that an option writes are left out: `targetsOf` has them.
 */
export function pathsAmong(
  which: 'all' | 'first' | 'rest' | 'last' | 'none',
  words: Arg[],
  values: Value[],
): Arg[] {
  if (which === 'none') return [];
  if (which === 'first') return words.slice(0, 1);
  if (which === 'last') return words.slice(-1);
  const extra = values
    .filter(({ kind }) => kind !== 'writes' && kind !== 'unread')
    .map(({ arg }) => arg)
    .filter((arg) => /[/~]|^\.\.$/.test(arg.text));
  return [...words.slice(which === 'rest' ? 1 : 0), ...extra];
}
