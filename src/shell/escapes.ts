import { suspect } from './lines.ts';
import { lookup } from './lookup.ts';
import type { Invocation, Scope, Walk } from './types.ts';

/** Shell escapes by program. The first group of `line` is what a shell would run. */
const ESCAPES: { program: RegExp; line: RegExp }[] = [
  { program: /^(n?vim?|ex|view|vimdiff|rvim|less|more|most)$/, line: /(?:^|[+:|])\s{0,3}!(?!\s*$)([\s\S]+)/ },
  {
    program: /^(n?vim?|ex|view)$/,
    line: /\b(?:system|systemlist|termopen|jobstart)\(["'](.{1,2000}?)["']\)/s,
  },
  {
    program: /^g?tar$|^bsdtar$/,
    line: /^--?(?:checkpoint-action=(?:exec=)?|to-command=|use-compress-program=|rsh-command=|info-script=|new-volume-script=)(.+)/s,
  },
  { program: /^[gmn]?awk$/, line: /system\(\s{0,5}"([^"]{1,2000})"/s },
  { program: /^[gmn]?awk$/, line: /\|\s{0,5}&?\s{0,5}(?:getline\s{0,5})?"([^"]{1,2000})"/s },
  { program: /^[gmn]?awk$/, line: /"([^"]{1,2000})"\s{0,5}\|&?\s{0,5}getline/s },
  {
    program: /^git$/,
    line: /^(?:alias\.[\w-]+=!|core\.(?:sshcommand|pager|editor|fsmonitor|askpass|gitproxy|hookspath)=!?|diff\.external=|sequence\.editor=|credential\.helper=!|[\w.-]+\.(?:textconv|command|cmd|helper|clean|smudge|process)=!?)(.+)/is,
  },
  {
    program: /^(ssh|scp|sftp|rsync)$/,
    line: /^(?:-o\s{0,3})?(?:ProxyCommand|LocalCommand|KnownHostsCommand)[= ](.+)/is,
  },
  {
    program: /^(psql|mysql|mariadb|sqlite3|gdb|mutt|ftp|lftp|sqlplus|isql)$/,
    line: /(?:^|[\n;])\s{0,5}(?:\\!|!|\.shell|\.system|system|shell)\s{1,5}(.+)/is,
  },
  { program: /^(npx|make|gmake)$/, line: /\$\(shell\s(.{1,2000})\)/s },
];

/** Options of ordinary programs that take a command line as their value. */
const COMMAND_OPTIONS: Record<string, string[]> = {
  rsync: ['-e', '--rsh', '--rsync-path'],
  zip: ['-TT', '--unzip-command'],
  split: ['--filter'],
  man: ['-P', '--pager', '-H'],
  tar: ['-I', '-F', '--use-compress-program', '--to-command', '--rsh-command'],
  mysql: ['--pager'],
  ansible: ['-a', '--args'],
  git: ['--upload-pack', '--receive-pack', '-x', '--exec', '--extcmd'],
  hg: ['--config'],
};

/**
 * Adds what shell escapes in the arguments of an ordinary program would run (`vim -c '!…'`), as *suspected*: it can
 * only deny.
 */
export function walkEscapes(walk: Walk, scope: Scope, invocation: Invocation): void {
  for (const line of escapes(invocation)) suspect(walk, scope, line);
}

function escapes({ program, args }: Invocation): string[] {
  const lines: string[] = [];
  const escaping = ESCAPES.filter((one) => one.program.test(program));
  const options = lookup(COMMAND_OPTIONS, program) ?? [];
  if (escaping.length === 0 && options.length === 0) return lines;
  for (const [i, arg] of args.entries()) {
    const text = arg.text.slice(0, 8000);
    for (const one of escaping) {
      const found = one.line.exec(text)?.[1];
      if (found) lines.push(found);
    }
    const next = args[i + 1];
    for (const option of options) {
      if (text === option && next) lines.push(next.text);
      else if (option.startsWith('--') && text.startsWith(`${option}=`))
        lines.push(text.slice(option.length + 1));
    }
  }
  return lines.slice(0, 20);
}
