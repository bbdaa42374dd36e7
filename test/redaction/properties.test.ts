// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts quote shell and JavaScript
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { redactText, redactValue, shortenValue } from '../../src/redaction/redact.ts';
import { anyCharacter, anyText } from '../support/any-text.ts';
import { tries } from '../support/tries.ts';
import { keys, leak, rows, tokens, values } from './rows.ts';

// those that need nothing around them
const secrets = tokens.slice(0, 45).filter((token) => !token.includes('/'));
const named = values.flatMap((value) => [
  { text: `password="${value}"`, secret: value },
  { text: `DB_PASSWORD=${value}`, secret: value },
  { text: `{"apiKey":"${value}"}`, secret: value },
  {
    text: `postgres://app:${encodeURIComponent(value)}@db.example.org/app`,
    secret: encodeURIComponent(value),
  },
]);

// Pieces of what the patterns look for, so that random texts reach every branch.
const bits = [
  ...secrets.map((secret) => secret.slice(0, 12)),
  ...secrets,
  ...keys,
  ...rows.bits,
  '\0',
  '\ud800',
  '\udc00',
];
const texts = fc.oneof(
  anyText({ maxLength: 200 }),
  fc.array(fc.constantFrom(...bits), { maxLength: 25 }).map((parts) => parts.join('')),
  fc
    .array(fc.oneof(fc.constantFrom(...bits), fc.string({ maxLength: 12 })), { maxLength: 20 })
    .map((parts) => parts.join('')),
);

test('redacting twice changes nothing more', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const once = redactText(text);
      expect(redactText(once)).toBe(once);
    }),
    { numRuns: tries(1_500) },
  );
});

// Characters that may stand directly beside a token. A letter or digit would make it a different, longer word.
const beside = fc.constantFrom(...` \n"'\`=:,;()[]{}<>|/é。`, '\\n', '\\t', '\\"');

test('a token is removed at any place in any text', () => {
  fc.assert(
    fc.property(
      texts,
      beside,
      fc.constantFrom(...secrets),
      beside,
      texts,
      (before, left, secret, right, after) => {
        const around = redactText(before + left) + redactText(right + after);
        const found = leak(redactText(before + left + secret + right + after), secret);
        // The random text itself may contain a piece of the same secret that is too short to be recognised.
        if (found !== undefined) expect(around + before + after).toContain(found);
      },
    ),
    { numRuns: tries(1_500) },
  );
});

test('a named value is removed from its own line in any text', () => {
  fc.assert(
    fc.property(
      anyText({ maxLength: 80 }),
      fc.constantFrom(...named),
      anyText({ maxLength: 80 }),
      (before, { text, secret }, after) => {
        expect(leak(redactText(`${before}\n${text}\n${after}`), secret)).toBeUndefined();
      },
    ),
    { numRuns: tries(1_000) },
  );
});

test('a secret is removed from a text that is shortened, wherever the cut is', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...secrets),
      fc.nat(600),
      fc.integer({ min: 64, max: 400 }),
      fc.constantFrom('a b ', 'é😀 ', 'x=1\n'),
      (secret, place, maxString, filler) => {
        const text = filler.repeat(200);
        const input = `${text.slice(0, place)} ${secret} ${text.slice(place)}`;
        const output = redactValue(input, { maxString });
        expect(leak(output, secret)).toBeUndefined();
        expect(output.length).toBeLessThanOrEqual(maxString);
        expect(output.isWellFormed()).toBe(true);
      },
    ),
    { numRuns: tries(1_000) },
  );
});

test('any JSON value keeps its shape, can be stored, and does not change a second time', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6, stringUnit: anyCharacter }), (value) => {
      const output = redactValue(value);
      const stored = JSON.stringify(output);
      expect(stored).not.toMatch(/\\u0000|\\ud[89a-f]/i);
      expect(redactValue(output)).toEqual(output);
      expect(Array.isArray(output)).toBe(Array.isArray(value));
    }),
    { numRuns: tries(800) },
  );
});

test('shortening what was redacted whole gives what redacting and shortening at once gives', () => {
  const long = fc.tuple(texts, fc.integer({ min: 1, max: 400 })).map(([text, times]) => text.repeat(times));
  fc.assert(
    fc.property(fc.array(long, { maxLength: 4 }), (parts) => {
      const value = {
        stdout: parts.join(' ').slice(0, 60_000),
        list: parts.map((part) => part.slice(0, 30_000)),
      };
      const whole = redactValue(value, { maxString: 1_000_000 });
      expect(shortenValue(whole)).toEqual(redactValue(value));
    }),
    { numRuns: 40 },
  );
});
