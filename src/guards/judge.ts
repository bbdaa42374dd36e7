import { RE2JS } from 're2js';
import { AS_ANOTHER } from '../shell/names.ts';
import { realCommand } from '../shell/steps.ts';
import type { Call, CalledCommand, Spelling } from './call.ts';
import { sweptAlong } from './commits.ts';
import { gitVerb } from './files.ts';
import { type Glob, globFits, holdsGlob, plainForm, toGlob, wildcard } from './glob.ts';
import type { Loss } from './losses.ts';
import type { GuardRule, Match } from './rule.ts';
import { environmentWords, NARROWING, oneSpelling, ranByName, withLongOptions } from './spellings.ts';

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
  bare: boolean;
};

type Ready =
  | { kind: 'command'; command: CommandPattern }
  | {
      kind: 'path';
      globs: Glob[];
      except: Glob[];
      reads: boolean;
      created: boolean;
      deed: 'delete' | 'rename' | 'commit' | null;
    }
  | { kind: 'content'; pattern: Pattern; globs: Glob[] }
  | { kind: 'mcp'; tool: string; field: string[]; pattern: Pattern | null };

type Pattern = {
  line: RE2JS;
  anywhere: RE2JS;
  /** what must stand in every text that it fits; '' if that is not known */
  literal: string;
};

type ReadyRule = {
  when: Ready[];
  branch: string | null;
  environment: string[];
  unless: CommandPattern | null;
};

const ready = new WeakMap<GuardRule, ReadyRule>();

/** @throws Error that says which expression is wrong */
export function prepare(rule: GuardRule): ReadyRule {
  const known = ready.get(rule);
  if (known) return known;
  const made: ReadyRule = {
    when: rule.when.map(prepareMatch),
    branch: rule.branch === undefined ? null : plainForm(rule.branch),
    environment: rule.environment === undefined ? [] : environmentWords(rule.environment),
    unless: rule.unless ? commandPattern(rule.unless) : null,
  };
  ready.set(rule, made);
  return made;
}

function prepareMatch(match: Match): Ready {
  switch (match.kind) {
    case 'command':
      return { kind: 'command', command: commandPattern(match) };
    case 'path':
      return {
        kind: 'path',
        globs: match.globs.map(toGlob),
        except: (match.except ?? []).map(toGlob),
        reads: match.reads ?? false,
        created: match.created ?? false,
        deed: match.deed ?? null,
      };
    case 'content':
      return { kind: 'content', pattern: toPattern(match.pattern), globs: (match.globs ?? []).map(toGlob) };
    case 'mcp':
      return {
        kind: 'mcp',
        tool: match.tool,
        field: match.field?.split('.') ?? [],
        pattern: match.pattern === undefined ? null : toPattern(match.pattern),
      };
  }
}

const toPattern = (source: string): Pattern => ({
  line: RE2JS.compile(source),
  anywhere: RE2JS.compile(source, RE2JS.MULTILINE),
  literal: literalIn(source),
});

/**
 * Returns the longest piece of an expression that stands for itself and must be there. To look for it first costs
 * nothing; the expression itself takes a quarter of a millisecond for a long file.
 */
export function literalIn(source: string): string {
  if (/[|]|\(\?|\\[QEpPxuU]/.test(source)) return '';
  // what stands in brackets, is repeated or may be left out
  const outside = source
    .replace(/\[(?:\\.|[^\]\\])*\](?:[*+?]|\{[\d,]*\})?\??/g, '\0')
    .replace(/(?<!\\)\([^()]*\)(?:[*+?]|\{[\d,]*\})?\??/g, '\0');
  // groups in groups
  if (/[()]/.test(outside.replace(/\\./g, ''))) return '';
  const rest = outside
    .replace(/(?:\\.|[^\\])(?:[*?]|\{[\d,]*\})\??/g, '\0')
    .replace(/\\[A-Za-z0-9]|[.^$+()[\]{}]/g, '\0')
    .replace(/\\(.)/g, '$1');
  const longest = rest.split('\0').reduce((a, b) => (b.length > a.length ? b : a), '');
  return longest.length > 1 ? longest : '';
}

type Named = {
  program: string;
  args?: string[] | undefined;
  without?: string[] | undefined;
  bare?: boolean | undefined;
};

