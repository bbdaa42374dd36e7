import { charactersOf } from '../text/clip.ts';
import type { Io } from './io.ts';

/**
 * Prints a text in lines that fit the terminal, broken between words.
 *
 * @param indent what stands before the lines in which a line goes on
 */
export function say(io: Io, text: string, indent = ''): void {
  io.log(io.columns === undefined ? text : hanging(text, io.columns, indent));
}

/** Returns a text in lines of a width. What goes on in a next line stands behind an indent. */
export const hanging = (text: string, width: number, indent: string): string =>
  text
    .split('\n')
    .flatMap((line) => {
      const [first = ''] = wrapLine(line, width);
      const rest = line.slice(first.length).trimStart();
      return rest === ''
        ? first
        : [first, ...wrapLine(rest, width - indent.length).map((one) => indent + one)];
    })
    .join('\n');

/** Characters that take two columns of a terminal. */
const WIDE =
  /\p{Extended_Pictographic}|\p{Regional_Indicator}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u;

/** Returns how many columns of a terminal a text takes. */
export const widthOf = (text: string) =>
  charactersOf(text).reduce((sum, character) => sum + (WIDE.test(character) ? 2 : 1), 0);

/** Returns a text in lines that fit a column: broken between words, and inside one only if it alone is too long. */
export function wrapped(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap((line) => wrapLine(line, width))
    .join('\n');
}

function wrapLine(line: string, width: number): string[] {
  if (widthOf(line) <= width) return [line];
  const lines = [''];
  let room = width;
  const put = (text: string, takes: number) => {
    lines[lines.length - 1] += text;
    room -= takes;
  };
  const next = () => {
    lines[lines.length - 1] = (lines.at(-1) as string).trimEnd();
    lines.push('');
    room = width;
  };
  for (const word of line.split(/(?<=\s)(?=\S)/)) {
    if (widthOf(word.trimEnd()) > room && room < width) next();
    if (widthOf(word) <= room) put(word, widthOf(word));
    else
      for (const character of charactersOf(word)) {
        const takes = WIDE.test(character) ? 2 : 1;
        if (takes > room && room < width) {
          if (/\s/.test(character)) continue;
          next();
        }
        put(character, takes);
      }
  }
  return lines.map((text) => text.trimEnd());
}
