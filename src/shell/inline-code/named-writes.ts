import { MARK } from './language.ts';

// Tells which files a program in Python or JavaScript writes, if it names each of them by a plain string.
// Agents often edit a file in this way. If a name is computed, found or passed in at run time, the answer is
// null.

/** Names of functions that write, as far as they are followed here. */
const WRITERS = new Set(
  'write writelines write_text write_bytes writeFileSync appendFileSync writeFile appendFile'.split(' '),
);

/**
 * Returns the files that a program writes, as written in it; null when they are not all named by plain strings, or when
 * it would leave one of them empty.
 *
 * @param code its code, with a {@link MARK} for each string
 * @param literals the strings
 * @param writers the names in it that write
 */
export function namedWrites(
  code: string,
  literals: string[],
  language: 'python' | 'javascript',
  writers: string[],
): string[] | null {
  if (writers.some((name) => !WRITERS.has(name))) return null;
  const at = literalsAt(code, literals);
  const found = language === 'python' ? inPython(code, at) : inJavaScript(code, at);
  return found && found.length > 0 ? [...new Set(found)] : null;
}

type LiteralAt = (index: number) => string | null;

/**
 * Returns a function that gives the string at a place of the code. It gives null for a string with code in
 * it.
 */
function literalsAt(code: string, literals: string[]): LiteralAt {
  const places = new Map<number, string>();
  let next = 0;
  for (let i = code.indexOf(MARK); i >= 0; i = code.indexOf(MARK, i + 1))
    places.set(i, literals[next++] ?? '');
  return (index) => {
    const text = places.get(index);
    return text === undefined || text === '' || /[$\0]|\{\w/.test(text) ? null : text;
  };
}

/** Variables with the strings that they may hold. A variable that may hold something else is left out. */
type Variables = Map<string, string[]>;

/**
 * Returns the values that assignments give to variables. There are many other ways to change a variable. So a
 * variable is included only if each place with its name is such an assignment, or surely only reads it.
 */
function variablesOf(code: string, at: LiteralAt, assigned: RegExp, loops: RegExp): Variables {
  const values = new Map<string, (string | null)[]>();
  const places = new Set<number>();
  for (const pattern of [assigned, loops])
    for (const match of code.matchAll(pattern)) {
      const name = match[1] as string;
      const from = match.index ?? 0;
      places.add(from + match[0].search(new RegExp(`(?<![\\w$])${escaped(name)}(?![\\w$])`)));
      const texts = [...match[0].matchAll(new RegExp(MARK, 'g'))].map((mark) => at(from + (mark.index ?? 0)));
      values.set(name, [...(values.get(name) ?? []), ...(texts.length > 0 ? texts : [null])]);
    }
  const variables: Variables = new Map();
  for (const [name, texts] of values) {
    const used = [...code.matchAll(new RegExp(`(?<![\\w$])${escaped(name)}(?![\\w$])`, 'g'))];
    const known = texts.flatMap((text) => text ?? []);
    const isKnown = used.every(({ index = 0 }) => places.has(index) || isRead(code, index, name.length));
    if (isKnown && known.length === texts.length) variables.set(name, known);
  }
  return variables;
}

const escaped = (name: string) => name.replaceAll('$', '\\$');

/** Words after which a parenthesis is no call, or whose parenthesis binds names. */
const NO_CALL = new Set(
  (
    'for in of as if elif else while return yield not and or is case match with except lambda del assert await import from ' +
    'raise catch switch function async typeof void delete new do get set static'
  ).split(' '),
);

/**
 * Returns whether a variable is only read at a place: a member of it is used, it is an argument of a call, or
 * it alone is assigned to another name.
 */
function isRead(code: string, index: number, length: number): boolean {
  const before = code.slice(Math.max(0, index - 200), index);
  const after = code.slice(index + length, index + length + 200);
  // an attribute of something else that has this name
  if (/\.\s*$/.test(before)) return !/^\s*(?:[-+*/%|&^?<>]*=(?!=)|\+\+|--)/.test(after);
  if (/^[ \t]*\.[ \t]*[A-Za-z_]/.test(after)) return true;
  if (
    /(?:^|[\w$\])\s])[ \t]*=[ \t]*$/.test(before) &&
    /^[ \t]*(?:[;#]|$|\n(?!\s*[-=([.+*/?,)\]}]))/.test(after)
  )
    return true;
  // on a line of its own: this is how code inside a string appears
  if (/(?:^|[^\\]\n)[ \t]*$/.test(before) && /^(?:[!:][^\n=]*)?[ \t]*(?:$|\n(?!\s*=))/.test(after))
    return bracket(code, index - 1, -1) < 0;
  return /[(,+]\s*$/.test(before) && /^\s*[),+]/.test(after) && isArgument(code, index);
}

/** Returns whether the brackets around a place are those of a call. */
function isArgument(code: string, index: number): boolean {
  const open = bracket(code, index - 1, -1);
  const word = /(?:^|[^\w$])(\.\s*)?([\w$]+)\s*$/.exec(code.slice(Math.max(0, open - 80), Math.max(0, open)));
  if (code[open] !== '(' || !word || (NO_CALL.has(word[2] as string) && !word[1])) return false;
  if (
    /\b(?:def|class|function\s*\*?)\s+$/.test(
      code.slice(Math.max(0, open - 90), open - (word[2]?.length ?? 0)),
    )
  )
    return false;
  const close = bracket(code, index, 1);
  // a method's parameters, and names that a generator binds
  return (
    code[close] === ')' &&
    !/^\s*(?:\{|=>|->)/.test(code.slice(close + 1, close + 20)) &&
    !/\bfor\b/.test(code.slice(open, close))
  );
}

/**
 * Returns the place of the bracket that is open at `from`, searching back (-1), or of the one that closes it
 * (1).
 */
function bracket(code: string, from: number, step: 1 | -1): number {
  const [inner, outer] = step === 1 ? [/[([{]/, /[)\]}]/] : [/[)\]}]/, /[([{]/];
  let depth = 0;
  for (let i = from; i >= 0 && i < code.length; i += step) {
    const sign = code[i] as string;
    if (inner.test(sign)) depth += 1;
    else if (outer.test(sign) && --depth < 0) return i;
  }
  return -1;
}

/**
 * Returns the strings that an argument may be. It must be a string itself, or a variable whose values are all
 * known.
 */
function valuesAt(
  code: string,
  from: number,
  at: LiteralAt,
  variables: Variables,
  end: RegExp,
): string[] | null {
  const rest = code.slice(from, from + 200);
  const match = /^\s*(\uE000|[A-Za-z_]\w*)\s*/.exec(rest);
  if (!match || !end.test(rest.slice(match[0].length))) return null;
  if (match[1] !== MARK) return variables.get(match[1] as string) ?? null;
  const text = at(from + match[0].indexOf(MARK));
  return text === null ? null : [text];
}

function inPython(code: string, at: LiteralAt): string[] | null {
  // other paths than those that are named, and other ways to write
  if (
    /\b(i?glob|rglob|iterdir|listdir|scandir|walk|parents?|with_suffix|with_name|with_stem|joinpath|os|shutil|io|gzip|zipfile|tarfile|sqlite3|logging)\b|\blambda\b|:=/.test(
      code.replace(/\bimport\s+[\w., \t]+/g, ''),
    )
  )
    return null;
  // `Path` under another name, or asked for another folder
  if (/\bPath\b(?!\s*\()/.test(code.replace(/\bimport\s+[^\n;]*/g, ''))) return null;
  if (!replacesText(code)) return null;
  const variables = variablesOf(
    code,
    at,
    /(?<![\w.])([A-Za-z_]\w*)[ \t]*=(?!=)[ \t]*(?:(?:pathlib\.)?Path[ \t]*\([ \t]*)?\uE000[ \t]*\)?[ \t]*(?=[\n;#]|$)/g,
    /\bfor\s+([A-Za-z_]\w*)\s+in\s*[[(]\s*\uE000(?:\s*,\s*\uE000)*\s*,?\s*[\])]\s*:/g,
  );
  const targets: string[] = [];
  const paths = new Set<string>();
  for (const match of code.matchAll(/(?<!\w)(\.\s*)?\b(open|Path)\s*\(/g)) {
    const from = (match.index ?? 0) + match[0].length;
    // the file of a path that is named elsewhere
    if (match[1] && match[2] === 'open') {
      const owner = /([A-Za-z_]\w*|\))\s*$/.exec(
        code.slice(Math.max(0, (match.index ?? 0) - 40), match.index),
      );
      if (!owner || (owner[1] !== ')' && !variables.has(owner[1] as string))) return null;
      continue;
    }
    const values = valuesAt(code, from, at, variables, match[2] === 'Path' ? /^\)/ : /^[,)]/);
    if (!values) return null;
    const rest = code.slice(from, from + 200);
    const assigned = /([A-Za-z_]\w*)\s*=\s*(?:pathlib\s*\.\s*)?$/.exec(
      code.slice(Math.max(0, from - 80), from - match[0].length),
    );
    if (assigned) paths.add(assigned[1] as string);
    const onlyReads =
      match[2] === 'Path'
        ? /^[^()]*\)\s*\.\s*(read_text|read_bytes|exists|is_file|stat)\b/.test(rest)
        : /^[^()]*\)/.test(rest) && !hasWriteMode(code, from, at);
    if (!onlyReads) targets.push(...values);
  }
  // `path / name` is another path
  if (/\)\s*\/|\uE000\s*\/|\/\s*\uE000/.test(code)) return null;
  for (const name of paths) if (new RegExp(`\\b${name}\\s*/|/\\s*${name}\\b`).test(code)) return null;
  return emptiesPython(code, at) ? null : targets;
}

