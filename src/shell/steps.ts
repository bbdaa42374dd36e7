import {
  type Command,
  forEachChild,
  type ParsedScript,
  parse,
  type Redirection,
  type SyntaxNode,
} from 'unbash';
import { known } from './arg.ts';
import { baseName, programs, SHELLS } from './names.ts';
import { insideOf } from './wrappers.ts';

// The steps of a shell line as lessons need them: by pipeline, with nothing expanded, and null for text that is not
// valid bash. What a line *would* run, with variables followed, is worked out in walk.ts.

/** Longest command that is parsed, in characters. Longer ones are mostly here-documents. */
const MAX_PARSED = 8_192;
/** How many wrappers may be nested. Nobody nests more. */
const MAX_WRAPPERS = 20;

/** A simple command inside a shell line, with wrappers such as `sudo` or `timeout 60` taken off. */
export type ShellStep = {
  /** Basename of the real program; `[[` and `((` for shell conditions; '' for a step that only assigns variables. */
  program: string;
  args: string[];
  /** Reads its arguments from another command (`… | xargs grep x`). */
  viaXargs: boolean;
  /** The program as written, with its folder: `./scripts/seed.sh`. */
  path: string;
  /** Stands after a pipe. */
  piped: boolean;
  /** Files this step writes: redirect targets, and the arguments of `tee`. */
  writes: string[];
};

/**
 * One pipeline. `statement` is the index of its top-level statement; `nested` is true inside `if`, `for`, `( )`,
 * `bash -c`.
 */
export type ShellPipeline = { steps: ShellStep[]; statement: number; nested: boolean };

/** Returns the program without its version, since lessons do not tell versions apart: `python` for `python3.11`. */
const family = (path: string): string => baseName(path).replace(/^(python|pip)[\d.]+$/, '$1');

/** Returns the command inside wrappers and runners: `pytest` for `sudo -u x timeout 5 uv run python -m pytest`. */
export function realCommand(argv: string[]): Omit<ShellStep, 'piped' | 'writes'> {
  let rest = argv.map((text) => known(text));
  let viaXargs = false;
  for (let depth = 0; depth < MAX_WRAPPERS && rest.length > 0; depth++) {
    const program = family(rest[0]?.text ?? '');
    const found = insideOf(program, rest.slice(1));
    // `pdm run test` runs the project's script of that name, not the shell's builtin
    if (!found?.words[0] || found.way.line || found.way.remote || found.words[0].text === 'test') break;
    viaXargs ||= program === 'xargs';
    rest = found.words;
  }
  const [path = '', ...args] = rest.map((word) => word.text);
  return { program: family(path), args, viaXargs, path };
}

/** Returns the words of a command as they are written, without the variables before it; none if it has no name. */
export const commandWords = (node: Command): string[] => {
  const rest = node.suffix.flatMap((part) =>
    part.type === 'Word' ? [part.value] : part.type === 'Assignment' ? [part.text] : [],
  );
  return node.name ? [node.name.value, ...rest] : [];
};

/** Whether a redirection is for output. `<>` is not. */
export const isOutput = (part: { type: string; operator?: string }): boolean =>
  part.type === 'Redirect' && (part.operator ?? '').includes('>') && part.operator !== '<>';

/** Whether a redirection writes a file. `2>&1` and `> /dev/null` do not: they only move or drop output. */
export const writesFile = (part: Redirection): boolean =>
  part.type === 'Redirect' &&
  isOutput(part) &&
  !/^(?:\d+|-|\d+-|\/dev\/(?:null|stdout|stderr|tty))$/.test(part.target?.value ?? '');

/** Returns a simple command as a step. */
export function toStep(node: Command, piped = false): ShellStep {
  const step = realCommand(commandWords(node));
  const targets = [...node.prefix, ...node.suffix].flatMap((part) =>
    part.type === 'Redirect' && writesFile(part) ? [part.target?.value ?? ''] : [],
  );
  const files = step.program === 'tee' ? step.args.filter((arg) => !arg.startsWith('-')) : [];
  return { ...step, piped, writes: [...targets, ...files] };
}

/** Returns the parsed script; null when the text is not valid bash or too long to parse. `parsed` may throw. */
export function parseShell(command: string, parsed = () => parse(command)): ParsedScript | null {
  if (command.length > MAX_PARSED || command.includes('\0')) return null;
  try {
    const script = parsed();
    return script.errors?.length ? null : script;
  } catch {
    return null;
  }
}

/** The nodes that are entered. Words are not: that would parse the substitutions in them, nested ones repeatedly. */
const CONTAINERS =
  /^(Statement|AndOr|CompoundList|If|Elif|For|ArithmeticFor|While|Case|CaseItem|Select|Subshell|BraceGroup|Function|Coproc|Redirected)$/;
const CONDITIONS: Record<string, string> = { TestCommand: '[[', ArithmeticCommand: '((' };

/**
 * Returns the simple commands of a script, by pipeline and in source order, including those inside compound commands and
 * `bash -c '…'`. Command substitutions are left out, because their output is not shown.
 *
 * @param depth how many `bash -c` the script stands in
 */
