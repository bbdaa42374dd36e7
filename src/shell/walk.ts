import {
  type Command,
  type CommandNode,
  forEachChild,
  type ParsedScript,
  parse,
  type Redirection,
  type Statement,
  type SyntaxNode,
  type Word,
  type WordPart,
} from 'unbash';
import type { Code } from './code.ts';
import { walkScripts } from './scripts.ts';
import { unwrap } from './wrappers.ts';

// Turns a command line into the simple commands that would run, with values followed as far as the line tells them.
// What cannot be told is marked unknown and never guessed.

/** A word after expansion. `known` is false when part of it is decided only when it runs. */
export type Arg = {
  text: string;
  known: boolean;
  glob: boolean;
  quoted: boolean;
  /** what runs in the substitution that it holds */
  from?: Invocation[];
};

type WrittenFile = { target: Arg; append: boolean };

/** What a command reads on standard input, as far as the line tells. */
export type Input =
  | { kind: 'none' }
  | { kind: 'text'; text: string; known: boolean }
  | { kind: 'file'; target: Arg }
  | { kind: 'pipe'; from: Invocation[] };

/** One simple command that would run. */
export type Invocation = {
  /** basename, lower case; '' when the name is not known */
  program: string;
  /** as written, for telling `./x` from `x` */
  path: string;
  args: Arg[];
  /** variables set for it alone */
  env: { name: string; value: Arg }[];
  /** folder it runs in; null when not known */
  cwd: string | null;
  /** where it runs instead if a `cd` before it fails */
  otherCwds: string[];
  input: Input;
  writes: WrittenFile[];
  reads: Arg[];
  /** what it is wrapped in, outermost first: sudo, xargs, `bash -c`, ssh … */
  via: string[];
  /** runs on another host or in a container */
  remote: boolean;
  /** more arguments come from standard input (xargs, parallel) */
  openArgs: boolean;
  background: boolean;
  /** the program given to an interpreter in the line */
  code?: Code;
  /** commands whose output it runs as a program: `… | sh`, `sh <(…)`, `eval "$(…)"` */
  executes?: Invocation[];
  /** a guess (a string in a program): may deny, never allow or unsettle */
  suspected?: boolean;
  /** stands in a file that the line runs: it may speak against the line, not for it */
  scripted?: boolean;
};

export type Unknown = { text: string; why: string };

export type Parsed = { invocations: Invocation[]; unknowns: Unknown[] };

export type Place = {
  cwd: string;
  home: string;
  tmp: string;
  /** the project's folder, up to which package.json and Makefile are looked for */
  root?: string;
  /** the text of a file that a command runs, null when there is none to be had; without it no file is looked into */
  read?: (path: string) => string | null;
};

/** Longer lines are not judged piece by piece: nobody types them, and parsing must stay bounded. */
const MOST_LENGTH = 32 * 1024;
/** Scripts within scripts (`bash -c`, `$(…)`, functions). */
const MOST_DEPTH = 24;
const MOST_INVOCATIONS = 500;
const MOST_LOOP_WORDS = 32;
const MOST_PIECES = 100;
/** Loops in loops, functions that call functions and scripts in scripts multiply. Counted in characters read. */
const MOST_WORK = 80_000;
/** What a node of the tree, and an argument, costs beside its text. */
const NODE_WORK = 120;
const ARGUMENT_WORK = 8;
const PIPE_WORK = 8;
/** Files that one line may run, scripts that scripts run among them. */
const MOST_FILES = 8;
/** Longer lines with a syntax error are bait, or text: not looked into. */
const MOST_BROKEN = 4096;

type Scope = {
  cwd: string | null;
  otherCwds: string[];
  vars: Map<string, Arg>;
  functions: Map<string, { body: SyntaxNode; certain: boolean }>;
  aliases: Map<string, string>;
  depth: number;
  via: string[];
  remote: boolean;
};

/** Gathers what a line would run; shared by everything that walks. */
export type Walk = Parsed & { place: Place; work: number; files: { left: number } };

/** @throws when the line asks for more than a line should */
function spend(walk: Walk, work: number): void {
  walk.work += work;
  if (walk.work > MOST_WORK) throw new Error('too much to look through');
}

const known = (text: string, more: Partial<Arg> = {}): Arg => ({
  text,
  known: true,
  glob: false,
  quoted: false,
  ...more,
});

