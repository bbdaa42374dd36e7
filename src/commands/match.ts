// Longer than 400 lines because each condition is next to its explanation and its test, and rule files refer
// to it.

import { RE2JS } from 're2js';
import { z } from 'zod';
import { programs } from '../shell/lists.ts';
import { allStages, printedText } from '../shell/printed.ts';
import { type Arg, EFFECTS, type Invocation } from '../shell/types.ts';
import { resolvePath, type Surroundings, within, type Zone, zoneOf } from '../shell/zones.ts';
import { clip } from '../text/clip.ts';
import { pathsAmong, scriptsOf, targetsOf, textProgramsOf, wordsOf } from './arguments.ts';
import { printsSecrets } from './credentials.ts';
import type { Options } from './options.ts';
import { reachOf } from './reach.ts';
import { type Started, signalledBy } from './signals.ts';

// The language in which rules and knowledge are written. It is plain data, so that the rule file of a project or a
// person can use the same conditions. All conditions of one `when` must hold.

const ZONES = [
  'root',
  'home',
  'in-home',
  'cache',
  'system',
  'device',
  'sink',
  'temp',
  'project-root',
  'vcs',
  'regenerable',
  'project',
  'secret',
  'outside',
  'unknown',
] as const satisfies Zone[];

const list = z.array(z.string().min(1)).min(1);
const zones = z.array(z.enum(ZONES)).min(1);
const regex = z.string().refine(isRegex, 'must be a regular expression');

function isRegex(source: string): boolean {
  try {
    return source.length <= 2000 && new RegExp(source, 'i') instanceof RegExp;
  } catch {
    return false;
  }
}

export const When = z.strictObject({
  /** it is one of these programs (basename, lower case; a name with `*` at the end is a prefix) */
  program: list.optional(),
  /** its name is known, and it is another program than these */
  notProgram: list.optional(),
  /** the first words that are not options are one of these: `reset`, `stash drop` */
  sub: list.optional(),
  /** one option of each group is there; single letters are also found in clusters (-rf) */
  flags: z.array(list).optional(),
  /** none of these options is there */
  notFlags: list.optional(),
  /** some argument matches */
  arg: regex.optional(),
  /** no argument matches */
  notArg: regex.optional(),
  /** every word that is not an option matches */
  everyArg: regex.optional(),
  /** the arguments, joined by blanks, match */
  line: regex.optional(),
  notLine: regex.optional(),
  /** every function that the arguments and standard input call (`name(…)`) is one of these */
  calls: list.optional(),
  /** every argument, and every value of an option, is known before it runs */
  known: z.literal(true).optional(),
  /** some path among the arguments lies in one of these zones */
  zone: zones.optional(),
  /** every path among the arguments lies in one of these zones; without paths the working folder must */
  within: zones.optional(),
  /** which words that are not options are paths: all (default), the first, those after the first, the last, none */
  paths: z.enum(['all', 'first', 'rest', 'last', 'none']).optional(),
  /** the script in the arguments of a program such as sed or awk matches */
  script: regex.optional(),
  notScript: regex.optional(),
  /** the scripts of sed or awk are understood and run nothing; if true, they do not empty the text either */
  harmlessScript: z.boolean().optional(),
  /** the absolute path of some argument, or of a file on standard input, matches */
  path: regex.optional(),
  /** something it writes (redirections, tee, the target of cp, dd of=, sed -i …) lies in one of these zones */
  writes: zones.optional(),
  /** the absolute path of something it writes matches */
  writesTo: regex.optional(),
  /** the program is named by a path (./x, scripts/x) that lies in one of these zones */
  runs: zones.optional(),
  /** it runs on another host or in a container */
  remote: z.boolean().optional(),
  /** more arguments come from standard input */
  open: z.boolean().optional(),
  /**
   * standard input comes from a command of that kind, is text in the line, or is any pipe. `plain`: standard
   * input is empty, or it is text that the line itself shows
   */
  input: z.enum(['download', 'decoded', 'secret', 'pipe', 'text', 'plain']).optional(),
  /** the text that the line itself passes to standard input matches */
  stdin: regex.optional(),
  /** a command whose output reaches it by a pipe or a substitution matches: its program and arguments */
  from: regex.optional(),
  /** no such command matches */
  notFrom: regex.optional(),
  /** it runs the output of a command of that kind as a program: `… | sh`, `sh <(…)`, `eval "$(…)"` */
  executes: z.enum(['download', 'decoded', 'any']).optional(),
  /** the program that the line gives to an interpreter may do one of these; `zone` then looks at the strings in it */
  code: z.array(z.enum(EFFECTS)).optional(),
  /** the first five words that are not options, joined by blanks, match */
  verbs: regex.optional(),
  notVerbs: regex.optional(),
  /** it is wrapped in one of these programs */
  via: list.optional(),
  /** it is wrapped in none of these programs */
  notVia: list.optional(),
  /** a variable that is set for it matches, written as `NAME=value` */
  env: regex.optional(),
  /** no variable that is set for it matches */
  notEnv: regex.optional(),
  /**
   * it signals, traces or slows down a process: one of Lore's, one that belongs to the project, another's, or one that
   * is known only when it runs
   */
  signals: z
    .array(z.enum(['lore', 'project', 'other', 'unknown']))
    .min(1)
    .optional(),
  /**
   * it may change the client's settings or Lore's rules (`lore`), or perhaps those or git's settings (`unknown`): it names
   * them and is not known to only look, or it finds them by a pattern, a list of files, a copied folder, a patch or an
   * archive
   */
  reaches: z
    .array(z.enum(['lore', 'unknown']))
    .min(1)
    .optional(),
  minWords: z.number().int().optional(),
  maxWords: z.number().int().optional(),
});
export type When = z.infer<typeof When>;

