import { programs } from '../shell/lists.ts';
import { allStages } from '../shell/printed.ts';
import type { Arg, Invocation } from '../shell/types.ts';
import { type Processes, resolvePath, type Surroundings, within } from '../shell/zones.ts';

// Whom a command signals, traces or slows down. A number says nothing by itself, so the machine is asked whose process
// it is, and a file that holds a number is read.

/** `unknown`: only the running command knows */
export type Signalled = 'lore' | 'project' | 'other' | 'unknown';

/** Variables and files in which the line keeps `$!`, and the files into which it writes anything else. */
export type Started = {
  names: ReadonlySet<string>;
  files: ReadonlySet<string>;
  written: ReadonlySet<string>;
};

/** Names in a program that signals others. */
const SIGNALS_IN_CODE = /kill|signal|ptrace|setpriority|renice/i;
const NARROWS = /^(-[a-z]*[PgstuUGo]|-n|--(parent|pgroup|session|terminal|euid|uid|oldest|newest)(=.*)?)$/;
/** More numbers than this are not looked at. */
const MAX_NUMBERS = 50;
const numbersIn = (text: string): number[] => (text.match(/\d+/g) ?? []).slice(0, MAX_NUMBERS).map(Number);

/** Returns whom a command signals; nothing if it signals nobody, or only shows who is there. */
export function signalledBy(invocation: Invocation, place: Surroundings, started: Started): Set<Signalled> {
  const { program, args, code, remote } = invocation;
  const { processes } = place;
  if (remote) return new Set();
  const folder = within(place.home, place.root) ? null : place.root;
  const whose = (id: number): Signalled[] => (processes ? [processes.whose(id, folder)] : []);
  const lores = (text: string): Signalled[] =>
    // a 1 is a priority or a processor, and no signal reaches the first process
    numbersIn(text).some((id) => id > 1 && processes?.whose(id, null) === 'lore') ? ['lore'] : [];
  if (program === 'kill' || program === 'renice') return new Set(killed(invocation).flatMap(meant));
  if (programs('choose-by-name').has(program)) {
    const file = args.find((_, i) => /^(-F|--pidfile)$/.test(args[i - 1]?.text ?? ''));
    return new Set([...byName(invocation, processes), ...(file ? inFile(file, invocation) : [])]);
  }
  if (programs('get-numbers').has(program)) return new Set(args.flatMap(({ text }) => lores(text)));
  return new Set(code && SIGNALS_IN_CODE.test(code.text) ? lores(code.text) : []);
  /** Whom a word of `kill` means. */
  function meant({ text, known, from = [] }: Arg): Signalled[] {
    if (known && /^-?\d+$/.test(text)) return Number(text) === 0 ? [] : whose(Math.abs(Number(text)));
    if (known) return [];
    if (/^("?)(\$!|\$\{!\}|\$\$)\1$/.test(text)) return ['project'];
    if (from.length === 0)
      return [started.names.has(/^\$\{?(\w+)/.exec(text)?.[1] ?? '') ? 'project' : 'unknown'];
    return [...new Set(allStages(from))].flatMap((stage): Signalled[] => {
      if (/^(pgrep|pidof)$/.test(stage.program)) return byName(stage, processes);
      if (stage.program === 'ps') return ['unknown'];
      // the knowledge of `kill` says which other commands may name processes
      if (!/^(cat|head|tail|:)$/.test(stage.program)) return [];
      const files = [...stage.args.filter((arg) => !/^-|^\d+$/.test(arg.text)), ...stage.reads];
      return files.flatMap((file) => inFile(file, stage));
    });
  }

  /** Whom the numbers in a file mean. */
  function inFile(file: Arg, { cwd }: Invocation): Signalled[] {
    if (!processes || !place.read) return [];
    const path = file.known ? resolvePath(file.text, cwd, place.home) : null;
    if (path !== null && started.written.has(path)) return ['unknown'];
    if (path !== null && started.files.has(path)) return ['project'];
    try {
      const text = path === null ? null : place.read(path, 'quietly')?.text;
      return text == null ? ['unknown'] : numbersIn(text).flatMap(whose);
    } catch {
      return ['unknown'];
    }
  }
}

/** Returns the words of `kill` and `renice` that mean processes: none if it only lists signals or asks who is there. */
function killed({ program, args }: Invocation): Arg[] {
  const given = args.map(({ text }) => text);
  if (program === 'renice')
    return args
      .slice(/^[+-]?\d+$/.test(given[0] ?? '') ? 1 : 0)
      .filter((_, i) => !/^(-n|--priority|--relative)$/.test(given[i - 1] ?? ''));
  if (/^(-0|-s ?0|-l|-L|--list|--table)\b/.test(given.join(' '))) return [];
  // the first word with a dash is the signal, and a later number with one is a group
  return args.filter(({ text, known }, i) => {
    const isValue = /^(-s|-n|-q|--signal|--queue|--timeout)$/.test(given[i - 1] ?? '');
    const isGroup = /^-\d+$/.test(text) && (i > 0 || args.length === 1);
    return !isValue && (!text.startsWith('-') || isGroup || !known);
  });
}

/** Says whether a command that chooses processes by name chooses Lore's. */
function byName({ args }: Invocation, processes: Processes | undefined): Signalled[] {
  const texts = args.map(({ text }) => text);
  if (!processes || texts.some((text) => /^(-0|-l|-L|--list|--help|--version|-V)$/.test(text))) return [];
  const full = texts.some((text) => /^(-\w*f|--full)$/.test(text));
  const narrowed = texts.some((text) => NARROWS.test(text));
  const patterns = texts.filter((text) => !text.startsWith('-'));
  const chosen = processes
    .lore()
    .some(({ name, line }) =>
      patterns.some((pattern) => fits(pattern, name) || (full && fits(pattern, line))),
    );
  return narrowed ? ['unknown'] : chosen ? ['lore'] : [];
}

function fits(pattern: string, text: string): boolean {
  try {
    return pattern.length < 100 && new RegExp(pattern, 'i').test(text.slice(0, 1000));
  } catch {
    return text.includes(pattern);
  }
}

/** Returns where a line keeps the numbers of the processes that it starts. */
export function startedBy(found: readonly Invocation[], home: string): Started {
  const names = new Set<string>();
  const files = new Set<string>();
  const written = new Set<string>();
  for (const { program, args, writes, cwd } of found) {
    if (/^(set|export|local)$/.test(program))
      for (const { text } of args) if (/^\w+=\$!$/.test(text)) names.add(text.slice(0, -3));
    const own = program === 'echo' && args.every(({ text }) => /^\$[!$]$/.test(text));
    for (const { target } of writes)
      (own ? files : written).add(resolvePath(target.text, cwd, home) ?? target.text);
  }
  return { names, files, written };
}