/** Returns a command that a rule names, in the spelling in which calls are compared with it. */
function commandPattern({ program, args, without, bare }: Named): CommandPattern {
  const words = plainForm(program).trim().split(/\s+/);
  const inside = AS_ANOTHER.has(words[0] ?? '') ? null : realCommand(words);
  const real =
    inside && inside.program !== '' && inside.around.length > 0 ? [inside.path, ...inside.args] : words;
  const file = real[0]?.includes('/') ? [real[0].replace(/^\.\//, '')] : null;
  // `npm run` with `migrate*` among its arguments is `npm migrate*`
  const spelled = file
    ? [...file, ...real.slice(1)]
    : oneSpelling(args?.length && real.length === 2 && real[1] === 'run' ? real.slice(0, 1) : real);
  return {
    words: spelled,
    ran: ranByName(spelled),
    args: (args ?? []).map(plainForm),
    without: (without ?? []).map(plainForm),
    bare: bare ?? false,
  };
}

/** Returns whether a rule is about a call. */
export function fits(
  rule: GuardRule,
  call: Call,
  passed: Passed = () => false,
  wanted: readonly CommandPattern[] = [],
): boolean {
  const { when, branch, environment, unless } = prepare(rule);
  if (environment.length > 0 && !call.said.some((text) => namesEnvironment(text, environment))) return false;
  return when.some((match) => {
    if (match.kind !== 'command')
      return isAbout(match, call) && onBranch(branch, call.branch) && !done(unless, call, passed);
    return call.commands.some(
      (command, i) =>
        commandFits(match.command, command) &&
        !isWanted(match.command, command, wanted) &&
        onBranch(branch, command.branch, command) &&
        !done(unless, call, passed, i),
    );
  });
}

/** Whether a rule must know what `git status` lists before it can tell whether a call keeps it. */
export const asksGit = (rule: GuardRule, { commits }: Call): boolean =>
  commits.sweeps.length > 0 && rule.when.some((match) => match.kind === 'path' && match.deed === 'commit');

/** Returns the rules that are about a call. */
export const judgeCall = <R extends { rule: GuardRule }>(
  rules: readonly R[],
  call: Call,
  passed?: Passed,
): R[] => {
  const wanted = rules.flatMap(({ rule }) => prepare(rule).unless ?? []);
  return rules.filter(({ rule }) => fits(rule, call, passed, wanted));
};

/** Whether another rule asks for a very command of a program that this rule is about: “npm run lint before you commit”. */
const isWanted = (
  { words, args }: CommandPattern,
  command: CalledCommand,
  wanted: readonly CommandPattern[],
): boolean =>
  words.length === 1 &&
  args.length === 0 &&
  wanted.some((other) => other.words.length > 1 && commandFits(other, command));

/** Whether the command of `unless` passed before, or stands in the line before the command at `at`. */
function done(unless: CommandPattern | null, call: Call, passed: Passed, at = call.commands.length): boolean {
  if (unless === null) return false;
  return call.commands.slice(0, at).some((command) => commandFits(unless, command)) || passed(unless);
}

/** Returns whether a command of a line is the one that a rule names. */
export function commandFits(
  { words, ran, args, without, bare }: CommandPattern,
  command: CalledCommand,
): boolean {
  return command.spellings.some((spelling) => {
    const rest = behind(words, spelling) ?? (ran && !spelling.byName ? behind(ran, spelling) : null);
    if (rest === null) return false;
    if (args.length === 0 && without.length === 0 && !bare) return true;
    const given = withLongOptions(words.join(' '), rest);
    if (!args.every((word) => given.some((arg) => argFits(word, arg)))) return false;
    if (without.some((word) => given.some((arg) => argFits(word, arg)) || command.via.includes(word)))
      return false;
    return !bare || isBare([...rest, ...command.passedOn], args);
  });
}

/** Returns the arguments behind a program and its words; null if the command is another one. */
function behind([program = '', ...words]: string[], spelling: Spelling): string[] | null {
  const [name = '', ...args] = spelling.words;
  const { path } = spelling;
  const same = program.includes('/')
    ? wildcard(program, path) || path.endsWith(`/${program}`)
    : wildcard(program, name);
  if (!same) return null;
  const rest: string[] = [];
  let i = 0;
  for (const word of words) {
    for (; ; i++) {
      const arg = args[i];
      if (arg === undefined) return null;
      if (argFits(word, arg)) {
        i++;
        break;
      }
      const isOption = arg.startsWith('-') || arg.startsWith('+');
      const isValue = i > 0 && /^-[^=]*$/.test(args[i - 1] ?? '');
      if (!isOption && !isValue) return null;
      rest.push(arg);
    }
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

/** Whether nothing is named beside the arguments of the rule, such as a file to test. */
function isBare(rest: string[], args: string[]): boolean {
  return rest.every((arg, i) => {
    if (args.some((word) => argFits(word, arg))) return true;
    if (arg.startsWith('-')) return !NARROWING.has(arg.split('=', 1)[0] ?? '');
    // a word behind an option may be its value, unless it looks like a file
    const before = rest[i - 1] ?? '';
    return /^--?\w[^=]*$/.test(before) && !/[/.]/.test(arg);
  });
}

function isAbout(match: Exclude<Ready, { kind: 'command' }>, call: Call): boolean {
  switch (match.kind) {
    case 'path': {
      const inGlobs = (path: string) =>
        match.globs.some((glob) => globFits(glob, path)) &&
        !match.except.some((glob) => globFits(glob, path));
      if (match.deed === 'commit') return filesCommitted(call).some(inGlobs);
      if (match.deed !== null)
        return call.losses.some((loss) => {
          const away = !loss.to.some(inGlobs);
          const meant = match.deed === 'delete' ? away : loss.to.length > 0;
          return meant && (inGlobs(loss.file) || match.globs.some((glob) => takesFrom(loss, glob)));
        });
      const changed = call.changes.some(
        ({ path, created, withFolder }) =>
          (!match.created || created) &&
          (inGlobs(path) || (withFolder && match.globs.some((glob) => holdsGlob(path, glob)))),
      );
      return changed || (match.reads && call.reads.some(inGlobs));
    }
    case 'content':
      return call.added.some(
        ({ path, text }) =>
          (match.globs.length === 0 || match.globs.some((glob) => globFits(glob, path))) &&
          inSomeLine(match.pattern, text),
      );
    case 'mcp': {
      if (call.mcp === null || !wildcard(match.tool, call.mcp.tool)) return false;
      if (match.pattern === null && match.field.length === 0) return true;
      const value = match.field.reduce<unknown>(
        (at, name) =>
          typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[name] : undefined,
        call.mcp.input,
      );
      if (value === undefined) return false;
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return match.pattern === null || match.pattern.anywhere.matcher(text.slice(0, MAX_FIELD)).find();
    }
  }
}

/** What a line removes or has git ignore is not taken along. */
function filesCommitted({ commits, pending, losses, changes }: Call): string[] {
  const ignores = changes.some(({ path }) => /(?:^|\/)\.gitignore$|(?:^|\/)\.git\/info\/exclude$/.test(path));
  const spared = [...commits.spared, ...losses.map(({ file }) => file)];
  return [...commits.named, ...(ignores ? [] : sweptAlong({ ...commits, spared }, pending))];
}

/** Whether a folder goes with a file in it that a glob fits. The work tree itself holds what may lie anywhere. */
function takesFrom({ file, tree, name }: Loss, glob: Glob): boolean {
  if (!tree) return false;
  const inside = file === '' ? !glob.absolute : holdsGlob(file, glob);
  if (name === null) return inside;
  const last = glob.parts.at(-1) ?? '';
  const meets = last === '**' || wildcard(last, name, true) || wildcard(name, last, true);
  return meets && (inside || globFits(glob, `${file}/${name}`));
}

const MAX_FIELD = 20_000;

/** The whole text is tried first, because most texts fit nowhere and have many lines. */
function inSomeLine({ line, anywhere, literal }: Pattern, text: string): boolean {
  if (!text.includes(literal) || !anywhere.matcher(text).find()) return false;
  return text.split('\n').some((one) => line.matcher(one).find());
}

/** Whether a text names an environment as a word of its own: `prod`, or `HUSKY=0` to the letter. */
function namesEnvironment(text: string, names: string[]): boolean {
  const lower = text.toLowerCase();
  const said = lower.split(/[^\p{L}\p{N}]+/u);
  return names.some((name) => (/^[\p{L}\p{N}]+$/u.test(name) ? said.includes(name) : lower.includes(name)));
}

/** Whether a call works on a branch that fits: one that the command names, else the one that is checked out. */
function onBranch(wanted: string | null, checkedOut: string | null, command?: CalledCommand): boolean {
  if (wanted === null) return true;
  const [spelling] = command?.spellings ?? [];
  const named = spelling ? branchesNamed(spelling.words) : [];
  const branches = named.length > 0 ? named : [checkedOut];
  return branches.some((branch) => branch !== null && wildcard(wanted, plainForm(branch)));
}

/** Returns the branches that a command pushes to or merges into, as far as it names them. */
function branchesNamed([program = '', ...args]: string[]): string[] {
  if (program === 'gh' || program === 'glab') {
    const at = args.findIndex((arg) => /^(?:--base|-B|--target-branch)(?:=|$)/.test(arg));
    const base = at < 0 ? undefined : (args[at]?.split('=')[1] ?? args[at + 1]);
    return base === undefined ? [] : [base];
  }
  const git = gitVerb([program, ...args]);
  if (git?.verb !== 'push') return [];
  const [, ...refs] = git.args.filter(
    (arg, i) => !arg.startsWith('-') && !/^(?:-o|--push-option)$/.test(git.args[i - 1] ?? ''),
  );
  return refs.flatMap((ref) => {
    const name = (ref.replace(/^\+/, '').split(':').at(-1) ?? '').replace(/^refs\/heads\//, '');
    return name === '' || name === 'HEAD' ? [] : [name];
  });
}
