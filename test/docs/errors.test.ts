import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CODES } from '../../src/base/errors/codes.ts';

const listed = [
  ...(readFileSync('docs/errors.md', 'utf8').split('The codes:')[1] ?? '').matchAll(/(?<=^|, )`([a-z-]+)`/gm),
].map(([, code]) => code);

test('docs/errors.md lists the code of every problem', () => {
  expect(listed).toEqual(Object.values(CODES).sort());
});

test('each code is one word, and the code of one problem only', () => {
  const codes = Object.values(CODES);
  for (const code of codes) expect(code).toMatch(/^[a-z]+(-[a-z0-9]+)*$/);
  expect(new Set(codes).size).toBe(codes.length);
});
