import { programs } from '../shell/lists.ts';
import { allStages } from '../shell/printed.ts';
import type { Arg, Invocation } from '../shell/types.ts';
import { type Processes, resolvePath, type Surroundings, within } from '../shell/zones.ts';

// Whom a command signals, traces or slows down. A number says nothing by itself, so the machine is asked whose process
// it is, and a file that holds a number is read.

/** `unknown`: only the running command knows */
type Signalled = 'lore' | 'project' | 'other' | 'unknown';

/** The variables in which a line keeps the numbers of processes that it starts, and the files that it writes. */
export type Started = { names: ReadonlySet<string>; written: ReadonlySet<string> };

/** Names in a program that signals others. */
const SIGNALS_IN_CODE = /kill|signal|ptrace|setpriority|renice/i;
const NARROWS =
  /^(-[a-z]*[PgstuUGoF]|-n|--(parent|pgroup|session|terminal|euid|uid|oldest|newest|pidfile)(=.*)?)$/;
const ONLY_LISTS = /^(-0|-l|-L|--list|--table|--help|--version|-V)$/;
/** More numbers than this are not looked at. */
const MAX_NUMBERS = 50;
const numbersIn = (text: string): number[] => (text.match(/\d+/g) ?? []).slice(0, MAX_NUMBERS).map(Number);

/** Returns whom a command signals; nothing if it signals nobody, or only shows who is there. */
export function signalledBy(run: Invocation, place: Surroundings, started: Started): Set<Signalled> {
  const { program, args, code } = run;
  const { processes } = place;
  const texts = args.map(({ text }) => text);
  if (run.remote || texts.some((text) => ONLY_LISTS.test(text)) || /^-s ?0\b/.test(texts.join(' ')))
    return new Set();
  const folder = within(place.home, place.root) ? null : place.root;
  const whose = (id: number): Signalled[] => (processes ? [processes.whose(id, folder)] : []);
  const lores = (text: string): Signalled[] =>
    // a 1 is a priority or a processor, and no signal reaches the first process
    numbersIn(text).some((id) => id > 1 && processes?.whose(id, null) === 'lore') ? ['lore'] : [];
  if (program === 'kill') return new Set(killed(args).flatMap(meant));
  if (program === 'renice') return new Set([...texts.flatMap(lores), ...args.slice(1).flatMap(meant)]);
  if (programs('choose-by-name').has(program)) return new Set(byName(texts, processes));
  if (programs('get-numbers').has(program)) return new Set(texts.flatMap(lores));
  return new Set(code && SIGNALS_IN_CODE.test(code.text) ? lores(code.text) : []);

  /** Whom a word of `kill` means. */
  function meant({ text, known, from = [] }: Arg): Signalled[] {
    if (known) return /^-?\d+$/.test(text) && Number(text) !== 0 ? whose(Math.abs(Number(text))) : [];
    if (/^("?)(\$!|\$\{!\}|\$\$)\1$/.test(text)) return ['project'];
    if (from.length === 0)
      return [started.names.has(/^\$\{?(\w+)/.exec(text)?.[1] ?? '') ? 'project' : 'unknown'];
    return [...new Set(allStages(from))].flatMap((stage): Signalled[] => {
      if (/^(pgrep|pidof)$/.test(stage.program))
        return byName(
          stage.args.map((arg) => arg.text),
          processes,
        );
      if (stage.program === 'ps') return ['unknown'];
      // the knowledge of `kill` says which other commands may name processes
      if (!/^(cat|head|tail|:)$/.test(stage.program) || !processes || !place.read) return [];
      const files = [...stage.args.filter((arg) => !/^-|^\d+$/.test(arg.text)), ...stage.reads];
      return files.flatMap((file) =>
        inFile(resolvePath(file.known ? file.text : '/', stage.cwd, place.home)),
      );
    });
  }

  /** Whom the numbers in a file mean. */
  function inFile(path: string | null): Signalled[] {
    try {
      const text = path === null || started.written.has(path) ? null : place.read?.(path, 'quietly')?.text;
      return text == null ? ['unknown'] : numbersIn(text).flatMap(whose);
    } catch {
      return ['unknown'];
    }
  }
}

/** Returns the words of `kill` that mean processes: the first word with a dash is the signal, a later number with one a group. */
const killed = (args: Arg[]): Arg[] =>
  args.filter(({ text, known }, i) => {
    const isValue = /^(-s|-n|-q|--signal|--queue|--timeout)$/.test(args[i - 1]?.text ?? '');
    const isGroup = /^-\d+$/.test(text) && (i > 0 || args.length === 1);
    return !isValue && (!text.startsWith('-') || isGroup || !known);
  });

/** Says whether a command that chooses processes by name chooses Lore's. */
function byName(texts: string[], processes: Processes | undefined): Signalled[] {
  if (!processes) return [];
  if (texts.some((text) => NARROWS.test(text))) return ['unknown'];
  const full = texts.some((text) => /^(-\w*f|--full)$/.test(text));
  const chosen = processes.lore().flatMap(({ name, line }) => (full ? [name, line.slice(0, 1000)] : [name]));
  const patterns = texts.filter((text) => !text.startsWith('-')).map((text) => asPattern(text.slice(0, 100)));
  return patterns.some((pattern) => chosen.some((text) => pattern.test(text))) ? ['lore'] : [];
}

/** What is no pattern may match anything. */
function asPattern(text: string): RegExp {
  try {
    return new RegExp(text, 'i');
  } catch {
    return /^/;
  }
}

/** Returns what a line keeps of the processes that it starts: `PID=$!`. */
export const startedBy = (found: readonly Invocation[], home: string): Started => ({
  names: new Set(
    found
      .filter(({ program }) => /^(set|export|local)$/.test(program))
      .flatMap(({ args }) => args.flatMap(({ text }) => /^(\w+)=\$!$/.exec(text)?.[1] ?? [])),
  ),
  written: new Set(
    found.flatMap(({ writes, cwd }) =>
      writes.map(({ target: { text } }) => resolvePath(text, cwd, home) ?? text),
    ),
  ),
});
