import { known } from './arg.ts';
import { unwrapContainer } from './containers.ts';
import { unwrapFd, unwrapFind } from './find.ts';
import { walkCode } from './inline-code.ts';
import { suspect, walkLine } from './lines.ts';

import { evaluatesLoader } from './loaders.ts';
import { AWKS, isInterpreter, SHELLS } from './names.ts';
import { bashLineOf } from './powershell.ts';
import { noteDownload, noteExecuted, printedText } from './printed.ts';
import { isRunner, walkRunner, walkUnheard } from './runners.ts';
import { shellArgs } from './shell-options.ts';
import type { Arg, Input, Invocation, Running, Scope, Walk } from './types.ts';
import { commandOf, type Wrapper, wrapperOf } from './wrappers.ts';
import { runFed, unwrapParallel } from './xargs.ts';
import { resolvePath } from './zones.ts';

/** Walks the command that another command (a wrapper, a shell, an interpreter, a runner) would run. */
export function unwrap(walk: Walk, outer: Scope, invocation: Invocation, running: Running): void {
  const { program, args } = invocation;
  noteExecuted(invocation);
  noteDownload(invocation);
  if (program === 'eval' && evaluatesLoader(args)) return;
  if (program === 'eval' || program === 'trap') {
    // the text runs in this shell, with its functions
    const { stdin } = outer;
    outer.stdin = invocation.input;
    if (program === 'eval')
      walkLine(walk, outer, args, 'eval', 'eval of text that is known only when it runs');
    else unwrapTrap(walk, outer, args);
    outer.stdin = stdin;
    return;
  }
  // other programs do not know the functions and aliases of this shell
  const scope: Scope = { ...outer, functions: new Map(), aliases: new Map(), stdin: invocation.input };
  // the command or the program then comes from standard input
  if (invocation.openArgs && takesCommand(program) && args.every((arg) => arg.text.startsWith('-')))
    walk.unknowns.push({ text: program, why: 'runs what comes on standard input' });
  walkCode(walk, scope, invocation);
  walkRunner(walk, scope, invocation, running);
  if (SHELLS.has(program)) {
    unwrapShell(walk, scope, invocation);
    return;
  }
  switch (program) {
    case 'find':
      unwrapFind(walk, scope, invocation, running);
      return;
    case 'fd':
    case 'fdfind':
      unwrapFd(walk, scope, invocation, running);
      return;
    case 'source':
    case '.':
      return;
    case 'flock': {
      if (args.some((arg) => arg.text === '-c')) {
        unwrapOption(walk, scope, args, ['-c'], program);
        return;
      }
      break;
    }
    case 'git':
      unwrapGit(walk, scope, invocation, running);
      return;
    case 'parallel':
      unwrapParallel(walk, scope, invocation, running);
      return;
    case 'docker':
    case 'podman':
    case 'kubectl':
    case 'oc':
    case 'nerdctl':
    case 'docker-compose':
    case 'podman-compose':
    case 'k':
      unwrapContainer(walk, scope, invocation, running);
      return;
    case 'command':
      // -v and -V only ask where programs are
      if (args[0] && /^-[vV]$/.test(args[0].text) && args.slice(1).every(({ text }) => !text.startsWith('-')))
        return;
      break;
    case 'pwsh':
    case 'powershell':
    case 'cmd':
      suspectPowerShell(walk, scope, invocation);
      return;
    case 'env': {
      const at = args.findIndex((arg) => /^(-S|--split-string)/.test(arg.text));
      if (at >= 0) {
        unwrapSplit(walk, scope, args, at);
        return;
      }
      break;
    }
  }
  const wrapper = wrapperOf(program);
  if (wrapper) unwrapWords(walk, scope, invocation, running, wrapper);
  else if (!isRunner(program) && walk.place.knows?.(program) === false)
    walkUnheard(walk, scope, invocation, running);
}

const GIVES_CODE = /^[-/](?:c|k|command|e|ec|enc\w*)$/i;

/** Adds what a line of PowerShell, or of its older shell, would run: it may be denied, and is never allowed. */
function suspectPowerShell(walk: Walk, scope: Scope, { program, args }: Invocation): void {
  if (!args.some(({ text }) => GIVES_CODE.test(text))) return;
  const words = args.map(({ text }) => `'${text.replaceAll("'", "''")}'`);
  suspect(walk, { ...scope, depth: scope.depth + 1 }, bashLineOf([program, ...words].join(' ')));
}

/**
 * Walks the text of a trap as it would run now. It may also run later, when the line is in another folder: see
 * `walkTraps`.
 */
