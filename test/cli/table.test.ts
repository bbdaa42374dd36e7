import { expect, test } from 'vitest';
import { table } from '../../src/cli/table.ts';

const ID = '1a2b3c4d';
const LESSON = 'Before `npm test`, first run `npm run gen`, because src/generated/client.ts is not in git.';
const HEAD = ['id', 'project?', 'status', 'conf.?', 'empty', 'lesson'];
const ROWS = [
  [ID, 'ledger', 'active', '93 %', '', LESSON],
  ['5e6f7a8b', 'invoices', 'proposed', '40 %', null, 'Keep amounts in cents.'],
];
const lessons = (columns: number) => table({ columns }, HEAD, ROWS);

test('fits every terminal, and breaks no word that has room', () => {
  for (let width = 60; width <= 160; width += 1) {
    const printed = lessons(width);
    for (const line of printed.split('\n')) expect(line.length).toBeLessThanOrEqual(width);
    for (const word of ['status', ID, ...LESSON.split(' ')]) expect(printed).toContain(word);
  }
});

test('leaves out columns with a question mark where there is no room, and those in which nothing stands', () => {
  expect(lessons(120)).toContain('conf.');
  expect(lessons(120)).not.toContain('empty');
  expect(lessons(72)).not.toContain('conf.');
  expect(lessons(50)).not.toContain('project');
});

test('a word that is longer than its column is broken, and no control character gets through', () => {
  const printed = table({ columns: 40 }, ['path'], [[`/x/${'y'.repeat(60)}\u001b[2K`]]);
  expect(printed.match(/y/g)).toHaveLength(60);
  expect(printed).not.toContain('\u001b');
});
