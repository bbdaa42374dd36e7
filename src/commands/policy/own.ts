// Longer than 400 lines because each rule stands with the examples that test it, and they share their patterns.

import { GREPS, TREE_GREPS } from '../../shell/names.ts';
import type { Knowledge, Rule } from '../types.ts';
import { words } from './lists.ts';

// What guards Lore itself: an agent must not approve what it was denied, nor stop, blind or read what guards it. The
// server refuses most of this too, because an agent's key cannot do what a person's can; these rules also cover what the
// machine would let the agent do as the person's user.

const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const READERS = words(`
  ls stat test [ [[ du file realpath readlink dirname basename cd pushd echo printf git grep rg egrep fgrep which type
`);
const INTERPRETERS = words('python* node nodejs deno bun perl ruby php lua tclsh osascript pwsh powershell');
const SHELLS = words('sh bash zsh dash ksh fish');
/** run a command given as text, many of them on a terminal that they make */
const PUPPETEERS = words(`
  script expect unbuffer autoexpect tmux screen dtach abduco socat zellij at batch watch ssh su runuser faketty empty
  systemd-run xterm gnome-terminal konsole xdotool ydotool
`);
const REQUESTS = words(`
  curl wget http https httpie xh curlie aria2c lynx w3m nc ncat netcat telnet socat openssl websocat grpcurl hurl ab hey
  wrk httpx fetch
`);
const CHANGES = words(`
  rm rmdir unlink shred trash trash-put mv rename chmod chown chgrp chattr setfacl ln truncate rsync install tar zip
  srm wipe ed ex vi vim nvim emacs nano patch sponge
`);

const SIGNALLERS = words(`
  kill pkill killall skill snice renice gdb lldb gcore strace ltrace perf rr reptyr cpulimit prlimit taskset ionice chrt
  nsenter criu py-spy rbspy process.kill os.kill os.killpg
`);

/** What may name a file that guards, besides what knowledge says only looks: they read it, or make what is missing. */
const KEEPERS = [
  ...words('lore mkdir touch json.tool shellcheck yamllint jsonlint'),
  ...GREPS,
  ...TREE_GREPS,
];
const GIT_KEEPS =
  '^(add|stage|commit|reset|push|pull|fetch|merge|rebase|tag|branch|notes|archive|bundle|format-patch)( |$)';

/** The words of the CLI that only a person may say, as they follow its name. */
const PERSONS = 'allow|deny|keys|users|sql|erase|export|import|stop|retry|open|pair';
const DECIDES =
  'learnings (approve|retire|erase|add|good|bad)|amendments (undo|restore)|skills (sync|retire|erase)|' +
  '(facts|relations) (set|end|undo|erase)|decisions (add|end|erase)|(notes|findings) erase|' +
  'verdicts drop|spending (on|off)';
const LORE = '(^|[\\s/\'"`\\[(,;&|])lore(\\.[cm]?js)?';
/** What no agent needs to read in the data folder, and patterns of file names that may find it. */
const PARTS = '(key|secret|pgdata|journal|attachments|server\\.lock|last-good|[^/]*[*?\\[{])';
/** Those words in a text that another program runs, with what a list of arguments puts between. */
const SAID = `${LORE}['"\\s,\\]]+(--\\s+|--json\\s+)?['"]?(${PERSONS})\\b`;
const OWN_LINE = `^(--json )?(${PERSONS}|${DECIDES})( |$)`;

/**
 * Returns the rules for a server with this data folder and port.
 *
 * @param home null: usually `~/.lore`
 */
