import { type Command, parse, type Redirection, type Statement, type SyntaxNode, type Word } from 'unbash';
import { clip } from '../text/clip.ts';
import { blank, inner, known, setArguments, suspect, undecided } from './arg.ts';
import { baseName, SHELLS } from './names.ts';
import { walkScripts } from './scripts.ts';
import type { Arg, Input, Invocation, Parsed, Place, Running, Scope, Source, Walk } from './types.ts';
import { unwrap } from './unwrap.ts';
import { expand, joined, joinParts, MAX_LENGTH, spend, walkSubstitutions } from './words.ts';
import { resolvePath } from './zones.ts';

// Turns a command line into the simple commands that it would run: through lists, pipelines, loops over literal words,
// functions, substitutions, wrappers and nested shells, with the variables that the line itself sets to plain text. What
// needs more evaluation than that is unknown, and a line with an unknown part is never allowed.

const MAX_DEPTH = 24;
const MAX_INVOCATIONS = 500;
/** Most files that are read for one line, including scripts that scripts run. */
const MAX_FILES = 32;
/** If a loop has more words than this, its variable is unknown. */
const MAX_LOOP_WORDS = 32;
/** Pieces of a line with a syntax error that are looked at, and the longest such line, in characters. */
const MAX_PIECES = 100;
const MAX_BROKEN = 4096;
/** What a node costs of the line's budget, and a stage of a pipeline for each other stage. */
const NODE_WORK = 120;
const PIPE_WORK = 8;

