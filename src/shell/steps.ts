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
import { runnerCommand } from './runners.ts';
import type { Arg } from './types.ts';
import { commandOf, wrapperOf } from './wrappers.ts';

// The steps of a shell line as a lesson sees them: by pipeline, unexpanded, and null for what is not valid bash. What a
// line *would* run, with values followed, is told by walk.ts.

/** Longer commands are not parsed: hostile nesting costs most there, and heredoc bodies are most of their text. */
const MAX_PARSED = 8_192;

/** A simple command inside a shell line, with wrappers such as `sudo` or `timeout 60` taken off. */
export type ShellStep = {
  /** Basename of the real program, `[[` and `((` for shell conditions, '' when only assignments stand there. */
  program: string;
  args: string[];
  /** Reads its arguments from another command (`… | xargs grep x`). */
  viaXargs: boolean;
  /** Stands after a pipe. */
  piped: boolean;
  /** Files this step writes: redirect targets, and the arguments of `tee`. */
  writes: string[];
};

/** One pipeline; `statement` counts top-level statements, `nested` is true inside `if`, `for`, `( )`, `bash -c`. */
export type ShellPipeline = { steps: ShellStep[]; statement: number; nested: boolean };

export const ASSIGNMENT = /^[A-Za-z_]\w*\+?=/;

/** A wrapper's command may be a wrapper again; nobody nests them deeper than this. */
const MAX_WRAPPERS = 20;

/** Different versions of one program are one to a lesson: `python3.11` is `python`. */
const family = (path: string): string => baseName(path).replace(/^(python|pip)[\d.]+$/, '$1');

/** The command inside wrappers and runners, such as `pytest` in `sudo -u x timeout 5 uv run python -m pytest`. */
export function realCommand(argv: string[]): { program: string; args: string[]; viaXargs: boolean } {
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
  return { program: family(name ?? ''), args, viaXargs };
}

/**
 * The words that a wrapper or a runner runs here, null when it runs none, a whole line, or something on another host.
 * A verdict makes an option of a wrapper that nobody knows `unknown`; here it is passed over, since a lesson filed under
 * the wrong program does no harm.
 */
function wrapped(program: string, args: Arg[]): Arg[] | null {
  // `command -v x` asks where x is, `flock file -c '…'` has a line
  if (program === 'command' && /^-[vV]/.test(args[0]?.text ?? '')) return null;
  if (program === 'flock' && args.some((arg) => arg.text === '-c')) return null;
  const wrapper = wrapperOf(program);
  if (wrapper) return wrapper.line || wrapper.remote ? null : commandOf(args, wrapper).words;
  const found = runnerCommand(program, args);
  // `pdm run test` is the project's script of that name, not the shell's builtin
  if (!found?.words || found.remote || found.words[0]?.text === 'test') return null;
  return found.words;
}

export const commandWords = (node: Command): string[] => {
  const rest = node.suffix.flatMap((part) =>
    part.type === 'Word' ? [part.value] : part.type === 'Assignment' ? [part.text] : [],
  );
  return node.name ? [node.name.value, ...rest] : [];
};

export const isOutput = (part: { type: string; operator?: string }): boolean =>
  part.type === 'Redirect' && (part.operator ?? '').includes('>') && part.operator !== '<>';

/** False for `2>&1`, `> /dev/null`: they move or drop output and leave nothing behind. */
export function writesFile(part: Redirection): boolean {
  if (part.type !== 'Redirect' || !isOutput(part)) return false;
  const target = part.target?.value ?? '';
  return !(/^(?:\d+|-|\d+-)$/.test(target) || /^\/dev\/(?:null|stdout|stderr|tty)$/.test(target));
}

export function toStep(node: Command, piped = false): ShellStep {
  const step = realCommand(commandWords(node));
  const targets = [...node.prefix, ...node.suffix].flatMap((part) =>
    part.type === 'Redirect' && writesFile(part) ? [part.target?.value ?? ''] : [],
  );
  const files = step.program === 'tee' ? step.args.filter((arg) => !arg.startsWith('-')) : [];
  return { ...step, piped, writes: [...targets, ...files] };
}

export function parseShell(command: string): ParsedScript | null {
  // a NUL is the printer's own heredoc mark
  if (command.length > MAX_PARSED || command.includes('\0')) return null;
  try {
    const script = parse(command);
    return script.errors?.length ? null : script;
  } catch {
    return null;
  }
}

// words are not entered: that would parse their substitutions, nested ones again and again
const CONTAINERS = new Set(
  words(`
    Statement AndOr CompoundList If Elif For ArithmeticFor While Case CaseItem Select Subshell BraceGroup Function Coproc
    Redirected`),
);

/**
 * The simple commands of a shell line, by pipeline and in source order, including those inside compound commands and
 * `bash -c '…'`; command substitutions are left out (their output is not shown). Null when the text is not valid
 * bash, or longer than 8 KB.
 */
export function shellPipelines(command: string, depth = 0): ShellPipeline[] | null {
  const script = parseShell(command);
  if (!script) return null;
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
            steps: [{ program, args: [], viaXargs: false, piped: false, writes: [] }],
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
        const scripts = inner && depth < 3 ? shellPipelines(inner, depth + 1) : null;
        if (scripts) pipelines.push(...scripts.map((pipeline) => ({ ...pipeline, statement, nested: true })));
        else steps.push(step);
      }
      if (steps.length > 0) pipelines.push({ steps, statement, nested });
    };
    visit(top, false);
  });
  return pipelines;
}
