import { lookup } from '../shell/lookup.ts';
import type { Arg, Invocation } from '../shell/types.ts';

// Splits a command's arguments into what rules speak of: words, options with values, scripts, and the files it writes.

/**
 * Options that take the next word as their value, so that it is not taken for a word of its own. Keys are programs
 * (`git`), or programs with a subcommand (`git commit`).
 */
export type ValuedOptions = Record<string, string>;

export type Value = { option: string; arg: Arg };

type Words = { words: Arg[]; options: string[]; values: Value[]; sub: string };

const split = new WeakMap<Invocation, Words>();

/** Returns the arguments split into words, options and their values. `sub` is the first three words in lower case. */
export function wordsOf(invocation: Invocation, valued: ValuedOptions): Words {
  const before = split.get(invocation);
  if (before) return before;
  const made = splitWords(invocation, valued);
  split.set(invocation, made);
  return made;
}

function splitWords(invocation: Invocation, valued: ValuedOptions): Words {
  const words: Arg[] = [];
  const options: string[] = [];
  const values: Value[] = [];
  let takes = new Set((lookup(valued, invocation.program) ?? '').split(' '));
  let ended = false;
  const args = invocation.program === 'find' ? withoutExecs(invocation.args) : invocation.args;
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] as Arg;
    if (ended || !/^-./.test(arg.text) || !arg.known) {
      words.push(arg);
      const sub = valued[`${invocation.program} ${arg.text.toLowerCase()}`];
      if (words.length === 1 && sub !== undefined) takes = new Set(sub.split(' '));
      continue;
    }
    if (arg.text === '--') {
      // `git --` ends only git's own options: those of its subcommand still follow
      ended = invocation.program !== 'git' || words.length > 0;
      continue;
    }
    options.push(...cluster(arg.text, takes));
    if (takesNext(arg.text, takes)) {
      const value = args[i + 1];
      if (value) values.push({ option: options.at(-1) as string, arg: value });
      i++;
    } else {
      const value = attached(arg, takes);
      if (value) values.push(value);
    }
  }
  const sub = words
    .slice(0, 3)
    .map((word) => word.text.toLowerCase())
    .join(' ');
  return { words, options, values, sub };
}

/**
 * Returns the options in a word: -rf -r -f for `-rf`, up to the first letter that takes a value; --x=y --x for `--x=y`.
 */
function cluster(text: string, takes: Set<string>): string[] {
  if (text.startsWith('--')) return text.includes('=') ? [text, text.slice(0, text.indexOf('='))] : [text];
  const letters: string[] = [text];
  for (const letter of text.slice(1)) {
    letters.push(`-${letter}`);
    if (takes.has(`-${letter}`)) break;
  }
  return letters;
}

function takesNext(text: string, takes: Set<string>): boolean {
  if (takes.has(text)) return true;
  if (text.startsWith('--') || text.length < 3) return false;
  const letters = [...text.slice(1)];
  const at = letters.findIndex((letter) => takes.has(`-${letter}`));
  return at >= 0 && at === letters.length - 1;
}

/** Returns the arguments of `find` without the commands that it runs: those are judged as commands of their own. */
function withoutExecs(args: Arg[]): Arg[] {
  let inside = false;
  return args.filter((arg) => {
    if (inside) {
      inside = arg.text !== ';' && arg.text !== '+';
      return false;
    }
    inside = /^-(exec|ok)(dir)?$/.test(arg.text);
    return true;
  });
}

/** Returns the value in `--x=value` and `-xvalue`; null when there is none. */
function attached(arg: Arg, takes: Set<string>): Value | null {
  const at = arg.text.startsWith('--')
    ? arg.text.indexOf('=')
    : [...arg.text].findIndex((letter, i) => i > 0 && takes.has(`-${letter}`));
  if (at < 0) return null;
  const option = arg.text.startsWith('--') ? arg.text.slice(0, at) : `-${arg.text[at]}`;
  return { option, arg: { ...arg, text: arg.text.slice(at + 1) } };
}

/** Returns the scripts of sed and awk: the values of -e, or else the first word. */
export function scriptsOf(words: Arg[], options: string[], values: Value[]): Arg[] {
  const given = values.filter(({ option }) => /^(-e|--expression|--source)$/.test(option));
  if (given.length > 0) return given.map(({ arg }) => arg);
  if (options.some((option) => /^(-f|--file)$/.test(option))) return [];
  // an empty word is the suffix of BSD's -i
  return words.filter((word) => word.text !== '').slice(0, 1);
}

/**
 * What a command writes over or makes: the targets of its redirections, and of programs that copy or edit files.
 *
 * @param valued options with values, by program
 */
export function targetsOf(invocation: Invocation, valued: ValuedOptions): Arg[] {
  const { words, options, values } = wordsOf(invocation, valued);
  const redirected = invocation.writes.map((write) => write.target);
  const named = (pattern: RegExp) =>
    values.filter(({ option }) => pattern.test(option)).map(({ arg }) => arg);
  switch (invocation.program) {
    case 'tee':
    case 'sponge':
    case 'truncate':
    case 'shred':
      return [...redirected, ...words];
    case 'cp':
    case 'mv':
    case 'ln':
    case 'install':
    case 'rsync':
    case 'scp':
    case 'ditto': {
      const folder = named(/^(-t|--target-directory)$/);
      return [...redirected, ...(folder.length > 0 ? folder : words.slice(-1))];
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
        ? [...redirected, ...words.slice(words.indexOf(scriptsOf(words, options, values)[0] as Arg) + 1)]
        : redirected;
    case 'sort':
    case 'curl':
    case 'tree':
      return [...redirected, ...named(/^(-o|--output)$/)];
    case 'wget':
      return [...redirected, ...named(/^(-O|-P|--output-document|--directory-prefix)$/)];
    default:
      return redirected;
  }
}

export function pathsAmong(
  which: 'all' | 'first' | 'rest' | 'last' | 'none',
  words: Arg[],
  values: Value[],
): Arg[] {
  const extra = values.map(({ arg }) => arg).filter((arg) => /[/~]|^\.\.$/.test(arg.text));
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
