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
  index?: boolean;
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
 * Returns 0 where a literal may begin.
 */
export function codeLength(view: string, at: number, strict: boolean): number {
  const code = run(CALL_OR_STRUCTURE, view, at)?.[0] ?? '';
  const rest = view.slice(at + code.length, at + code.length + 100);
  // If nothing closes the bracket, it may belong to a password: `{x7…` or `x(7…` in a .env file, `x7(…` anywhere.
  if (strict && /^[$#%]?\{$/.test(code)) return 0;
  if (strict && /[([]$/.test(code) && !/^(?:["')\]]|\w{1,30}[,)\]])/.test(rest))
    return code === '$(' ? code.length : 0;
  return /\d\w*[([]$/.test(code) && !/^[^\n\v]*[)\]]/.test(rest) ? 0 : code.length;
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
const CONFIG_ROOT =
  /^(?:process|os|import|Deno|Bun|config|settings|env|self|this|secrets|vars?|data|module|local)\./i;
/** A placeholder, what openssl reads a password from, and the fingerprint of a key. */
const NO_LITERAL = /^(?:\[(?:redacted(?::[a-z0-9-]+)?|private)\][,;.:)\]}>]*$|(?:env|file|fd|SHA256):)/;

/** Returns whether an unquoted value is code, a reference or a word of a sentence. */
export function isCode(view: string, text: string, found: Found): boolean {
  if (text.length > 300) return false;
  const strict = isEnvironment(found);
  const value = strict ? text : withoutPunctuation(text);
  if (NO_LITERAL.test(text) || isReference(text) || isReference(value) || EMPTY_WORD.test(value)) return true;
  if (SYSTEM_PATH.test(value) || isHarmlessLiteral(value, found)) return true;
  // A digit inside a word is rare in names and common in secrets.
  const wordlike = !/\d(?!\d?(?:[.?!:>_-]|$))/.test(value);
  if (MEMBER_CHAIN.test(value) && wordlike && (!strict || CONFIG_ROOT.test(value))) return true;
  if (strict) return false;
  if (/^pass$/i.test(found.name) && found.spaced && /^[A-Za-z]+$/.test(value)) return true;
  if (PLAIN_WORD.test(text) || /^(?:<\w|&(?:'\w|mut$|[a-z]+$)|[[(](?!redacted|private))/i.test(value))
    return true;
  if (found.separator === ' ' && /^-|^[A-Z_]{2,20}$/.test(value)) return true;
  if (!/^[:@]?[A-Za-z_$][\w$]*$/.test(value)) return false;
  if (/^[:@]/.test(value) || SECRET_WORD.test(value)) return true;
  // The value is a secret's name again. As an argument (`f(token=auth_token)`) it is a variable; elsewhere `mypassword`
  // or `my_secret` may be the password itself.
  if (wordlike && secrecyOf(value) === 'secret' && isArgument(view, value, found)) return true;
  return found.spaced && found.separator !== ' ' && isCodeLine(view, found, /\d/.test(value));
}

/** Returns whether the value is passed on, as in `{ token: authToken, …` or `f(token=auth_token)`. */
function isArgument(view: string, value: string, { separator, nameStart, start }: Found): boolean {
  const after = view.slice(start + value.length, start + value.length + 2);
  if (separator === ':') return /[a-z][A-Z]/.test(value) && /^ ?[,;)\]}]/.test(after);
  const before = view.slice(Math.max(0, nameStart - 200), Math.max(0, nameStart));
  return separator === '=' && /^[,)]/.test(after) && /\([^()\n\v]*$|[\n\v][ \t]+$/.test(before);
}

/** Values that are too short or too well known, or name a variable or a resource. */
const HARMLESS = [
  /^(?:.|[^\p{L}\p{N}]*|\d{1,2}|your(?:[-_][a-z]+)+)$/iu,
  /^[A-Z]+(?:_[A-Z]+)*_(?:KEY|TOKEN|SECRET|PASSWORD|AUTH|CREDENTIALS?)(?:_[A-Z]+)*$|^arn:aws/,
  /^(?:string|number|boolean|object|undefined|function|same-origin|include|omit)$/,
];

/** Returns whether a quoted or bare value is too short, too plain or too well known to be a secret. */
export function isHarmlessLiteral(value: string, { name, separator }: Found): boolean {
  if (isCount(name, value) || HARMLESS.some((pattern) => pattern.test(value))) return true;
  if (!/\d/.test(value) && letters(value) === letters(name)) return true;
  if (/_auth$/i.test(name))
    return value.length < (/\d/.test(value) ? 6 : 12) || /^(?:0x|[\d.]+$)/.test(value);
  if (!/token$/i.test(name)) return false;
  // Parsers and design systems have tokens of another kind, such as `token === 'comma'` or a colour.
  if (/^[!=]==?$/.test(separator) && /^[A-Za-z-]{1,20}$/.test(value)) return true;
  return value.length < 6 || /^#[\da-f]{3,8}$/i.test(value);
}

/** Returns whether a value counts passing tests and is not a password: `pass: 170`. */
export const isCount = (name: string, value: string) => /^pass$/i.test(name) && /^\d{1,4}$/.test(value);

const letters = (text: string) => text.replace(/[^A-Za-z]/g, '').toLowerCase();

const STATEMENT =
  /^\s*(?:(?:export|default|async|public|private|protected|static|abstract) )*(?:const|let|var|val|def|fn|func|function|class|interface|struct|enum|readonly)\b|^\s*(?:self|this)\.|^\s*(?:if|for|while|return|case|switch|type)\b.*[({]/;

/** Whether this is a line of code. Code quotes its literals, so a bare word behind `=` or `:` is a variable or type. */
function isCodeLine(view: string, { start, separator }: Found, digits: boolean): boolean {
  const before = /[^\n\v]*$/.exec(view.slice(Math.max(0, start - 200), start))?.[0] ?? '';
  // A value with digits may be a password, and the other signs of code are too weak to rule that out.
  if (digits || STATEMENT.test(before)) return STATEMENT.test(before);
  const after = /^[^\n\v]*/.exec(view.slice(start, start + 200))?.[0] ?? '';
  if (/=>/.test(before) || /=>|[;{(]\s*$|^[\w.[\]<>]+ \| /.test(after)) return true;
  return separator === ':' && / \?.* :\s*$/.test(before);
}
