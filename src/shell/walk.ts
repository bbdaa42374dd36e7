import {
  type CommandNode,
  type ParsedScript,
  parse,
  type Redirection,
  type Statement,
  type SyntaxNode,
  type Word,
} from 'unbash';
import { clip } from '../text/clip.ts';
import { account } from './account.ts';
import { known } from './arg.ts';
import { evaluates } from './arithmetic.ts';
import { assignmentOf, groupOf } from './blank.ts';
import { giveUp, MAX_DEPTH, MAX_INVOCATIONS, MAX_LENGTH, spend } from './budget.ts';
import { redirected, run, walkSimple } from './command.ts';
import { inner, mergeUncertain } from './scope.ts';
import type { Arg, Input, Invocation, Node, Parsed, Place, Scope, Source, Walk } from './types.ts';
import { walkTraps } from './unwrap.ts';
import { expand, walkSubstitutions } from './words.ts';

// Turns a command line into the simple commands that it would run, with variables followed as far as the line shows
// their values. What cannot be worked out is marked unknown and never guessed.

/** If a loop has more words than this, it is walked once, and its variable is unknown. */
const MAX_LOOP_WORDS = 32;

/** Most pieces of a line with a syntax error that are looked at. */
const MAX_PIECES = 100;

/** How much each node of the tree takes from the line's budget, in addition to its text. */
const NODE_WORK = 120;

/** A pipeline costs this times the square of the number of its stages. */
const PIPE_WORK = 8;

/** Most files that are read for one line, including scripts that scripts run. */
const MAX_FILES = 32;

/**
 * If a line with a syntax error has more characters, it is bait or plain text, and its pieces are not looked
 * at.
 */
const MAX_BROKEN = 4096;

/**
 * Returns the simple commands that a line would run, through lists, pipelines, loops, functions, substitutions,
 * wrappers and nested shells. Never throws: what could not be worked out is in `unknowns`.
 *
 * @param line bash source; it is parsed only if it is not too long
 */
export function parseCommand(line: Source, place: Place): Parsed {
  const walk: Walk = {
    invocations: [],
    unknowns: [],
    place,
    work: 0,
    files: { left: MAX_FILES, work: 0, depth: 0, unread: [], walked: new Set() },
    into: RECURSION,
    seen: new WeakSet(),
    sources: [],
    functions: [],
    traps: [],
  };
  const scope: Scope = {
    cwd: place.cwd,
    vars: new Map([
      ['HOME', known(place.home)],
      ['PWD', known(place.cwd)],
      ['TMPDIR', known(place.tmp, { assumed: true })],
      ['IFS', known(' ')],
      // any number will do
      ['$', known('99999')],
    ]),
    otherCwds: [],
    functions: new Map(),
    aliases: new Map(),
    stdin: { kind: 'none' },
    depth: 0,
    via: [],
    remote: false,
  };
  try {
    walkText(walk, line.text, scope, () => line.script);
    walkTraps(walk, scope);
    walkUncalled(walk);
    account(walk);
  } catch (error) {
    // bait that exceeds the budget, or makes the parser or the walk run out of stack
    walk.unknowns.push({ text: clip(line.text, 80), why: `not parsed: ${(error as Error).message}` });
  }
  return { invocations: walk.invocations, unknowns: [...walk.unknowns, ...walk.files.unread] };
}

/** Walks source text in a scope. Returns the invocations that it added. */
function walkText(walk: Walk, text: string, scope: Scope, parsed = () => parse(text)): Invocation[] {
  const before = walk.invocations.length;
  if (text.length > MAX_LENGTH) {
    giveUp(walk, text, `longer than ${MAX_LENGTH} characters`);
    return [];
  }
  spend(walk, text.length);
  const script = parsed();
  walk.sources.push({ text, script });
  if (script.errors?.length) {
    const why = `syntax error: ${script.errors[0]?.message}`;
    if (text.length > MAX_BROKEN) {
      giveUp(walk, text, why);
      return [];
    }
    walk.unknowns.push({ text: clip(text, 80), why });
    // a shell might still run a part of the line, so its pieces are searched for what must be denied
    for (const piece of text.split(/[\n;|&]+/, MAX_PIECES)) {
      const part = parse(piece);
      if (piece !== text && piece.trim() !== '') walkScript(walk, part, { ...scope, depth: scope.depth + 1 });
    }
  }
  walkScript(walk, script, scope);
  return walk.invocations.slice(before);
}

