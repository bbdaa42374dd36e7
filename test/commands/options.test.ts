import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createOptions } from '../../src/commands/options.ts';
import { builtinPolicy } from '../../src/commands/policy/index.ts';

const options = createOptions(
  {
    tool: '-a -b -n= -o> --name= --color? --file< --config! --all -long -# -m.',
    'tool push': '--tags',
    'tool remote add': '-t=',
    'run, walk': '+ -x',
    'tool exec': '+ -i',
    free: '*',
  },
  (program) => (program === 'tool' ? ['--hard', '--hardly'] : []),
);
const args = (line: string) =>
  line.split(' ').map((text) => ({ text, known: !text.startsWith('$'), glob: false, quoted: false }));
const split = (line: string) => {
  const [program = '', ...rest] = line.split(' ');
  return options.split(
    program,
    args(rest.join(' ')).filter(({ text }) => text !== ''),
  );
};
const texts = (line: string) => split(line).words.map(({ text }) => text);
const values = (line: string) =>
  split(line).values.map(({ option, kind, arg }) => `${option} ${kind} ${arg.text}`);

describe('what is in the table is known', () => {
  test.each([
    'tool -a x',
    'tool -ab x',
    'tool -n5',
    'tool -n 5',
    'tool -abn5',
    'tool --name=x',
    'tool --name x',
    'tool --color',
    'tool --color=always',
    'tool -long',
    'tool -20',
    'tool push --tags --all',
    'tool remote add -t x y',
    'tool -- -z',
    'tool --help',
    'run -x prog -z --what',
    'walk -x',
    'tool exec -i web -z',
    'free --anything -z',
  ])('%s', (line) => expect(split(line).strange).toBeNull());
});

describe('what is not in the table is strange', () => {
  test.each([
    ['tool -z', '-z'],
    ['tool -az', '-az'],
    ['tool --nam=x', '--nam=x'],
    ['tool --all=false', '--all=false'],
    ['tool --hard', '--hard'],
    ['tool --tags', '--tags'],
    ['tool remote -t x', '-t'],
    ['tool $(cat', '$(cat'],
    ['run -z prog', '-z'],
    ['unheard --of', '--of'],
  ])('%s', (line, strange) => expect(split(line).strange).toBe(strange));
});

test('a value is no word, and is told with what the option does with it', () => {
  expect(texts('tool -n 5 x -o out y --color z')).toEqual(['x', 'y', 'z']);
  expect(values('tool -n 5 -oout --file=in --config c --color=no -abn7')).toEqual([
    '-n data 5',
    '-o writes out',
    '--file reads in',
    '--config runs c',
    '--color maybe no',
    '-n data 7',
  ]);
  expect(texts('tool -m mod -z --all')).toEqual(['-z', '--all']);
});

test('rules see every option that may be meant', () => {
  expect(split('tool -ab').options).toEqual(['-ab', '-a', '-b']);
  expect(split('tool --har').options).toEqual(['--har', '--hard', '--hardly']);
  expect(split('tool --hard').options).toEqual(['--hard']);
  expect(split('tool --all=false').options).toEqual(['--all=false']);
  expect(split('tool --all=true').options).toContain('--all');
});

test('each argument is a word, an option or a value, whatever comes', () => {
  const argument = fc.oneof(
    fc.constantFrom('-a', '-n', '-n5', '--name', '--', '-', 'push', '-o', '--color=x', '-m', ''),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(argument), (list) => {
      const made = list.map((text) => ({ text, known: true, glob: false, quoted: false }));
      const { words, values: taken, strange } = options.split('tool', made);
      expect(words.length + taken.length).toBeLessThanOrEqual(list.length);
      for (const word of words) expect(made).toContain(word);
      if (strange !== null) expect(list).toContain(strange);
    }),
  );
});

test('an allow needs every option to be known', () => {
  expect(builtinPolicy.options.split('git', args('log --unheard-of')).strange).toBe('--unheard-of');
  expect(builtinPolicy.options.split('constructor', args('--x')).strange).toBe('--x');
});
