import {
  type Command,
  type CommandNode,
  forEachChild,
  type ParsedScript,
  parse,
  type Redirection,
  type SyntaxNode,
} from 'unbash';
import { known } from './arg.ts';
import { baseName, SHELLS, words } from './names.ts';
import type { Arg } from './types.ts';
import { insideOf } from './wrappers.ts';

// The steps of a shell line as lessons need them: by pipeline, with nothing expanded, and null for text that is not
// valid bash. What a line *would* run, with variables followed, is worked out in walk.ts.

/**
 * Longest command that is parsed, in characters. Longer ones are mostly here-documents, and hostile nesting
 * costs most in them.
 */
const MAX_PARSED = 8_192;

/** A simple command inside a shell line, with wrappers such as `sudo` or `timeout 60` taken off. */
export type ShellStep = {
  /** Basename of the real program; `[[` and `((` for shell conditions; '' for a step that only assigns variables. */
  program: string;
  args: string[];
  /** Reads its arguments from another command (`… | xargs grep x`). */
  viaXargs: boolean;
  /** Stands after a pipe. */
  piped: boolean;
  /** Files this step writes: redirect targets, and the arguments of `tee`. */
  writes: string[];
  /** Variables set in front of it, as written: `TZ=UTC`. */
  env: string[];
  /** The program as written, with its folder: `./scripts/seed.sh`. */
  path: string;
  /** The words in front of the program, of wrappers and runners: `uv run --group test`. */
  around: string[];
};

/**
 * One pipeline. `statement` is the index of its top-level statement; `nested` is true inside `if`, `for`, `( )`,
 * `bash -c`.
 */
export type ShellPipeline = { steps: ShellStep[]; statement: number; nested: boolean };

export const ASSIGNMENT = /^[A-Za-z_]\w*\+?=/;

/** How many wrappers may be nested. Nobody nests more. */
const MAX_WRAPPERS = 20;

/** Returns the program without its version, since lessons do not tell versions apart: `python` for `python3.11`. */
const family = (path: string): string => baseName(path).replace(/^(python|pip)[\d.]+$/, '$1');

/** Returns the command inside wrappers and runners: `pytest` for `sudo -u x timeout 5 uv run python -m pytest`. */
export function realCommand(argv: string[]): {
  program: string;
  args: string[];
  viaXargs: boolean;
  path: string;
  around: string[];
} {
  let rest = argv.map((text) => known(text));
  let viaXargs = false;
  for (let depth = 0; depth < MAX_WRAPPERS && rest.length > 0; depth++) {
    const program = family(rest[0]?.text ?? '');
    const inside = wrapped(program, rest.slice(1));
    if (inside === null || inside.length === 0) break;
    viaXargs ||= program === 'xargs';
    rest = inside;
  }
  const [name, ...args] = rest.map((word) => word.text);
  const around = argv.slice(0, Math.max(0, argv.length - rest.length));
  return { program: family(name ?? ''), args, viaXargs, path: name ?? '', around };
}

/**
 * Returns the words that a wrapper or a runner runs. Null when it runs nothing, a whole line, or a command on
 * another host. An option that is not in the wrapper's lists makes a verdict `unknown`, but it is ignored
 * here: if a lesson is stored under the wrong program, that does no harm.
 */
function wrapped(program: string, args: Arg[]): Arg[] | null {
  const found = insideOf(program, args);
  // `pdm run test` runs the project's script of that name, not the shell's builtin
  if (!found || found.way.line || found.way.remote || found.words[0]?.text === 'test') return null;
  return found.words;
}

/**
 * Returns the words of a command as they are written, without the variables before it; none if it has no
 * name.
 */
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
export function writesFile(part: Redirection): boolean {
  if (part.type !== 'Redirect' || !isOutput(part)) return false;
  const target = part.target?.value ?? '';
  return !(/^(?:\d+|-|\d+-)$/.test(target) || /^\/dev\/(?:null|stdout|stderr|tty)$/.test(target));
}

/** Returns a simple command as a step. */
export function toStep(node: Command, piped = false): ShellStep {
  const step = realCommand(commandWords(node));
  const targets = [...node.prefix, ...node.suffix].flatMap((part) =>
    part.type === 'Redirect' && writesFile(part) ? [part.target?.value ?? ''] : [],
  );
  const files = step.program === 'tee' ? step.args.filter((arg) => !arg.startsWith('-')) : [];
  const env = node.prefix.flatMap((part) => (part.type === 'Assignment' ? part.text : []));
  return { ...step, piped, writes: [...targets, ...files], env };
}

/**
 * Returns the parsed script; null when the text is not valid bash or too long to parse.
 *
 * @param parsed returns the text parsed; may throw
 */
export function parseShell(command: string, parsed = () => parse(command)): ParsedScript | null {
  // the printer marks here-documents with a NUL, so a command with one cannot be printed
  if (command.length > MAX_PARSED || command.includes('\0')) return null;
  try {
    const script = parsed();
    return script.errors?.length ? null : script;
  } catch {
    return null;
  }
}

// The nodes that are entered. Words are not entered: that would parse the substitutions in them, nested ones
// repeatedly.
const CONTAINERS = new Set(
  words(`
    Statement AndOr CompoundList If Elif For ArithmeticFor While Case CaseItem Select Subshell BraceGroup Function Coproc
    Redirected`),
);

/**
 * Returns the simple commands of a script, by pipeline and in source order, including those inside compound commands and
 * `bash -c '…'`. Command substitutions are left out, because their output is not shown.
 *
 * @param depth how many `bash -c` the script stands in
 */
export function pipelinesIn(script: ParsedScript, depth = 0): ShellPipeline[] {
  const pipelines: ShellPipeline[] = [];
  script.commands.forEach((top, statement) => {
    const visit = (node: SyntaxNode, nested: boolean): void => {
      switch (node.type) {
        case 'Command':
          add([node], nested);
          return;
        case 'Pipeline':
          add(node.commands, nested);
          return;
        case 'TestCommand':
        case 'ArithmeticCommand': {
          const program = node.type === 'TestCommand' ? '[[' : '((';
          pipelines.push({
            steps: [
              {
                program,
                args: [],
                viaXargs: false,
                piped: false,
                writes: [],
                env: [],
                path: program,
                around: [],
              },
            ],
            statement,
            nested,
          });
          return;
        }
        default:
          if (!CONTAINERS.has(node.type)) return;
          forEachChild(node, (child) =>
            visit(child, nested || (node.type !== 'Statement' && node.type !== 'AndOr')),
          );
      }
    };
    const add = (commands: readonly CommandNode[], nested: boolean): void => {
      const steps: ShellStep[] = [];
      for (const [position, node] of commands.entries()) {
        if (node.type !== 'Command') {
          visit(node, true);
          continue;
        }
        const step = toStep(node, position > 0);
        const inner = SHELLS.has(step.program) && /^-\w*c$/.test(step.args[0] ?? '') ? step.args[1] : null;
        const script = inner && depth < 3 ? parseShell(inner) : null;
        if (script)
          pipelines.push(
            ...pipelinesIn(script, depth + 1).map((one) => ({ ...one, statement, nested: true })),
          );
        else steps.push(step);
      }
      if (steps.length > 0) pipelines.push({ steps, statement, nested });
    };
    visit(top, false);
  });
  return pipelines;
}