export function ownRules({ home, port }: { home: string | null; port: number }): Rule[] {
  const named = home === null ? null : `^${literal(home)}`;
  const data = `(/\\.lore|^\\$\\{?LORE_HOME\\}?${named === null ? '' : `|${named}`})`;
  const settings =
    '/\\.claude/(settings[\\w.-]*\\.json|hooks(/.*)?|plugins(/.*)?|[*?\\[{].*)$|/\\.claude/?$|/\\.claude\\.json$|/managed-settings\\.json$';
  // a port may be written with zeros before it, and curl knows ranges and lists
  const address = `:0*${port}(?!/(health|openapi\\.json)([?#\\s'"]|$))|\\$\\{?LORE_(URL|PORT|HOST)\\b(?!\\}?/health([\\s'"]|$))|(127\\.|localhost|::1\\]|0\\.0\\.0\\.0)[^\\s/]*:\\d*[[{]`;
  return [
    {
      id: 'own.decide',
      severity: 'catastrophic',
      reason: 'decides what only a person may decide about Lore',
      instead: 'ask the person; they do it in a terminal of their own',
      when: [
        { program: ['lore', 'lore.js'], verbs: OWN_LINE, notFlags: ['--help', '-h'] },
        { program: ['lore', 'lore.js'], sub: ['init'], flags: [['--remove', '--force']] },
        { program: ['lore', 'lore.js'], sub: ['start'], flags: [['--lan']] },
        {
          program: ['npm', 'pnpm', 'yarn', 'bun', 'npx', 'pnpx', 'bunx'],
          line: `(^|\\s)(lore|@[\\w-]+/lore)(@\\S+)? (-- )?(${PERSONS}|${DECIDES}|init --(remove|force))( |$)`,
        },
        {
          program: ['node', 'nodejs', 'deno', 'bun', 'tsx', 'ts-node'],
          line: `(^|[\\s/])(lore(\\.[cm]?js)?|cli/main\\.ts) (--json )?(${PERSONS}|${DECIDES}|init --(remove|force))( |$)`,
        },
        { program: [...PUPPETEERS, ...INTERPRETERS], arg: SAID },
        { program: [...PUPPETEERS, ...INTERPRETERS, ...SHELLS], stdin: SAID },
      ],
      examples: {
        deny: [
          'lore allow 0123456789abcdef',
          'lore verdicts drop 0123456789abcdef',
          'lore spending on',
          'lore deny 0123456789abcdef --once',
          'npx lore allow',
          'npm run lore -- allow deadbeef',
          'node_modules/.bin/../.bin/lore allow deadbeef',
          'node bin/lore.js allow deadbeef',
          "sh -c 'lore allow deadbeef'",
          'yes | lore allow deadbeef',
          "script -qec 'lore allow deadbeef' /dev/null",
          "env -u CLAUDECODE -u LORE_KEY script -qec 'npx lore allow deadbeef' /dev/null",
          "python3 -c \"import pty; pty.spawn(['lore', 'allow', 'deadbeef'])\"",
          "expect -c 'spawn lore allow deadbeef; send y'",
          "tmux new -d 'lore allow deadbeef'",
          'lore keys create x',
          'lore sql --write "delete from command_checks"',
          'lore users add me',
          'lore pair',
          'lore open --print',
          'lore start --lan',
          'env -u LORE_KEY lore facts set policy merge "without review"',
          'npx lore decisions add "a merge is asked for" "merge it"',
          'npx lore init --remove',
          'lore skills sync .claude/skills --keep local',
        ],
        pass: [
          'lore status',
          'lore search "pool exhausted"',
          'lore explain "rm -rf /"',
          'lore init .',
          'lore rules',
          'lore learnings',
          'lore facts history service port',
          'lore skills activate release-notes',
          'git commit -m "lore allow asks on a terminal"',
          'grep -rn "lore allow" docs',
          'npm run lore -- status',
        ],
      },
    },
    {
      id: 'own.server',
      severity: 'catastrophic',
      reason: "stops Lore's server, which guards this session",
      instead: 'leave it running, or ask the person',
      when: [
        { program: ['pkill', 'killall', 'skill'], arg: '(^|[^\\w-])lore(\\.js)?([^\\w-]|$)|\\[l\\]ore' },
        { program: ['kill'], arg: `\\blore\\b|\\[l\\]ore|\\b${port}\\b.*\\)|LORE_` },
        { program: ['kill'], from: `(^|[\\s/'"])\\[?l\\]?ore\\b|\\.lore/|[:\\s]${port}\\b|LORE_` },
        { program: SIGNALLERS, signals: ['lore'] },
        { program: INTERPRETERS, code: ['commands', 'dynamic', 'other'], signals: ['lore'] },
        { program: ['fuser'], flags: [['-k', '--kill']], arg: `(^|:)0*${port}(/|$)|\\.lore` },
        { program: ['kill-port', 'fkill', 'killport'], arg: `^:?0*${port}$|^lore$` },
        {
          program: ['systemctl', 'service', 'launchctl', 'pm2', 'supervisorctl'],
          line: '\\blore(\\.service)?\\b',
          verbs: '\\b(stop|kill|disable|mask|restart|delete|unload|remove|bootout)\\b',
        },
      ],
      examples: {
        deny: [
          'pkill -f lore',
          'pkill -9 -f bin/lore.js',
          'kill $(cat ~/.lore/server.lock)',
          'kill -9 $(pgrep -f lore)',
          `fuser -k ${port}/tcp`,
          'systemctl --user stop lore',
        ],
        pass: [
          'kill 1234',
          "pkill -f 'vite dev'",
          'lsof -i :3000',
          'pgrep -fl lore',
          'systemctl --user status lore',
          'pkill -f explore',
        ],
      },
    },
    {
      id: 'own.server-number',
      severity: 'high',
      reason: "finds the process of Lore's server, as if to stop it",
      instead: 'leave it running; lore status says how it is',
      when: [
        { program: ['lsof'], flags: [['-t', '-ti', '-it']], line: `\\b${port}\\b` },
        { program: ['lsof'], arg: `^-[a-z]*t[a-z]*:${port}$` },
        {
          program: ['pgrep', 'pidof'],
          arg: '(^|[^\\w-])\\[?l\\]?ore(\\.js)?([^\\w-]|$)',
          notArg: '^-(-list|-count|-help|[a-z]*[lac][a-z]*$)',
        },
        { program: ['awk', 'gawk', 'mawk'], arg: '/\\[?l\\]?ore(\\\\?\\.js)?/.*print \\$[12]' },
        {
          program: words('awk gawk mawk cut sed tr'),
          from: '^[ef]?grep\\b.*\\[?\\bl\\]?ore\\b',
          arg: 'print|^-[df]',
        },
      ],
      examples: {
        deny: [
          `lsof -ti:${port} | xargs kill -9`,
          `lsof -t -i :${port}`,
          'pgrep -f lore | xargs kill',
          "for p in $(ps -eo pid,cmd | awk '/lore/{print $1}'); do kill -9 $p; done",
          "ps aux | grep '[l]ore' | awk '{print $2}' | xargs kill",
        ],
        pass: ['pgrep -fl lore', `lsof -i :${port}`, 'lsof -ti:3000 | xargs kill', 'ps aux | grep lore'],
      },
    },
    {
      id: 'own.data',
      severity: 'catastrophic',
      reason: "touches Lore's data folder, which holds keys and verdicts",
      instead: 'leave it; ask Lore with lore search or lore status',
      when: [
        { writesTo: `${data}/${PARTS}` },
        { notProgram: READERS, path: `${data}/${PARTS}` },
        { program: [...CHANGES, 'grep', 'rg', 'egrep', 'fgrep'], path: `${data}/${PARTS}` },
        { writesTo: `${data}(/|$)`, writes: ['in-home'] },
        { program: CHANGES, path: `${data}(/|$)`, zone: ['in-home'] },
        { notProgram: READERS, path: `${data}/?$`, zone: ['in-home'] },
        { program: ['grep', 'rg', 'egrep', 'fgrep'], path: `${data}/?$`, zone: ['in-home'] },
        ...(named === null
          ? []
          : [
              { writesTo: `${named}(/|$)` },
              { program: CHANGES, path: `${named}(/|$)` },
              { notProgram: READERS, path: `${named}/?$` },
            ]),
        {
          program: words('psql pg_dump pg_restore pg_ctl postgres sqlite3 duckdb pgcli usql initdb'),
          arg: `${data}(/|$)|(^|[=~])/?\\.lore(/|$)`,
        },
        {
          program: INTERPRETERS,
          arg: `/\\.lore/(key|secret|pgdata|journal)|['"]\\.lore['"]|LORE_(HOME|SECRET)\\b${named === null ? '' : `|${named.slice(1)}`}`,
        },
      ],
      examples: {
        deny: [
          'rm -rf ~/.lore',
          'rm -rf ~/.lore/pgdata',
          'chmod 000 ~/.lore/key',
          'cat ~/.lore/key',
          'head -c 100 $HOME/.lore/key',
          'cp -r ~/.lore /tmp/x',
          'tar czf /tmp/x.tgz ~/.lore',
          "echo '{}' > ~/.lore/rules.json",
          'psql -h ~/.lore -c "select 1"',
          'cat $LORE_HOME/key',
          'python3 -c "print(open(\'/home/dev/.lore/key\').read())"',
          "node -e \"console.log(require('fs').readFileSync(process.env.HOME + '/.lore/key', 'utf8'))\"",
        ],
        pass: [
          'ls -la ~/.lore',
          'cat .lore/rules.json',
          'git add .lore/rules.json',
          'cat ~/.lore/rules.json',
        ],
      },
    },
    {
      id: 'own.requests',
      severity: 'catastrophic',
      reason: "sends Lore's server a request of its own",
      instead: 'use lore search, lore notes or lore findings',
      when: [
        { program: REQUESTS, line: `${address}|\\bLORE_KEY\\b` },
        {
          program: words('nc ncat netcat telnet openssl'),
          line: `(127\\.|localhost|::1|0\\.0\\.0\\.0|\\b0\\b).*[\\s:]0*${port}\\b`,
        },
        {
          program: INTERPRETERS,
          arg: `[:,( ]\\s*['"]?0*${port}\\b(?!/health['"\`])|LORE_(URL|PORT|KEY)\\b|/v1/(commands/overrule|keys|users|sql|erase|export)\\b`,
        },
        {
          program: INTERPRETERS,
          stdin: `[:,( ]\\s*['"]?0*${port}\\b(?!/health['"\`])|LORE_(URL|PORT|KEY)\\b|/v1/(commands/overrule|keys|users|sql|erase|export)\\b`,
        },
        { writesTo: `^/dev/(tcp|udp)/[^/]+/(0*${port}$|\\$)` },
        { program: ['exec', ...SHELLS, 'cat', 'echo', 'printf'], arg: `/dev/tcp/\\S+/0*${port}\\b` },
      ],
      examples: {
        deny: [
          `curl -X POST http://127.0.0.1:${port}/v1/commands/overrule -d '{}'`,
          `wget -qO- --post-data='{}' http://localhost:${port}/v1/keys`,
          'curl -H "Authorization: Bearer $LORE_KEY" $LORE_URL/v1/export',
          `node -e "fetch(process.env.LORE_URL+'/v1/commands/overrule',{method:'POST'})"`,
          `python3 -c "import urllib.request as u; u.urlopen('http://127.0.0.1:${port}/v1/sql')"`,
          `nc 127.0.0.1 ${port}`,
          'curl $LORE_URL/v1/notes -d x',
          `curl -s http://127.0.0.1:0${port}/v1/findings`,
          `curl -s 'http://127.0.0.1:[4000-5000]/v1/findings'`,
        ],
        pass: [
          `curl -s http://127.0.0.1:${port}/health`,
          'curl -s http://127.0.0.1:3000/v1/keys',
          `node server.js --port ${port}`,
          'curl -s $LORE_URL/health',
        ],
      },
    },
    {
      id: 'own.settings',
      severity: 'high',
      reason: "changes the client's settings, which hold Lore's hooks",
      instead: 'tell the person what to change',
      when: [
        { writesTo: settings },
        { program: CHANGES, path: settings },
        {
          program: [...INTERPRETERS, 'sed', 'gsed', 'awk', 'gawk', 'yq', 'jq', 'dasel'],
          flags: [['-i', '--in-place', '-p', '-pi', '--inplace']],
          path: settings,
        },
        { program: ['git'], sub: words('checkout restore rm mv clean reset apply'), path: settings },
        {
          program: INTERPRETERS,
          code: ['writes', 'deletes', 'commands', 'dynamic', 'other'],
          path: settings,
        },
        {
          program: INTERPRETERS,
          code: ['writes', 'deletes', 'commands', 'dynamic', 'other'],
          arg: '\\.claude/settings|\\.claude[\'"], *[\'"]settings|settings\\.local\\.json',
        },
        { program: ['find', 'fd'], path: settings, flags: [['-delete', '-exec', '-execdir', '-x', '-X']] },
        { program: ['claude'], verbs: '^(config (set|add|remove|rm)|mcp (add|remove))' },
      ],
      examples: {
        deny: [
          'echo \'{"hooks":{}}\' > .claude/settings.json',
          "cat > .claude/settings.local.json <<< '{}'",
          'rm .claude/settings.local.json',
          'rm -rf .claude',
          'mv .claude /tmp/x',
          'truncate -s 10 .claude/settings.local.json',
          "perl -pi -e 's/deny/allow/' .claude/settings.json",
          "sed -i 's/hooks/x/' .claude/settings.local.json",
          'cp /tmp/x.json ~/.claude/settings.json',
          'git checkout -- .claude/settings.json',
          "python3 -c \"open('.claude/settings.json', 'w').write('{}')\"",
          "node -e \"require('fs').unlinkSync('.claude/settings.local.json')\"",
        ],
        pass: [
          'cat .claude/settings.json',
          'ls .claude',
          'git add .claude/settings.json',
          'git diff .claude/settings.json',
          'cat .claude/agents/x.md',
        ],
      },
    },
    {
      id: 'own.rules',
      severity: 'high',
      reason: "changes the project's rules for commands",
      instead: 'tell the person what to change in .lore/rules.json',
      when: [
        { writesTo: '/\\.lore(/|$)' },
        { program: CHANGES, path: '/\\.lore(/|$)' },
        {
          program: ['git'],
          sub: words('checkout restore rm mv clean stash update-index sparse-checkout'),
          path: '/\\.lore(/|$)',
        },
        {
          program: INTERPRETERS,
          code: ['writes', 'deletes', 'commands', 'dynamic', 'other'],
          path: '/\\.lore(/|$)',
        },
      ],
      examples: {
        deny: [
          'rm -f .lore/rules.json && ls',
          'mv .lore/rules.json /tmp/',
          "echo '{}' > .lore/rules.json",
          'mv .lore x',
          'git rm .lore/rules.json',
          'git update-index --skip-worktree .lore/rules.json',
          'git stash push .lore',
          "git sparse-checkout set '/*' '!/.lore/'",
        ],
        pass: ['cat .lore/rules.json', 'git add .lore', 'git log -- .lore/rules.json', 'ls .lore'],
      },
    },
    {
      id: 'own.reach',
      severity: 'high',
      reason: "may change the client's settings or Lore's rules",
      instead: 'leave out .claude, .lore and .git: name the files that you mean',
      when: [
        { notProgram: [...KEEPERS, 'git'], notLine: '^-m json\\.tool \\S+$', reaches: ['lore'] },
        { program: ['git'], notVerbs: GIT_KEEPS, reaches: ['lore'] },
      ],
      examples: {
        deny: [
          'mv .cl* x/',
          'mv .[a-z]* x/',
          'rm -rf .??*',
          'cp y.json .cl*/settings.json',
          'gzip .lore/rules.json',
          'git mv .lo* docs/',
          'git -C .lore rm rules.json',
          'git rm ":(icase).LORE/rules.json"',
          'cp -l .lore/rules.json docs/x',
          'npx prettier --write .claude/settings.json',
          'unheard-of --out=.claude/hooks/x.sh',
          "sed -i 's/a/b/' .l*/*.json",
        ],
        pass: [
          'mv src/*.ts lib/',
          'rm -rf *.log',
          'ls .c*',
          "sed -i 's/a/b/' src/*.json",
          'git apply p.patch',
          'cp .claude/settings.json /tmp/x.json',
          'sed -n 1,5p .claude/settings.json',
          'find .claude -type f',
          'git commit -m x .lore/rules.json',
          'rsync -a --exclude .claude src/ build/',
          'bash .claude/hooks/format.sh',
          'mkdir -p .claude/hooks',
        ],
      },
    },
    {
      id: 'own.key',
      severity: 'high',
      reason: "reads the key of Lore's hooks",
      instead: 'leave it; the lore command finds it by itself',
      when: [
        { notProgram: ['test', '[', '[['], arg: '\\$\\{?!?(LORE_KEY|LORE_SECRET)\\b(?![:]?[+])' },
        {
          program: words('printenv declare typeset export local readonly compgen'),
          arg: '^LORE_(KEY|SECRET)$',
        },
        {
          program: words('grep rg egrep fgrep awk gawk sed'),
          arg: 'LORE(_(KEY|SECRET))?\\b',
          from: '^(env|printenv|set|export|declare|typeset|compgen|strings|cat /proc)\\b',
        },
        { notProgram: READERS, path: '/\\.claude/settings\\.local\\.json$' },
        {
          program: ['grep', 'rg', 'egrep', 'fgrep'],
          paths: 'rest',
          path: '/\\.claude/settings\\.local\\.json$',
          notFlags: ['-l', '-c', '-q'],
        },
        {
          program: ['grep', 'rg', 'egrep', 'fgrep'],
          flags: [['-e', '--regexp', '-f', '--file']],
          path: '/\\.claude/settings\\.local\\.json$',
          notFlags: ['-l', '-c', '-q'],
        },
      ],
      examples: {
        deny: [
          'printenv LORE_KEY',
          'echo $LORE_KEY',
          'declare -p LORE_KEY',
          'echo "$LORE_KEY" > /tmp/k',
          'env | grep LORE_KEY',
          'jq .env .claude/settings.local.json',
        ],
        pass: [
          'test -n "$LORE_KEY"',
          'grep -rn LORE_KEY src',
          'ls -l .claude/settings.local.json',
          'printenv PATH',
        ],
      },
    },
    {
      id: 'own.unguarded',
      severity: 'high',
      reason: 'starts an agent that nothing guards',
      instead: 'start it without that option',
      when: [
        {
          program: words('claude codex gemini cursor-agent opencode aider qwen amp copilot'),
          line: '(^|\\s)--(dangerously-[\\w-]+|allow-dangerously-[\\w-]+|yolo|full-auto|yes-always|allow-all-tools|setting-sources|bare)(\\s|=|$)|--permission-mode[= ]bypassPermissions|--approval-mode[= ]yolo|--sandbox[= ]danger|--ask-for-approval[= ]never|"?disableAllHooks',
        },
      ],
      examples: {
        deny: [
          "claude --dangerously-skip-permissions -p 'x'",
          "codex exec --dangerously-bypass-approvals-and-sandbox 'x'",
          'claude --permission-mode bypassPermissions -p x',
        ],
        pass: ['claude --version', 'codex --help'],
      },
    },
  ];
}

