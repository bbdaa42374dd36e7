import { forEachChild, type ParsedScript, type SyntaxNode, type Word, type WordPart } from 'unbash';
import { inner, known, undecided } from './arg.ts';
import { SECRET_NAME } from './names.ts';
import { printedWords } from './printed.ts';
import type { Arg, Scope, Walk } from './types.ts';

// Expands the words of a command: variables that the line sets, `{a,b}`, tildes and substitutions, as far as their values
// are known.

/** Longest text that is parsed, in characters. Nobody types longer ones. */
export const MAX_LENGTH = 32 * 1024;
/** Most work for one line, in characters read: loops, functions and scripts multiply it. */
const MAX_WORK = 80_000;
/** If braces turn a word into more words than this, it is not known. */
const MAX_BRACES = 64;

/**
 * Counts work against the budget of the line.
 *
 * @throws Error when the line has used up its budget
 */
export function spend(walk: Walk, work: number): void {
  walk.work += work;
  if (walk.work > MAX_WORK) throw new Error('too much to look through');
}

/** Returns a word as one value, without brace expansion. */
export const joined = (walk: Walk, word: Word, scope: Scope): Arg =>
  word.parts ? joinParts(walk, word.parts, scope, false) : literal(word, scope);

/** Marks the places where the shell splits a word, while the word is put together. */
const GAP = '\0';

/** Returns the words that a word expands to. Braces make several, and so do unquoted values with blanks. */
export function expand(walk: Walk, word: Word, scope: Scope): Arg[] {
  if (!word.parts) return [literal(word, scope)];
  const all = scope.vars.get('@')?.words;
  if (all && /^"\$(@|\{@\})"$/.test(word.text)) return all;
  let found: Arg[] = [known('')];
  for (const part of word.parts) {
    const values =
      part.type === 'BraceExpansion' ? braces(walk, part, scope) : [splittable(walk, part, scope)];
    found = found.flatMap((left) => values.map((right) => append(left, right)));
    if (found.length > MAX_BRACES) return [undecided(word.text)];
  }
  return found.flatMap((arg) =>
    arg.text.includes(GAP)
      ? arg.text.split(GAP).flatMap((text) => (text === '' ? [] : { ...arg, text }))
      : [tilde(arg, word.text, scope)],
  );
}

/** Puts two parts of a word together. */
function append(left: Arg, right: Arg): Arg {
  const from = [...(left.from ?? []), ...(right.from ?? [])];
  // with other text next to it, a name is not one that was listed
  const listedBy = left.text === '' ? right.listedBy : right.text === '' ? left.listedBy : undefined;
  return {
    text: left.text + right.text,
    known: left.known && right.known,
    glob: left.glob || right.glob,
    quoted: left.quoted || right.quoted,
    ...(from.length > 0 && { from }),
    ...(listedBy && { listedBy }),
  };
}

/** Returns the value of an unquoted part with its blanks marked as gaps. An empty value is a gap too. */
function splittable(walk: Walk, part: WordPart, scope: Scope): Arg {
  const value = partValue(walk, part, scope);
  if (!value.known || !/^(Simple|Parameter|Command)Expansion$/.test(part.type)) return value;
  // with other separators nobody knows where the words end
  if (scope.vars.has('IFS')) return { ...value, known: false };
  return { ...value, text: value.text === '' ? GAP : value.text.replaceAll(/\s+/g, GAP) };
}

