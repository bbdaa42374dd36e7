// Decides which values are not secrets although they are in a place for one: references (`$PASSWORD`), code,
// words of a sentence, names of variables.
import { run } from './scan.ts';
import { isSecretName, SECRET_WORD } from './secret-names.ts';

/** A place where a name was found, and where its value begins. */
export type Found = {
  /** Where the name begins; -1 if it is quoted itself or is a flag. */
  nameStart: number;
  name: string;
  separator: string;
  spaced: boolean;
  index?: boolean;
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

/**
 * Returns whether a value only stands for the secret: `${DB_PASSWORD}`, `$TOKEN`, `{{ .Values.key }}`, `<your key>`,
 * `***`.
 */
export function isReference(value: string): boolean {
  return value.length <= 300 && REFERENCE.test(value);
}

/** A placeholder of several words, such as `<your key here>`. */
export const PLACEHOLDER_WORDS = /<[A-Za-z][\w' -]{0,60}>/y;

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

/**
 * Returns whether this is an assignment of a `.env` file, an `export` or a shell command's prefix. Its value is never
 * code.
 */
export function isEnvironment({ name, separator, spaced }: Found): boolean {
  return separator === '=' && !spaced && /^[A-Z][A-Z0-9_]*$/.test(name);
}

const EMPTY_WORDS = 'null|none|nil|undefined|true|false|yes|no|on|off|n/a|todo';
const CODE_WORDS =
  'string|number|boolean|bool|any|unknown|never|void|object|str|int|integer|bytes|byte|char|text|varchar|buffer|uint8array|' +
  'optional|required|readonly|await|new|async|function|typeof|this|self|yield|return|not|lambda|if|is|in|class|record|' +
  'promise|array|date|type|interface|struct|enum|secretstr|secretstring|nonempty|default|require|import';
const PROSE_WORDS =
  'a|an|the|and|or|of|to|for|from|with|without|by|on|at|as|are|was|were|be|been|has|have|had|it|its|this|that|these|your|my|' +
  'our|their|his|her|see|use|using|used|when|where|which|who|how|what|why|must|should|shall|may|might|can|cannot|could|will|' +
  'would|do|does|did|never|always|only|also|missing|invalid|expired|wrong|empty|set|unset|length|please|one|each|every|all|' +
  'some|same|stored|sent|passed|needs|flag|option|argument|parameter|redacted|hidden|omitted|unused';
const EMPTY_WORD = new RegExp(`^(?:${EMPTY_WORDS})$`, 'i');
const PLAIN_WORD = new RegExp(
  `^(?:${EMPTY_WORDS}|${CODE_WORDS}|${PROSE_WORDS})(?=$|[\\s,;:)\\]}|<>&?!=.'"[])`,
  'i',
);
export const SYSTEM_PATH =
  /^(?:~|\.{1,2})\/|^\/(?:home|Users|etc|var|usr|run|tmp|opt|root|app|mnt|srv|dev|proc|private|workspaces?)\/|^[A-Z]:\\|^[\w./@-]*\/[\w.-]+\.[a-z]{1,5}$/;
const MEMBER_CHAIN = /^!{0,2}[A-Za-z_$][\w$]{0,40}(?:(?:\?\.|!?\.|::|->)[A-Za-z_$#][\w$]{0,40})+$/;
const CONFIG_ROOT =
  /^(?:process|os|import|Deno|Bun|config|settings|env|self|this|secrets|vars?|data|module|local)\./i;

/** Returns whether an unquoted value is code, a reference or a word of a sentence. */
export function isCode(view: string, text: string, found: Found): boolean {
  if (text.length > 300) return false;
  if (/^\[(?:redacted(?::[a-z0-9-]+)?|private)\][,;.:)\]}>]*$/.test(text)) return true;
  // what openssl reads a password from, and the fingerprint of a key
  if (/^(?:env|file|fd|SHA256):/.test(text)) return true;
  const strict = isEnvironment(found);
  const value = strict ? text : withoutPunctuation(text);
  if (isReference(text) || isReference(value) || EMPTY_WORD.test(value) || SYSTEM_PATH.test(value))
    return true;
  if (isHarmlessLiteral(value, found)) return true;
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
  if (wordlike && isSecretName(value) && isArgument(view, value, found)) return true;
  return found.spaced && found.separator !== ' ' && isCodeLine(view, found, /\d/.test(value));
}

/** Returns whether the value is passed on, as in `{ token: authToken, …` or `f(token=auth_token)`. */
function isArgument(view: string, value: string, { separator, nameStart, start }: Found): boolean {
  const after = view.slice(start + value.length, start + value.length + 2);
  if (separator === ':') return /[a-z][A-Z]/.test(value) && /^ ?[,;)\]}]/.test(after);
  const before = view.slice(Math.max(0, nameStart - 200), Math.max(0, nameStart));
  return separator === '=' && /^[,)]/.test(after) && /\([^()\n\v]*$|[\n\v][ \t]+$/.test(before);
}

