/// <reference lib="es2024.string" />
// Everything that Lore stores, embeds, logs or sends to a model passes through `redactText` or `redactValue` first.
//
// Where to look for what is found:
// - provider-tokens.ts: tokens of GitHub, AWS, Slack and other providers, and JWTs, known by their shape
// - private-keys.ts: PEM, OpenSSH and PGP private key blocks
// - named-secrets.ts: values under a name such as `password`, and authorization and cookie headers
// - url-and-command-secrets.ts: passwords in URLs and command lines
// - credential-files.ts: password files, and variables of Terraform
// - encoded.ts: Base64 of all this
// - limits.ts: how much is kept
// - large.ts: redaction of large values beside the thread that answers
// - harmless-values.ts: values that stay because they only refer to a secret, or are code
import { LRUCache } from 'lru-cache';
import { findInCredentialFiles } from './credential-files.ts';
import { encoded } from './encoded.ts';
import { isCount, isReference } from './harmless-values.ts';
import { cutMark, cutTotal, MAX_TOTAL, sizeOf } from './limits.ts';
import { findNamedSecrets } from './named-secrets.ts';
import { findPrivateKeys } from './private-keys.ts';
import { findTokens } from './provider-tokens.ts';
import { matches, type Report } from './scan.ts';
import { secrecyOf, secretStart } from './secret-names.ts';
import { findInUrlsAndCommands } from './url-and-command-secrets.ts';

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
  if (redacted === text && text.length <= MAX_CLEAN) {
    clean.set(text, true);
  }
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

function redactSecrets(text: string): string {
  let clean = text;
  let ranges = findRanges(clean, findPrivateKeys, findTokens, findEncoded);
  // A token that stood directly beside a letter or digit may have hidden another one, so such a text is searched again.
  for (let round = 0; ranges.length > 0 && round < MAX_ROUNDS; round++) {
    const glued = ranges.some(({ start, end }) =>
      /[\p{L}\w/+-]/u.test(clean.slice(Math.max(0, start - 1), start) + clean.slice(end, end + 1)),
    );
    clean = replaceRanges(clean, ranges);
    ranges = glued ? findRanges(clean, findTokens) : [];
  }
  // Whether a named value is a secret depends on its line and the lines around it. Redacting there may change the
  // result, so the search is repeated until it finds nothing more.
  for (let round = 0; round < MAX_ROUNDS; round++) {
    ranges = findRanges(clean, findPrivateKeys, ...NAMED);
    if (ranges.length === 0) break;
    clean = replaceRanges(clean, ranges);
  }
  return clean;
}

const NAMED = [findNamedSecrets, findInUrlsAndCommands, findInCredentialFiles];
const findEncoded = encoded((text, report) => {
  const view = blankEscapes(text);
  for (const find of [findPrivateKeys, findTokens, ...NAMED]) find(view, report);
});

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
  const maxTotal = options?.maxTotal ?? MAX_TOTAL;
  const tooLarge = sizeOf(value, maxString, maxTotal) > maxTotal;
  return copy(tooLarge ? cutTotal(value, maxString) : value, maxString, 0) as T;
}

function copy(value: unknown, maxString: number, depth: number): unknown {
  if (typeof value === 'string') return redactString(value, maxString);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > 64) return '[too deep]';
  if (Array.isArray(value)) return value.map((item) => copy(item, maxString, depth + 1));
  const entries = Object.entries(value);
  const named = entries.find(
    ([key, name]) => /^(?:name|key|variable)$/i.test(key) && typeof name === 'string' && secrecyOf(name),
  )?.[1] as string | undefined;
  const seen = new Map<string, number>();
  const copied = entries.map(([key, item]): [string, unknown] => {
    const name = unused(redactString(key, maxString), seen);
    const about = named !== undefined && /^value$/i.test(key) ? named : key;
    const secrecy = secrecyOf(about);
    if (secrecy === 'secret' && !(typeof item === 'number' && isCount(about, `${item}`)))
      return [name, copySecret(item, maxString, depth + 1)];
    const part = copy(item, maxString, depth + 1);
    const start = secrecy === 'maybe' && typeof part === 'string' ? secretStart(about, part) : -1;
    return [name, start < 0 ? part : `${(part as string).slice(0, start)}[redacted]`];
  });
  // Object.fromEntries defines properties instead of assigning them, so a key `__proto__` stays a plain key.
  return Object.fromEntries(copied);
}

function copySecret(value: unknown, maxString: number, depth: number): unknown {
  if (typeof value === 'number' || typeof value === 'bigint') return '[redacted]';
  if (Array.isArray(value) && depth <= 64) return value.map((item) => copySecret(item, maxString, depth + 1));
  if (typeof value !== 'string') return copy(value, maxString, depth);
  if (value.length > MAX_STRING) return '[redacted]';
  const text = redactText(value);
  return text === '' || PLACEHOLDER.test(text) || isReference(text) ? text : '[redacted]';
}

