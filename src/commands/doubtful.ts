import { programs } from '../shell/lists.ts';
import type { Arg, Invocation } from '../shell/types.ts';
import type { Surroundings } from '../shell/zones.ts';
import { pathOf } from './arguments.ts';

// Coarse doubts: shapes of commands that are left to whoever may decide, without a look at what they really do.

/** Folders for temporary files, in which other programs and agents keep theirs, and all that lies in them. */
const TEMP_ROOT = /^(\/private)?(\/tmp|\/var\/tmp|\/var\/folders)(\/([*?.]|\[[^\]]*\])*)?$/;
/** Matches a program in the line that puts a name together from pieces, or undoes an encoding, where it opens files. */
const COMPUTES_NAME =
  /["'`]\s?(\+|\.(?!\w))\s?["'`]|[+]\s?["'`]\w+["'`]\s?\)|\]\s?\.\s?join\b|\b(chr|fromCharCode|fromCodePoint|unhexlify|fromhex|b64decode|atob|rot13)\b|Buffer\.from|\\u\{|\[::-1\]|(["'])[^"'\n]{1,80}\3[ \t]{0,3}["'][^"'\n]{1,80}["']/;
const OPENS =
  /\b(open|Path|read_text|read_bytes|readFile(Sync)?|createReadStream|file_get_contents|File\s?\.\s?read\w*)\b/;

/** Returns why a command that is harmless by its words is left; null if nothing speaks against it. */
export function doubtOn(invocation: Invocation, place: Surroundings): string | null {
  const { program, writes, args } = invocation;
  const sources = sourcesOf(invocation);
  const own = writes.find(
    ({ target, append }) => !append && sources.some(({ text }) => isSame(text, target.text)),
  );
  if (own) return `empties ${own.target.text}`;
  const all =
    programs('deleters').has(program) && args.find((arg) => TEMP_ROOT.test(pathOf(arg, invocation, place)));
  if (all) return `deletes all of ${all.text}, where others keep files too`;
  const code = invocation.code?.text ?? '';
  return OPENS.test(code) && COMPUTES_NAME.test(code) ? 'puts the name of a file together' : null;
}

/** Whether a word is a file that is written, or the file as git has it: `git show HEAD:a.ts > a.ts`. */
const isSame = (one: string, other: string): boolean =>
  !one.startsWith('/dev/') && one.replace(/^[^:/]*:|^\.\//, '') === other.replace(/^\.\//, '');

/** Returns what a command and those that pipe into it may read: their words, and the files at their standard input. */
function sourcesOf({ program, args, reads, input }: Invocation): Arg[] {
  const own = programs('printers').has(program) ? reads : [...args, ...reads];
  return input.kind === 'pipe' ? [...own, ...input.from.flatMap(sourcesOf)] : own;
}
