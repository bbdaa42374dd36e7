import { known } from './arg.ts';
import { words } from './names.ts';
import type { Arg } from './types.ts';

// Programs that run another command: which of their words are theirs, and where the command begins.

export type Wrapper = {
  /** options that take the next word as their value */
  valued?: string[];
  /** own words before the command begins (timeout's duration, chroot's folder) */
  skip?: number;
  /** VAR=value words before the command */
  assignments?: boolean;
  /** the rest is one line for a shell, not words */
  line?: boolean;
  /** the command runs on another host or in a container */
  remote?: boolean;
  /** more arguments come from standard input */
  openArgs?: boolean;
};

export const WRAPPERS: Record<string, Wrapper> = {
  sudo: {
    valued: words('-u -g -h -p -C -T -r -t -R -D --user --group --host --prompt --chdir'),
    assignments: true,
  },
  doas: { valued: words('-u -C') },
  run0: { valued: words('-u --user -g --group -D --chdir') },
  pkexec: { valued: ['--user'] },
  env: { valued: words('-u --unset -C --chdir -P'), assignments: true },
  nohup: {},
  setsid: {},
  nice: { valued: words('-n --adjustment') },
  ionice: { valued: words('-c -n -p --class --classdata') },
  chrt: { skip: 1 },
  taskset: { skip: 1 },
  stdbuf: { valued: words('-i -o -e --input --output --error') },
  unbuffer: {},
  timeout: { valued: words('-k -s --kill-after --signal'), skip: 1 },
  time: { valued: words('-f -o --format --output') },
  command: {},
  builtin: {},
  exec: { valued: ['-a'] },
  caffeinate: { valued: words('-t -w') },
  strace: { valued: words('-e -o -p -s -u -P -a') },
  ltrace: { valued: words('-e -o -p -s -u -a') },
  watch: { valued: words('-n --interval -q --equexit'), line: true },
  xargs: {
    valued: words(
      '-I -J -R -S -n -L -P -s -E -d -a --max-args --max-lines --max-procs --max-chars --arg-file --delimiter',
    ),
    openArgs: true,
  },
  chroot: { valued: words('--userspec --groups'), skip: 1, remote: true },
  flock: { valued: words('-w -E --timeout'), skip: 1 },
  busybox: {},
  toybox: {},
  dbus_run_session: {},
  faketime: { skip: 1 },
  proxychains: {},
  torsocks: {},
  firejail: {},
  bwrap: { remote: true },
  ssh: {
    valued: words('-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w -B'),
    skip: 1,
    line: true,
    remote: true,
  },
};

/** The words of the wrapped command, and the variables set before it. */
export function commandOf(
  args: Arg[],
  wrapper: Wrapper,
): { words: Arg[]; env: { name: string; value: Arg }[] } {
  const env: { name: string; value: Arg }[] = [];
  let skip = wrapper.skip ?? 0;
  let i = 0;
  for (; i < args.length; i++) {
    const text = args[i]?.text ?? '';
    if (text === '--') {
      i++;
      while (skip > 0 && i < args.length) {
        i++;
        skip--;
      }
      break;
    }
    if (/^-./.test(text)) {
      if (wrapper.valued?.includes(text)) i++;
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
  return { words: args.slice(i), env };
}
