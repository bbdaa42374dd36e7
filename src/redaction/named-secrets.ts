// Secrets known by the name in front of them: assignments, headers, flags, lines of configuration files.
import {
  codeLength,
  type Found,
  isCode,
  isCount,
  isEnvironment,
  isHarmlessLiteral,
  isReference,
  PLACEHOLDER_WORDS,
  SYSTEM_PATH,
  withoutPunctuation,
} from './harmless-values.ts';
import { closingQuote, lineEnds, OPENING, type Report, run, type Text, WORD } from './scan.ts';
import { HARMLESS_NAME, NAMES, secrecyOf, secretStart, startsWord } from './secret-names.ts';

const ASSIGNED =
  /([ \t]{0,12}[\\"'`\])]{0,8}(?:[ \t]\[[^\]\n]{0,20}\])?[*_?!]{0,2}[ \t]{0,60})(:[ \t]{0,9}[&A-Za-z][\w.<>[\]]{0,40}(?:[ \t]\|[ \t]\w{1,20})?[ \t]{1,9}=(?![=>])|:=|=>|[!=]==?|[:=：]|%3D|\\u003d)[*_]{0,2}[ \t]{0,60}/y;
const VALUE_BESIDE = /\\{0,8}["']?[\s,]{1,40}\\{0,8}["']?value["'\\]{0,8}[ \t]?[:=][ \t]{0,9}/iy;
const NAME_BESIDE = /\b(?:name|key|variable)["'\\]{0,8}[ \t]?[:=][ \t]{0,9}\\{0,8}["']?$/i;
const FLAGGED = /\\{0,8}["'],[ \t]{0,9}(?=\S)|[ \t]{1,9}(?=[^\s|;&>)])/y;
// Lines such as `ENV API_KEY x` in a Dockerfile, or `requirepass x` and `masterauth x` in redis.conf.
const INSTRUCTION = /(?:^|[\n\v])[ \t]{0,20}(?:(?:ENV|ARG)[ \t]{1,9}\w*|require|master)$/i;
const QUOTED_NEXT =
  /[ \t]{1,9}(?:FOR[ \t]{1,9}\S{1,100}[ \t]{0,9}=[ \t]{0,9})?(?=')|[ \t]{1,4}(?:is|was)[ \t]{1,4}(?=["'`])/iy;
const AFTER_SPACE = /[ \t]{1,9}["']?([^\s"'`]+)/y;
const FALLBACK = /["'\])]{0,4}[ \t]{0,9}(?:\|\||\?\?)[ \t]{0,9}["'`]([^"'`\n\v]{6,})/y;
/** Values that follow a name without an assignment. `before` is tested on the text up to the name. */
const LOOSE: { after: RegExp; before?: RegExp; accept?: (value: string) => boolean }[] = [
  {
    after: /["']?(?:\s[^<>\n]{0,200})?>([^<>\n]+)<\//y,
    before: /<(?:[\w:.-]*|\w[^<>\n]*\bname=["'][\w.-]*)$/,
  },
  { after: /[ \t]{1,4}(?:is|was)[ \t]{1,4}(?:now[ \t])?([^\s"'`]{6,})/iy, accept: isMixed },
  { after: /是[ \t]?([^\s"'`，。]{6,})/y, accept: isMixed },
  { after: /\\{0,8}["'],[ \t]{0,9}\\{0,8}["']([^\s"'`\\]{6,})/y, accept: isMixed },
  { after: /[ \t]set[ \t][\w-]{1,80}[ \t](?:--body|-b)[ \t=]["']?([^\s"']+)/y },
  { after: FALLBACK, accept: (value) => isMixed(value) },
  { after: AFTER_SPACE, accept: isSecretLike },
];

/** `docker build --secret id=npmrc,src=.npmrc` names a secret and where it comes from, not what it is. */
const MOUNTED = /^[ \t=]{1,4}["']?(?:id|type)=/;

/** Reports the values of assignments, headers, flags and configuration lines whose name says that they are secret. */
export function findNamedSecrets(view: string, report: Report): void {
  const text = { view, lineEnd: lineEnds(view) };
  NAMES.lastIndex = 0;
  for (let match = NAMES.exec(view); match !== null; match = NAMES.exec(view)) {
    const end = match.index + match[0].length;
    const lead = view.slice(Math.max(0, match.index - 100), match.index);
    const before = /[\w.$-]*$/.exec(lead)?.[0] ?? '';
    const name = before + match[0];
    if (!startsWord(view, match.index) || HARMLESS_NAME.test(name.replace(/^\W+/, ''))) continue;
    if (/\barn:[\w:/-]*$/.test(lead)) continue;
    if (match[1] !== undefined) {
      reportMaybe(text, report, { name, end, nameStart: match.index - before.length });
      NAMES.lastIndex = end;
      continue;
    }
    // 1Password is a program, and what follows is what it says
    if (/^1password$/i.test(name)) continue;
    if (/--secret$/.test(name) && MOUNTED.test(view.slice(end, end + 20))) continue;
    const nameStart = match.index - before.length;
    const found: Found = { nameStart: -1, name, separator: ':', spaced: true, start: end };
    const sign = run(ASSIGNED, view, end);
    if (sign !== null) {
      if (!/["'`]/.test(sign[1] ?? '')) found.nameStart = nameStart;
      found.separator = sign[2] ?? '';
      found.spaced = /\s$/.test(sign[0]);
      found.start = end + sign[0].length;
      // In `map[token] = x` the name is a variable, and a bare word behind the sign is a variable too.
      found.index = /^[ \t]*\]/.test(sign[1] ?? '');
      const header = /(?:authorization|cookie)$/i.test(name);
      NAMES.lastIndex = Math.max(
        end,
        header ? reportHeader(text, report, found) : reportValue(text, report, found),
      );
      continue;
    }
    const around = lead.slice(0, lead.length - before.length);
    const beside = NAME_BESIDE.test(around) ? run(VALUE_BESIDE, view, end) : null;
    const flag = /^--?\w/.test(name) ? run(FLAGGED, view, end) : null;
    const quoted = /^pass(?:word|phrase)$/i.test(match[0]) ? run(QUOTED_NEXT, view, end) : null;
    const next = beside ?? flag ?? quoted;
    if (next !== null) {
      found.separator = flag === null ? ':' : ' ';
      found.start = end + next[0].length;
      NAMES.lastIndex = Math.max(end, reportValue(text, report, found));
      continue;
    }
    const value = INSTRUCTION.test(lead) ? run(AFTER_SPACE, view, end)?.[1] : looseValue(view, end, lead);
    if (value === undefined || isReference(value)) continue;
    const start = view.indexOf(value, end);
    report(start, start + value.length);
    NAMES.lastIndex = start + value.length;
  }
}

