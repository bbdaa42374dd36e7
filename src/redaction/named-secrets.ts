// Secrets that only their surroundings give away: a name on their left, a header, a URL, a command line.
// `view` is the text as `redact.ts` prepares it: same positions, escaped quotes decoded, escaped line ends as \v.
import { matches, type Report } from './token-shapes.ts';

// The words begin with few different letters, which is what makes a search through 100 KB fast.
const keyOf =
  '(?:api|access|private|signing|encryption|master|account|storage|shared[-_ ]?access|service[-_ ]?role|anon|auth|' +
  'license|deploy|session|hmac|subscription|app|client|webhook|consumer|service|admin)[-_. ]?';
const words = [
  'pass(?:w(?:or)?[dt]|phrase|code|e?(?![a-z]))|pw(?:d|(?![a-z]))|contraseña|пароль|密[码碼]',
  'secret(?:[-_. ]?(?:access[-_. ]?)?key)?|token|credentials?|cookie',
  `auth(?:orization|(?<=(?:_|master)auth)(?![a-z]))|key(?<=${keyOf}key)`,
].join('|');
const suffix =
  '(?:[-_]?(?:value|hash|data|base|confirm(?:ation)?|prod(?:uction)?|staging|dev|test|live|local|new|old|plain|b64))?\\d{0,3}';

const secretName = new RegExp(`(?:${words})${suffix}$`, 'i');
const secretWord = new RegExp(`^(?:${keyOf})?(?:${words})\\d?$`, 'i');
// Special tokens of a language model's tokenizer, and the working directory.
const harmlessName = /(?:pad|bos|eos|unk|cls|sep|mask|special)[-_]?token$|^(?:OLD)?PWD$/i;

/** Whether a value under this name (object key, variable, flag) is a secret: `db_password`, `apiKey`, not `max_tokens`. */
export function isSecretName(name: string): boolean {
  const end = name.slice(-100);
  const match = secretName.exec(end);
  return match !== null && !harmlessName.test(end) && startsWord(end, match.index);
}

/** `pass`, `pwd` and `pw` are names only as words of their own: `dbPass`, `DB_PASS`, not `bypass`. */
function startsWord(text: string, at: number): boolean {
  if (!/^(?:pass(?![wpc])|pw)/i.test(text.slice(at, at + 5))) return true;
  if (/(?:require|ssh)$/i.test(text.slice(Math.max(0, at - 7), at))) return true;
  const before = text.charAt(at - 1);
  return !/[a-z]/i.test(before) || (/[a-z]/.test(before) && /[A-Z]/.test(text.charAt(at)));
}

// Every repeated alternative begins with a character of its own, so there is one way to match and no backtracking.
const reference = new RegExp(
  `^(?:[Bb]earer ?|[Bb]asic ?|[Tt]oken )?(?:${[
    String.raw`\$\{\{[^{}]{1,200}\}\}|\$\{\s{0,9}[\w.[\]()?]{1,100}\s{0,9}\}|\$\([^()]{0,200}\)`,
    String.raw`\$\{[\w.$]{1,60}\([^{}|?]{0,200}\}`,
    String.raw`\$[A-Z_][A-Z0-9_]*(?!\w)|\$(?:env:)?[a-z_][A-Za-z_]{0,60}(?:->\w{1,60})?(?![\w$])|\$\d{1,2}(?![\w$])`,
    String.raw`\{\{[^{}]{1,200}\}\}|#\{[\w.]{1,100}\}|\{[\w.[\]()'"]{0,100}\}|%[A-Z_]{1,60}%|%\(?\w{0,60}\)?[sdvr](?!\w)`,
    String.raw`<[^<>\n]{1,60}>|\[[A-Z _-]{1,40}\]|[*•.…:@/_,;+|=~-]|[xX]{3,80}(?!\w)`,
  ].join('|')})*$`,
);

/** Whether a value only says where the secret is: `${DB_PASSWORD}`, `$TOKEN`, `{{ .Values.key }}`, `<your key>`, `***`. */
export function isReference(value: string): boolean {
  return value.length <= 300 && reference.test(value);
}

/** Reports secrets in assignments, headers, URLs, flags, command lines and configuration files. */
export function findNamedSecrets(view: string, report: Report): void {
  findByName({ view, lineEnd: lineEnds(view) }, report);
  findInUrls(view, report);
  findInCommands(view, report);
  findPiped(view, report);
  for (const [pattern, accept] of unnamed) {
    for (const match of matches(pattern, view)) {
      const value = match[1] ?? '';
      if (isReference(value) || accept?.(value) === false) continue;
      const end = match.index + match[0].length;
      report(end - value.length, end);
    }
  }
}

type Text = { view: string; lineEnd: (at: number) => number };

/** Positions of line ends; asked for ascending positions, it reads the text once however long its lines are. */
function lineEnds(view: string): (at: number) => number {
  let from = 0;
  let end = -1;
  return (at) => {
    if (at < from || at > end) {
      from = at;
      end = view.indexOf('\n', at);
      if (end < 0) end = view.length;
    }
    return end;
  };
}

function run(pattern: RegExp, view: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(view);
}

// ---- by name

type Found = {
  /** Where the name begins, -1 if it has quotes of its own or is a flag. */
  nameStart: number;
  name: string;
  separator: string;
  spaced: boolean;
  index?: boolean;
  /** Where the value, or its opening quote, begins. */
  start: number;
};

const names = new RegExp(`(?:${words})${suffix}`, 'gi');
const assigned =
  /([ \t]{0,12}[\\"'`\])]{0,8}(?:[ \t]\[[^\]\n]{0,20}\])?[*_?!]{0,2}[ \t]{0,60})(:[ \t]{0,9}[&A-Za-z][\w.<>[\]]{0,40}(?:[ \t]\|[ \t]\w{1,20})?[ \t]{1,9}=(?![=>])|:=|=>|[!=]==?|[:=：]|%3D|\\u003d)[*_]{0,2}[ \t]{0,60}/y;