/**
 * The simple commands of a line, through lists, pipelines, loops, functions, substitutions, wrappers, nested shells.
 *
 * @param line bash source
 * @returns never throws; what could not be told is in `unknowns`
 */
export function parseCommand(line: string, place: Place): Parsed {
  const walk: Walk = { invocations: [], unknowns: [], place, work: 0, files: { left: MOST_FILES } };
  const scope: Scope = {
    cwd: place.cwd,
    vars: new Map([
      ['HOME', known(place.home)],
      ['PWD', known(place.cwd)],
      ['TMPDIR', known(place.tmp)],
      ['IFS', known(' ')],
    ]),
    otherCwds: [],
    functions: new Map(),
    aliases: new Map(),
    depth: 0,
    via: [],
    remote: false,
  };
  try {
    walkText(walk, line, scope);
  } catch (error) {
    // too much work, or the parser or the walk out of stack, on bait
    walk.unknowns.push({ text: line.slice(0, 80), why: `not parsed: ${(error as Error).message}` });
  }
  return { invocations: walk.invocations, unknowns: walk.unknowns };
}

/** Walks source text in a scope; gives the invocations it added. */
export function walkText(walk: Walk, text: string, scope: Scope): Invocation[] {
  const before = walk.invocations.length;
  if (text.length > MOST_LENGTH) {
    walk.unknowns.push({ text: text.slice(0, 80), why: `longer than ${MOST_LENGTH} characters` });
    return [];
  }
  spend(walk, text.length);
  const script = parse(text);
  if (script.errors?.length) {
    walk.unknowns.push({ text: text.slice(0, 80), why: `syntax error: ${script.errors[0]?.message}` });
    if (text.length > MOST_BROKEN) return [];
    // a line that a shell might still run in part: look at its pieces, for what must be denied
    for (const piece of text.split(/[\n;|&]+/, MOST_PIECES)) {
      const part = parse(piece);
      if (piece !== text && piece.trim() !== '') walkScript(walk, part, { ...scope, depth: scope.depth + 1 });
    }
  }
  walkScript(walk, script, scope);
  return walk.invocations.slice(before);
}

function walkScript(walk: Walk, script: ParsedScript, scope: Scope): void {
  if (walk.invocations.length > MOST_INVOCATIONS) throw new Error('too many commands');
  if (scope.depth > MOST_DEPTH) {
    walk.unknowns.push({ text: '', why: 'nested too deeply' });
    return;
  }
  for (const statement of script.commands) walkStatement(walk, statement, scope);
}

const inner = (scope: Scope): Scope => ({
  ...scope,
  vars: new Map(scope.vars),
  functions: new Map(scope.functions),
  depth: scope.depth + 1,
});

function walkStatement(walk: Walk, statement: Statement, scope: Scope): void {
  const { command } = statement;
  const background = statement.background === true;
  const { cwd } = scope;
  walkNode(walk, command, background ? inner(scope) : scope, { kind: 'none' }, [], background);
  // a `cd` that fails leaves the next statement where it was, unless the line ends then
  if (scope.cwd !== cwd && cwd !== null && !endsOnFailure(command)) {
    scope.otherCwds = [...scope.otherCwds.slice(-3), cwd];
  }
}

/** `cd x || exit` */
function endsOnFailure(command: Statement['command']): boolean {
  if (command.type !== 'AndOr' || command.operators.at(-1) !== '||') return false;
  const last = command.commands.at(-1);
  return last?.type === 'Command' && /^(exit|return)$/.test(last.name?.value ?? '');
}

function walkList(walk: Walk, statements: readonly Statement[], scope: Scope): void {
  if (scope.depth > MOST_DEPTH) {
    walk.unknowns.push({ text: '', why: 'nested too deeply' });
    return;
  }
  for (const statement of statements) walkStatement(walk, statement, scope);
}

/** Walks one branch of several, which may not run at all: what it sets is not certain afterwards. */
function walkBranches(branches: ((scope: Scope) => void)[], scope: Scope): void {
  const start = inner(scope);
  for (const branch of branches) {
    const own = inner(start);
    branch(own);
    mergeUncertain(scope, start, own);
  }
}

