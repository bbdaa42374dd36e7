import type { Command, Redirection, SyntaxNode } from 'unbash';
import { blank, inner, known, mergeUncertain, setArguments, undecided } from './arg.ts';
import { baseName } from './names.ts';
import { walkScripts } from './scripts.ts';
import type { Arg, Around, Input, Invocation, Running, Scope, Walk } from './types.ts';
import { unwrap } from './unwrap.ts';
import { expand, joined, joinParts, spend, walkSubstitutions } from './words.ts';
import { resolvePath } from './zones.ts';

// Walks one simple command: its words, redirections and variables, and then the commands that it runs itself.

/** What each word of a command costs of the line's budget. */
const WORD_WORK = 8;
export const MAX_DEPTH = 24;
export const MAX_INVOCATIONS = 500;

/** Returns what redirections write and read, and the standard input that they set (null when they set none). */
export function redirected(walk: Walk, redirects: readonly Redirection[], scope: Scope) {
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
export function walkSimple(walk: Walk, node: Command, scope: Scope, around: Around): void {
  const { stdin } = scope;
  const { input, redirects: outer, background = false } = around;
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
  if (words.length === 0) {
    if (writes.length + reads.length > 0)
      walk.invocations.push(blank(scope, { program: ':', path: ':', writes, reads }));
    // PATH or LD_PRELOAD changes what the next commands run
    const args = env.map(({ name, value }) => ({ ...value, text: `${name}=${value.text}` }));
    if (args.length > 0) walk.invocations.push(blank(scope, { program: 'set', path: 'set', args }));
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
  if (index) walkSubstitutions(walk, index, scope);
  if (value.type === 'ArrayValue') {
    const words = value.elements.flatMap((word) => expand(walk, word, scope));
    return known(words.map((word) => word.text).join(' '), { known: words.every((word) => word.known) });
  }
  const added = joined(walk, value, scope);
  if (!append) return added;
  const before = scope.vars.get(name) ?? undecided(`$${name}`);
  return { ...added, text: before.text + added.text, known: added.known && before.known };
}

/** Walks a command with its words expanded: functions of the line, builtins, and what a wrapper runs. */
export function run(walk: Walk, scope: Scope, running: Running): void {
  const { words, ...more } = running;
  const [name, ...args] = words;
  if (!name) return;
  spend(walk, words.length * WORD_WORK);
  if (scope.depth > MAX_DEPTH || walk.invocations.length > MAX_INVOCATIONS)
    throw new Error('too many commands, or nested too deeply');
  const body = name.known ? scope.functions.get(name.text) : undefined;
  if (body) call(walk, scope, body, running);
  const program = name.known ? baseName(name.text) : '';
  const invocation = blank(scope, { ...more, program, path: name.text, args });
  if (body && !scope.vars.has(`function ${name.text}`)) {
    if (running.writes.length + running.reads.length > 0)
      walk.invocations.push({ ...invocation, program: ':', path: ':', args: [] });
    return;
  }
  if (!name.known) walk.unknowns.push({ text: name.text, why: 'the program is decided only when it runs' });
  walk.invocations.push(invocation);
  walkScripts(walk, scope, invocation);
  if (!builtin(walk, invocation, scope)) unwrap(walk, scope, invocation, running);
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
  walk.node(walk, body, own, { input, background });
  // a function that starts itself twice, or in the background, fills the machine with processes
  const itself = walk.invocations.slice(before).filter((part) => part.path === name.text);
  if (itself.length > 1 || itself.some((part) => part.background))
    walk.invocations.push(blank(scope, { program: 'fork-bomb', path: name.text }));
  if (itself.length > 0) walk.unknowns.push({ text: name.text, why: 'a function that calls itself' });
  for (const at of own.vars.keys()) if (/^(\d+|[@*])$/.test(at)) own.vars.delete(at);
  mergeUncertain(scope, start, own);
}

const DECLARES = /^(export|declare|typeset|local|readonly)$/;
/** Builtins that set what they name to a value that only they know. */
const SETS = /^(read|mapfile|readarray|printf|getopts|let|wait|unset|set|shift)$/;

/** Applies a builtin that changes what the rest of the line means to the scope. False when it is no such builtin. */
function builtin(walk: Walk, { program, args }: Invocation, scope: Scope): boolean {
  const { vars } = scope;
  if (/^(cd|pushd|popd)$/.test(program)) {
    const [first] = args.filter((arg) => !arg.text.startsWith('-') || arg.text === '-');
    const home = vars.get('HOME');
    // a trap runs in the folder that the line is in by then
    if (vars.has('trap ')) walk.unknowns.push({ text: 'trap', why: 'runs in another folder' });
    const to = first ?? (program === 'cd' ? home : undefined);
    const plain = to?.known && !to.glob && !/^-|^\+\d/.test(to.text);
    scope.cwd = plain && program !== 'popd' ? resolvePath(to.text, scope.cwd, home?.text ?? '/') : null;
    vars.set('PWD', scope.cwd === null ? undecided('$PWD') : known(scope.cwd));
    return true;
  }
  const [declares, sets] = [DECLARES.test(program), SETS.test(program)];
  if (!declares && !sets) return false;
  if (/^(set|shift)$/.test(program))
    for (const name of vars.keys()) if (/^(\d+|[@*])$/.test(name)) vars.set(name, undecided(`$${name}`));
  for (const { text, ...arg } of args) {
    const [, name = '', plus, value] = /^(?:-[vp])?([A-Za-z_]\w*)(?:(\+?)=(.*))?/s.exec(text) ?? [];
    if (program === 'unset') scope.functions.delete(text);
    if (declares && value !== undefined)
      vars.set(name, plus ? undecided(`$${name}`) : { ...arg, text: value });
    else if (sets && name && (vars.has(name) || program !== 'printf')) vars.set(name, undecided(`$${name}`));
  }
  return true;
}