const valueBeside = /\\{0,8}["']?[\s,]{1,40}\\{0,8}["']?value["'\\]{0,8}[ \t]?[:=][ \t]{0,9}/iy;
const nameBeside = /\b(?:name|key|variable)["'\\]{0,8}[ \t]?[:=][ \t]{0,9}\\{0,8}["']?$/i;
const flagged = /\\{0,8}["'],[ \t]{0,9}(?=\S)|[ \t]{1,9}(?=[^\s|;&>)])/y;
// `ENV API_KEY x` in a Dockerfile, `requirepass x` and `masterauth x` in redis.conf.
const instruction = /(?:^|[\n\v])[ \t]{0,20}(?:(?:ENV|ARG)[ \t]{1,9}\w*|require|master)$/i;
const quotedNext =
  /[ \t]{1,9}(?:FOR[ \t]{1,9}\S{1,100}[ \t]{0,9}=[ \t]{0,9})?(?=')|[ \t]{1,4}(?:is|was)[ \t]{1,4}(?=["'`])/iy;
const afterSpace = /[ \t]{1,9}["']?([^\s"'`]+)/y;
const fallback = /["'\])]{0,4}[ \t]{0,9}(?:\|\||\?\?)[ \t]{0,9}["'`]([^"'`\n\v]{6,})/y;
/** What may follow a name but is no assignment: `before` is tested on the text up to the name. */
const loose: { after: RegExp; before?: RegExp; accept?: (value: string) => boolean }[] = [
  {
    after: /["']?(?:\s[^<>\n]{0,200})?>([^<>\n]+)<\//y,
    before: /<(?:[\w:.-]*|\w[^<>\n]*\bname=["'][\w.-]*)$/,
  },
  { after: /[ \t]{1,4}(?:is|was)[ \t]{1,4}(?:now[ \t])?([^\s"'`]{6,})/iy, accept: isMixed },
  { after: /是[ \t]?([^\s"'`，。]{6,})/y, accept: isMixed },
  { after: /\\{0,8}["'],[ \t]{0,9}\\{0,8}["']([^\s"'`\\]{6,})/y, accept: isMixed },
  { after: /[ \t]set[ \t][\w-]{1,80}[ \t](?:--body|-b)[ \t=]["']?([^\s"']+)/y },
  { after: fallback, accept: (value) => isMixed(value) },
  { after: afterSpace, accept: isSecretLike },
];

function findByName(text: Text, report: Report): void {
  const { view } = text;
  names.lastIndex = 0;
  for (let match = names.exec(view); match !== null; match = names.exec(view)) {
    const end = match.index + match[0].length;
    const lead = view.slice(Math.max(0, match.index - 100), match.index);
    const before = /[\w.$-]*$/.exec(lead)?.[0] ?? '';
    const name = before + match[0];
    if (!startsWord(view, match.index) || harmlessName.test(name.replace(/^\W+/, ''))) continue;
    if (/\barn:[\w:/-]*$/.test(lead)) continue;
    const nameStart = match.index - before.length;
    const found: Found = { nameStart: -1, name, separator: ':', spaced: true, start: end };
    const sign = run(assigned, view, end);
    if (sign !== null) {
      if (!/["'`]/.test(sign[1] ?? '')) found.nameStart = nameStart;
      found.separator = sign[2] ?? '';
      found.spaced = /\s$/.test(sign[0]);
      found.start = end + sign[0].length;
      // In `map[token] = x` the name is a variable, and so is a bare word on the right.
      found.index = /^[ \t]*\]/.test(sign[1] ?? '');
      const header = /(?:authorization|cookie)$/i.test(name);
      names.lastIndex = Math.max(
        end,
        header ? reportHeader(text, report, found) : reportValue(text, report, found),
      );
      continue;
    }
    const around = lead.slice(0, lead.length - before.length);
    const beside = nameBeside.test(around) ? run(valueBeside, view, end) : null;
    const flag = /^--?\w/.test(name) ? run(flagged, view, end) : null;
    const quoted = /^pass(?:word|phrase)$/i.test(match[0]) ? run(quotedNext, view, end) : null;
    const next = beside ?? flag ?? quoted;
    if (next !== null) {
      found.separator = flag === null ? ':' : ' ';
      found.start = end + next[0].length;
      names.lastIndex = Math.max(end, reportValue(text, report, found));
      continue;
    }
    const value = instruction.test(lead) ? run(afterSpace, view, end)?.[1] : looseValue(view, end, lead);
    if (value === undefined || isReference(value)) continue;
    const start = view.indexOf(value, end);
    report(start, start + value.length);
    names.lastIndex = start + value.length;
  }
}

