import { RE2JS } from 're2js';
import { programs } from '../shell/lists.ts';
import { allStages } from '../shell/printed.ts';
import type { Arg, Invocation } from '../shell/types.ts';
import { type RunningProcess, resolvePath, type Surroundings, within } from '../shell/zones.ts';

// Whom a command signals, traces or slows down. A number says nothing by itself, so the machine is asked whose process
// it is, and a file that holds a number is read.

/** `unknown`: only the running command knows */
export type Signalled = 'lore' | 'project' | 'other' | 'unknown';

/** Numbers of processes that the line itself keeps: variables and files that hold `$!`. */
export type Started = {
  names: ReadonlySet<string>;
  files: ReadonlySet<string>;
  written: ReadonlySet<string>;
};

/** Programs that get the numbers of processes somewhere among their arguments. */
const BY_NUMBER = programs('get-numbers');
/** Programs that choose processes by a pattern of their name or command line. */
const BY_NAME = programs('choose-by-name');
/** Names in a program that signals others. */
const SIGNALS_IN_CODE = /kill|signal|ptrace|setpriority|renice/i;
const wholeNumbers = (text: string): number[] => (text.match(/\d+/g) ?? []).map(Number);

/**
 * Returns whom a command signals; nothing if it signals nobody, or only shows who is there. Without `processes` in the
 * surroundings, numbers tell nothing.
 */
