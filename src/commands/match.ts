import { RE2JS } from 're2js';
import { allStages, printedText } from '../shell/printed.ts';
import type { Arg, Invocation } from '../shell/types.ts';
import { type Surroundings, within, zoneOf } from '../shell/zones.ts';
import { lineOf, MAX_LINE, pathOf, pathsAmong, scriptsOf, targetsOf, wordsOf } from './arguments.ts';
import { reachOf } from './guarded.ts';
import { isInstalled } from './installed.ts';
import type { Options } from './options.ts';
import { perCommand } from './per-command.ts';
import { isPattern, type LoadedWhen, type When } from './rule-text.ts';
import { printsSecrets } from './secrets.ts';
import { signalledBy } from './signals.ts';
import type { Doubt, Knowledge, MatchContext, Outward, Policy, Rule } from './types.ts';

// Tells whether a condition of a rule holds for a command.

/** Returns whether a condition may hold for a program of that name. */
export const mayBeAbout = (when: LoadedWhen, program: string): boolean =>
  !when.program || when.program.some((name) => programMatches(name, program));

/** Returns whether all conditions hold for a command. `mayBeAbout` must hold for its program already. */
export const matches = (when: LoadedWhen, invocation: Invocation, context: MatchContext): boolean =>
  testsOf(when).every((holds) => holds(invocation, context));

/** Returns a test for each field of a condition, those that cost least first. */
const testsOf = perCommand((when: LoadedWhen) =>
  Object.entries(HOLDS).flatMap(([field, holds]) =>
    [field, `not${field[0]?.toUpperCase()}${field.slice(1)}`].flatMap((name, negated) => {
      const given = when[name as keyof When];
      if (given === undefined || given === '' || (negated && name in HOLDS)) return [];
      const wanted = isPattern(name) ? compiled(String(given), when.linear) : given;
      return (invocation: Invocation, context: MatchContext) =>
        (holds as Holds<never>)(wanted as never, invocation, context, when) === !negated;
    }),
  ),
);

/** Whether a text fits a pattern. */
type Fits = (text: string) => boolean;

/** Returns a test for a pattern. Built-in ones use RegExp and are tested against bait; those from files use RE2. */
function compiled(source: string, linear = false): Fits {
  const pattern = linear ? RE2JS.compile(source, RE2JS.CASE_INSENSITIVE) : new RegExp(source, 'i');
  return (text) => pattern.test(text);
}

/** Returns whether a field of a condition holds for a command. */
type Holds<Wanted> = (
  wanted: Wanted,
  invocation: Invocation,
  context: MatchContext,
  when: LoadedWhen,
) => boolean;

/** Fields that hold if another one does not. */
type Negated = 'notVia' | 'notArg' | 'notLine' | 'notVerbs' | 'notFrom' | 'notEnv';

/**
 * What each field of a condition asks of a command, those that cost least first. `program` is not among them, because
 * rules are looked up by it; `paths` only says how `path`, `zone` and `within` are meant.
 */
