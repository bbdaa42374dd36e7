import fc from 'fast-check';
import { expect, test } from 'vitest';
import { judgeByPolicy } from '../../src/commands/judge.ts';
import { builtinPolicy } from '../../src/commands/policy/index.ts';
import { readLine } from '../../src/shell/line.ts';
import { parseCommand } from '../../src/shell/walk.ts';
import { knowledgeExamples, ruleExamples } from '../support/policy-examples.ts';
import { tablesOf } from '../support/tables.ts';
import { tries } from '../support/tries.ts';

const place = { cwd: '/home/dev/project', root: '/home/dev/project', home: '/home/dev', tmp: '/tmp' };
const decide = (line: string, more = {}) =>
  judgeByPolicy(line, { ...place, ...more }, builtinPolicy).decision;

/** Returns what would run, one string for each simple command; `?` follows a word that is not known. */
const runs = (line: string) =>
  parseCommand(readLine(line), place).invocations.map(
    ({ program, args, cwd }) =>
      [program || '?', ...args.map((arg) => arg.text + (arg.known ? '' : '?'))].join(' ') +
      (cwd === place.cwd ? '' : ` @${cwd}`),
  );

const tables = tablesOf('walk');

test.each(tables.runs ?? [])('%j runs %j', (line, expected) => {
  const ran = runs(line).map((one) => one.replaceAll('\n', '↵').trim());
  expect(ran.join(' · ')).toBe(expected);
});

test('a `cd` that may fail does not widen what is allowed', () => {
  expect(decide('cd build && rm -rf *')).toBe('allow');
  expect(decide('cd build; rm -rf *', { exists: (path: string) => !path.endsWith('build') })).not.toBe(
    'allow',
  );
  expect(decide('cd /tmp/x; touch a; cd /; rm -rf *')).toBe('deny');
});

// ---------------------------------------------------------------- properties

const ALLOWED = knowledgeExamples.flatMap(({ allow }) => allow).filter((line) => decide(line) === 'allow');
const DENIED = ruleExamples.flatMap(({ deny }) => deny);
/** Whether text can be added to a line outside quotes, here-documents and comments. */
const open = (line: string) => !/<<|#|\\$/.test(line);

const WORD = fc.constantFrom(
  ..."rm -rf / ~ .. * ; && || | & ( ) { } < > << <<< >& $x $( ` ' \" \\ $' $ { } IFS= eval bash -c python3 perl awk sudo xargs find . -exec {} \\; + if then fi for in do done while case esac [[ ]] (( )) \n \t # ! = a=b x cd /tmp echo {a,b} {1..9} $'\\x41' EOF __proto__ constructor toString".split(
    ' ',
  ),
);

test('judging never throws, whatever the line is', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ maxLength: 200 }),
        fc.array(WORD, { maxLength: 40 }).map((words) => words.join(' ')),
        fc.array(WORD, { maxLength: 40 }).map((words) => words.join('')),
      ),
      (line) => {
        expect(['allow', 'deny', 'unknown']).toContain(decide(line));
      },
    ),
    { numRuns: tries(500) },
  );
});

const DANGERS = ['rm -rf /', 'sudo rm -rf /', '$(rm -rf /)', '`rm -rf /`', "sh -c 'rm -rf /'", 'r\\m -rf /'];

test('an allowed line followed by a deletion of everything is never allowed', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...ALLOWED.filter(open)),
      fc.constantFrom('; ', ' && ', ' || ', ' | ', ' & ', '\n', ';'),
      fc.constantFrom(...DANGERS),
      (line, joint, danger) => {
        expect(decide(line + joint + danger)).not.toBe('allow');
      },
    ),
    { numRuns: tries(800) },
  );
});

const quoted = (line: string) => `'${line.replaceAll("'", "'\\''")}'`;
/** What runs a line (`~`), or a line in quotes (`'~'`). */
const WRAPPERS = tables['runs a line']?.map(([wrapper = '']) => wrapper) ?? [];
const wrapped = (wrapper: string, line: string) =>
  wrapper.replace(/'~'|~/, (place) => (place === '~' ? line : quoted(line)));

test('a denied line is not allowed inside anything that runs it', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...DENIED),
      fc.array(fc.constantFrom(...WRAPPERS), { minLength: 1, maxLength: 3 }),
      (line, wrappers) => {
        const whole = wrappers.reduce((inside, wrapper) => wrapped(wrapper, inside), line);
        expect(decide(whole)).not.toBe('allow');
      },
    ),
    { numRuns: tries(500) },
  );
});

const million = 1_000_000;
const DOUBLES = Array.from({ length: 30 }, (_, i) => `f${i + 1}() { f${i}; f${i}; }`).join(';');
const BAIT = {
  'one word': 'a'.repeat(million),
  commands: 'ls;'.repeat(million / 3),
  substitutions: `${'$('.repeat(10_000)}ls${')'.repeat(10_000)}`,
  backticks: '`'.repeat(10_000),
  loops: `${'for i in 1 2 3 4 5 6 7 8; do '.repeat(20)}unheard-of $i${'; done'.repeat(20)}`,
  functions: `${DOUBLES}; f30`,
  blanks: `git -c ${' '.repeat(60_000)}x unheard-of`,
  quotes: `awk 'print ${'"a" '.repeat(15_000)}' > /etc/x`,
  slashes: `rm -rf ${'/'.repeat(60_000)}`,
  dots: `rm -rf ${'a/../'.repeat(12_000)}../..`,
};

test.each(Object.entries(BAIT))('bait of %s is judged in bounded time and not allowed', (_, line) => {
  expect(decide(line)).not.toBe('allow');
  expect(readLine(line).key.length).toBeLessThanOrEqual(617);
  expect(readLine(line).program).toBeTypeOf('string');
});
