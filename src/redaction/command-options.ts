// Passwords in options on command lines, by the programs of password-programs.jsonc; also in a bundle of options
// (`curl -fsSLu ada:…`) and without a blank (`mysql -p…`).
import { readJsonc } from '../base/text/jsonc.ts';
import { isReference } from './harmless-values.ts';
import programs from './password-programs.jsonc' with { type: 'text' };
import { closingQuote, lineEnds, matches, OPENING, type Report, run, type Text, WORD } from './scan.ts';

const PROGRAMS = readJsonc(programs) as [of: string, secrets: Record<string, string>, valued?: string][];
const NAMED = new RegExp(`(?<![\\w.-])(?:${PROGRAMS.map(([of]) => `(${of})`).join('|')})(?=[ \\t"'])`, 'g');

/** An option, or the end of a command. An escaped line end (\v) and a backslash before one end none. */
const OPTION = /(?<=[\s"'])-(?:-([a-z][a-z-]{1,30})(?=[ \t=])|([A-Za-z]{1,14}))|[\v|;]|&&|(?<!\\)\n/g;

/** Reports the passwords that programs are given in options. */
export function findInOptions(view: string, report: Report): void {
  const text = { view, lineEnd: lineEnds(view) };
  const found = [...matches(NAMED, view)];
  for (const [at, match] of found.entries()) {
    const next = found[at + 1]?.index ?? view.length;
    const [, secrets, valued] = PROGRAMS[match.slice(1).findIndex((name) => name !== undefined)] ?? ['', {}];
    OPTION.lastIndex = match.index + match[0].length;
    for (let option = OPTION.exec(view); option !== null; option = OPTION.exec(view)) {
      const [whole, long, letters = ''] = option;
      if (option.index >= next || (long === undefined && letters === '')) break;
      // of a bundle, the first letter that takes a value takes the rest
      const bundle = long === undefined && valued !== undefined;
      const name = bundle
        ? [...letters].find((letter) => letter in secrets || valued.includes(letter))
        : (long ?? letters);
      const secret = name !== undefined && Object.hasOwn(secrets, name) ? secrets[name] : undefined;
      if (name === undefined || secret === undefined) continue;
      const end = option.index + (bundle ? 2 + letters.indexOf(name) : whole.length);
      const [start, to] = valueAt(text, end, secret === 'attached');
      for (const [from, part] of secretParts(view.slice(start, to), secret))
        if (!isReference(part)) report(start + from, start + from + part.length);
    }
  }
}

/** Returns where the value of an option begins and ends that ends at `at`, without its quotes. */
function valueAt(text: Text, at: number, attached: boolean): [start: number, end: number] {
  const { view } = text;
  const blank = /^[ \t=]{0,4}/.exec(view.slice(at, at + 4))?.[0] ?? '';
  const open = run(OPENING, view, at + blank.length);
  const start = at + blank.length + (open?.[0].length ?? 0);
  // the closing quote of a word of its own, as in "-u"
  const closes = open !== null && blank === '' && /[\s,)\]]/.test(view.charAt(start));
  if (closes || (attached && blank !== '')) return [at, at];
  if (open === null) return [start, start + (run(WORD, view, start)?.[0].length ?? 0)];
  return [start, closingQuote(text, start, open[2] ?? '"', open[1]?.length ?? 0)];
}

/** Returns the parts of a value that are secret, and where they begin. */
function secretParts(value: string, secret: string): [from: number, part: string][] {
  if (secret === 'all' || secret === 'attached') return [[0, value]];
  if (secret === 'cookies')
    return [...value.matchAll(/=([^;\s]+)/g)].map(({ index, 1: cookie = '' }) => [index + 1, cookie]);
  const from = value.indexOf(secret) + secret.length;
  return from < secret.length || /\s/.test(value.slice(0, from)) ? [] : [[from, value.slice(from)]];
}
