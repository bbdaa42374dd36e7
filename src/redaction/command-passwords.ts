// Passwords on command lines, by the programs of password-programs.jsonc: in options, also in a bundle
// (`curl -fsSLu ada:…`) and without a blank (`mysql -p…`), as arguments (`htpasswd -b`), and in a pipe (`sudo -S`).
import { readJsonc } from '../text/jsonc.ts';
import { isReference } from './harmless-values.ts';
import programs from './password-programs.jsonc' with { type: 'text' };
import { closingQuote, lineEnds, matches, OPENING, type Report, run, type Text, WORD } from './scan.ts';

type Programs = {
  options: [of: string, secrets: Record<string, string>, valued?: string][];
  arguments: [of: string, least: number, letter?: string][];
  piped: [into: string, secret: string][];
};
const { options, arguments: positions, piped } = readJsonc(programs) as Programs;

const named = (list: [of: string, ...unknown[]][]) =>
  new RegExp(`(?<![\\w.-])(?:${list.map(([of]) => `(${of})`).join('|')})(?=[ \\t"'])`, 'g');
const WITH_OPTIONS = named(options);
const WITH_ARGUMENTS = named(positions);
const PIPED_INTO = piped.map(([into, secret]) => ({ into: new RegExp(into, 'g'), secret }));

/** An option, or the end of a command. An escaped line end (\v) and a backslash before one end none. */
const OPTION = /(?<=[\s"'])-(?:-([a-z][a-z-]{1,30})(?=[ \t=])|([A-Za-z]{1,14}))|[\v|;]|&&|(?<!\\)\n/g;
const ARGUMENT = /(\\{0,8}["'])([^"'\n\v]*)\1|[^\s"'|;<>&\v]+|([\v|;<>&]|(?<!\\)\n)/g;
const ECHOED =
  /\b(?:echo|printf)[ \t]{1,4}(?:-\w{1,3}[ \t]{1,4})?\\{0,8}["']?([^\s"'|\\]{4,400})[\\\s]{0,8}["']?[ \t]{0,4}\|[^|\n\v]*$/;
const HERE = /[^|\n\v]{0,200}?<<<[ \t]{0,4}\\{0,8}["']?([^\s"'\\]{4,400})/y;

/** Reports the passwords that programs are given on a command line. */
export function findInCommands(view: string, report: Report): void {
  const text = { view, lineEnd: lineEnds(view) };
  /** Reports what is secret of a value. */
  const reportValue = (start: number, value: string, secret: string) => {
    for (const [from, part] of secretParts(value, secret))
      if (!isReference(part)) report(start + from, start + from + part.length);
  };
  const found = [...matches(WITH_OPTIONS, view)];
  for (const [at, match] of found.entries()) {
    const next = found[at + 1]?.index ?? view.length;
    const [, secrets, valued] = options[match.slice(1).findIndex((name) => name !== undefined)] ?? ['', {}];
    OPTION.lastIndex = match.index + match[0].length;
    for (let option = OPTION.exec(view); option !== null; option = OPTION.exec(view)) {
      const [whole, long, letters] = option;
      if (option.index >= next || (long === undefined && letters === undefined)) break;
      const name = long ?? secretLetter(letters ?? '', secrets, valued);
      const secret = name === undefined || !Object.hasOwn(secrets, name) ? undefined : secrets[name];
      if (name === undefined || secret === undefined) continue;
      const bundled = long === undefined && valued !== undefined;
      const end = option.index + (bundled ? 2 + (letters ?? '').indexOf(name) : whole.length);
      const value = valueAt(text, end, secret);
      if (value) reportValue(value.start, view.slice(value.start, value.end), secret);
    }
  }
  for (const match of matches(WITH_ARGUMENTS, view)) {
    const [, least, letter] = positions[match.slice(1).findIndex((name) => name !== undefined)] ?? ['', 99];
    const limit = WITH_ARGUMENTS.lastIndex + 600;
    const words: { start: number; word: string }[] = [];
    let hasLetter = letter === undefined;
    ARGUMENT.lastIndex = WITH_ARGUMENTS.lastIndex;
    for (let part = ARGUMENT.exec(view); part !== null; part = ARGUMENT.exec(view)) {
      const [whole, quote = '', quoted, end] = part;
      if (end !== undefined || part.index > limit) break;
      if (letter !== undefined && /^-\w/.test(whole)) hasLetter ||= whole.includes(letter);
      const word = quoted ?? whole;
      if (!/^[-/]/.test(word) || quote) words.push({ start: part.index + quote.length, word });
    }
    const last = words.at(-1);
    if (last && hasLetter && words.length >= least) reportValue(last.start, last.word, 'all');
  }
  for (const { into, secret } of PIPED_INTO) {
    for (const { index } of matches(into, view)) {
      const from = Math.max(0, index - 600);
      const echoed = ECHOED.exec(view.slice(from, index));
      if (echoed?.[1]) reportValue(from + echoed.index + echoed[0].indexOf(echoed[1], 5), echoed[1], secret);
      const here = run(HERE, view, index);
      if (here?.[1]) reportValue(index + here[0].length - here[1].length, here[1], secret);
    }
  }
}

/** Returns the letter of a bundle that takes a secret; undefined if none does, or one before it takes the rest. */
function secretLetter(letters: string, secrets: Record<string, string>, valued: string | undefined) {
  if (valued === undefined) return letters;
  return [...letters].find((letter) => letter in secrets || valued.includes(letter));
}

/** Returns where the value of an option is that ends at `at`, without its quotes; undefined if there is none. */
function valueAt(text: Text, at: number, secret: string): { start: number; end: number } | undefined {
  const { view } = text;
  const blank = /^[ \t=]{0,4}/.exec(view.slice(at, at + 4))?.[0] ?? '';
  if (secret === 'attached' && blank !== '') return undefined;
  const from = at + blank.length;
  const open = run(OPENING, view, from);
  // the closing quote of a word of its own, as in "-u"
  if (open !== null && blank === '' && /[\s,)\]]/.test(view.charAt(from + open[0].length))) return undefined;
  const start = from + (open?.[0].length ?? 0);
  const end =
    open === null
      ? start + (run(WORD, view, start)?.[0].length ?? 0)
      : closingQuote(text, start, open[2] ?? '"', open[1]?.length ?? 0);
  return end > start ? { start, end } : undefined;
}

/** Returns the parts of a value that are secret, and where they begin. */
function secretParts(value: string, secret: string): [from: number, part: string][] {
  if (secret === 'all' || secret === 'attached') return [[0, value]];
  if (secret === 'cookies')
    return [...value.matchAll(/=([^;\s]+)/g)].map(({ index, 1: cookie = '' }) => [index + 1, cookie]);
  const at = value.indexOf(secret);
  const from = at + secret.length;
  return at < 0 || /\s/.test(value.slice(0, at)) || from === value.length ? [] : [[from, value.slice(from)]];
}
