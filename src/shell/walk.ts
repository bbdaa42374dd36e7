import {
  type AndOr,
  type CompoundList,
  type For,
  forEachChild,
  parse,
  type Select,
  type Statement,
  type SyntaxNode,
} from 'unbash';
import { clip } from '../base/text/clip.ts';
import { blank, inner, known, mergeUncertain, undecided } from './arg.ts';
import { MAX_DEPTH, MAX_INVOCATIONS, redirected, run, walkSimple } from './command.ts';
import type { Arg, Around, Parsed, Place, Scope, Source, Walk } from './types.ts';
import { expand, MAX_LENGTH, spend, walkSubstitution } from './words.ts';

// Turns a command line into the simple commands that it would run: through lists, pipelines, loops over literal words,
// functions, substitutions, wrappers and nested shells, with the variables that the line itself sets to plain text. What
// needs more evaluation than that is unknown, and a line with an unknown part is never allowed.

/** Most files that are read for one line, including scripts that scripts run. */
const MAX_FILES = 32;
/** If a loop has more words than this, its variable is unknown. */
const MAX_LOOP_WORDS = 32;
/** What a node costs of the line's budget, and a stage of a pipeline for each other stage. */
const NODE_WORK = 120;
const PIPE_WORK = 8;

/**
 * What bash expands a second time (an index in arithmetic, `${!x}`), and what only other shells expand: zsh's flags, qualifiers
 * and `=(…)`.
 */
