import fc from 'fast-check';
import { expect, test } from 'vitest';
import { table } from '../../src/cli/table.ts';

const ID = '1a2b3c4d';
const LESSON = 'Before `npm test`, first run `npm run gen`, because src/generated/client.ts is not in git.';
const lessons = (width: number, drop: string[] = []) =>
  table(
    ['id', 'project', 'status', 'conf.', 'lesson'],
    [[ID, '/home/ann/code/ledger', 'active', '93 %', LESSON]],
    { width, drop },
  );
const bare = (text: string) => text.replace(/[│─┌┐└┘├┤┬┴┼\s]+/g, ' ');

test('wraps between words, never inside ids, and fits the terminal', () => {
  const printed = lessons(80);
  for (const line of printed.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  expect(printed).toContain(`${ID} │ /home/ann/code/ledger │ active │ 93 %`);
  for (const word of LESSON.split(' ')) expect(printed).toContain(word);
});

test('leaves out the least important columns first where they find no room', () => {
  const drop = ['conf.', 'project'];
  expect(lessons(120, drop)).toContain('conf.');
  expect(lessons(64, drop)).not.toContain('conf.');
  expect(lessons(64, drop)).toContain('project');
  expect(lessons(50, drop)).not.toContain('project');
  expect(lessons(50, drop)).toContain('status');
});

test('fits every terminal that has room for the whole words, and loses no word', () => {
  const word = fc.stringMatching(/^[a-z]{1,12}$/);
  const text = fc.array(word, { minLength: 2, maxLength: 12 }).map((words) => words.join(' '));
  fc.assert(
    fc.property(
      fc.array(text, { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 44, max: 160 }),
      (cells, width) => {
        const printed = table(
          ['id', 'text'],
          cells.map((cell) => [ID, cell]),
          { width },
        );
        for (const line of printed.split('\n')) expect(line.length).toBeLessThanOrEqual(width);
        expect(bare(printed).match(new RegExp(ID, 'g'))).toHaveLength(cells.length);
        for (const one of cells.flatMap((cell) => cell.split(' '))) expect(printed).toContain(one);
      },
    ),
  );
});
