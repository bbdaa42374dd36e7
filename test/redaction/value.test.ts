import { afterAll, expect, test } from 'vitest';
import { endThread, redactLarge } from '../../src/redaction/large.ts';
import { redactText, redactValue, WHOLE } from '../../src/redaction/redact.ts';
import { leak, rows, githubToken as token, tokens } from './rows.ts';

afterAll(endThread);

const other = tokens.find((one) => one.startsWith('gho_')) ?? '';

test.each(rows.json)('of a value of JSON, what is named a secret is removed: %j', (value, expected) => {
  expect(redactValue(value)).toEqual(expected);
});

test('secrets in object keys are removed, and no value overwrites another', () => {
  expect(
    redactValue({ [token]: 1, [other]: 2, [`a ${token}`]: 3, '<private>x</private>': 4, 'a\0b': 5 }),
  ).toEqual({
    '[redacted:github]': 1,
    '[redacted:github] (2)': 2,
    'a [redacted:github]': 3,
    '[private]': 4,
    ab: 5,
  });
});

test('__proto__ is a key like any other', () => {
  const output = redactValue(
    JSON.parse(`{"__proto__":{"polluted":"${token}"},"constructor":{"prototype":1}}`),
  );
  expect(Object.keys(output)).toEqual(['__proto__', 'constructor']);
  expect(Object.getPrototypeOf(output)).toBe(Object.prototype);
  expect(JSON.stringify(output)).toBe(
    '{"__proto__":{"polluted":"[redacted:github]"},"constructor":{"prototype":1}}',
  );
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

test('values nested more than 64 levels deep are cut off', () => {
  const nest = (levels: number) => JSON.parse(`${'{"a":'.repeat(levels)}["deep"]${'}'.repeat(levels)}`);
  expect(JSON.stringify(redactValue(nest(64)))).toContain('["deep"]');
  expect(JSON.stringify(redactValue(nest(65)))).toBe(`${'{"a":'.repeat(65)}"[too deep]"${'}'.repeat(65)}`);
  const secret = JSON.parse(`${'{"password":'.repeat(5_000)}"x"${'}'.repeat(5_000)}`);
  const list = JSON.parse(`{"password":${'['.repeat(5_000)}"x"${']'.repeat(5_000)}}`);
  expect(JSON.stringify(redactValue([secret, list]))).not.toContain('"x"');
});

test('NUL and lone surrogates do not hide a secret and do not reach the database', () => {
  expect(redactText(`${token.slice(0, 10)}\0${token.slice(10)}`)).toBe('[redacted:github]');
  expect(redactValue({ a: 'x\0y', b: '\ud800z', c: 'é😀' })).toEqual({ a: 'xy', b: '\ufffdz', c: 'é😀' });
});

test('a long string keeps its head and its tail', () => {
  const text = `head ${'middle '.repeat(10_000)}tail`;
  const output = redactValue(text);
  expect(output).toMatch(/^head middle .*… \[\d+ characters cut\] ….*middle tail$/);
  expect(output.length).toBeLessThanOrEqual(16_384);
  const cut = Number(/\[(\d+) characters cut\]/.exec(output)?.[1]);
  expect(output.replace(/… \[\d+ characters cut\] …/, '').length + cut).toBe(text.length);
  expect(redactValue('x'.repeat(16_384))).toHaveLength(16_384);
  expect(redactValue('abc '.repeat(100), { maxString: 100 }).length).toBeLessThanOrEqual(100);
});

test('private text counts in a long string, also in the part that is cut', () => {
  const text = 'secret '.repeat(200_000);
  expect(redactValue(`a <private>${text}`)).toBe('a [private]');
  expect(redactValue(`${text}</private> b`)).toBe('[private] b');
  expect(redactValue(`a <private>${text}</private> b`)).toBe('a [private] b');
  expect(redactValue({ a: 'x <private>y', b: 'z' })).toEqual({ a: 'x [private]', b: 'z' });
});

test('the small parts of a value that is too large are kept, and nothing of a secret is left', async () => {
  const many = {
    session_id: 's',
    lines: Array.from({ length: 30_000 }, (_, n) => `${n} ${token} ${'x'.repeat(40)}`),
    tool_use_id: 'x',
  };
  const output = await redactLarge(many);
  expect(JSON.stringify(output).length).toBeLessThan(3_000_000);
  expect(leak(JSON.stringify(output), token)).toBeUndefined();
  expect(output).toMatchObject({ session_id: 's', tool_use_id: 'x' });
});

test('a large value comes out of its thread as redactValue leaves it', async () => {
  const value = { stdout: `${'a line of a log\n'.repeat(20_000)}TOKEN=${token}\n`, lines: [7, null] };
  expect(await redactLarge(value)).toEqual(redactValue(value));
  expect(await redactLarge(value, WHOLE)).toMatchObject({ lines: [7, null] });
  const [one, two] = await Promise.all([redactLarge([value, 1]), redactLarge([value, 2])]);
  expect([one[1], two[1]]).toEqual([1, 2]);
});