/** Matches an index with something in it that a shell expands: arithmetic runs it, also as the value of a variable. */
const RUN_BY_ARITHMETIC = /\w\[[^\]]*(\$[({]|`)/;
/** What only other shells than bash expand: zsh's flags, qualifiers and `=(…)`; or what bash expands a second time. */
const OTHER_SHELLS =
  /\$\{[($]|(^|[;&|]\s*)alias -[gs]|\$\{\w+@P|[*?\w]\((e|\+|#q)[:\w]|(^|\s)=\(|\$\{!(?!\w+\[[@*]\]\})|\$\{[^}]*\$'/;

/**
 * Returns the simple commands that a line would run. Never throws: what could not be worked out is in `unknowns`.
 *
 * @param line bash source; it is parsed only if it is not too long
 */
export function parseCommand(line: Source, place: Place): Parsed {
  const walk: Walk = {
    invocations: [],
    unknowns: [],
    place,
    work: 0,
    files: { left: MAX_FILES, depth: 0, walked: new Set() },
    called: new Set(),
    defined: [],
    traps: [],
    arithmetic: false,
    line: walkText,
    script: (own, { commands }, scope) => walkList(own, commands, scope),
    command: run,
  };
  const scope: Scope = {
    cwd: place.cwd,
    otherCwds: [],
    vars: new Map([
      ['HOME', known(place.home)],
      ['PWD', known(place.cwd)],
      ['TMPDIR', known(place.tmp, { assumed: true })],
      // any number will do
      ['$', known('99999')],
    ]),
    functions: new Map(),
    stdin: { kind: 'none' },
    depth: 0,
    via: [],
    remote: false,
  };
  try {
    walkText(walk, line.text, scope, () => line.script);
    // zsh calls some functions by itself, and a program may call others: nobody knows where and with what
    for (const { text, scope: at } of walk.traps.splice(0))
      for (const { cwd, otherCwds, vars } of new Set([at, ...(at.via.length === 0 ? [scope] : [])]))
        walkText(walk, text, inner(at, { cwd, otherCwds, vars }));
    for (const { body, scope: at } of walk.defined)
      if (!walk.called.has(body)) walkNode(walk, body, { ...at, cwd: null, otherCwds: [] });
    const text = clip(line.text, 80);
    if (walk.arithmetic && RUN_BY_ARITHMETIC.test(line.text))
      walk.unknowns.push({ text, why: 'arithmetic may run what an index holds' });
    if (OTHER_SHELLS.test(line.text))
      walk.unknowns.push({ text, why: 'shells differ about what this expands to' });
  } catch (error) {
    // bait that exceeds the budget, or makes the parser or the walk run out of stack
    walk.unknowns.push({ text: clip(line.text, 80), why: `not parsed: ${(error as Error).message}` });
  }
  return { invocations: walk.invocations, unknowns: walk.unknowns };
}

/** Walks source text in a scope. Returns the invocations that it added. */
function walkText(walk: Walk, text: string, scope: Scope, parsed = () => parse(text)): Invocation[] {
  const before = walk.invocations.length;
  const leave = (why: string) => walk.unknowns.push({ text: clip(text, 80), why });
  if (text.length > MAX_LENGTH) {
    leave(`longer than ${MAX_LENGTH} characters`);
    return [];
  }
  spend(walk, text.length);
  const script = parsed();
  if (script.errors?.length) {
    leave(`syntax error: ${script.errors[0]?.message}`);
    if (text.length > MAX_BROKEN) return [];
    // a shell might still run a part of the line, so its pieces are searched for what must be denied
    for (const piece of text.split(/[\n;|&]+/, MAX_PIECES))
      if (piece !== text && piece.trim() !== '')
        walkList(walk, parse(piece).commands, { ...scope, depth: scope.depth + 1 });
  }
  walkList(walk, script.commands, scope);
  return walk.invocations.slice(before);
}

/** Walks statements one after the other. */
function walkList(walk: Walk, statements: readonly Statement[], scope: Scope): void {
  if (walk.invocations.length > MAX_INVOCATIONS) throw new Error('too many commands');
  if (scope.depth > MAX_DEPTH) throw new Error('nested too deeply');
  for (const { command, background } of statements) {
    const { cwd } = scope;
    walkNode(walk, command, background ? inner(scope) : scope, scope.stdin, [], background === true);
    // if a `cd` fails, the next statement runs in the old folder, unless the line ends on failure
    if (scope.cwd !== cwd && cwd !== null && !endsOnFailure(command))
      scope.otherCwds = [...scope.otherCwds.slice(-3), cwd];
  }
}

/** Whether a statement ends the line when it fails: `cd x || exit`. */
function endsOnFailure(command: Statement['command']): boolean {
  if (command.type !== 'AndOr' || command.operators.at(-1) !== '||') return false;
  const last = command.commands.at(-1);
  return last?.type === 'Command' && /^(exit|return)$/.test(last.name?.value ?? '');
}

/** Walks branches that may not run, or rounds of a loop: what they set is not certain afterwards. */
function walkBranches(branches: ((scope: Scope) => void)[], scope: Scope): void {
  const start = inner(scope);
  for (const branch of branches) {
    const own = inner(start);
    branch(own);
    mergeUncertain(scope, start, own);
  }
}

/** Takes over what a part of the line sets. It counts as not certain, because that part may not have run. */
function mergeUncertain(scope: Scope, start: Scope, own: Scope): void {
  for (const [name, value] of own.vars) {
    const before = start.vars.get(name);
    if (before?.text !== value.text || before.known !== value.known)
      scope.vars.set(name, { ...value, known: false });
  }
  for (const [name, body] of own.functions) scope.functions.set(name, body);
  if (own.cwd !== start.cwd) scope.cwd = null;
}

/** Walks a node of the tree. `redirects`: those of the compound commands around it */
function walkNode(
  walk: Walk,
  node: SyntaxNode,
  scope: Scope,
  input: Input = scope.stdin,
  redirects: readonly Redirection[] = [],
  background = false,
): void {
  spend(walk, NODE_WORK);
  const list = ({ commands }: { commands: readonly Statement[] }, own: Scope) =>
    walkList(walk, commands, own);
  switch (node.type) {
    case 'Command':
      walkSimple(walk, node, scope, input, redirects, background);
      return;
    case 'AndOr':
      walkAndOr(node.commands, node.operators, scope, (part, own) =>
        walkNode(walk, part, own, input, redirects, background),
      );
      return;
    case 'Pipeline': {
      let from = input;
      spend(walk, PIPE_WORK * node.commands.length ** 2);
      for (const stage of node.commands) {
        const before = walk.invocations.length;
        walkNode(walk, stage, node.commands.length > 1 ? inner(scope) : scope, from, [], background);
        from = { kind: 'pipe', from: walk.invocations.slice(before) };
      }
      return;
    }
    case 'Function':
      scope.functions.set(node.name.value, node.body);
      walk.defined.push({ body: node.body, scope: inner(scope) });
      return;
    case 'Redirected':
      walkNode(walk, node.command, scope, input, [...node.redirects, ...redirects], background);
      return;
    case 'Coproc':
      // whatever the line writes into its pipe
      walkNode(walk, node.body, inner(scope), { kind: 'pipe', from: [] }, redirects, true);
      return;
  }
  const outer = scope.stdin;
  const set = redirects.length > 0 ? redirected(walk, redirects, scope) : null;
  const from = walk.invocations.length;
  const group =
    set && set.writes.length + set.reads.length > 0
      ? blank(scope, { program: ':', path: '{', writes: set.writes, reads: set.reads })
      : null;
  if (group) walk.invocations.push(group);
  scope.stdin = set?.input ?? input;
  switch (node.type) {
    case 'CompoundList':
      list(node, scope);
      break;
    case 'BraceGroup':
      list(node.body, scope);
      break;
    case 'Subshell':
      list(node.body, inner(scope));
      break;
    case 'If': {
      list(node.clause, scope);
      for (const elif of node.elif) list(elif.clause, scope);
      const branches = [node.then, ...node.elif.map((elif) => elif.then), ...(node.else ? [node.else] : [])];
      walkBranches(
        branches.map((branch) => (own: Scope) => list(branch, own)),
        scope,
      );
      break;
    }
    case 'For':
    case 'Select':
      walkFor(walk, node.name.value, node.wordlist ?? [], (own) => list(node.body, own), scope);
      break;
    case 'While':
      walkRounds(
        [
          (own) => {
            list(node.clause, own);
            list(node.body, own);
          },
        ],
        scope,
      );
      break;
    case 'ArithmeticFor':
      walk.arithmetic = true;
      for (const part of [node.initialize, node.test, node.update])
        if (part) walkSubstitutions(walk, part, scope);
      walkRounds([(own) => list(node.body, own)], scope);
      break;
    case 'Case':
      expand(walk, node.word, scope);
      for (const { pattern } of node.items) for (const word of pattern) walkSubstitutions(walk, word, scope);
      walkBranches(
        node.items.map((item) => (own: Scope) => list(item.body, own)),
        scope,
      );
      break;
    case 'TestCommand':
    case 'ArithmeticCommand':
      // they run only the substitutions in them
      walk.arithmetic = true;
      walkSubstitutions(walk, node, scope);
      break;
    default:
      walk.unknowns.push({ text: node.type, why: 'a form that is not read' });
  }
  if (group) group.group = walk.invocations.slice(from + 1);
  scope.stdin = outer;
}

/** Walks the rounds of a loop twice: a round may run with what another one set. */
function walkRounds(rounds: ((scope: Scope) => void)[], scope: Scope): void {
  const before = scope.vars;
  scope.vars = new Map(before);
  walkBranches(rounds, scope);
  const changed = [...scope.vars].some(([name, value]) => before.get(name) !== value);
  if (changed || scope.cwd === null) walkBranches(rounds, scope);
}

/** Walks a list of `&&` and `||`. After it, only what its first command set is certain. */
function walkAndOr(
  [first, ...more]: readonly SyntaxNode[],
  operators: readonly string[],
  scope: Scope,
  step: (part: SyntaxNode, scope: Scope) => void,
): void {
  if (!first) return;
  step(first, scope);
  const start = inner(scope);
  // within the list, a command after && sees what the command before it set
  const own = inner(scope);
  for (const [i, part] of more.entries()) {
    if (operators[i] === '||') walkBranches([(branch) => step(part, branch)], own);
    else step(part, own);
  }
  const { cwd } = scope;
  mergeUncertain(scope, start, own);
  // a `cd` after && most likely ran, so its folder holds, and the old one stays possible
  scope.cwd = own.cwd;
  scope.otherCwds = own.otherCwds;
  if (own.cwd !== cwd && cwd !== null) scope.otherCwds = [...own.otherCwds.slice(-3), cwd];
}

/** Walks a loop over words: once for each word if all are literal, else once with a variable that is not known. */
function walkFor(
  walk: Walk,
  name: string,
  wordlist: readonly Word[],
  body: (scope: Scope) => void,
  scope: Scope,
): void {
  const words = wordlist.flatMap((word) => expand(walk, word, scope));
  const literal =
    words.length > 0 && words.length <= MAX_LOOP_WORDS && words.every((w) => w.known && !w.glob);
  // the matches of a pattern lie where it says; what a substitution prints stays the output of its command
  const [only] = words;
  const one =
    words.length === 1 && only?.known
      ? only
      : { ...undecided(`$${name}`), ...(only?.from && { from: only.from }) };
  const rounds: Arg[] = literal ? words : [one];
  // the loop sets its variable like an assignment, and programs obey some of those that they inherit
  if (/[A-Z]|_proxy$/.test(name))
    assign(
      walk,
      scope,
      rounds.map((value) => ({ name, value })),
    );
  walkRounds(
    rounds.map((word) => (own: Scope) => {
      const before = own.vars.get(name);
      own.vars.set(name, word);
      body(own);
      // a change of the loop's own variable is no reason to walk the body again
      if (before) own.vars.set(name, before);
      else own.vars.delete(name);
    }),
    scope,
  );
  scope.vars.set(name, undecided(`$${name}`));
}

/** Adds assignments without a command: PATH or LD_PRELOAD changes what the next commands run. */
function assign(walk: Walk, scope: Scope, env: Invocation['env']): void {
  const args = env.map(({ name, value }) => ({ ...value, text: `${name}=${value.text}` }));
  walk.invocations.push(blank(scope, { program: 'set', path: 'set', args }));
}

/** Returns what redirections write and read, and the standard input that they set (null when they set none). */
function redirected(walk: Walk, redirects: readonly Redirection[], scope: Scope) {
  const writes: Invocation['writes'] = [];
  const reads: Arg[] = [];
  let input: Input | null = null;
  for (const redirect of redirects) {
    const { descriptor } = redirect;
    // another descriptor does not change what comes on standard input
    const stdin =
      descriptor === undefined || (descriptor.type === 'FileDescriptor' && descriptor.value === 0);
    if (redirect.type === 'HereDoc') {
      const { parts, text } = redirect.body;
      const value = parts && !redirect.delimiter?.quoted ? joinParts(walk, parts, scope, true) : known(text);
      if (stdin) input = { kind: 'text', text: value.text, known: value.known };
      continue;
    }
    const target = redirect.target ? joined(walk, redirect.target, scope) : known('');
    const { operator } = redirect;
    if (redirect.type === 'HereString') {
      if (stdin) input = { kind: 'text', text: target.text, known: target.known };
      continue;
    }
    // bash expands the target of >& once more if it is not a descriptor
    if (operator.endsWith('&') && /[$`]/.test(target.text))
      walk.unknowns.push({ text: target.text, why: 'a target that bash expands twice' });
    if (stdin && operator.startsWith('<') && target.text !== '-') input = { kind: 'file', target };
    if (/^(\d+|-)$/.test(target.text) && operator.endsWith('&')) continue;
    if (operator === '<') reads.push(target);
    else writes.push({ target, append: operator.includes('>>') });
  }
  return { writes, reads, input };
}

