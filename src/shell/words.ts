import { forEachChild, type ParsedScript, type SyntaxNode, type Word, type WordPart } from 'unbash';
import { known, undecided } from './arg.ts';
import { evaluates } from './arithmetic.ts';
import { MAX_LENGTH, spend } from './budget.ts';
import { SECRET_NAME } from './names.ts';
import { printedWords } from './printed.ts';
import { inner } from './scope.ts';
import type { Arg, Invocation, Scope, Walk } from './types.ts';

// Expands the words of a command: variables, braces, tildes and substitutions, as far as their values are known.

/** Returns a word as one value, without brace expansion. */
export function joined(walk: Walk, word: Word, scope: Scope): Arg {
  if (!word.parts) return literal(word.text, word.value, scope);
  return unassumed(walk, joinParts(walk, word.parts, scope, false));
}

/** If braces turn a word into more words than this, it is not known. */
const MAX_BRACES = 64;

const withFrom = (left: Arg, right: Arg): Pick<Arg, 'from' | 'listedBy' | 'assumed'> => ({
  ...((left.from || right.from) && { from: [...(left.from ?? []), ...(right.from ?? [])] }),
  ...(left.text === '' && right.listedBy && { listedBy: right.listedBy }),
  ...(right.text === '' && left.listedBy && { listedBy: left.listedBy }),
  ...((left.assumed || right.assumed) && { assumed: true }),
});

const ALL = /^"\$(?:@|\{@\})"$/;
const AMONG_OTHERS = /"[^"]*\$(?:@|\{@\})/;

/** Returns the words that a word expands to. Braces make several, and so do unquoted values with spaces. */
export function expand(walk: Walk, word: Word, scope: Scope): Arg[] {
  if (!word.parts) return [literal(word.text, word.value, scope)];
  const all = scope.vars.get('@')?.words;
  if (all && ALL.test(word.text)) return all;
  // if there is other text next to it, the first and the last word are joined with that text
  if (all && all.length !== 1 && AMONG_OTHERS.test(word.text)) return [undecided(word.text)];
  let alternatives: Arg[] = [{ text: '', known: true, glob: false, quoted: false }];
  for (const part of word.parts) {
    const values =
      part.type === 'BraceExpansion'
        ? braces(walk, part, scope)
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
    if (alternatives.length > MAX_BRACES)
      return [{ text: word.text, known: false, glob: false, quoted: false }];
  }
  return alternatives.flatMap((arg) => {
    if (!arg.text.includes(GAP)) return [unassumed(walk, tilde(arg, word.text, scope))];
    const texts = arg.text.split(GAP).filter((text) => text !== '');
    return texts.map((text) => ({ ...arg, text }));
  });
}

/** Marks the places where the shell splits a word, while the word is put together. */
const GAP = '\0';

const SPLITS = new Set(['SimpleExpansion', 'ParameterExpansion', 'CommandExpansion']);

/**
 * Returns the value of an unquoted expansion with its blanks marked as gaps. An empty value is a gap too: alone it
 * makes no word.
 */
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
  if (user === '' || user === '+') {
    const folder = user === '' ? (scope.vars.get('HOME') ?? known('/root')) : workingFolder(scope);
    return { ...arg, text: folder.text + rest, known: arg.known && folder.known };
  }
  if (user === 'root') return { ...arg, text: `/root${rest}` };
  if (/^[a-z_][\w-]*$/i.test(user)) return { ...arg, text: `/home/${user}${rest}` };
  // `~-` and `~2` are folders that the shell was in before
  return /^[-+]?\d*$/.test(user) ? { ...arg, text: `$OLDPWD${rest}`, known: false } : arg;
}

const workingFolder = ({ cwd }: Scope): Arg => (cwd === null ? undecided('$PWD') : known(cwd));