/** Takes over what a part of the line that may not have run would have set. True if anything changed. */
function mergeUncertain(scope: Scope, start: Scope, own: Scope): boolean {
  let changed = false;
  for (const [name, value] of own.vars) {
    const before = start.vars.get(name);
    if (before?.text === value.text && before.known === value.known) continue;
    scope.vars.set(name, { ...value, known: false });
    changed = true;
  }
  for (const [name, { body }] of own.functions) {
    if (start.functions.get(name)?.body === body) continue;
    scope.functions.set(name, { body, certain: false });
    changed = true;
  }
  if (own.cwd !== start.cwd) {
    scope.cwd = null;
    changed = true;
  }
  return changed;
}

/** A loop's body runs again with what it set itself. */
function walkLoop(rounds: ((scope: Scope) => void)[], again: (scope: Scope) => void, scope: Scope): void {
  const start = inner(scope);
  let changed = false;
  for (const round of rounds) {
    const own = inner(start);
    round(own);
    changed = mergeUncertain(scope, start, own) || changed;
  }
  if (changed) walkBranches([again], scope);
}

type Node = Statement['command'] | CommandNode | { type: 'CompoundList'; commands: readonly Statement[] };

function walkNode(
  walk: Walk,
  node: Node,
  scope: Scope,
  input: Input,
  redirects: readonly Redirection[],
  background: boolean,
): void {
  spend(walk, NODE_WORK);
  switch (node.type) {
    case 'Command':
      walkSimple(walk, node, scope, input, redirects, background);
      return;
    case 'AndOr':
      walkAndOr(node, scope, (part, own) => walkNode(walk, part, own, input, redirects, background));
      return;
    case 'Pipeline':
      walkPipeline(walk, node.commands, scope, input, background);
      return;
    case 'Redirected':
      walkNode(walk, node.command, scope, input, [...node.redirects, ...redirects], background);
      return;
    case 'CompoundList':
      walkList(walk, node.commands, scope);
      return;
    case 'BraceGroup':
      compoundRedirects(walk, redirects, scope);
      walkList(walk, node.body.commands, scope);
      return;
    case 'Subshell':
      compoundRedirects(walk, redirects, scope);
      walkList(walk, node.body.commands, inner(scope));
      return;
    case 'If':
      walkList(walk, node.clause.commands, scope);
      for (const elif of node.elif) walkList(walk, elif.clause.commands, scope);
      compoundRedirects(walk, redirects, scope);
      walkBranches(
        [node.then, ...node.elif.map((elif) => elif.then), ...(node.else ? [node.else] : [])].map(
          (list) => (own: Scope) => walkList(walk, list.commands, own),
        ),
        scope,
      );
      return;
    case 'For':
    case 'Select':
      compoundRedirects(walk, redirects, scope);
      walkFor(walk, node, scope);
      return;
    case 'While': {
      compoundRedirects(walk, redirects, scope);
      const round = (own: Scope) => {
        walkList(walk, node.clause.commands, own);
        walkList(walk, node.body.commands, own);
      };
      walkLoop([round], round, scope);
      return;
    }
    case 'ArithmeticFor': {
      const round = (own: Scope) => walkList(walk, node.body.commands, own);
      walkLoop([round], round, scope);
      return;
    }
    case 'Case':
      expand(walk, node.word, scope);
      walkBranches(
        node.items.map((item) => (own: Scope) => walkList(walk, item.body.commands, own)),
        scope,
      );
      return;
    case 'Function':
      scope.functions.set(node.name.value, { body: node.body as SyntaxNode, certain: true });
      return;
    case 'Coproc':
      walkNode(walk, node.body as Node, inner(scope), input, redirects, true);
      return;
    default:
      // [[ … ]] and (( … )): only the substitutions in them run anything
      walkSubstitutions(walk, node as SyntaxNode, scope);
      return;
  }
}

/** After a list of `&&` and `||`, only what its first command set is certain. */
function walkAndOr(
  node: { commands: readonly CommandNode[] | readonly Node[]; operators: readonly string[] },
  scope: Scope,
  step: (part: Node, scope: Scope) => void,
): void {
  const [first, ...more] = node.commands as readonly Node[];
  if (!first) return;
  step(first, scope);
  const afterFirst = inner(scope);
  // within the list a command after && sees what the one before it set
  let own = inner(scope);
  for (const [i, part] of more.entries()) {
    if (node.operators[i] === '||') {
      walkBranches([(branch) => step(part, branch)], own);
      own = { ...own, aliases: scope.aliases };
    } else step(part, own);
  }
  const { cwd } = scope;
  mergeUncertain(scope, afterFirst, own);
  // a folder changed after && is most likely changed: the old one stays possible
  if (own.cwd !== cwd) scope.cwd = own.cwd;
  scope.otherCwds = own.otherCwds;
  if (own.cwd !== cwd && cwd !== null) scope.otherCwds = [...own.otherCwds.slice(-3), cwd];
}

