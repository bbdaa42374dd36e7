// Secrets known by the name in front of them: assignments, headers, flags, lines of configuration files.
import { readJsonc } from '../base/text/jsonc.ts';
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
import loose from './loose-values.jsonc' with { type: 'text' };
import { closingQuote, matches, OPENING, type Report, run, WORD } from './scan.ts';
import { HARMLESS_NAME, NAMES, secrecyOf, secretStart, startsWord } from './secret-names.ts';

const ASSIGNED =
  /([ \t]{0,12}[\\"'`\])]{0,8}(?:[ \t]\[[^\]\n]{0,20}\])?[*_?!]{0,2}[ \t]{0,60})(:[ \t]{0,9}[&A-Za-z][\w.<>[\]]{0,40}(?:[ \t]\|[ \t]\w{1,20})?[ \t]{1,9}=(?![=>])|:=|=>|[!=]==?|[:=：]|%3D|\\u003d)[*_]{0,2}[ \t]{0,60}/y;
const VALUE_BESIDE = /\\{0,8}["']?[\s,]{1,40}\\{0,8}["']?value["'\\]{0,8}[ \t]?[:=][ \t]{0,9}/iy;
const NAME_BESIDE = /\b(?:name|key|variable)["'\\]{0,8}[ \t]?[:=][ \t]{0,9}\\{0,8}["']?$/i;
const FLAGGED = /\\{0,8}["'],[ \t]{0,9}(?=\S)|[ \t]{1,9}(?=[^\s|;&>)])/y;
const QUOTED_NEXT =
  /[ \t]{1,9}(?:FOR[ \t]{1,9}\S{1,100}[ \t]{0,9}=[ \t]{0,9})?(?=')|[ \t]{1,4}(?:is|was)[ \t]{1,4}(?=["'`])/iy;
/** Values that follow a name without an assignment. `before` is tested on the text up to the name. */
const LOOSE = (readJsonc(loose) as [after: string, accept?: string, before?: string][]).map(
  ([after, accept = '', before = '']) => ({
    after: new RegExp(after, 'iy'),
    accept: { mixed: isMixed, secret: isSecretLike }[accept],
    before: new RegExp(before, 'i'),
  }),
);

/** Reports the values of assignments, headers, flags and configuration lines whose name says that they are secret. */
export function findNamedSecrets(view: string, report: Report): void {
  for (const match of matches(NAMES, view)) {
    const end = match.index + match[0].length;
    const lead = view.slice(Math.max(0, match.index - 100), match.index);
    const before = /[\w.$-]*$/.exec(lead)?.[0] ?? '';
    const name = before + match[0];
    const nameStart = match.index - before.length;
    if (!startsWord(view, match.index) || HARMLESS_NAME.test(name.replace(/^\W+/, ''))) continue;
    // 1Password is a program
    if (/\barn:[\w:/-]*$/.test(lead) || /^1password$/i.test(name)) continue;
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
        found.spaced = /\s$/.test(sign[0]);
      }
      found.separator = sign === null ? ':' : (sign[2] ?? ' ');
      found.start = end + next[0].length;
      found.header = sign?.[2] !== undefined && /(?:authorization|cookie)$/i.test(name);
      to = valueEnd(view, report, found);
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
  const { name, start: end } = found;
  if (secrecyOf(name) === undefined) return;
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
    const value = before.test(lead) ? run(after, view, at)?.[1] : undefined;
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

/**
 * Reports the value of an assignment, or of a header behind its scheme (`Bearer`), unless it is code or a reference.
 * Returns where the search continues.
 */
function valueEnd(view: string, report: Report, found: Found): number {
  const { start, nameStart, separator, header } = found;
  const open = run(OPENING, view, start);
  if (open !== null) {
    const [{ length }, slashes = '', quote = '"'] = open;
    // In `"password="` the second quote closes the string that contains the name.
    if (nameStart > 0 && view.charAt(nameStart - 1) === quote) return start;
    const to = closingQuote(view, start + length, quote, slashes.length);
    const from = Math.min(to, start + length + (header ? schemeLength(view, start + length) : 0));
    const value = view.slice(from, to);
    if (isReference(header ? withoutCookieNames(value) : value)) return from;
    if (header ? !isHeaderValue(found, value) : isHarmlessLiteral(value, found)) return from;
    report(from, to);
    return to;
  }
  if (header) return headerEnd(view, report, found);
  const block = separator === ':' ? run(BLOCK_SCALAR, view, start) : null;
  if (block !== null) {
    report(start + block[0].search(/[\n\v]/), start + block[0].length);
    return start + block[0].length;
  }
  if (/^(?:[!=]==?|=>)$/.test(separator)) return start;
  if (run(PLACEHOLDER_WORDS, view, start) !== null) return start;
  if (isCount(found.name, run(NUMBER, view, start)?.[0] ?? '')) return start;
  const strict = isEnvironment(found);
  const code = codeLength(view, start, strict);
  if (code > 0) return start + code;
  const ofUrl = inUrl(view, nameStart);
  const value = run(ofUrl ? UNQUOTED_IN_URL : UNQUOTED, view, start)?.[0] ?? '';
  if (value === '') return start;
  if (isCode(view, value, found)) return start;
  const end = start + (strict ? value : withoutPunctuation(value)).length;
  report(start, end);
  return end;
}

const SCHEME = /(?:bearer|basic|digest|token|bot|oauth|negotiate|ntlm|api-?key|key|aws4-hmac-sha256)[ \t]+/iy;
const schemeLength = (view: string, at: number): number => run(SCHEME, view, at)?.[0].length ?? 0;
const withoutCookieNames = (value: string) => value.slice(0, 300).replace(/(?:^|; ?)[\w-]{1,60}=|=/g, '');

const isHeaderValue = ({ name, separator }: Found, value: string): boolean =>
  !/^[!=]==?$/.test(separator) && (/cookie$/i.test(name) ? /^[^\s=("'`]+=[^\s=>]/ : /./).test(value);

/** Reports the value of a header that has no quotes of its own: mostly the rest of its line. */
function headerEnd(view: string, report: Report, found: Found): number {
  const { start, nameStart } = found;
  // the value of a header with a quoted name is quoted too, or is a variable
  if (nameStart < 0) return start;
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
  const end = from + (run(word ? WORD : rest, view, from)?.[0].length ?? 0);
  report(from, end);
  return end;
}
