import { SHELLS } from './names.ts';
import type { Invocation } from './types.ts';

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