/** Returns the alternatives of `{a,b}`, `{1..3}` and `{a..c}`. Anything nested or unusual stays unknown. */
function braces(walk: Walk, part: WordPart & { type: 'BraceExpansion' }, scope: Scope): Arg[] {
  walkSubstitutions(walk, part as SyntaxNode, scope);
  const { text } = part;
  const body = text.slice(1, -1);
  const range = /^(-?\d{1,4})\.\.(-?\d{1,4})$/.exec(body);
  if (range) {
    const [from, to] = [Number(range[1]), Number(range[2])];
    if (Math.abs(to - from) < MAX_BRACES) {
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

/**
 * Returns the parts of a word as one value.
 *
 * @throws Error when the value grows too long
 */
export function joinParts(walk: Walk, parts: readonly WordPart[], scope: Scope, quoted: boolean): Arg {
  const result: Arg = { text: '', known: true, glob: false, quoted };
  for (const part of parts) {
    const shown = partValue(walk, part, scope);
    // quotes keep several names one word, so a pattern does not say what it is
    const value =
      quoted && shown.glob && part.type === 'CommandExpansion' ? undecidedFrom(part.text, shown) : shown;
    // x=$x$x doubles the length each time
    if (result.text.length + value.text.length > MAX_LENGTH) throw new Error('a value grows too long');
    // with other text next to it, a name is not one that was listed
    if (value.text !== '') delete result.listedBy;
    Object.assign(result, withFrom(result, value));
    result.text += value.text;
    result.known &&= value.known;
    result.glob ||= value.glob;
    result.quoted ||= value.quoted;
  }
  return result;
}

const undecidedFrom = (text: string, { from }: Arg): Arg => ({ ...undecided(text), ...(from && { from }) });

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
      if (part.operation || part.index) walkSubstitutions(walk, part as SyntaxNode, scope);
      if (part.index || part.prefix === '!' || part.operation?.type === 'Slice') evaluates(walk, scope);
      const value = scope.vars.get(part.parameter);
      const plain = part.operation === undefined && part.prefix === undefined && part.index === undefined;
      if (plain) return value ?? undecided(part.text);
      const fallback = part.operation?.type === 'Default' && /^:?[-=]$/.test(part.operation.operator);
      if (value === undefined && SECRET_NAME.test(part.parameter)) return undecided(part.text);
      if (fallback && part.operation?.type === 'Default') {
        const usual = joined(walk, part.operation.operand, scope);
        // ${x:=y} sets x, if it is empty
        if (part.operation.operator.includes('=') && !value?.text)
          scope.vars.set(part.parameter, { ...usual, known: false });
        if (value?.assumed) return { ...known(value.text), known: usual.known };
        return value && value.text !== '' ? value : { ...usual, known: usual.known && value !== undefined };
      }
      // ${x:?} ends the line when x is empty, so after it x has a value
      if (part.operation?.type === 'Default' && part.operation.operator === ':?' && value) return value;
      const cut =
        part.prefix === undefined && part.index === undefined ? cutValue(part.operation, value) : null;
      return cut ?? undecided(part.text);
    }
    case 'CommandExpansion':
      return commandValue(walk, part.script, part.text, scope);
    case 'ProcessSubstitution': {
      const before = walk.invocations.length;
      const own = inner(scope);
      // what is written into >(…) is its input, and nobody knows who writes
      if (part.operator === '>') own.stdin = { kind: 'pipe', from: [] };
      if (part.script) walkNested(walk, part.script, own);
      return known('/dev/fd/63', { from: walk.invocations.slice(before) });
    }
    case 'ArithmeticExpansion':
      walkSubstitutions(walk, part as SyntaxNode, scope);
      evaluates(walk, scope);
      return undecided('0');
    case 'Glob':
      if (part.kind === 'bracket') return bracketValue(walk, part, scope);
      return { text: part.text, known: true, glob: true, quoted: false };
    default:
      walkSubstitutions(walk, part as SyntaxNode, scope);
      return { ...undecided(part.text), glob: true };
  }
}

type Operation = Extract<WordPart, { type: 'ParameterExpansion' }>['operation'];

/**
 * Returns a value after a plain end or all folders before the name were cut off, or a plain text in it was
 * replaced: `${f%.js}`, `${f%.*}`, `${f##*\/}`, `${f/.spec/.test}`. Null when the result is not known. If the
 * value is a pattern of file names, the result is a pattern too.
 */
