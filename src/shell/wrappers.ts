import { known } from './arg.ts';
import { lookup } from './lookup.ts';
import { words } from './names.ts';
import type { Arg } from './types.ts';

// Programs that run another command: which words are their own, and where the command begins.

export type Wrapper = {
  /** options that take the next word as their value */
  valued?: string[];
  /**
   * options that take no value. An option in neither list is strange: it is not known whether it takes the
   * next word. A wrapper without this list has no strange options.
   */
  flags?: string[];
  /** options whose value can only be attached (xargs -l3) */
  attached?: string[];
  /** how many words of its own come before the command (timeout's duration, chroot's folder) */
  skip?: number;
  /** options that name the folder in which the command runs */
  chdir?: string[];
  /** VAR=value words before the command */
  assignments?: boolean;
  /** the rest is one line for a shell, not words */
  line?: boolean;
  /** the command runs on another host or in a container */
  remote?: boolean;
  /** more arguments come from standard input */
  openArgs?: boolean;
};

const WRAPPERS: Record<string, Wrapper> = {
  sudo: {
    valued: words(`
      -u -g -h -p -C -T -r -t -R -D -U --user --group --host --prompt --chdir --chroot --close-from --command-timeout --role
      --type --other-user`),
    flags: words(`
      -A -b -B -E -e -H -i -K -k -l -n -N -P -S -s -V -v --askpass --background --bell --preserve-env --edit --set-home
      --login --remove-timestamp --reset-timestamp --list --non-interactive --no-update --preserve-groups --stdin --shell
      --version --validate --help`),
    chdir: ['-D', '--chdir'],
    assignments: true,
  },
  doas: { valued: words('-u -C'), flags: words('-n -s -L') },
  run0: {
    valued: words('-u --user -g --group -D --chdir --unit --property --slice --nice --setenv --background'),
    flags: words('--no-ask-password --pipe --pty --slice-inherit --help --version'),
    chdir: ['-D', '--chdir'],
  },
  pkexec: { valued: ['--user'], flags: words('--disable-internal-agent --keep-cwd --help --version') },
  env: {
    valued: words('-u --unset -C --chdir -P'),
    flags: words(`
      -i -0 -v --ignore-environment --null --debug --default-signal --ignore-signal --block-signal --list-signal-handling
      --help --version`),
    chdir: ['-C', '--chdir'],
    assignments: true,
  },
  nohup: { flags: words('--help --version') },
  setsid: { flags: words('-c -f -w --ctty --fork --wait --help --version') },
  nice: { valued: words('-n --adjustment'), flags: words('--help --version') },
  ionice: { valued: words('-c -n -p --class --classdata -P -u'), flags: words('-t --ignore') },
  chrt: {
    valued: words('-T -P -D --sched-runtime --sched-period --sched-deadline'),
    flags: words(`
      -a -b -d -f -i -m -o -p -r -R -v --all-tasks --batch --deadline --fifo --idle --max --other --pid --rr --reset-on-fork
      --verbose`),
    skip: 1,
  },
  taskset: { flags: words('-a -c -p --all-tasks --cpu-list --pid'), skip: 1 },
  stdbuf: { valued: words('-i -o -e --input --output --error'), flags: words('--help --version') },
  unbuffer: { flags: ['-p'] },
  timeout: {
    valued: words('-k -s --kill-after --signal'),
    flags: words('-f -p -v --foreground --preserve-status --verbose --help --version'),
    skip: 1,
  },
  time: {
    valued: words('-f -o --format --output'),
    flags: words('-a -h -l -p -q -v -V --append --portability --quiet --verbose --help --version'),
    assignments: true,
  },
  command: { flags: words('-p -v -V') },
  builtin: { flags: [] },
  // zsh
  noglob: { flags: [] },
  nocorrect: { flags: [] },
  exec: { valued: ['-a'], flags: words('-c -l') },
  caffeinate: { valued: words('-t -w'), flags: words('-d -i -m -s -u') },
  strace: {
    valued: words('-e -o -p -s -u -P -a -b -I -O -S -U -X'),
    flags: words(`
      -f -F -t -T -r -c -C -w -v -x -y -Y -q -i -k -n -d -D -V -h -A -z -Z --follow-forks --summary --summary-only --decode-fds
      --absolute-timestamps --relative-timestamps --syscall-times --trace --output --string-limit --quiet`),
  },
  ltrace: {
    valued: words('-e -o -p -s -u -a -l -n -x -w'),
    flags: words('-b -c -C -f -h -i -L -r -S -t -T -V'),
  },
  watch: {
    valued: words('-n --interval -q --equexit'),
    flags: words(`
      -b -c -C -d -e -g -p -r -t -w -x --beep --color --no-color --differences --errexit --chgexit --precise --no-rerun
      --no-title --no-wrap --exec --help --version`),
    line: true,
  },
  xargs: {
    valued: words(`
      -I -J -R -S -n -L -P -s -E -d -a --max-args --max-lines --max-procs --max-chars --arg-file --delimiter
      --process-slot-var`),
    flags: words(`
      -0 -o -p -r -t -x --null --open-tty --interactive --no-run-if-empty --verbose --exit --show-limits --replace --eof
      --help --version`),
    attached: words('-e -i -l'),
    openArgs: true,
  },
  chroot: { valued: words('--userspec --groups'), skip: 1, remote: true },
  flock: {
    valued: words('-w -E --timeout --wait --conflict-exit-code'),
    flags: words(`
      -e -F -n -o -s -u -v -x --close --exclusive --nb --no-fork --nonblock --shared --unlock --verbose`),
    skip: 1,
  },
  valgrind: {},
  c8: {},
  nyc: {},
  busybox: {},
  toybox: {},
  faketime: { flags: words('-f -m --exclude-monotonic'), skip: 1 },
  proxychains: { valued: ['-f'], flags: ['-q'] },
  torsocks: { valued: words('-a -P -u -p'), flags: words('-d -i -q --debug --isolate --quiet') },
  bwrap: { remote: true },
  ssh: {
    valued: words('-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w -B'),
    skip: 1,
    line: true,
    remote: true,
  },
};