export function signalledBy(invocation: Invocation, place: Surroundings, started: Started): Set<Signalled> {
  const { program, args, code, remote } = invocation;
  const found = new Set<Signalled>();
  if (remote) return found;
  const { processes } = place;
  const folder = within(place.home, place.root) ? null : place.root;
  const whose = (id: number, group = false) => {
    if (processes) found.add(processes.whose(id, { group, folder }));
  };
  const isLores = (id: number) =>
    processes?.whose(id, { group: false, folder }) === 'lore' ||
    processes?.whose(id, { group: true, folder }) === 'lore';
  if (program === 'kill') {
    for (const arg of killed(args)) {
      if (arg.known && /^-?\d+$/.test(arg.text)) {
        const id = Number(arg.text);
        if (id !== 0) whose(Math.abs(id), id < 0);
      } else if (arg.known) {
        const fits = fitsOf(arg.text, { exact: true, full: false });
        if (!arg.text.startsWith('%') && processes?.lore().some(fits)) found.add('lore');
      } else {
        for (const one of fromText(arg)) found.add(one);
      }
    }
  } else if (program === 'renice') {
    const values = args.slice(/^[+-]?\d+$/.test(args[0]?.text ?? '') ? 1 : 0);
    for (const [i, { text }] of values.entries()) {
      const option = values[i - 1]?.text ?? '';
      if (/^(-n|--priority|--relative)$/.test(option)) continue;
      if (/^\d+$/.test(text)) whose(Number(text), /^(-g|--pgrp)$/.test(option));
    }
  } else if (BY_NAME.has(program)) {
    if (choosesLore(invocation, place)) found.add('lore');
    const file = args.find((_, i) => /^(-F|--pidfile)$/.test(args[i - 1]?.text ?? ''));
    if (file) for (const one of inFile(file, invocation)) found.add(one);
  } else if (BY_NUMBER.has(program)) {
    if (args.some(({ text }) => wholeNumbers(text).some(isLores))) found.add('lore');
  } else if (code && SIGNALS_IN_CODE.test(code.text)) {
    if (wholeNumbers(code.text).slice(0, MAX_NUMBERS).some(isLores)) found.add('lore');
  }
  return found;

  /** Whom the value of a word means that is known only when the command runs. */
  function fromText({ text, from }: Arg): Signalled[] {
    if (/^("?)(\$!|\$\{!\}|\$\$)\1$/.test(text)) return ['project'];
    const name = /^\$\{?(\w+)/.exec(text)?.[1];
    if (!from || from.length === 0)
      return [name !== undefined && started.names.has(name) ? 'project' : 'unknown'];
    const stages = [...new Set(allStages(from))];
    return stages.flatMap((stage): Signalled[] => {
      if (/^(pgrep|pidof)$/.test(stage.program)) return choosesLore(stage, place) ? ['lore'] : [];
      if (stage.program === 'ps') return greppedLore(stages, place) ? ['lore'] : [];
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
    if (path === null) return ['unknown'];
    if (started.files.has(path)) return ['project'];
    if (started.written.has(path)) return ['unknown'];
    try {
      const content = place.read(path, 'quietly');
      // a server that the line starts writes it
      if (content === null) return [];
      const ids = wholeNumbers(content.text);
      if (!content.whole || ids.length > MAX_NUMBERS) return ['unknown'];
      return ids.map((id) => processes.whose(id, { group: false, folder }));
    } catch {
      return ['unknown'];
    }
  }
}

/** More numbers than this are not looked at. */
const MAX_NUMBERS = 50;

/** Returns the words of `kill` that mean processes: none if it only lists signals or asks who is there. */
function killed(args: Arg[]): Arg[] {
  const rest = [...args];
  let signal = '';
  while (rest[0] && /^-./.test(rest[0].text) && rest[0].known) {
    const { text } = rest[0];
    // behind the signal, a number with a dash is a group
    if (/^-\d+$/.test(text) && (signal !== '' || rest.length === 1)) break;
    rest.shift();
    if (text === '--') break;
    if (/^(-l|-L|--list|--table)/.test(text)) return [];
    const attached = /^(?:-s|-n|--signal=)(\w+)$/.exec(text)?.[1];
    if (/^(-s|-n|--signal)$/.test(text)) signal = rest.shift()?.text ?? '';
    else if (/^(-q|--queue|--timeout)$/.test(text)) rest.shift();
    else signal = attached ?? text.slice(1);
  }
  return signal === '0' ? [] : rest;
}

/** Returns whether a process fits a pattern or a name. */
function fitsOf(
  pattern: string,
  { exact, full }: { exact: boolean; full: boolean },
): (one: RunningProcess) => boolean {
  const matches = (text: string) => {
    if (exact && text === pattern) return true;
    try {
      const regex = RE2JS.compile(exact ? `^(${pattern})$` : pattern, RE2JS.CASE_INSENSITIVE);
      return regex.matcher(text).find();
    } catch {
      return text.includes(pattern);
    }
  };
  return ({ name, line }) => matches(name) || (full && matches(line));
}

/** Whether a command that chooses processes by name chooses Lore's. */
function choosesLore({ program, args }: Invocation, { processes }: Surroundings): boolean {
  const has = (pattern: RegExp) => args.some(({ text }) => pattern.test(text));
  if (!processes || has(/^(-0|-l|-L|--list|--help|--version|-V)$/)) return false;
  const patterns = args.filter(({ text }, i) => !/^-/.test(text) && !VALUED.test(args[i - 1]?.text ?? ''));
  if (has(/^(-v|--inverse)$/) && /^p/.test(program)) return patterns.length > 0;
  const exact = /^(killall|skill|pidof)$/.test(program) ? !has(/^(-r|--regexp)$/) : has(/^(-\w*x|--exact)$/);
  const full = has(/^(-\w*f|--full)$/);
  const narrowed = /^(pkill|pgrep)$/.test(program) ? narrowing(args) : () => true;
  const which = !/^(pkill|pgrep)$/.test(program)
    ? null
    : has(/^(-[fxwia]*o[fxwia]*|--oldest)$/)
      ? 'oldest'
      : has(/^(-[fxwia]*n[fxwia]*|--newest)$/)
        ? 'newest'
        : null;
  const named = patterns.filter(({ known }) => known).map(({ text }) => fitsOf(text, { exact, full }));
  // without a pattern, the other conditions choose
  const chosen =
    patterns.length === 0 && /^p(kill|grep)$/.test(program) && args.some(isNarrowing) ? [() => true] : named;
  return chosen.some((fits) => {
    const fitting = (one: RunningProcess) => fits(one) && narrowed(one);
    return processes.lore().some(fitting) && (which === null || processes.isLores(which, fitting));
  });
}

/** Options of pgrep and pkill that leave only the processes of these parents, groups, sessions and terminals. */
const NARROWING = [
  { option: /^(?:-[a-z]*P|--parent)$/, attached: /^(?:-P|--parent=)(.+)$/, of: 'parent' },
  { option: /^(?:-[a-z]*g|--pgroup)$/, attached: /^(?:-g|--pgroup=)(.+)$/, of: 'group' },
  { option: /^(?:-[a-z]*s|--session)$/, attached: /^(?:-s|--session=)(.+)$/, of: 'session' },
  { option: /^(?:-[a-z]*t|--terminal)$/, attached: /^(?:-t|--terminal=)(.+)$/, of: 'terminal' },
] as const;

const isNarrowing = ({ text }: Arg): boolean =>
  NARROWING.some(({ option, attached }) => option.test(text) || attached.test(text));

/** Returns whether a process may be left by the options of pgrep and pkill. Only what is certain leaves one out. */
function narrowing(args: Arg[]): (one: RunningProcess) => boolean {
  const asked = NARROWING.flatMap(({ option, attached, of }) => {
    const value =
      args.find((_, i) => option.test(args[i - 1]?.text ?? ''))?.text ??
      args.flatMap(({ text }) => attached.exec(text)?.[1] ?? [])[0];
    return value === undefined ? [] : [{ of, value }];
  });
  return (one) =>
    asked.every(({ of, value }) => {
      const number = one[of];
      if (number === null) return true;
      // the names of terminals are not known here, but a process without one is on none of them
      if (of === 'terminal') return number !== 0;
      // 0 stands for the group or the session of the command itself
      return !/^\d+(,\d+)*$/.test(value) || value.split(',').map(Number).includes(number);
    });
}

/** Options of these programs whose value is the next word. */
const VALUED =
  /^(-[uUGFsPgtdO]|--(euid|uid|group|pidfile|signal|user|parent|pgroup|session|terminal|delimiter|older|ns|nslist))$/;

/** Whether a list of all processes, searched by these commands, still has Lore's in it. */
function greppedLore(filters: Invocation[], place: Surroundings): boolean {
  const searches = filters.filter(({ program }) => /^[ef]?grep$/.test(program));
  if (!place.processes || searches.length === 0) return false;
  return place.processes.lore().some(({ line }) =>
    searches.every(({ args }) => {
      const pattern = args.find(({ text }) => !text.startsWith('-'))?.text ?? '';
      const found = line.includes(pattern.replace(/\[(.)\]/g, '$1'));
      return args.some(({ text }) => /^-\w*v/.test(text)) ? !found : found;
    }),
  );
}

/** Returns what the line keeps of the numbers of the processes that it starts. */
export function startedBy(found: readonly Invocation[], home: string): Started {
  const names = new Set<string>();
  const others = new Set<string>();
  const files = new Set<string>();
  const written = new Set<string>();
  for (const { program, args, writes, cwd } of found) {
    if (program === 'set' || program === 'export' || program === 'local') {
      for (const { text } of args) {
        const [, name, value] = /^(\w+)=([\s\S]*)$/.exec(text) ?? [];
        if (name !== undefined) (value === '$!' ? names : others).add(name);
      }
    }
    for (const { target } of writes) {
      const path = resolvePath(target.text, cwd, home);
      const own = program === 'echo' && args.every(({ text }) => /^\$[!$]$/.test(text));
      if (path !== null) (own ? files : written).add(path);
    }
  }
  for (const name of others) names.delete(name);
  for (const path of written) files.delete(path);
  return { names, files, written };
}