export const REGEX_FIELDS = [
  'arg',
  'notArg',
  'everyArg',
  'line',
  'notLine',
  'script',
  'notScript',
  'path',
  'writesTo',
  'stdin',
  'from',
  'notFrom',
  'verbs',
  'notVerbs',
  'env',
  'notEnv',
] as const satisfies (keyof When)[];

/**
 * A condition in force. `linear`: it comes from a file, so its patterns are matched in linear time and cannot stall the
 * server.
 */
export type LoadedWhen = When & { linear?: true };

export type MatchContext = {
  place: Surroundings;
  options: Options;
  /** what the line keeps of the numbers of the processes that it starts */
  started?: Started;
  /** the line has patterns find hidden files too */
  dotglob?: boolean;
  /** Returns whether a command is known to change nothing that it names. Left out: every command is. */
  onlyLooks?: (invocation: Invocation) => boolean;
};

/** Returns whether a condition may hold for a program of that name. */
export const mayBeAbout = (when: LoadedWhen, program: string): boolean =>
  !when.program || when.program.some((name) => programMatches(name, program));

/** Returns whether all conditions hold for a command. `mayBeAbout` must hold for its program already. */
export function matches(when: LoadedWhen, invocation: Invocation, context: MatchContext): boolean {
  if (when.notProgram?.some((name) => programMatches(name, invocation.program))) return false;
  // a program whose name is not known could be one of `notProgram`; a condition with `runs` goes by its path
  // instead
  if (when.notProgram && !when.runs && /^(\.\/)?$/.test(invocation.program)) return false;
  if (when.notVia?.some((name) => invocation.via.includes(name))) return false;
  if (when.via && !when.via.some((name) => invocation.via.includes(name))) return false;
  const { words, options, values, sub } = wordsOf(invocation, context.options);
  if (when.sub && !when.sub.some((s) => sub === s || sub.startsWith(`${s} `))) return false;
  if (when.flags && !when.flags.every((group) => group.some((flag) => options.includes(flag)))) return false;
  if (when.notFlags) {
    if (when.notFlags.some((flag) => options.includes(flag))) return false;
    // the output of a substitution may be such an option
    if (invocation.args.some((arg) => !arg.known && !arg.quoted && /^(\$\(|`)/.test(arg.text))) return false;
  }
  if (when.minWords !== undefined && words.length < when.minWords) return false;
  if (when.maxWords !== undefined && words.length > when.maxWords) return false;
  const { texts, line, allKnown } = textsOf(invocation);
  // a pattern in a file means what is written; the built-in ones mean a path of the project however it is written
  const inside = when.linear ? { texts, line } : insideOf(invocation, context.place);
  if (when.known && (invocation.openArgs || !allKnown)) return false;
  if (when.calls && !callsOnly(when.calls, [...texts, stdinOf(invocation) ?? ''])) return false;
  const same = inside.line === line;
  const isArg = (text: string) => test(when.arg, text, when.linear);
  if (when.arg && !(texts.some(isArg) || (!same && inside.texts.some(isArg)))) return false;
  if (when.notArg && inside.texts.some((text) => test(when.notArg, text, when.linear))) return false;
  if (when.everyArg && !words.every((word) => word.known && test(when.everyArg, word.text, when.linear)))
    return false;
  const isLine = (text: string) => test(when.line, text, when.linear);
  if (when.line && !(isLine(line) || (!same && isLine(inside.line)))) return false;
  if (when.notLine && test(when.notLine, inside.line, when.linear)) return false;
  if (when.verbs || when.notVerbs) {
    const verbs = words
      .slice(0, MAX_VERBS)
      .map((one) => one.text)
      .join(' ');
    if (when.verbs && !test(when.verbs, verbs, when.linear)) return false;
    if (when.notVerbs && test(when.notVerbs, verbs, when.linear)) return false;
  }
  if (when.code && !when.code.some((effect) => invocation.code?.effects.includes(effect))) return false;
  if (when.executes && !executesMatches(when.executes, invocation)) return false;
  if (when.stdin) {
    const text = stdinOf(invocation);
    if (text === null || !test(when.stdin, text, when.linear)) return false;
  }
  if (when.from && !sourcesOf(invocation).some((line) => test(when.from, line, when.linear))) return false;
  if (when.notFrom && sourcesOf(invocation).some((line) => test(when.notFrom, line, when.linear)))
    return false;
  if (when.open !== undefined && when.open !== invocation.openArgs) return false;
  if (when.remote !== undefined && when.remote !== invocation.remote) return false;
  if (when.runs && !(invocation.path.includes('/') && when.runs.includes(zone(programFile())))) return false;
  if (when.script || when.notScript) {
    const scripts = scriptsOf(words, options, values);
    if (when.script && !scripts.some((arg) => test(when.script, arg.text, when.linear))) return false;
    if (when.notScript && !scripts.every((arg) => arg.known && !test(when.notScript, arg.text, when.linear)))
      return false;
  }
  if (when.harmlessScript !== undefined) {
    const harmless = textProgramsOf(invocation, context.options).every(
      (program) => program && !program.runs && !(when.harmlessScript && program.empties),
    );
    if (!harmless) return false;
  }
  if (when.path) {
    const paths = [...pathsAmong(when.paths ?? 'all', words, values), ...invocation.reads];
    if (!paths.some((arg) => at(when.path, arg))) return false;
  }
  if (when.writesTo && !targetsOf(invocation, context.options).some((arg) => at(when.writesTo, arg)))
    return false;
  const sets = (pattern: string) =>
    invocation.env.some(({ name, value }) => test(pattern, `${name}=${value.text}`, when.linear));
  if (when.env && !sets(when.env)) return false;
  if (when.notEnv && sets(when.notEnv)) return false;
  if (when.input && !inputMatches(when.input, invocation, context)) return false;
  if (when.signals) {
    const signalled = remembered(signals, invocation, () =>
      signalledBy(invocation, context.place, context.started ?? NOTHING_STARTED),
    );
    if (!when.signals.some((one) => signalled.has(one))) return false;
  }
  if (when.reaches) {
    const { reached } = remembered(reaches, invocation, () => ({
      reached: reachOf(invocation, context.place, context.options, context.onlyLooks ?? (() => true)),
    }));
    if (reached === null || !when.reaches.includes(reached)) return false;
  }
  if (
    when.writes &&
    !targetsOf(invocation, context.options).some((arg) => when.writes?.includes(zone(arg)))
  ) {
    return false;
  }
  if (when.zone || when.within) {
    const paths =
      when.code && invocation.code ? invocation.code.paths : pathsAmong(when.paths ?? 'all', words, values);
    if (when.zone && !paths.some((arg) => when.zone?.includes(zone(arg)))) return false;
    if (when.within && when.paths !== 'none') {
      const { within } = when;
      if (!paths.every((arg) => zonesOf(arg, invocation, context).every((one) => within.includes(one))))
        return false;
      const here = paths.length > 0 ? [] : zonesOf(word('.'), invocation, context);
      if (!here.every((one) => within.includes(one === 'project-root' ? 'project' : one))) return false;
    }
    // the arguments that xargs adds are not known
    if (when.within && invocation.openArgs) return false;
  }
  return true;

  function zone(arg: Arg): Zone {
    return zoneOf(arg, invocation.cwd, context.place);
  }
  function programFile(): Arg {
    return { ...word(invocation.path), known: invocation.program !== '' };
  }
  function at(source: string | undefined, arg: Arg): boolean {
    const path = arg.known ? resolvePath(arg.text, invocation.cwd, context.place.home) : null;
    return test(source, path ?? arg.text, when.linear);
  }
}

/** Returns the zones that a path may lie in: several if a `cd` before the command may fail. */
export function zonesOf(arg: Arg, invocation: Invocation, context: MatchContext): Zone[] {
  const folders = /^[/~]/.test(arg.text) ? [] : invocation.otherCwds;
  return [invocation.cwd, ...folders].map((cwd) => zoneOf(arg, cwd, context.place));
}

/** Rules and doubts ask the same of a command. Each of its judgements has commands of its own. */
const signals = new WeakMap<Invocation, ReturnType<typeof signalledBy>>();
const reaches = new WeakMap<Invocation, { reached: ReturnType<typeof reachOf> }>();

function remembered<T>(memory: WeakMap<Invocation, T>, invocation: Invocation, find: () => T): T {
  const found = memory.get(invocation) ?? find();
  memory.set(invocation, found);
  return found;
}

const NOTHING_STARTED: Started = { names: new Set(), files: new Set(), written: new Set() };

const callable = new WeakMap<string[], Set<string>>();

/**
 * Whether the texts call only these functions. A call by a name in quotes, or by a computed name, is not
 * allowed.
 */
function callsOnly(names: string[], texts: string[]): boolean {
  let known = callable.get(names);
  if (!known) {
    known = new Set(names.map((name) => name.toLowerCase()));
    callable.set(names, known);
  }
  return texts.every((text) =>
    [...text.matchAll(/([\w$]{1,80}|["`\])])\s{0,3}\(/g)].every(([, name = '']) =>
      known.has(name.toLowerCase()),
    ),
  );
}

