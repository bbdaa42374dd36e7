import type { Knowledge, Rule } from '../types.ts';

export const rules: Rule[] = [
  {
    id: 'system.write-config',
    severity: 'high',
    reason: 'changes who may log in or what the machine runs at start',
    instead: 'keep settings inside the project; ask the person to change the system',
    when: [
      {
        remote: false,
        writesTo:
          '^/etc/(passwd|shadow|group|gshadow|sudoers|pam\\.d|security|ssh/|ld\\.so|cron|anacron|at\\.|profile|bash\\.bashrc|zsh|rc\\.local|init|inittab|systemd/|fstab|crypttab|hosts\\.(allow|deny)|environment|modprobe|udev|X11/xinit|update-motd)|^/(var/spool/cron|usr/lib/systemd|lib/systemd|Library/Launch|System/Library)|^/(boot|sys)/|^/proc/sys/',
      },
      { program: ['crontab'], flags: [['-r']] },
      {
        program: ['vipw', 'vigr', 'chpasswd', 'usermod', 'userdel', 'deluser', 'groupdel'],
        remote: false,
      },
      { program: ['visudo'], notFlags: ['-c', '--check'], remote: false },
    ],
    examples: {
      deny: [
        'echo x >> /etc/sudoers',
        'echo x | sudo tee /etc/cron.d/job',
        'cp x /etc/systemd/system/y.service',
        "sed -i 's/a/b/' /etc/ssh/sshd_config",
        'crontab -r',
        'tee -a /etc/passwd < x',
        'usermod -aG sudo eve',
      ],
      pass: [
        'cat /etc/passwd',
        'crontab -l',
        'sudo visudo -c',
        'echo x | sudo tee /etc/apt/sources.list',
        'cp /etc/profile .',
        'echo x > /tmp/etc',
      ],
    },
  },
  {
    id: 'system.login-keys',
    severity: 'high',
    reason: 'lets somebody log in to this account',
    instead: 'ask the person to add the key',
    when: [
      { writesTo: '/\\.ssh/(authorized_keys2?|rc|environment)$' },
      { writesTo: '/\\.rhosts$|/hosts\\.equiv$' },
    ],
    examples: {
      deny: [
        'cat k.pub >> ~/.ssh/authorized_keys',
        'cp k /root/.ssh/authorized_keys',
        'echo k | tee -a $HOME/.ssh/authorized_keys',
      ],
      pass: ['cat ~/.ssh/id_rsa.pub', 'ls ~/.ssh'],
    },
  },
  {
    id: 'system.start-files',
    severity: 'medium',
    reason: 'overwrites a file that every new shell runs',
    instead: 'append with >> after asking, or set it in the project',
    when: [
      {
        program: ['cp', 'mv', 'dd', 'truncate', 'shred', 'install'],
        writesTo:
          '/\\.(bashrc|bash_profile|bash_login|profile|zshrc|zshenv|zprofile|zlogin|kshrc|cshrc|tcshrc)$|/\\.config/(fish/config\\.fish|autostart/)|/LaunchAgents/',
      },
    ],
    examples: {
      deny: ['cp x ~/.bashrc', 'mv x ~/.zshrc', 'cp a.plist ~/Library/LaunchAgents/a.plist'],
      pass: ['cat ~/.bashrc', 'source ~/.bashrc', 'cp ~/.bashrc /tmp/x'],
    },
  },
  {
    id: 'system.hide-traces',
    severity: 'medium',
    reason: 'erases the record of what was done',
    instead: 'leave history and logs as they are',
    when: [
      { program: ['history'], flags: [['-c']] },
      {
        program: ['rm', 'shred', 'unlink', 'truncate', 'ln', 'cp', 'mv', 'tee', ':', 'echo', 'cat'],
        writesTo: '/\\.(bash|zsh|sh|python|node_repl|mysql|psql)_?history$',
      },
      {
        program: ['rm', 'shred', 'unlink'],
        path: '/\\.(bash|zsh|sh)_history$|^/var/log/(auth|audit|secure|syslog|messages|wtmp|btmp|lastlog|journal)',
      },
      { writesTo: '^/var/log/(auth|audit|secure|syslog|messages|wtmp|btmp|lastlog)' },
      { program: ['export', 'set'], arg: '^HIST(FILE|SIZE|FILESIZE)=(/dev/null|0|)$' },
      { program: ['auditctl'], flags: [['-D', '-e']] },
      { program: ['journalctl'], arg: '^--vacuum-(time|size|files)=(0|1)\\D{0,2}$' },
    ],
    examples: {
      deny: [
        'history -c',
        'rm ~/.bash_history',
        '> ~/.bash_history',
        'ln -sf /dev/null ~/.bash_history',
        'export HISTFILE=/dev/null',
        'rm -f /var/log/auth.log',
        '> /var/log/syslog',
      ],
      pass: ['history', 'tail -f /var/log/syslog', 'history | tail', 'journalctl -u x'],
    },
  },
  {
    id: 'system.disable-protection',
    severity: 'high',
    reason: 'turns off the firewall, the audit or another protection',
    instead: 'ask the person; no build or test needs it off',
    when: [
      { program: ['ufw'], sub: ['disable', 'reset'] },
      { program: ['iptables', 'ip6tables'], flags: [['-F', '--flush', '-X']] },
      { program: ['nft'], sub: ['flush ruleset'] },
      { program: ['setenforce'], sub: ['0', 'permissive'] },
      { program: ['csrutil', 'spctl'], line: 'disable' },
      {
        program: ['systemctl', 'service'],
        line: '(^|\\s)(stop|disable|mask)(\\s.*)?\\s(ufw|firewalld|iptables|nftables|auditd|apparmor|fail2ban|selinux|sshd?|rsyslog|systemd-journald|clamav\\S*|falcon\\S*)|^(ufw|firewalld|auditd|apparmor|fail2ban) stop',
      },
      { program: ['swapoff'], flags: [['-a']] },
      { program: ['kexec', 'rmmod'] },
    ],
    examples: {
      deny: [
        'ufw disable',
        'iptables -F',
        'setenforce 0',
        'systemctl stop firewalld',
        'sudo systemctl disable --now auditd',
      ],
      pass: ['ufw status', 'iptables -L', 'systemctl status sshd'],
    },
  },
];

