import type { Knowledge, Rule } from '../types.ts';

const RECURSIVE = ['-R', '-r', '--recursive'];
const SYSTEM =
  '^/(\\*|bin|boot|dev|etc|home|lib\\d*|opt|proc|root|run|sbin|sys|usr|var|System|Library|Users)?(/\\*+)?$|^/(bin|boot|etc|lib\\d*|sbin|System|usr/(bin|lib\\d*|sbin|share))/';

export const rules: Rule[] = [
  {
    id: 'permissions.system',
    severity: 'catastrophic',
    reason: 'changes the owner or the permissions of the system’s folders',
    instead: 'change only the files inside the project that need it',
    when: [
      {
        program: ['chmod', 'chown', 'chgrp', 'setfacl', 'chattr', 'icacls'],
        flags: [RECURSIVE],
        path: SYSTEM,
        remote: false,
      },
      {
        program: ['chmod', 'chown', 'chgrp', 'setfacl'],
        flags: [RECURSIVE],
        zone: ['home'],
        arg: '^[0-7]{3,4}$|^[ugoa]*[-=]',
      },
      {
        program: ['chmod'],
        arg: '^0?(777|666|000)$|^(a|o|ugo)?[+=]r?wx?$|^[ao]-',
        path: SYSTEM,
        remote: false,
      },
    ],
    examples: {
      deny: [
        'chmod -R 777 /',
        'sudo chown -R me /usr',
        'chmod 777 /etc',
        'chmod -R 755 /etc/ssh',
        'chmod 777 /etc/passwd',
        'chmod -R 000 ~',
      ],
      pass: [
        'chmod +x run.sh',
        'chmod -R 755 dist',
        'chown me file',
        'chmod 644 /tmp/x',
        'chmod 755 /opt/app/run.sh',
      ],
    },
  },
  {
    id: 'permissions.setuid',
    severity: 'high',
    reason: 'lets anybody run the program as its owner',
    instead: 'chmod 755; ask the person when it needs more rights',
    when: [
      {
        program: ['chmod', 'install'],
        arg: '^0?[4567][0-7]{3}$|^([ua]|ug|ugo|)\\+[rwxXt]*s[rwxXt]*$|^ug?=\\w*s',
        flags: [['-m', '--mode']],
      },
      { program: ['chmod'], arg: '^0?[4567][0-7]{3}$|^([ua]|ug|ugo|)\\+[rwxXt]*s[rwxXt]*$|^ug?=\\w*s' },
      { program: ['setcap'], arg: 'cap_(setuid|sys_admin|dac_override|sys_ptrace)' },
    ],
    examples: {
      deny: ['chmod u+s /tmp/sh', 'chmod 4755 x', 'chmod +s x', 'setcap cap_setuid+ep x'],
      pass: ['chmod 755 x', 'chmod 0755 x', 'chmod +x x', 'chmod 1777 x', 'chmod g+s dir'],
    },
  },
];

export const knowledge: Knowledge[] = [
  {
    about: 'changes permissions inside the project',
    when: [
      {
        program: ['chmod', 'chflags', 'setfacl', 'xattr'],
        within: ['project', 'regenerable', 'temp'],
        notFlags: ['--reference'],
        minWords: 2,
      },
      {
        program: ['chgrp', 'chown'],
        within: ['project', 'regenerable', 'temp'],
        notFlags: ['--reference', '-R', '--recursive'],
        minWords: 2,
      },
      { program: ['chmod'], within: ['project', 'regenerable', 'temp'], minWords: 1, arg: '^-[rwxX]+$' },
      {
        program: ['chmod'],
        within: ['project', 'project-root', 'regenerable', 'temp'],
        flags: [['-R']],
        minWords: 2,
        notArg: '\\+s|^0?[0-7]?[0-7][0-7][2367]$|^[ao]*[+=]\\w*w|000',
      },
    ],
    examples: {
      allow: ['chmod +x run.sh', 'chmod 755 scripts/a.sh', 'chmod -R u+w dist', 'chmod -x a.sh'],
      unknown: [
        'chown -R nobody src',
        'chmod +x /opt/x',
        'chmod -R 777 .',
        'chmod +x ../x',
        'find / -name x | xargs chmod 644',
      ],
    },
  },
];
