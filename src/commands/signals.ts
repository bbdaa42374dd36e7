import { programs } from '../shell/names.ts';
import { allStages } from '../shell/printed.ts';
import type { Arg, Invocation } from '../shell/types.ts';
import type { Processes, Surroundings } from '../shell/zones.ts';

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

/** Returns whom a command signals; nothing if it signals nobody, or only shows who is there. */
export function signalledBy(
  { program, args, code, remote, openArgs }: Invocation,
  { processes }: Surroundings,
): Set<Signalled> {
  const texts = args.map(({ text }) => text);
  if (remote || texts.some((text) => ONLY_LISTS.test(text)) || /^-s ?0\b/.test(texts.join(' ')))
    return new Set();
  if (programs('choose-by-name').has(program)) return new Set(byName(texts, processes));
  if (program === 'kill') return new Set([...killed(args).flatMap(meant), ...(openArgs ? UNKNOWN : [])]);
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
    return from.length === 0
      ? UNKNOWN
      : allStages(from).flatMap(({ program, args }): Signalled[] => {
          const words = args.map((arg) => arg.text);
          if (/^(pgrep|pidof)$/.test(program)) return byName(words, processes);
          // the knowledge of `kill` says which other commands may name processes
          return /^(ps|cat|head|tail|:)$/.test(program) ? [...words.flatMap(loresIn), 'unknown'] : [];
        });
  }
}

const UNKNOWN: Signalled[] = ['unknown'];

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