/** Walks a simple command: adds what it would run, and applies the variables that it sets to the scope. */
function walkSimple(
  walk: Walk,
  node: Command,
  scope: Scope,
  input: Input,
  outer: readonly Redirection[],
  background: boolean,
): void {
  const stdin = scope.stdin;
  // a substitution reads from the same pipe
  scope.stdin = input;
  const env: Invocation['env'] = [];
  for (const part of node.prefix)
    if (part.type === 'Assignment') env.push({ name: part.name, value: assigned(walk, part, scope) });
  // bash expands the words before it sets these variables, but a person who writes `X=/ rm $X` means the new value
  const own = node.name && env.length > 0 ? { ...scope, vars: new Map(scope.vars) } : scope;
  for (const { name, value } of env) own.vars.set(name, node.name ? { ...value, known: false } : value);
  const redirects = redirected(walk, [...node.redirects, ...outer], own);
  const words = node.name ? expand(walk, node.name, own) : [];
  for (const part of node.suffix) {
    if (part.type === 'Word') words.push(...expand(walk, part, own));
    else if (part.type === 'Assignment') {
      const value = assigned(walk, part, own);
      words.push({ ...value, text: `${part.name}=${value.text}` });
    }
  }
  scope.stdin = stdin;
  own.stdin = stdin;
  const { writes, reads } = redirects;
  // `exec < file` holds for all that follows
  if (words.length > 0 && words.every(({ text }) => /^(exec|command|builtin)$/.test(text)) && redirects.input)
    scope.stdin = redirects.input;
  // an option in the place of a program is what is left of a command that was cut at the end of a line
  const [first] = words;
  const named = scope.functions.has(first?.text ?? '') || scope.vars.has(`alias ${first?.text}`);
  const cut = first?.known && !named && /^--?[a-zA-Z][\w=.-]*$/.test(first.text);
  if (words.length === 0 || cut) {
    if (writes.length + reads.length > 0 || cut)
      walk.invocations.push(blank(scope, { program: ':', path: ':', writes, reads }));
    if (env.length > 0) assign(walk, scope, env);
    return;
  }
  for (const { name, value } of env) own.vars.set(name, value);
  const start = new Map(own.vars);
  run(walk, own, { words, env, input: redirects.input ?? input, writes, reads, openArgs: false, background });
  if (own === scope) return;
  // what a builtin with variables of its own sets: `X=1 export Y=2`
  for (const [name, value] of own.vars) if (start.get(name) !== value) scope.vars.set(name, value);
  scope.cwd = own.cwd;
}