function walkScript(walk: Walk, script: ParsedScript, scope: Scope): void {
  if (walk.invocations.length > MAX_INVOCATIONS) throw new Error('too many commands');
  if (scope.depth > MAX_DEPTH) {
    giveUp(walk, '', 'nested too deeply');
    return;
  }
  for (const statement of script.commands) walkStatement(walk, statement, scope);
}

function walkStatement(walk: Walk, statement: Statement, scope: Scope): void {
  const { command } = statement;
  const background = statement.background === true;
  const { cwd } = scope;
  walkNode(walk, command, background ? inner(scope) : scope, scope.stdin, [], background);
  // if a `cd` fails, the next statement runs in the old folder, unless the line ends on failure
  if (scope.cwd !== cwd && cwd !== null && !endsOnFailure(command)) {
    scope.otherCwds = [...scope.otherCwds.slice(-3), cwd];
  }
}

/** Whether a statement ends the line when it fails: `cd x || exit`. */
function endsOnFailure(command: Statement['command']): boolean {
  if (command.type !== 'AndOr' || command.operators.at(-1) !== '||') return false;
  const last = command.commands.at(-1);
  return last?.type === 'Command' && /^(exit|return)$/.test(last.name?.value ?? '');
}

function walkList(walk: Walk, statements: readonly Statement[], scope: Scope): void {
  if (scope.depth > MAX_DEPTH) {
    giveUp(walk, '', 'nested too deeply');
    return;
  }
  for (const statement of statements) walkStatement(walk, statement, scope);
}

/** Walks branches that may not run, so what they set is not certain afterwards. */
function walkBranches(branches: ((scope: Scope) => void)[], scope: Scope): void {
  const start = inner(scope);
  for (const branch of branches) {
    const own = inner(start);
    branch(own);
    mergeUncertain(scope, start, own);
  }
}

/**
 * Walks the rounds of a loop, and once more if a round changed something: the body then runs with what it set itself.
 */
function walkLoop(rounds: ((scope: Scope) => void)[], scope: Scope): void {
  const start = inner(scope);
  let changed = false;
  for (const round of rounds) {
    const own = inner(start);
    round(own);
    changed = mergeUncertain(scope, start, own) || changed;
  }
  if (changed) walkBranches(rounds, scope);
}

function walkNode(
  walk: Walk,
  node: Node,
  scope: Scope,
  input: Input,
  redirects: readonly Redirection[],
  background: boolean,
): void {
  spend(walk, NODE_WORK);
  if (COMPOUND.has(node.type)) {
    const outer = scope.stdin;
    const set = redirects.length > 0 ? redirected(walk, redirects, scope) : null;
    const from = walk.invocations.length;
    const group = set && set.writes.length + set.reads.length > 0 ? groupOf(scope, set) : null;
    if (group) walk.invocations.push(group);
    scope.stdin = set?.input ?? input;
    walkCompound(walk, node, scope);
    if (group) group.group = walk.invocations.slice(from + 1);
    scope.stdin = outer;
    return;
  }
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
    case 'Function':
      walkSubstitutions(walk, node.name, scope);
      scope.functions.set(node.name.value, { body: node.body as SyntaxNode, certain: true });
      walk.functions.push({ body: node.body as SyntaxNode, scope: inner(scope) });
      return;
    case 'Coproc':
      // whatever the line writes into the pipe of a coprocess
      walkNode(walk, node.body as Node, inner(scope), { kind: 'pipe', from: [] }, redirects, true);
      return;
    default:
      giveUp(walk, node.type, 'not walked');
      return;
  }
}

/** Commands that hold other commands, or have redirections without being a simple command. */
const COMPOUND = new Set<string>([
  'BraceGroup',
  'Subshell',
  'If',
  'For',
  'Select',
  'While',
  'ArithmeticFor',
  'Case',
  'TestCommand',
  'ArithmeticCommand',
]);

