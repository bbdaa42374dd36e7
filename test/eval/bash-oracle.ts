// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the seeds are shell lines
// Asks a real bash what a line runs. Lines are made of harmless pieces, and bash finds no programs but a few that are
// made here, in an empty folder.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readLine } from '../../src/shell/line.ts';
import type { Invocation, Parsed } from '../../src/shell/types.ts';
import { parseCommand } from '../../src/shell/walk.ts';

const BASH = '/bin/bash';
const place = { cwd: '/home/dev/project', root: '/home/dev/project', home: '/home/dev', tmp: '/tmp' };

/** Lines that end by themselves and use nothing but builtins and the programs made below. */
const SEEDS = [
  'echo a b',
  'echo "a $x b"',
  'echo "${x:-a b}" ${y-c}',
  "echo 'a b' $'c\\td'",
  'echo "a`echo b`c" $(echo d)',
  'echo ${x:0:1} ${#x} ${!x}',
  'echo ${x/a/b} ${x^^} ${x##*a} ${x@Q}',
  'echo ${a[0]} "${a[@]}" ${#a[1]} ${!a[0]}',
  'echo $x[a] [a-z] x[b]y *.c ?',
  'echo {a,b}c {1..2} x{d,e{f,g}}',
  'echo @(a|b) !(c) +(d) ?(e) *(f)',
  'echo $((1 + 2)) $[1 + 1] $((x ? 1 : 0))',
  'x=a; echo $x',
  'x=a y="b c" ls z',
  'a=(b c [4]=d); echo ${a[1]}',
  'a[1]=b; a+=(c)',
  'declare -a a=([1]=b)',
  'declare -A m=([k]=v); echo ${m[k]}',
  'export X=a; local y=b',
  'ls a > f1',
  'ls a 2>&1 >> f2',
  'ls < marks',
  'ls <<< "a b"',
  'cat <<E\na $x b\nE\n',
  "cat <<'E'\na $x `b` b\nE\n",
  'cat <<-E | ls\n\ta\n\tE\n',
  'ls <(echo a) >(cat)',
  'if [ a = b ]; then ls a; elif [[ c == d* ]]; then ls b; else ls c; fi',
  '[[ -n a && b == [a-z] || c -eq 1 ]]',
  '[[ ! ( a < b ) && $x =~ ^a(b|c)$ ]]',
  '[[ -v a[0] ]]',
  'test -n a -a b = c',
  '((x = 1 + a[0]))',
  '((x++)) || ls',
  'for i in a b; do echo $i; done',
  'for ((i = 0; i < 2; i++)); do echo $i; done',
  'for i; do ls; done',
  'while read l; do echo $l; done <<< a',
  'while read l; do ls; done < marks',
  'case a in a | [b-c]) ls;; *) echo d;; esac',
  'case $x in (a) ls ;& b) ls;; esac',
  'select i in a; do break; done <<< 1',
  'f() { echo $1; }; f a',
  'function g { ls; } > f3; g',
  'f() (ls a); f',
  '{ ls a; ls b; }',
  '(ls a; ls b)',
  '{ ls; } > f4 2>&1',
  'ls | cat | cat',
  'ls && cat < marks || ls',
  '! ls; time ls',
  'ls & wait',
  'coproc { ls; }; wait',
  'echo a # b `c` $(d)\nls',
  'echo a \\\n b',
  'echo "a\\`b\\$(c)" \\$\\(d\\)',
  'echo `echo \\`echo a\\``',
  'eval "echo a"',
  'sh -c "echo a"',
  'sh <<< "echo a"',
  'echo "echo a" | sh',
  'set -- a b; echo $1 "$@"; shift',
  'printf "%s" a | cat',
  'x="a[0]"; echo $((x))',
  "x='a'; y=$x; [[ $y -gt 0 ]]",
  'read -r x <<< a; echo $x',
  'unset x; echo ${x:=a} ${x:+b} ${x:?c}',
  'let "x = 1" y=2',
  'exec 3< marks; cat <&3',
  'exec 3<&-; ls',
  'trap "ls a" EXIT',
  'alias l=ls',
  'cd . && ls',
  'echo a; echo b\necho c',
];

/**
 * What is put into the seeds. If bash runs MARK, writes f or gives sh something to run, the walk must have
 * seen that.
 */
