// Decides which values are not secrets although they are in a place for one: references (`$PASSWORD`), code,
// words of a sentence, names of variables.
import { readJsonc } from '../base/text/jsonc.ts';
import harmlessWords from './harmless-words.jsonc' with { type: 'text' };
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

// Each repeated alternative begins with a different character. So there is only one way to match, and no backtracking.
const REFERENCE = new RegExp(
  `^(?:[Bb]earer ?|[Bb]asic ?|[Tt]oken )?(?:${[
    String.raw`\$\{\{[^{}]{1,200}\}\}|\$\{\s{0,9}[\w.[\]()?]{1,100}\s{0,9}\}|\$\([^()]{0,200}\)`,
    String.raw`\$\{[\w.$]{1,60}\([^{}|?]{0,200}\}`,
    String.raw`\$[A-Z_][A-Z0-9_]*(?!\w)|\$env:\w{1,60}|\$[a-z_][A-Za-z_]{0,60}(?:->\w{1,60})?(?![\w$])|\$\d{1,2}(?![\w$])`,
    String.raw`\{\{[^{}]{1,200}\}\}|#\{[\w.]{1,100}\}|\{[\w.[\]()'"]{0,100}\}|%[A-Z_]{1,60}%|%\(?\w{0,60}\)?[sdvr](?!\w)`,
    String.raw`<[^<>\n]{1,60}>|\[[A-Z _-]{1,40}\]|[*•.…:@/_,;+|=~-]|[xX]{3,80}(?!\w)`,
  ].join('|')})*$`,
);

/** Whether a value only stands for the secret: `${DB_PASSWORD}`, `$TOKEN`, `{{ .Values.key }}`, `<your key>`, `***`. */
export const isReference = (value: string): boolean => value.length <= 300 && REFERENCE.test(value);

const CALL_OR_STRUCTURE =
  /(?:[A-Za-z_$][\w$]{0,80}(?:(?:\?\.|!?\.|::|->)[A-Za-z_$#][\w$]{0,80}){0,20}!?(?:\?\.)?(?:\(|\[(?!redacted|private)|<(?=[A-Z'"{(]|[a-z]+[>,|[ .]))|\$\(|[$#%]?\{|!(?:Ref|Sub|GetAtt|secret|vault|env)\b)/y;

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

const { empty, code, prose } = readJsonc(harmlessWords) as Record<'empty' | 'code' | 'prose', string>;
const oneOf = (words: string) => words.replaceAll(' ', '|');
const EMPTY_WORD = new RegExp(`^(?:${oneOf(empty)})$`, 'i');
const PLAIN_WORD = new RegExp(
  `^(?:${oneOf(`${empty} ${code} ${prose}`)})(?=$|[\\s,;:)\\]}|<>&?!=.'"[])`,
  'i',
);
export const SYSTEM_PATH =
  /^(?:~|\.{1,2})\/|^\/(?:home|Users|etc|var|usr|run|tmp|opt|root|app|mnt|srv|dev|proc|private|workspaces?)\/|^[A-Z]:\\|^[\w./@-]*\/[\w.-]+\.[a-z]{1,5}$/;
const MEMBER_CHAIN = /^!{0,2}[A-Za-z_$][\w$]{0,40}(?:(?:\?\.|!?\.|::|->)[A-Za-z_$#][\w$]{0,40})+$/;
/** A placeholder, what openssl reads a password from, and the fingerprint of a key. */
const NO_LITERAL = /^(?:\[(?:redacted(?::[a-z0-9-]+)?|private)\][,;.:)\]}>]*$|(?:env|file|fd|SHA256):)/;

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

const STATEMENT =
  /^\s*(?:(?:export|default|async|public|private|protected|static|abstract) )*(?:const|let|var|val|def|fn|func|function|class|interface|struct|enum|readonly)\b|^\s*(?:self|this)\.|^\s*(?:if|for|while|return|case|switch|type)\b.*[({]/;

/** Values that are too short or too well known, or name a variable or a resource. */
const HARMLESS = [
  /^(?:.|[^\p{L}\p{N}]*|\d{1,2}|your(?:[-_][a-z]+)+)$/iu,
  /^(?:string|number|boolean|object|undefined|function|same-origin|include|omit)$/,
];

/** Returns whether a quoted or bare value is too short, too plain or too well known to be a secret. */
export function isHarmlessLiteral(value: string, { name }: Found): boolean {
  if (isCount(name, value) || HARMLESS.some((pattern) => pattern.test(value))) return true;
  if (!/token$/i.test(name)) return false;
  // Parsers and design systems have tokens of another kind, such as `token === 'comma'` or a colour.
  return value.length < 6 || /^#[\da-f]{3,8}$/i.test(value);
}

/** Returns whether a value counts passing tests and is not a password: `pass: 170`. */
export const isCount = (name: string, value: string) => /^pass$/i.test(name) && /^\d{1,4}$/.test(value);
