import { z } from '@hono/zod-openapi';
import { redactText } from '../redaction/redact.ts';

/** Characters that nobody sees, or that turn the writing round. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\u115f\u1160\u3164\uffa0\u2800]|\p{M}{4}/u;

/** Alphabets with letters that look like those of another one. */
const ALPHABETS = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u, /\p{Script=Cherokee}/u];

/**
 * A name of a person, a key or a device. Lists show it, so it must be no secret that was pasted in the wrong place, and
 * show what it is.
 */
export const AccountName = z
  .string()
  .trim()
  .normalize('NFKC')
  .min(1)
  .max(100)
  .refine((name) => redactText(name) === name, 'looks like a secret, or holds what cannot be stored')
  .refine((name) => !INVISIBLE.test(name), 'has characters that cannot be seen: type it anew')
  .refine(
    (name) => ALPHABETS.filter((alphabet) => alphabet.test(name)).length <= 1,
    'mixes letters of two alphabets that look alike',
  );

/** Letters of other alphabets, and digits, that are read as Latin letters. */
const READ_AS = new Map(
  [
    ['аеорсухіјѕһӏԁԛԝвкмнт', 'aeopcyxijshldqwbkmht'],
    ['αονρικτυχωε', 'aovpiktuxwe'],
    ['01|', 'oll'],
  ].flatMap(([from = '', to = '']) => [...from].map((letter, n) => [letter, to[n] as string])),
);

/** Returns what a name looks like at a glance. Two people must not look alike: a member is named to be removed. */
export const looksLike = (name: string): string =>
  [...name.normalize('NFKD').toLowerCase().replace(/\p{M}/gu, '')]
    .map((letter) => READ_AS.get(letter) ?? letter)
    .join('')
    .replaceAll('i', 'l')
    .replace(/[\s._-]+/g, ' ');
