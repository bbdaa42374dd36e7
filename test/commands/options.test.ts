import { expect, test } from 'vitest';
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
  ['--hard', '--hardly'],
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

test('what is in the table is known', () => {
  const lines = [
    'tool -a x, tool -ab x, tool -n5, tool -n 5, tool -abn5, tool --name=x, tool --name x, tool --color, tool --color=always',
    'tool -long, tool -20, tool push --tags --all, tool remote add -t x y, tool -- -z, tool --help, run -x prog -z --what',
    'walk -x, tool exec -i web -z, free --anything -z',
  ];
  const strange = lines.flatMap((line) => line.split(', ')).filter((line) => split(line).strange !== null);
  expect(strange).toEqual([]);
});

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
])('what is not in the table is strange: %s', (line, strange) => expect(split(line).strange).toBe(strange));

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

test('an allow needs every option to be known', () => {
  expect(builtinPolicy.options.split('git', args('log --unheard-of')).strange).toBe('--unheard-of');
  expect(builtinPolicy.options.split('constructor', args('--x')).strange).toBe('--x');
});
