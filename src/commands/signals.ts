import { programs } from '../shell/lists.ts';
import { allStages } from '../shell/printed.ts';
import type { Arg, Invocation } from '../shell/types.ts';
import { type Processes, resolvePath, type Surroundings } from '../shell/zones.ts';

// Whom a command signals, traces or slows down. A number says nothing by itself, so the machine is asked whose process
// it is.

/** `unknown`: only the running command knows */
type Signalled = 'lore' | 'unknown';

/** Names in a program that signals others. */
const SIGNALS_IN_CODE = /kill|signal|ptrace|setpriority|renice/i;
const NARROWS =
  /^(-[a-z]*[PgstuUGoF]|-n|--(parent|pgroup|session|terminal|euid|uid|oldest|newest|pidfile)(=.*)?)$/;
const ONLY_LISTS = /^(-0|-l|-L|--list|--table|--help|--version|-V)$/;
/** More numbers than this are not looked at. */
const MAX_NUMBERS = 50;

/**
 * Returns whom a command signals; nothing if it signals nobody, or only shows who is there.
 *
 * @param started the variables in which the line keeps the numbers of processes that it starts: `PID=$!`
 */
export function signalledBy(
  { program, args, code, remote, openArgs, reads, cwd }: Invocation,
  place: Surroundings,
  started: ReadonlySet<string>,
): Set<Signalled> {
  const { processes } = place;
  const texts = args.map(({ text }) => text);
  if (remote || texts.some((text) => ONLY_LISTS.test(text)) || /^-s ?0\b/.test(texts.join(' ')))
    return new Set();
  if (programs('choose-by-name').has(program)) return new Set(byName(texts, processes));
  const fed = openArgs ? reads : [];
  const inFiles = fed.flatMap(({ text }) => loresIn(textAt(resolvePath(text, cwd, place.home))));
  if (program === 'kill') return new Set([...inFiles, ...killed(args).flatMap(meant)]);
  if (code) return new Set(SIGNALS_IN_CODE.test(code.text) ? loresIn(code.text) : []);
  return new Set(texts.flatMap(loresIn));

  /** A 1 is a priority or a processor, and no signal reaches the first process. */
  function loresIn(text: string): Signalled[] {
    const numbers = (text.match(/\d+/g) ?? []).slice(0, MAX_NUMBERS).map(Number);
    return numbers.some((id) => id > 1 && processes?.isLores(id)) ? ['lore'] : [];
  }

  /** Whom a word of `kill` means. A number may be anybody's. */
  function meant({ text, known, from = [] }: Arg): Signalled[] {
    if (known) return /\d/.test(text) && !text.startsWith('%') ? [...loresIn(text), 'unknown'] : [];
    if (/^("?)(\$!|\$\{!\}|\$\$)\1$/.test(text)) return [];
    if (from.length === 0) return started.has(/^\$\{?(\w+)/.exec(text)?.[1] ?? '') ? [] : ['unknown'];
    return [...new Set(allStages(from))].flatMap((stage): Signalled[] => {
      const names = stage.args.map((arg) => arg.text);
      if (/^(pgrep|pidof)$/.test(stage.program)) return byName(names, processes);
      // the knowledge of `kill` says which other commands may name processes
      if (!/^(ps|cat|head|tail|:)$/.test(stage.program)) return [];
      const files = [...names, ...stage.reads.map(({ text }) => text)];
      return [
        'unknown',
        ...files.flatMap((file) => loresIn(textAt(resolvePath(file, stage.cwd, place.home)))),
      ];
    });
  }

  function textAt(path: string | null): string {
    try {
      return (path && place.read?.(path)?.text) ?? '';
    } catch {
      return '';
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
  const isLores = (text: string) => {
    try {
      const pattern = new RegExp(text.slice(0, 100), 'i');
      return chosen.some((one) => pattern.test(one));
    } catch {
      return true;
    }
  };
  return texts.some((text) => !text.startsWith('-') && isLores(text)) ? ['lore'] : [];
}

/** Returns the variables in which a line keeps the numbers of processes that it starts: `PID=$!`. */
export const startedBy = (found: readonly Invocation[]): ReadonlySet<string> =>
  new Set(
    found
      .filter(({ program }) => /^(set|export|local)$/.test(program))
      .flatMap(({ args }) => args.flatMap(({ text }) => /^(\w+)=\$!$/.exec(text)?.[1] ?? [])),
  );
