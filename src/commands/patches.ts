import { printedText } from '../shell/printed.ts';
import type { Arg, Invocation } from '../shell/types.ts';
import { resolvePath, type Surroundings } from '../shell/zones.ts';
import { wordsOf } from './arguments.ts';
import type { Options } from './options.ts';

// Which files a command changes by the patches that it applies.

/** `unknown`: some of what it applies is known only when it runs */
export type Patch = { names: string[]; folder: string; unknown: boolean };

/**
 * Returns the files named in the patches that a command applies, as they are written there; null if it applies none.
 */
export function patchOf(invocation: Invocation, place: Surroundings, options: Options): Patch | null {
  const { program, args, input, cwd } = invocation;
  const { words } = wordsOf(invocation, options);
  const verb = words[0]?.text;
  if (program !== 'patch' && !(program === 'git' && /^(apply|am)$/.test(verb ?? ''))) return null;
  const texts = args.map(({ text }) => text);
  const has = (pattern: RegExp) => texts.some((text) => pattern.test(text));
  if (has(/^--(check|stat|numstat|summary|dry-run|abort|skip|quit|continue|show-current-patch.*)$/))
    return null;
  const value = (option: RegExp, attached: RegExp) =>
    args.find((_, i) => option.test(texts[i - 1] ?? '')) ??
    plain(texts.flatMap((text) => attached.exec(text)?.[1] ?? [])[0]);
  const file = value(/^(-i|--input)$/, /^(?:-i|--input=)(.+)$/);
  const folder = value(/^(-d|--directory)$/, /^--directory=(.+)$/);
  const files = program === 'patch' ? (file ? [file] : words.slice(1)) : words.slice(1);
  const inFolder = [cwd ?? '', folder?.text ?? ''].join('/');
  const patches = files.length > 0 ? files.map(textOf) : [textOfInput()];
  return {
    names: patches.flatMap((text) => (text === null ? [] : namesIn(text))),
    folder: inFolder,
    unknown: patches.includes(null),
  };

  /** Returns what a file holds; null if nobody knows. */
  function textOf(arg: Arg): string | null {
    if (!place.read) return '';
    const path = arg.known ? resolvePath(arg.text, cwd, place.home) : null;
    try {
      const content = path === null ? null : place.read(path, 'quietly');
      return content?.whole ? content.text : null;
    } catch {
      return null;
    }
  }

  function textOfInput(): string | null {
    if (input.kind === 'text') return input.known ? input.text : null;
    if (input.kind === 'file') return textOf(input.target);
    if (input.kind !== 'pipe') return '';
    const printed = printedText(input.from);
    if (printed !== null || !place.read) return printed ?? '';
    const [only, ...more] = input.from;
    const shown = only?.program === 'cat' && more.length === 0 ? only.args : [];
    return shown.length > 0
      ? shown.map(textOf).reduce((all, one) => (all === null || one === null ? null : all + one))
      : null;
  }
}

const plain = (text: string | undefined): Arg | undefined =>
  text === undefined ? undefined : { text, known: true, glob: false, quoted: false };

/** Returns the names in a patch. */
const namesIn = (patch: string): string[] =>
  [
    ...patch.matchAll(
      /^(?:\+\+\+|---|rename (?:from|to)|copy to|Index:|diff --git|new file mode 120000) ?(.*)$/gm,
    ),
  ].map(([line, names = '']) => (line.startsWith('new file') ? LINK : (names.split('\t')[0]?.trim() ?? '')));
/** Stands for a link that a patch makes: nobody knows which file is written through it. */
const LINK = '"link"';
