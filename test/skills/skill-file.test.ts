import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compactMemory, withoutEntry } from '../../src/skills/memory.ts';
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

  test('keeps its other fields and comments when a field is written', () => {
    const before =
      '---\n# top\nname: n\ndescription: >-\n  long\n  text\ntools: [ a,  b ] # why\n# end\n---\n';
    const fields = { name: 'n', description: 'Say: it', category: 'c' };
    const after = writeFrontMatter(before, fields);
    expect(after).toMatch(/# top[\s\S]*# why[\s\S]*# end/);
    expect(readFrontMatter(after as string)).toEqual({
      ...{ description: 'Say: it', category: 'c', config: { tools: ['a', 'b'] } },
    });
    expect(writeFrontMatter(before, { name: 'n' })).toBe(before);
    expect(writeFrontMatter('', fields)).toBe('---\nname: n\ndescription: "Say: it"\ncategory: c\n---\n');
    expect(writeFrontMatter('---\na: b: c\n---\n', fields)).toBeNull();
  });
});

describe('a memory', () => {
  test('is shorter afterwards, keeps its newest entry, and invents nothing', () => {
    const entry = fc.string({ minLength: 1, maxLength: 400 }).map((text) => `- ${text.replace(/\s+/g, ' ')}`);
    const memory = fc.array(entry, { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(memory, (entries) => {
        const short = compactMemory(entries.join('\n'));
        expect(estimateTokens(short)).toBeLessThanOrEqual(600);
        expect(short.endsWith(entries.at(-1) as string)).toBe(true);
        for (const one of short.split('\n')) expect(entries).toContain(one);
      }),
      { numRuns: tries(300) },
    );
  });

  test('keeps the newest of entries that say the same', () => {
    const text = ['- 1. mind the gap', '- older', '- 1. Mind the gap.', '- newest\n  with more'].join('\n');
    expect(compactMemory(text)).toBe('- older\n- 1. Mind the gap.\n- newest\n  with more');
    expect(estimateTokens(compactMemory('ü'.repeat(9_000)))).toBeLessThanOrEqual(600);
  });

  test('loses an entry that is erased', () => {
    expect(withoutEntry('- a\n- Secret plan.\n- b', 'secret plan')).toBe('- a\n- b');
  });
});
