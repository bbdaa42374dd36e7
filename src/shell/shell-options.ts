import { words } from './names.ts';
import type { Arg } from './types.ts';

// The options of sh, bash, zsh and the like: which word is the script, and where the rest comes from.

/** Long options that change nothing about what runs. */
const HARMLESS = new Set(
  words(`
    --login --norc --noprofile --posix --verbose --restricted --noediting --version --help --no-rcs --no-globalrcs
    --private --no-config`),
);
/** Long options that name a file to run first. The rules look at them. */
const STARTUP = new Set(words('--rcfile --init-file'));

/**
 * Whether the word after a cluster of options is the name of a setting: `-o pipefail`, `-euo pipefail`, `+O
 * extglob`.
 */
const takesSetting = (text: string) => /^[-+][A-Za-z]*[oO]$/.test(text);

/** Returns the arguments of a shell without the names of settings, because these words are not the script. */
export function withoutSettings(args: Arg[]): Arg[] {
  const rest: Arg[] = [];
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] as Arg;
    const text = arg.text;
    if (!/^[-+]./.test(text) || text === '--') return [...rest, ...args.slice(i)];
    const next = args[i + 1];
    if (!takesSetting(text) || !next?.known || !/^[a-z_]+$/.test(next.text)) {
      rest.push(arg);
      // after -c options may follow, and then comes the script
      if (STARTUP.has(text) && next) rest.push(args[++i] as Arg);
      continue;
    }
    const others = text.slice(1, -1);
    if (others !== '') rest.push({ ...arg, text: `${text[0]}${others}` });
    i++;
  }
  return rest;
}

type ShellArgs = {
  /** the script of -c */
  command: Arg | null;
  /** the words after the script of -c: $0, $1 … */
  after: Arg[];
  /** it was called with -c */
  asked: boolean;
  /** it reads commands from standard input */
  stdin: boolean;
  /** an option whose effect is not known */
  strange: string | null;
};

/** Returns what a shell would run, from its arguments without settings. */
export function shellArgs(args: Arg[]): ShellArgs {
  let asked = false;
  let stdin = false;
  let strange: string | null = null;
  let command: Arg | null = null;
  let i = 0;
  for (; i < args.length; i++) {
    const { text, known } = args[i] as Arg;
    if (text === '--' || text === '-') {
      i++;
      break;
    }
    if (!/^[-+]./.test(text)) break;
    if (!known) strange ??= text;
    const given = /^--command(=.*)?$/s.exec(text);
    if (given) {
      asked = true;
      if (given[1] !== undefined) command = { ...(args[i] as Arg), text: given[1].slice(1) };
    } else if (STARTUP.has(text)) i++;
    else if (text.startsWith('--')) {
      if (!HARMLESS.has(text)) strange ??= text;
    } else {
      asked ||= /^-[A-Za-z]*c/.test(text);
      stdin ||= /^-[A-Za-z]*s/.test(text);
      // a setting whose name is not known, or a letter that no shell has
      if (takesSetting(text) || !/^[-+][A-Za-z0-9]+$/.test(text)) strange ??= text;
    }
  }
  const rest = args.slice(i);
  if (asked && command === null) command = rest.shift() ?? null;
  return { command, after: rest, asked, stdin: !asked && (stdin || rest.length === 0), strange };
}