function walkPipeline(
  walk: Walk,
  commands: readonly CommandNode[],
  scope: Scope,
  first: Input,
  background: boolean,
): void {
  let input = first;
  // each may look at all before it
  spend(walk, PIPE_WORK * commands.length ** 2);
  for (const command of commands) {
    const before = walk.invocations.length;
    walkNode(walk, command, commands.length > 1 ? inner(scope) : scope, input, [], background);
    input = { kind: 'pipe', from: walk.invocations.slice(before) };
  }
}

function walkFor(
  walk: Walk,
  node: { name: Word; wordlist: readonly Word[] | undefined; body: { commands: readonly Statement[] } },
  scope: Scope,
): void {
  const words = (node.wordlist ?? []).flatMap((word) => expand(walk, word, scope));
  const certain =
    words.length > 0 && words.length <= MOST_LOOP_WORDS && words.every((w) => w.known && !w.glob);
  const rounds: Arg[] = certain
    ? words
    : [{ text: `$${node.name.value}`, known: false, glob: false, quoted: false }];
  // a glob's matches lie where the glob does, so the body is judged with the pattern itself
  if (!certain && words.length === 1 && words[0]?.known) rounds[0] = words[0];
  const round = (word: Arg) => (own: Scope) => {
    const { value: name } = node.name;
    const before = own.vars.get(name);
    own.vars.set(name, word);
    walkList(walk, node.body.commands, own);
    // its own variable is no reason to walk the body again
    if (before) own.vars.set(name, before);
    else own.vars.delete(name);
  };
  const last = rounds.at(-1) as Arg;
  walkLoop(rounds.map(round), round({ ...last, known: last.known && rounds.length === 1 }), scope);
  scope.vars.set(node.name.value, { ...last, known: false });
}

/** Redirections of a group write and read like those of a command. */
function compoundRedirects(walk: Walk, redirects: readonly Redirection[], scope: Scope): void {
  if (redirects.length === 0) return;
  const { writes, reads } = redirected(walk, redirects, scope);
  if (writes.length + reads.length === 0) return;
  walk.invocations.push(blank(scope, { program: ':', path: ':', writes, reads }));
}

function blank(scope: Scope, more: Partial<Invocation>): Invocation {
  return {
    program: '',
    path: '',
    args: [],
    env: [],
    cwd: scope.cwd,
    otherCwds: scope.otherCwds,
    input: { kind: 'none' },
    writes: [],
    reads: [],
    via: scope.via,
    remote: scope.remote,
    openArgs: false,
    background: false,
    ...more,
  };
}

function redirected(walk: Walk, redirects: readonly Redirection[], scope: Scope) {
  const writes: WrittenFile[] = [];
  const reads: Arg[] = [];
  let input: Input | null = null;
  for (const redirect of redirects) {
    if (redirect.type === 'HereDoc') {
      const parts = redirect.body.parts;
      const quoted = redirect.delimiter?.quoted === true;
      const value = parts && !quoted ? joinParts(walk, parts, scope, true) : known(redirect.body.text);
      input = { kind: 'text', text: value.text, known: value.known };
      continue;
    }
    const target = redirect.target ? joined(walk, redirect.target, scope) : known('');
    if (redirect.type === 'HereString') {
      input = { kind: 'text', text: target.text, known: target.known };
      continue;
    }
    const duplicates = /^(\d+|-)$/.test(target.text) && redirect.operator.endsWith('&');
    if (duplicates) continue;
    if (redirect.operator === '<') {
      reads.push(target);
      input = { kind: 'file', target };
    } else {
      writes.push({ target, append: redirect.operator.includes('>>') });
    }
  }
  return { writes, reads, input };
}

