// Secrets known by the name in front of them: assignments, headers, flags, lines of configuration files.
import {
  codeLength,
  type Found,
  isCode,
  isCount,
  isEnvironment,
  isHarmlessLiteral,
  isReference,
  SYSTEM_PATH,
  withoutPunctuation,
} from './harmless-values.ts';
import { closingQuote, lineEnds, matches, OPENING, type Report, run, type Text, WORD } from './scan.ts';
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
  { after: FALLBACK, accept: isMixed },
  { after: AFTER_SPACE, before: INSTRUCTION },
  { after: AFTER_SPACE, accept: isSecretLike },
];
/** `docker build --secret id=npmrc,src=.npmrc` names a secret and where it comes from, not what it is. */
const MOUNTED = /^[ \t=]{1,4}["']?(?:id|type)=/;

/** Reports the values of assignments, headers, flags and configuration lines whose name says that they are secret. */
export function findNamedSecrets(view: string, report: Report): void {
  const text = { view, lineEnd: lineEnds(view) };
  for (const match of matches(NAMES, view)) {
    const end = match.index + match[0].length;
    const lead = view.slice(Math.max(0, match.index - 100), match.index);
    const before = /[\w.$-]*$/.exec(lead)?.[0] ?? '';
    const name = before + match[0];
    const nameStart = match.index - before.length;
    if (!startsWord(view, match.index) || HARMLESS_NAME.test(name.replace(/^\W+/, ''))) continue;
    // 1Password is a program
    if (/\barn:[\w:/-]*$/.test(lead) || /^1password$/i.test(name)) continue;
    if (/--secret$/.test(name) && MOUNTED.test(view.slice(end, end + 20))) continue;
    const found: Found = { nameStart: -1, name, separator: ':', spaced: true, start: end };
    const isFlag = /^--?\w/.test(name);
    const sign = run(ASSIGNED, view, end) ?? (isFlag ? run(FLAGGED, view, end) : null);
    if (match[1] !== undefined) {
      if (sign) reportMaybe(view, report, { ...found, nameStart, separator: sign[2] ?? ' ' }, sign[0]);
      NAMES.lastIndex = end;
      continue;
    }
    const around = lead.slice(0, lead.length - before.length);
    const next =
      sign ??
      (NAME_BESIDE.test(around) ? run(VALUE_BESIDE, view, end) : null) ??
      (/^pass(?:word|phrase)$/i.test(match[0]) ? run(QUOTED_NEXT, view, end) : null);
    let to = end;
    if (next !== null) {
      if (sign?.[2] !== undefined) {
        if (!/["'`]/.test(sign[1] ?? '')) found.nameStart = nameStart;
        // In `map[token] = x` the name is a variable, and a bare word behind the sign is a variable too.
        found.index = /^[ \t]*\]/.test(sign[1] ?? '');
        found.spaced = /\s$/.test(sign[0]);
      }
      found.separator = sign === null ? ':' : (sign[2] ?? ' ');
      found.start = end + next[0].length;
      found.header = sign?.[2] !== undefined && /(?:authorization|cookie)$/i.test(name);
      to = valueEnd(text, report, found);
    } else {
      const value = looseValue(view, end, lead);
      const start = value === undefined ? -1 : view.indexOf(value, end);
      if (value === undefined || isReference(value)) continue;
      to = start + value.length;
      report(start, to);
    }
    NAMES.lastIndex = Math.max(end, to);
  }
}

/** Reports an assigned value that looks random. Others are searched for names of their own. */
function reportMaybe(view: string, report: Report, found: Found, sign: string): void {
  const { name, separator, nameStart, start: end } = found;
  if (secrecyOf(name) === undefined) return;
  // `<Row key="…">` of a page's source
  if (name === 'key' && separator === '=' && !/\s$/.test(sign) && !inUrl(view, nameStart)) return;
  const open = run(OPENING, view, end + sign.length);
  const start = end + sign.length + (open?.[0].length ?? 0);
  const value = run(MAYBE_VALUE, view, start)?.[0].replace(/[.,;:)]+$/, '') ?? '';
  const from = secretStart(name, value);
  if (from >= 0) report(start + from, start + value.length);
}
const MAYBE_VALUE = /[^\s"'`\\,;&<>(){}[\]]{16,500}/y;
const inUrl = (view: string, nameStart: number) => nameStart > 0 && /[?&]/.test(view.charAt(nameStart - 1));

function looseValue(view: string, at: number, lead: string): string | undefined {
  for (const { after, before, accept } of LOOSE) {
    if (before?.test(lead) === false) continue;
    const value = run(after, view, at)?.[1];
    if (value !== undefined && accept?.(value) !== false) return value;
  }
  return undefined;
}

/** Of a sentence: whether a word mixes letters and digits and is not `16-byte`, `128bit`, `base64`, `sha256:…`. */
function isMixed(value: string): boolean {
  const plain = /^(?:\d+[-a-z]*$|sha|md5|base|utf|aes|rsa|hs\d|v\d|https?:)/i;
  return /\d/.test(value) && /[A-Za-z]/.test(value) && !plain.test(value);
}

/** Directly behind a name: whether a word has digits among letters and is no dashed words, hash or path. */
function isSecretLike(value: string): boolean {
  if (!/^[\w+/~.=!@#$%^&*-]{8,}$/.test(value) || !isMixed(value) || SYSTEM_PATH.test(value)) return false;
  if (/^(?:[\da-f]{40}|[\da-f]{64}|[\da-f]{8}-[\da-f-]{27})$/i.test(value)) return false;
  return /^(?:[^-_./]+|(?=.*[a-z])(?=.*[A-Z])(?=.*\d[^\d]*\d).{16,})$/.test(value);
}

// An unquoted value may contain quotes and delimiters. It ends where one closes something or the next name follows.
const UNQUOTED = /(?:[^\s"'`,;&<]|[,;&](?![\w.-]{1,64}[=:])|<(?!\/)|["'`](?![\s,;:)\]}>\\]|$))+/y;
const UNQUOTED_IN_URL = /[^\s"'`&#<>]+/y;
const REST_OF_LINE = /(?:[^\n\v"'`]|["'`](?![\s,;:)\]}>\\]|$))+/y;
const NUMBER = /\d{1,9}(?![\w.-])/y;
const BLOCK_SCALAR = /[|>][-+\d]{0,2}[ \t]*[\n\v]([ \t]+)[^\n\v]+(?:[\n\v]\1[^\n\v]+)*/y;
/** A placeholder of several words, such as `<your key here>`. */
const PLACEHOLDER_WORDS = /<[A-Za-z][\w' -]{0,60}>/y;

/** Returns the quote before a name. */
const enclosingQuote = (view: string, nameStart: number): string =>
  nameStart > 0 ? (/["'`]/.exec(view.charAt(nameStart - 1))?.[0] ?? '') : '';

/**
 * Reports the value of an assignment, or of a header behind its scheme (`Bearer`), unless it is code or a reference.
 * Returns where the search continues.
 */
function valueEnd(text: Text, report: Report, found: Found): number {
  const { view } = text;
  const { start, nameStart, separator, header } = found;
  const enclosing = enclosingQuote(view, nameStart);
  const open = run(OPENING, view, start);
  if (open !== null) {
    const [{ length }, slashes = '', quote = '"'] = open;
    // In `"password="` the second quote closes the string that contains the name.
    if (quote === enclosing || isClosing(view, start, start + length, quote)) return start;
    const to = closingQuote(text, start + length, quote, slashes.length);
    const from = Math.min(to, start + length + (header ? schemeLength(view, start + length) : 0));
    const value = view.slice(from, to);
    // A value of several lines is searched for names of its own instead.
    const lines = quote.length === 3 && value.includes('\n');
    if (lines || isReference(header ? withoutCookieNames(value) : value)) return from;
    if (header ? !isHeaderValue(found, value) : isHarmlessLiteral(value, found)) return from;
    report(from, to);
    return to;
  }
  if (header) return headerEnd(text, report, found, enclosing);
  const block = separator === ':' ? run(BLOCK_SCALAR, view, start) : null;
  if (block !== null) {
    report(start + block[0].search(/[\n\v]/), start + block[0].length);
    return start + block[0].length;
  }
  if (found.index === true || /^(?:[!=]==?|=>)$/.test(separator)) return start;
  if (run(PLACEHOLDER_WORDS, view, start) !== null) return start;
  if (isCount(found.name, run(NUMBER, view, start)?.[0] ?? '')) return start;
  const strict = isEnvironment(found);
  const code = codeLength(view, start, strict);
  if (code > 0) return start + code;
  const ofUrl = inUrl(view, nameStart);
  const value = run(ofUrl ? UNQUOTED_IN_URL : UNQUOTED, view, start)?.[0] ?? '';
  if (value === '') return start;
  if (isCode(view, value, found)) {
    const literal = run(FALLBACK, view, start + value.length);
    if (literal === null || isHarmlessLiteral(literal[1] ?? '', found)) return start;
    const to = start + value.length + literal[0].length;
    report(to - (literal[1] ?? '').length, to);
    return to;
  }
  let end = start + value.length;
  if (!ofUrl && isListed(view, found, end)) {
    const rest = run(REST_OF_LINE, view, start)?.[0] ?? '';
    end = Math.max(end, start + (/^.*?(?=\s#)/.exec(rest)?.[0] ?? rest).length);
  } else if (enclosing !== '' && separator === '=' && !found.spaced) {
    const close = closingQuote(text, start, enclosing, 0);
    const next = /[&;,][\w.-]{1,64}[=:]/.exec(view.slice(start, Math.min(close, start + 2_000)));
    end = Math.max(end, next === null ? close : start + next.index);
  } else if (!strict) {
    end = start + withoutPunctuation(value).length;
  }
  if (/["'`]/.test(view.charAt(end)))
    end -= /\\*$/.exec(view.slice(Math.max(start, end - 16), end))?.[0].length ?? 0;
  report(start, end);
  return end;
}

/** Whether the quote ends a string, as in `"token=" + x`: its line has an odd number before it and code behind it. */
function isClosing(view: string, at: number, after: number, quote: string): boolean {
  if (!/^[ \t]*(?:[+,;)\]}%]|$|[\n\v])/.test(view.slice(after, after + 20))) return false;
  const before = /[^\n\v]*$/.exec(view.slice(Math.max(0, at - 300), at))?.[0] ?? '';
  return (before.split(quote).length - 1) % 2 === 1;
}

const LINE_LEAD = String.raw`(?:^|[\n\v])[ \t]{0,40}(?:export |- |[#+>|-] ?)?`;
const LINE_START = new RegExp(`${LINE_LEAD}$`);
const NAMED_LINE = (sign: string) => `${LINE_LEAD}[\\w.-]{1,80}[ \\t]{0,40}${sign}`;
const LISTED: Record<string, { before: RegExp; after: RegExp }> = Object.fromEntries(
  [':', '='].map((sign) => [
    sign,
    {
      before: new RegExp(`${NAMED_LINE(sign)}[^\\n\\v]*$`),
      after: new RegExp(`^[^\\n\\v]*(?=[\\n\\v])${NAMED_LINE(sign)}`),
    },
  ]),
);

/** Whether the line is one of several `name=value` (or `name: value`) lines, where a value may contain spaces. */
function isListed(view: string, { nameStart, separator }: Found, end: number): boolean {
  const list = LISTED[separator];
  const before = view.slice(Math.max(0, nameStart - 300), Math.max(0, nameStart));
  const lead = nameStart < 0 ? null : LINE_START.exec(before);
  if (lead === null || list === undefined || (lead.index === 0 && nameStart > 300)) return false;
  return list.before.test(before.slice(0, lead.index)) || list.after.test(view.slice(end, end + 300));
}

const SCHEME = /(?:bearer|basic|digest|token|bot|oauth|negotiate|ntlm|api-?key|key|aws4-hmac-sha256)[ \t]+/iy;
const schemeLength = (view: string, at: number): number => run(SCHEME, view, at)?.[0].length ?? 0;
const withoutCookieNames = (value: string) => value.slice(0, 300).replace(/(?:^|; ?)[\w-]{1,60}=|=/g, '');

const isHeaderValue = ({ name, separator }: Found, value: string): boolean =>
  !/^[!=]==?$/.test(separator) && (/cookie$/i.test(name) ? /^[^\s=("'`]+=[^\s=>]/ : /./).test(value);

/** Reports the value of a header that has no quotes of its own: mostly the rest of its line. */
function headerEnd(text: Text, report: Report, found: Found, enclosing: string): number {
  const { view } = text;
  const { start, nameStart } = found;
  // The value of a header with a quoted name is quoted too, or is a variable, or Node's list of several cookies.
  const list = run(/\[\s{0,40}\\{0,16}["'`]([^\]]{1,4000}?)\\{0,16}["'`]\s{0,40}\]/dy, view, start)
    ?.indices?.[1];
  if (list && isHeaderValue(found, view.slice(...list))) report(...list);
  if (list || nameStart < 0) return list?.[1] ?? start;
  const from = start + schemeLength(view, start);
  // The rest of the line is read only when it will be redacted. Otherwise a long line would be read once per name.
  const first = /^[^\s"'`]*/.exec(view.slice(from, from + 300))?.[0] ?? '';
  const kind = view.slice(start, from);
  const cookie = /cookie$/i.test(found.name);
  if (!isHeaderValue(found, first) || isReference(cookie ? withoutCookieNames(first) : first)) return start;
  if (!cookie && (codeLength(view, from, false) > 0 || isCode(view, first, { ...found, start: from })))
    return start;
  const word = /^(?:bearer|basic|token|bot|api-?key|key)/i.test(kind);
  // A cookie's value may be quoted, so a quote before a semicolon does not end it.
  const rest = cookie ? /(?:[^\n\v"'`]|["'`](?![,:)\]}>\\]|$))+/y : kind ? /[^\n\v]+/y : REST_OF_LINE;
  const end =
    enclosing === ''
      ? from + (run(word ? WORD : rest, view, from)?.[0].length ?? 0)
      : closingQuote(text, from, enclosing, 0);
  report(from, end);
  return end;
}
