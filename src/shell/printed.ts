import { known } from './arg.ts';
import { LINE_FILTERS, SHELLS } from './names.ts';
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
  const words = args.filter((arg) => !arg.text.startsWith('-'));
  const reads =
    shell &&
    input.kind === 'pipe' &&
    !args.some((arg) => /^-[a-z]*c[a-z]*$/.test(arg.text)) &&
    (words.length === 0 || args.some(({ text }) => /^(-s?|\/dev\/(stdin|fd\/0))$/.test(text)));
  const from = [
    ...args.flatMap((arg) => arg.from ?? []),
    ...(reads && input.kind === 'pipe' ? input.from : []),
  ];
  if (from.length > 0) invocation.executes = from;
}

const MAX_FED = 50;

/**
 * Returns the words that a pipeline prints: those of `echo`, or patterns that cover the files that `find`, `ls` and
 * `git ls-files` list. Returns null when they are not known.
 */
export function printedWords(from: Invocation[]): Arg[] | null {
  const [source, ...others] = from;
  if (!source || others.length > 0) return null;
  const { program, args, input, cwd } = source;
  const before = input.kind === 'pipe' ? input.from : [];
  // a filter prints a part of what it reads, so a pattern that covers its input covers its output
  const pattern = program.endsWith('grep') ? args.find((arg) => !arg.text.startsWith('-')) : undefined;
  const readsPipe = args.every((arg) => arg === pattern || arg.quoted || !/^[\w./-]+\.\w+$/.test(arg.text));
  if (LINE_FILTERS.has(program) && before.length > 0 && readsPipe) {
    const all = printedWords(before);
    return all?.every((arg) => arg.glob) ? listedBy(source, all) : null;
  }
  if (program === 'find' && !args.some((arg) => /^-f?printf$/.test(arg.text)))
    return listedBy(source, foundBy(args));
  if (cwd !== null && namesFiles(source)) {
    const folders = args.filter((arg) => /[/~]|^\.+$/.test(arg.text) && !arg.text.startsWith('-'));
    const below = ['.', ...folders.map((arg) => arg.text)].map((start) =>
      known(`${start}/**`, { glob: true }),
    );
    return folders.every((arg) => arg.known) ? listedBy(source, below) : null;
  }
  if (cwd !== null && program === 'ls') {
    const given = args.filter((arg) => !arg.text.startsWith('-'));
    if (!args.every((arg) => arg.known) || args.some(({ text }) => /^-(?![1drtSUvX]+$)/.test(text)))
      return null;
    const files = given.length > 0 && given.every((arg) => /\*\.\w+$/.test(arg.text));
    return [
      ...given.map((arg) => ({ ...arg, glob: true })),
      ...(files ? [] : [known('./*', { glob: true })]),
    ];
  }
  const found =
    printedText(from)
      ?.split(/[\s\0]+/)
      .filter(Boolean) ?? [];
  return printedText(from) === null || found.length > MAX_FED ? null : found.map((text) => known(text));
}

/** Notes that these patterns stand for what a command lists, or for what it leaves of them. */
const listedBy = (source: Invocation, patterns: Arg[]): Arg[] =>
  patterns.map((arg) => ({ ...arg, listedBy: [...(arg.listedBy ?? []), source] }));

/** Whether a command prints the names of existing files below its folder or below those that it is given. */
function namesFiles({ program, args }: Invocation): boolean {
  const line = args.map((arg) => arg.text).join(' ');
  if (program === 'git')
    return /^ls-files|^grep .*(^| )(-[a-z]*l|--files-with-matches|--name-only)( |$)|^(diff|diff-tree|diff-index|show) .*--name-only/.test(
      line,
    );
  if (/^[ef]?grep$|^rg$/.test(program))
    return /(^| )(-[a-zA-Z0]*[lL][a-zA-Z0]*|--files(-with(out)?-match(es)?)?)( |$)/.test(line);
  return /^(fd|fdfind)$/.test(program) && !/(^| )(-[xX]|--exec|--base-directory|--search-path)/.test(line);
}

/** Returns the files that `find` would list, as patterns below its starting points. */
export function foundBy(args: Arg[]): Arg[] {
  const first = args.findIndex((arg) => /^[-(!]/.test(arg.text) && !/^-[HLPD]$|^-O/.test(arg.text));
  const starts = args.slice(0, first < 0 ? undefined : first).filter((arg) => !arg.text.startsWith('-'));
  // tests that only make the result smaller
  const rest = (first < 0 ? [] : args.slice(first))
    .map(({ text }) => text)
    .join(' ')
    .replace(NARROWS, '');
  const names = args.filter(
    (_, i) => /^-i?name$/.test(args[i - 1]?.text ?? '') && !/^(!|-not)$/.test(args[i - 2]?.text ?? ''),
  );
  const plain = !/(^| )(-o|-or|-not|!|,|-path)( |$)/.test(rest) && names.length === 1;
  const told = (plain || EITHER.test(rest)) && names.every(({ text }) => !/[/ ]/.test(text));
  const below = told ? names.map((name) => ({ ...name, text: withHidden(name.text) })) : [known('**')];
  return (starts.length > 0 ? starts : [known('.')]).flatMap((start) =>
    below.map((name) => ({
      text: `${start.text}/${name.text}`,
      known: start.known && name.known,
      glob: true,
      quoted: false,
    })),
  );
}

/** Matches an expression that finds one of several names: `-type d \\( -name a -o -name b \\) -prune`. */
const EITHER =
  /^(-type \w )?\( -name \S+( -o -name \S+)+ \)( -prune)?(( -print0?)| (-exec|-delete)( (?!-(o|or|name|exec)\b)\S+)*)?$/;
const NARROWS = /(?<=^| )(?:!|-not) -(?:i?path|wholename|i?name|i?regex) \S+( |$)/g;

/** In find, `*` also matches the dot of a hidden name: a pattern that may find `.env` begins with the dot here. */
const withHidden = (name: string): string =>
  /^\*+\??[env*]*$/.test(name) && /[env]/.test(name) ? `.${name}` : name;
