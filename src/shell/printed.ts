import { known } from './arg.ts';
import { programs, SHELLS } from './names.ts';
import type { Arg, Invocation } from './types.ts';

// Text that commands pass to each other through a pipe or a substitution.

/** Returns what a command prints, if the line shows it: `echo …`, `printf` of `%s`, `cat` of a here-document. Else null. */
export function printedText([only, ...more]: Invocation[]): string | null {
  if (!only || more.length > 0) return null;
  const { program, input } = only;
  if (program === 'cat' && only.args.length === 0 && input.kind === 'text' && input.known) return input.text;
  if (program !== 'echo' && program !== 'printf') return null;
  const args = only.args.filter((arg, i) => !(i === 0 && /^-[neE]+$/.test(arg.text)));
  const texts = args.map((arg) => arg.text);
  // some shells replace escapes, and some do not
  if (!args.every((arg) => arg.known) || /\\[^nt0]|\\0[0-7]/.test(texts.join(' '))) return null;
  const [format = '', ...values] = texts;
  if (program === 'printf' && /%[^s%]/.test(format)) return null;
  const printed = program === 'echo' ? texts.join(' ') : format.replaceAll('%s', () => values.shift() ?? '');
  const rest = program === 'printf' && values.length > 0 ? `\n${values.join('\n')}` : '';
  return `${printed}${rest}`.replaceAll('\\n', '\n').replaceAll('\\t', '\t').replaceAll('\\0', '\0');
}

/** Returns commands with those whose output reaches them by a pipe. */
export const allStages = (from: Invocation[]): Invocation[] =>
  from.flatMap((stage) => [stage, ...(stage.input.kind === 'pipe' ? allStages(stage.input.from) : [])]);

/** Notes the commands whose output a shell runs: on its standard input, in `<(…)`, or in `$(…)` of its script. */
export function noteExecuted(invocation: Invocation): void {
  const { program, args, input } = invocation;
  const shell = SHELLS.has(program);
  if (!shell && !/^(eval|source|\.)$/.test(program)) return;
  const reads =
    !args.some((arg) => /^-[a-z]*c[a-z]*$/.test(arg.text)) &&
    args.every(
      ({ text }) => /^-|^\/dev\/(stdin|fd\/0)$/.test(text) || args.some((arg) => /^-s?$/.test(arg.text)),
    );
  const piped = shell && reads && input.kind === 'pipe' ? input.from : [];
  const from = [...args.flatMap((arg) => arg.from ?? []), ...piped];
  if (from.length > 0) invocation.executes = from;
}

const MAX_FED = 50;

/**
 * Returns the words that a pipeline prints: those of `echo`, or patterns that cover the files that `find` and
 * `git ls-files` list. Returns null when they are not known.
 */
export function printedWords(from: Invocation[]): Arg[] | null {
  const [source, ...others] = from;
  if (!source || others.length > 0) return null;
  const { program, args, input, cwd } = source;
  // a filter prints a part of what it reads, so a pattern that covers its input covers its output
  if (programs('line-filters').has(program) && input.kind === 'pipe') {
    const own = args.filter((arg) => !arg.text.startsWith('-') && !arg.quoted).length;
    const all = own > (program.endsWith('grep') ? 1 : 0) ? null : printedWords(input.from);
    return all?.every((arg) => arg.glob) ? listedBy(source, all) : null;
  }
  if (program === 'find')
    return args.some((arg) => /^-f?printf$/.test(arg.text)) ? null : listedBy(source, foundBy(args));
  const words = args.filter((arg) => !arg.text.startsWith('-'));
  if (cwd !== null && NAMES_FILES.test([program, ...args.map((arg) => arg.text)].join(' '))) {
    const folders = words.filter((arg) => /[/~]|^\.+$/.test(arg.text));
    const below = [known('.'), ...folders].map(({ text }) => known(`${text}/**`, { glob: true }));
    return folders.every((arg) => arg.known) ? listedBy(source, below) : null;
  }
  const found = printedText(from)
    ?.split(/[\s\0]+/)
    .filter(Boolean);
  return found === undefined || found.length > MAX_FED ? null : found.map((text) => known(text));
}

/** Notes that these patterns stand for what a command lists, or for what it leaves of them. */
const listedBy = (source: Invocation, patterns: Arg[]): Arg[] =>
  patterns.map((arg) => ({ ...arg, listedBy: [...(arg.listedBy ?? []), source] }));

/** Matches commands that print the names of existing files below their folder or below those that they are given. */
const NAMES_FILES =
  /^git (ls-files|grep .*(^| )(-[a-z]*l|--files-with-matches|--name-only)( |$)|(diff|diff-tree|diff-index|show) .*--name-only)|^([ef]?grep|rg)(?= ).*(^| )(-[a-zA-Z0]*[lL][a-zA-Z0]*|--files(-with(out)?-match(es)?)?)( |$)|^(fd|fdfind)(?!.* (-[xX]|--exec|--base-directory|--search-path))/;

/** Returns the files that `find` would list, as patterns below its starting points. */
export function foundBy(args: Arg[]): Arg[] {
  const first = args.findIndex((arg) => /^[-(!]/.test(arg.text) && !/^-[HLPD]$|^-O/.test(arg.text));
  const starts = args.slice(0, first < 0 ? undefined : first).filter((arg) => !arg.text.startsWith('-'));
  const names = args.filter(
    (_, i) => /^-i?name$/.test(args[i - 1]?.text ?? '') && !/^(!|-not)$/.test(args[i - 2]?.text ?? ''),
  );
  // other tests only make the result smaller
  const told = names.length === 1 && !args.some(({ text }) => /^(-o|-or|,|\()$/.test(text));
  const below = told ? names.map((name) => ({ ...name, text: withHidden(name.text) })) : [known('**')];
  return (starts.length > 0 ? starts : [known('.')]).flatMap((start) =>
    below.map((name) =>
      known(`${start.text}/${name.text}`, { known: start.known && name.known, glob: true }),
    ),
  );
}

/** In find, `*` also matches the dot of a hidden name: a pattern that may find `.env` begins with the dot here. */
const withHidden = (name: string): string =>
  /^\*+\??[env*]*$/.test(name) && /[env]/.test(name) ? `.${name}` : name;
