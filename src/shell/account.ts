import { forEachChild, type ParsedScript, type SyntaxNode } from 'unbash';
import { clip } from '../text/clip.ts';
import { holdsCommand, holdsIndex } from './arithmetic.ts';
import type { Source, Walk } from './types.ts';

// Accounts for the text of a line after the walk. A line may be allowed only if the walk saw everything that
// a shell would run. So if the text contains anything that the walk did not visit, the line is unknown. This
// check reads the text itself and does not rely on what the walk found.

/** A text without one of these has no substitutions, so its words need not be looked at. */
const ACTIVE = /`|\$[\\({['"]|[<>][\\(]|[@!?*+]\(/;

/** A backslash with what it quotes, or the beginning of something that a shell expands. */
const OPENS = /\$(?:\\\n)*[({[]|[<>](?:\\\n)*\(|`|\\[\s\S]/g;

/** Nodes that run, read or write something by themselves. */
const EFFECTIVE = new Set([
  'Command',
  'Assignment',
  'Redirect',
  'HereString',
  'HereDoc',
  'TestCommand',
  'ArithmeticCommand',
  'ArithmeticFor',
]);

/** How a character of the text is explained: not part of a word, part of one, in double quotes, or never expanded. */
const [GAP, WORD, QUOTED, INERT] = [0, 1, 2, 3];

/** The operators of `[[ … ]]` that evaluate their operands as arithmetic, or as a variable with an index. */
const ARITHMETIC_TEST = /^-(eq|ne|lt|le|gt|ge|v|R)$/;

type Accounts = {
  walk: Walk;
  text: string;
  /** whether the words need to be looked at */
  deep: boolean;
  cover: Uint8Array;
  /** where something begins or ends that the walk has seen */
  explained: Set<number>;
  missed: string | null;
  /** what the whole line holds */
  line: { arithmetic: boolean; inert: string[] };
};

/** Adds an unknown if the text of the line holds anything that the walk did not visit. */
export function account(walk: Walk): void {
  const line: Accounts['line'] = { arithmetic: false, inert: [] };
  for (const source of walk.sources) {
    const missed = missedIn(walk, source, line);
    if (missed === null) continue;
    walk.unknowns.push({ text: clip(missed, 80), why: 'Lore did not see all of this line' });
    return;
  }
  // a quoted text may reach arithmetic through variables, and bash runs the substitutions in an index there
  const walked = new Set(walk.sources.map(({ text }) => text));
  const stray = line.arithmetic ? line.inert.find((text) => !walked.has(text)) : undefined;
  if (stray !== undefined)
    walk.unknowns.push({ text: clip(stray, 80), why: 'arithmetic may run what this text holds' });
}

/** Returns a piece of a text that the walk did not see; null when it saw everything. */
function missedIn(walk: Walk, { text, script }: Source, line: Accounts['line']): string | null {
  const deep = ACTIVE.test(text);
  const cover = new Uint8Array(deep ? text.length : 0);
  const accounts: Accounts = { walk, text, deep, cover, explained: new Set(), missed: null, line };
  check(accounts, script, false, false);
  if (accounts.missed !== null || !deep) return accounts.missed;
  coverComments(accounts);
  for (const match of text.matchAll(OPENS)) {
    const kind = cover[match.index];
    if (match[0].startsWith('\\') || kind === INERT || accounts.explained.has(match.index)) continue;
    if (kind === QUOTED && /^[<>]/.test(match[0])) continue;
    return text.slice(match.index);
  }
  return null;
}

/**
 * Checks a node and everything below it.
 *
 * @param quoted whether it stands in double quotes or a here-document
 * @param arithmetic whether it is evaluated as arithmetic
 */