const EXPANDED_AGAIN =
  /\w\[[^\]]*(\$[({]|`)|\$\{[($]|(^|[;&|]\s*)alias -[gs]|\$\{\w+@P|[*?]\((e|\+|#q)[:\w]|\w\((e[^\w\s)]|#q)|(^|\s)=\(|\$\{!(?!\w+\[[@*]\]\})|\$\{[^}]*\$'/;

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
    line: walkText,
    script: (own, { commands }, scope) => walkList(own, commands, scope),
    node: walkNode,
    command: run,
  };
  const scope: Scope = {
    cwd: place.cwd,
    vars: new Map([
      ['HOME', known(place.home)],
      ['PWD', known(place.cwd)],
      // any number will do; what the line starts last is a job of its own
      ['$', known('99999')],
      ['!', known('%1')],
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
    for (const { body, scope: at } of walk.defined)
      if (!walk.called.has(body)) walkNode(walk, body, { ...at, cwd: null });
    if (EXPANDED_AGAIN.test(line.text))
      walk.unknowns.push({ text: clip(line.text, 80), why: 'a shell may expand this once more' });
  } catch (error) {
    // bait that exceeds the budget, or makes the parser or the walk run out of stack
    walk.unknowns.push({ text: clip(line.text, 80), why: `not parsed: ${(error as Error).message}` });
  }
  return { invocations: walk.invocations, unknowns: walk.unknowns };
}

/** Walks source text in a scope. */
function walkText(walk: Walk, text: string, scope: Scope, parsed = () => parse(text)): void {
  const leave = (why: string) => walk.unknowns.push({ text: clip(text, 80), why });
  if (text.length > MAX_LENGTH) {
    leave(`longer than ${MAX_LENGTH} characters`);
    return;
  }
  spend(walk, text.length);
  const script = parsed();
  // a shell may still run what stands before the error, so that is walked
  if (script.errors?.length) leave(`syntax error: ${script.errors[0]?.message}`);
  walkList(walk, script.commands, scope);
}

/** Walks statements one after the other. */
function walkList(walk: Walk, statements: readonly Statement[], scope: Scope): void {
  if (walk.invocations.length > MAX_INVOCATIONS) throw new Error('too many commands');
  if (scope.depth > MAX_DEPTH) throw new Error('nested too deeply');
  for (const { command, background } of statements)
    walkNode(walk, command, background ? inner(scope) : scope, { background });
}

/** Walks what may not run, or not only once: what it sets is not certain afterwards. */
function walkUncertain(branch: (scope: Scope) => void, scope: Scope): void {
  const start = inner(scope);
  const own = inner(start);
  branch(own);
  mergeUncertain(scope, start, own);
}

/** Walks a node of the tree. */
function walkNode(walk: Walk, node: SyntaxNode, scope: Scope, given: Partial<Around> = {}): void {
  const around: Around = { input: scope.stdin, redirects: [], background: false, ...given };
  const { input, redirects, background } = around;
  spend(walk, NODE_WORK);
  switch (node.type) {
    case 'Command':
      walkSimple(walk, node, scope, around);
      return;
    case 'AndOr':
      walkAndOr(walk, node, scope, around);
      return;
    case 'Pipeline': {
      let from = input;
      spend(walk, PIPE_WORK * node.commands.length ** 2);
      for (const stage of node.commands) {
        const before = walk.invocations.length;
        const own = node.commands.length > 1 ? inner(scope) : scope;
        walkNode(walk, stage, own, { input: from, background });
        from = { kind: 'pipe', from: walk.invocations.slice(before) };
      }
      return;
    }
    case 'Function':
      scope.functions.set(node.name.value, node.body);
      walk.defined.push({ body: node.body, scope: inner(scope) });
      return;
    case 'Redirected':
      walkNode(walk, node.command, scope, { ...around, redirects: [...node.redirects, ...redirects] });
      return;
    case 'Coproc':
      // whatever the line writes into its pipe
      walkNode(walk, node.body, inner(scope), {
        ...around,
        input: { kind: 'pipe', from: [] },
        background: true,
      });
      return;
  }
  const outer = scope.stdin;
  const set = redirects.length > 0 ? redirected(walk, redirects, scope) : null;
  if (set && set.writes.length + set.reads.length > 0)
    walk.invocations.push(blank(scope, { program: ':', path: '{', writes: set.writes, reads: set.reads }));
  scope.stdin = set?.input ?? input;
  switch (node.type) {
    case 'CompoundList':
      walkList(walk, node.commands, scope);
      break;
    case 'BraceGroup':
    case 'Subshell':
      walkList(walk, node.body.commands, node.type === 'Subshell' ? inner(scope) : scope);
      break;
    case 'For':
    case 'Select':
      walkFor(walk, node, scope);
      break;
    default: {
      const lists: CompoundList[] = [];
      const visit = (child: SyntaxNode): void => {
        if (child.type === 'CompoundList') lists.push(child);
        else if (child.type === 'Elif' || child.type === 'CaseItem') forEachChild(child, visit);
        else walkSubstitution(walk, child, scope);
      };
      forEachChild(node, visit);
      // the condition runs in any case, and of the rest nobody knows
      if (node.type === 'If' || node.type === 'While') walkList(walk, lists.shift()?.commands ?? [], scope);
      const bodies = lists.map((list) => (own: Scope) => walkList(walk, list.commands, own));
      if (/^(While|ArithmeticFor)$/.test(node.type)) walkRounds(walk, bodies, scope, true);
      else for (const body of bodies) walkUncertain(body, scope);
    }
  }
  scope.stdin = outer;
}

/**
 * Walks the rounds of a loop.
 *
 * @param open whether nobody knows how many rounds there are
 */
function walkRounds(walk: Walk, rounds: ((scope: Scope) => void)[], scope: Scope, open: boolean): void {
  const { length } = walk.invocations;
  for (const round of rounds) walkUncertain(round, scope);
  if (open && walk.invocations.slice(length).some(({ background }) => background))
    walk.unknowns.push({ text: '&', why: 'starts nobody knows how many processes at once' });
}

/** Walks a list of `&&` and `||`. After it, only what its first command set is certain. */
function walkAndOr(walk: Walk, { commands, operators }: AndOr, scope: Scope, around: Around): void {
  const [first, ...more] = commands;
  if (!first) return;
  walkNode(walk, first, scope, around);
  const start = inner(scope);
  // within the list, a command after && sees what the command before it set
  const own = inner(scope);
  for (const [i, part] of more.entries()) {
    if (operators[i] === '||') walkUncertain((branch) => walkNode(walk, part, branch, around), own);
    else walkNode(walk, part, own, around);
  }
  mergeUncertain(scope, start, own);
  // a `cd` after && most likely ran
  scope.cwd = own.cwd;
}

/** Variables that programs obey: a loop over one may make the next command another one. */
const OBEYED = /^(PATH|HOME|BASH_ENV|(LD|DYLD|GIT|NODE|PYTHON|PERL|RUBY|NPM_CONFIG)_?[A-Z_]*)$/;

/** Walks a loop over words: once for each word if all are literal, else once with a variable that is not known. */
function walkFor(walk: Walk, { name: { value: name }, wordlist, body }: For | Select, scope: Scope): void {
  const words = (wordlist ?? []).flatMap((word) => expand(walk, word, scope));
  if (OBEYED.test(name)) walk.unknowns.push({ text: name, why: 'a variable that programs obey' });
  const literal = words.length <= MAX_LOOP_WORDS && words.every((w) => w.known && !w.glob);
  // the matches of a pattern lie where it says; what a substitution prints stays the output of its command
  const [only] = words;
  const one =
    words.length === 1 && only?.known
      ? only
      : { ...undecided(`$${name}`), ...(only?.from && { from: only.from }) };
  const rounds: Arg[] = literal && only ? words : [one];
  walkRounds(
    walk,
    rounds.map((word) => (own: Scope) => {
      own.vars.set(name, word);
      walkList(walk, body.commands, own);
    }),
    scope,
    !literal,
  );
  scope.vars.set(name, undecided(`$${name}`));
}
