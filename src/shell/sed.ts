// Reads the scripts of sed: which files they read and write, and whether they run commands.

/** What a script of sed or awk does besides changing text. */
export type TextProgram = {
  /** it runs a command, or it is not known whether it does */
  runs: boolean;
  /** files that it reads and writes, as written */
  reads: string[];
  writes: string[];
  /** nothing of the text is left, or only the lines that it picks out (`1!d`, `5q`) */
  empties: boolean;
};

/** Longest script that is read, in characters. Nobody writes a longer one into a line. */
const MAX_SCRIPT = 8_000;

/**
 * Returns what a script of sed does. Null when it is not understood to its end, because it may then do
 * anything.
 *
 * Source: POSIX, and the GNU manual for `e F R T v W z`, the flags `e` and `M`, and addresses such as `0~3` and `+2`.
 */
export function readSed(script: string): TextProgram | null {
  if (script.length > MAX_SCRIPT) return null;
  const found: TextProgram = { runs: false, reads: [], writes: [], empties: false };
  let at = 0;
  while (at < script.length) {
    at = skip(script, at, /[\s;{}]/);
    if (at >= script.length) break;
    const from = at;
    const past = afterAddresses(script, at);
    if (past === null) return null;
    const address = script.slice(from, past).replace(/\s/g, '');
    at = past;
    const command = script[at] ?? '';
    at += 1;
    const everywhere = EVERYWHERE.has(address);
    if (command === '{') continue;
    if (command === '#') at = endOfLine(script, at);
    else if ('=dDgGhHnNpPxFz'.includes(command) && command !== '') {
      if ((everywhere || address.endsWith('!')) && /[dDz]/.test(command)) found.empties = true;
    } else if (/[qQlL]/.test(command)) {
      if (/q/i.test(command)) found.empties = true;
      at = skip(script, skip(script, at, /[ \t]/), /\d/);
    } else if (/[btT:]/.test(command)) {
      at = skip(script, skip(script, at, /[ \t]/), /[^\s;}]/);
      continue;
    } else if (/[aic]/.test(command)) {
      if (everywhere && command === 'c') found.empties = true;
      at = endOfText(script, at);
    } else if (/[rRwW]/.test(command)) {
      const end = endOfLine(script, at);
      (/r/i.test(command) ? found.reads : found.writes).push(script.slice(at, end).trim());
      at = end;
    } else if (command === 'e') {
      found.runs = true;
      at = endOfLine(script, at);
    } else if (command === 'v') at = endOfLine(script, at);
    else if (command === 's' || command === 'y') {
      const delimiter = script[at] ?? '\n';
      if (/[\\\n]/.test(delimiter)) return null;
      const middle = afterDelimiter(script, at + 1, delimiter);
      const end = middle === null ? null : afterDelimiter(script, middle, delimiter);
      if (middle === null || end === null) return null;
      const all = /^\^?\.[*+]\$?$/.test(script.slice(at + 1, middle - 1));
      const most = LETTERS.test(script.slice(at + 1, middle - 1)) && /^[^;\n]*g/.test(script.slice(end));
      if (command === 's' && everywhere && (all || most) && end - middle === 1) found.empties = true;
      at = end;
      if (command === 's') {
        at = skip(script, at, /[gpiIemM\d]/);
        if (script.slice(end, at).includes('e')) found.runs = true;
        if (script[at] === 'w') {
          const close = endOfLine(script, at);
          found.writes.push(script.slice(at + 1, close).trim());
          at = close;
        }
      }
    } else return null;
    // after a command only its end may follow
    at = skip(script, at, /[ \t]/);
    if (at < script.length && !/[\n;}#]/.test(script[at] as string)) return null;
  }
  return found;
}

/** Addresses that fit every line. */
const EVERYWHERE = new Set(['', '1,$', '0~1', '1~1', '/^/', '/$/', '/.*/', '/./']);

/** A class of signs with all letters in it, or with all but a few signs. */
const LETTERS =
  /^\[(?:\^[^\]]+|[^\]]*(?:a-z[^\]]*A-Z|A-Z[^\]]*a-z|\[:(?:alnum|alpha|graph|print):\][^\]]*))[^\]]*\][*+]?$/;

function skip(text: string, at: number, what: RegExp): number {
  let end = at;
  while (end < text.length && what.test(text[end] as string)) end += 1;
  return end;
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

/**
 * Returns the end of the text of `a`, `i` and `c`. If a line ends with a backslash, the text goes on in the
 * next line.
 */
function endOfText(text: string, at: number): number {
  let end = endOfLine(text, at);
  while (end < text.length && text[end - 1] === '\\') end = endOfLine(text, end + 1);
  return end;
}

/**
 * Returns the place behind the next delimiter. Null when there is none, or when it may be inside a bracket
 * expression.
 */
function afterDelimiter(text: string, from: number, delimiter: string): number | null {
  let bracket = false;
  for (let at = from; at < text.length; at++) {
    const sign = text[at];
    if (sign === '\\') at += 1;
    // implementations differ about a delimiter in a bracket expression
    else if (sign === delimiter) return bracket ? null : at + 1;
    else if (sign === '[') {
      const close = text.slice(at + 2).search(/\]/);
      bracket =
        close >= 0 &&
        text
          .slice(at, at + 2 + close)
          .replace(/\\./g, '')
          .includes(delimiter);
    }
  }
  return null;
}

/** Returns the place behind the addresses of a command and its `!`; null when they are not understood. */
function afterAddresses(text: string, from: number): number | null {
  let at = from;
  for (let part = 0; part < 2; part++) {
    const sign = text[at] ?? '';
    if (/[\d$]/.test(sign) || (part === 1 && /[+~]/.test(sign)))
      at = sign === '$' ? at + 1 : skip(text, at + 1, /[\d~]/);
    else if (sign === '/' || sign === '\\') {
      const delimiter = sign === '/' ? '/' : (text[at + 1] ?? '\n');
      const end = afterDelimiter(text, at + (sign === '/' ? 1 : 2), delimiter);
      if (end === null || delimiter === '\n') return null;
      at = skip(text, end, /[IM]/);
    } else if (part === 1) return null;
    at = skip(text, at, /[ \t]/);
    if (part === 1 || text[at] !== ',') break;
    at = skip(text, at + 1, /[ \t]/);
  }
  return skip(text, at, /[! \t]/);
}
