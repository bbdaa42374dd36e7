import type { Command, Redirection, SyntaxNode, Word } from 'unbash';
import { known } from './arg.ts';
import { evaluates } from './arithmetic.ts';
import { assignmentOf, blank } from './blank.ts';
import { giveUp, MAX_DEPTH, MAX_INVOCATIONS, spend } from './budget.ts';
import { builtin, strangeBuiltin } from './builtins.ts';
import { baseName, SHELLS } from './names.ts';
import { inner, mergeUncertain } from './scope.ts';
import { walkScripts } from './scripts.ts';
import { withoutSettings } from './shell-options.ts';
import type { Arg, Input, Invocation, Node, Running, Scope, Walk, WrittenFile } from './types.ts';
import { unwrap } from './unwrap.ts';
import { expand, joined, joinParts, walkSubstitutions } from './words.ts';

// Walks one simple command: its words, redirections and variables, and then the commands that it runs itself.

/** What each word of a command costs of the line's budget. */
const ARGUMENT_WORK = 8;

/** Returns what redirections write and read, and the standard input that they set (null when they set none). */
export function redirected(walk: Walk, redirects: readonly Redirection[], scope: Scope) {
  const writes: WrittenFile[] = [];
  const reads: Arg[] = [];
  let input: Input | null = null;
  for (const redirect of redirects) {
    walk.seen.add(redirect);
    // another descriptor does not change what comes on standard input
    const { descriptor } = redirect;
    const fromStdin =
      descriptor === undefined || (descriptor.type === 'FileDescriptor' && descriptor.value === 0);
    if (redirect.type === 'HereDoc') {
      const parts = redirect.body.parts;
      const quoted = redirect.delimiter?.quoted === true;
      const value = parts && !quoted ? joinParts(walk, parts, scope, true) : known(redirect.body.text);
      if (fromStdin) input = { kind: 'text', text: value.text, known: value.known };
      continue;
    }
    const target = redirect.target ? joined(walk, redirect.target, scope) : known('');
    if (redirect.type === 'HereString') {
      if (fromStdin) input = { kind: 'text', text: target.text, known: target.known };
      continue;
    }
    const duplicates = /^(\d+|-)$/.test(target.text) && redirect.operator.endsWith('&');
    // bash expands the target of >& once more if it is not a descriptor
    if (redirect.operator.endsWith('&') && /[$`]/.test(target.text))
      walk.unknowns.push({ text: target.text, why: 'a target that bash expands twice' });
    // other descriptors are not followed
    if (fromStdin && redirect.operator.startsWith('<') && target.text !== '-')
      input = { kind: 'file', target };
    if (duplicates) continue;
    if (redirect.operator === '<') reads.push(target);
    else {
      writes.push({ target, append: redirect.operator.includes('>>') });
    }
  }
  return { writes, reads, input };
}

/** Walks a simple command: adds what it would run, and applies the variables that it sets to the scope. */
export function walkSimple(
  walk: Walk,
  node: Command,
  scope: Scope,
  input: Input,
  outer: readonly Redirection[],
  background: boolean,
): void {
  walk.seen.add(node);
  const outerInput = scope.stdin;
  // a substitution reads from the same pipe
  scope.stdin = input;
  const env: Invocation['env'] = [];
  const sets = node.prefix.some((part) => part.type === 'Assignment');
  const own = node.name && sets ? { ...scope, vars: new Map(scope.vars) } : scope;
  for (const part of node.prefix) {
    if (part.type !== 'Assignment') continue;
    const value = assigned(walk, part, own);
    env.push({ name: part.name, value });
    own.vars.set(part.name, value);
  }
  // Bash expands the words before it sets these variables, but a person who writes `X=/ rm $X` means the new
  // value. So neither the old nor the new value counts as known.
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
  scope.stdin = outerInput;
  own.stdin = outerInput;
  // `exec < file` holds for all that follows
  const replaces =
    words.at(-1)?.text === 'exec' && words.every(({ text }) => /^(exec|command|builtin)$/.test(text));
  if (replaces && redirects.input) scope.stdin = redirects.input;
  if (words.length === 0) {
    if (redirects.writes.length + redirects.reads.length > 0) {
      const { writes, reads } = redirects;
      walk.invocations.push(blank(scope, { program: ':', path: ':', writes, reads }));
    }
    if (env.length > 0) walk.invocations.push(assignmentOf(scope, env));
    return;
  }
  if (isLeftOver(words[0] as Arg, own)) {
    const { writes, reads } = redirects;
    walk.invocations.push(blank(scope, { program: ':', path: ':', writes, reads }));
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

/**
 * Whether a command is what is left of one that was cut at the end of a line: its first word is an option
 * (`go test ./...`, and `-run X` on the next line). No program has such a name, so the shell finds nothing to run.
 */
const isLeftOver = ({ text, known }: Arg, { aliases, functions }: Scope): boolean =>
  known && /^--?[a-zA-Z][\w=.-]*$/.test(text) && !aliases.has(text) && !functions.has(text);

/** Walks a command that has variables set for it alone. Nested shells see them, later commands do not. */
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
    index?: Word | undefined;
  },
  scope: Scope,
): Arg {
  walk.seen.add(part);
  if (part.index) {
    walkSubstitutions(walk, part.index, scope);
    evaluates(walk, scope);
  }
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
    if (part.value.elements.some((word) => word.text.startsWith('['))) evaluates(walk, scope);
    return known(words.map((w) => w.text).join(' '), { known: words.every((w) => w.known) });
  }
  return joined(walk, part.value, scope);
}

/**
 * Walks a command with its words expanded: follows aliases, functions, `cd` and variables, and looks through wrappers.
 */
export function run(walk: Walk, scope: Scope, running: Running): void {
  const [name, ...args] = running.words;
  if (!name) return;
  spend(walk, running.words.length * ARGUMENT_WORK);
  if (walk.invocations.length > MAX_INVOCATIONS) throw new Error('too many commands');
  if (scope.depth > MAX_DEPTH) {
    giveUp(walk, name.text, 'nested too deeply');
    return;
  }
  const alias = scope.aliases.get(name.text);
  if (alias !== undefined && name.known && !name.quoted) {
    const rest = args.map((arg) => quoteArg(arg)).join(' ');
    const aliases = new Map(scope.aliases);
    aliases.delete(name.text);
    walk.into.line(walk, `${alias} ${rest}`, { ...inner(scope), aliases });
    // bash may not know an alias that the same line defines, so the command itself counts too
  }
  const called = scope.functions.get(name.text);
  if (called !== undefined && name.known) {
    call(walk, scope, called.body, running);
    const { writes, reads } = running;
    if (called.certain) {
      if (writes.length + reads.length > 0)
        walk.invocations.push(blank(scope, { program: ':', path: ':', writes, reads }));
      return;
    }
  }
  const program = name.known ? baseName(name.text) : '';
  const invocation: Invocation = blank(scope, {
    program,
    path: name.text,
    args: SHELLS.has(program) ? withoutSettings(args) : args,
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
  const strange = strangeBuiltin(invocation);
  if (strange !== null) walk.unknowns.push({ text: name.text, why: strange });
  if (builtin(invocation, scope)) return;
  unwrap(walk, scope, invocation, running);
}

/** Walks a call of a function that the line defines. */
function call(walk: Walk, scope: Scope, body: SyntaxNode, running: Running): void {
  const [name, ...args] = running.words as [Arg, ...Arg[]];
  const own = inner(scope);
  walk.seen.add(body);
  for (const [i, arg] of args.entries()) own.vars.set(String(i + 1), arg);
  const all = known(args.map((arg) => arg.text).join(' '), { known: args.every((arg) => arg.known) });
  own.vars.set('@', { ...all, words: args });
  own.vars.set('*', all);
  own.functions.delete(name.text);
  const start = inner(own);
  const before = walk.invocations.length;
  walk.into.node(walk, body as Node, own, running.input, [], running.background);
  // a function that starts itself twice, or in the background, fills the machine with processes
  const itself = walk.invocations.slice(before).filter((part) => part.path === name.text);
  if (itself.length > 0) {
    const bomb = itself.length > 1 || itself.some((part) => part.background);
    if (bomb) walk.invocations.push(blank(scope, { program: 'fork-bomb', path: name.text }));
    walk.unknowns.push({ text: name.text, why: 'a function that calls itself' });
  }
  for (const key of ['@', '*', ...args.map((_, i) => String(i + 1))]) own.vars.delete(key);
  mergeUncertain(scope, start, own);
}

const quoteArg = (arg: Arg) =>
  /^[\w@%+=:,./-]+$/.test(arg.text) ? arg.text : `'${arg.text.replaceAll("'", "'\\''")}'`;