function check(accounts: Accounts, node: SyntaxNode, quoted: boolean, arithmetic: boolean): void {
  const { walk, text, cover, line, explained } = accounts;
  if (accounts.missed !== null) return;
  const miss = () => {
    accounts.missed ??= text.slice(node.pos, node.end);
  };
  if (EFFECTIVE.has(node.type) && !walk.seen.has(node)) {
    miss();
    return;
  }
  const below = (inQuotes = quoted, counts = arithmetic) =>
    forEachChild(node, (child) => check(accounts, child, inQuotes, counts));
  switch (node.type) {
    case 'ArithmeticCommand':
    case 'ArithmeticFor':
      line.arithmetic = true;
      cover.fill(WORD, node.pos, node.type === 'ArithmeticFor' ? node.body.pos : node.end);
      below(quoted, node.type === 'ArithmeticCommand');
      break;
    case 'Command':
      if (/^(let|declare|typeset|local|readonly|export)$/.test(node.name?.value ?? ''))
        line.arithmetic ||= node.name?.value === 'let' || node.suffix.some(makesInteger);
      if (isParted([...(node.name ? [node.name] : []), ...node.suffix])) miss();
      below();
      break;
    case 'TestCommand':
      cover.fill(WORD, node.pos, node.end);
      below();
      break;
    case 'TestBinary':
    case 'TestUnary': {
      const counts = ARITHMETIC_TEST.test(node.operator);
      line.arithmetic ||= counts;
      below(quoted, counts);
      break;
    }
    case 'Assignment':
      line.arithmetic ||= node.index !== undefined;
      below();
      break;
    case 'ArrayValue':
      for (const element of node.elements) {
        const indexed = element.text.startsWith('[');
        line.arithmetic ||= indexed;
        check(accounts, element, quoted, indexed);
      }
      break;
    case 'HereDoc':
      if (node.delimiter?.quoted) inert(accounts, node.body, node.body.text, arithmetic);
      else check(accounts, node.body, true, arithmetic);
      if (node.delimiter) cover.fill(INERT, node.delimiter.pos, node.delimiter.end);
      if (node.descriptor) check(accounts, node.descriptor, quoted, arithmetic);
      break;
    case 'Word':
    case 'HereDocBody':
      // a word without expansions has no parts, and its value has no backslashes
      if (node.type === 'Word' && !node.parts && holdsCommand(node.value)) line.inert.push(node.value);
      if (!accounts.deep) break;
      cover.fill(quoted ? QUOTED : WORD, node.pos, node.end);
      below();
      break;
    case 'DoubleQuoted':
    case 'LocaleString':
      cover.fill(WORD, node.pos, node.end);
      below(true);
      break;
    case 'Literal':
      cover.fill(quoted ? QUOTED : WORD, node.pos, node.end);
      // only a backslash lets a literal hold the beginning of a substitution
      if (holdsCommand(node.value)) line.inert.push(node.value);
      break;
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      // bash expands `"${x:-$'…'}"` once more
      if (quoted && node.type === 'AnsiCQuoted' && holdsCommand(node.value)) miss();
      inert(accounts, node, node.value, arithmetic);
      break;
    case 'ParameterExpansion':
      explained.add(node.pos);
      if (isStrange(node)) miss();
      line.arithmetic ||= isEvaluated(node);
      below(quoted, arithmetic || node.operation?.type === 'Slice');
      break;
    case 'ArithmeticExpansion':
      line.arithmetic = true;
      explained.add(node.pos);
      cover.fill(WORD, node.pos, node.end);
      below(quoted, true);
      break;
    case 'ExtendedGlob':
      // in zsh a pattern in parentheses may name a command: *(e:'rm x':)
      if (!isPlainPattern(node.operator, node.pattern)) miss();
      below();
      break;
    case 'CommandExpansion':
    case 'ArithmeticCommandExpansion':
    case 'ProcessSubstitution':
      checkScript(accounts, node, miss);
      break;
    default:
      below();
  }
}

/**
 * Whether the parser ended a word after a process substitution, although for bash the word goes on:
 * `>(a)"b"`.
 */
const isParted = (words: readonly SyntaxNode[]): boolean =>
  words.some(
    (word, i) =>
      word.type === 'Word' &&
      word.end === words[i + 1]?.pos &&
      word.parts?.at(-1)?.type === 'ProcessSubstitution',
  );

/** Checks a substitution: its script must have been walked, and is then accounted for like the line. */
function checkScript(
  accounts: Accounts,
  node: { pos: number; end: number; text: string; script: ParsedScript | undefined },
  miss: () => void,
): void {
  const { walk, text, cover, explained, line } = accounts;
  const { script } = node;
  if (!script || !walk.seen.has(script)) {
    miss();
    return;
  }
  explained.add(node.pos);
  if (script.source !== undefined) {
    // for backticks with backslashes in them, the positions below refer to the text without these backslashes
    cover.fill(INERT, node.pos, node.end);
    accounts.missed = missedIn(
      walk,
      { text: script.source, script: { ...script, source: undefined } as never },
      line,
    );
    return;
  }
  if (text[node.pos] === '`') explained.add(node.end - 1);
  cover.fill(GAP, node.pos, node.end);
  forEachChild(script, (child) => check(accounts, child, false, false));
}

function inert(accounts: Accounts, node: SyntaxNode, value: string, arithmetic: boolean): void {
  accounts.cover.fill(INERT, node.pos, node.end);
  if (arithmetic && /[$`]/.test(value)) accounts.missed ??= accounts.text.slice(node.pos, node.end);
  if (holdsIndex(value)) accounts.line.inert.push(value);
}

/**
 * Whether a pattern such as `!(*.md)` is a pattern in zsh too, where text in parentheses may be a qualifier.
 */
const isPlainPattern = (operator: string, pattern: string) =>
  /[@!]/.test(operator)
    ? /^[\w.|*?-]*$/.test(pattern)
    : /^[\w|[\]-]*$/.test(pattern) && !/[A-Za-z]\[/.test(pattern);

const makesInteger = (part: SyntaxNode) => part.type === 'Word' && /^[-+]\w*[in]/.test(part.value);

type Parameter = Extract<SyntaxNode, { type: 'ParameterExpansion' }>;

/**
 * Whether an expansion is unknown to bash (`${(e)x}` in zsh), or runs the value of the variable (`${x@P}`).
 */
function isStrange({ parameter, operation }: Parameter): boolean {
  if (!/^(\w+|[@*#?$!-])$/.test(parameter)) return true;
  if (operation?.type === 'Unknown') return true;
  return operation?.type === 'Transform' && !/^[QUuLEAKak]$/.test(operation.operand.text);
}

/** Whether bash evaluates the index or the value of the variable. */
const isEvaluated = ({ prefix, index, operation }: Parameter) =>
  operation?.type === 'Slice' ||
  (index !== undefined && !/^([@*]|-?\d+)$/.test(index.text)) ||
  (prefix === '!' && operation?.type !== 'Names' && index === undefined);

/** Marks comments, which stand between words and reach to the end of the line. */
function coverComments({ text, cover, explained }: Accounts): void {
  for (let at = text.indexOf('#'); at >= 0; at = text.indexOf('#', at + 1)) {
    if (cover[at] !== GAP || (at > 0 && !/[\s;&|()`]/.test(text[at - 1] as string))) continue;
    while (at < text.length && text[at] !== '\n' && cover[at] === GAP && !explained.has(at))
      cover[at++] = INERT as number;
  }
}