function assigned(
  walk: Walk,
  { name, value, append, index }: Extract<Command['prefix'][number], { type: 'Assignment' }>,
  scope: Scope,
): Arg {
  if (index) walk.arithmetic = true;
  if (index) walkSubstitutions(walk, index, scope);
  if (value.type === 'ArrayValue') {
    const words = value.elements.flatMap((word) => expand(walk, word, scope));
    walk.arithmetic ||= value.elements.some((word) => word.text.startsWith('['));
    return known(words.map((word) => word.text).join(' '), { known: words.every((word) => word.known) });
  }
  const added = joined(walk, value, scope);
  if (!append) return added;
  const before = scope.vars.get(name) ?? undecided(`$${name}`);
  return { ...added, text: before.text + added.text, known: added.known && before.known };
}

/** Walks a command with its words expanded: functions of the line, builtins, and what a wrapper runs. */
function run(walk: Walk, scope: Scope, running: Running): void {
  const { words, ...more } = running;
  const [name, ...args] = words;
  if (!name) return;
  spend(walk, words.length * PIPE_WORK);
  if (walk.invocations.length > MAX_INVOCATIONS) throw new Error('too many commands');
  if (scope.depth > MAX_DEPTH) throw new Error('nested too deeply');
  const body = name.known ? scope.functions.get(name.text) : undefined;
  if (body) call(walk, scope, body, running);
  const program = name.known ? baseName(name.text) : '';
  const invocation = blank(scope, {
    ...more,
    program,
    path: name.text,
    args: withoutSettings(program, args),
  });
  if (body) {
    // a program of that name may run too, if the function is defined in a branch
    if (running.writes.length + running.reads.length > 0)
      walk.invocations.push({ ...invocation, program: ':', path: ':', args: [] });
    return;
  }
  const alias = scope.vars.get(`alias ${name.text}`);
  if (alias) {
    walk.unknowns.push({ text: name.text, why: 'an alias of the same line' });
    suspect(walk, scope, [alias, ...args].map((arg) => arg.text).join(' '));
  }
  if (!name.known) walk.unknowns.push({ text: name.text, why: 'the program is decided only when it runs' });
  walk.invocations.push(invocation);
  walkScripts(walk, scope, invocation);
  if (!builtin(walk, invocation, scope)) unwrap(walk, scope, invocation, running);
}

