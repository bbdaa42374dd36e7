import { RE2JS } from 're2js';
import { AS_ANOTHER } from '../shell/names.ts';
import { realCommand } from '../shell/steps.ts';
import { type Call, type CalledCommand, gitVerb, type Spelling } from './call.ts';
import { globFits, plainForm, wildcard } from './glob.ts';
import type { GuardRule, Match } from './rule.ts';
import { oneSpelling, ranByName, withOtherNames } from './words.ts';

// Tries rules on a call. Pure: what it must know of the session is handed in.

/** Whether the condition of a rule's `unless` holds: a command passed since the last change of a file. */
export type Passed = (wanted: CommandPattern) => boolean;

/** A command as a rule names it. */
export type CommandPattern = {
  /** program and the words that choose what it does, in one spelling */
  words: string[];
  /** the same without the package manager that runs it: `vitest run` for `pnpm vitest run` */
  ran: string[] | null;
  args: string[];
  without: string[];
};

type Pattern = { line: RE2JS; anywhere: RE2JS; literal: string };

/** A rule whose commands and expressions were read, in the order of its matches. */
type ReadyRule = {
  when: { match: Match; command: CommandPattern | null; pattern: Pattern | null }[];
  unless: CommandPattern | null;
};

const ready = new WeakMap<GuardRule, ReadyRule>();

/** @throws Error that says which expression is wrong */
export function prepare(rule: GuardRule): ReadyRule {
  const known = ready.get(rule);
  if (known) return known;
  const made: ReadyRule = {
    when: rule.when.map((match) => ({
      match,
      command: match.kind === 'command' ? commandPattern(match) : null,
      pattern: 'pattern' in match && match.pattern !== undefined ? toPattern(match.pattern) : null,
    })),
    unless: rule.unless ? commandPattern(rule.unless) : null,
  };
  // a wrong glob shows when it is tried
  for (const match of rule.when) for (const glob of globsOf(match)) globFits(glob, '');
  ready.set(rule, made);
  return made;
}

const globsOf = (match: Match): string[] =>
  match.kind === 'path'
    ? [...match.globs, ...(match.except ?? [])]
    : match.kind === 'content'
      ? (match.globs ?? [])
      : [];

const toPattern = (source: string): Pattern => ({
  line: RE2JS.compile(source),
  anywhere: RE2JS.compile(source, RE2JS.MULTILINE),
  literal: literalIn(source),
});

/** Returns a piece that every text has which an expression fits; '' if that is not plain. To look for it first is cheap. */
function literalIn(source: string): string {
  const plain = source.replace(/\\[^\p{L}\p{N}]|\\[bBdDsSwW]|[.^$]/gu, '\0');
  if (/[\\|()[\]{}?*+]/.test(plain)) return '';
  return plain.split('\0').reduce((a, b) => (b.length > a.length ? b : a), '');
}

type Named = { program: string; args?: string[] | undefined; without?: string[] | undefined };