function unwrapTrap(walk: Walk, scope: Scope, args: Arg[]): void {
  const [text] = args.filter((arg) => !arg.text.startsWith('-'));
  if (!text || args.length === 1) return;
  walk.traps.push({ text, scope, set: { ...scope, vars: new Map(scope.vars) } });
  walkTrap(walk, text, scope);
}

function walkTrap(walk: Walk, text: Arg, scope: Scope): void {
  const own: Scope = { ...scope, vars: new Map(scope.vars), functions: new Map(scope.functions) };
  walkLine(walk, own, [text], 'trap', 'a trap known only when it runs');
}

/**
 * Walks the traps of a line as they run at its end, if it is in another folder by then or its variables have
 * other values: `trap 'rm -rf build' EXIT; cd /`.
 *
 * @param end the line's own scope, after all of it
 */
export function walkTraps(walk: Walk, end: Scope): void {
  for (const { text, scope, set } of walk.traps.splice(0)) {
    // a list with && has a scope of its own, but its trap is the line's; that of another shell is not
    const later = set.via.length === 0 && !set.remote ? [scope, end] : [scope];
    for (const { cwd, otherCwds, vars } of new Set(later)) {
      const same =
        cwd === set.cwd &&
        otherCwds.every((folder) => folder === set.cwd || set.otherCwds.includes(folder)) &&
        [...vars].every(([name, value]) => set.vars.get(name) === value);
      if (!same) walkTrap(walk, text, { ...set, cwd, otherCwds, vars });
    }
  }
}

/** Whether a program runs its first word as a command, or as a program in its language. */
const takesCommand = (program: string) =>
  SHELLS.has(program) ||
  AWKS.includes(program) ||
  /^g?sed$/.test(program) ||
  wrapperOf(program) !== undefined ||
  isInterpreter(program);

function unwrapWords(
  walk: Walk,
  scope: Scope,
  invocation: Invocation,
  running: Running,
  wrapper: Wrapper,
): void {
  const { args, program } = invocation;
  const rest = commandOf(args, wrapper);
  if (/^(g?time|[sl]trace)$/.test(program)) {
    const until = args.indexOf(rest.words[0] as Arg);
    const written = args.slice(0, until < 0 ? undefined : until).flatMap((arg, i, list) => {
      if (/^(-o|--output)$/.test(list[i - 1]?.text ?? '')) return [arg];
      const attached = /^(?:-o|--output=)(.+)$/.exec(arg.text)?.[1];
      return attached ? [{ ...arg, text: attached }] : [];
    });
    invocation.writes = [...invocation.writes, ...written.map((target) => ({ target, append: false }))];
    // strace -o '|command'
    for (const target of written) {
      const line = /^\s*[|!](.*)$/s.exec(target.text)?.[1];
      if (line !== undefined)
        walkLine(
          walk,
          scope,
          [{ ...target, text: line }],
          program,
          `${program} -o with text known only when it runs`,
        );
    }
  }
  const own: Scope = {
    ...scope,
    depth: scope.depth + 1,
    via: [...scope.via, program],
    remote: scope.remote || wrapper.remote === true,
    ...(wrapper.remote && { cwd: null }),
    ...(wrapper.chdir && { cwd: folderOf(walk, scope, args, wrapper.chdir) }),
  };
  own.otherCwds = own.cwd === scope.cwd ? scope.otherCwds : [];
  if (rest.words.length === 0) {
    if (invocation.openArgs) walk.unknowns.push({ text: program, why: 'runs what comes on standard input' });
    return;
  }
  if (rest.strange !== null)
    walk.unknowns.push({ text: rest.strange, why: `${program} may take the next word for this option` });
  if (wrapper.line) {
    const text = rest.words.map((word) => word.text).join(' ');
    if (rest.words.every((word) => word.known)) walk.into.line(walk, text, own);
    else walk.unknowns.push({ text, why: `${program} runs text that is known only when it runs` });
    return;
  }
  const fed = { ...running, env: [...running.env, ...rest.env] };
  if (wrapper.openArgs) runFed(walk, own, fed, rest.words, args);
  else walk.into.command(walk, own, { ...fed, words: rest.words });
}