/** Leaves out a shell's settings, whose names are not its script: `bash -euo pipefail x.sh` is `bash -eu x.sh`. */
function withoutSettings(program: string, args: Arg[]): Arg[] {
  const at = SHELLS.has(program) ? args.findIndex(({ text }) => /^[-+][A-Za-z]*[oO]$/.test(text)) : -1;
  const option = args[at];
  if (!option || !/^[a-z_]+$/.test(args[at + 1]?.text ?? '')) return args;
  const others = option.text.length > 2 ? [{ ...option, text: option.text.slice(0, -1) }] : [];
  return [...args.slice(0, at), ...others, ...args.slice(at + 2)];
}

/** Walks a call of a function that the line defines. */
function call(walk: Walk, scope: Scope, body: SyntaxNode, { words, input, background }: Running): void {
  const [name, ...args] = words as [Arg, ...Arg[]];
  const own = inner(scope);
  walk.called.add(body);
  own.functions.delete(name.text);
  setArguments(own, args);
  const start = inner(own);
  const before = walk.invocations.length;
  walkNode(walk, body, own, input, [], background);
  // a function that starts itself twice, or in the background, fills the machine with processes
  const itself = walk.invocations.slice(before).filter((part) => part.path === name.text);
  if (itself.length > 1 || itself.some((part) => part.background))
    walk.invocations.push(blank(scope, { program: 'fork-bomb', path: name.text }));
  if (itself.length > 0) walk.unknowns.push({ text: name.text, why: 'a function that calls itself' });
  for (const at of ['@', '*', ...args.keys()])
    own.vars.delete(at === '@' || at === '*' ? at : String(Number(at) + 1));
  mergeUncertain(scope, start, own);
}

