/// <reference lib="es2024.string" />
// Everything that Lore stores, embeds, logs or sends to a model passes through `redactText` or `redactValue` first.
import { LRUCache } from 'lru-cache';
import { findInOptions } from './command-options.ts';
import { isCount, isReference } from './harmless-values.ts';
import { cutMark, fitted } from './limits.ts';
import { findNamedSecrets } from './named-secrets.ts';
import { findInPlaces } from './places.ts';
import { findPrivateKeys } from './private-keys.ts';
import { findTokens } from './provider-tokens.ts';
import { matches, type Report } from './scan.ts';
import { secrecyOf, secretStart } from './secret-names.ts';

// Secrets in Base64: a run is redacted if its decoding contains a secret.
// A run over several lines, as `base64` and `openssl` write it: full lines, then a last one. Or a run on one line.
const FULL_LINE = '[A-Za-z0-9+/]{60,}';
const LINE_BREAK = '[ \\r]{0,2}[\\n\\v][ \\t]{0,16}';
const RUN = new RegExp(
  `(?<![\\w+/-])(?:${FULL_LINE}(?:${LINE_BREAK}${FULL_LINE})*(?:${LINE_BREAK}[A-Za-z0-9+/]{2,59})?={0,2}|[\\w+/-]{20,}={0,2})`,
  'g',
);
/** How a text begins. */
const TEXT = /^[\t\n\r\x20-\x7e]{7}/;

/**
 * Returns a finder of Base64 (also of its URL form, and of UTF-16 as PowerShell encodes commands) whose decoding
 * contains what `find` reports. Images, hashes and other binary data are not searched.
 */
const encoded =
  (find: (view: string, report: Report) => void) =>
  (view: string, report: Report): void => {
    for (const { index, 0: base64 } of matches(RUN, view)) {
      let found = false;
      const note = () => (found = true);
      if (TEXT.test(decoded(base64.slice(0, 20)))) find(decoded(base64), note);
      if (found) report(index, index + base64.length, 'base64');
    }
  };

function decoded(base64: string): string {
  const text = Buffer.from(base64, 'base64').toString('latin1');
  return text.charAt(1) === '\0' ? text.replaceAll('\0', '') : text;
}

/**
 * Raise this when rules find more than before: a night then goes over what the older rules have stored
 * (src/consolidation/redact-stored.ts).
 */
export const RULES_VERSION = 2;

type Range = { start: number; end: number; kind: string | undefined };

// Each round can only remove more. Two rounds are usual; only text crafted for it needs more.
const MAX_ROUNDS = 5;

const PLACEHOLDER = /^\[(?:redacted(?::[a-z0-9-]+)?|private)\]$/;

/**
 * Returns the text without secrets and private parts.
 *
 * `<private>…</private>` becomes `[private]`. Without a closing tag the private part reaches to the end of the text;
 * without an opening tag it starts at the beginning. A secret becomes `[redacted]`, or `[redacted:github]` where its
 * kind is known. The name in front of a secret stays.
 * NUL is removed and lone surrogates become U+FFFD: Postgres cannot store them, and they could hide a secret.
 * The function is deterministic, idempotent and linear in the text's length. It never throws.
 *
 * @example redactText('GITHUB_TOKEN=ghp_0123…') // 'GITHUB_TOKEN=[redacted:github]'
 */
export function redactText(text: string): string {
  // So short a word is no token, and a name alone is no secret. Most keys and half of an event's values end here.
  if (/^\w{0,15}$/.test(text) || clean.get(text)) return text;
  const redacted = redactSecrets(redactPrivate(storable(text)));
  if (redacted === text && text.length <= MAX_CLEAN) clean.set(text, true);
  return redacted;
}

/**
 * Short texts without secrets, because each event of a session repeats them: its id, its folder, its tool, its command.
 * A text with a secret is never kept here. All servers of a process may share it: it only saves a computation.
 */
const clean = new LRUCache<string, true>({ max: 2_000 });
const MAX_CLEAN = 300;

/** Returns the text as Postgres can store it. */
const storable = (text: string) => text.replaceAll('\0', '').toWellFormed();

const FINDERS = [findPrivateKeys, findTokens, findNamedSecrets, findInOptions, findInPlaces];
const findEncoded = encoded((text, report) => {
  const view = blankEscapes(text);
  for (const find of FINDERS) find(view, report);
});