/** Walks a compound command whose redirections and input are those of the scope. */
function walkCompound(walk: Walk, node: Node, scope: Scope): void {
  switch (node.type) {
    case 'BraceGroup':
      walkList(walk, node.body.commands, scope);
      return;
    case 'Subshell':
      walkList(walk, node.body.commands, inner(scope));
      return;
    case 'If':
      walkList(walk, node.clause.commands, scope);
      for (const elif of node.elif) walkList(walk, elif.clause.commands, scope);
      walkBranches(
        [node.then, ...node.elif.map((elif) => elif.then), ...(node.else ? [node.else] : [])].map(
          (list) => (own: Scope) => walkList(walk, list.commands, own),
        ),
        scope,
      );
      return;
    case 'For':
    case 'Select':
      walkFor(walk, node, scope);
      return;
    case 'While': {
      const round = (own: Scope) => {
        walkList(walk, node.clause.commands, own);
        walkList(walk, node.body.commands, own);
      };
      walkLoop([round], scope);
      return;
    }
    case 'ArithmeticFor': {
      walk.seen.add(node);
      for (const part of [node.initialize, node.test, node.update]) {
        if (part) walkSubstitutions(walk, part, scope);
      }
      const round = (own: Scope) => {
        evaluates(walk, own);
        walkList(walk, node.body.commands, own);
      };
      walkLoop([round], scope);
      return;
    }
    case 'Case':
      expand(walk, node.word, scope);
      for (const { pattern } of node.items) for (const word of pattern) walkSubstitutions(walk, word, scope);
      walkBranches(
        node.items.map((item) => (own: Scope) => walkList(walk, item.body.commands, own)),
        scope,
      );
      return;
    default:
      // [[ … ]] and (( … )) run only the substitutions in them
      evaluates(walk, scope);
      walkSubstitutions(walk, node as SyntaxNode, scope);
  }
}

/**
 * Walks the functions that the line defines and does not call. Another shell may call them, and zsh calls
 * some by itself. It is not known in which folder and with which arguments.
 */
function walkUncalled(walk: Walk): void {
  for (const { body, scope } of walk.functions) {
    if (walk.seen.has(body)) continue;
    walk.seen.add(body);
    walkNode(walk, body as Node, { ...scope, cwd: null, otherCwds: [] }, { kind: 'none' }, [], false);
  }
}

const RECURSION: Walk['into'] = { line: walkText, script: walkScript, node: walkNode, command: run };

/** Walks a list of `&&` and `||`. After it, only what its first command set is certain. */
function walkAndOr(
  node: { commands: readonly CommandNode[] | readonly Node[]; operators: readonly string[] },
  scope: Scope,
  step: (part: Node, scope: Scope) => void,
): void {
  const [first, ...more] = node.commands as readonly Node[];
  if (!first) return;
  step(first, scope);
  const afterFirst = inner(scope);
  // within the list, a command after && sees what the command before it set
  let own = inner(scope);
  for (const [i, part] of more.entries()) {
    if (node.operators[i] === '||') {
      walkBranches([(branch) => step(part, branch)], own);
      own = { ...own, aliases: scope.aliases };
    } else step(part, own);
  }
  const { cwd } = scope;
  mergeUncertain(scope, afterFirst, own);
  // a `cd` after && most likely ran, so its folder holds, and the old one stays possible
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
  // each stage may look at all stages before it, so the work grows with the square of their number
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
    words.length > 0 && words.length <= MAX_LOOP_WORDS && words.every((w) => w.known && !w.glob);
  const rounds: Arg[] = certain
    ? words
    : [{ text: `$${node.name.value}`, known: false, glob: false, quoted: false }];
  // the matches of a glob lie where the pattern says; what a substitution prints stays the output of its command
  const [only] = certain || words.length > 1 ? [] : words;
  if (only) rounds[0] = only.known ? only : { ...(rounds[0] as Arg), ...(only.from && { from: only.from }) };
  // the loop sets its variable like an assignment, and programs obey some of those that they inherit
  if (/[A-Z]|_proxy$/.test(node.name.value))
    walk.invocations.push(
      assignmentOf(
        scope,
        rounds.map((value) => ({ name: node.name.value, value })),
      ),
    );
  const round = (word: Arg) => (own: Scope) => {
    const { value: name } = node.name;
    const before = own.vars.get(name);
    own.vars.set(name, word);
    walkList(walk, node.body.commands, own);
    // a change of the loop's own variable is no reason to walk the body again
    if (before) own.vars.set(name, before);
    else own.vars.delete(name);
  };
  const last = rounds.at(-1) as Arg;
  walkLoop(rounds.map(round), scope);
  scope.vars.set(node.name.value, { ...last, known: false });
}
