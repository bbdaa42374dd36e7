// Fuzzes the judging of shell commands: `npm run fuzz -- [minutes, default 1] [seed]`. Exits with 1 if it finds
//   a crash            judging a line throws
//   a slow answer      judging a line takes more than a quarter of a second, twice in a row
//   a widening         a line that runs a denied command is allowed
//   a joint key        two different commands share a cache key
// The commands are the examples of the policy, wrapped, disguised and changed at random.
//   npm run fuzz -- --bash [minutes, default 1] [seed]   asks a real bash instead (eval/bash-oracle.ts)
//   an unseen effect   bash runs a program or writes a file, and the walk of the line neither saw it nor said unknown

import { cacheKey } from '../../src/commands/cache-key.ts';
import { judgeByPolicy } from '../../src/commands/judge.ts';
import { builtinPolicy } from '../../src/commands/policy/index.ts';
import { seeded } from '../bench/sessions.ts';
import { knowledgeExamples, ruleExamples } from '../support/policy-examples.ts';
import { bashOracle, disturbed } from './bash-oracle.ts';

const withBash = process.argv[2] === '--bash';
const [minutes = '1', seed = String(Date.now() % 1e9)] = process.argv.slice(withBash ? 3 : 2);
const place = { cwd: '/home/dev/project', root: '/home/dev/project', home: '/home/dev', tmp: '/tmp' };
const random = seeded(Number(seed));
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;

const decide = (line: string) => judgeByPolicy(line, place, builtinPolicy);
const denied = ruleExamples
  .flatMap(({ deny }) => deny)
  // a here-document or a comment would swallow the text that is put around it
  .filter((line) => decide(line).decision === 'deny' && !/<<|\\$|#|\n/.test(line));
const allowed = knowledgeExamples.flatMap(({ allow }) => allow);
const all = [...denied, ...allowed];

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const doubly = (text: string) => `"${text.replace(/[\\"$`]/g, '\\$&')}"`;
/** Each returns a line that runs the given line, whatever that is. */
const RUNS: ((line: string) => string)[] = [
  (line) => `${pick(allowed.filter((one) => !/<<|#|\\$|&$|exit|exec/.test(one)))}; ${line}`,
  (line) => `${line}; ${pick(['ls', 'true', 'git status'])}`,
  (line) => `true && ${line}`,
  (line) => `(${line}\n)`,
  (line) => `{ ${line}\n}`,
  (line) => `${line} &`,
  (line) => `echo $(${line}\n)`,
  (line) => `cat <(${line}\n)`,
  (line) => `if true; then ${line}\nfi`,
  (line) => `for i in 1 2; do ${line}\ndone`,
  (line) => `until ${line}\ndo :; done`,
  (line) => `case x in x) ${line}\n;; esac`,
  (line) => `f() { ${line}\n}; f`,
  (line) => `bash -c ${quoted(line)}`,
  (line) => `sh -c ${doubly(line)}`,
  (line) => `eval ${quoted(line)}`,
  (line) => `echo ${quoted(line)} | sh`,
  (line) => `bash <<< ${quoted(line)}`,
  (line) => `bash <<'ENDOFIT'\n${line}\nENDOFIT`,
  (line) => `nohup bash -c ${quoted(line)} &`,
  (line) => `timeout 9 nice -n 5 sh -c ${quoted(line)}`,
  (line) => `find . -name x -exec sh -c ${quoted(line)} \\;`,
  (line) => `xargs -I{} sh -c ${quoted(line)} < list`,
  (line) => `ssh host ${quoted(line)}`,
  (line) => `docker exec web sh -c ${quoted(line)}`,
  (line) => `X=${quoted(line)}; bash -c "$X"`,
  (line) => `trap ${quoted(line)} EXIT`,
];
/** Each returns a line that a shell reads as the same command, if the given line begins with a program. */
const DISGUISES: ((line: string) => string)[] = [
  (line) => line.replace(/^(\w)(\w+)/, (_, a, b) => `${a}\\${b}`),
  (line) => line.replace(/^(\w)(\w+)/, (_, a, b) => `${a}""${b}`),
  (line) => line.replace(/^(\w+)(?= )/, "'$1'"),
  (line) => line.replace(/^(\w+)(?= )/, (word) => `$'\\x${word.charCodeAt(0).toString(16)}'${word.slice(1)}`),
  (line) => line.replace(/^(\w+ )/, '$1  '),
  (line) => line.replace(/^(\w+ )/, '$1\\\n'),
  (line) => ` ${line} `,
];
const NOISE = [...'\'"`$(){}[]<>|&;\\\n\t #*?~!=-./:,%@^+'].concat([
  '$(',
  '<<EOF\n',
  '\nEOF\n',
  '${x:-',
  '$((',
  '<(',
  '||',
  '&&',
  '>>',
  '2>&1',
  'rm -rf /',
  '\u0000',
  '\ud800',
  '\u202e',
  '😀',
]);

