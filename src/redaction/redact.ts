/// <reference lib="es2024.string" />
// Everything that Lore stores, embeds, logs or sends to a model passes through `redactText` or `redactValue` first.
//
// Where to look for what is found:
// - provider-tokens.ts: tokens of GitHub, AWS, Slack and other providers, and JWTs, known by their shape
// - private-keys.ts: PEM, OpenSSH and PGP private key blocks
// - named-secrets.ts: values under a name such as `password`, and authorization and cookie headers
// - url-and-command-secrets.ts: passwords in URLs and command lines
// - harmless-values.ts: values that stay because they only refer to a secret, or are code
import { isReference } from './harmless-values.ts';
import { findNamedSecrets } from './named-secrets.ts';
import { findPrivateKeys } from './private-keys.ts';
import { findTokens } from './provider-tokens.ts';
import type { Report } from './scan.ts';
import { isSecretName } from './secret-names.ts';
import { findInUrlsAndCommands } from './url-and-command-secrets.ts';

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
  if (/^\w{0,15}$/.test(text)) return text;
  let clean = redactPrivate(text.replaceAll('\0', '').toWellFormed());
  let ranges = findRanges(clean, findPrivateKeys, findTokens);
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
    ranges = findRanges(clean, findPrivateKeys, findNamedSecrets, findInUrlsAndCommands);
    if (ranges.length === 0) break;
    clean = replaceRanges(clean, ranges);
  }
  return clean;
}

/** Option of `redactValue` that cuts nothing: Lore accepts no text as long as this (in UTF-16 units). */
export const WHOLE = { maxString: 1_000_000 };

/**
 * Returns a deep copy of a JSON value that may be stored in jsonb or text columns.
 *
 * Strings and object keys go through `redactText`. A string or number under a secret's name (`password`, `apiKey`,
 * `authorization`, …) is redacted whole, and so is a `value` beside `name: 'DB_PASSWORD'`. Anything nested deeper
 * than 64 levels becomes `'[too deep]'`.
 * @param options.maxString longest string kept, in UTF-16 units (default 16,384, at least 64). A longer string is
 *   redacted first; then its head and tail are kept around `… [12345 characters cut] …`
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
  // Object.fromEntries defines properties instead of assigning them, so a key `__proto__` stays a plain key.
  return Object.fromEntries(copied);
}

function copySecret(value: unknown, maxString: number, depth: number): unknown {
  if (typeof value === 'number' || typeof value === 'bigint') return '[redacted]';
  if (Array.isArray(value) && depth <= 64) return value.map((item) => copySecret(item, maxString, depth + 1));
  if (typeof value !== 'string') return copy(value, maxString, depth);
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

function shorten(text: string, maxString: number): string {
  if (text.length <= maxString) return text;
  const half = Math.floor((maxString - 40) / 2);
  let head = half;
  let tail = text.length - half;
  // Half a placeholder would not be readable, and redacting the text again would not recognise it.
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