/** Returns whether a quoted or bare value is too short, too plain or too well known to be a secret. */
export function isHarmlessLiteral(value: string, { name, separator }: Found): boolean {
  if (value.length < 2 || !/[\p{L}\p{N}]/u.test(value) || /^\d{1,2}$/.test(value)) return true;
  if (isCount(name, value) || /^your(?:[-_][a-z]+)+$/i.test(value)) return true;
  // The value is the name of a variable or of a resource.
  if (/^[A-Z]+(?:_[A-Z]+)*_(?:KEY|TOKEN|SECRET|PASSWORD|AUTH|CREDENTIALS?)(?:_[A-Z]+)*$|^arn:aws/.test(value))
    return true;
  if (/^(?:string|number|boolean|object|undefined|function|same-origin|include|omit)$/.test(value))
    return true;
  if (!/\d/.test(value) && letters(value) === letters(name)) return true;
  if (/_auth$/i.test(name))
    return value.length < (/\d/.test(value) ? 6 : 12) || /^(?:0x|[\d.]+$)/.test(value);
  if (!/token$/i.test(name)) return false;
  // Parsers and design systems have tokens of another kind, such as `token === 'comma'` or a colour.
  return (
    value.length < 6 ||
    /^#[\da-f]{3,8}$/i.test(value) ||
    (/^[!=]==?$/.test(separator) && /^[A-Za-z-]{1,20}$/.test(value))
  );
}

/** Returns whether a value counts passing tests and is not a password: `pass: 170`. */
export const isCount = (name: string, value: string) => /^pass$/i.test(name) && /^\d{1,4}$/.test(value);

const letters = (text: string) => text.replace(/[^A-Za-z]/g, '').toLowerCase();

const STATEMENT =
  /^\s*(?:(?:export|default|async|public|private|protected|static|abstract) )*(?:const|let|var|val|def|fn|func|function|class|interface|struct|enum|readonly)\b|^\s*(?:self|this)\.|^\s*(?:if|for|while|return|case|switch|type)\b.*[({]/;

/**
 * Returns whether this is a line of code. Code quotes its literals, so a bare word behind `=` or `:` is a variable or
 * type.
 */
function isCodeLine(view: string, { start, separator }: Found, digits: boolean): boolean {
  const before = /[^\n\v]*$/.exec(view.slice(Math.max(0, start - 200), start))?.[0] ?? '';
  if (STATEMENT.test(before)) return true;
  // A value with digits may be a password, and the other signs of code are too weak to rule that out.
  if (digits) return false;
  const after = /^[^\n\v]*/.exec(view.slice(start, start + 200))?.[0] ?? '';
  if (/=>/.test(before) || /=>|[;{(]\s*$|^[\w.[\]<>]+ \| /.test(after)) return true;
  return separator === ':' && / \?.* :\s*$/.test(before);
}
