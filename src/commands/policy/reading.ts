import { AWKS, GREPS, LOOKERS, TREE_GREPS, words } from '../../shell/names.ts';
import type { Zone } from '../../shell/zones.ts';
import type { Knowledge, Rule } from '../judge.ts';

export const rules: Rule[] = [];

/** All zones but home folders, secrets and the root: a search through a whole home folder would also show secrets. */
const ANYWHERE_BUT_HOMES = [
  'project',
  'project-root',
  'regenerable',
  'vcs',
  'temp',
  'sink',
  'system',
  'device',
  'in-home',
  'outside',
  'unknown',
] as const satisfies Zone[];

export const knowledge: Knowledge[] = [
  {
    about: 'only looks',
    when: [
      {
        program: LOOKERS,
        // what they look up goes over the network
        notProgram: words('nslookup dig host whois ping ping6 traceroute tracepath mtr getent'),
        notFlags: ['--pager', '--pre', '--extcap', '--compress-program'],
      },
      { program: ['ss'], notFlags: ['-K', '--kill', '-D', '--diag', '-F', '--filter'] },
      { program: ['lastlog'], notFlags: ['-C', '-S', '--clear', '--set'] },
      { program: ['jobs'], notFlags: ['-x'] },
      { program: ['file'], notFlags: ['-C', '--compile'] },
      { program: ['chkconfig'], flags: [['--list', '-l']] },
      // `!` runs a shell
      { program: ['dc'], notArg: '!' },
      { program: ['pygmentize'], notFlags: ['-o'] },
      { program: ['exiftool'], notArg: '[=<>]|^-(o|w|delete|overwrite|execute|config)' },
      {
        program: GREPS,
        notFlags: ['-r', '-R', '--recursive', '--dereference-recursive', '--pre', '--pager'],
      },
      {
        program: [...GREPS, ...TREE_GREPS],
        within: ANYWHERE_BUT_HOMES,
        notFlags: ['--pre', '--pager', '--hostname-bin', '--search-zip-with'],
      },
      {
        program: [...GREPS, ...TREE_GREPS],
        open: true,
        notArg: '^(~|/|/root|/home(/[^/]+)?|/Users(/[^/]+)?)/?$|^--(pre|pager|hostname-bin)\\b',
      },
      {
        program: ['less', 'zless', 'man', 'info'],
        notFlags: ['-P', '--pager', '-o', '-O', '--log-file', '-H', '--html'],
        notArg: '^\\+.*!',
      },
      { program: ['sort'], notFlags: ['-o', '--output', '--compress-program'] },
      { program: ['sort'], flags: [['-o', '--output']], notFlags: ['--compress-program'], open: false },
      { program: ['uniq', 'xxd'], maxWords: 1 },
      { program: ['date', 'gdate'], everyArg: '^\\+', notFlags: ['-s', '--set'] },
      { program: ['hostname', 'domainname'], maxWords: 0, notFlags: ['-b', '-F', '--file'] },
      { program: ['dmesg'], notFlags: ['-C', '-c', '--clear', '--read-clear', '-D', '-E', '-n'] },
      { program: ['ifconfig', 'iwconfig', 'arp', 'route'], maxWords: 1, notFlags: ['-d', '-s', '-f'] },
      {
        program: ['ip'],
        notLine: '(^|\\s)(add|a|del|d|delete|set|flush|replace|change|append|exec|restore)(\\s|$)',
      },
      {
        program: ['ip'],
        sub: ['a', 'r', 'addr', 'link', 'route', 'addr show', 'link show', 'route show'],
        notLine: '\\s(add|del|delete|set|flush|replace|change|append|exec|restore)(\\s|$)',
      },
      { program: ['mount'], maxWords: 0, notFlags: ['-a', '--all'] },
      { program: ['crontab'], flags: [['-l']], notFlags: ['-r', '-e'], maxWords: 0 },
      { program: ['history', 'fc'], notFlags: ['-c', '-d', '-w', '-r', '-a', '-n', '-p', '-s', '-e'] },
      {
        program: ['journalctl'],
        notFlags: [
          '--vacuum-size',
          '--vacuum-time',
          '--vacuum-files',
          '--rotate',
          '--flush',
          '--setup-keys',
          '--sync',
        ],
      },
      {
        program: ['systemctl'],
        sub: words(
          'status show cat list-units list-unit-files list-timers list-sockets list-jobs list-dependencies is-active is-enabled is-failed get-default help',
        ),
      },
      {
        program: ['service'],
        everyArg: '^(?!(start|stop|restart|reload|force-reload)$)',
        flags: [['--status-all']],
      },
      { program: ['launchctl'], sub: ['list', 'print', 'blame', 'dumpstate'] },
      { program: ['sysctl'], notFlags: ['-w', '--write', '-p', '--load', '--system'], notArg: '=' },
      {
        program: ['locale', 'localectl', 'timedatectl', 'hostnamectl'],
        everyArg: '^(status|show|charmap|list-\\w+)$',
        notFlags: ['--set'],
      },
      { program: ['tree'], notFlags: ['-o', '-R'] },
      { program: ['iconv'], notFlags: ['-o', '--output'] },
      {
        program: [
          'jq',
          'gojq',
          'jaq',
          'xq',
          'yq',
          'dasel',
          'xmllint',
          'xmlstarlet',
          'csvcut',
          'csvgrep',
          'csvlook',
          'csvstat',
          'csvsort',
          'csvjson',
        ],
        notFlags: ['-i', '--inplace', '--in-place', '--output', '-I', '-L'],
      },
      { program: ['fx'], everyArg: '^[\\w./[\\]-]+$' },
      {
        program: ['mlr'],
        notFlags: ['-I', '-n', '--from-script', '-s', '--prepipe', '--prepipex'],
        notArg: '\\b(system|exec|tee|split|dump|emit\\w*|print\\w*)\\b.*[(>|]|^(tee|split|case)$',
      },
      { program: ['fzf', 'sk'], notFlags: ['--preview', '--bind', '--execute'] },
      { program: ['mktemp'], within: ['temp', 'project', 'regenerable', 'project-root'] },
      {
        program: ['split', 'csplit'],
        within: ['temp', 'project', 'regenerable'],
        paths: 'rest',
        notFlags: ['--filter'],
      },
      {
        program: ['sha256sum', 'gpg'],
        flags: [['--verify', '--list-keys', '-k', '--list-secret-keys', '-K', '--fingerprint', '-c']],
        notFlags: ['--symmetric', '-d', '--decrypt'],
      },
      {
        program: [
          'open',
          'xdg-open',
          'code',
          'pbcopy',
          'xclip',
          'xsel',
          'pbpaste',
          'wl-copy',
          'wl-paste',
          'say',
          'notify-send',
          'screen-info',
        ],
        // code runs extensions and opens tunnels
        notVerbs: '^(ext|tunnel|serve-web)( |$)',
        within: ['project', 'regenerable', 'temp', 'project-root'],
        open: false,
      },
    ],
    examples: {
      allow: [
        'ls -la',
        'cat file.txt | head -20',
        'grep -rn "rm -rf /" src',
        'rg --files | wc -l',
        'sort -u names.txt',
        'date +%s',
        'ps aux | grep node',
        'du -sh * | sort -h | tail',
        'diff <(sort a) <(sort b)',
        'jq .version package.json',
        'ip addr show',
        'crontab -l',
        'systemctl status nginx',
        'grep -rn TODO src ../lib',
        'rg process.env.PORT src',
        "dc -e '1 2 + p'",
        'file src/a.bin',
        'cat ~/.ssh/id_ed25519.pub',
        'cat ~/.ssh/known_hosts',
        'cat certs/ca.pem',
        'ls *.ts',
      ],
      unknown: [
        'sort -o /etc/passwd x',
        'rg --pre ./x.sh foo',
        'date -s 12:00',
        'ip link set eth0 down',
        'uniq a ../../b',
        'crontab -r',
        'sort --compress-program=./evil x',
        'cat .env',
        'history -c',
        "dc -e '!id'",
        'jobs -x ./x',
        'ss -K dst 10.0.0.1',
        'exiftool -all= a.jpg',
        'mlr put \'system("id")\' a.csv',
        'grep -r password ~',
        'rg AKIA /home/dev',
        'cat ~/.aw?/cred*',
        'cat .e*',
        'cat /etc/sh*w',
        "find / -name '*.pem' -exec cat {} +",
      ],
    },
  },
  {
    about: 'looks for files',
    when: [
      {
        program: ['find', 'gfind'],
        notFlags: ['-delete', '-fprint', '-fprint0', '-fprintf', '-fls', '-files0-from'],
      },
      { program: ['fd', 'fdfind'] },
    ],
    examples: {
      allow: [
        "find . -name '*.ts' -not -path './node_modules/*'",
        'find / -name foo 2>/dev/null',
        'find . -name -delete -print',
        'find . -type f -exec grep -l foo {} +',
      ],
      unknown: [
        'find . -fprint /etc/x',
        'find . $(cat args)',
        'find . -name x -exec ./unknown-program.x ../y \\; -fls z',
        'find src -delete',
      ],
    },
  },
  {
    about: 'edits or filters text inside the project',
    when: [
      { program: ['sed', 'gsed'], notFlags: ['-i', '--in-place', '-f', '--file'], notScript: SED() },
      {
        program: ['sed', 'gsed'],
        flags: [['-i', '--in-place']],
        notFlags: ['-f', '--file'],
        notScript: SED(),
        open: false,
      },
      {
        program: AWKS,
        notFlags: ['-i', '--include', '-l', '--load', '-f', '--file', '-E', '--exec'],
        notScript: AWK(),
      },
      {
        program: AWKS,
        flags: [['-f']],
        notFlags: ['-i', '--include', '-l', '--load', '-E', '--exec'],
        within: ['project', 'temp', 'regenerable'],
        notArg: '^-$|^-f-$|/dev/',
      },
    ],
    examples: {
      allow: [
        "sed -n '1,20p' file.txt",
        "sed -i 's/foo/bar/g' src/a.ts",
        "sed 's/git reset --hard/safe/' file.txt",
        "awk '{print $1}' file.txt",
        "awk 'NR>1 && $3 > 5 {print $1, $2}' data.csv",
        "awk '/rm -rf/ {print}' log.txt",
        "sed -i '' 's/a/b/' words.txt",
      ],
      unknown: [
        "sed '1e rm -rf /' x",
        "sed 's/a/b/e' x",
        "sed -n '/x/w /etc/passwd' x",
        "sed -i 's/a/b/' /etc/hosts",
        'awk \'BEGIN{system("rm -rf /")}\'',
        'awk \'{print > "/etc/passwd"}\' x',
        'awk \'{print | "sh"}\' x',
        'awk \'BEGIN{"id" | getline x}\'',
        "sed 'w../../x' y",
        "sed 'r /etc/shadow' x",
        'sed -i d src/a.ts',
      ],
    },
  },
  {
    about: 'looks into archives',
    when: [
      {
        program: ['tar', 'gtar', 'bsdtar'],
        flags: [['-t', '--list']],
        notFlags: words(
          '-I --use-compress-program --to-command --checkpoint-action -F --info-script --rsh-command',
        ),
      },
      {
        program: ['tar'],
        everyArg: '.',
        line: '^t[a-z]*( |$)',
        notFlags: words(
          '-I --use-compress-program --to-command --checkpoint-action -F --info-script --rsh-command',
        ),
      },
      { program: ['unzip'], flags: [['-l', '-t', '-v', '-Z', '-z', '-p']] },
      {
        program: [
          'gzip',
          'gunzip',
          'bzip2',
          'bunzip2',
          'xz',
          'unxz',
          'zstd',
          'unzstd',
          'lzma',
          'lz4',
          'pigz',
        ],
        flags: [['-c', '-l', '-t', '--stdout', '--list', '--test', '--to-stdout']],
      },
      {
        program: ['gzip', 'gunzip', 'bzip2', 'bunzip2', 'xz', 'unxz', 'zstd', 'base64', 'pigz', 'lz4'],
        maxWords: 0,
        open: false,
      },
      { program: ['7z', '7za', '7zz', 'unrar', 'rar'], sub: ['l', 't', 'v', 'lt'] },
      { program: ['ar'], line: '^-?[tp]' },
      { program: ['cpio'], flags: [['-t', '--list']] },
      { program: ['cpio'], flags: [['-o', '--create']], notFlags: ['-F', '-O', '--file', '--rsh-command'] },
    ],
    examples: {
      allow: ['tar tzf x.tgz', 'unzip -l x.zip', 'gzip -dc a.gz | head', 'gunzip < a.gz'],
      unknown: ['tar tf x --to-command=sh', 'unzip x.zip -d /etc'],
    },
  },
  {
    about: 'asks for the version or for help',
    when: [{ line: '^(--version|-V|--help|version|help)$', program: ['*'] }],
    examples: {
      allow: ['anything --version', 'foo --help'],
      unknown: ['./../x --version', 'foo version --force'],
    },
  },
];

/** Returns a pattern for sed scripts that may run a command or write a file: `e` and `w`, also as flags of `s`. */
function SED(): string {
  return '(^|[;{}\\n0-9$!])\\s*[ewW]|[/|#,:@!%+_~][gpiImM0-9]*[ew]\\s*($|[;}\\n])|[/|#,:@!%+_~][gpiImM0-9]*w\\s|/[IM]*\\s*[ewW](\\s|$)|(^|[;{}\\n])\\s*[\\d$]*[rR]\\s+(/|~|\\.\\.)|^\\s*(1,\\$)?d\\s*$';
}

/** Returns a pattern for awk scripts that may run a command or write a file. */
function AWK(): string {
  return 'system\\s*\\(|getline|\\|&|@(load|include)|(^|[^a-z_])(printf?)[^;}\\n">|]*("([^"\\\\]|\\\\.)*"[^;}\\n">|]*)*(>|\\|[^|])|close\\s*\\(|fflush';
}
