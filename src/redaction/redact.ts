/// <reference lib="es2024.string" />
// What Lore stores, embeds, logs or sends passes through here first.
//
// Provider tokens are found by the rules of secretlint's recommended preset, called directly: a rule's `file()` is
// synchronous and needs only `report()` and a translator, so @secretlint/core (asynchronous, 45-85 ms to import) is
// not used. What they miss (cut, escaped or documented tokens, other providers, values known only by their name) is
// in token-shapes.ts and named-secrets.ts.
import { isReference } from './harmless-values.ts';
import { findNamedSecrets } from './named-secrets.ts';
import { findPrivateKeys } from './private-keys.ts';
import { findTokens } from './provider-tokens.ts';
import type { Report } from './scan.ts';
import { isSecretName } from './secret-names.ts';
import { findInUrlsAndCommands } from './url-and-command-secrets.ts';

type Range = { start: number; end: number; kind: string | undefined };

// Each round only ever takes more away; two are the rule, more need text made for it.
const MAX_ROUNDS = 5;

const PLACEHOLDER = /^\[(?:redacted(?::[a-z0-9-]+)?|private)\]$/;

/**
 * The text without secrets and private parts.
 *
 * `<private>…</private>` becomes `[private]` (unclosed: to the end; closed but not opened: from the beginning); a
 * secret becomes `[redacted]` or, where its kind is known, `[redacted:github]`, and the name it stood under stays.
 * NUL is removed and lone surrogates become U+FFFD, which Postgres cannot store and which could hide a secret.
 * Deterministic, idempotent, linear in the text's length; never throws.
 */
export function redactText(text: string): string {
  // A token is longer and a name gives nothing away by itself; most keys and half of the values of an event are such.
  if (/^\w{0,15}$/.test(text)) return text;
  let clean = redactPrivate(text.replaceAll('\0', '').toWellFormed());
  let ranges = findRanges(clean, findPrivateKeys, findTokens);
  // Where a token had a letter or digit beside it, its placeholder may now uncover another one.
  for (let round = 0; ranges.length > 0 && round < MAX_ROUNDS; round++) {
    const glued = ranges.some(({ start, end }) =>
      /[\p{L}\w/+-]/u.test(clean.slice(Math.max(0, start - 1), start) + clean.slice(end, end + 1)),
    );
    clean = replaceRanges(clean, ranges);
    ranges = glued ? findRanges(clean, findTokens) : [];
  }
  // What a name gives away depends on its line and the lines beside it, so on what was redacted there.
  for (let round = 0; round < MAX_ROUNDS; round++) {
    ranges = findRanges(clean, findPrivateKeys, findNamedSecrets, findInUrlsAndCommands);
    if (ranges.length === 0) break;
    clean = replaceRanges(clean, ranges);
  }
  return clean;
}

/** Longer than any text that is let in: nothing is cut. */
export const WHOLE = { maxString: 1_000_000 };

/**
 * A deep copy of a JSON value for storage in jsonb or text columns: strings and object keys through `redactText`,
 * strings and numbers under secret names (`password`, `apiKey`, `authorization`, …, or beside `name: 'DB_PASSWORD'`)
 * redacted whole, containers deeper than 64 levels replaced by `'[too deep]'`.
 * @param options.maxString longest string kept, in UTF-16 units (default 16,384, at least 64): a longer one is
 *   redacted first, then keeps its head and tail around `… [12345 characters cut] …`
 */
export function redactValue<T>(value: T, options?: { maxString?: number }): T {
  return copy(value, Math.max(64, options?.maxString ?? 16_384), 0) as T;
}

function copy(value: unknown, maxString: number, depth: number): unknown {
  if (typeof value === 'string') return shorten(redactText(value), maxString);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > 64) return '[too deep]';
  if (Array.isArray(value)) return value.map((item) => copy(item, maxString, depth + 1));
  const entries = Object.entries(value);
  const named = entries.some(
    ([key, name]) => /^(?:name|key|variable)$/i.test(key) && typeof name === 'string' && isSecretName(name),
  );
  const seen = new Map<string, number>();
  const copied = entries.map(([key, item]): [string, unknown] => {
    const name = unused(shorten(redactText(key), maxString), seen);
    const secret = isSecretName(key) || (named && /^value$/i.test(key));
    return [name, secret ? copySecret(item, maxString, depth + 1) : copy(item, maxString, depth + 1)];
  });
  // fromEntries defines properties, so a key `__proto__` stays a plain key.
  return Object.fromEntries(copied);
}

function copySecret(value: unknown, maxString: number, depth: number): unknown {
  if (typeof value === 'number' || typeof value === 'bigint') return '[redacted]';
  if (Array.isArray(value) && depth <= 64) return value.map((item) => copySecret(item, maxString, depth + 1));
  if (typeof value !== 'string') return copy(value, maxString, depth);
  const text = redactText(value);
  return text === '' || PLACEHOLDER.test(text) || isReference(text) ? text : '[redacted]';
}

/** Two keys that redact to the same placeholder must not overwrite each other. */
function unused(name: string, seen: Map<string, number>): string {
  const count = (seen.get(name) ?? 0) + 1;
  seen.set(name, count);
  return count === 1 ? name : unused(`${name} (${count})`, seen);
}

function shorten(text: string, maxString: number): string {
  if (text.length <= maxString) return text;
  const half = Math.floor((maxString - 40) / 2);
  let head = half;
  let tail = text.length - half;
  // A placeholder cut in two would be neither readable nor recognised as one by the next pass.
  for (const { index, 0: mark } of text.matchAll(/\[(?:redacted(?::[a-z0-9-]+)?|private)\]/g)) {
    if (index < head && index + mark.length > head) head = index;
    if (index < tail && index + mark.length > tail) tail = index + mark.length;
  }
  if (/[\uD800-\uDBFF]/.test(text.charAt(head - 1))) head -= 1;
  if (/[\uDC00-\uDFFF]/.test(text.charAt(tail))) tail += 1;
  return `${text.slice(0, head)}… [${tail - head} characters cut] …${text.slice(tail)}`;
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
      // A closing tag without its opening one: the text was cut, so all before it was inside.
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

/** The same text, position for position, with escaped quotes and tabs decoded, and escaped line ends as \v. */
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