function walkSimple(
  walk: Walk,
  node: Command,
  scope: Scope,
  input: Input,
  outer: readonly Redirection[],
  background: boolean,
): void {
  const env: Invocation['env'] = [];
  const own = node.name ? { ...scope, vars: new Map(scope.vars) } : scope;
  for (const part of node.prefix) {
    if (part.type !== 'Assignment') continue;
    const value = assigned(walk, part, own);
    env.push({ name: part.name, value });
    own.vars.set(part.name, value);
  }
  // bash expands the words before it sets these, but whoever writes `X=/ rm $X` means the new value: neither counts
  for (const { name, value } of node.name ? env : []) {
    if (scope.vars.get(name)?.text !== value.text) own.vars.set(name, { ...value, known: false });
  }
  const redirects = redirected(walk, [...node.redirects, ...outer], own);
  const words: Arg[] = [];
  if (node.name) words.push(...expand(walk, node.name, own));
  for (const part of node.suffix) {
    if (part.type === 'Word') words.push(...expand(walk, part, own));
    else if (part.type === 'Assignment') {
      const value = assigned(walk, part, own);
      words.push({ ...value, text: `${part.name}=${value.text}` });
    }
  }
  if (words.length === 0) {
    if (redirects.writes.length + redirects.reads.length > 0) {
      const { writes, reads } = redirects;
      walk.invocations.push(blank(scope, { program: ':', path: ':', writes, reads }));
    }
    // also a command, since PATH or LD_PRELOAD changes what the next ones run
    if (env.length > 0) {
      const args = env.map(({ name, value }) => ({ ...value, text: `${name}=${value.text}` }));
      walk.invocations.push(blank(scope, { program: 'set', path: 'set', args }));
    }
    return;
  }
  runWith(walk, scope, own, env, {
    words,
    env,
    input: redirects.input ?? input,
    writes: redirects.writes,
    reads: redirects.reads,
    openArgs: false,
    background,
  });
}

/** Runs a command that has variables set for it alone; nested shells see those. */
function runWith(walk: Walk, scope: Scope, own: Scope, env: Invocation['env'], running: Running): void {
  if (env.length === 0) {
    run(walk, scope, running);
    return;
  }
  for (const { name, value } of env) own.vars.set(name, value);
  const start = new Map(own.vars);
  run(walk, own, running);
  for (const [name, value] of own.vars) if (start.get(name) !== value) scope.vars.set(name, value);
  scope.cwd = own.cwd;
}

function assigned(
  walk: Walk,
  part: {
    name: string;
    append?: boolean | undefined;
    value: Word | { type: 'ArrayValue'; elements: readonly Word[] };
  },
  scope: Scope,
): Arg {
  if (part.append) {
    const { name } = part;
    const before = scope.vars.get(name);
    const added = assigned(walk, { name, value: part.value }, scope);
    return {
      ...added,
      text: (before?.text ?? `$${name}`) + added.text,
      known: added.known && before?.known === true,
    };
  }
  if (part.value.type === 'ArrayValue') {
    const words = part.value.elements.flatMap((word) => expand(walk, word, scope));
    return known(words.map((w) => w.text).join(' '), { known: words.every((w) => w.known) });
  }
  return joined(walk, part.value, scope);
}

/** A command with its words expanded, before wrappers, functions and aliases are looked through. */
export type Running = {
  words: Arg[];
  env: Invocation['env'];
  input: Input;
  writes: WrittenFile[];
  reads: Arg[];
  openArgs: boolean;
  background: boolean;
};

/** Takes a command as it would run: follows aliases, functions, `cd` and variables, looks through wrappers. */
export function run(walk: Walk, scope: Scope, running: Running): void {
  const [name, ...args] = running.words;
  if (!name) return;
  spend(walk, running.words.length * ARGUMENT_WORK);
  if (walk.invocations.length > MOST_INVOCATIONS) throw new Error('too many commands');
  if (scope.depth > MOST_DEPTH) {
    walk.unknowns.push({ text: name.text, why: 'nested too deeply' });
    return;
  }
  const alias = scope.aliases.get(name.text);
  if (alias !== undefined && name.known && !name.quoted) {
    const rest = args.map((arg) => quoteArg(arg)).join(' ');
    const aliases = new Map(scope.aliases);
    aliases.delete(name.text);
    walkText(walk, `${alias} ${rest}`, { ...inner(scope), aliases });
    // an alias made in the same line may not be in force yet: the command itself counts too
  }
  const called = scope.functions.get(name.text);
  if (called !== undefined && name.known) {
    call(walk, scope, called.body, running);
    if (called.certain) return;
  }
  const program = name.known ? baseName(name.text) : '';
  const invocation: Invocation = blank(scope, {
    program,
    path: name.text,
    args,
    env: running.env,
    input: running.input,
    writes: running.writes,
    reads: running.reads,
    openArgs: running.openArgs,
    background: running.background,
  });
  if (!name.known) walk.unknowns.push({ text: name.text, why: 'the program is decided only when it runs' });
  walk.invocations.push(invocation);
  walkScripts(walk, scope, invocation);
  if (builtin(invocation, scope)) return;
  unwrap(walk, scope, invocation, running);
}