const HOLDS: {
  [Field in Exclude<keyof When, 'program' | 'paths' | Negated>]-?: Holds<
    string extends When[Field] ? Fits : NonNullable<When[Field]>
  >;
} = {
  // a program whose name is not known could be one of these; a condition with `runs` goes by its path instead
  notProgram: (names, { program }, _, { runs }) =>
    !names.some((name) => programMatches(name, program)) &&
    (runs !== undefined || !/^(\.\/)?$/.test(program)),
  via: (names, { via }) => names.some((name) => via.includes(name)),
  sub: (phrases, invocation, { options }) => {
    const { sub } = wordsOf(invocation, options);
    return phrases.some((phrase) => sub === phrase || sub.startsWith(`${phrase} `));
  },
  flags: (groups, invocation, context) => {
    const { options } = wordsOf(invocation, context.options);
    return groups.every((group) => group.some((flag) => options.includes(flag)));
  },
  notFlags: (flags, invocation, context) => {
    const { options } = wordsOf(invocation, context.options);
    return !flags.some((flag) => options.includes(flag));
  },
  minWords: (least, invocation, { options }) => wordsOf(invocation, options).words.length >= least,
  maxWords: (most, invocation, { options }) => wordsOf(invocation, options).words.length <= most,
  open: (open, { openArgs }) => open === openArgs,
  remote: (remote, invocation) => remote === invocation.remote,
  installed: (wanted, invocation, { place, options }) => isInstalled(invocation, place, options) === wanted,
  known: (_, invocation) => !invocation.openArgs && textsOf(invocation).allKnown,
  arg: (fits, invocation, { place }, { linear }) => meantBy(invocation, place, linear).texts.some(fits),
  everyArg: (fits, invocation, { options }) =>
    wordsOf(invocation, options).words.every(({ known, text }) => known && fits(text)),
  line: (fits, invocation, { place }, { linear }) => fits(meantBy(invocation, place, linear).line),
  verbs: (fits, invocation, context) => fits(verbsOf(invocation, context)),
  code: (effects, { code }) => effects.some((effect) => code?.effects.includes(effect)),
  executes: (fits, { executes = [] }) => allStages(executes).map(lineOf).some(fits),
  stdin: (fits, invocation) => {
    const text = stdinOf(invocation);
    return text !== null && fits(text);
  },
  from: (fits, invocation) => sourcesOf(invocation).some(fits),
  runs: (zones, invocation, { place }) => {
    const file = { ...word(invocation.path), known: invocation.program !== '' };
    return invocation.path.includes('/') && zones.includes(zoneOf(file, invocation.cwd, place));
  },
  script: (fits, invocation, context) => {
    const { words, options, values } = wordsOf(invocation, context.options);
    return scriptsOf(words, options, values).every(({ known, text }) => known && fits(text));
  },
  path: (fits, invocation, { place, options }, when) =>
    [...pathArgsOf(invocation, options, when), ...invocation.reads].some((arg) =>
      fits(placeOf(arg, invocation, place)),
    ),
  writesTo: (fits, invocation, { place, options }) =>
    targetsOf(invocation, options).some((arg) => fits(placeOf(arg, invocation, place))),
  env: (fits, { env }) => env.some(({ name, value }) => fits(`${name}=${value.text}`)),
  input: (kind, invocation, { place }) => {
    const { input, cwd } = invocation;
    if (kind === 'text' || kind === 'pipe') return input.kind === kind;
    if (kind === 'plain') {
      if (input.kind === 'file') return input.target.known && input.target.text === '/dev/null';
      return input.kind === 'none' || (input.kind === 'text' ? input.known : stdinOf(invocation) !== null);
    }
    const isSecret = (arg: Arg, folder: string | null) => zoneOf(arg, folder, place) === 'secret';
    if (input.kind === 'file') return isSecret(input.target, cwd);
    const stages = input.kind === 'pipe' ? allStages(input.from) : [];
    return stages.some(
      (one) => printsSecrets(one) || [...one.args, ...one.reads].some((arg) => isSecret(arg, one.cwd)),
    );
  },
  signals: (kinds, invocation, { place }) => {
    const signalled = signals(invocation, place);
    return kinds.some((kind) => signalled.has(kind));
  },
  reaches: (kinds, invocation, { place, options, onlyLooks = () => true }) => {
    const reached = reaches(invocation, place, options, onlyLooks);
    return reached !== null && kinds.includes(reached);
  },
  writes: (zones, invocation, { place, options }) =>
    targetsOf(invocation, options).some((arg) => zones.includes(zoneOf(arg, invocation.cwd, place))),
  zone: (zones, invocation, context, when) =>
    pathsOf(invocation, context, when).some((arg) =>
      zones.includes(zoneOf(arg, invocation.cwd, context.place)),
    ),
  within: (zones, invocation, context, when) => {
    // the arguments that xargs adds are not known
    if (invocation.openArgs) return false;
    if (when.paths === 'none') return true;
    const paths = pathsOf(invocation, context, when);
    const zoneAt = (arg: Arg) => zoneOf(arg, invocation.cwd, context.place);
    if (paths.length > 0) return paths.every((arg) => zones.includes(zoneAt(arg)));
    const here = zoneAt(word('.'));
    return zones.includes(here === 'project-root' ? 'project' : here);
  },
};

function pathArgsOf(invocation: Invocation, options: Options, { paths = 'all' }: LoadedWhen): Arg[] {
  const { words, values } = wordsOf(invocation, options);
  return pathsAmong(paths, words, values);
}

/** Returns what `zone` and `within` look at: the paths among the arguments, or those in a program in the line. */
const pathsOf = (invocation: Invocation, { options }: MatchContext, when: LoadedWhen): Arg[] =>
  when.code && invocation.code ? invocation.code.paths : pathArgsOf(invocation, options, when);

/** Returns the absolute path of an argument, or its text if that is not known. */
const placeOf = (arg: Arg, invocation: Invocation, place: Surroundings): string =>
  arg.known ? pathOf(arg, invocation, place) : arg.text;

/** Enough words for `gcloud compute instances list`, and few enough that data is not taken for a verb. */
const MAX_VERBS = 5;
const verbsOf = (invocation: Invocation, { options }: MatchContext): string =>
  wordsOf(invocation, options)
    .words.slice(0, MAX_VERBS)
    .map(({ text }) => text)
    .join(' ');