export const rules: Rule[] = ownRules({ home: null, port: 4747 });

export const knowledge: Knowledge[] = [
  {
    about: 'asks Lore, or keeps a note or a finding in Lore; what is kept is redacted and runs nothing',
    when: [
      {
        program: ['lore'],
        verbs:
          '^((notes|findings)( (add|show|start|resolve|link|unlink)( |$)|$)|(search|channels|agents|learnings|freshness)( |$))',
        notVerbs: `^${DECIDES}`,
        paths: 'none',
        known: true,
        input: 'plain',
      },
    ],
    examples: {
      allow: [
        'lore notes',
        'lore notes add "The queue is NATS: Redis lost messages"',
        'lore notes add --channel decisions --agent planner --everywhere "We keep NATS"',
        "echo 'The queue is NATS' | lore notes add --channel patterns",
        "lore notes add --agent planner <<'END'\nThe queue is NATS\nEND",
        'lore notes show 1a2b3c4d',
        'lore findings',
        'lore findings add "The pool leaks" --severity high --file src/pool.ts --line 12',
        'lore findings resolve 1a2b3c4d "closed in the finally block"',
        'lore findings link 1a2b3c4d blocks 5e6f7a8b',
        'lore search "pool exhausted" --type decision',
        'lore freshness',
      ],
      unknown: [
        'lore notes add "$(cat src/pool.ts)"',
        'lore notes add < src/pool.ts',
        'cat src/pool.ts | lore notes add',
        'lore notes add --unheard-of x',
        'lore notes erase 1a2b3c4d',
        'LORE_URL=http://example.org lore notes add x',
        '/tmp/x/lore notes',
      ],
    },
  },
  {
    about: 'Lore itself: reading what it keeps',
    when: [{ program: ['lore'], sub: ['obs', 'search', 'status'] }],
    examples: {
      allow: [
        'lore obs 1a2b3c4d5e6f',
        'lore obs 1a2b3c4d5e6f --lines 100-200',
        "lore obs '[obs:1a2b3c4d5e6f]' --grep 'connection refused' -C 3",
        "lore obs 1a2b3c4d5e6f --regex 'E[0-9]+' | head -50",
        'lore obs --session s1 --json',
        'lore search "pool exhausted" -n 3',
        'lore status',
      ],
      unknown: [
        '/tmp/lore obs 1a2b3c4d5e6f',
        'lore obs 1a2b3c4d5e6f > /etc/x',
        'lore obs 1a2b3c4d5e6f --config x',
        'LORE_URL=http://example.com lore obs 1a2b3c4d5e6f',
        'lore retry',
        'lore init',
      ],
    },
  },
];