/** Calls a function that the line defines. */
function call(walk: Walk, scope: Scope, body: SyntaxNode, running: Running): void {
  const [name, ...args] = running.words as [Arg, ...Arg[]];
  const own = inner(scope);
  for (const [i, arg] of args.entries()) own.vars.set(String(i + 1), arg);
  const all = known(args.map((arg) => arg.text).join(' '), { known: args.every((arg) => arg.known) });
  own.vars.set('@', all);
  own.vars.set('*', all);
  own.functions.delete(name.text);
  const start = inner(own);
  const before = walk.invocations.length;
  walkNode(walk, body as Node, own, running.input, [], running.background);
  // a function that starts itself twice or in the background fills the machine
  const itself = walk.invocations.slice(before).filter((part) => part.path === name.text);
  if (itself.length > 0) {
    const bomb = itself.length > 1 || itself.some((part) => part.background);
    if (bomb) walk.invocations.push(blank(scope, { program: 'fork-bomb', path: name.text }));
    walk.unknowns.push({ text: name.text, why: 'a function that calls itself' });
  }
  for (const key of ['@', '*', ...args.map((_, i) => String(i + 1))]) own.vars.delete(key);
  mergeUncertain(scope, start, own);
}

const baseName = (path: string) => (path.split('/').pop() ?? '').toLowerCase().replace(/\.exe$/, '');

const quoteArg = (arg: Arg) =>
  /^[\w@%+=:,./-]+$/.test(arg.text) ? arg.text : `'${arg.text.replaceAll("'", "'\\''")}'`;

/** Builtins that change what the rest of the line means. */
function builtin(invocation: Invocation, scope: Scope): boolean {
  const [first] = invocation.args.filter((arg) => !arg.text.startsWith('-') || arg.text === '-');
  switch (invocation.program) {
    case 'cd':
    case 'pushd': {
      if (!first) scope.cwd = scope.vars.get('HOME')?.text ?? null;
      else if (!first.known || first.text === '-' || first.glob) scope.cwd = null;
      else scope.cwd = resolvePath(first.text, scope.cwd, scope.vars.get('HOME')?.text ?? '/');
      return true;
    }
    case 'popd':
      scope.cwd = null;
      return true;
    case 'export':
    case 'declare':
    case 'typeset':
    case 'local':
    case 'readonly':
      for (const arg of invocation.args) setVariable(scope, arg);
      return true;
    case 'read':
    case 'mapfile':
    case 'readarray':
      for (const arg of invocation.args) {
        if (/^[A-Za-z_]\w*$/.test(arg.text)) forget(scope, arg.text);
      }
      return true;
    case 'printf':
    case 'getopts':
    case 'let':
    case 'wait':
      // -v NAME, -p NAME, NAME=…: set to what is not known
      for (const arg of invocation.args) {
        const variable = /^(?:-[vp])?([A-Za-z_]\w*)/.exec(arg.text)?.[1];
        if (variable && scope.vars.has(variable)) forget(scope, variable);
      }
      return true;
    case 'unset':
      for (const arg of invocation.args) {
        scope.vars.set(arg.text, known(''));
        scope.functions.delete(arg.text);
      }
      return true;
    case 'unalias':
      scope.aliases.clear();
      return true;
    case 'alias':
      for (const arg of invocation.args) {
        const at = arg.text.indexOf('=');
        if (at > 0) scope.aliases.set(arg.text.slice(0, at), arg.text.slice(at + 1));
      }
      return true;
    default:
      return false;
  }
}

function forget(scope: Scope, name: string): void {
  scope.vars.set(name, { ...known(`$${name}`), known: false });
}

function setVariable(scope: Scope, arg: Arg): void {
  const at = arg.text.indexOf('=');
  if (arg.text[at - 1] === '+') forget(scope, arg.text.slice(0, at - 1));
  else if (at > 0) scope.vars.set(arg.text.slice(0, at), { ...arg, text: arg.text.slice(at + 1) });
}