function redactSecrets(text: string): string {
  let clean = text;
  // Whether something is a secret depends on what stands around it. Redacting there may change the result, so the search
  // is repeated until it finds nothing more.
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const ranges = findRanges(clean);
    if (ranges.length === 0) break;
    clean = replaceRanges(clean, ranges);
  }
  return clean;
}

export type RedactOptions = { maxString?: number; maxTotal?: number };

/** Options of `redactValue` that cut nothing: Lore accepts no text as long as this (in UTF-16 units). */
export const WHOLE: RedactOptions = { maxString: 1_000_000, maxTotal: Number.POSITIVE_INFINITY };
export const MAX_STRING = 16_384;

/**
 * Returns a deep copy of a JSON value that may be stored in jsonb or text columns.
 *
 * Strings and object keys go through `redactText`. A string or number under a secret's name (`password`, `apiKey`,
 * `authorization`, …) is redacted whole, and so is a `value` beside `name: 'DB_PASSWORD'`. Anything nested deeper
 * than 64 levels becomes `'[too deep]'`.
 * @param options.maxString longest string kept, in UTF-16 units (default 16,384, at least 64). Of a longer string the
 *   head and the tail are kept around `… [12345 characters cut] …`; nothing of a secret at the cut is left
 * @param options.maxTotal most that is kept of the value (default 1,000,000, see `sizeOf`); where more was cut, a note
 *   says how much
 */
export function redactValue<T>(value: T, options?: RedactOptions): T {
  const maxString = Math.max(64, options?.maxString ?? MAX_STRING);
  const kept = fitted(value, maxString, options?.maxTotal);
  return copy(kept, (text) => redactString(text, maxString), 0) as T;
}

/** Copies a value, with each string and key as `written`. What is named a secret is redacted. */
function copy(value: unknown, written: (text: string) => string, depth: number): unknown {
  if (typeof value === 'string') return written(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > 64) return '[too deep]';
  if (Array.isArray(value)) return value.map((item) => copy(item, written, depth + 1));
  const entries = Object.entries(value);
  const named = entries.find(
    ([key, name]) => /^(?:name|key|variable)$/i.test(key) && typeof name === 'string' && secrecyOf(name),
  )?.[1] as string | undefined;
  const copied = new Map<string, unknown>();
  for (const [key, item] of entries) {
    let name = written(key);
    // two redacted keys must not overwrite each other
    for (let n = 2; copied.has(name); n++) name = `${written(key)} (${n})`;
    const about = named !== undefined && /^value$/i.test(key) ? named : key;
    const secrecy = secrecyOf(about);
    const isSecret = secrecy === 'secret' && !(typeof item === 'number' && isCount(about, `${item}`));
    const part = isSecret ? copySecret(item, written, depth + 1) : copy(item, written, depth + 1);
    const start = secrecy === 'maybe' && typeof part === 'string' ? secretStart(about, part) : -1;
    copied.set(name, start < 0 ? part : `${(part as string).slice(0, start)}[redacted]`);
  }
  // Object.fromEntries defines properties instead of assigning them, so a key `__proto__` stays a plain key.
  return Object.fromEntries(copied);
}

function copySecret(value: unknown, written: (text: string) => string, depth: number): unknown {
  if (typeof value === 'number' || typeof value === 'bigint') return '[redacted]';
  if (Array.isArray(value) && depth <= 64) return value.map((item) => copySecret(item, written, depth + 1));
  if (typeof value !== 'string') return copy(value, written, depth);
  if (value.length > MAX_STRING) return '[redacted]';
  const text = redactText(value);
  return text === '' || PLACEHOLDER.test(text) || isReference(text) ? text : '[redacted]';
}

/** Of a string longer than this, and than what is kept, only the two ends are redacted, with so much around them: */
const MAX_REDACTED = 1_000_000;
const BEYOND = 20_000;

/** Redacts a string and shortens it. A secret is redacted before the cut, so that none is cut in two. */
function redactString(text: string, maxString: number): string {
  const most = Math.max(MAX_REDACTED, maxString);
  const open = text.length <= most ? text : redactPrivate(storable(text));
  if (open.length <= most) return shortenText(redactText(open), maxString);
  const half = Math.floor((maxString - 40) / 2);
  const head = redactSecrets(open.slice(0, half + BEYOND));
  const tail = redactSecrets(open.slice(-half - BEYOND));
  return joinEnds(head, tail, half, open.length - 2 * half);
}

