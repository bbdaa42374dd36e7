import { known } from '../shell/arg.ts';
import { globPattern } from '../shell/globs.ts';
import { unescaped } from '../shell/inline-code/scan.ts';
import type { Arg, Invocation } from '../shell/types.ts';

// What a program in the line may read without naming it: it lists a folder, or puts a name together.

const READS =
  /\b(open|fopen|read_text|read_bytes|readFile(Sync)?|readTextFile(Sync)?|createReadStream|file_get_contents|readfile|readlines?|slurp|(File|IO)\s?\.\s?(read|open|foreach)\w*)\b/;
const LISTS = /\b(i?glob|rglob|listdir|scandir|walk|iterdir|readdir(Sync)?|readDir(Sync)?|opendir|Dir)\b/;
/** Matches what puts a name together from pieces, or undoes an encoding. */
const COMPUTES =
  /["'`]\s?(\+|\.(?!\w))\s?["'`]|\]\s?\.\s?join\b|["'`]\s?\.\s?join\s?\(\s?\[\s?["'`]|\b(chr|fromCharCode|fromCodePoint|unhexlify|fromhex|b64decode|atob|pack|rot13|sprintf)\b|Buffer\.from|\[::-1\]|\breverse(d)?\b/;
/** Neighbouring strings, which C and Python join. */
const NEIGHBOURS = /(["'])[^"'\n]{1,80}\1[ \t]{0,3}[a-z]?["'][^"'\n]{1,80}["']/i;
const STRING = /(["'`])((?:(?!\1)[^\\\n]|\\[^\n]){1,200})\1/g;
/** The folder or the pattern that a listing is given. */
const LISTED =
  /\b(?:i?glob|listdir|scandir|walk|readdir(?:Sync)?|readDir(?:Sync)?|opendir|Path)\s{0,2}\(\s{0,2}(["'`])([^"'`\n]{1,200})\1/g;

/** Returns the folders in which a program in the line may read files that it does not name; null if it reads none. */
export function readByProgram({
  code,
}: Invocation): { roots: Arg[]; takes: (path: string) => boolean } | null {
  if (!code || !READS.test(code.text)) return null;
  const { text } = code;
  const lists = LISTS.test(text);
  const ends = lists ? [] : endsRead(text);
  if (!lists && ends.length === 0) return null;
  const folders = [...text.matchAll(LISTED)].map(([, , name = '']) => name.replace(/\/?[^/]*[*?[].*$/, ''));
  const endings = lists ? [...text.matchAll(STRING)].flatMap(([, , word = '']) => endingIn(word)) : [];
  return {
    roots: lists && folders.length > 0 ? folders.map((folder) => known(folder || '.')) : [known('.')],
    takes: (path) =>
      lists
        ? endings.length === 0 || endings.some((ending) => ending.test(path))
        : ends.some((end) => `/${path}`.endsWith(end)),
  };
}

/** What follows the name of a reading function, up to the end of its statement. */
const CALL = new RegExp(`${READS.source}\\s{0,2}(\\(?)([^;\\n]{0,300})`, 'g');
const PATHS = /\bPath\s?(\()([^;\n]{0,300})/g;
/** One string without code in it. */
const PLAIN_STRING = /^[a-eg-z]?(["'`])((?:(?!\1)[^\\$#{}]|\\.)*)\1$/is;
const NAME = /^[$@]?[A-Za-z_]\w{0,60}$/;
/** A name whose value is not known here: an argument, a field, an element. */
const GIVEN = /^(?:my\s)?[\w$@.[\]>'"-]*$/;
/** The arguments of the program, which are looked at as such, and what it has already opened. */
const SEEN = /^$|argv|\bargs\b|stdin/i;
/** Matches what may change a text, so that a string in it need not be its end. Functions that join paths do not. */
const JOINED =
  /\b(?!(?:join|resolve|Path|URL|dirname|cwd|normalize|str|String|expanduser|abspath|realpath|fileURLToPath|Pathname|homedir|getcwd|pwd|require)\b)\w{1,60}\s{0,2}\(|\[|\?|\|\||\b(?:if|else|or|and)\b|%/;

/**
 * A program may read files without naming them. Returns how the names of these files end; `''` stands for any name. A
 * name is given by one string, or by a variable that holds one. In `folder + '/package.json'` only the beginning is not
 * known.
 */
function endsRead(text: string): string[] {
  const computes = COMPUTES.test(text) || NEIGHBOURS.test(text);
  const calls = [...text.matchAll(CALL)];
  // a path with methods that read it: `Path('.e' + 'nv').read_text()`
  const paths = calls.some(([call]) => /^read_(text|bytes)/.test(call)) ? [...text.matchAll(PATHS)] : [];
  return [...calls, ...paths].flatMap((call) => endOf(firstOf(call.at(-1) ?? '', call.at(-2) === '('), 0));

  function endOf(name: string, depth: number): string[] {
    if (/^\d+$/.test(name) || SEEN.test(name) || PLAIN_STRING.test(name)) return [];
    const beside = /^new URL\(\s?(["'`][^"'`]*["'`]),\s?import\.meta\.url\s?\)$/.exec(name)?.[1];
    if (beside !== undefined) return endOf(beside, depth);
    if (NAME.test(name) && depth < 2) {
      const set = [
        ...text.matchAll(
          new RegExp(`(?<![\\w.$@])${name.replace(/\$/g, '\\$')}\\s?=(?!=)\\s?([^;\\n]{1,300})`, 'g'),
        ),
      ];
      if (set.length > 0) return set.flatMap(([, value = '']) => endOf(firstOf(value, false), depth + 1));
    }
    // who calls, or what stands before the dot, says which file it is
    if (GIVEN.test(name)) return computes ? [''] : [];
    const last = /(["'`])((?:(?!\1)[^\\]|\\.)*)\1[\s)]*$/s.exec(name)?.[2];
    const code = name.replace(STRING, "''");
    return [last === undefined || JOINED.test(code) ? '' : unescaped(last.replace(/^.*\}|^\.\//s, ''))];
  }
}

/** Returns the first argument of what follows: up to the comma or the bracket that ends it. */
function firstOf(text: string, called: boolean): string {
  let open = called ? 1 : 0;
  let quote = '';
  for (const [i, sign] of [...text].entries()) {
    if (quote !== '') {
      if (sign === quote && text[i - 1] !== '\\') quote = '';
    } else if (/["'`]/.test(sign)) quote = sign;
    else if (/[([{]/.test(sign)) open += 1;
    else if (/[)\]}]/.test(sign)) open -= 1;
    if (quote === '' && (open < (called ? 1 : 0) || (sign === ',' && open === (called ? 1 : 0))))
      return text.slice(0, i).trim();
  }
  return text.trim();
}

/** Returns the strings of a program in the line that may be names of files which it reads. */
export const namesInProgram = ({ code }: Invocation): string[] =>
  code && READS.test(code.text)
    ? [...code.text.matchAll(STRING)]
        .map(([, , word = '']) => unescaped(word))
        .filter((word) => /^[\w./~-]+$/.test(word))
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
