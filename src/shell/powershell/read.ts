import { type Element, say, valuesOf } from './say.ts';
import { nameInBash, type Piece, toWord, type Word } from './words.ts';

// Reads a line of PowerShell and says it in bash, so that the rules for commands judge it. What bash has no word for is
// said as it stands, and is then a command that no rule knows. So what comes out may be denied, and never allowed.

type Reading = { source: string; at: number; depth: number };

/** Deeper nesting is not read: a command that no rule knows stands for it. */
const MAX_DEPTH = 20;
const TOO_DEEP = 'too-deep';
/** Longest line that is read, in characters. */
const MAX_LENGTH = 16_000;

/** Typographic quotes and dashes count as the plain ones. */
const plainMarks = (line: string): string =>
  line
    .replace(/[‘’‚‛]/g, "'")
    .replace(/[“”„]/g, '"')
    .replace(/(?<=\s)[–—―](?=\w)/g, '-');

/**
 * Returns a line of PowerShell as a line of bash that does the same to files, processes and hosts, as far as rules can be
 * about it. Never throws because of the line's content.
 *
 * @param depth how deep it stands in other lines
 * @example bashLineOf('Remove-Item C:\\Users\\dev -Recurse -Force') // 'rm /Users/dev -r -f'
 */
export function bashLineOf(line: string, depth = 0): string {
  if (depth > MAX_DEPTH) return TOO_DEEP;
  if (line.length > MAX_LENGTH) return 'too-long';
  return statements({ source: plainMarks(line), at: 0, depth }, '');
}

/** Takes what a pattern finds at this place. */
function take(reading: Reading, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = reading.at;
  const found = pattern.exec(reading.source);
  if (found) reading.at = pattern.lastIndex;
  return found;
}

const peek = ({ source, at }: Reading): string => source[at] ?? '';