/** An absolute path without `.` and `..`; null when it hangs on an unknown folder. */
export function resolvePath(text: string, cwd: string | null, home: string): string | null {
  let path = text;
  if (path === '~' || path.startsWith('~/')) path = home + path.slice(1);
  if (!path.startsWith('/')) {
    if (cwd === null) return null;
    path = `${cwd}/${path}`;
  }
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..') parts.pop();
    else parts.push(part);
  }
  return `/${parts.join('/')}`;
}

// ---------------------------------------------------------------- words

/** A word as one value, without brace expansion. */
function joined(walk: Walk, word: Word, scope: Scope): Arg {
  if (!word.parts) return literal(word.text, word.value, scope);
  return joinParts(walk, word.parts, scope, false);
}

const MOST_BRACES = 64;

const withFrom = (left: Arg, right: Arg): Pick<Arg, 'from'> =>
  left.from || right.from ? { from: [...(left.from ?? []), ...(right.from ?? [])] } : {};

/** The words that a word becomes: braces and (when unquoted) values with spaces make several. */
function expand(walk: Walk, word: Word, scope: Scope): Arg[] {
  if (!word.parts) return [literal(word.text, word.value, scope)];
  let alternatives: Arg[] = [{ text: '', known: true, glob: false, quoted: false }];
  for (const part of word.parts) {
    const values =
      part.type === 'BraceExpansion'
        ? braces(part.text)
        : [splittable(part, joinParts(walk, [part], scope, false), scope)];
    alternatives = alternatives.flatMap((left) =>
      values.map((right) => ({
        text: left.text + right.text,
        known: left.known && right.known,
        glob: left.glob || right.glob,
        quoted: left.quoted || right.quoted,
        ...withFrom(left, right),
      })),
    );
    if (alternatives.length > MOST_BRACES)
      return [{ text: word.text, known: false, glob: false, quoted: false }];
  }
  return alternatives.flatMap((arg) => {
    if (!arg.text.includes(GAP)) return [tilde(arg, word.text, scope)];
    const texts = arg.text.split(GAP).filter((text) => text !== '');
    return texts.map((text) => ({ ...arg, text }));
  });
}

/** Stands where the shell splits a word, while it is put together. */
const GAP = '\0';
const SPLITS = new Set(['SimpleExpansion', 'ParameterExpansion', 'CommandExpansion']);

/** The value of an unquoted expansion, with its blanks marked; an empty one alone makes no word. */
function splittable(part: WordPart, value: Arg, scope: Scope): Arg {
  if (!SPLITS.has(part.type) || !value.known) return value;
  if (scope.vars.get('IFS')?.text !== ' ') return { ...value, known: false };
  return { ...value, text: value.text === '' ? GAP : value.text.replaceAll(/\s+/g, GAP) };
}