export function pipelinesIn(script: ParsedScript, depth = 0): ShellPipeline[] {
  const found: ShellPipeline[] = [];
  const visit = (node: SyntaxNode, statement: number, nested: boolean): void => {
    const condition = CONDITIONS[node.type];
    const commands = node.type === 'Pipeline' ? node.commands : node.type === 'Command' ? [node] : [];
    const steps: ShellStep[] = condition ? [{ ...realCommand([condition]), piped: false, writes: [] }] : [];
    for (const [position, command] of commands.entries()) {
      if (command.type !== 'Command') {
        visit(command, statement, true);
        continue;
      }
      const step = toStep(command, position > 0);
      const line = SHELLS.has(step.program) && /^-\w*c$/.test(step.args[0] ?? '') ? step.args[1] : null;
      const inside = line && depth < 3 ? parseShell(line) : null;
      if (!inside) steps.push(step);
      else found.push(...pipelinesIn(inside, depth + 1).map((one) => ({ ...one, statement, nested: true })));
    }
    if (steps.length > 0) found.push({ steps, statement, nested });
    if (CONTAINERS.test(node.type))
      forEachChild(node, (child) =>
        visit(child, statement, nested || !/^(Statement|AndOr)$/.test(node.type)),
      );
  };
  for (const [statement, node] of script.commands.entries()) visit(node, statement, false);
  return found;
}

// What commands show. It is for lessons, about commands that have already run: if an option is in doubt, the command counts
// as one that only shows. Verdicts are stricter.

/** Programs that prepare something or only report: a line is not about what they print. */
export const SPEAKERS = programs('speakers');
const READERS = programs('text-readers');
const FILE_LOOKERS = programs('file-lookers');
const LOOKING = programs('looking');
const SHOWING = programs('showing');
const FETCHES = programs('downloaders');

/** Whether a list has a command: `git:log`, or `git:stash:list`; or `git:branch:` if no word may follow. */
function has(list: ReadonlySet<string>, program: string, args: readonly string[]): boolean {
  const words = args.filter((arg, i) => !arg.startsWith('-') && !/^-[Ccnf]$/.test(args[i - 1] ?? ''));
  const [first = '', second = ''] = words;
  if (list.has(`${program}:${first}`) || list.has(`${program}:${first}:${second}`)) return true;
  return (
    words.length < 2 && !args.some((arg) => /^-[dDmMcCfu]$/.test(arg)) && list.has(`${program}:${first}:`)
  );
}

const asksForHelp = (args: readonly string[]) =>
  args.some((arg) => arg === '--help' || /^--list(?:-|$)/.test(arg)) ||
  (args.length <= 2 && args.some((arg) => ['--version', '-V', '-h', 'help'].includes(arg)));

/**
 * Returns what kind of output a command has:
 * - `reads`: text that other programs made (files, logs, histories)
 * - `speaks`: little of interest, from preparation or reporting (`cd`, `echo`)
 * - `fetches`: an answer from the network
 * - `runs`: the program's own output, which is what the command is about
 */
export function outputKind({ program, args }: ShellStep): 'reads' | 'speaks' | 'fetches' | 'runs' {
  if (program === '' || SPEAKERS.has(program)) return 'speaks';
  if (FETCHES.has(program)) return 'fetches';
  if (has(programs('speaking'), program, args)) return 'speaks';
  const shows = has(LOOKING, program, args) || has(SHOWING, program, args) || asksForHelp(args);
  return READERS.has(program) || shows ? 'reads' : 'runs';
}

/** Options by which a program acts that usually only looks. */
const ACTING =
  /^(find .*-(delete|exec|ok|fprint|fls)|fd(find)? .*(-[xX]\b|--exec)|(sed|yq) .*(-[a-zA-Z]*i|--in-?place)|sort .*(-o|--output)|date .*(-s|--set)|jq .*(-i|--in-?place))/s;

/** Whether a command shows a file or the state of the machine, or is asked what it can do. */
const shows = ({ program, args, writes }: Pick<ShellStep, 'program' | 'args' | 'writes'>): boolean =>
  writes.length === 0 &&
  (asksForHelp(args) ||
    (FILE_LOOKERS.has(program) &&
      !ACTING.test([program, ...args.filter((arg) => arg.startsWith('-'))].join(' '))));

/** Whether every part of a line only shows something. */
export const onlyLooks = (pipelines: readonly ShellPipeline[]): boolean =>
  pipelines.every(
    ({ steps }) =>
      steps.length > 0 &&
      steps.every(
        (step) => shows(step) || (step.writes.length === 0 && has(LOOKING, step.program, step.args)),
      ),
  );

/** Whether a command is a look at a file or asks a program what it can do. Such a success answers no error. */
export const isLook = (step: Pick<ShellStep, 'program' | 'args' | 'writes'>): boolean =>
  shows(step) ||
  (step.program === '' && step.writes.length === 0) ||
  (/^(npm|pnpm|yarn|bun)$/.test(step.program) && step.args.join(' ') === 'run');