const literal = ({ text, value }: Word, scope: Scope): Arg =>
  tilde(known(value, { quoted: text !== value && /['"\\]/.test(text) }), text, scope);

function tilde(arg: Arg, source: string, scope: Scope): Arg {
  if (!source.startsWith('~')) return arg;
  const [, user = '', rest = ''] = /^~([^/]*)([\s\S]*)$/.exec(arg.text) ?? [];
  if (user === '+' && scope.cwd !== null) return { ...arg, text: scope.cwd + rest };
  if (user === '') return { ...arg, text: (scope.vars.get('HOME')?.text ?? '/root') + rest };
  if (user === 'root') return { ...arg, text: `/root${rest}` };
  return /^[a-z_]/i.test(user) ? { ...arg, text: `/home/${user}${rest}` } : undecided(arg.text);
}

/** Returns the alternatives of `{a,b}`. Sequences, and anything nested or quoted, may stand for any name. */
function braces(walk: Walk, part: WordPart & { type: 'BraceExpansion' }, scope: Scope): Arg[] {
  walkSubstitutions(walk, part, scope);
  const body = part.text.slice(1, -1);
  return /^[^{}$`'"\\]*,[^{}$`'"\\]*$/.test(body)
    ? body.split(',').map((one) => known(one))
    : [{ ...undecided(part.text), glob: true }];
}

/**
 * Returns the parts of a word as one value.
 *
 * @throws Error when the value grows too long: x=$x$x doubles the length each time
 */
export function joinParts(walk: Walk, parts: readonly WordPart[], scope: Scope, quoted: boolean): Arg {
  let result = known('', { quoted });
  for (const part of parts) {
    const value = partValue(walk, part, scope);
    // quotes keep several names one word, so a pattern does not say what it is
    const one = quoted && value.glob && part.type === 'CommandExpansion';
    result = append(result, one ? { ...value, ...undecided(part.text) } : value);
    if (result.text.length > MAX_LENGTH) throw new Error('a value grows too long');
  }
  return result;
}

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
    case 'SimpleExpansion':
      return scope.vars.get(part.text.slice(1)) ?? blankOr(part.text);
    case 'ParameterExpansion': {
      const { parameter, operation, prefix, index } = part;
      const value = scope.vars.get(parameter);
      if (!operation && !prefix && !index) return value ?? blankOr(part.text);
      walkSubstitutions(walk, part, scope);
      if (operation?.type !== 'Default' || !/^:?[-=?]$/.test(operation.operator)) return undecided(part.text);
      // `${x:?}` ends the line when x is empty
      if (operation.operator.endsWith('?')) return value ?? undecided(part.text);
      if (value === undefined && SECRET_NAME.test(parameter)) return undecided(part.text);
      const usual = joined(walk, operation.operand, scope);
      // `${x:=y}` sets x, if it is empty
      if (operation.operator.includes('=')) scope.vars.set(parameter, { ...usual, known: false });
      return value && value.text !== '' ? value : { ...usual, known: usual.known && value !== undefined };
    }
    case 'CommandExpansion':
      return commandValue(walk, part.script, part.text, scope);
    case 'ProcessSubstitution': {
      const before = walk.invocations.length;
      // what is written into >(…) is its input, and nobody knows who writes
      const stdin = part.operator === '>' ? { stdin: { kind: 'pipe' as const, from: [] } } : {};
      if (part.script) walkNested(walk, part.script, inner(scope, stdin));
      return known('/dev/fd/63', { from: walk.invocations.slice(before) });
    }
    case 'ArithmeticExpansion':
      walkSubstitutions(walk, part, scope);
      return undecided('0');
    case 'Glob':
      walkSubstitutions(walk, part, scope);
      return known(part.text, { known: !/[$`]/.test(part.text), glob: true });
    default:
      walkSubstitutions(walk, part, scope);
      return { ...undecided(part.text), glob: true };
  }
}

/** `$IFS` between words hides that there are several. */
const blankOr = (text: string): Arg => (/^\$\{?IFS\}?$/.test(text) ? known(' ') : undecided(text));

function walkNested(walk: Walk, script: ParsedScript, scope: Scope): void {
  // the parser reads a substitution only when it is asked for, so the work is counted here
  spend(walk, script.end - script.pos);
  const [error] = script.errors ?? [];
  if (error) walk.unknowns.push({ text: '', why: `syntax error in a substitution: ${error.message}` });
  walk.script(walk, script, scope);
}

/** Matches a pattern for files below the working folder whose names cannot look like options. */
const BELOW = /^(?![~/-]|.*(^|\/)\.\.(\/|$))[^\s$`]+$/;

/**
 * Walks `$(…)` and returns its value, which is known for `pwd` and plain `echo`. If it lists files below the folder, the
 * value is a pattern that covers them.
 */
function commandValue(walk: Walk, script: ParsedScript | undefined, text: string, scope: Scope): Arg {
  if (!script) return undecided(text);
  const before = walk.invocations.length;
  walkNested(walk, script, inner(scope));
  const from = walk.invocations.slice(before);
  const last = from.at(-1);
  const files = last && from.every(({ writes }) => writes.length === 0) ? (printedWords([last]) ?? []) : [];
  if (files.length > 0 && files.every((file) => file.known && file.glob && BELOW.test(file.text)))
    return { ...(files[0] as Arg), text: files.map((file) => file.text).join(' '), from };
  if (!last || from.length > 1 || last.writes.length > 0) return { ...undecided(text), from };
  const { program, args, cwd } = last;
  const plain = args.every((arg) => arg.known && !arg.glob);
  if (program === 'echo' && plain) return known(args.map((arg) => arg.text).join(' '));
  const line = [program, ...args.map((arg) => arg.text)].join(' ');
  const usual = plain ? USUAL.find(([printer]) => printer.test(line))?.[1] : undefined;
  const value = usual === 'cwd' ? cwd : usual;
  return value ? known(value) : { ...undecided(text), from };
}

/** Commands that can only print one kind of value, with one that stands for all of them. */
const USUAL: [RegExp, string][] = [
  [/^(seq [\d ]+|nproc|date (-u ?)?\+[%\w.:-]+)$/, '1'],
  [/^gh (pr|run|issue) (view|list) .*--json (number|databaseId)( .*)?(-q|--jq) \.[\w.[\]]+( -L \d+)?$/, '1'],
  [/^mktemp( -[dqu]+)*$/, '/tmp/tmp.0000000000'],
  [/^uname -[smr]$/, 'Linux'],
  [/^(pwd|git rev-parse --show-toplevel)$/, 'cwd'],
  [/^git (rev-parse( --(short|verify))*|merge-base|rev-list -n ?1)( [\w./@^~{}-]+)+$/, '0000000'],
  [/^git (branch --show-current|rev-parse --abbrev-ref HEAD)$/, 'branch'],
];

/** Walks the substitutions anywhere below a node. */
export function walkSubstitutions(walk: Walk, node: SyntaxNode, scope: Scope): void {
  spend(walk, node.end - node.pos);
  forEachChild(node, (child) => walkSubstitution(walk, child, scope));
}

/** Walks a node if it is a substitution, else those below it. */
export function walkSubstitution(walk: Walk, node: SyntaxNode, scope: Scope): void {
  if (node.type === 'Script') walkNested(walk, node as ParsedScript, inner(scope));
  else if (node.type === 'CommandExpansion') commandValue(walk, node.script, node.text, scope);
  else if (node.type === 'ProcessSubstitution') partValue(walk, node, scope);
  else walkSubstitutions(walk, node, scope);
}