function cutValue(operation: Operation, value: Arg | undefined): Arg | null {
  if (!value?.known || value.assumed) return null;
  const left = (text: string) => (text === '' || text === value.text ? null : { ...value, text });
  if (operation?.type === 'Remove' && operation.operand) {
    const { text, value: what } = operation.operand;
    if (text !== what) return null;
    const at = value.text.lastIndexOf('/') + 1;
    if (operation.operator === '##' && what === '*/') return at > 0 ? left(value.text.slice(at)) : value;
    if (operation.operator === '%' && what === '.*') return left(value.text.replace(/\.[\w-]+$/, ''));
    if (operation.operator === '%' && PLAIN.test(what) && value.text.endsWith(what))
      return left(value.text.slice(0, -what.length));
    return null;
  }
  if (operation?.type === 'Replace' && operation.operator === '/') {
    const { pattern, replacement } = operation;
    const by = replacement?.value ?? '';
    if (pattern.text !== pattern.value || (replacement && replacement.text !== by)) return null;
    if (!PLAIN.test(pattern.value) || !(by === '' || PLAIN.test(by)) || !value.text.includes(pattern.value))
      return null;
    // if a star comes before it, its first place in the real name may be another one
    const before = value.text.slice(0, value.text.indexOf(pattern.value));
    return /[*?[]/.test(before) && !pattern.value.startsWith('.')
      ? null
      : left(value.text.replace(pattern.value, () => by));
  }
  return null;
}

/** Matches text that is neither a pattern nor a folder. */
const PLAIN = /^[\w.@-]+$/;

/** Returns the value of `[…]`, which is known if nothing in it is expanded. */
function bracketValue(walk: Walk, part: WordPart & { type: 'Glob' }, scope: Scope): Arg {
  walkSubstitutions(walk, part as SyntaxNode, scope);
  return { text: part.text, known: !/[$`]/.test(part.text), glob: true, quoted: false };
}

/** Makes a word unknown if it would name the root when its variable is unset: `$TMPDIR/`, `$TMPDIR/*`. */
function unassumed({ place }: Walk, arg: Arg): Arg {
  const rest = arg.assumed && arg.text.startsWith(place.tmp) ? arg.text.slice(place.tmp.length) : '';
  return /^\/[/.*]*$/.test(rest) ? { ...arg, text: `$TMPDIR${rest}`, known: false } : arg;
}

function walkNested(walk: Walk, script: ParsedScript, scope: Scope): void {
  // the parser reads a substitution only when it is asked for, so the work is counted here
  spend(walk, script.end - script.pos);
  walk.seen.add(script);
  if (script.errors?.length) {
    walk.unknowns.push({ text: '', why: `syntax error in a substitution: ${script.errors[0]?.message}` });
  }
  walk.into.script(walk, script, scope);
}

/** Matches a pattern for files below the working folder whose names cannot look like options. */
const BELOW = /^(?![~/-]|.*(^|\/)\.\.(\/|$))[^\s$`]+$/;

/**
 * Walks `$(…)` and returns its value, which is known for `pwd` and plain `echo`. If it lists files below the
 * folder, the value is a pattern that covers them.
 */
function commandValue(walk: Walk, script: ParsedScript | undefined, text: string, scope: Scope): Arg {
  if (!script) return undecided(text);
  const before = walk.invocations.length;
  walkNested(walk, script, inner(scope));
  const from = walk.invocations.slice(before);
  if (isPipeline(from)) {
    const files = printedWords(from.slice(-1)) ?? [];
    if (files.length > 0 && files.every((file) => file.known && file.glob && BELOW.test(file.text)))
      return {
        ...known(files.map((file) => file.text).join(' '), { glob: true }),
        from,
        ...(files[0]?.listedBy && { listedBy: files[0].listedBy }),
      };
  }
  const [only, ...more] = from;
  if (!only || more.length > 0 || only.writes.length > 0) return { ...undecided(text), from };
  if (only.program === 'pwd' && scope.cwd !== null) return known(scope.cwd);
  if (only.program === 'echo' && only.args.every((arg) => arg.known && !arg.glob)) {
    return known(only.args.map((arg) => arg.text).join(' '));
  }
  const usual = usualValue(only);
  return usual === null ? { ...undecided(text), from } : known(usual);
}

/**
 * If a command can only print one kind of value (a number, a hash, the name of a branch, a new temporary
 * file), returns a value that stands for all of them. Else null.
 */
function usualValue({ program, args, cwd }: Invocation): string | null {
  const texts = args.map((arg) => arg.text);
  const line = texts.join(' ');
  if (!args.every((arg) => arg.known && !arg.glob)) return null;
  switch (program) {
    case 'seq':
    case 'nproc':
      return /^[\d ]*$/.test(line) ? '1' : null;
    case 'date':
      return /^(-u ?)?\+[%\w.:-]+$/.test(line) && !/%[Dnt]/.test(line) ? '1' : null;
    case 'mktemp': {
      const template = /^(?:-[dqu]+ ?)*(?:-t ([\w.-]+)|(\/tmp\/(?!.*\.\.)[\w./-]+))?$/.exec(line);
      return template ? (template[2] ?? '/tmp/tmp.0000000000') : null;
    }
    case 'uname':
      return /^-[smr]$/.test(line) ? 'Linux' : null;
    case 'git':
      if (/^rev-parse --show-toplevel$/.test(line)) return cwd;
      if (
        /^(rev-parse( --(short(=\d+)?|verify))*|merge-base|rev-list -n ?1|rev-list --max-count=1)( [\w./@^~{}-]+)+$/.test(
          line,
        )
      )
        return '0000000';
      if (/^(branch --show-current|rev-parse --abbrev-ref HEAD|symbolic-ref --short HEAD)$/.test(line))
        return 'branch';
      return null;
    default:
      return null;
  }
}

/** Whether commands are the stages of one pipeline, so that only the last one prints. */
const isPipeline = (stages: Invocation[]): boolean =>
  stages.every(({ input, writes }, i) => {
    const before = i === 0 ? [] : [stages[i - 1]];
    const from = input.kind === 'pipe' ? input.from : [];
    return writes.length === 0 && from.length === before.length && from[0] === before[0];
  });

/** Walks the substitutions anywhere below a node. */
export function walkSubstitutions(walk: Walk, node: SyntaxNode, scope: Scope): void {
  spend(walk, node.end - node.pos);
  walk.seen.add(node);
  forEachChild(node, (child) => {
    if (child.type === 'Script') walkNested(walk, child as ParsedScript, inner(scope));
    else if (child.type === 'CommandExpansion') commandValue(walk, child.script, child.text, scope);
    else if (child.type === 'ProcessSubstitution') partValue(walk, child, scope);
    else walkSubstitutions(walk, child, scope);
  });
}

export type { Scope };