/** Returns the folder that an option of a wrapper names; null when it is not known. */
function folderOf(walk: Walk, scope: Scope, args: Arg[], names: string[]): string | null {
  let { cwd } = scope;
  for (const [i, arg] of args.entries()) {
    // options behind the command are not the wrapper's; mistaking one for it only makes the folder unknown
    const short = names.find((name) => name.length === 2 && arg.text.startsWith(name));
    const long = names.find((name) => name.length > 2 && arg.text.startsWith(`${name}=`));
    const name = long ? `${long}=` : short;
    if (names.includes(arg.text)) {
      const dir = args[i + 1];
      cwd = dir?.known && !dir.glob ? resolvePath(dir.text, cwd, walk.place.home) : null;
    } else if (name !== undefined) {
      const { text, known, glob } = arg;
      cwd = known && !glob ? resolvePath(text.slice(name.length), cwd, walk.place.home) : null;
    }
  }
  return cwd;
}

function unwrapShell(walk: Walk, scope: Scope, invocation: Invocation): void {
  const { args, program, input, openArgs } = invocation;
  const own: Scope = {
    ...scope,
    vars: new Map(scope.vars),
    depth: scope.depth + 1,
    via: [...scope.via, program],
  };
  const { command, after, asked, stdin, strange } = shellArgs(args);
  if (strange !== null)
    walk.unknowns.push({ text: strange, why: `${program} may run something for this option` });
  if (command !== null) {
    for (const [i, arg] of after.entries()) own.vars.set(String(i), arg);
    if (!command.known) {
      walk.unknowns.push({
        text: command.text,
        why: `${program} -c runs text that is known only when it runs`,
      });
    }
    // walked even when part of it is unknown, because the known part may have to be denied
    walk.into.line(walk, command.text, own);
    return;
  }
  if (openArgs && (asked || stdin))
    walk.unknowns.push({ text: program, why: 'a shell runs what comes on standard input' });
  // a script file is judged by its path and content
  if (stdin) walkInput(walk, own, input, program);
}

/** Walks the standard input of a shell, which runs it when it has no script. */
function walkInput(walk: Walk, scope: Scope, input: Input, program: string): void {
  if (input.kind === 'text') {
    if (!input.known) walk.unknowns.push({ text: program, why: 'a shell runs text known only when it runs' });
    walk.into.line(walk, input.text, scope);
    return;
  }
  if (input.kind === 'file') {
    walk.unknowns.push({ text: input.target.text, why: `${program} runs a file on its standard input` });
    return;
  }
  if (input.kind !== 'pipe') return;
  const text = printedText(input.from);
  // a shell leaves out a NUL, and so joins the text around it
  if (text !== null && !text.includes('\0')) walk.into.line(walk, text, scope);
  else walk.unknowns.push({ text: program, why: 'a shell runs what another command prints' });
}

/** Walks what `git bisect run …`, `git submodule foreach …` and `git rebase --exec …` run. */
function unwrapGit(walk: Walk, scope: Scope, invocation: Invocation, running: Running): void {
  const { args } = invocation;
  const at = args.findIndex((arg) => /^(bisect|submodule|rebase)$/.test(arg.text));
  const after = args.slice(at + 1);
  const sub = `${args[at]?.text} ${after.find((arg) => !arg.text.startsWith('-'))?.text}`;
  if (at < 0) return;
  if (sub.startsWith('rebase')) {
    unwrapOption(walk, scope, after, ['-x', '--exec'], 'git');
    return;
  }
  if (sub !== 'bisect run' && sub !== 'submodule foreach') return;
  const command = after.slice(after.findIndex((arg) => !arg.text.startsWith('-')) + 1);
  const own = commandOf(command, {}).words;
  if (sub === 'bisect run')
    walk.into.command(walk, { ...scope, via: [...scope.via, 'git'] }, { ...running, words: own });
  else walkLine(walk, scope, own, 'git', 'git submodule foreach with text known only when it runs');
}

/** Walks the command line that is the value of an option. */
function unwrapOption(walk: Walk, scope: Scope, args: Arg[], names: string[], via: string): void {
  const at = args.findIndex((arg) => names.includes(arg.text));
  const attached = args.find((arg) =>
    names.some((name) => name.startsWith('--') && arg.text.startsWith(`${name}=`)),
  );
  const script =
    at >= 0 ? args[at + 1] : attached && { ...attached, text: attached.text.replace(/^[^=]*=/, '') };
  if (script) walkLine(walk, scope, [script], via, `${via} runs text that is known only when it runs`);
}

/** Walks the command line of `env -S`. */
function unwrapSplit(walk: Walk, scope: Scope, args: Arg[], at: number): void {
  const option = args[at] as Arg;
  const attached = option.text.replace(/^(-S|--split-string=?)/, '');
  const [script, rest] =
    attached !== '' ? [known(attached), args.slice(at + 1)] : [args[at + 1], args.slice(at + 2)];
  if (script) walkLine(walk, scope, [script, ...rest], 'env', 'env -S with text known only when it runs');
}