/** Whether a call of `open` has a mode that writes, or one that is not known. */
function hasWriteMode(code: string, from: number, at: LiteralAt): boolean {
  const second = /^\s*(?:\uE000|\w+)\s*,\s*(?:mode\s*=\s*)?(\uE000|[^\s,)=]+)(\s*=)?/.exec(
    code.slice(from, from + 200),
  );
  if (!second || second[2]) return /\bmode\s*=/.test(code.slice(from, from + 200));
  if (second[1] !== MARK) return true;
  const place = from + second[0].lastIndexOf(MARK);
  return !/^r[bt]?$/.test(at(place) ?? 'w');
}

/**
 * Whether each `.replace(…)` has two arguments, as for a text. With one it may be the method of a path and
 * move the file.
 */
function replacesText(code: string): boolean {
  for (const match of code.matchAll(/\.\s*replace\s*\(/g)) {
    let depth = 1;
    let commas = 0;
    for (let i = (match.index ?? 0) + match[0].length; i < code.length && depth > 0; i++) {
      const sign = code[i] as string;
      if (/[([{]/.test(sign)) depth += 1;
      else if (/[)\]}]/.test(sign)) depth -= 1;
      else if (sign === ',' && depth === 1) commas += 1;
    }
    if (commas === 0) return false;
  }
  return true;
}

/** Whether a program writes an empty text, or opens a file for writing and writes nothing. */
function emptiesPython(code: string, at: LiteralAt): boolean {
  for (const match of code.matchAll(/\.\s*write(?:_text|_bytes|lines)?\s*\(\s*(\uE000)?\s*(\)?)/g)) {
    if (match[1] && match[2] && at((match.index ?? 0) + match[0].indexOf(MARK)) === null) return true;
    if (!match[1] && match[2]) return true;
  }
  return !/\.\s*write(_text|_bytes|lines)?\s*\(|\bdump\s*\(|\bfile\s*=/.test(code);
}

const IMPORTED =
  /\b(?:const|let|var|import)\s*\{[^{}]*\}\s*(?:=\s*(?:await\s*)?(?:require|import)\s*\(\s*\uE000\s*\)|from\s*\uE000)/g;

function inJavaScript(code: string, at: LiteralAt): string[] | null {
  if (/\b(Bun|Deno|chdir|promisify|call|apply|bind)\b/.test(code)) return null;
  // the places of the strings must stay where they are
  const rest = code.replace(IMPORTED, (statement) => statement.replace(/[^\uE000\n]/g, ' '));
  const variables = variablesOf(
    code,
    at,
    /(?<![\w.$])([A-Za-z_$][\w$]*)[ \t]*=(?![=>])[ \t]*\uE000(?=[ \t]*(?:[;,)]|\n(?!\s*[.+[(?`])|$))/g,
    /\bfor\s*\(\s*(?:const|let|var)\s+([A-Za-z_$][\w$]*)\s+of\s*\[\s*\uE000(?:\s*,\s*\uE000)*\s*,?\s*\]\s*\)/g,
  );
  const targets: string[] = [];
  for (const match of rest.matchAll(/\b(?:writeFile|appendFile)(?:Sync)?\b(\s*\()?/g)) {
    if (!match[1]) return null;
    const from = (match.index ?? 0) + match[0].length;
    const values = valuesAt(code, from, at, variables, /^,/);
    if (!values) return null;
    const text = /^\s*(?:\uE000|[\w$]+)\s*,\s*\uE000\s*[,)]/.exec(code.slice(from, from + 300));
    if (text && at(from + text[0].lastIndexOf(MARK)) === null) return null;
    targets.push(...values);
  }
  return targets;
}