/** Returns a redacted text as `redactValue` shortens it: the head and the tail around a note of what was cut. */
export function shortenText(clean: string, maxString: number): string {
  const half = Math.floor((maxString - 40) / 2);
  return clean.length <= maxString ? clean : joinEnds(clean, clean, half, clean.length - 2 * half);
}

/** Shortens the strings of a value that is redacted already, and the value itself, as `redactValue` does by default. */
export const shortenValue = <T>(clean: T): T =>
  copy(fitted(clean, MAX_STRING), (text) => shortenText(text, MAX_STRING), 0) as T;

/** Returns the first and the last `half` characters around a note. `cut` is how many are missing between them. */
function joinEnds(start: string, end: string, half: number, cut: number): string {
  // Half a placeholder would not be readable, and redacting the text again would not recognise it.
  const head = start.slice(0, half).replace(/\[[a-z0-9:-]{0,40}$|[\uD800-\uDBFF]$/, '');
  const tail = end.slice(-half).replace(/^[a-z0-9:-]{0,40}\]|^[\uDC00-\uDFFF]/, '');
  return head + cutMark(cut + 2 * half - head.length - tail.length, 'characters') + tail;
}

const PRIVATE_TAG =
  /(?:<|\\u003c|&lt;|&#60;|&#x3c;|%3c)\s{0,8}(\\{0,4}\/|%2f)?\s{0,8}private(?=[\s/>\\&%]|$)(?:\s{0,8}(?:>|\\u003e|&gt;|&#62;|&#x3e;|%3e))?/gi;

function redactPrivate(text: string): string {
  if (!/private/i.test(text)) return text;
  const ranges: Range[] = [];
  let depth = 0;
  let start = 0;
  for (const tag of text.matchAll(PRIVATE_TAG)) {
    if (tag[1] === undefined) {
      if (depth === 0) start = tag.index;
      depth += 1;
    } else {
      // A closing tag without an opening tag means that the text was cut, so everything before it was private.
      ranges.push({ start: depth > 0 ? start : 0, end: tag.index + tag[0].length, kind: 'private' });
      depth = Math.max(0, depth - 1);
    }
  }
  if (depth > 0) ranges.push({ start, end: text.length, kind: 'private' });
  return replaceRanges(text, ranges);
}

function findRanges(text: string): Range[] {
  const view = blankEscapes(text);
  const ranges: Range[] = [];
  const report: Report = (from, to, kind) => {
    let start = from;
    let end = to;
    while (start < end && /\s/.test(view.charAt(start))) start++;
    while (end > start && /\s/.test(view.charAt(end - 1))) end--;
    const known = end - start < 64 && PLACEHOLDER.test(text.slice(start, end));
    if (start < end && !known) ranges.push({ start, end, kind });
  };
  for (const find of [...FINDERS, findEncoded]) find(view, report);
  return ranges;
}

/** Returns the text with escaped quotes and tabs decoded and escaped line ends as \v. No position changes. */
function blankEscapes(text: string): string {
  return text.replace(/\\[nrt]|\\u00(?:0[9AaDd]|2[27])|&(?:quot|apos|#34|#0?39);/g, (code) => {
    const isQuote = /22|quot|34|(27|apos|39)/.exec(code);
    const decoded = isQuote ? (isQuote[1] ? "'" : '"') : /^\\(?:n|u000a)/i.test(code) ? '\v' : ' ';
    return decoded.padStart(code.length);
  });
}

function replaceRanges(text: string, ranges: Range[]): string {
  if (ranges.length === 0) return text;
  ranges.sort((a, b) => a.start - b.start || b.end - a.end);
  const merged: Range[] = [];
  for (const range of ranges) {
    const last = merged.at(-1);
    if (last === undefined || range.start >= last.end) merged.push({ ...range });
    else if (range.start === last.start && range.end === last.end) last.kind ??= range.kind;
    else if (range.end > last.end) {
      last.end = range.end;
      last.kind = last.kind === 'private' ? 'private' : undefined;
    }
  }
  let result = '';
  let at = 0;
  for (const { start, end, kind } of merged) {
    const mark = kind === undefined ? '[redacted]' : kind === 'private' ? '[private]' : `[redacted:${kind}]`;
    result += text.slice(at, start) + mark;
    at = end;
  }
  return result + text.slice(at);
}
