import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mentionsIn } from '../../src/notes/mentions.ts';

describe('names in a text', () => {
  test.each([
    [
      '@reviewer: please look, @planner. And (@Explore), "@a-b.c"',
      ['reviewer', 'planner', 'Explore', 'a-b.c'],
    ],
    ['@reviewer and @reviewer again', ['reviewer']],
    ['@plugin:tester, @müller', ['plugin:tester', 'müller']],
    // addresses, packages, calls
    ['mail ann@example.org or git@github.com:a/b, @ann@example.org', []],
    ['use @types/node and @acme/shop@1.2, decorate with @Injectable()', []],
    ['https://example.org/@ann and a/@b', []],
    ['@', []],
    ['@@a @-b', []],
    // code
    ['`@no` but @yes', ['yes']],
    ['``@no ` @no`` @yes', ['yes']],
    ['a ` alone does not hide @yes', ['yes']],
    ['a ` of one paragraph\n\nis not closed in ` @another', ['another']],
    ['```ts\n@no\n```\n@yes', ['yes']],
    ['~~~\n@no\n```\n@no\n~~~\n@yes', ['yes']],
    ['- ```\n  @no\n  ```\n- @yes', ['yes']],
    ['````\n```\n@no\n````\n@yes', ['yes']],
    ['```\n@never closed', []],
  ])('%j mentions %j', (text, names) => expect(mentionsIn(text)).toEqual(names));

  const word = fc.stringMatching(/^[a-z][a-z0-9_]{0,8}(-[a-z0-9]{1,5}){0,2}$/);
  const around = fc.constantFrom(' ', '\n', ', ', ' (', ') ', '. ', ' — ', '\n\n', ': ');

  test('outside of code every name is found, once, in its order', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(word, around), { maxLength: 20 }), (parts) => {
        const text = ` ${parts.map(([name, sign]) => `@${name}${sign}`).join(' ')}`;
        expect(mentionsIn(text)).toEqual([...new Set(parts.map(([name]) => name))]);
      }),
    );
  });

  test('what is put into code is not found, whatever stands around it', () => {
    fc.assert(
      fc.property(word, fc.string(), fc.constantFrom('`', '``', '```'), (name, other, ticks) => {
        const free = other.replace(/[`~@]/g, '');
        expect(mentionsIn(`${free}\n\nx ${ticks} @${name} ${ticks}\n\n${free}`)).toEqual([]);
        expect(mentionsIn(`${free}\n\n${'~'.repeat(3)}\n@${name}\n~~~\n${free}`)).toEqual([]);
      }),
    );
  });

  test('any text is read, and gives only names', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('@', 'a', '`', '\n', '~', '.', '-', ' ', '/') }),
        (text) => {
          for (const name of mentionsIn(text)) expect(text).toContain(`@${name}`);
        },
      ),
    );
  });

  test('there are at most a hundred', () => {
    expect(mentionsIn(Array.from({ length: 300 }, (_, i) => `@n${i}`).join(' '))).toHaveLength(100);
  });
});
