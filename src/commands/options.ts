import type { Arg } from '../shell/types.ts';

// Splits a command's arguments into words and options, by a table of the options that Lore knows. Verdicts allow only
// what the table lists: an option that nobody has looked at may run, load or write anything.

/**
 * What an option does with its value:
 * - `alone`: it has none
 * - `maybe`: a value may be attached, and is only data
 * - `data`: it takes the next word, or what is attached; a number, a name, a pattern
 * - `unread`: like `data`, but no place and no file whose content may be shown: text for people, the key that ssh logs
 *   in with
 * - `reads`: a file that is read as data
 * - `writes`: a file or folder that is written
 * - `runs`: a file or folder with code or settings that the program obeys
 * - `last`: like `data`, and all that follows belongs to a program of its own
 */
type OptionKind = 'alone' | 'maybe' | 'data' | 'unread' | 'reads' | 'writes' | 'runs' | 'last';

/** The signs at the end of an option in the table. */
const KINDS: Record<string, OptionKind> = {
  ...{ '?': 'maybe', '=': 'data', '"': 'unread', '<': 'reads' },
  ...{ '>': 'writes', '!': 'runs', '.': 'last' },
};

/**
 * Harmless options, by program (`git`) or program and subcommand (`git commit`, `docker compose up`). Several keys may
 * be joined by commas. A value lists options with blanks between them; policy/README.md says what their signs mean.
 */
export type OptionTable = Record<string, string>;

/** `endAt`: options end after this many words; Infinity when they may be anywhere. */
type Spec = {
  kinds: ReadonlyMap<string, OptionKind>;
  any: boolean;
  endAt: number;
  numbers: boolean;
  whole: boolean;
};

export type Value = { option: string; kind: OptionKind; arg: Arg };

export type Words = {
  words: Arg[];
  /** every option that may be meant, for rules: `-rf`, `-r` and `-f`; `--hard` for `--har` */
  options: string[];
  values: Value[];
  /** the first three words, in lower case */
  sub: string;
  /** the first option that is not in the table; null when all are */
  strange: string | null;
};

/** How many words a subcommand of the table has at most. */
const MAX_DEPTH = 3;
/** Options that are harmless in every program. */
const EVERYWHERE = '--help --version -V -v --verbose -q --quiet -h --no-color --color?';

/** Splits the arguments of a program. */
export type Options = (program: string, args: Arg[]) => Words;

/**
 * Prepares a table of harmless options.
 *
 * @param others further long options that are known but not harmless. With them a rule about `--hard` also sees `--har`,
 *   which programs accept as a short form of it
 */
