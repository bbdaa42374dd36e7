// Passwords in options on command lines, by the programs of password-programs.jsonc; also in a bundle of options
// (`curl -fsSLu ada:…`) and without a blank (`mysql -p…`).
import { readJsonc } from '../base/text/jsonc.ts';
import { isReference } from './harmless-values.ts';
import programs from './password-programs.jsonc' with { type: 'text' };
import { closingQuote, matches, OPENING, type Report, run, WORD } from './scan.ts';

const PROGRAMS = readJsonc(programs) as [of: string, secrets: Record<string, string>, valued?: string][];
const NAMED = new RegExp(`(?<![\\w.-])(?:${PROGRAMS.map(([of]) => `(${of})`).join('|')})(?=[ \\t"'])`, 'g');
/** For each program its options that take a secret; of a bundle, the first letter that takes a value takes the rest. */
const OPTIONS = PROGRAMS.map(([, secrets, valued]) => {
  const names = Object.keys(secrets);
  const letters = names.filter((name) => name.length === 1).join('');
  const whole = `-?(${names.join('|')})(?=[ \\t=])`;
  const bundle = `[^\\W\\d_${letters}${valued}]{0,13}([${letters}])`;
  return new RegExp(`(?<=[\\s"'])-(?:${whole}${valued === undefined ? '' : `|${bundle}`})`, 'g');
});
/** The end of a command. An escaped line end (\v) and a backslash before one end none. */
const END = /[\v|;]|&&|(?<!\\)\n/;

/** Reports the passwords that programs are given in options. */
export function findInOptions(view: string, report: Report): void {
  const found = [...matches(NAMED, view)];
  for (const [at, match] of found.entries()) {
    const program = match.slice(1).findIndex((name) => name !== undefined);
    const command = view.slice(match.index, found[at + 1]?.index).split(END, 1)[0] ?? '';
    const option = OPTIONS[program] as RegExp;
    option.lastIndex = match[0].length;
    for (let one = option.exec(command); one !== null; one = option.exec(command)) {
      const secret = PROGRAMS[program]?.[1][one[1] ?? one[2] ?? ''] ?? 'all';
      const [start, to] = valueAt(view, match.index + option.lastIndex, secret === 'attached');
      for (const [from, part] of secretParts(view.slice(start, to), secret))
        if (!isReference(part)) report(start + from, start + from + part.length);
    }
  }
}

/** Returns where the value of an option begins and ends that ends at `at`, without its quotes. */
function valueAt(view: string, at: number, attached: boolean): [start: number, end: number] {
  const blank = /^[ \t=]{0,4}/.exec(view.slice(at, at + 4))?.[0] ?? '';
  const open = run(OPENING, view, at + blank.length);
  const start = at + blank.length + (open?.[0].length ?? 0);
  // the closing quote of a word of its own, as in "-u"
  const closes = open !== null && blank === '' && /[\s,)\]]/.test(view.charAt(start));
  if (closes || (attached && blank !== '')) return [at, at];
  if (open === null) return [start, start + (run(WORD, view, start)?.[0].length ?? 0)];
  return [start, closingQuote(view, start, open[2] ?? '"', open[1]?.length ?? 0)];
}

/** Returns the parts of a value that are secret, and where they begin. */
function secretParts(value: string, secret: string): [from: number, part: string][] {
  if (secret === 'all' || secret === 'attached') return [[0, value]];
  if (secret === 'cookies')
    return [...value.matchAll(/=([^;\s]+)/g)].map(({ index, 1: cookie = '' }) => [index + 1, cookie]);
  const from = value.indexOf(secret) + secret.length;
  return from < secret.length || /\s/.test(value.slice(0, from)) ? [] : [[from, value.slice(from)]];
}
