import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compactMemory, isTooLong, withEntry, withoutEntry } from '../../src/skills/memory.ts';
import {
  joinSkillFile,
  readFrontMatter,
  splitSkillFile,
  writeFrontMatter,
} from '../../src/skills/skill-file.ts';
import { estimateTokens } from '../../src/text/tokens.ts';
import { anyText } from '../support/any-text.ts';
import { tries } from '../support/tries.ts';

const line = fc.constantFrom(
  ...[
    '---',
    '## Memory',
    '##  memory ',
    '# A',
    '## B',
    '### C',
    '- one',
    '  two',
    '',
    ' ',
    'text',
    '```',
    '~~~',
    '````js',
  ],
  ...['description: a: b', 'name: x', 'category: "c"', '\uFEFF---', 'tools: [a, b] # why', '> folded', '\tx'],
);
const file = fc
  .tuple(fc.array(line, { maxLength: 25 }), fc.constantFrom('\n', '\r\n'), fc.boolean())
  .map(([lines, end, last]) => lines.join(end) + (last ? end : ''));

describe('a SKILL.md', () => {
  test('taken apart and joined again is the same, byte for byte', () => {
    fc.assert(
      fc.property(file, (text) => joinSkillFile(splitSkillFile(text)) === text),
      { numRuns: tries(3_000) },
    );
    fc.assert(fc.property(anyText(), (text) => joinSkillFile(splitSkillFile(text)) === text));
  });

  test('gives back a memory that was put into it', () => {
    const entry = fc.constantFrom('- a', '- b\n  more', '### Why', 'a paragraph', '- `code`');
    const memory = fc.array(entry, { minLength: 1, maxLength: 6 }).map((entries) => entries.join('\n'));
    const calm = file.filter((text) => !/`{3}|~{3}/.test(text));
    fc.assert(
      fc.property(calm, memory, (text, noted) => {
        const parts = splitSkillFile(text);
        expect(splitSkillFile(joinSkillFile({ ...parts, memory: noted })).memory).toBe(noted);
      }),
      { numRuns: tries(2_000) },
    );
  });

  test('has no heading inside of a code block', () => {
    const text = 'a\n```\n## Memory\nnot this\n```\n## Memory\n- this\n```\n## B\n```\n## C\n';
    expect(splitSkillFile(text)).toMatchObject({ memory: '- this\n```\n## B\n```', frontMatter: '' });
  });

  test('tells its fields, also if they are no YAML', () => {
    const read = (inside: string) => readFrontMatter(`---\n${inside}\n---\n`);
    expect(read('name: a\ndescription: >\n  two\n  lines\nx: 1')).toEqual({
      ...{ description: 'two lines', category: null, config: { x: 1 } },
    });
    expect(read('description: Use when: asked\nallowed-tools: [a')).toEqual({
      ...{ description: 'Use when: asked', category: null, config: {} },
    });
    expect(read('description: "a: b')).toMatchObject({ config: {} });
    expect(read(`a: ${'{'.repeat(20_000)}`)).toEqual({ description: null, category: null, config: {} });
  });

  test('keeps every other byte when a field is written', () => {
    const before =
      '---\n# top\nname: n\ndescription: >-\n  long\n  text\ntools: [ a,  b ] # why\nold: {x: 1}\n# end\n---\n';
    const fields = {
      name: 'n',
      description: 'Say: it',
      category: 'c',
      config: { tools: ['a', 'b'], fresh: [1] },
    };
    expect(writeFrontMatter(before, fields)).toBe(
      '---\n# top\nname: n\ndescription: "Say: it"\ntools: [ a,  b ] # why\ncategory: c\nfresh:\n  - 1\n---\n',
    );
    expect(writeFrontMatter('', fields)).toMatch(/^---\nname: n\ndescription: "Say: it"\ncategory: c\n/);
    expect(writeFrontMatter('---\na: b: c\n---\n', fields)).toBeNull();
    const name = fc
      .stringMatching(/^[a-z]{1,8}$/)
      .filter((one) => !['name', 'description', 'category'].includes(one));
    const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.array(fc.string(), { maxLength: 3 }));
    const config = fc.dictionary(name, value, { maxKeys: 4, noNullPrototype: true });
    const said = fc.string().map((text) => text.trim() || 'x');
    fc.assert(
      fc.property(said, said, config, config, (one, two, first, second) => {
        const made = writeFrontMatter('', {
          name: 'n',
          description: one,
          category: null,
          config: first,
        }) as string;
        const again = { name: 'n', description: two, category: 'c', config: second };
        expect(readFrontMatter(writeFrontMatter(made, again) as string)).toEqual({
          ...{ description: two, category: 'c', config: second },
        });
      }),
      { numRuns: tries(500) },
    );
  });
});

describe('a memory', () => {
  const entry = fc
    .tuple(
      fc.constantFrom('- ', '* ', '1. ', '', '### '),
      fc.string({ minLength: 1, maxLength: 400 }),
      fc.boolean(),
    )
    .map(([mark, text, more]) => `${mark}${text.replace(/\s+/g, ' ')}${more ? '\n  and more of it' : ''}`);
  const memory = fc.array(entry, { maxLength: 60 }).map((entries) => entries.join('\n'));

  test('is shorter afterwards, keeps its newest entry, and invents nothing', () => {
    fc.assert(
      fc.property(memory, (text) => {
        const short = compactMemory(text);
        expect(estimateTokens(short)).toBeLessThanOrEqual(600);
        expect(isTooLong(short)).toBe(false);
        expect(compactMemory(text)).toBe(short);
        const said = new Set(text.split('\n').map((one) => one.trim()));
        if (!short.endsWith('…')) {
          for (const one of short.split('\n')) expect(said).toContain(one.replace(/ \(×\d+\)$/, '').trim());
        }
      }),
      { numRuns: tries(300) },
    );
  });

  test('prefers what was said often, then what is new', () => {
    const filler = Array.from({ length: 80 }, (_, n) => `- filler number ${n} ${'x'.repeat(40)}`);
    const text = ['- 2026-01-02: mind the gap', ...filler, '- Mind the gap.', '- newest'].join('\n');
    const lines = compactMemory(text).split('\n');
    expect(lines.slice(-2)).toEqual(['- Mind the gap. (×2)', '- newest']);
    expect(lines[0]).toMatch(/filler number [3-6]/);
    const later = compactMemory(`${compactMemory(text)}\n${filler.join('\n')}\n- mind the gap`);
    expect(later).toContain('- mind the gap (×3)');
  });

  test('is compacted to its budget, however long it is', () => {
    const text = Array.from({ length: 20_000 }, (_, n) => `- ${n}`).join('\n');
    expect(estimateTokens(compactMemory(text))).toBeLessThanOrEqual(600);
  });

  test('loses an entry that is erased, also where it was merged', () => {
    const text = withEntry(withEntry('- a', 'secret plan'), 'b');
    expect(withoutEntry(text, 'secret plan')).toBe('- a\n- b');
    expect(withoutEntry('- a\n- Secret plan. (×3)\n- b', 'secret plan')).toBe('- a\n- b');
  });
});