type Texts = { texts: string[]; line: string; allKnown: boolean };

/** Hundreds of conditions ask for the texts of one command. */
const read = new WeakMap<Invocation, Texts>();

/**
 * Returns the texts of a command's arguments, and whether all are known. A here-document stands for its text.
 */
function textsOf(invocation: Invocation): Texts {
  const before = read.get(invocation);
  if (before) return before;
  const documents = invocation.args.map(documentIn);
  const texts = invocation.args.map((arg, i) => documents[i] ?? arg.text);
  const allKnown = invocation.args.every((arg, i) => arg.known || documents[i] !== null);
  const made = { texts, line: texts.join(' '), allKnown };
  read.set(invocation, made);
  return made;
}

const insides = new WeakMap<Invocation, { texts: string[]; line: string }>();

/**
 * Returns the texts of a command's arguments with the paths of the project as they are written in its folder: `./src`
 * for `/home/dev/project/src`. Conditions that look for paths elsewhere mean no path of the project.
 */
function insideOf(invocation: Invocation, { root, home }: Surroundings): { texts: string[]; line: string } {
  const before = insides.get(invocation);
  if (before) return before;
  const { texts, line } = textsOf(invocation);
  // a project that holds a home folder, or everything, has files in it that are not the project's
  const made =
    line.includes(root) && root !== '' && !within(home, root)
      ? { texts: texts.map((text) => fromRoot(text, root)), line: '' }
      : { texts, line };
  if (made.texts !== texts) made.line = made.texts.join(' ');
  insides.set(invocation, made);
  return made;
}

