// Names that say that their value is a secret: `db_password`, `apiKey`, `AUTH_TOKEN`.

import { readJsonc } from '../base/text/jsonc.ts';
import names from './secret-names.jsonc' with { type: 'text' };

type Patterns = 'keyOf' | 'words' | 'maybe' | 'suffix' | 'harmlessKey' | 'harmlessName';
const { keyOf, words, maybe, suffix, ...harmless } = readJsonc(names) as Record<Patterns, string>;
const WORDS = words.replace('{keyOf}', keyOf);
const SECRET_NAME = new RegExp(`(?:${WORDS})${suffix}$`, 'i');
const MAYBE_NAME = new RegExp(`(?:${maybe})${suffix}$`, 'i');
const HARMLESS_KEY = new RegExp(harmless.harmlessKey, 'i');
export const HARMLESS_NAME = new RegExp(harmless.harmlessName, 'i');
export const SECRET_WORD = new RegExp(`^(?:${keyOf})?(?:${WORDS})\\d?$`, 'i');
const KEY = new RegExp(`${keyOf}key$`, 'i');
/** Finds names. Group 1 is one whose value may be a secret. */
export const NAMES = new RegExp(`(?:${WORDS}|(${maybe}))${suffix}`, 'gi');

/**
 * Returns whether the value under this name is a secret (`db_password`, `apiKey`), or may be one, which then looks
 * random (`STRIPE_KEY`, `salt`). The name is an object key, a variable or a flag. `max_tokens` and `cacheKey` are none.
 */
export function secrecyOf(name: string): 'secret' | 'maybe' | undefined {
  const end = name.slice(-100);
  const match = SECRET_NAME.exec(end);
  if (match !== null) return !HARMLESS_NAME.test(end) && startsWord(end, match.index) ? 'secret' : undefined;
  const maybe = MAYBE_NAME.exec(end);
  return maybe !== null && !HARMLESS_KEY.test(end) && startsWord(end, maybe.index) ? 'maybe' : undefined;
}

/**
 * Returns false inside a longer word: `dbPass`, `DB_PASS` and `stripeKey` are names, `bypass` and `monkey` are not.
 */
export function startsWord(text: string, at: number): boolean {
  const word = text.slice(at, at + 7);
  if (!/^(?:pass(?![wpc])|pw|key|salt|pepper|web)/i.test(word)) return true;
  if (/^key/i.test(word) && KEY.test(text.slice(Math.max(0, at - 40), at + 3))) return true;
  if (/(?:require|ssh)$/i.test(text.slice(Math.max(0, at - 7), at))) return true;
  const before = text.charAt(at - 1);
  return !/[a-z]/i.test(before) || (/[a-z]/.test(before) && /[A-Z]/.test(text.charAt(at)));
}
const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

/**
 * Returns whether a word is made of random letters and digits: where these and upper case change often. Words, dates,
 * names of files, UUIDs and fingerprints are not.
 */
export function looksRandom(word: string): boolean {
  if (!/^(?:base64:)?[\w+/=~.-]{16,500}$/.test(word) || /\.[a-z]\w{0,4}$/i.test(word)) return false;
  // keys to press: `Ctrl+Shift+F12`
  if (word.includes('+') && word.length < 24) return false;
  const signs = word.replace(/^base64:|[^A-Za-z\d]/g, '');
  const changes = signs.match(/[a-z](?=[A-Z\d])|[A-Z](?=\d)|\d(?=[A-Za-z])/g)?.length ?? 0;
  return /\d/.test(signs) && signs.length >= 16 && changes >= signs.length / 4;
}

/** Returns where the random part of a URL begins, from its path on; -1 if it has none. Commits are none. */
export function randomPart(url: string): number {
  for (const { index, 0: part } of url.matchAll(/(?<=[/?&=])[^/?&=#@]+/g)) {
    if (UUID.test(part) || (looksRandom(part) && !/^[\da-f]{40}$/.test(part))) return index;
  }
  return -1;
}

/** Returns where the secret begins in a value whose name may be that of one; -1 if it is none. */
export function secretStart(name: string, value: string): number {
  if (/hook/i.test(name)) return randomPart(value);
  // a `key` is all and everything, also a hash
  if (/^.?key$/.test(name.toLowerCase()) && name !== 'KEY' && !/(?=.*[a-z])(?=.*[A-Z])/.test(value))
    return -1;
  return looksRandom(value) ? 0 : -1;
}