const DECLARES = /^(export|declare|typeset|local|readonly)$/;

/** Applies a builtin that changes what the rest of the line means to the scope. False when it is no such builtin. */
function builtin(walk: Walk, { program, args }: Invocation, scope: Scope): boolean {
  const [first] = args.filter((arg) => !arg.text.startsWith('-') || arg.text === '-');
  const leave = (why: string) => walk.unknowns.push({ text: clip(`${program} ${first?.text}`, 80), why });
  if (DECLARES.test(program)) {
    for (const arg of args) {
      const [, name, plus] = /^(\w+)(\+?)=/.exec(arg.text) ?? [];
      if (name)
        scope.vars.set(
          name,
          plus ? undecided(`$${name}`) : { ...arg, text: arg.text.slice(name.length + 1) },
        );
      if (/^[-+]\w*[in]/.test(arg.text) && program !== 'export')
        leave('a number, or a name for another variable');
      if (!arg.known && !/^[-+]|^\w+\+?(=|$)/.test(arg.text)) leave('sets a variable that is not known');
    }
    return true;
  }
  switch (program) {
    case 'cd':
    case 'pushd': {
      const home = scope.vars.get('HOME');
      const to = first ?? (program === 'cd' ? home : undefined);
      // with CDPATH a folder of that name may be found elsewhere
      const elsewhere = scope.vars.has('CDPATH') && !/^\.{0,2}\//.test(to?.text ?? '');
      const plain = to?.known && !to.assumed && !to.glob && !/^-|^\+\d/.test(to.text) && !elsewhere;
      enter(scope, plain ? resolvePath(to.text, scope.cwd, home?.text ?? '/') : null);
      return true;
    }
    case 'popd':
      enter(scope, null);
      return true;
    case 'alias':
      // only a shell that was told so expands it, and in an own way
      for (const { text } of args) {
        const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
        if (name && value) scope.vars.set(`alias ${name}`, known(value));
      }
      return true;
    case 'read':
    case 'mapfile':
    case 'readarray':
    case 'printf':
    case 'getopts':
    case 'let':
    case 'wait':
    case 'unset':
    case 'set':
    case 'shift':
      if (program === 'let') walk.arithmetic = true;
      if (program !== 'printf' && args.some(({ text }) => /\w\[/.test(text) && /[$`]/.test(text)))
        leave('arithmetic may run what this index holds');
      if (/^(set|shift)$/.test(program))
        for (const name of scope.vars.keys())
          if (/^(\d+|[@*])$/.test(name)) scope.vars.set(name, undecided(`$${name}`));
      for (const { text } of args) {
        const name = /^(?:-[vp])?([A-Za-z_]\w*)/.exec(text)?.[1];
        if (program === 'unset') scope.functions.delete(text);
        if (name && (scope.vars.has(name) || program !== 'printf'))
          scope.vars.set(name, undecided(`$${name}`));
      }
      return true;
  }
  return false;
}

/** Changes the scope's folder; null when the new folder is not known. */
function enter(scope: Scope, folder: string | null): void {
  scope.cwd = folder;
  scope.vars.set('PWD', folder === null ? undecided('$PWD') : known(folder));
}
