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

const KINDS: Record<string, OptionKind> = {
  '?': 'maybe',
  '=': 'data',
  '"': 'unread',
  '<': 'reads',
  '>': 'writes',
  '!': 'runs',
  '.': 'last',
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

/** Options that are harmless in every program. */
const EVERYWHERE = '--help --version -V -v --verbose -q --quiet -h --no-color --color?';

export type Options = {
  /** Splits the arguments of a program. */
  split(program: string, args: Arg[]): Words;
};

/**
 * Prepares a table of harmless options.
 *
 * @param others returns further long options of a program that are known but not harmless. With them a rule
 *   about `--hard` also sees `--har`, which the program accepts as a short form of it
 */
export function createOptions(table: OptionTable, others: (program: string) => string[] = () => []): Options {
  const specs = new Map<string, Spec>();
  for (const [keys, text] of Object.entries(table))
    for (const key of keys.split(',').map((one) => one.trim()))
      specs.set(key, joined(specs.get(key), parse(text, key.split(' ').length)));
  const everywhere = parse(EVERYWHERE, 1);
  const depths = new Map<string, number>();
  for (const key of specs.keys()) {
    const [program = '', ...sub] = key.split(' ');
    depths.set(program, Math.max(depths.get(program) ?? 0, sub.length));
  }
  const longNames = new Map<string, string[]>();

  /** Returns the long options of a program that begin with this name; none if it is an option itself. */
  function spelledOut(program: string, spec: Spec, name: string): string[] {
    if (!longNames.has(program)) {
      // the names come from the commands, so the memory needs a limit
      if (longNames.size > MAX_PROGRAMS) longNames.clear();
      longNames.set(program, others(program));
    }
    const all = new Set([...spec.kinds.keys(), ...(longNames.get(program) as string[])]);
    if (all.has(name)) return [];
    return [...all].filter((other) => other.startsWith(name) && other.startsWith('--'));
  }

  function split(program: string, all: Arg[]): Words {
    const words: Arg[] = [];
    const options: string[] = [];
    const values: Value[] = [];
    let strange: string | null = null;
    let spec = joined(everywhere, specs.get(versionless(program)));
    const depth = depths.get(versionless(program)) ?? 0;
    let ended = false;
    const args = program === 'find' ? withoutExecs(all) : all;
    for (let i = 0; i < args.length; i++) {
      const arg = args[i] as Arg;
      if (ended || !/^-./.test(arg.text) || !arg.known) {
        // the output of a substitution may be an option
        if (!ended && !spec.any && !arg.known && !arg.quoted && /^(\$\(|`)/.test(arg.text)) {
          if (!PLAIN_OUTPUT.test(arg.text)) strange ??= arg.text;
        }
        words.push(arg);
        if (words.length <= depth) {
          const key = [versionless(program), ...words.map((word) => word.text.toLowerCase())].join(' ');
          spec = joined(spec, specs.get(key));
        }
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
      if (name.startsWith('--')) options.push(...spelledOut(program, spec, name));
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
  }
  return { split };
}

const MAX_PROGRAMS = 1000;

/** Matches substitutions whose output is a name, a number or an absolute path, and so begins with no `-`. */
const PLAIN_OUTPUT =
  /^\$\((gh (pr|run|issue) (view|list)( [\w@./-]+)* --json (number|databaseId|headSha|headRefOid|url)( [\w@./-]+)* (-q|--jq)[ =]'?[\w.[\]]+'?( -L \d+)?|pwd|nproc|whoami|hostname|date|date \+[%\w:-]+|mktemp|mktemp -d|git (branch --show-current|symbolic-ref --short HEAD|rev-parse( --(short|abbrev-ref|verify|show-toplevel))* ?[\w/@{}~^.]*|merge-base \w[\w/.]* \w[\w/.]*))\)/;

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

const joins = new WeakMap<Spec, WeakMap<Spec, Spec>>();

/**
 * Joins two specs; where they differ, the second one wins. Remembered, because every command needs some
 * joins.
 */
function joined(one: Spec | undefined, other: Spec | undefined): Spec {
  if (!one || !other) return (one ?? other) as Spec;
  const known = joins.get(one) ?? new WeakMap<Spec, Spec>();
  joins.set(one, known);
  const made = known.get(other) ?? join(one, other);
  known.set(other, made);
  return made;
}

function join(one: Spec, other: Spec): Spec {
  return {
    kinds: new Map([...one.kinds, ...other.kinds]),
    any: one.any || other.any,
    endAt: other.endAt === Number.POSITIVE_INFINITY ? one.endAt : other.endAt,
    numbers: one.numbers || other.numbers,
    whole: one.whole || other.whole,
  };
}

/** Returns the name without its version: `python` for `python3.12`. */
const versionless = (program: string) =>
  program.replace(/^(python|pip|pypy|perl|ruby|php|lua|node)-?[\d.]+$/, '$1');

type Read = { names: string[]; kind: OptionKind; value: Arg | null; takesNext: boolean; strange: boolean };

/** Reads one word that begins with `-`. */
function readOption(arg: Arg, spec: Spec): Read {
  const { text } = arg;
  const rest = (from: number): Arg => ({ ...arg, text: text.slice(from) });
  const whole = spec.kinds.get(text);
  if (whole !== undefined)
    return { names: [text], kind: whole, value: null, takesNext: takesValue(whole), strange: false };
  if (spec.numbers && /^-\d+$/.test(text))
    return { names: [text], kind: 'alone', value: null, takesNext: false, strange: false };
  const equals = text.indexOf('=');
  const name = equals < 0 ? text : text.slice(0, equals);
  const named = spec.kinds.get(name);
  if (equals > 0 && (named !== undefined || text.startsWith('--'))) {
    const off = /^(false|no|none|off|0)$/i.test(text.slice(equals + 1));
    const kind = named ?? 'data';
    return {
      // --dry-run=false is no --dry-run
      names: off && (kind === 'alone' || kind === 'maybe') ? [text] : [text, name],
      kind: kind === 'alone' ? 'data' : kind,
      value: rest(equals + 1),
      takesNext: false,
      strange: named === undefined || named === 'alone',
    };
  }
  if (text.startsWith('--'))
    return { names: [text], kind: 'alone', value: null, takesNext: false, strange: true };
  if (spec.whole) {
    const known =
      equals < 0 && [...spec.kinds].some(([key, kind]) => kind === 'maybe' && text.startsWith(key));
    return { names: [text, name], kind: 'alone', value: null, takesNext: false, strange: !known };
  }
  // a cluster: the letters up to the first one that takes a value
  const names = [text];
  let strange = false;
  for (let at = 1; at < text.length; at++) {
    const letter = `-${text[at]}`;
    names.push(letter);
    const kind = spec.kinds.get(letter);
    if (kind === undefined) strange = true;
    if (kind === undefined || kind === 'alone') continue;
    const attached = at < text.length - 1;
    return {
      names,
      kind,
      value: attached ? rest(at + 1) : null,
      takesNext: !attached && takesValue(kind),
      strange,
    };
  }
  return { names, kind: 'alone', value: null, takesNext: false, strange };
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