/**
 * Returns the name, with ` (2)` and so on appended if it was used before: two redacted keys must not overwrite each
 * other.
 */
function unused(name: string, seen: Map<string, number>): string {
  const count = (seen.get(name) ?? 0) + 1;
  seen.set(name, count);
  return count === 1 ? name : unused(`${name} (${count})`, seen);
}

// What is read around a kept head or tail, and dropped after it was redacted: there a secret may have been cut in two.
// A secret is known by how it begins, so more is read in front of the tail: the longest private key.
const BEHIND_HEAD = 4_000;
const BEFORE_TAIL = 20_000;

/** Redacts a string and shortens it. Of a very long one only the two ends are redacted. */
function redactString(text: string, maxString: number): string {
  const half = Math.floor((maxString - 40) / 2);
  if (text.length <= 2 * (half + BEHIND_HEAD + BEFORE_TAIL)) {
    return shortenText(redactText(text), maxString);
  }
  const open = redactPrivate(storable(text));
  if (open.length < text.length / 2) return redactString(open, maxString);
  const head = redactSecrets(open.slice(0, half + 2 * BEHIND_HEAD));
  const tail = redactSecrets(open.slice(-half - 2 * BEFORE_TAIL));
  // A run without a break that began before what was read may be one long secret.
  const whole = tail.slice(BEFORE_TAIL).search(/[\s"'`,;]/);
  return joinEnds(
    head.slice(0, Math.max(0, head.length - BEHIND_HEAD)),
    whole < 0 ? '' : tail.slice(BEFORE_TAIL + whole),
    half,
    open.length - 2 * half,
  );
}

/** Returns a redacted text as `redactValue` shortens it: the head and the tail around a note of what was cut. */
export function shortenText(clean: string, maxString: number): string {
  const half = Math.floor((maxString - 40) / 2);
  return clean.length <= maxString ? clean : joinEnds(clean, clean, half, clean.length - 2 * half);
}

/**
 * Shortens the strings of a value that is redacted already, and the value itself, as `redactValue` does by default. The
 * result is the same as if the value had been shortened when it was redacted.
 */
export function shortenValue<T>(clean: T): T {
  const fits = sizeOf(clean, MAX_STRING, MAX_TOTAL) <= MAX_TOTAL;
  return shortenStrings(fits ? clean : cutTotal(clean, MAX_STRING), MAX_STRING) as T;
}

function shortenStrings(value: unknown, maxString: number): unknown {
  if (typeof value === 'string') return shortenText(value, maxString);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => shortenStrings(item, maxString));
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => [
    shortenText(key, maxString),
    shortenStrings(item, maxString),
  ]);
  return Object.fromEntries(entries);
}

/** Returns the first and the last `half` characters around a note. `cut` is how many are missing between them. */
function joinEnds(start: string, end: string, half: number, cut: number): string {
  let head = Math.min(half, start.length);
  let tail = Math.max(0, end.length - half);
  // Half a placeholder would not be readable, and redacting the text again would not recognise it.
  const mark = /\[(?:redacted(?::[a-z0-9-]+)?|private)\]/g;
  for (const { index, 0: found } of matches(mark, start))
    if (index < head && index + found.length > head) head = index;
  for (const { index, 0: found } of matches(mark, end))
    if (index < tail && index + found.length > tail) tail = index + found.length;
  if (/[\uD800-\uDBFF]/.test(start.charAt(head - 1))) head -= 1;
  if (/[\uDC00-\uDFFF]/.test(end.charAt(tail))) tail += 1;
  const missing = cut + (half - head) + (half - (end.length - tail));
  return start.slice(0, head) + cutMark(missing, 'characters') + end.slice(tail);
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

function findRanges(text: string, ...finders: ((view: string, report: Report) => void)[]): Range[] {
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
  for (const find of finders) find(view, report);
  return ranges;
}

/** Returns the text with escaped quotes and tabs decoded and escaped line ends as \v. No position changes. */
function blankEscapes(text: string): string {
  return text.replace(/\\[nrt]|\\u00(?:0[9AaDd]|2[27])|&(?:quot|apos|#34|#0?39);/g, (code) => {
    const decoded = ESCAPES.find(([pattern]) => pattern.test(code))?.[1] ?? ' ';
    return decoded.padStart(code.length);
  });
}

const ESCAPES: [RegExp, string][] = [
  [/^\\(?:n|u000a)/i, '\v'],
  [/22|quot|34/, '"'],
  [/27|apos|39/, "'"],
];

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
