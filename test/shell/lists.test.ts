import { readFileSync } from 'node:fs';
import { parse } from 'jsonc-parser';
import { expect, test } from 'vitest';
import { programs } from '../../src/shell/lists.ts';

const file = new URL('../../src/shell/lists.jsonc', import.meta.url);

test('a list holds its own names and those of the lists that it includes', () => {
  expect(programs('shells')).toContain('bash');
  expect([...programs('network-clients')]).toEqual(
    expect.arrayContaining([...programs('downloaders'), ...programs('sockets')]),
  );
});

test('a name that no list has throws at once', () => {
  expect(() => programs('downloader')).toThrow('lists.jsonc has no list “downloader”');
  expect(() => programs('toString')).toThrow('has no list “toString”');
});

test('the file is without faults: each list is found, and none names a program twice', () => {
  const errors: never[] = [];
  const lists: Record<string, string[]> = parse(readFileSync(file, 'utf8'), errors);
  expect(errors).toEqual([]);
  for (const [name, texts] of Object.entries(lists)) {
    expect(programs(name).size).toBeGreaterThan(0);
    const words = texts.flatMap((text) => text.split(' '));
    expect(words.filter((word, at) => !/^@?[^\s@*,]+\*?$/.test(word) || words.indexOf(word) !== at)).toEqual(
      [],
    );
  }
});
