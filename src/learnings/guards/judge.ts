import { RE2JS } from 're2js';
import { baseName, programs } from '../../shell/names.ts';
import { realCommand } from '../../shell/steps.ts';
import type { Call, CalledCommand, Spelling } from './call.ts';
import { plainForm, readGlob, wildcard } from './glob.ts';
import type { GuardRule, Match } from './rule.ts';
import { GIT_COMMANDS, oneSpelling, withOtherNames } from './words.ts';

// Tries rules on a call. Pure: what it must know of the session is handed in.

/** Whether the condition of a rule's `unless` holds: a command passed since the last change of a file. */
export type Passed = (wanted: CommandPattern) => boolean;

/** A command as a rule names it. */
export type CommandPattern = {
  /** program and the words that choose what it does, in one spelling */
  words: string[];
  args: string[];
  without: string[];
};

/** A match that was read. */
type Ready = (call: Call, isDone: (at: number) => boolean) => boolean;
type ReadyRule = { when: Ready[]; unless: CommandPattern | null };

const ready = new WeakMap<GuardRule, ReadyRule>();

/** @throws Error that says which expression is wrong */
export function prepare(rule: GuardRule): ReadyRule {
  const known = ready.get(rule);
  if (known) return known;
  const made = { when: rule.when.map(readMatch), unless: rule.unless ? commandPattern(rule.unless) : null };
  ready.set(rule, made);
  return made;
}

function readMatch(match: Match): Ready {
  if (match.kind === 'command') {
    const command = commandPattern(match);
    return ({ commands }, isDone) => commands.some((called, i) => commandFits(command, called) && !isDone(i));
  }
  if (match.kind === 'path') {
    const [globs, except] = [match.globs.map(readGlob), (match.except ?? []).map(readGlob)];
    const isMeant = (path: string): boolean =>
      (globs.some((isIn) => isIn(path)) || match.globs.some((glob) => holds(path, glob))) &&
      !except.some((isIn) => isIn(path));
    return ({ changes, names, commands }, isDone) =>
      (changes.some(isMeant) || (match.reads === true && names().some(isMeant))) && !isDone(commands.length);
  }
  const pattern = match.pattern === undefined ? null : RE2JS.compile(match.pattern, RE2JS.MULTILINE);
  if (match.kind === 'content') {
    const globs = (match.globs ?? []).map(readGlob);
    const isIn = (path: string): boolean => globs.length === 0 || globs.some((fits) => fits(path));
    return ({ added }) => added.some(({ path, text }) => isIn(path) && pattern?.matcher(text).find());
  }
  return ({ mcp }) => {
    if (mcp === null || !wildcard(match.tool, mcp.tool)) return false;
    const names = match.field?.split('.') ?? [];
    const value = names.reduce<unknown>((at, name) => Object(at)[name], mcp.input);
    if (value === undefined) return false;
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return pattern === null || pattern.matcher(text).find();
  };
}

/** Whether a path is a folder that holds what a glob names: who removes `config` removes `config/app.json`. */
const holds = (path: string, glob: string): boolean =>
  path !== '' && glob.replace(/^\.\//, '').startsWith(`${path}/`);

type Named = { program: string; args?: string[] | undefined; without?: string[] | undefined };

/** Returns a command that a rule names, in the spelling in which calls are compared with it. */
function commandPattern({ program, args = [], without = [] }: Named): CommandPattern {
  const words = plainForm(program).trim().split(/\s+/);
  const inside = programs('as-another').has(words[0] ?? '') ? null : realCommand(words);
  const real =
    inside?.program && inside.args.length + 1 < words.length ? [inside.path, ...inside.args] : words;
  // `npm run` with `migrate*` among its arguments is `npm migrate*`
  if (args.length > 0 && real.length === 2 && real[1] === 'run') real.pop();
  const [first = '', ...more] = real;
  const spelled = first.includes('/') ? [first.replace(/^\.\//, ''), ...more] : oneSpelling(real);
  return {
    words: spelled,
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
  return when.some((match) => match(call, isDone));
}

/** Programs for which an option of another one is a text. */
const ONLY_TEXT = new Set(['printers', 'greps', 'tree-greps'].flatMap((list) => [...programs(list)]));

/** Returns whether a command of a line is the one that a rule names. */
export function commandFits({ words, args, without }: CommandPattern, command: CalledCommand): boolean {
  return command.spellings.some((spelling) => {
    const rest = behind(words, spelling);
    if (rest === null || (rest.length === 1 && /^--(?:help|version)$/.test(rest[0] as string))) return false;
    const anyCommand = words[0] === '*';
    // who prints or seeks an option does not use it
    if (anyCommand && ONLY_TEXT.has(spelling.words[0] ?? '')) return false;
    const whose = anyCommand && GIT_COMMANDS.find((one) => behind(one.split(' '), spelling));
    const given = [...withOtherNames(whose || words.join(' '), rest), ...command.also];
    const has = (word: string): boolean =>
      given.some((arg) => argFits(word, arg)) || lettersOf(word).every((letter) => given.includes(letter));
    // a name as it is written may be what makes it innocent: `python3` is not `python`
    const written = [baseName(spelling.path), ...command.via];
    return args.every(has) && !without.some((word) => has(word) || written.includes(word));
  });
}

/** Returns the arguments behind a program and its words; null if the command is another one. */
function behind([program = '', ...words]: string[], { words: called, path }: Spelling): string[] | null {
  const [name = '', ...args] = called;
  const isFile = program.includes('/');
  if (!wildcard(program, isFile ? path : name) && !(isFile && path.endsWith(`/${program}`))) return null;
  const rest: string[] = [];
  let i = 0;
  for (const word of words) {
    // options and their values may stand between: `git -C x push`
    for (; !argFits(word, args[i] ?? ''); i++) {
      const arg = args[i];
      const isValue = i > 0 && /^-[^=]*$/.test(args[i - 1] ?? '');
      if (arg === undefined || !(/^[-+]/.test(arg) || isValue)) return null;
      rest.push(arg);
    }
    i++;
  }
  return [...rest, ...args.slice(i)];
}

/** Returns the options that stand together in a word: `-r` and `-f` of `-rf`; the word, if they do not. */
const lettersOf = (word: string): string[] =>
  /^-[A-Za-z]{2,5}$/.test(word) ? [...word.slice(1)].map((letter) => `-${letter}`) : [word];

/** Whether an argument is the word of a rule: `lodash` is also `lodash@4`, `--env` also `--env=prod`. */
function argFits(word: string, arg: string): boolean {
  if (wildcard(word, arg) || (arg.startsWith('./') && wildcard(word, arg.slice(2) || '.'))) return true;
  if (word.startsWith('-')) return !word.includes('=') && arg.startsWith(`${word}=`);
  return arg.startsWith(word) && /^(?:@|[=<>~!]=|[<>])/.test(arg.slice(word.length));
}
