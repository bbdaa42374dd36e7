import { known } from './arg.ts';
import { foundBy } from './find.ts';
import { LINE_FILTERS, SHELLS } from './names.ts';
import type { Arg, Invocation } from './types.ts';

// Text that commands pass to each other through a pipe, a substitution or a downloaded file.

/**
 * Returns what the stages of a pipeline before this one print, if the line shows it: `echo …`, `printf …`, `cat` of a
 * here-document. Returns null when it is not known.
 */
export function printedText(from: Invocation[]): string | null {
  const [only, ...more] = from;
  if (!only || more.length > 0) return null;
  if (only.program === 'echo' || only.program === 'printf') {
    const args = only.args.filter((arg, i) => !(i === 0 && /^-[neE]+$/.test(arg.text)));
    if (!args.every((arg) => arg.known)) return null;
    const texts = args.map((arg) => arg.text);
    return only.program === 'echo' ? unescaped(texts.join(' ')) : formatted(texts);
  }
  if (only.program === 'cat' && only.args.length === 0 && only.input.kind === 'text' && only.input.known) {
    return only.input.text;
  }
  return null;
}

/** Returns commands with those whose output reaches them by a pipe. */
export const allStages = (from: Invocation[]): Invocation[] =>
  from.flatMap((stage) => [stage, ...(stage.input.kind === 'pipe' ? allStages(stage.input.from) : [])]);

/** Returns a text with `\n`, `\t` and `\0` replaced; null when it holds other escapes that some shells replace. */
const unescaped = (text: string): string | null =>
  /\\(0[0-7]|[abcefrvuUx1-7\\])/.test(text)
    ? null
    : text.replaceAll('\\n', '\n').replaceAll('\\t', '\t').replaceAll('\\0', '\0');

/** Returns what printf prints for a format of text and `%s`; null for any other. */
function formatted([format = '', ...values]: string[]): string | null {
  const text = unescaped(format);
  if (text === null || /%(?!s|%)/.test(text)) return null;
  const slots = text.match(/%s/g)?.length ?? 0;
  let printed = '';
  // the format is used again until all values are printed
  do printed += text.replaceAll(/%[s%]/g, (slot) => (slot === '%%' ? '%' : (values.shift() ?? '')));
  while (slots > 0 && values.length > 0);
  return printed;
}

/**
 * Notes the commands whose output a shell runs as a program: on its standard input, in `<(…)`, or in `$(…)` of its
 * script.
 */
export function noteExecuted(invocation: Invocation): void {
  const { program, args, input } = invocation;
  const shell = SHELLS.has(program);
  if (!shell && !/^(eval|source|\.)$/.test(program)) return;
  const from = args.flatMap((arg) => arg.from ?? []);
  const words = args.filter((arg) => !arg.text.startsWith('-'));
  const stdin =
    shell &&
    input.kind === 'pipe' &&
    !args.some((arg) => /^-[a-z]*c[a-z]*$/.test(arg.text)) &&
    (words.length === 0 ||
      args.some((arg) => arg.text === '-s' || arg.text === '-') ||
      /^\/dev\/(stdin|fd\/0)$/.test(words[0]?.text ?? ''));
  const piped = stdin && input.kind === 'pipe' ? input.from : [];
  if (from.length + piped.length > 0) invocation.executes = [...from, ...piped];
}

