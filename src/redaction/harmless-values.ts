// Decides which values are not secrets although they are in a place for one: references (`$PASSWORD`), code,
// words of a sentence, names of variables.
import { readJsonc } from '../base/text/jsonc.ts';
import harmless from './harmless-words.jsonc' with { type: 'text' };
import { run } from './scan.ts';
import { SECRET_WORD, secrecyOf } from './secret-names.ts';

/** A place where a name was found, and where its value begins. */
export type Found = {
  /** Where the name begins; -1 if it is quoted itself or is a flag. */
  nameStart: number;
  name: string;
  separator: string;
  spaced: boolean;
  /** `Authorization:`, `Cookie:` */
  header?: boolean;
  /** Where the value or its opening quote begins. */
  start: number;
};

type Patterns =
  | 'empty'
  | 'code'
  | 'prose'
  | 'structure'
  | 'path'
  | 'member'
  | 'noLiteral'
  | 'statement'
  | 'known';
const { references, ...of } = readJsonc(harmless) as Record<Patterns, string> & { references: string[] };
const REFERENCE = new RegExp(`^(?:[Bb]earer ?|[Bb]asic ?|[Tt]oken )?(?:${references.join('|')})*$`);
const CALL_OR_STRUCTURE = new RegExp(of.structure, 'y');
const oneOf = (words: string) => words.replaceAll(' ', '|');
const EMPTY_WORD = new RegExp(`^(?:${oneOf(of.empty)})$`, 'i');
const WORDS = oneOf(`${of.empty} ${of.code} ${of.prose}`);
const PLAIN_WORD = new RegExp(`^(?:${WORDS})(?=$|[\\s,;:)\\]}|<>&?!=.'"[])`, 'i');
export const SYSTEM_PATH = new RegExp(of.path);
const MEMBER_CHAIN = new RegExp(of.member);
const NO_LITERAL = new RegExp(of.noLiteral);
const STATEMENT = new RegExp(of.statement);
const KNOWN = new RegExp(of.known, 'iu');

/** Whether a value only stands for the secret. */
export const isReference = (value: string): boolean => value.length <= 300 && REFERENCE.test(value);

/**
 * Returns the length of the beginning of a call, an index, a type with arguments or a bracket at this position.
 * Returns 0 where a literal may begin: in a .env file a password may begin with a bracket.
 */
export function codeLength(view: string, at: number, strict: boolean): number {
  const code = run(CALL_OR_STRUCTURE, view, at)?.[0] ?? '';
  return strict && /^[$#%]?\{$/.test(code) ? 0 : code.length;
}

/** Returns the value without the punctuation behind it. The brackets of a placeholder stay. */
export function withoutPunctuation(value: string): string {
  const tail = value.slice(-60);
  const kept = tail.replace(/(\[(?:redacted(?::[a-z0-9-]{1,30})?|private)\])?[,;.:)\]}>]*$/, '$1');
  return value.slice(0, value.length - tail.length) + kept;
}

/** Whether this is an assignment of a `.env` file, an `export` or a command's prefix. Its value is never code. */
export const isEnvironment = ({ name, separator, spaced }: Found): boolean =>
  separator === '=' && !spaced && /^[A-Z][A-Z0-9_]*$/.test(name);

/** Returns whether an unquoted value is code, a reference or a word of a sentence. */
export function isCode(view: string, text: string, found: Found): boolean {
  if (text.length > 300) return false;
  const strict = isEnvironment(found);
  const value = strict ? text : withoutPunctuation(text);
  if (NO_LITERAL.test(text) || isReference(value) || EMPTY_WORD.test(value)) return true;
  if (SYSTEM_PATH.test(value) || isHarmlessLiteral(value, found)) return true;
  if (strict) return false;
  const hasDigits = /\d/.test(value);
  if (MEMBER_CHAIN.test(value) && !hasDigits) return true;
  if (/^pass$/i.test(found.name) && found.spaced && /^[A-Za-z]+$/.test(value)) return true;
  if (PLAIN_WORD.test(text) || /^(?:<\w|&(?:'\w|mut$|[a-z]+$)|[[(](?!redacted|private))/i.test(value))
    return true;
  if (!/^[:@]?[A-Za-z_$][\w$]*$/.test(value)) return false;
  // the name of a secret again is a variable, where it is passed on or in a line of code
  if (/^[:@]/.test(value) || SECRET_WORD.test(value)) return true;
  const after = view.slice(found.start + value.length, found.start + value.length + 2);
  if (!hasDigits && secrecyOf(value) === 'secret' && /^ ?[,;)\]}]/.test(after)) return true;
  // code quotes its literals, so a bare word behind `=` or `:` is a variable or a type there
  const line = /[^\n\v]*$/.exec(view.slice(Math.max(0, found.start - 200), found.start))?.[0] ?? '';
  return found.spaced && STATEMENT.test(line);
}

/** Returns whether a quoted or bare value is too short, too plain or too well known to be a secret. */
export function isHarmlessLiteral(value: string, { name }: Found): boolean {
  if (isCount(name, value) || KNOWN.test(value)) return true;
  if (!/token$/i.test(name)) return false;
  // Parsers and design systems have tokens of another kind, such as `token === 'comma'` or a colour.
  return value.length < 6 || /^#[\da-f]{3,8}$/i.test(value);
}

/** Returns whether a value counts passing tests and is not a password: `pass: 170`. */
export const isCount = (name: string, value: string) => /^pass$/i.test(name) && /^\d{1,4}$/.test(value);