/** Returns the line with a few characters changed at random. */
function mutate(line: string): string {
  let text = line;
  for (let n = 1 + Math.floor(random() * 4); n > 0; n--) {
    const at = Math.floor(random() * (text.length + 1));
    const cut = random() < 0.4 ? Math.floor(random() * 5) : 0;
    const added = random() < 0.2 ? pick(all).slice(0, 60) : random() < 0.8 ? pick(NOISE) : '';
    text = text.slice(0, at) + added.repeat(random() < 0.02 ? 500 : 1) + text.slice(at + cut);
  }
  return text;
}

const failures: string[] = [];
function judge(line: string) {
  try {
    const start = performance.now();
    const verdict = decide(line);
    if (performance.now() - start > 250) {
      const again = performance.now();
      decide(line);
      if (performance.now() - again > 250) fail('slow', line);
    }
    return verdict;
  } catch (error) {
    fail(`crash: ${(error as Error).message}`, line);
    return null;
  }
}
function fail(what: string, line: string) {
  failures.push(what);
  if (failures.length <= 20) console.log(`${what}: ${JSON.stringify(line.slice(0, 600))}`);
}

const end = Date.now() + Number(minutes) * 60_000;
let rounds = 0;
if (withBash) askBash();
else changeLines();
const what = withBash ? 'lines run by bash' : 'rounds of two lines';
console.log(`${rounds} ${what} in ${minutes} min, seed ${seed}: ${failures.length} failures`);
process.exitCode = failures.length > 0 ? 1 : 0;

function askBash() {
  const oracle = bashOracle();
  if (!oracle) throw new Error('there is no /bin/bash on this machine to compare with');
  for (; Date.now() < end; rounds++) {
    const line = disturbed(random);
    const difference = oracle.difference(line);
    if (difference !== null) fail(difference, line);
  }
  oracle.close();
}

function changeLines() {
  const blanks = (line: string) => line.replace(/^[ \t\n]+/, '').replace(/[ \t\n]+$/, '');
  let previous: { line: string; key: string } | null = null;
  while (Date.now() < end) {
    rounds++;
    let danger = pick(denied);
    if (random() < 0.5 && /^\w+ /.test(danger)) danger = pick(DISGUISES)(danger);
    for (let n = Math.floor(random() * 3); n >= 0; n--) danger = pick(RUNS)(danger);
    if (judge(danger)?.decision === 'allow') fail('widening', danger);

    const line = mutate(random() < 0.3 ? danger : pick(all));
    const verdict = judge(line);
    if (!verdict) continue;
    const key = cacheKey('secret', line, verdict.invocations, place, null);
    if (previous && previous.key === key && blanks(previous.line) !== blanks(line)) {
      fail('joint key', `${previous.line}  and  ${line}`);
    }
    previous = { line: random() < 0.5 ? mutate(line) : line, key: '' };
    previous.key = cacheKey('secret', previous.line, judge(previous.line)?.invocations ?? [], place, null);
  }
}