/** Notes the file that a download writes when the file takes its name from the URL. */
export function noteDownload(invocation: Invocation): void {
  const { program, args } = invocation;
  const named =
    program === 'wget'
      ? !args.some((arg) =>
          /^(-[a-zA-Z]*[OP]|--output-document|--directory-prefix|--spider|-i|--input)/.test(arg.text),
        )
      : program === 'curl' && args.some((arg) => /^(-[a-zA-Z]*O|--remote-name)/.test(arg.text));
  if (!named) return;
  for (const arg of args) {
    const name = /^\w+:\/\/[^?#]+\/([^/?#]+)(?:[?#]|$)/.exec(arg.text)?.[1];
    if (name && arg.known)
      invocation.writes = [...invocation.writes, { target: { ...arg, text: name }, append: false }];
  }
}

/** More words or lines than this are not looked at one by one. */
export const MAX_FED = 50;

/**
 * Returns the words that a pipeline prints: those of `echo`, or patterns that cover the files that `find`, `ls` and
 * `git ls-files` list. Returns null when they are not known.
 */
export function printedWords(from: Invocation[]): Arg[] | null {
  const [source, ...filters] = from;
  if (!source || filters.length > 0) return null;
  const before = source.input.kind === 'pipe' ? source.input.from : [];
  // the first word of grep is its pattern
  const pattern = source.program.endsWith('grep')
    ? source.args.find((arg) => !arg.text.startsWith('-'))
    : undefined;
  const readsPipe = source.args.every((arg) => arg === pattern || !isFile(arg));
  // a filter prints a part of what it reads, so a pattern that covers its input covers its output
  if (LINE_FILTERS.has(source.program) && before.length > 0 && readsPipe) {
    const all = printedWords(before);
    return all?.every((arg) => arg.glob) ? listedBy(source, all) : null;
  }
  if (source.program === 'find' && !source.args.some((arg) => /^-f?printf$/.test(arg.text)))
    return listedBy(source, foundBy(source.args));
  const below = (start: string): Arg => ({ text: `${start}/**`, known: true, glob: true, quoted: false });
  if (source.cwd !== null && namesFiles(source)) {
    const folders = source.args.filter((arg) => /[/~]|^\.+$/.test(arg.text) && !arg.text.startsWith('-'));
    return folders.every((arg) => arg.known)
      ? listedBy(source, [below('.'), ...folders.map((arg) => below(arg.text))])
      : null;
  }
  if (source.cwd !== null && source.program === 'ls') return listed(source.args);
  const text = printedText(from);
  const words = text?.split(/[\s\0]+/).filter(Boolean) ?? [];
  return text === null || words.length > MAX_FED ? null : words.map((text) => known(text));
}

/** Notes that these patterns stand for what a command lists, or for what it leaves of them. */
const listedBy = (source: Invocation, patterns: Arg[]): Arg[] =>
  patterns.map((arg) => ({ ...arg, listedBy: [...(arg.listedBy ?? []), source] }));

/** Returns what `ls` prints: the files that it is given, and of a folder the names in it. */
function listed(args: Arg[]): Arg[] | null {
  const options = args.filter((arg) => arg.text.startsWith('-'));
  const given = args.filter((arg) => !options.includes(arg));
  if (!options.every((arg) => /^-[1drtSUvX]+$/.test(arg.text)) || !given.every((arg) => arg.known))
    return null;
  const files = given.length > 0 && given.every((arg) => /\*\.\w+$/.test(arg.text));
  return [...given.map((arg) => ({ ...arg, glob: true })), ...(files ? [] : [known('./*', { glob: true })])];
}

/** Whether a command prints the names of existing files below its folder or below those that it is given. */
function namesFiles({ program, args }: Invocation): boolean {
  const texts = args.map((arg) => arg.text);
  if (program === 'git') {
    if (texts[0] === 'ls-files') return true;
    if (texts[0] === 'grep')
      return texts.some((text) => /^(-[a-z]*l|--files-with-matches|--name-only)$/.test(text));
    return /^(diff|diff-tree|diff-index|show)$/.test(texts[0] ?? '') && texts.includes('--name-only');
  }
  if (/^[ef]?grep$|^rg$/.test(program))
    return texts.some((text) => /^(-[a-zA-Z0]*[lL][a-zA-Z0]*|--files(-with(out)?-match(es)?)?)$/.test(text));
  if (program === 'gofmt' || program === 'goimports') return texts.includes('-l');
  return (
    /^(fd|fdfind)$/.test(program) &&
    !texts.some((text) => /^(-[xX]|--exec|--base-directory|--search-path)/.test(text))
  );
}

/** Whether an argument names a file: then the filter reads that instead of the pipe (`head -5 list.txt`). */
const isFile = (arg: Arg) => /\.\w+$/.test(arg.text) && /^[\w./-]+$/.test(arg.text) && !arg.quoted;