function literal(source: string, value: string, scope: Scope): Arg {
  return tilde(known(value, { quoted: source !== value && /['"\\]/.test(source) }), source, scope);
}

function tilde(arg: Arg, source: string, scope: Scope): Arg {
  if (!source.startsWith('~')) return arg;
  const end = arg.text.indexOf('/');
  const user = arg.text.slice(1, end < 0 ? undefined : end);
  const rest = end < 0 ? '' : arg.text.slice(end);
  if (user === '') return { ...arg, text: (scope.vars.get('HOME')?.text ?? '/root') + rest };
  return /^[a-z_][\w-]*$/i.test(user) ? { ...arg, text: `/home/${user}${rest}` } : arg;
}

/** `{a,b}` and `{1..3}`; anything nested or odd stays unknown. */
function braces(text: string): Arg[] {
  const body = text.slice(1, -1);
  const range = /^(-?\d{1,4})\.\.(-?\d{1,4})$/.exec(body);
  if (range) {
    const [from, to] = [Number(range[1]), Number(range[2])];
    if (Math.abs(to - from) < MOST_BRACES) {
      const step = from <= to ? 1 : -1;
      return Array.from({ length: Math.abs(to - from) + 1 }, (_, i) => known(String(from + i * step)));
    }
  }
  const letters = /^([a-zA-Z])\.\.([a-zA-Z])$/.exec(body);
  if (letters) {
    const [from, to] = [(letters[1] as string).charCodeAt(0), (letters[2] as string).charCodeAt(0)];
    const step = from <= to ? 1 : -1;
    return Array.from({ length: Math.abs(to - from) + 1 }, (_, i) =>
      known(String.fromCharCode(from + i * step)),
    );
  }
  if (/^[^{}$`'"\\]*,[^{}$`'"\\]*$/.test(body)) return body.split(',').map((part) => known(part));
  return [{ text, known: false, glob: true, quoted: false }];
}

function joinParts(walk: Walk, parts: readonly WordPart[], scope: Scope, quoted: boolean): Arg {
  const result: Arg = { text: '', known: true, glob: false, quoted };
  for (const part of parts) {
    const value = partValue(walk, part, scope);
    // x=$x$x doubles
    if (result.text.length + value.text.length > MOST_LENGTH) throw new Error('a value grows too long');
    result.text += value.text;
    result.known &&= value.known;
    result.glob ||= value.glob;
    result.quoted ||= value.quoted;
    Object.assign(result, withFrom(result, value));
  }
  return result;
}

const undecided = (text: string): Arg => ({ text, known: false, glob: false, quoted: false });

function partValue(walk: Walk, part: WordPart, scope: Scope): Arg {
  switch (part.type) {
    case 'Literal':
      return known(part.value);
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return known(part.value, { quoted: true });
    case 'DoubleQuoted':
    case 'LocaleString':
      return joinParts(walk, part.parts, scope, true);
    case 'SimpleExpansion': {
      const name = part.text.slice(1);
      return scope.vars.get(name) ?? undecided(part.text);
    }
    case 'ParameterExpansion': {
      if (part.operation) walkSubstitutions(walk, part as SyntaxNode, scope);
      const value = scope.vars.get(part.parameter);
      const plain = part.operation === undefined && part.prefix === undefined && part.index === undefined;
      if (plain) return value ?? undecided(part.text);
      const fallback = part.operation?.type === 'Default' && /^:?[-=]$/.test(part.operation.operator);
      if (fallback && part.operation?.type === 'Default') {
        const usual = joined(walk, part.operation.operand, scope);
        return value && value.text !== '' ? value : { ...usual, known: usual.known && value !== undefined };
      }
      // ${x:?} ends the line when x is empty
      if (part.operation?.type === 'Default' && part.operation.operator === ':?' && value) return value;
      return undecided(part.text);
    }
    case 'CommandExpansion':
      return commandValue(walk, part.script, part.text, scope);
    case 'ProcessSubstitution': {
      const before = walk.invocations.length;
      if (part.script) walkNested(walk, part.script, inner(scope));
      return known('/dev/fd/63', { from: walk.invocations.slice(before) });
    }
    case 'ArithmeticExpansion':
      walkSubstitutions(walk, part as SyntaxNode, scope);
      return undecided('0');
    case 'Glob':
      return { text: part.text, known: true, glob: true, quoted: false };
    default:
      return { ...undecided(part.text), glob: true };
  }
}

function walkNested(walk: Walk, script: ParsedScript, scope: Scope): void {
  // it is parsed only now
  spend(walk, script.end - script.pos);
  if (script.errors?.length) {
    walk.unknowns.push({ text: '', why: `syntax error in a substitution: ${script.errors[0]?.message}` });
  }
  walkScript(walk, script, scope);
}

/** `$(…)`: what it runs is judged too; its value is known only for `pwd` and plain `echo`. */
function commandValue(walk: Walk, script: ParsedScript | undefined, text: string, scope: Scope): Arg {
  if (!script) return undecided(text);
  const before = walk.invocations.length;
  walkNested(walk, script, inner(scope));
  const from = walk.invocations.slice(before);
  const [only, ...more] = from;
  if (!only || more.length > 0 || only.writes.length > 0) return { ...undecided(text), from };
  if (only.program === 'pwd' && scope.cwd !== null) return known(scope.cwd);
  if (only.program === 'echo' && only.args.every((arg) => arg.known && !arg.glob)) {
    return known(only.args.map((arg) => arg.text).join(' '));
  }
  return { ...undecided(text), from };
}

/** Runs what substitutions anywhere below a node would run. */
function walkSubstitutions(walk: Walk, node: SyntaxNode, scope: Scope): void {
  spend(walk, node.end - node.pos);
  forEachChild(node, (child) => {
    if (child.type === 'Script') walkNested(walk, child as ParsedScript, inner(scope));
    else if (child.type === 'CommandExpansion') commandValue(walk, child.script, child.text, scope);
    else walkSubstitutions(walk, child, scope);
  });
}

export type { Scope };