export const knowledge: Knowledge[] = [
  {
    about: 'only shows the system’s settings',
    when: [
      {
        program: ['iptables', 'ip6tables'],
        flags: [['-L', '-S', '--list', '--list-rules']],
        notFlags: ['-F', '-X', '-Z', '-D', '-A', '-I', '-P'],
      },
      { program: ['ufw'], sub: ['status', 'show'] },
      { program: ['nft'], sub: ['list'] },
      {
        program: [
          'getenforce',
          'sestatus',
          'aa-status',
          'atq',
          'lpstat',
          'lpq',
          'xrandr',
          'xset',
          'setxkbmap',
          'stty',
          'tset',
          'reset',
          'lsb_release',
          'quota',
          'ntpq',
          'xwininfo',
          'xprop',
          'xdpyinfo',
          'amixer',
          'wmctrl',
        ],
        notFlags: ['-X', '-r', '-c'],
        maxWords: 1,
        notArg: '[;|&`]',
      },
      {
        program: ['screen', 'tmux'],
        sub: [
          'ls',
          'list-sessions',
          'attach',
          'a',
          'attach-session',
          'list-windows',
          'list-panes',
          'capture-pane',
          'has-session',
          'display-message',
        ],
        // `#(…)` in a format runs a command
        notArg: '#\\(',
      },
      {
        program: ['screen'],
        flags: [['-ls', '-list', '-r', '-dr', '-x', '-d', '-D', '-v']],
        notFlags: ['-X'],
        maxWords: 1,
      },
    ],
    examples: {
      allow: ['iptables -L', 'ufw status', 'tmux ls', 'screen -ls', 'stty -a'],
      unknown: [
        'useradd eve',
        'insmod x.ko',
        'sysctl -w a=b',
        'at now',
        'tmux',
        'tmux new-session -d rm',
        "tmux display-message -p '#(id)'",
      ],
    },
  },
];