export function createOptions(table: OptionTable, others: readonly string[] = []): Options {
  const specs = new Map<string, Spec>();
  for (const [keys, text] of Object.entries(table))
    for (const key of keys.split(',').map((one) => one.trim())) {
      const [before, spec] = [specs.get(key), parse(text, key.split(' ').length)];
      specs.set(key, before ? join(before, spec) : spec);
    }
  const everywhere = parse(EVERYWHERE, 1);
  const joined = new Map<string, Spec>();

  /** Returns what is known of the options behind these words. Each word adds to what stands before it. */
  function specAt(key: string, before: Spec): Spec {
    const own = specs.get(key);
    if (!own) return before;
    const spec = joined.get(key) ?? join(before, own);
    joined.set(key, spec);
    return spec;
  }

  return (program, all) => {
    const words: Arg[] = [];
    const options: string[] = [];
    const values: Value[] = [];
    let strange: string | null = null;
    const named = versionless(program);
    let spec = specAt(named, everywhere);
    let ended = false;
    const args = program === 'find' ? withoutExecs(all) : all;
    for (let i = 0; i < args.length; i++) {
      const arg = args[i] as Arg;
      if (ended || !/^-./.test(arg.text) || !arg.known) {
        // the output of a substitution may be an option
        if (!ended && !spec.any && !arg.known && !arg.quoted && /^(\$\(|`)/.test(arg.text))
          strange ??= arg.text;
        words.push(arg);
        if (words.length <= MAX_DEPTH)
          spec = specAt([named, ...words.map((word) => word.text.toLowerCase())].join(' '), spec);
        if (words.length >= spec.endAt) ended = true;
        continue;
      }
      if (arg.text === '--') {
        // `git --` ends only git's own options: those of its subcommand still follow
        ended = program !== 'git' || words.length > 0;
        continue;
      }
      const read = readOption(arg, spec);
      if (read.strange && !spec.any) strange ??= arg.text;
      options.push(...read.names);
      const name = read.names.at(-1) ?? arg.text;
      // programs accept the beginning of a long option
      if (name.startsWith('--') && !spec.kinds.has(name) && !others.includes(name))
        options.push(...others.filter((one) => one.startsWith(name)));
      const value = read.takesNext ? args[i + 1] : read.value;
      if (read.takesNext) i++;
      if (value && read.kind !== 'alone')
        values.push({ option: name.replace(/=.*$/s, ''), kind: read.kind, arg: value });
      if (read.kind === 'last') ended = true;
    }
    const sub = words
      .slice(0, 3)
      .map((word) => word.text.toLowerCase())
      .join(' ');
    return { words, options, values, sub, strange };
  };
}

function parse(text: string, depth: number): Spec {
  const kinds = new Map<string, OptionKind>();
  let any = false;
  let endAt = Number.POSITIVE_INFINITY;
  let numbers = false;
  let whole = false;
  for (const word of text.split(/\s+/).filter((one) => one !== '')) {
    if (word === '*') any = true;
    else if (word === '+') endAt = depth;
    else if (word === '-#') numbers = true;
    else if (word === '-') whole = true;
    else {
      const kind = KINDS[word.at(-1) as string];
      kinds.set(kind ? word.slice(0, -1) : word, kind ?? 'alone');
    }
  }
  return { kinds, any, endAt, numbers, whole };
}

/** Joins two specs; where they differ, the second one wins. */
const join = (one: Spec, other: Spec): Spec => ({
  kinds: new Map([...one.kinds, ...other.kinds]),
  any: one.any || other.any,
  endAt: other.endAt === Number.POSITIVE_INFINITY ? one.endAt : other.endAt,
  numbers: one.numbers || other.numbers,
  whole: one.whole || other.whole,
});

/** Returns the name without its version: `python` for `python3.12`. */
const versionless = (program: string) =>
  program.replace(/^(python|pip|pypy|perl|ruby|php|lua|node)-?[\d.]+$/, '$1');

type Read = { names: string[]; kind: OptionKind; value: Arg | null; takesNext: boolean; strange: boolean };

/** Reads one word that begins with `-`. */
function readOption(arg: Arg, { kinds, numbers, whole }: Spec): Read {
  const { text } = arg;
  const read = (names: string[], kind: OptionKind, strange: boolean, value: Arg | null = null): Read => ({
    ...{ names, kind, strange, value },
    takesNext: value === null && takesValue(kind),
  });
  const known = kinds.get(text);
  if (known !== undefined) return read([text], known, false);
  if (numbers && /^-\d+$/.test(text)) return read([text], 'alone', false);
  const equals = text.indexOf('=');
  const name = equals < 0 ? text : text.slice(0, equals);
  const named = kinds.get(name);
  if (equals > 0 && (named !== undefined || text.startsWith('--'))) {
    // --dry-run=false is no --dry-run
    const off = /^(false|no|none|off|0)$/i.test(text.slice(equals + 1)) && !takesValue(named ?? 'data');
    const strange = named === undefined || named === 'alone';
    const value = { ...arg, text: text.slice(equals + 1) };
    return read(off ? [text] : [text, name], strange ? 'data' : named, strange, value);
  }
  if (text.startsWith('--')) return read([text], 'alone', true);
  if (whole) {
    const begins = equals < 0 && [...kinds].some(([key, kind]) => kind === 'maybe' && text.startsWith(key));
    return read([text, name], 'alone', !begins);
  }
  // a cluster: the letters up to the first one that takes a value
  const names = [text];
  let strange = false;
  for (let at = 1; at < text.length; at++) {
    const letter = `-${text[at]}`;
    names.push(letter);
    const kind = kinds.get(letter);
    if (kind === undefined) strange = true;
    if (kind === undefined || kind === 'alone') continue;
    return read(names, kind, strange, at < text.length - 1 ? { ...arg, text: text.slice(at + 1) } : null);
  }
  return read(names, 'alone', strange);
}

const takesValue = (kind: OptionKind) => kind !== 'alone' && kind !== 'maybe';

/**
 * Returns the arguments of `find` without the commands that it runs, because these are judged on their own.
 */
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
