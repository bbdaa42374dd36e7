import fc from 'fast-check';
import { expect, test } from 'vitest';
import { judgeByPolicy } from '../../src/commands/judge.ts';
import { builtinPolicy } from '../../src/commands/policy/index.ts';
import { readLine } from '../../src/shell/line.ts';
import { parseCommand } from '../../src/shell/walk.ts';
import { knowledgeExamples, ruleExamples } from '../support/policy-examples.ts';
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

/** Each line with what it runs. */
const RUNS = String.raw`a; b && c || d & e | f ⇒ a · b · c · d · e · f
! while a; do { b; }; done ⇒ a · b
if a; then b; elif c; then d; else e; fi ⇒ a · b · c · d · e
case $x in a) b;; *) c;; esac ⇒ b · c
"r"m -'r'f / ⇒ rm -rf /
r\m x ⇒ rm x
$'\x72\155' x ⇒ rm x
rm\u0024{IFS}-rf$IFS/ ⇒ rm -rf /
{rm,-rf,/} ⇒ rm -rf /
/bin/RM x ⇒ rm x
d=/etc; rm -r $d/x ⇒ set d=/etc · rm -r /etc/x
x="a b"; c "$x" ⇒ set x=a b · c a b
x=1; x=2 true; a $x ⇒ set x=1 · true · a 1
x=1; (x=2); a $x ⇒ set x=1 · set x=2 · a 1
x=1; f() { x=2; }; f; a $x ⇒ set x=1 · set x=2 · a 2?
x=1; if a; then x=2; else b $x; fi ⇒ set x=1 · a · set x=2 · b 2?
a \u0024{unset:-b} ⇒ a b?
a $(echo b) $(pwd) ⇒ echo b · pwd · a b /home/dev/project
a "$(b "$(c)")" ⇒ c · b $(c)? · a $(b "$(c)")?
IFS=,; x=a,b; $x ⇒ set IFS=, · set x=a,b · ?
cd sub && a ⇒ cd sub · a @/home/dev/project/sub
(cd /); a ⇒ cd / · a
cd $x && a ⇒ cd $x? · a @null
eval 'cd /'; a ⇒ eval cd / · cd / · a @/
cat <<'E'↵rm -rf /↵E ⇒ cat
cat <<E↵$(a)↵E ⇒ a · cat
a <(b) >(c) ⇒ b · c · a /dev/fd/63 /dev/fd/63
a > $(b) ⇒ b · a
bash -c 'a; b' ⇒ bash -c a; b · a · b
bash -lc 'a $0 $1' x y ⇒ bash -lc a $0 $1 x y · a x y
sh <<E↵a↵E ⇒ sh · a
sh <<< 'a b' ⇒ sh · a b
echo 'a b' | sh ⇒ echo a b · sh · a b
x='a b'; eval $x c ⇒ set x=a b · eval a b c · a b c
trap 'a' EXIT ⇒ trap a EXIT · a
sudo -u x env -i A=1 nice a ⇒ sudo -u x env -i A=1 nice a · env -i A=1 nice a · nice a · a
timeout -k 5 10 a ⇒ timeout -k 5 10 a · a
env -S 'a b' c ⇒ env -S a b c · a b c
command -v a ⇒ command -v a
screen -dmS x a b ⇒ screen -dmS x a b · a b
ssh host 'a; b' ⇒ ssh host a; b · a @null · b @null
git -C s bisect run a ⇒ git -C s bisect run a · a @/home/dev/project/s
echo x y | xargs -n1 a ⇒ echo x y · xargs -n1 a · a x y
find src -name '*.o' | xargs a ⇒ find src -name *.o · xargs a · a src/*.o
find . -execdir a {} + ⇒ find . -execdir a {} + · a ./** @null
parallel a ::: b ⇒ parallel a ::: b · a ::: b
alias l='a b'; l c ⇒ alias l=a b · a b · l c
f() { :; }; command f ⇒ command f · f · : @null
if x; then rm() { :; }; fi; rm y ⇒ x · : · rm y`.split('\n');

test.each(RUNS)('%s', (row) => {
  const [line = '', expected] = row.replace('\\u0024', '$').split(' ⇒ ');
  expect(
    runs(line.replaceAll('↵', '\n'))
      .map((one) => one.trim())
      .join(' · '),
  ).toBe(expected);
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
const WRAPPERS = `bash -c '~'
sudo sh -c '~'
env A=1 bash -lc '~'
eval '~'
(~↵)
{ ~↵}
echo $(~↵)
if true; then ~↵fi
for i in 1 2; do ~↵done
while ~↵do :; done
f() { ~↵}; f
true && ~
echo '~' | bash
bash <<'ENDOFIT'↵~↵ENDOFIT
timeout 5 bash -c '~'
find . -exec sh -c '~' \\;`.split('\n');
const wrapped = (wrapper: string, line: string) =>
  wrapper.replaceAll('↵', '\n').replace(/'~'|~/, (place) => (place === '~' ? line : quoted(line)));

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