const BLANKS = /(?:[ \t\r]|`\r?\n|<#[\s\S]*?(?:#>|$)|(?<![^\s;|&(){}])#[^\n]*)+/y;
const LINES = /(?:[\s;]|`\r?\n|<#[\s\S]*?(?:#>|$)|(?<![^\s;|&(){}])#[^\n]*)+/y;

/** Reads statements up to a closing bracket, or to the end of the line. */
function statements(reading: Reading, end: '' | ')' | '}'): string {
  const said: string[] = [];
  for (;;) {
    take(reading, LINES);
    const next = peek(reading);
    if (next === '') break;
    if (next === ')' || next === '}') {
      reading.at++;
      if (next === end) break;
      continue;
    }
    const before = reading.at;
    const one = statement(reading);
    if (one !== '') said.push(one);
    if (reading.at === before) reading.at++;
  }
  return said.join('\n');
}

const KEYWORD =
  /(?:if|elseif|else|for|while|do|until|switch|try|catch|finally|function|filter|param|return|throw|begin|process|end|trap|class)(?![\w-])/iy;
const EACH = /foreach\s*\(\s*\$([\w:]+)\s+in\s/iy;
const ASSIGNS = /(?:\[[\w.[\]]{1,100}\]\s{0,9})?\$(?:\{([^}\n]+)\}|([\w:]+))\s*[-+*/?]{0,2}=(?!=)/y;

function statement(reading: Reading): string {
  const each = take(reading, EACH);
  if (each) {
    const values = loopedOver(reading);
    return loop(nameInBash(each[1] as string), values, pipeline(reading));
  }
  if (take(reading, KEYWORD)) return pipeline(reading);
  const assigned = take(reading, ASSIGNS);
  if (assigned) {
    take(reading, BLANKS);
    const value = nested(reading, () => statement(reading), TOO_DEEP);
    // what is only a value is printed: the value itself is assigned
    const literal = /^echo ((?:[\w@%+=:,./-]|'[^']*'|"\$\w+")+)$/.exec(value)?.[1];
    return `${nameInBash(assigned[1] ?? assigned[2] ?? '')}=${literal ?? `"$(${value})"`}`;
  }
  let said = pipeline(reading);
  for (;;) {
    const joined = take(reading, /\s{0,99}(&&|\|\||&)/y)?.[1];
    if (joined === undefined) return said;
    take(reading, LINES);
    const next = pipeline(reading);
    if (next !== '') said = `${said || ':'}${joined === '&' ? '\n' : ` ${joined} `}${next}`;
  }
}

/** Reads what `foreach` goes through, up to the closing bracket. */
function loopedOver(reading: Reading): string {
  const from = reading.at;
  const element = readElement(reading);
  const values = peek(reading) === ')' ? valuesOf(element) : null;
  if (values !== null) {
    reading.at++;
    return values;
  }
  reading.at = from;
  return `"$(${deeper(reading, ')')})"`;
}

const loop = (name: string, values: string, body: string): string =>
  `for ${name} in ${values}; do\n${body || ':'}\ndone`;

/** Reads commands that are connected by `|`. */
function pipeline(reading: Reading): string {
  const said: string[] = [];
  let before: Element | null = null;
  for (;;) {
    const element = readElement(reading);
    const { line, over } = say(element, before, (text) => bashLineOf(text, reading.depth + 1));
    if (over === null) said.push(line);
    else {
      // what comes through the pipe is looped over, so it is clear what the command gets
      const source = said.join(' | ');
      said.length = 0;
      said.push(loop('item', over === '' ? `"$(${source})"` : over, line));
    }
    take(reading, BLANKS);
    if (peek(reading) !== '|' || reading.source[reading.at + 1] === '|')
      return said.filter(Boolean).join(' | ');
    reading.at++;
    take(reading, LINES);
    before = element;
  }
}

const REDIRECTS = /[\d*]?(>>?)(?:&\d)?/y;
/** A method of a class of .NET that is called: `[IO.File]::Delete(`. */
const CALLS = /\[([\w.]{1,100})\]::(\w+)\(/y;
/** What follows a value: `.Count`, `[0]`, `.Trim()`. */
const MEMBERS = /(?:\.\w+|\[[^\]\n]{0,60}\])+/y;

/** Reads one command, or one expression, up to what ends it. */
function readElement(reading: Reading): Element {
  const element: Element = { words: [], blocks: [], writes: [], isValue: false, method: null };
  take(reading, BLANKS);
  const called = take(reading, /[&.](?=[ \t'"$({])/y) !== null;
  take(reading, BLANKS);
  element.isValue = !called && /["'$[(@\d!]/.test(peek(reading));
  let more = false;
  for (;;) {
    take(reading, BLANKS);
    const next = peek(reading);
    if (next === '' || /[\n;|&)}]/.test(next)) break;
    if (next === ',') {
      more = true;
      reading.at++;
      continue;
    }
    if (next === '{' || reading.source.startsWith('@{', reading.at)) {
      reading.at += next === '{' ? 1 : 2;
      const inner = deeper(reading, '}');
      if (inner !== '') element.blocks.push(inner);
      continue;
    }
    const redirect = take(reading, REDIRECTS);
    if (redirect) {
      take(reading, BLANKS);
      const target = redirect[0].includes('&') ? null : readWord(reading, false);
      if (target && target.text !== '$null') element.writes.push({ how: redirect[1] as string, target });
      continue;
    }
    const method = element.words.length === 0 ? take(reading, CALLS) : null;
    if (method) {
      element.method = {
        class: method[1] as string,
        name: method[2] as string,
        args: readArguments(reading),
      };
      take(reading, MEMBERS);
      continue;
    }
    const before = reading.at;
    const word = readWord(reading, more);
    if (reading.at === before) reading.at++;
    else element.words.push(word);
    more = false;
  }
  return element;
}

/** Reads what stands in something else, unless that is too deep: then nothing more is read. */
function nested<T>(reading: Reading, read: () => T, tooDeep: T): T {
  if (reading.depth >= MAX_DEPTH) {
    reading.at = reading.source.length;
    return tooDeep;
  }
  reading.depth++;
  const found = read();
  reading.depth--;
  return found;
}

/** Reads what stands in brackets. */
const deeper = (reading: Reading, end: ')' | '}'): string =>
  nested(reading, () => statements(reading, end), TOO_DEEP);

/** Reads the arguments of a method, up to its closing bracket. */
function readArguments(reading: Reading): Word[] {
  const words = nested(reading, () => readElement(reading).words, []);
  take(reading, /[^)\n]{0,500}\)/y);
  return words;
}

const VARIABLE = /\$(?:\{([^}\n]+)\}|((?:env|global|script|local|private|using):\w+|[\w^$?]+))/iy;
const PARAMETER = /-[A-Za-z]+:/y;

function readWord(reading: Reading, more: boolean): Word {
  const parameter = take(reading, PARAMETER);
  if (parameter) return { text: parameter[0], bash: parameter[0], more: false };
  const pieces: Piece[] = [];
  const add = (text: string) => pieces.push({ text });
  for (;;) {
    const here = take(reading, /@(['"])\r?\n([\s\S]*?)(?:\r?\n\1@|$)/y);
    if (here) {
      add(here[2] as string);
      continue;
    }
    const next = peek(reading);
    if (next === '' || /[\s;|&){},>]/.test(next)) break;
    if (next === "'") add((take(reading, /'((?:[^']|'')*)(?:'|$)/y)?.[1] ?? '').replaceAll("''", "'"));
    else if (next === '"') pieces.push(...readText(reading));
    else if (next === '`') {
      add(reading.source[reading.at + 1] ?? '');
      reading.at += 2;
    } else if (next === '$' || next === '@') pieces.push(readValue(reading));
    else if (next === '(') {
      // a method that is called, or an argument of its own
      if (pieces.length > 0) break;
      reading.at++;
      pieces.push({ printed: deeper(reading, ')') });
      take(reading, MEMBERS);
    } else add(take(reading, /[^\s;|&(){},>'"`$@]+/y)?.[0] ?? '');
  }
  return toWord(joined(pieces), more);
}

/** Joins texts that stand side by side, so that a path begins with all of its first name. */
function joined(pieces: Piece[]): Piece[] {
  const made: Piece[] = [];
  for (const piece of pieces) {
    const last = made.at(-1);
    if (last && 'text' in last && 'text' in piece) made[made.length - 1] = { text: last.text + piece.text };
    else made.push(piece);
  }
  return made;
}

/** Reads `$name`, `$(…)`, `@(…)` or a single mark, with the members that are asked of it. */
function readValue(reading: Reading): Piece {
  if (take(reading, /[$@]\(/y)) {
    const printed = deeper(reading, ')');
    take(reading, MEMBERS);
    return { printed };
  }
  const variable = take(reading, VARIABLE);
  if (!variable) {
    reading.at++;
    return { text: reading.source[reading.at - 1] as string };
  }
  const name = (variable[1] ?? variable[2]) as string;
  const members = take(reading, MEMBERS)?.[0] ?? '';
  // the full name of a file is the file itself
  if (members === '' || /^\.(?:FullName|PSPath|Path|Name|ProviderPath)$/i.test(members))
    return { variable: name };
  return { printed: `value-of ${nameInBash(name)}` };
}

/** Reads a text in double quotes, or one over several lines (`@"`). */
function readText(reading: Reading): Piece[] {
  const pieces: Piece[] = [];
  reading.at++;
  for (;;) {
    const next = peek(reading);
    if (next === '') return pieces;
    if (next === '"') {
      reading.at++;
      if (peek(reading) !== '"') return pieces.length > 0 ? pieces : [{ text: '' }];
      pieces.push({ text: '"' });
      reading.at++;
    } else if (next === '`') {
      pieces.push({
        text: ESCAPED[reading.source[reading.at + 1] ?? ''] ?? reading.source[reading.at + 1] ?? '',
      });
      reading.at += 2;
    } else if (take(reading, /\$\(/y)) pieces.push({ printed: deeper(reading, ')') });
    else {
      const variable = next === '$' ? take(reading, VARIABLE) : null;
      if (variable) pieces.push({ variable: (variable[1] ?? variable[2]) as string });
      else pieces.push({ text: take(reading, /[$]?[^"`$]*/y)?.[0] ?? '' });
    }
  }
}

const ESCAPED: Record<string, string> = { n: '\n', t: '\t', r: '\r', '0': '' };
