import { known } from '../shell/arg.ts';
import { globPattern } from '../shell/globs.ts';
import type { Arg, Invocation } from '../shell/types.ts';

// What a program in the line may read without naming it: it lists a folder, or puts a name together.

const READS =
  /\b(open|fopen|read_text|read_bytes|readFile(Sync)?|readTextFile(Sync)?|createReadStream|file_get_contents|readfile|readlines?|slurp|(File|IO)\s?\.\s?(read|open|foreach)\w*)\b/;
const LISTS = /\b(i?glob|rglob|listdir|scandir|walk|iterdir|readdir(Sync)?|readDir(Sync)?|opendir|Dir)\b/;
/** Matches what puts a name together from pieces, or undoes an encoding. */
const COMPUTES =
  /["'`]\s?(\+|\.(?!\w))\s?["'`]|\b(chr|fromCharCode|unhexlify|fromhex|b64decode|atob|pack|rot13)\b|Buffer\.from|\[::-1\]|\breverse(d)?\b/;
const STRING = /(["'`])((?:(?!\1)[^\\\n]){1,200})\1/g;
/** The folder or the pattern that a listing is told. */
const LISTED =
  /\b(?:i?glob|listdir|scandir|walk|readdir(?:Sync)?|readDir(?:Sync)?|opendir|Path)\s{0,2}\(\s{0,2}(["'`])([^"'`\n]{1,200})\1/g;

/** Returns the folders in which a program in the line may read files that it does not name; null if it reads none. */
export function readByProgram({
  code,
}: Invocation): { roots: Arg[]; takes: (path: string) => boolean } | null {
  if (!code || !READS.test(code.text)) return null;
  const { text } = code;
  const lists = LISTS.test(text);
  if (!lists && !COMPUTES.test(text)) return null;
  const folders = [...text.matchAll(LISTED)].map(([, , name = '']) => name.replace(/\/?[^/]*[*?[].*$/, ''));
  const endings = lists ? [...text.matchAll(STRING)].flatMap(([, , word = '']) => endingIn(word)) : [];
  return {
    roots: folders.length > 0 ? folders.map((folder) => known(folder || '.')) : [known('.')],
    takes: (path) => endings.length === 0 || endings.some((ending) => ending.test(path)),
  };
}

/** Returns the strings of a program in the line that may be names of files which it reads. */
export const namesInProgram = ({ code }: Invocation): string[] =>
  code && READS.test(code.text)
    ? [...code.text.matchAll(STRING)]
        .flatMap(([, , word = '']) => (/^[\w./~-]+$/.test(word) ? word : []))
        .slice(0, MAX_NAMES)
    : [];
const MAX_NAMES = 20;

/** Returns what a string says of the ends of paths: it is a pattern such as `**\/*.py`, or an ending such as `.py`. */
function endingIn(word: string): RegExp[] {
  if (/^\.\w{1,12}$/.test(word)) return [new RegExp(`\\${word}$`)];
  if (!/[*?]/.test(word)) return [];
  const pattern = globPattern(`**/${word.slice(word.lastIndexOf('/') + 1)}`);
  return pattern ? [pattern] : [];
}