/** Reports an assigned value that looks random. Others are searched for names of their own. */
function reportMaybe(text: Text, report: Report, { name, end, nameStart }: Named): void {
  const { view } = text;
  const sign = run(ASSIGNED, view, end) ?? (/^--?\w/.test(name) ? run(FLAGGED, view, end) : null);
  if (sign === null || secrecyOf(name) === undefined) return;
  const [whole, , separator = ' '] = sign;
  const inUrl = /[?&]/.test(view.charAt(nameStart - 1));
  // `<Row key="…">` of a page's source
  if (name === 'key' && separator === '=' && !/\s$/.test(whole) && !inUrl) return;
  const open = run(OPENING, view, end + whole.length);
  const start = end + whole.length + (open?.[0].length ?? 0);
  const value = run(MAYBE_VALUE, view, start)?.[0].replace(/[.,;:)]+$/, '') ?? '';
  const from = secretStart(name, value);
  if (from >= 0) report(start + from, start + value.length);
}
type Named = { name: string; end: number; nameStart: number };
const MAYBE_VALUE = /[^\s"'`\\,;&<>(){}[\]]{16,500}/y;

function looseValue(view: string, at: number, lead: string): string | undefined {
  for (const { after, before, accept } of LOOSE) {
    const value = run(after, view, at)?.[1];
    if (value !== undefined && before?.test(lead) !== false && accept?.(value) !== false) return value;
  }
  return undefined;
}

/**
 * For words of a sentence: returns whether it mixes letters and digits and is not `16-byte`, `128bit`, `base64`,
 * `sha256:…`.
 */
function isMixed(value: string): boolean {
  const plain = /^(?:\d+[-a-z]*$|sha|md5|base|utf|aes|rsa|hs\d|v\d|https?:)/i;
  return /\d/.test(value) && /[A-Za-z]/.test(value) && !plain.test(value);
}

/**
 * For a word directly behind a name: returns whether it has digits among letters and is no dashed words, hash or path.
 */
function isSecretLike(value: string): boolean {
  if (!/^[\w+/~.=!@#$%^&*-]{8,}$/.test(value) || !isMixed(value) || SYSTEM_PATH.test(value)) return false;
  if (/^(?:[\da-f]{40}|[\da-f]{64}|[\da-f]{8}-[\da-f-]{27})$/i.test(value)) return false;
  if (/^[^-_./]+$/.test(value)) return true;
  return value.length >= 16 && /[a-z]/.test(value) && /[A-Z]/.test(value) && /\d[^\d]*\d/.test(value);
}

// An unquoted value may contain quotes and delimiters. It ends where one closes something or the next name follows.
const UNQUOTED = /(?:[^\s"'`,;&<]|[,;&](?![\w.-]{1,64}[=:])|<(?!\/)|["'`](?![\s,;:)\]}>\\]|$))+/y;
const UNQUOTED_IN_URL = /[^\s"'`&#<>]+/y;
const NUMBER = /\d{1,9}(?![\w.-])/y;
const REST_OF_LINE = /(?:[^\n\v"'`]|["'`](?![\s,;:)\]}>\\]|$))+/y;
// A cookie's value may be quoted, so a quote before a semicolon does not end a cookie header.
const COOKIE_LINE = /(?:[^\n\v"'`]|["'`](?![,:)\]}>\\]|$))+/y;
const WHOLE_LINE = /[^\n\v]+/y;
const LIST_NEXT = /\\{0,16}["'`]\s{0,4},\s{0,40}(?=\\{0,16}["'`])/y;
const LIST_OPENING = /\[\s{0,40}(?=\\{0,16}["'`])/y;
const BLOCK_SCALAR = /[|>][-+\d]{0,2}[ \t]*[\n\v]([ \t]+)[^\n\v]+(?:[\n\v]\1[^\n\v]+)*/y;

/** Reports the value of an assignment unless it is code or a reference. Returns where the search continues. */
function reportValue(text: Text, report: Report, found: Found): number {
  const { view } = text;
  const { start, nameStart } = found;
  const enclosing = nameStart > 0 ? (/["'`]/.exec(view.charAt(nameStart - 1))?.[0] ?? '') : '';
  const open = run(OPENING, view, start);
  if (open !== null) {
    // In `"password="` the second quote closes the string that contains the name.
    if (open[2] === enclosing) return start;
    const from = start + open[0].length;
    if (isClosing(view, start, from, open[2] ?? '"')) return start;
    const to = closingQuote(text, from, open[2] ?? '"', open[1]?.length ?? 0);
    const value = view.slice(from, to);
    // A value of several lines is searched for names of its own instead.
    const lines = open[2]?.length === 3 && value.includes('\n');
    if (lines || isReference(value) || isHarmlessLiteral(value, found)) return from;
    report(from, to);
    return to;
  }
  const block = found.separator === ':' ? run(BLOCK_SCALAR, view, start) : null;
  if (block !== null) {
    report(start + block[0].search(/[\n\v]/), start + block[0].length);
    return start + block[0].length;
  }
  if (found.index === true || /^(?:[!=]==?|=>)$/.test(found.separator)) return start;
  if (run(PLACEHOLDER_WORDS, view, start) !== null) return start;
  if (isCount(found.name, run(NUMBER, view, start)?.[0] ?? '')) return start;
  const strict = isEnvironment(found);
  const code = codeLength(view, start, strict);
  if (code > 0) return start + code;
  const inUrl = nameStart > 0 && /[?&]/.test(view.charAt(nameStart - 1));
  const value = run(inUrl ? UNQUOTED_IN_URL : UNQUOTED, view, start)?.[0] ?? '';
  if (value === '') return start;
  if (isCode(view, value, found)) {
    const literal = run(FALLBACK, view, start + value.length);
    if (literal === null || isHarmlessLiteral(literal[1] ?? '', found)) return start;
    const to = start + value.length + literal[0].length;
    report(to - (literal[1] ?? '').length, to);
    return to;
  }
  let end = start + value.length;
  if (!inUrl && isListed(view, found, end)) {
    const rest = run(REST_OF_LINE, view, start)?.[0] ?? '';
    end = Math.max(end, start + (/^.*?(?=\s#)/.exec(rest)?.[0] ?? rest).length);
  } else if (enclosing !== '' && found.separator === '=' && !found.spaced) {
    const close = closingQuote(text, start, enclosing, 0);
    const next = /[&;,][\w.-]{1,64}[=:]/.exec(view.slice(start, Math.min(close, start + 2_000)));
    end = Math.max(end, next === null ? close : start + next.index);
  } else if (!strict) {
    end -= value.length - withoutPunctuation(value).length;
  }
  if (/["'`]/.test(view.charAt(end)))
    end -= /\\*$/.exec(view.slice(Math.max(start, end - 16), end))?.[0].length ?? 0;
  report(start, end);
  return end;
}

/**
 * Returns whether the quote ends a string, as in `"token=" + x`: its line has an odd number before it and code behind
 * it.
 */
function isClosing(view: string, at: number, after: number, quote: string): boolean {
  if (!/^[ \t]*(?:[+,;)\]}%]|$|[\n\v])/.test(view.slice(after, after + 20))) return false;
  const before = /[^\n\v]*$/.exec(view.slice(Math.max(0, at - 300), at))?.[0] ?? '';
  return (before.split(quote).length - 1) % 2 === 1;
}

const LINE_LEAD = String.raw`[ \t]{0,40}(?:export |- |[#+>|-] ?)?`;
const LISTED = [':', '='].map((sign) => ({
  sign,
  before: new RegExp(`(?:^|[\\n\\v])${LINE_LEAD}[\\w.-]{1,80}[ \\t]{0,40}${sign}[^\\n\\v]*$`),
  after: new RegExp(`^[^\\n\\v]*[\\n\\v]${LINE_LEAD}[\\w.-]{1,80}[ \\t]{0,40}${sign}`),
}));
const LINE_START = new RegExp(`(?:^|[\\n\\v])${LINE_LEAD}$`);

/**
 * Returns whether the line is one of several `name=value` (or `name: value`) lines, where a value may contain spaces.
 */
function isListed(view: string, { nameStart, separator }: Found, end: number): boolean {
  const list = LISTED.find(({ sign }) => sign === separator);
  if (nameStart < 0 || list === undefined) return false;
  const before = view.slice(Math.max(0, nameStart - 300), nameStart);
  const lead = LINE_START.exec(before);
  if (lead === null || (lead.index === 0 && nameStart > 300)) return false;
  return list.before.test(before.slice(0, lead.index)) || list.after.test(view.slice(end, end + 300));
}

const SCHEME = /(?:bearer|basic|digest|token|bot|oauth|negotiate|ntlm|api-?key|key|aws4-hmac-sha256)[ \t]+/iy;

/** Reports the value behind `Authorization:` or `Cookie:`, or each value of Node's list `'set-cookie': [ 'sid=…' ]`. */
function reportHeader(text: Text, report: Report, found: Found): number {
  const { view } = text;
  const list = run(LIST_OPENING, view, found.start);
  let end = reportHeaderValue(text, report, { ...found, start: found.start + (list?.[0].length ?? 0) });
  for (let next = list; next !== null; ) {
    next = run(LIST_NEXT, view, end);
    if (next !== null) end = reportHeaderValue(text, report, { ...found, start: end + next[0].length });
  }
  return end;
}

/** Reports the value of a header without its scheme (`Bearer`). Returns where the search continues. */
function reportHeaderValue(text: Text, report: Report, found: Found): number {
  const { view } = text;
  const { nameStart } = found;
  if (/^[!=]==?$/.test(found.separator)) return found.start;
  const enclosing = nameStart > 0 ? (/["'`]/.exec(view.charAt(nameStart - 1))?.[0] ?? '') : '';
  const open = run(OPENING, view, found.start);
  if (open !== null && open[2] === enclosing) return found.start;
  let start = found.start + (open?.[0].length ?? 0);
  const quote = open?.[2] ?? enclosing;
  const close = quote === '' ? undefined : closingQuote(text, start, quote, open?.[1]?.length ?? 0);
  // The rest of the line is read only when it will be redacted. Otherwise a long line would be read once per name.
  const peek = view.slice(start, Math.min(close ?? view.length, start + 300));
  let rest = REST_OF_LINE;
  if (/cookie$/i.test(found.name)) {
    rest = COOKIE_LINE;
    if (!/^[^\s=("'`]+=[^\s=>]/.test(peek)) return found.start;
    if (isReference(peek.replace(/(?:^|; ?)[\w-]{1,60}=|=/g, ''))) return found.start;
  } else {
    const kind = run(SCHEME, peek, 0)?.[0] ?? '';
    start += kind.length;
    const value = peek.slice(kind.length);
    const first = /^\S*/.exec(value)?.[0] ?? '';
    if (first === '' || isReference(value) || isReference(first)) return found.start;
    if (open === null) {
      // The value of a header with a quoted name is quoted too, or is a variable.
      if (nameStart < 0) return found.start;
      if (codeLength(view, start, false) > 0 || isCode(view, first, { ...found, start })) return found.start;
      if (/^(?:bearer|basic|token|bot|api-?key|key)/i.test(kind)) rest = WORD;
      else if (kind !== '') rest = WHOLE_LINE;
    }
  }
  const end = close ?? start + (run(rest, view, start)?.[0].length ?? 0);
  report(start, end);
  return end;
}
