import { words } from './names.ts';
import type { TextProgram } from './sed.ts';

// Reads the programs of awk: which files they read and write, and whether they run commands.

/** Longest program that is read, in characters. Nobody writes a longer one into a line. */
const MAX_PROGRAM = 16_000;

type Token = { kind: 'name' | 'number' | 'string' | 'pattern' | 'sign' | 'line'; text: string };

/** Words after which a slash begins a pattern. After any other name it divides. */
const KEYWORDS = new Set(words('print printf return in case if while for do else getline'));
/** Names that reach beyond the text: other files, the environment, code of others, variables by name. */
const FAR = new Set(words('system extension ARGV SYMTAB FUNCTAB'));

/**
 * Returns what a program of awk does. Null when it is not understood to its end, because it may then do
 * anything.
 *
 * Source: POSIX, and the GNU manual for `|&`, `@load`, `@include` and indirect calls.
 */
export function readAwk(program: string): TextProgram | null {
  if (program.length > MAX_PROGRAM) return null;
  const tokens = tokensOf(program);
  if (tokens === null) return null;
  const found: TextProgram = { runs: false, reads: [], writes: [], empties: false };
  let depth = 0;
  let printsAt: number | null = null;
  for (const [i, { kind, text }] of tokens.entries()) {
    const next = tokens[i + 1];
    if (kind === 'name') {
      if (FAR.has(text)) found.runs = true;
      if (text === 'print' || text === 'printf') printsAt = depth;
      if (text === 'ENVIRON' && !(next?.text === '[' && isPlainName(tokens[i + 2]))) return null;
    }
    if (kind === 'line') printsAt = null;
    if (kind !== 'sign') continue;
    if (/^[([{]$/.test(text)) depth += 1;
    if (/^[)\]}]$/.test(text)) depth -= 1;
    if (text === ';' || text === '}') printsAt = null;
    // a single bar is always a pipe, and an at-sign loads code or calls a function by the name in a variable
    if (
      /^(\|&?|@)$/.test(text) &&
      !(text === '|' && next?.kind === 'string' && HARMLESS_PIPE.test(next.text))
    )
      found.runs = true;
    const read = text === '<' && comesFromGetline(tokens, i);
    const written = /^>>?$/.test(text) && printsAt === depth;
    if (!read && !written) continue;
    // if the name of a file is computed, it is known only when the program runs
    if (next?.kind !== 'string' || !endsExpression(tokens[i + 2])) return null;
    (read ? found.reads : found.writes).push(next.text);
  }
  return found;
}

/** Commands that awk may hand its output to. */
const HARMLESS_PIPE = /^\s*(sort( -[bdfghnrkutV0-9.,]+)*( -t ?\S)?|cat ?1?>&2)\s*$/;

/** Whether a token is a string that names a variable of the environment without a secret. */
const isPlainName = (token: Token | undefined) =>
  token?.kind === 'string' && !/KEY|TOKEN|SECRET|PASS|CRED|AUTH|DSN|_URL/i.test(token.text);

/** Whether an expression ends before a token. */
const endsExpression = (token: Token | undefined) =>
  token === undefined || token.kind === 'line' || /^[;})]$/.test(token.text);

/** Whether `getline`, perhaps followed by a variable, comes before a `<`. */
const comesFromGetline = (tokens: Token[], i: number) =>
  tokens.slice(Math.max(0, i - 6), i).some(({ kind, text }) => kind === 'name' && text === 'getline');

const SIGNS = /^(?:\|\||\|&|&&|>>|\+\+|--|\*\*=?|[-+*/%^=!<>]=|!~|[{}()[\],;?:!<>|~+\-*/%^=$@&\\])/;

/** Returns the tokens of a program; null when a string or a pattern does not end, or a sign is not known. */
function tokensOf(program: string): Token[] | null {
  const tokens: Token[] = [];
  let at = 0;
  while (at < program.length) {
    const rest = program.slice(at, at + MAX_TOKEN);
    const blank = /^(?:[ \t\r]|\\\r?\n)+|^#[^\n]*/.exec(rest);
    const word = /^[A-Za-z_]\w*|^(?:\d[\w.]*|\.\d\w*)/.exec(rest);
    if (blank) at += blank[0].length;
    else if (program[at] === '\n') {
      tokens.push({ kind: 'line', text: '\n' });
      at += 1;
    } else if (word) {
      tokens.push({ kind: /^[A-Za-z_]/.test(word[0]) ? 'name' : 'number', text: word[0] });
      at += word[0].length;
    } else if (program[at] === '"' || (program[at] === '/' && beginsPattern(tokens.at(-1)))) {
      const quoted = program[at] === '"' ? STRING.exec(rest) : PATTERN.exec(rest);
      if (!quoted) return null;
      tokens.push({ kind: program[at] === '"' ? 'string' : 'pattern', text: quoted[0].slice(1, -1) });
      at += quoted[0].length;
    } else {
      const sign = SIGNS.exec(rest);
      if (!sign) return null;
      tokens.push({ kind: 'sign', text: sign[0] });
      at += sign[0].length;
    }
  }
  return tokens;
}

/** In characters. */
const MAX_TOKEN = 2_000;
const STRING = /^"(?:[^"\\\n]|\\[\s\S])*"/;
/** A pattern ends at its first slash: implementations differ about a slash in brackets, so such a pattern is not read. */
const PATTERN = /^\/(?:[^/\\\n[]|\\.|\[\^?\]?[^\]/\n]*\])*\//;

/** Whether a slash after this token begins a pattern. After a value it divides. */
const beginsPattern = (before: Token | undefined): boolean =>
  before === undefined ||
  before.kind === 'line' ||
  (before.kind === 'name' && KEYWORDS.has(before.text)) ||
  (before.kind === 'sign' && !/^([)\]$]|\+\+|--)$/.test(before.text));