const INSERTS = [
  ...['$(MARK)', '`MARK`', '<(MARK)', '>(MARK)', '"$(MARK)"', '"`MARK`"', '$(echo $(MARK))', '$\\\n(MARK)'],
  ...[
    '${x:-$(MARK)}',
    '${x:=`MARK`}',
    '${a[$(MARK)]}',
    '$((a[$(MARK)]))',
    '$[$(MARK)]',
    '[$(MARK)]',
    '{a,$(MARK)}',
  ],
  ...["'a[$(MARK)]'", "$'a[\\x24(MARK)]'", 'a[\\$(MARK)]', "x='a[$(MARK)]';", '@($(MARK))', '<<<$(MARK)'],
  ...[';MARK;', '\nMARK\n', '|MARK|', '&&MARK||', '&MARK&', '|&MARK', '(MARK)', '{ MARK;}', ' MARK '],
  ...['> f', '>>f', '>| f ', ' &> f ', '<> f', '> f$(MARK)', '2> f', '>& f '],
  ...[
    '| sh',
    ';sh;',
    ' sh ',
    '|(sh)',
    '| { sh;}',
    '<<< MARK',
    '< marks',
    '| sh <&0',
    '<<E\nMARK\nE\n',
    '<<< MARK sh ',
  ],
  ...[
    "'",
    '"',
    '`',
    '\\',
    '$',
    '#',
    ' ',
    '\n',
    '(',
    ')',
    '{',
    '}',
    '[',
    ']',
    ';',
    '&',
    '|',
    '<',
    '>',
    '((',
    '))',
    '$(',
  ],
];

type Random = () => number;
const pick = <T>(list: readonly T[], random: Random): T => list[Math.floor(random() * list.length)] as T;

/** Returns a seed with one to three pieces put into it at random places. */
export function disturbed(random: Random): string {
  let line = pick(SEEDS, random);
  if (random() < 0.2) line += `${pick(['; ', '\n', ' | ', ' && '], random)}${pick(SEEDS, random)}`;
  if (random() < 0.15) line = `${pick(['echo MARK | ', 'cat marks | '], random)}{ ${line}\n}`;
  else if (random() < 0.1) line = `{ ${line}\n} ${pick(['< marks', '<<< MARK', '> f', '> >(sh)'], random)}`;
  for (let n = pick([1, 1, 2, 3], random); n > 0; n--) {
    const at = Math.floor(random() * (line.length + 1));
    line = line.slice(0, at) + pick(INSERTS, random) + line.slice(at);
  }
  return line;
}

export type Oracle = {
  /** Returns what bash did and the walk did not see, in a few words; null when there is no difference. */
  difference: (line: string, walk?: (line: string) => Parsed) => string | null;
  close: () => void;
};

/** Returns an oracle; null when this machine has no bash. The caller must close it. */
export function bashOracle(): Oracle | null {
  if (!existsSync(BASH)) return null;
  const root = mkdtempSync(join(tmpdir(), 'lore-bash-'));
  const bin = join(root, 'bin');
  mkdirSync(bin);
  const program = (name: string, text: string) =>
    writeFileSync(join(bin, name), `#!${BASH}\n${text}\n`, { mode: 0o755 });
  // it fails, so that no loop runs for ever because of it
  program('MARK', 'echo MARK >> "$LORE_LOG"; exit 1');
  program('sh', `exec ${BASH} "$@"`);
  program('cat', 'while read -r l; do echo "$l"; done; for f; do echo "$(<"$f")"; done');
  program('ls', ':');
  let lines = 0;
  const difference = (
    line: string,
    walk = (text: string) => parseCommand(readLine(text), place),
  ): string | null => {
    const { invocations, unknowns } = walk(line);
    if (unknowns.length > 0) return null;
    // a folder and a log for each line: what a line left running in the background may write later
    const work = join(root, `work${lines++}`);
    const log = `${work}.log`;
    mkdirSync(work);
    writeFileSync(join(work, 'marks'), 'MARK\n');
    // the limits hold for everything that the line starts
    const start = `ulimit -t 2 -f 100; exec ${BASH} -O extglob -c "$0"`;
    spawnSync(BASH, ['-c', start, line], {
      cwd: work,
      env: { PATH: bin, HOME: work, LORE_LOG: log },
      input: '',
      timeout: 2000,
      killSignal: 'SIGKILL',
    });
    // `sh MARK`, `sh marks`, `sh sh`, `sh *` and `sh $x` are seen as a shell with a script of that name, or an unknown one
    const sees = ({ program, args }: Invocation) =>
      program === 'mark' ||
      (/^(sh|bash|\.|source)$/.test(program) &&
        args.some(({ text, glob, known }) => glob || !known || /^(marks?|sh)$/i.test(text)));
    const ran = existsSync(log) ? readFileSync(log, 'utf8').trim().slice(0, 40) : null;
    const wrote = existsSync(join(work, 'f'));
    rmSync(work, { recursive: true, force: true });
    rmSync(log, { force: true });
    if (invocations.some(sees)) return null;
    if (ran !== null) return `bash ran ${ran}`;
    const writes = invocations.flatMap((one) => one.writes.map(({ target }) => target));
    if (wrote && !writes.some((target) => target.text === 'f' || !target.known)) return 'bash wrote f';
    return null;
  };
  return { difference, close: () => rmSync(root, { recursive: true, force: true }) };
}
