import fc from 'fast-check';
import { expect, test } from 'vitest';
import { table } from '../../src/cli/table.ts';

const ID = '1a2b3c4d';
const LESSON = 'Before `npm test`, first run `npm run gen`, because src/generated/client.ts is not in git.';
const HEAD = ['id', 'project', 'status', 'conf.', 'used', 'helped', 'lesson'];
const lessons = (width: number, drop: string[] = []) =>
  table(
    { columns: width },
    HEAD,
    [
      [ID, '/home/ann/code/ledger', 'active', '93 %', 4, '3/4', LESSON],
      ['5e6f7a8b', 'github.com/ann/invoices', 'proposed', '40 %', 0, '0/0', 'Keep amounts in cents.'],
    ],
    { drop },
  );
const bare = (text: string) => text.replace(/[│─┌┐└┘├┤┬┴┼\s]+/g, ' ');

test('a wide terminal shows a bordered table, a narrow one the text below the short columns', () => {
  expect(lessons(120)).toContain(`│ ${ID} │ ledger `);
  expect(lessons(80)).toBe(
    [
      'id        project   status    conf.  used  helped',
      `${ID}  ledger    active    93 %   4     3/4`,
      '  Before `npm test`, first run `npm run gen`, because src/generated/client.ts is',
      '  not in git.',
      '5e6f7a8b  invoices  proposed  40 %   0     0/0',
      '  Keep amounts in cents.',
    ].join('\n'),
  );
});

test('breaks no word, id or head at any width, and fits the terminal', () => {
  for (let width = 50; width <= 160; width += 1) {
    const printed = lessons(width, ['used', 'conf.', 'project']);
    for (const line of printed.split('\n')) expect(line.length).toBeLessThanOrEqual(width);
    for (const word of [...HEAD.slice(0, 1), 'helped', ID, ...LESSON.split(' ')])
      expect(printed).toContain(word);
  }
});

test('gives the text at least forty columns where it stands beside others', () => {
  for (let width = 50; width <= 160; width += 1) {
    const [border = ''] = lessons(width).split('\n');
    if (border.startsWith('┌'))
      expect((border.split('┬').at(-1) ?? '').length - 3).toBeGreaterThanOrEqual(40);
  }
});

test('leaves out the least important columns first where even the short ones find no room', () => {
  const drop = ['conf.', 'project'];
  expect(lessons(50, drop)).toContain('conf.');
  expect(lessons(44, drop)).not.toContain('conf.');
  expect(lessons(44, drop)).toContain('project');
  expect(lessons(34, drop)).not.toContain('project');
  expect(lessons(34, drop)).toContain('status');
});

test('names each of several texts below a row', () => {
  const printed = table(
    { columns: 60 },
    ['id', 'call', 'error'],
    [[ID, 'npm run migrate -- --env=staging --yes', LESSON]],
  );
  expect(printed.split('\n').slice(1, 3)).toEqual([ID, '  call: npm run migrate -- --env=staging --yes']);
  expect(printed).toContain('  error: Before `npm test`');
});

test('projects are shown by what tells them apart; a single one is named below', () => {
  const projects = (...names: string[]) =>
    table(
      { columns: 80 },
      ['id', 'project'],
      names.map((name) => [ID, name]),
    );
  expect(bare(projects('/work/a/api', '/work/b/api', '/work/b/web'))).toMatch(/ a\/api .* b\/api .* web /);
  expect(projects('/work/a/api', '/work/b/web')).not.toContain('/work');
  const one = projects('/work/a/api', '/work/a/api');
  expect(one).not.toContain('project');
  expect(one).toMatch(/\nProject: api$/);
  expect(table({}, ['project'], [['/work/a/api']], { whole: true })).toContain('/work/a/api');
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
          { columns: width },
          ['id', 'text'],
          cells.map((cell) => [ID, cell]),
        );
        for (const line of printed.split('\n')) expect(line.length).toBeLessThanOrEqual(width);
        expect(bare(printed).match(new RegExp(ID, 'g'))).toHaveLength(cells.length);
        for (const one of cells.flatMap((cell) => cell.split(' '))) expect(printed).toContain(one);
      },
    ),
  );
});
