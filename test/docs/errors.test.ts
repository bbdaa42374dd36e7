import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { codeOf } from '../../src/base/errors/problem.ts';

// Programs go by codes: a title that is worded anew must not change its code, and no code may be missing in the list.
test('docs/errors.md lists the code of every problem, and no other', () => {
  const list = readFileSync('docs/errors.md', 'utf8').split('The codes:')[1] ?? '';
  const listed = [...list.matchAll(/(?<=^|, )`([a-z-]+)`/gm)].map(([, code]) => code as string);
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.ts$/.test(file) && !file.startsWith('dashboard'))
    .map((file) => readFileSync(`src/${file}`, 'utf8'));
  const texts = sources.flatMap((code) => [...code.matchAll(/'([A-Z][^'\n]{3,50})'|"([A-Z][^"\n]{3,50})"/g)]);
  const kinds = sources.flatMap((code) => [
    ...code.matchAll(/(?:theOne(?:<[^(]*>)?\(.*, |kindOf(?:<[^(]*>)?\(\s*|\[(?=.*, list[A-Z]))'([a-z]+)'/g),
  ]);
  const made = new Set([
    ...texts.map(([, single, double]) => codeOf(single ?? double ?? '')),
    ...kinds.map(([, kind]) => codeOf(`${kind} not found`.replace(/^./, (first) => first.toUpperCase()))),
  ]);
  expect(listed.filter((code) => !made.has(code))).toEqual([]);
  const titles = sources.flatMap((code) => [
    ...code.matchAll(/new Problem\(\{[^{}]*?\btitle: (?:'([^']+)'|"([^"]+)")/g),
  ]);
  expect(titles.map(([, single, double]) => codeOf(single ?? double ?? ''))).toSatisfy((codes: string[]) =>
    codes.every((code) => listed.includes(code)),
  );
  expect(titles.length).toBeGreaterThan(50);
});
