import type { Knowledge, Rule } from '../types.ts';
import { words } from './lists.ts';

const STORES = words(`
  vault bao op pass gopass bw rbw lpass doppler infisical chamber conjur akeyless keepassxc-cli
  secret-tool keyring berglas teller sops step kubeseal credstash
`);

export const rules: Rule[] = [
  {
    id: 'secrets.system',
    severity: 'catastrophic',
    reason: "reads the system's password hashes or another process's secrets",
    instead: 'leave them; say what you need to know',
    when: [
      {
        notProgram: words(`
          echo printf grep rg ls stat test [ find git egrep fgrep ag ack
        `),
        path: '^/etc/(g?shadow-?|master\\.passwd|sudoers(\\.d/.*)?|ssl/private/.*|ssh/ssh_host_\\w+_key|security/opasswd|krb5\\.keytab)$|^/proc/(\\d+|self)/(environ|mem)$|^/(private/)?var/db/dslocal|^/var/lib/sss/secrets|^/(var/)?run/secrets/',
        remote: false,
      },
      {
        program: ['grep', 'rg', 'egrep', 'fgrep', 'ag', 'ack'],
        paths: 'rest',
        path: '^/etc/(g?shadow-?|master\\.passwd|sudoers)$|^/proc/(\\d+|self)/environ$',
      },
      {
        program: ['python*', 'node', 'perl', 'ruby', 'php', 'deno', 'bun', 'lua'],
        arg: '[\'"`( ]/etc/(g?shadow|sudoers)[\'"`) ]|/proc/(\\d+|self)/environ',
      },
      { program: ['unshadow', 'john', 'hashcat', 'mimikatz', 'lazagne', 'secretsdump*'] },
      { program: ['getent'], verbs: '^g?shadow' },
    ],
    examples: {
      deny: [
        'cat /etc/shadow',
        'sudo grep root /etc/shadow',
        'cat /proc/1/environ',
        'python3 -c "print(open(\'/etc/shadow\').read())"',
        'cp /etc/sudoers /tmp/x',
        'grep root < /etc/shadow',
        'tar cf /tmp/x /run/secrets/db',
      ],
      pass: [
        'grep /etc/shadow README.md',
        'ls -l /etc/shadow',
        'echo /etc/shadow',
        'cat /etc/hosts',
        'cat /proc/cpuinfo',
      ],
    },
  },
  {
    id: 'secrets.store-delete',
    severity: 'high',
    reason: 'deletes from a secret store, or shuts it',
    instead: 'let a person remove secrets',
    when: [
      {
        program: STORES,
        verbs:
          '(^|[ :_-])(delete|destroy|remove|rm|purge|revoke|disable|seal|trash|erase|wipe|clear|rotate-root|rekey|rekey-)( |$|-)',
        notFlags: ['--help', '-h'],
      },
      { program: ['aws'], verbs: '^(secretsmanager|ssm|kms) (delete|remove|schedule-key-deletion|disable)' },
      { program: ['gcloud'], verbs: '^(secrets|kms) .*(delete|destroy|disable)' },
      { program: ['az'], verbs: '^keyvault .*(delete|purge)' },
      {
        program: ['gpg', 'gpg2'],
        arg: '^--delete-(secret-)?(keys?|and-public-key)|^--delete-secret-and-public-key',
      },
      { program: ['ssh-add'], flags: [['-D']] },
      { program: ['security'], verbs: '^delete-' },
      { program: ['gh', 'glab'], verbs: '^(secret|variable) (delete|remove)' },
    ],
    examples: {
      deny: [
        'vault kv destroy -versions=1 secret/app',
        'vault operator seal',
        'op item delete x',
        'pass rm -rf prod/',
        'gh secret delete KEY',
        'gpg --delete-secret-keys me',
        'az keyvault secret purge --name x',
      ],
      pass: ['vault status', 'op --version', 'pass ls', 'gpg --list-keys'],
    },
  },
  {
    id: 'secrets.export',
    severity: 'high',
    reason: 'exports private keys',
    instead: 'use the key where it is',
    when: [
      { program: ['gpg', 'gpg2'], arg: '^--export-secret-(sub)?keys' },
      { program: ['security'], verbs: '^(dump-keychain|export)', flags: [['-d', '-t']] },
    ],
    examples: { deny: ['gpg --export-secret-keys --armor'], pass: ['gpg --export --armor me'] },
  },
];

export const knowledge: Knowledge[] = [
  {
    about: 'looks at keys and stores without their secrets',
    when: [
      {
        program: ['vault', 'bao'],
        verbs:
          '^(status|version|secrets list|auth list|policy list|token lookup|kv list|path-help|read sys/health)( |$)',
      },
      { program: ['op'], verbs: '^(vault list|item list|account list|whoami|user list|group list)( |$)' },
      { program: ['pass', 'gopass'], sub: ['ls', 'list', 'version', 'find'] },
      {
        program: ['doppler', 'infisical', 'bw', 'rbw', 'lpass'],
        verbs: '^(status|projects|configs|me|environments|sync|--version)$',
      },
      {
        program: ['gpg', 'gpg2'],
        arg: '^(--list-(public-)?keys|-k|--list-secret-keys|-K|--verify|--fingerprint|--version|--show-keys)$',
        notFlags: ['--delete-keys'],
      },
      { program: ['ssh-add'], flags: [['-l', '-L']] },
      { program: ['ssh-keygen'], flags: [['-l', '-F']], notFlags: ['-R', '-f'] },
      { program: ['ssh-keygen'], flags: [['-l']], notFlags: ['-R', '-p', '-y'], line: '-[lf]+ \\S+\\.pub$' },
      { program: ['gh', 'glab'], verbs: '^(secret|variable) list' },
      {
        program: ['aws'],
        verbs:
          '^(secretsmanager (list-secrets|describe-secret)|kms (list|describe)-[\\w-]+|sts get-caller-identity)( |$)',
      },
      { program: ['gcloud'], verbs: '^(secrets (list|describe)|auth list)( |$)' },
      { program: ['kubectl'], verbs: '^get (secrets?)$', notFlags: ['-o', '--output', '--template'] },
      { program: ['az'], verbs: '^keyvault (list|show|secret list|key list)( |$)' },
    ],
    examples: {
      allow: [
        'vault status',
        'gpg --list-keys',
        'ssh-add -l',
        'gh secret list',
        'aws secretsmanager list-secrets',
      ],
      unknown: [
        'vault kv get secret/app',
        'op read op://a/b/c',
        'pass show x',
        'aws secretsmanager get-secret-value --secret-id x',
        'kubectl get secret db -o yaml',
      ],
    },
  },
];
