import type { Knowledge, Rule } from '../types.ts';

export const rules: Rule[] = [
  {
    id: 'processes.kill-all',
    severity: 'catastrophic',
    reason: 'kills every process of the user or of the machine',
    instead: 'kill the one process by its number',
    when: [
      { program: ['kill'], line: '(^|\\s)(-- )?-1$|(^|\\s)-1 -|^-9 -1 ', notLine: '^-1$' },
      { program: ['kill'], everyArg: '^0?1$', minWords: 1 },
      {
        program: ['pkill', 'killall', 'skill'],
        flags: [['-u', '-U', '--euid', '--uid', '--user']],
        // with a name it stops only those of the user's processes
        maxWords: 0,
      },
      { program: ['killall5'] },
      { program: ['pkill'], everyArg: '^(\\.\\*?|\\^|\\$|)$', minWords: 1 },
      { program: ['kill'], from: '^(\\S*/)?lsof (?!.*(:\\$?\\{?\\w|\\s[./~]))' },
      {
        program: ['pkill', 'killall'],
        everyArg: '^(systemd|init|launchd|sshd|dbus-daemon|Xorg|gnome-shell|WindowServer|loginwindow)$',
        minWords: 1,
      },
    ],
    examples: {
      deny: [
        'kill -9 -1',
        'kill -- -1',
        'pkill -9 -u dev',
        'killall -u dev',
        'kill -9 1',
        'pkill .',
        "bash -c 'kill -9 -1'",
        'pkill sshd',
        'kill -9 $(lsof -t -u dev)',
      ],
      pass: [
        'kill 1234',
        'kill -9 $PID',
        'kill -1 1234',
        'kill %1',
        'kill -0 12',
        "pkill -f 'vite dev'",
        'pkill -HUP nginx',
        'killall -USR1 node',
        'killall -u "$(whoami)" dropbox',
        'lsof -ti:3000 | xargs kill',
        'kill $(lsof -t -i :8080)',
        'kill $(lsof -t ./app.sock)',
        'kill -15 4321',
      ],
    },
  },
  {
    id: 'processes.fork-bomb',
    severity: 'catastrophic',
    reason: 'starts itself again without end',
    instead: 'bound the number of processes',
    when: [{ program: ['fork-bomb'] }],
    examples: {
      deny: [':(){ :|:& };:', 'f(){ f|f& }; f', 'bomb() { bomb | bomb & }; bomb'],
      pass: ['f(){ ls; }; f', ':'],
    },
  },
  {
    id: 'processes.shutdown',
    severity: 'high',
    reason: 'stops or restarts the machine',
    instead: 'restart only the program that you work on',
    when: [
      { program: ['shutdown', 'reboot', 'halt', 'poweroff'], notFlags: ['-c', '--help'], remote: false },
      { program: ['shutdown', 'reboot', 'halt', 'poweroff'], via: ['ssh'], notFlags: ['-c', '--help'] },
      { program: ['init', 'telinit'], sub: ['0', '6', '1'] },
      {
        program: ['systemctl'],
        sub: [
          'poweroff',
          'reboot',
          'halt',
          'kexec',
          'emergency',
          'rescue',
          'suspend',
          'hibernate',
          'isolate',
        ],
      },
      { writesTo: '^/proc/sysrq-trigger$' },
    ],
    examples: {
      deny: ['shutdown -h now', 'sudo reboot', 'init 0', 'systemctl reboot', 'echo b > /proc/sysrq-trigger'],
      pass: ['npm init', 'systemctl status x', 'shutdown -c', 'git init'],
    },
  },
];

/** Matches a command that names the processes behind one port. */
const PORT_OWNER =
  '(\\S*/)?lsof (?=.*:(\\d{2,5}|\\$\\{?\\w+\\}?)( |$))(-[tinP]+ ?|-sTCP:LISTEN ?|(tcp)?:[^\\s:]+ ?)+$';

/** Matches a command that names other known processes, or takes some of what another names. */
const PID_SOURCE =
  '(jobs -[lp]+|echo [\\d ]+|(cat|head -1|head -n ?1) (?!/(var|run|proc|etc)/)\\S*\\.pid|awk (NR>1 ?)?\\{ ?print \\$\\d+;? ?\\}|(head|tail)( -n? ?\\d+)?|(sort|uniq|tr|cut)( -?[\\w,\\\\ ]+)*)';

export const knowledge: Knowledge[] = [
  {
    about: 'stops a process by its number',
    when: [
      {
        program: ['kill'],
        open: false,
        notArg: '^-(1|\\d{3,})$|^0?1$|\\$\\{?PPID',
        notFrom: `^(?!${PORT_OWNER}|${PID_SOURCE}$)`,
      },
      // these signals ask a program to read its settings again, or show that it is there; they stop nothing of a server's
      {
        program: ['pkill', 'killall'],
        flags: [['-USR1', '-USR2', '-HUP', '-WINCH', '-CONT', '-SIGUSR1', '-SIGUSR2', '-SIGHUP']],
        minWords: 1,
        maxWords: 1,
        open: false,
      },
      { program: ['kill'], everyArg: '^\\d{2,}$', open: false, minWords: 1 },
      { program: ['renice', 'disown', 'fg', 'bg', 'suspend'], open: false },
    ],
    examples: {
      allow: [
        'pkill -USR1 node',
        'kill $(lsof -ti:3000)',
        'lsof -ti tcp:3000 | xargs -r kill',
        'kill $(cat /tmp/x.pid)',
        'kill 1234',
        'kill -9 1234',
        'kill $!',
        'kill %1',
        'kill -0 $PID',
      ],
      unknown: [
        'kill -STOP $(pgrep -f guard)',
        'kill $(lsof -ti :1-9999)',
        'lsof -ti :1-9999 | xargs kill',
        'pkill -f vite',
        'pgrep node | xargs kill',
        'killall node',
        'kill -9 -12345',
        'kill -STOP "$PPID"',
      ],
    },
  },
];