function looseValue(view: string, at: number, lead: string): string | undefined {
  for (const { after, before, accept } of loose) {
    const value = run(after, view, at)?.[1];
    if (value !== undefined && before?.test(lead) !== false && accept?.(value) !== false) return value;
  }
  return undefined;
}

/** In a sentence: letters and digits, and not `16-byte`, `128bit`, `base64`, `sha256:…`. */
function isMixed(value: string): boolean {
  const plain = /^(?:\d+[-a-z]*$|sha|md5|base|utf|aes|rsa|hs\d|v\d|https?:)/i;
  return /\d/.test(value) && /[A-Za-z]/.test(value) && !plain.test(value);
}

/** Beside a name, without a sign between them: digits among letters, no words with dashes, no hash, no path. */
function isSecretLike(value: string): boolean {
  if (!/^[\w+/~.=!@#$%^&*-]{8,}$/.test(value) || !isMixed(value) || systemPath.test(value)) return false;
  if (/^(?:[\da-f]{40}|[\da-f]{64}|[\da-f]{8}-[\da-f-]{27})$/i.test(value)) return false;
  if (/^[^-_./]+$/.test(value)) return true;
  return value.length >= 16 && /[a-z]/.test(value) && /[A-Z]/.test(value) && /\d[^\d]*\d/.test(value);
}

// An unquoted value may hold quotes and delimiters, but not where they close something or the next name follows.
const unquoted = /(?:[^\s"'`,;&<]|[,;&](?![\w.-]{1,64}[=:])|<(?!\/)|["'`](?![\s,;:)\]}>\\]|$))+/y;
const unquotedInUrl = /[^\s"'`&#<>]+/y;
const word = /[^\s"'`]+/y;
const restOfLine = /(?:[^\n\v"'`]|["'`](?![\s,;:)\]}>\\]|$))+/y;
// A cookie's value may be quoted, so a quote before a semicolon does not end the line.
const cookieLine = /(?:[^\n\v"'`]|["'`](?![,:)\]}>\\]|$))+/y;
const wholeLine = /[^\n\v]+/y;
const opening = /(?:[bfru]{1,2}|[@$])?(\\{0,16})("""|'''|["'`])/iy;
const listNext = /\\{0,16}["'`]\s{0,4},\s{0,40}(?=\\{0,16}["'`])/y;
const listOpening = /\[\s{0,40}(?=\\{0,16}["'`])/y;
const blockScalar = /[|>][-+\d]{0,2}[ \t]*[\n\v]([ \t]+)[^\n\v]+(?:[\n\v]\1[^\n\v]+)*/y;
const callOrStructure =
  /(?:[A-Za-z_$][\w$]{0,80}(?:(?:\?\.|!?\.|::|->)[A-Za-z_$#][\w$]{0,80}){0,20}!?(?:\?\.)?(?:\(|\[(?!redacted|private)|<(?=[A-Z'"{(]|[a-z]+[>,|[ .]))|\$\(|[$#%]?\{|!(?:Ref|Sub|GetAtt|secret|vault|env)\b)/y;

/** Reports the value of an assignment unless it is code or a reference; returns where to go on searching. */
function reportValue(text: Text, report: Report, found: Found): number {
  const { view } = text;
  const { start, nameStart } = found;
  const enclosing = nameStart > 0 ? (/["'`]/.exec(view.charAt(nameStart - 1))?.[0] ?? '') : '';
  const open = run(opening, view, start);
  if (open !== null) {
    // The quote after `"password=` closes what the name stands in.
    if (open[2] === enclosing) return start;
    const from = start + open[0].length;
    if (isClosing(view, start, from, open[2] ?? '"')) return start;
    const to = closingQuote(text, from, open[2] ?? '"', open[1]?.length ?? 0);
    const value = view.slice(from, to);
    // What is assigned in a text of several lines has names of its own.
    const lines = open[2]?.length === 3 && value.includes('\n');
    if (lines || isReference(value) || isHarmlessLiteral(value, found)) return from;
    report(from, to);
    return to;
  }
  const block = found.separator === ':' ? run(blockScalar, view, start) : null;
  if (block !== null) {
    report(start + block[0].search(/[\n\v]/), start + block[0].length);
    return start + block[0].length;
  }
  if (found.index === true || /^(?:[!=]==?|=>)$/.test(found.separator)) return start;
  const strict = isEnvironment(found);
  const code = codeLength(view, start, strict);
  if (code > 0) return start + code;
  const inUrl = nameStart > 0 && /[?&]/.test(view.charAt(nameStart - 1));
  const value = run(inUrl ? unquotedInUrl : unquoted, view, start)?.[0] ?? '';
  if (value === '') return start;
  if (isCode(view, value, found)) {
    const literal = run(fallback, view, start + value.length);
    if (literal === null || isHarmlessLiteral(literal[1] ?? '', found)) return start;
    const to = start + value.length + literal[0].length;
    report(to - (literal[1] ?? '').length, to);
    return to;
  }
  let end = start + value.length;
  if (!inUrl && isListed(view, found, end)) {
    const rest = run(restOfLine, view, start)?.[0] ?? '';
    end = Math.max(end, start + (/^.*?(?=\s#)/.exec(rest)?.[0] ?? rest).length);
  } else if (enclosing !== '' && found.separator === '=' && !found.spaced) {
    const close = closingQuote(text, start, enclosing, 0);
    const next = /[&;,][\w.-]{1,64}[=:]/.exec(view.slice(start, Math.min(close, start + 2_000)));
    end = Math.max(end, next === null ? close : start + next.index);
  } else if (!strict) {
    end -= value.length - withoutPunctuation(value).length;
  }
  if (/["'`]/.test(view.charAt(end)))
    end -= /\\*$/.exec(view.slice(Math.max(start, end - 16), end))?.[0].length ?? 0;
  report(start, end);
  return end;
}

/** How far a call, an index, a type with arguments or a bracket goes that begins here; 0 where a literal may begin. */
function codeLength(view: string, at: number, strict: boolean): number {
  const code = run(callOrStructure, view, at)?.[0] ?? '';
  const rest = view.slice(at + code.length, at + code.length + 100);
  // `{x7…` or `x(7…` may begin a password in a .env file, and `x7(…` anywhere, if nothing closes the bracket.
  if (strict && /^[$#%]?\{$/.test(code)) return 0;
  if (strict && /[([]$/.test(code) && !/^(?:["')\]]|\w{1,30}[,)\]])/.test(rest))
    return code === '$(' ? code.length : 0;
  return /\d\w*[([]$/.test(code) && !/^[^\n\v]*[)\]]/.test(rest) ? 0 : code.length;
}

/** In `"token=" + x` the quote after the sign ends a string: an odd one in its line, with code behind it. */
function isClosing(view: string, at: number, after: number, quote: string): boolean {
  if (!/^[ \t]*(?:[+,;)\]}%]|$|[\n\v])/.test(view.slice(after, after + 20))) return false;
  const before = /[^\n\v]*$/.exec(view.slice(Math.max(0, at - 300), at))?.[0] ?? '';
  return (before.split(quote).length - 1) % 2 === 1;
}

/** Without what ends a sentence, a list item or a bracket after the value, but with a whole placeholder. */
function withoutPunctuation(value: string): string {
  const tail = value.slice(-60);
  const kept = tail.replace(/(\[(?:redacted(?::[a-z0-9-]{1,30})?|private)\])?[,;.:)\]}>]*$/, '$1');
  return value.slice(0, value.length - tail.length) + kept;
}

/** Position of the closing quote (of its backslashes). Nested JSON puts 0, 1, 3, 7, … backslashes before its quotes. */
function closingQuote(text: Text, start: number, quote: string, level: number): number {
  const { view } = text;
  const limit = quote.length === 3 ? view.length : text.lineEnd(start);
  for (let at = view.indexOf(quote, start); at >= 0 && at < limit; at = view.indexOf(quote, at + 1)) {
    let slashes = 0;
    while (at - slashes > start && view.charAt(at - slashes - 1) === '\\') slashes++;
    if (slashes < level || slashes % (2 * (level + 1)) === level) return at - Math.min(slashes, level);
  }
  return limit;
}

/** `.env` files, `export` and prefixes of shell commands: what stands right of such a name is never code. */
function isEnvironment({ name, separator, spaced }: Found): boolean {
  return separator === '=' && !spaced && /^[A-Z][A-Z0-9_]*$/.test(name);
}

const emptyWords = 'null|none|nil|undefined|true|false|yes|no|on|off|n/a|todo';
const codeWords =
  'string|number|boolean|bool|any|unknown|never|void|object|str|int|integer|bytes|byte|char|text|varchar|buffer|uint8array|' +
  'optional|required|readonly|await|new|async|function|typeof|this|self|yield|return|not|lambda|if|is|in|class|record|' +
  'promise|array|date|type|interface|struct|enum|secretstr|secretstring|nonempty|default|require|import';
const proseWords =
  'a|an|the|and|or|of|to|for|from|with|without|by|on|at|as|are|was|were|be|been|has|have|had|it|its|this|that|these|your|my|' +
  'our|their|his|her|see|use|using|used|when|where|which|who|how|what|why|must|should|shall|may|might|can|cannot|could|will|' +
  'would|do|does|did|never|always|only|also|missing|invalid|expired|wrong|empty|set|unset|length|please|one|each|every|all|' +
  'some|same|stored|sent|passed|needs|flag|option|argument|parameter|redacted|hidden|omitted|unused';
const emptyWord = new RegExp(`^(?:${emptyWords})$`, 'i');
const plainWord = new RegExp(
  `^(?:${emptyWords}|${codeWords}|${proseWords})(?=$|[\\s,;:)\\]}|<>&?!=.'"[])`,
  'i',
);
const systemPath =
  /^(?:~|\.{1,2})\/|^\/(?:home|Users|etc|var|usr|run|tmp|opt|root|app|mnt|srv|dev|proc|private|workspaces?)\/|^[A-Z]:\\|^[\w./@-]*\/[\w.-]+\.[a-z]{1,5}$/;
const memberChain = /^!{0,2}[A-Za-z_$][\w$]{0,40}(?:(?:\?\.|!?\.|::|->)[A-Za-z_$#][\w$]{0,40})+$/;
const configRoot =
  /^(?:process|os|import|Deno|Bun|config|settings|env|self|this|secrets|vars?|data|module|local)\./i;

/** Whether an unquoted value is code, a reference or a word of a sentence. */
function isCode(view: string, text: string, found: Found): boolean {
  if (text.length > 300) return false;
  if (/^\[(?:redacted(?::[a-z0-9-]+)?|private)\][,;.:)\]}>]*$/.test(text)) return true;
  const strict = isEnvironment(found);
  const value = strict ? text : withoutPunctuation(text);
  if (isReference(text) || isReference(value) || emptyWord.test(value) || systemPath.test(value)) return true;
  if (isHarmlessLiteral(value, found)) return true;
  // A digit within a word is rare in names and usual in secrets.
  const wordlike = !/\d(?!\d?(?:[.?!:>_-]|$))/.test(value);
  if (memberChain.test(value) && wordlike && (!strict || configRoot.test(value))) return true;
  if (strict) return false;
  if (/^pass$/i.test(found.name) && found.spaced && /^[A-Za-z]+$/.test(value)) return true;
  if (plainWord.test(text) || /^(?:<\w|&(?:'\w|mut$|[a-z]+$)|[[(](?!redacted|private))/i.test(value))
    return true;
  if (found.separator === ' ' && /^-|^[A-Z_]{2,20}$/.test(value)) return true;
  if (!/^[:@]?[A-Za-z_$][\w$]*$/.test(value)) return false;
  if (/^[:@]/.test(value) || secretWord.test(value)) return true;
  // authToken or f(token=auth_token): a name again, where `mypassword` or `my_secret` may be the password.
  if (wordlike && isSecretName(value) && isArgument(view, value, found)) return true;
  return found.spaced && found.separator !== ' ' && isCodeLine(view, found, /\d/.test(value));
}

/** `{ token: authToken, …` or `f(token=auth_token)`. */
function isArgument(view: string, value: string, { separator, nameStart, start }: Found): boolean {
  const after = view.slice(start + value.length, start + value.length + 2);
  if (separator === ':') return /[a-z][A-Z]/.test(value) && /^ ?[,;)\]}]/.test(after);
  const before = view.slice(Math.max(0, nameStart - 200), Math.max(0, nameStart));
  return separator === '=' && /^[,)]/.test(after) && /\([^()\n\v]*$|[\n\v][ \t]+$/.test(before);
}

function isHarmlessLiteral(value: string, { name, separator }: Found): boolean {
  if (value.length < 2 || !/[\p{L}\p{N}]/u.test(value) || /^\d{1,2}$/.test(value)) return true;
  // The name of a variable or of a resource.
  if (/^[A-Z]+(?:_[A-Z]+)*_(?:KEY|TOKEN|SECRET|PASSWORD|AUTH|CREDENTIALS?)(?:_[A-Z]+)*$|^arn:aws/.test(value))
    return true;
  if (/^(?:string|number|boolean|object|undefined|function|same-origin|include|omit)$/.test(value))
    return true;
  if (!/\d/.test(value) && letters(value) === letters(name)) return true;
  if (/_auth$/i.test(name))
    return value.length < (/\d/.test(value) ? 6 : 12) || /^(?:0x|[\d.]+$)/.test(value);
  if (!/token$/i.test(name)) return false;
  // Parsers compare and print tokens of another kind.
  return (
    value.length < 6 ||
    /^#[\da-f]{3,8}$/i.test(value) ||
    (/^[!=]==?$/.test(separator) && /^[A-Za-z-]{1,20}$/.test(value))
  );
}

const letters = (text: string) => text.replace(/[^A-Za-z]/g, '').toLowerCase();

const statement =
  /^\s*(?:(?:export|default|async|public|private|protected|static|abstract) )*(?:const|let|var|val|def|fn|func|function|class|interface|struct|enum|readonly)\b|^\s*(?:self|this)\.|^\s*(?:if|for|while|return|case|switch|type)\b.*[({]/;

/** Literals have quotes in code, so that a bare word right of `=` or `:` there is a variable or a type. */
function isCodeLine(view: string, { start, separator }: Found, digits: boolean): boolean {
  const before = /[^\n\v]*$/.exec(view.slice(Math.max(0, start - 200), start))?.[0] ?? '';
  if (statement.test(before)) return true;
  // Other signs of code are too weak for what looks like a password.
  if (digits) return false;
  const after = /^[^\n\v]*/.exec(view.slice(start, start + 200))?.[0] ?? '';
  if (/=>/.test(before) || /=>|[;{(]\s*$|^[\w.[\]<>]+ \| /.test(after)) return true;
  return separator === ':' && / \?.* :\s*$/.test(before);
}

const lineLead = String.raw`[ \t]{0,40}(?:export |- |[#+>|-] ?)?`;
const listed = [':', '='].map((sign) => ({
  sign,
  before: new RegExp(`(?:^|[\\n\\v])${lineLead}[\\w.-]{1,80}[ \\t]{0,40}${sign}[^\\n\\v]*$`),
  after: new RegExp(`^[^\\n\\v]*[\\n\\v]${lineLead}[\\w.-]{1,80}[ \\t]{0,40}${sign}`),
}));
const lineStart = new RegExp(`(?:^|[\\n\\v])${lineLead}$`);

/** Whether the line is one of several `name=value` (or `name: value`) lines, where a value goes on to the line's end. */
function isListed(view: string, { nameStart, separator }: Found, end: number): boolean {
  const list = listed.find(({ sign }) => sign === separator);
  if (nameStart < 0 || list === undefined) return false;
  const before = view.slice(Math.max(0, nameStart - 300), nameStart);
  const lead = lineStart.exec(before);
  if (lead === null || (lead.index === 0 && nameStart > 300)) return false;
  return list.before.test(before.slice(0, lead.index)) || list.after.test(view.slice(end, end + 300));
}

const scheme = /(?:bearer|basic|digest|token|bot|oauth|negotiate|ntlm|api-?key|key|aws4-hmac-sha256)[ \t]+/iy;

/** Reports what follows `Authorization:` or `Cookie:`, or the list Node prints there: `'set-cookie': [ 'sid=…' ]`. */
function reportHeader(text: Text, report: Report, found: Found): number {
  const { view } = text;
  const list = run(listOpening, view, found.start);
  let end = reportHeaderValue(text, report, { ...found, start: found.start + (list?.[0].length ?? 0) });
  for (let next = list; next !== null; ) {
    next = run(listNext, view, end);
    if (next !== null) end = reportHeaderValue(text, report, { ...found, start: end + next[0].length });
  }
  return end;
}

/** Reports the value of a header, but not its scheme; returns where to go on searching. */
function reportHeaderValue(text: Text, report: Report, found: Found): number {
  const { view } = text;
  const { nameStart } = found;
  if (/^[!=]==?$/.test(found.separator)) return found.start;
  const enclosing = nameStart > 0 ? (/["'`]/.exec(view.charAt(nameStart - 1))?.[0] ?? '') : '';
  const open = run(opening, view, found.start);
  if (open !== null && open[2] === enclosing) return found.start;
  let start = found.start + (open?.[0].length ?? 0);
  const quote = open?.[2] ?? enclosing;
  const close = quote === '' ? undefined : closingQuote(text, start, quote, open?.[1]?.length ?? 0);
  // The whole rest of the line is read only once it is known to go, else a long line is read again for each name.
  const peek = view.slice(start, Math.min(close ?? view.length, start + 300));
  let rest = restOfLine;
  if (/cookie$/i.test(found.name)) {
    rest = cookieLine;
    if (!/^[^\s=("'`]+=[^\s=>]/.test(peek)) return found.start;
    if (isReference(peek.replace(/(?:^|; ?)[\w-]{1,60}=|=/g, ''))) return found.start;
  } else {
    const kind = run(scheme, peek, 0)?.[0] ?? '';
    start += kind.length;
    const value = peek.slice(kind.length);
    const first = /^\S*/.exec(value)?.[0] ?? '';
    if (first === '' || isReference(value) || isReference(first)) return found.start;
    if (open === null) {
      // A header in quotes of its own has its value in quotes, or in a variable.
      if (nameStart < 0) return found.start;
      if (codeLength(view, start, false) > 0 || isCode(view, first, { ...found, start })) return found.start;
      if (/^(?:bearer|basic|token|bot|api-?key|key)/i.test(kind)) rest = word;
      else if (kind !== '') rest = wholeLine;
    }
  }
  const end = close ?? start + (run(rest, view, start)?.[0].length ?? 0);
  report(start, end);
  return end;
}

// ---- URLs

// The password goes to the last @ that a host follows. After a port, a path may hold an @.
const userinfo =
  /:\/\/([^\s/?#@:"'<>[\]{}]{0,200}|\$\{\w{1,60}\}|\[redacted(?::[a-z-]{1,20})?\]):(?!(?:\d{1,5}|\$\{?\w{1,60}\}?|\*)(?:[/?#\s"'`,)]|$))((?:(?!:\/\/)[^\s"'<>`]){1,400})@(?!sha256:)(?=[\w.%-]{0,100}(?:\.|:\d|localhost)|[^\s"'<>`@]{0,400}(?:[\s"'<>`]|$))/g;
const hostThenPath = /@(?:[\w-]{1,63}\.[\w.-]{1,200}|localhost)(?::\d{1,5})?[/?#]/;
const userOnly = /:\/\/((?=[\w-]{0,40}\d)(?=[\w-]{0,40}[A-Za-z])[\w-]{20,200})@/g;

function findInUrls(view: string, report: Report): void {
  for (const match of matches(userinfo, view)) {
    const [, user = '', rest = ''] = match;
    const password = rest.slice(0, hostThenPath.exec(rest)?.index);
    const start = match.index + 4 + user.length;
    if (password === 'x-oauth-basic') report(match.index + 3, start - 1);
    else if (!isReference(password)) report(start, start + password.length);
  }
  for (const match of matches(userOnly, view)) report(match.index + 3, match.index + match[0].length - 1);
}

// ---- command lines

// `-p` alone means a password to these programs only; elsewhere it is a port, a path or a pattern.
const argument = /[ \t"'](?:-[uU]|--(?:proxy-)?user|-a|--auth|-p)(?=[^\s-]|[ \t=]{1,4}\S)/g;
const takesPair = /\b(?:curl|xh|https?)[ \t"'][^\n\v|;]*$/;
const takesAttached = /\b(?:mysql(?:dump|admin|import|sh)?|mariadb(?:-dump|-admin)?)[ \t"'][^\n\v|;]*$/;
const takesPassword: Record<string, RegExp | undefined> = {
  '-p': /\b(?:sshpass|mongo(?:sh|dump|restore)?|(?:docker|podman|helm|az|oc|skopeo|buildah)[ \t](?:registry[ \t])?login)[ \t]?[^\n\v|;]*$/,
  '-a': /\bredis-cli[ \t]?[^\n\v|;]*$/,
};

function findInCommands(view: string, report: Report): void {
  const text = { view, lineEnd: lineEnds(view) };
  for (const match of matches(argument, view)) {
    const option = match[0].slice(1);
    const line = view.slice(Math.max(0, match.index - 1_000), match.index + 1);
    const at = match.index + match[0].length;
    const attached = !/[\s=]/.test(view.charAt(at));
    const pair = option !== '-p' && takesPair.test(line);
    if (
      !pair &&
      !takesPassword[option]?.test(line) &&
      !(option === '-p' && attached && takesAttached.test(line))
    )
      continue;
    const from = at + (/^[\s=]*/.exec(view.slice(at, at + 4))?.[0].length ?? 0);
    const open = run(opening, view, from);
    const start = from + (open?.[0].length ?? 0);
    const end =
      open === null
        ? start + (run(word, view, start)?.[0].length ?? 0)
        : closingQuote(text, start, open[2] ?? '"', open[1]?.length ?? 0);
    const user = pair ? /^[^:\s]{0,200}:/.exec(view.slice(start, end))?.[0].length : 0;
    if (user === undefined || isReference(view.slice(start + user, end))) continue;
    report(start + user, end);
  }
}

// What is piped into `docker login --password-stdin` or `gh auth login --with-token`.
const fromPipe = /--(?:password-stdin|with-token)/g;
const piped =
  /\b(?:echo|printf)[ \t]{1,4}(?:-\w{1,3}[ \t]{1,4})?["']?([^\s"'|]{4,400})["']?[ \t]{0,4}\|[^|\n\v]*$/;

function findPiped(view: string, report: Report): void {
  for (const { index } of matches(fromPipe, view)) {
    const before = view.slice(Math.max(0, index - 600), index);
    const match = piped.exec(before);
    const value = match?.[1] ?? '';
    if (match === null || isReference(value)) continue;
    const start = index - before.length + match.index + match[0].indexOf(value, 5);
    report(start, start + value.length);
  }
}

// ---- without a name

// Each begins with letters, in one case where that is how it is written: such patterns are found fastest.
const unnamed: [pattern: RegExp, accept?: (value: string) => boolean][] = [
  [
    /[?&](?:amp;)?(?:sig|signature|x-(?:amz|goog)-(?:signature|credential|security-token))=([^\s&#"'<>]{8,})/gi,
  ],
  [/machine\s{1,9}\S{1,200}\s{1,9}(?:(?:login|account)\s{1,9}\S{1,200}\s{1,9}){0,2}password\s{1,9}(\S+)/g],
  [/(?:IDENTIFIED|identified)\s{1,9}(?:(?:WITH|with)\s{1,9}\S{1,60}\s{1,9})?(?:BY|by)\s{1,9}["']([^"'\n]+)/g],
  [/[Bb]earer[ \t]{1,4}([\w.~+/=-]{16,})/g, (value) => /\d/.test(value.slice(0, 300)) || value.length >= 40],
  [/[Bb]asic[ \t]{1,4}([A-Za-z0-9+/]{6,}={0,2})/g, isBasicCredentials],
  [/auth\\{0,8}["']:[ \t]?\\{0,8}["']([A-Za-z0-9+/]{6,}={0,2})/g, isBasicCredentials],
];

function isBasicCredentials(value: string): boolean {
  try {
    return /^[\x20-\x7e]*:[\x20-\x7e]*$/.test(atob(value.slice(0, 400)));
  } catch {
    return false;
  }
}