/** Returns a command that a rule names, in the spelling in which calls are compared with it. */
function commandPattern({ program, args = [], without = [] }: Named): CommandPattern {
  const words = plainForm(program).trim().split(/\s+/);
  const inside = AS_ANOTHER.has(words[0] ?? '') ? null : realCommand(words);
  const real = inside?.program && inside.around.length > 0 ? [inside.path, ...inside.args] : words;
  // `npm run` with `migrate*` among its arguments is `npm migrate*`
  if (args.length > 0 && real.length === 2 && real[1] === 'run') real.pop();
  const spelled = real[0]?.includes('/')
    ? [real[0].replace(/^\.\//, ''), ...real.slice(1)]
    : oneSpelling(real);
  return {
    words: spelled,
    ran: ranByName(spelled),
    args: args.map(plainForm),
    without: without.map(plainForm),
  };
}

/** Returns whether a rule is about a call. */
export function fits(rule: GuardRule, call: Call, passed: Passed = () => false): boolean {
  const { when, unless } = prepare(rule);
  /** whether the command of `unless` passed before, or stands in the line before the command at `at` */
  const isDone = (at: number): boolean =>
    unless !== null &&
    (call.commands.slice(0, at).some((command) => commandFits(unless, command)) || passed(unless));
  return when.some(({ match, command, pattern }) => {
    if (command === null)
      return isAbout(match, pattern, call) && onBranch(rule, call.branch) && !isDone(call.commands.length);
    return call.commands.some(
      (called, i) =>
        commandFits(command, called) &&
        onBranch(rule, called.branch, called.spellings[0]?.words) &&
        !isDone(i),
    );
  });
}

/** Returns the rules that are about a call. */
export const judgeCall = <R extends { rule: GuardRule }>(
  rules: readonly R[],
  call: Call,
  passed?: Passed,
): R[] => rules.filter(({ rule }) => fits(rule, call, passed));

/** Returns whether a command of a line is the one that a rule names. */
export function commandFits({ words, ran, args, without }: CommandPattern, command: CalledCommand): boolean {
  return command.spellings.some((spelling) => {
    const rest = behind(words, spelling) ?? (ran && !spelling.byName ? behind(ran, spelling) : null);
    if (rest === null) return false;
    if (args.length === 0 && without.length === 0) return true;
    const given = [...withOtherNames(words.join(' '), rest), ...command.env];
    const has = (word: string): boolean => given.some((arg) => argFits(word, arg));
    return args.every(has) && !without.some((word) => has(word) || command.via.includes(word));
  });
}

/** Returns the arguments behind a program and its words; null if the command is another one. */
function behind(
  [program = '', ...words]: string[],
  { words: [name = '', ...args], path }: Spelling,
): string[] | null {
  const isSame = program.includes('/')
    ? wildcard(program, path) || path.endsWith(`/${program}`)
    : wildcard(program, name);
  if (!isSame) return null;
  const rest: string[] = [];
  let i = 0;
  for (const word of words) {
    // options and their values may stand between: `git -C x push`
    for (; !argFits(word, args[i] ?? ''); i++) {
      const arg = args[i];
      if (arg === undefined) return null;
      const isValue = i > 0 && /^-[^=]*$/.test(args[i - 1] ?? '');
      if (!/^[-+]/.test(arg) && !isValue) return null;
      rest.push(arg);
    }
    i++;
  }
  return [...rest, ...args.slice(i)];
}

/** Whether an argument is the word of a rule: `lodash` is also `lodash@4`, `--env` also `--env=prod`. */
function argFits(word: string, arg: string): boolean {
  if (wildcard(word, arg)) return true;
  if (word.startsWith('-')) return !word.includes('=') && arg.startsWith(`${word}=`);
  if (arg.startsWith(word)) return /^(?:@|[=<>~!]=|[<>])/.test(arg.slice(word.length));
  return arg.startsWith('./') && wildcard(word, arg.slice(2));
}

const MAX_FIELD = 20_000;

function isAbout(match: Match, pattern: Pattern | null, call: Call): boolean {
  if (match.kind === 'path') {
    const inGlobs = (path: string): boolean =>
      match.globs.some((glob) => globFits(glob, path) || holds(path, glob)) &&
      !match.except?.some((glob) => globFits(glob, path));
    return [...call.changes, ...(match.reads ? call.reads : [])].some(inGlobs);
  }
  if (match.kind === 'content')
    return call.added.some(
      ({ path, text }) =>
        (!match.globs?.length || match.globs.some((glob) => globFits(glob, path))) &&
        inSomeLine(pattern, text),
    );
  if (match.kind !== 'mcp' || call.mcp === null || !wildcard(match.tool, call.mcp.tool)) return false;
  const names = match.field?.split('.') ?? [];
  const value = names.reduce<unknown>((at, name) => Object(at)[name], call.mcp.input);
  if (value === undefined) return false;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return pattern === null || pattern.anywhere.matcher(text.slice(0, MAX_FIELD)).find();
}

/** Whether a path is a folder that holds what a glob names: who removes `config` removes `config/app.json`. */
const holds = (path: string, glob: string): boolean =>
  path !== '' && glob.replace(/^\.\//, '').startsWith(`${path}/`);

/** The whole text is tried first, because most texts fit nowhere and have many lines. */
const inSomeLine = (pattern: Pattern | null, text: string): boolean =>
  pattern !== null &&
  text.includes(pattern.literal) &&
  pattern.anywhere.matcher(text).find() &&
  text.split('\n').some((one) => pattern.line.matcher(one).find());

/** Whether a call works on a branch that fits: one that the command names, else the one that is checked out. */
function onBranch({ branch: wanted }: GuardRule, checkedOut: string | null, words: string[] = []): boolean {
  if (wanted === undefined) return true;
  const named = branchesNamed(words);
  const branches = named.length > 0 ? named : [checkedOut];
  return branches.some((branch) => branch !== null && wildcard(plainForm(wanted), plainForm(branch)));
}

/** Returns the branches that a command pushes to, as far as it names them. */
function branchesNamed(words: string[]): string[] {
  const git = gitVerb(words);
  if (git?.verb !== 'push') return [];
  const [, ...refs] = git.args.filter(
    (arg, i) => !arg.startsWith('-') && !/^(?:-o|--push-option)$/.test(git.args[i - 1] ?? ''),
  );
  return refs
    .map((ref) => (ref.replace(/^\+/, '').split(':').at(-1) ?? '').replace(/^refs\/heads\//, ''))
    .filter((name) => name !== '' && name !== 'HEAD');
}