const signals = perCommand(signalledBy);
const reaches = perCommand(reachOf);

/** Returns the texts of a command's arguments, and whether all are known. A here-document stands for its text. */
const textsOf = perCommand((invocation: Invocation) => {
  const documents = invocation.args.map(documentIn);
  const texts = invocation.args.map((arg, i) => documents[i] ?? arg.text);
  const allKnown = invocation.args.every((arg, i) => arg.known || documents[i] !== null);
  return { texts, line: texts.join(' '), allKnown };
});

type Texts = { texts: string[]; line: string };

/**
 * Returns the texts that patterns are compared with. One in a person's file means what is written; a built-in one means a
 * path of the project however it is written.
 */
const meantBy = (invocation: Invocation, place: Surroundings, linear = false): Texts =>
  linear ? textsOf(invocation) : insideOf(invocation, place);

/**
 * Returns the texts of a command's arguments with the paths of the project as they are written in its folder: `./src`
 * for `/home/dev/project/src`. Conditions that look for paths elsewhere mean no path of the project.
 */
const insideOf = perCommand((invocation: Invocation, { root, home }: Surroundings): Texts => {
  const known = textsOf(invocation);
  // a project that holds a home folder, or everything, has files in it that are not the project's
  if (root === '' || !known.line.includes(root) || within(home, root)) return known;
  // unless a path may lead out of it again
  const texts = known.texts.map((text) =>
    text.includes('..') ? text : text === root ? '.' : text.replaceAll(`${root}/`, './'),
  );
  return { texts, line: texts.join(' ') };
});

/** If an argument is nothing but a here-document (`"$(cat <<'EOF' …)"`), returns its text, else null. */
function documentIn({ text, from = [] }: Arg): string | null {
  const document = /^\$\(cat <<-?\s{0,3}['"]?(\w+)['"]?\n([\s\S]*)\1\s{0,3}\)$/.exec(text)?.[2];
  return document !== undefined && printedText(from) === document ? document : null;
}

/** Returns what standard input holds; null when the line does not show it. */
function stdinOf({ input }: Invocation): string | null {
  const text = input.kind === 'text' ? input.text : input.kind === 'pipe' ? printedText(input.from) : null;
  return text !== null && text.length <= MAX_LINE ? text : null;
}

/** Returns the commands whose output reaches a command by a pipe or in a substitution, each as a line. */
const sourcesOf = perCommand(({ input, args }: Invocation): string[] =>
  allStages([...(input.kind === 'pipe' ? input.from : []), ...args.flatMap(({ from = [] }) => from)]).map(
    lineOf,
  ),
);

const word = (text: string): Arg => ({ text, known: true, glob: false, quoted: false });

const programMatches = (pattern: string, program: string) =>
  pattern.endsWith('*')
    ? /^\w/.test(program) && program.startsWith(pattern.slice(0, -1))
    : pattern === program;

/** The rules that can fit a command, found by its program, so that it is compared with these alone. */
type About<T> = { entry: T; when: LoadedWhen[] }[];
type Speaking = {
  rules: About<Rule>;
  knowledge: About<Knowledge>;
  doubts: About<Doubt>;
  outward: About<Outward>;
};

/** The names come from the commands, so the memory needs a limit. */
const MAX_PROGRAMS = 1000;
const indexes = new WeakMap<Policy, Map<string, Speaking>>();

/** Returns the rules, the knowledge and the others that may be about a command. Most of a policy never is. */
export function speakingOf(policy: Policy, { program }: Pick<Invocation, 'program'>): Speaking {
  const index = indexes.get(policy) ?? new Map<string, Speaking>();
  indexes.set(policy, index);
  const before = index.get(program);
  if (before) return before;
  if (index.size > MAX_PROGRAMS) index.clear();
  const about = <T extends { when: LoadedWhen[] }>(entries: T[]): About<T> =>
    entries
      .map((entry) => ({ entry, when: entry.when.filter((when) => mayBeAbout(when, program)) }))
      .filter(({ when }) => when.length > 0);
  const { rules, knowledge, doubts, outward } = policy;
  const made = {
    rules: about(rules),
    knowledge: about(knowledge),
    doubts: about(doubts),
    outward: about(outward),
  };
  index.set(program, made);
  return made;
}

/** Whether Lore knows something harmless that a program does. */
export const isKnown = (policy: Policy, program: string): boolean =>
  speakingOf(policy, { program }).knowledge.some(({ when }) =>
    when.some((one) => one.program?.includes('*') === false && !one.via),
  );