/** Replaces the project's folder at the beginning of a path by `.`, unless the path may lead out of it again. */
const fromRoot = (text: string, root: string): string =>
  text.includes('..')
    ? text
    : text.replaceAll(root, (path, at: number) =>
        /^[=:,]?$/.test(text.charAt(at - 1)) && /^\/?$/.test(text.charAt(at + root.length)) ? '.' : path,
      );

/** If an argument is nothing but a here-document (`"$(cat <<'EOF' …)"`), returns its text, else null. */
function documentIn({ text, from = [] }: Arg): string | null {
  const document = /^\$\(cat <<-?\s{0,3}['"]?(\w+)['"]?\n([\s\S]*)\1\s{0,3}\)$/.exec(text)?.[2];
  return document !== undefined && printedText(from) === document ? document : null;
}

/** Enough words for `gcloud compute instances list`, and few enough that data is not taken for a verb. */
const MAX_VERBS = 5;

/** Longest input that is matched, in characters. */
const MAX_INPUT = 20_000;

/** Returns what standard input holds; null when the line does not show it. */
function stdinOf({ input }: Invocation): string | null {
  const text = input.kind === 'text' ? input.text : input.kind === 'pipe' ? printedText(input.from) : null;
  return text !== null && text.length <= MAX_INPUT ? text : null;
}

/** Returns the commands whose output reaches a command by a pipe or in a substitution, each as a line. */
function sourcesOf({ input, args }: Invocation): string[] {
  const piped = input.kind === 'pipe' ? input.from : [];
  const stages = allStages([...piped, ...args.flatMap((arg) => arg.from ?? [])]);
  return stages.map((stage) =>
    [stage.path, ...stage.args.map((arg) => arg.text)].join(' ').slice(0, MAX_INPUT),
  );
}

function executesMatches(kind: NonNullable<When['executes']>, { executes }: Invocation): boolean {
  if (!executes) return false;
  const stages = allStages(executes);
  if (kind === 'any') return true;
  return stages.some((stage) => (kind === 'download' ? downloads(stage) : decodes(stage)));
}

const word = (text: string): Arg => ({ text, known: true, glob: false, quoted: false });

const programMatches = (pattern: string, program: string) =>
  pattern.endsWith('*')
    ? /^\w/.test(program) && program.startsWith(pattern.slice(0, -1))
    : pattern === program;

const compiled = new Map<string, RegExp>();
const compiledLinear = new Map<string, RE2JS>();

/** Whether a pattern matches. Built-in patterns use RegExp and are tested against bait; patterns from files use RE2. */
function test(source: string | undefined, text: string, linear = false): boolean {
  if (source === undefined) return true;
  const engine = linear ? compiledLinear : compiled;
  let made = engine.get(source);
  if (!made) {
    if (engine.size > MAX_COMPILED) engine.clear();
    made = linear ? RE2JS.compile(source, RE2JS.CASE_INSENSITIVE) : new RegExp(source, 'i');
    engine.set(source, made as never);
  }
  return made.test(text);
}
const MAX_COMPILED = 5000;

const NETWORK = programs('network-clients');
const DOWNLOADS =
  /^(gh (api|gist view)|aws s3 cp \S+ -|gsutil cat|gcloud storage cat|openssl s_client|dig .*\btxt) ?/i;
const downloads = (stage: Invocation) => NETWORK.has(stage.program) || DOWNLOADS.test(textOf(stage));
const textOf = ({ program, args }: Invocation) =>
  clip([program, ...args.map((arg) => arg.text)].join(' '), 500);

const DECODES = programs('decoders');
const CODECS = programs('codecs');
const decodes = ({ program, args }: Invocation) =>
  DECODES.has(program) ||
  (CODECS.has(program) &&
    args.some((arg) => /^(-[a-zA-Z]*[dDr][a-z]*|--decode|--decrypt)$/.test(arg.text))) ||
  (program === 'tr' && args.some((arg) => /[a-z]-z.*a-[a-z]/i.test(arg.text)));

function inputMatches(
  kind: NonNullable<When['input']>,
  invocation: Invocation,
  context: MatchContext,
): boolean {
  const { input } = invocation;
  if (kind === 'text') return input.kind === 'text';
  if (kind === 'plain') {
    if (input.kind === 'file') return input.target.known && input.target.text === '/dev/null';
    return input.kind === 'none' || (input.kind === 'text' ? input.known : stdinOf(invocation) !== null);
  }
  if (kind === 'secret' && input.kind === 'file')
    return zoneOf(input.target, invocation.cwd, context.place) === 'secret';
  if (input.kind !== 'pipe') return false;
  if (kind === 'pipe') return true;
  const stages = allStages(input.from);
  if (kind === 'download') return stages.some(downloads);
  if (kind === 'decoded') return stages.some(decodes);
  return stages.some(
    (stage) =>
      printsSecrets(stage) ||
      [...stage.args, ...stage.reads].some((arg) => zoneOf(arg, stage.cwd, context.place) === 'secret'),
  );
}