/** Returns how a program wraps another command; undefined when it is no wrapper. */
export const wrapperOf = (program: string): Wrapper | undefined => lookup(WRAPPERS, program);

type Wrapped = {
  words: Arg[];
  /** variables set before it */
  env: { name: string; value: Arg }[];
  /** the first option that is in none of the wrapper's lists; null when there is none */
  strange: string | null;
};

/** Splits a wrapper's arguments: returns the words of the wrapped command and the variables set for it. */
export function commandOf(args: Arg[], wrapper: Wrapper): Wrapped {
  const env: Wrapped['env'] = [];
  let strange: string | null = null;
  let skip = wrapper.skip ?? 0;
  let i = 0;
  for (; i < args.length; i++) {
    const text = args[i]?.text ?? '';
    if (text === '--') {
      i += 1 + skip;
      break;
    }
    if (/^-./.test(text)) {
      const kind = optionKind(text, wrapper);
      if (kind === 'takes the next word') i++;
      else if (kind === 'strange') strange ??= text;
      continue;
    }
    if (text === '-' && wrapper.assignments) continue;
    const assignment = wrapper.assignments ? /^([A-Za-z_]\w*)=/.exec(text) : null;
    if (assignment) {
      env.push({ name: assignment[1] as string, value: known(text.slice(assignment[0].length)) });
      continue;
    }
    if (skip > 0) {
      skip--;
      continue;
    }
    break;
  }
  return { words: args.slice(i), env, strange };
}

function optionKind(text: string, wrapper: Wrapper): 'alone' | 'takes the next word' | 'strange' {
  const { valued = [], flags, attached = [] } = wrapper;
  if (valued.includes(text)) return 'takes the next word';
  // a number is a value of the wrapper itself: nice -10
  if (flags === undefined || flags.includes(text) || /^-\d+$/.test(text)) return 'alone';
  if (text.startsWith('--')) {
    const name = /^[^=]*(?==)/.exec(text)?.[0] ?? '';
    return valued.includes(name) || flags.includes(name) ? 'alone' : 'strange';
  }
  for (const [at, letter] of [...text.slice(1)].entries()) {
    const option = `-${letter}`;
    if (valued.includes(option)) return at === text.length - 2 ? 'takes the next word' : 'alone';
    if (attached.includes(option)) return 'alone';
    if (!flags.includes(option)) return 'strange';
  }
  return 'alone';
}
