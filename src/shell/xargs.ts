import { known } from './arg.ts';
import { blank } from './blank.ts';
import { walkLine } from './lines.ts';
import { baseName, SHELLS, words } from './names.ts';
import { MAX_FED, printedText, printedWords } from './printed.ts';
import type { Arg, Invocation, Running, Scope, Walk } from './types.ts';
import { commandOf } from './wrappers.ts';

// xargs and parallel: commands whose arguments come from a pipe.

/** Walks the command of xargs with the words that its input adds, as far as they are known. */
export function runFed(walk: Walk, scope: Scope, running: Running, command: Arg[], args: Arg[]): void {
  const fromFile = args.some((arg) => /^(-a|--arg-file)/.test(arg.text));
  const fed = fromFile || running.input.kind !== 'pipe' ? null : printedWords(running.input.from);
  const placeholder = replaceString(args);
  const texts = command.map(({ text }) => text).join(' ');
  const own: Running = { ...running, input: { kind: 'none' } };
  const reads = printers(scope, running.input, args);
  if (placeholder !== null) {
    if (!command.some((word) => word.text.includes(placeholder))) {
      walk.into.command(walk, scope, { ...own, words: [...command, ...(fed ?? [])], openArgs: fed === null });
      return;
    }
    for (const input of fed ?? [known(placeholder, { known: false })]) {
      const filled = command.map((word) =>
        word.text.includes(placeholder)
          ? {
              ...input,
              text: word.text.replaceAll(placeholder, input.text),
              known: word.known && input.known,
            }
          : word,
      );
      walk.into.command(walk, scope, { ...own, words: filled, openArgs: fed === null });
    }
    return;
  }
  if (/^-[a-z]*c$/.test(command.at(-1)?.text ?? '') && SHELLS.has(baseName(command[0]?.text ?? '')))
    walk.unknowns.push({ text: 'xargs', why: 'a shell runs what comes on standard input' });
  if (fed) walk.into.command(walk, scope, { ...own, words: [...command, ...fed] });
  // as in `kill $(lsof -ti:3000)`
  else if (/^kill( -\w+)*$/.test(texts) && reads.length > 0)
    walk.into.command(walk, scope, {
      ...own,
      words: [...command, { ...known('$(…)', { known: false }), from: reads }],
    });
  else walk.into.command(walk, scope, { ...own, words: command, openArgs: true });
}

/** Returns the commands whose output xargs reads; a file that it reads is as good as printed by `cat`. */
function printers(scope: Scope, input: Running['input'], args: Arg[]): Invocation[] {
  const at = args.findIndex(({ text }) => /^(-a|--arg-file$)/.test(text));
  const file = at < 0 ? (input.kind === 'file' ? input.target : null) : args[at + 1];
  if (at < 0 && input.kind === 'pipe') return input.from;
  if (!file || args[at]?.text.slice(2)) return [];
  return [blank(scope, { program: 'cat', path: 'cat', args: [file] })];
}

/** Returns the placeholder that xargs replaces (`{}` in `-I{}`); null when it has none. */
function replaceString(args: Arg[]): string | null {
  for (const [i, arg] of args.entries()) {
    if (!arg.text.startsWith('-')) return null;
    if (arg.text === '-I' || arg.text === '-J') return args[i + 1]?.text ?? '{}';
    const attached = /^(?:-I|-J|--replace=)(.+)$/.exec(arg.text);
    if (attached) return attached[1] as string;
    if (/^(-i|--replace=?)$/.test(arg.text)) return '{}';
    if (/^-i./.test(arg.text)) return arg.text.slice(2);
  }
  return null;
}

const PARALLEL_VALUED = words(
  '-j --jobs -I -N -n -S --sshlogin --delay --retries --joblog --results --timeout -a --arg-file --colsep -d',
);

/** Walks the command lines that GNU parallel runs. */
export function unwrapParallel(walk: Walk, scope: Scope, invocation: Invocation, running: Running): void {
  const { args } = invocation;
  const at = args.findIndex((arg) => /^::::?\+?$/.test(arg.text));
  const own: Scope = { ...scope, depth: scope.depth + 1, via: [...scope.via, 'parallel'] };
  if (args.some((arg) => /^--(wd|workdir)(=|$)/.test(arg.text))) own.cwd = null;
  const command = commandOf(at < 0 ? args : args.slice(0, at), { valued: PARALLEL_VALUED }).words;
  const inputs = at < 0 ? [] : args.slice(at + 1);
  if (command.length === 0) {
    // without a command, each input is a command line of its own
    const fromFile =
      /^::::/.test(args[at]?.text ?? '') || args.some((arg) => /^(-a|--arg-file)/.test(arg.text));
    const printed = running.input.kind === 'pipe' ? printedText(running.input.from) : null;
    const given = running.input.kind === 'text' && running.input.known ? running.input.text : printed;
    for (const line of inputs.length > 0 ? [] : (given ?? '').split('\n').slice(0, MAX_FED)) {
      if (line.trim() !== '') walkLine(walk, own, [known(line)], 'parallel', '');
    }
    if (fromFile || (at < 0 && given === null) || (given ?? '').split('\n').length > MAX_FED)
      walk.unknowns.push({ text: 'parallel', why: 'runs the command lines that it reads' });
    for (const line of inputs)
      walkLine(walk, own, [line], 'parallel', 'parallel runs text known only when it runs');
    return;
  }
  const from = running.input.kind === 'pipe' ? printedText(running.input.from) : null;
  const fed = inputs.length > 0 ? inputs : from === null ? [] : from.split('\n').map((text) => known(text));
  if (fed.length > MAX_FED)
    walk.unknowns.push({ text: 'parallel', why: 'runs too many commands to look at' });
  if (fed.length === 0) {
    const slots = command.map((arg) => (arg.text.includes('{}') ? { ...arg, known: false } : arg));
    walk.into.command(walk, own, { ...running, words: slots, openArgs: true, input: { kind: 'none' } });
    return;
  }
  const [only] = command;
  if (only && command.length === 1 && /\s/.test(only.text)) {
    // a shell runs a command that is one word with blanks in it
    for (const input of fed.slice(0, MAX_FED)) {
      const text = only.text.includes('{}')
        ? only.text.replaceAll('{}', input.text)
        : `${only.text} ${input.text}`;
      const line = { ...only, text, known: only.known && input.known };
      walkLine(walk, own, [line], 'parallel', 'parallel runs text known only when it runs');
    }
    return;
  }
  for (const input of fed.slice(0, MAX_FED)) {
    const slots = command.some((arg) => arg.text.includes('{}'));
    const filled = command.map((arg) => ({
      ...arg,
      text: arg.text.replaceAll('{}', input.text),
      known: arg.known && input.known,
    }));
    walk.into.command(walk, own, {
      ...running,
      words: slots ? filled : [...filled, input],
      input: { kind: 'none' },
    });
  }
}
