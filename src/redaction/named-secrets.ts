// Secrets that only their surroundings give away: a name on their left, a header, a URL, a command line.
// `view` is the text as `redact.ts` prepares it: same positions, escaped quotes decoded, escaped line ends as \v.
import type { Report } from './token-shapes.ts';

const words = [
  'passw(?:or)?d|passwort|passphrase|passcode|requirepass|masterauth|pass(?![a-z])|pwd',
  'secret(?:[-_. ]?(?:access[-_. ]?)?key)?|token|credentials?|_auth(?![a-z])',
  '(?:api|access|private|signing|encryption|master|account|storage|shared[-_ ]?access|service[-_ ]?role|anon|auth|' +
    'license|deploy|session|hmac|subscription|app|client|webhook)[-_. ]?key',
].join('|');
const suffix =
  '(?:[-_]?(?:value|hash|data|base|confirm(?:ation)?|prod(?:uction)?|staging|dev|test|live|local|new|old|plain|b64))?\\d{0,3}';

const secretName = new RegExp(`(?:(?:${words})${suffix}|authorization|cookie)$`, 'i');
const secretWord = new RegExp(`^(?:${words})\\d?$`, 'i');
// Special tokens of a language model's tokenizer, and the working directory.
const harmlessName = /(?:pad|bos|eos|unk|cls|sep|mask|special)[-_]?token$|^(?:OLD)?PWD$/i;

/** Whether a value under this name (object key, variable, flag) is a secret: `db_password`, `apiKey`, not `max_tokens`. */
export function isSecretName(name: string): boolean {
  const end = name.slice(-100);
  const match = secretName.exec(end);
  return match !== null && !harmlessName.test(end) && startsWord(end, match.index);
}

/** `pass` and `pwd` are names only as words of their own: `dbPass`, `DB_PASS`, not `bypass`. */
function startsWord(text: string, at: number): boolean {
  if (!/^(?:pass(?![wpc])|pwd)/i.test(text.slice(at, at + 5))) return true;
  const before = text.charAt(at - 1);
  return !/[a-z]/i.test(before) || (/[a-z]/.test(before) && /[A-Z]/.test(text.charAt(at)));
}

// Every repeated alternative begins with a character of its own, so there is one way to match and no backtracking.
const reference = new RegExp(
  `^(?:[Bb]earer ?|[Bb]asic ?|[Tt]oken )?(?:${[
    String.raw`\$\{\{[^{}]{1,200}\}\}|\$\{\s{0,9}[\w.[\]()?]{1,100}\s{0,9}\}|\$\([^()]{0,200}\)`,
    String.raw`\$[A-Z_][A-Z0-9_]*(?!\w)|\$(?:env:)?[a-z_][A-Za-z_]{0,60}(?:->\w{1,60})?(?![\w$])|\$\d{1,2}(?![\w$])`,
    String.raw`\{\{[^{}]{1,200}\}\}|#\{[\w.]{1,100}\}|\{[\w.[\]()]{0,100}\}|%[A-Z_]{1,60}%|%\(?\w{0,60}\)?[sdvr](?!\w)`,
    String.raw`<[^<>\n]{1,60}>|\[[A-Z _-]{1,40}\]|[*•.…:]|[xX]{3,80}(?!\w)`,
  ].join('|')})*$`,
);

/** Whether a value only says where the secret is: `${DB_PASSWORD}`, `$TOKEN`, `{{ .Values.key }}`, `<your key>`, `***`. */
export function isReference(value: string): boolean {
  return value.length <= 300 && reference.test(value);
}

/** Reports secrets in assignments, headers, URLs, flags, command lines and configuration files. */
export function findNamedSecrets(view: string, report: Report): void {
  const text: Text = { view, lineEnd: lineEnds(view) };
  findAssignments(text, report);
  findHeaders(text, report);
  findInUrls(view, report);
  findInCommands(text, report);
  findElsewhere(text, report);
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

// ---- name = value

type Found = {
  nameStart: number;
  name: string;
  separator: string;
  spaced: boolean;
  start: number;
  flag?: boolean;
};

const closer = '[ \\t]{0,12}[\\\\"\'`\\])]{0,8}(?:[ \\t]\\[[^\\]\\n]{0,20}\\])?[*_?!]{0,2}[ \\t]{0,60}';
const typed = ':[ \\t]{0,9}[&A-Za-z][\\w.<>[\\]]{0,40}(?:[ \\t]\\|[ \\t]\\w{1,20})?[ \\t]{0,9}=(?![=>])';
const assignment = new RegExp(
  `(?:${words})${suffix}(${closer})(${typed}|:=|=>|[!=]==?|[:=]|%3D|\\\\u003d)[*_]{0,2}[ \\t]{0,60}`,
  'gi',
);

function findAssignments(text: Text, report: Report): void {
  const { view } = text;
  assignment.lastIndex = 0;
  for (let match = assignment.exec(view); match !== null; match = assignment.exec(view)) {
    const before = /[\w.$-]*$/.exec(view.slice(Math.max(0, match.index - 64), match.index))?.[0] ?? '';
    const name = before + (/^[\w.-]*/.exec(match[0])?.[0] ?? '');
    if (!startsWord(view, match.index) || harmlessName.test(name)) continue;
    assignment.lastIndex = reportValue(text, report, {
      // A name that has its own quotes does not stand inside a quoted text.
      nameStart: /["'`]/.test(match[1] ?? '') ? -1 : match.index - before.length,
      name,
      separator: match[2] ?? '=',
      spaced: /\s$/.test(match[0]),
      start: match.index + match[0].length,
    });
  }
}

// An unquoted value may hold quotes and delimiters, but not where they close something or the next name follows.
const unquoted = /(?:[^\s"'`,;&<]|[,;&](?![\w.-]{1,64}[=:])|<(?!\/)|["'`](?![\s,;:)\]}>\\]|$))+/y;
const unquotedInUrl = /[^\s"'`&#<>]+/y;
const restOfLine = /(?:[^\n\v"'`]|["'`](?![\s,;:)\]}>\\]|$))+/y;
const opening = /(?:[bfru]{1,2}|[@$])?(\\{0,16})("""|'''|["'`])/iy;
const blockScalar = /[|>][-+\d]{0,2}[ \t]*[\n\v]([ \t]+)[^\n\v]+(?:[\n\v]\1[^\n\v]+)*/y;
const callOrStructure =
  /(?:[A-Za-z_$][\w$]{0,80}(?:(?:\?\.|!?\.|::|->)[A-Za-z_$#][\w$]{0,80}){0,20}!?(?:\?\.)?[([]|\$\(|[$#%]?\{|!(?:Ref|Sub|GetAtt|secret|vault|env)\b)/y;

function run(pattern: RegExp, view: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(view);
}

/** Reports the value of an assignment unless it is code or a reference; returns where to go on searching. */
function reportValue(text: Text, report: Report, found: Found): number {
  const { view } = text;
  const { start, nameStart } = found;
  const enclosing =
    nameStart > 0 && /["'`]/.test(view.charAt(nameStart - 1)) ? view.charAt(nameStart - 1) : '';
  const open = run(opening, view, start);
  if (open !== null && open[2] !== enclosing) {
    const from = start + open[0].length;
    const to = closingQuote(text, from, open[2] ?? '"', open[1]?.length ?? 0);
    const value = view.slice(from, to);
    if (isReference(value) || isHarmlessLiteral(value, found)) return from;
    report(from, to);
    return to;
  }
  if (open !== null) return start;
  const block = found.separator === ':' ? run(blockScalar, view, start) : null;
  if (block !== null) {
    report(start + block[0].search(/[\n\v]/), start + block[0].length);
    return start + block[0].length;
  }
  if (/^(?:[!=]==?|=>)$/.test(found.separator)) return start;
  const strict = isEnvironment(found);
  const code = run(callOrStructure, view, start);
  // `{x7…` may begin a password in a .env file, but not in code.
  if (code !== null && !(strict && /^[$#%]?\{$/.test(code[0]))) return start + code[0].length;
  const inUrl = nameStart > 0 && /[?&]/.test(view.charAt(nameStart - 1));
  const value = run(inUrl ? unquotedInUrl : unquoted, view, start)?.[0] ?? '';
  if (value === '' || isCode(view, value, found)) return start;
  let end = start + value.length;
  if (!inUrl && isListed(text, found, end)) {
    const rest = run(restOfLine, view, start)?.[0] ?? '';
    end = Math.max(end, start + (/^.*?(?=\s#)/.exec(rest)?.[0] ?? rest).length);
  } else if (enclosing !== '' && found.separator === '=' && !found.spaced) {
    const close = closingQuote(text, start, enclosing, 0);
    const next = /[&;,][\w.-]{1,64}[=:]/.exec(view.slice(start, Math.min(close, start + 2_000)));
    end = Math.max(end, next === null ? close : start + next.index);
  } else if (!strict) {
    end -= /[,;.:)\]}>]*$/.exec(value.slice(-20))?.[0].length ?? 0;
  }
  if (/["'`]/.test(view.charAt(end)))
    end -= /\\*$/.exec(view.slice(Math.max(start, end - 16), end))?.[0].length ?? 0;
  report(start, end);
  return end;
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
function isEnvironment({ name, separator, spaced, flag }: Found): boolean {
  return separator === '=' && !spaced && !flag && /^[A-Z][A-Z0-9_]*$/.test(name);
}

const emptyWords = 'null|none|nil|undefined|true|false|yes|no|on|off|n/a|todo';
const codeWords =
  'string|number|boolean|bool|any|unknown|never|void|object|str|int|integer|bytes|byte|char|text|varchar|buffer|uint8array|' +
  'optional|required|readonly|await|new|async|function|typeof|this|self|yield|return|not|lambda|if|is|in|await|class|record|' +
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
  /^(?:~|\.{1,2})\/|^\/(?:home|Users|etc|var|usr|run|tmp|opt|root|app|mnt|srv|dev|proc|private|workspaces?)\/|^[A-Z]:\\/;
const memberChain = /^[A-Za-z_$][\w$]{0,40}(?:(?:\?\.|!?\.|::|->)[A-Za-z_$#][\w$]{0,40})+$/;
const configRoot =
  /^(?:process|os|import|Deno|Bun|config|settings|env|self|this|secrets|vars?|data|module|local)\./i;

/** Whether an unquoted value is code, a reference or a word of a sentence. */
function isCode(view: string, text: string, found: Found): boolean {
  if (text.length > 300) return false;
  const strict = isEnvironment(found);
  const value = strict ? text : text.replace(/[,;.:)\]}>]+$/, '');
  if (/^\[(?:redacted(?::[a-z0-9-]+)?|private)\][,;.:)\]}>]*$/.test(text)) return true;
  if (isReference(text) || isReference(value) || emptyWord.test(value) || systemPath.test(value)) return true;
  if (!/[\p{L}\p{N}]/u.test(value) || isHarmlessLiteral(value, found)) return true;
  // A digit within a word is rare in names and usual in secrets.
  const wordlike = !/\d(?!\d?(?:[.?!:>-]|$))/.test(value);
  if (memberChain.test(value) && wordlike && (!strict || configRoot.test(value))) return true;
  if (strict) return false;
  if (plainWord.test(text) || /^(?:<\w|&(?:'\w|mut\b|\w+$)|[[(](?!redacted|private))/.test(text)) return true;
  if (found.flag === true && /^-|^[A-Z_]{2,20}$/.test(value)) return true;
  if (!/^[:@]?[A-Za-z_$][\w$]*$/.test(value)) return false;
  if (/^[:@]/.test(value) || secretWord.test(value)) return true;
  // authToken, new_password: a name again, where `mypassword` may be the password.
  if (wordlike && /[a-z][A-Z]|_/.test(value) && isSecretName(value)) return true;
  return found.spaced && isCodeLine(view, found);
}

function isHarmlessLiteral(value: string, { name, separator }: Found): boolean {
  if (!/[\p{L}\p{N}]/u.test(value) || /^\d{1,2}$/.test(value)) return true;
  if (/token$/i.test(name) && value.length < 6) return true;
  return /^[!=]==?$/.test(separator) && (value.length < 8 || /^(?:undefined|function)$/.test(value));
}

/** Literals have quotes in code, so that a bare word right of `=` or `:` there is a variable or a type. */
function isCodeLine(view: string, { start, separator }: Found): boolean {
  const before = /[^\n\v]*$/.exec(view.slice(Math.max(0, start - 200), start))?.[0] ?? '';
  const after = /^[^\n\v]*/.exec(view.slice(start, start + 200))?.[0] ?? '';
  if (
    /^\s*(?:export |const |let |var |val |def |fn |func |function |return |public |private |protected |static |async |if |for |while |type |case )/.test(
      before,
    )
  )
    return true;
  if (/=>/.test(before) || /=>|[;{(]\s*$/.test(after)) return true;
  return separator === ':' && / \?.* :\s*$/.test(before);
}

const lineOf = { '=': '=', ':': ':' } as Record<string, string | undefined>;

/** Whether the line is one of several `name=value` (or `name: value`) lines, where a value goes on to the line's end. */
function isListed({ view }: Text, { nameStart, separator }: Found, end: number): boolean {
  const sign = lineOf[separator];
  if (nameStart < 0 || sign === undefined) return false;
  const before = view.slice(Math.max(0, nameStart - 300), nameStart);
  const lead = /(?:^|[\n\v])[ \t]*(?:export |- |[#+>|-] ?)?$/.exec(before);
  if (lead === null || (lead.index === 0 && nameStart > 300)) return false;
  const line = String.raw`[ \t]*(?:export |- |[#+>|-] ?)?[\w.-]{1,80}[ \t]*${sign}`;
  if (new RegExp(String.raw`(?:^|[\n\v])${line}[^\n\v]*$`).test(before.slice(0, lead.index))) return true;
  return new RegExp(String.raw`^[^\n\v]*[\n\v]${line}`).test(view.slice(end, end + 300));
}

// ---- headers

const header = new RegExp(
  `(authorization|(?<!\\w)(?:set-)?cookie)(${closer})(?:=>|[:=](?!=)|%3D)[ \\t]{0,60}`,
  'gi',
);
const scheme = /(?:bearer|basic|digest|token|bot|oauth|negotiate|ntlm|api-?key|key|aws4-hmac-sha256)[ \t]+/iy;

function findHeaders(text: Text, report: Report): void {
  const { view } = text;
  header.lastIndex = 0;
  for (let match = header.exec(view); match !== null; match = header.exec(view)) {
    let start = match.index + match[0].length;
    const before = /(?:[\w-]*)$/.exec(view.slice(Math.max(0, match.index - 64), match.index))?.[0] ?? '';
    const nameStart = match.index - before.length;
    const around = /["'`]/.test(match[2] ?? '')
      ? ''
      : (/["'`]$/.exec(view.slice(Math.max(0, nameStart - 1), nameStart))?.[0] ?? '');
    const open = run(opening, view, start);
    if (open !== null && open[2] === around) continue;
    if (open !== null) start += open[0].length;
    let end = start;
    if (open !== null) end = closingQuote(text, start, open[2] ?? '"', open[1]?.length ?? 0);
    else if (around !== '') end = closingQuote(text, start, around, 0);
    else end = start + (run(restOfLine, view, start)?.[0].length ?? 0);
    const word = /^\S*/.exec(view.slice(start, Math.min(end, start + 300)))?.[0] ?? '';
    const found = { nameStart, name: match[1] ?? '', separator: ':', spaced: true, start };
    if (/cookie/i.test(found.name)) {
      if (!/^[^\s=(]+=[^\s=>]/.test(word)) continue;
    } else {
      const kind = run(scheme, view, start)?.[0] ?? '';
      start += kind.length;
      const value = view.slice(start, Math.min(end, start + 300));
      const first = /^\S*/.exec(value)?.[0] ?? '';
      if (first === '' || isReference(value) || isReference(first)) continue;
      if (
        open === null &&
        (run(callOrStructure, view, start) !== null || isCode(view, first, { ...found, start }))
      )
        continue;
      if (open === null && around === '' && /^(?:bearer|basic|token|bot|api-?key|key)/i.test(kind)) {
        end = Math.min(end, start + (/^[^\s"'`]*/.exec(view.slice(start, end))?.[0].length ?? 0));
      }
    }
    report(start, end);
    header.lastIndex = Math.max(header.lastIndex, end);
  }
}

// ---- URLs

// The password ends at the last @ before the host; one with a / in it is told from a port and a path by the host.
const userinfo =
  /:\/\/([^\s/?#@:"'<>[\]{}]{0,200}|\$\{\w{1,60}\}):(?!(?:\d{1,5}|\$\{?\w{1,60}\}?|\*)(?:[/?#\s"'`,)]|$))((?:(?!:\/\/)[^\s"'<>`]){1,400})@(?!sha256:)(?=[\w.%-]{0,100}(?:\.|:\d|localhost)|[^\s"'<>`@]{0,400}(?:[\s"'<>`]|$))/g;
const userOnly = /:\/\/((?=[\w-]{0,40}\d)(?=[\w-]{0,40}[A-Za-z])[\w-]{20,200})@/g;
const signedUrl =
  /[?&](?:amp;)?(?:sig|signature|x-(?:amz|goog)-(?:signature|credential|security-token))=([^\s&#"'<>]{8,})/gi;

function findInUrls(view: string, report: Report): void {
  for (const match of view.matchAll(userinfo)) {
    const user = match[1] ?? '';
    // Greedy to the last @; the first one whose host is a host ends the password.
    const password = firstHost(match[2] ?? '');
    const start = match.index + 4 + user.length;
    if (password === 'x-oauth-basic') report(match.index + 3, start - 1);
    else if (!isReference(password)) report(start, start + password.length);
  }
  for (const match of view.matchAll(userOnly)) report(match.index + 3, match.index + match[0].length - 1);
  for (const match of view.matchAll(signedUrl)) {
    const value = match[1] ?? '';
    if (!isReference(value))
      report(match.index + match[0].length - value.length, match.index + match[0].length);
  }
}

function firstHost(password: string): string {
  const path = /@(?:[\w-]{1,63}\.)[\w.-]{1,200}(?::\d{1,5})?[/?#]|@localhost(?::\d{1,5})?[/?#]/.exec(
    password,
  );
  return path === null ? password : password.slice(0, path.index);
}

// ---- command lines

// `-p` alone means a password to these programs only; elsewhere it is a port, a path or a pattern.
const commands: [program: RegExp, option: RegExp][] = [
  [/\b(?:curl|xh|https?)[ \t]/g, /[ \t](?:-u|-U|--user|--proxy-user|-a|--auth)[ \t=]{0,4}(?=\S)/g],
  [
    /\b(?:mysql|mysqldump|mysqladmin|mysqlimport|mysqlsh|mariadb|mariadb-dump|mariadb-admin)[ \t]/g,
    /[ \t]-p(?=\S)/g,
  ],
  [/\bsshpass[ \t]/g, /[ \t]-p[ \t]{0,4}(?=\S)/g],
  [/\b(?:mongo|mongosh|mongodump|mongorestore)[ \t]/g, /[ \t]-p[ \t]{1,4}(?=\S)/g],
  [
    /\b(?:docker|podman|helm|az|oc|skopeo|buildah)[ \t]{1,4}(?:registry[ \t]{1,4})?login[ \t]/g,
    /[ \t]-p[ \t]{1,4}(?=\S)/g,
  ],
  [/\bredis-cli[ \t]/g, /[ \t]-a[ \t]{1,4}(?=\S)/g],
];

function findInCommands(text: Text, report: Report): void {
  const { view } = text;
  for (const [program, option] of commands) {
    program.lastIndex = 0;
    for (let match = program.exec(view); match !== null; match = program.exec(view)) {
      const from = match.index + match[0].length - 1;
      const line = /^(?:[^\n\v|;\\]|\\[\s\S])*/.exec(view.slice(from, from + 2_000))?.[0] ?? '';
      for (const found of line.matchAll(option))
        reportArgument(text, report, from + found.index + found[0].length, program === commands[0]?.[0]);
      program.lastIndex = Math.max(program.lastIndex, from + line.length);
    }
  }
}

/** Reports a command's argument, quoted or not; of a `user:password` only the password. */
function reportArgument(text: Text, report: Report, at: number, pair: boolean): void {
  const { view } = text;
  const open = run(opening, view, at);
  let start = at + (open?.[0].length ?? 0);
  const end =
    open === null
      ? at + (/^[^\s"'`]*/.exec(view.slice(at, at + 2_000))?.[0].length ?? 0)
      : closingQuote(text, start, open[2] ?? '"', open[1]?.length ?? 0);
  const value = view.slice(start, Math.min(end, start + 2_000));
  if (pair) {
    const user = /^[^:\s]*:/.exec(value)?.[0].length ?? value.length;
    start += user;
    if (start >= end || isReference(value.slice(user))) return;
  } else if (isReference(value)) return;
  report(start, end);
}

// ---- other places

const flag = /(?<![\w-])--?([A-Za-z][\w-]{1,60})(?:\\{0,8}["'],[ \t]{0,9}|[ \t]{1,9})(?=[^\s|;&>)])/g;
const named = new RegExp(
  String.raw`\b(?:name|key|variable)["'\\]{0,8}[ \t]?[:=][ \t]{0,9}\\{0,8}["']?[\w.-]{0,60}?(?:${words})${suffix}\\{0,8}["']?[\s,]{1,40}\\{0,8}["']?value["'\\]{0,8}[ \t]?[:=][ \t]{0,9}`,
  'gi',
);
const patterns: [pattern: RegExp, accept?: (value: string) => boolean][] = [
  [new RegExp(`<[\\w:.-]{0,60}?(?:${words})${suffix}>([^<>\\n]{1,2000})</`, 'gi')],
  [
    /\bmachine\s{1,9}\S{1,200}\s{1,9}(?:(?:login|account)\s{1,9}\S{1,200}\s{1,9}){0,2}password\s{1,9}(\S{1,2000})/gi,
  ],
  [/\b(?:IDENTIFIED\s{1,9}(?:WITH\s{1,9}\S{1,60}\s{1,9})?BY|PASSWORD)\s{1,9}'([^'\n]{1,2000})/gi],
  [/(?:^|[\n\v])[ \t]{0,20}(?:requirepass|masterauth)[ \t]{1,9}(\S{1,2000})/gi],
  [/\bBearer[ \t]{1,4}([\w.~+/=-]{16,})/gi, (value) => /\d/.test(value.slice(0, 300)) || value.length >= 40],
  [/\bBasic[ \t]{1,4}([A-Za-z0-9+/]{6,}={0,2})/gi, isBasicCredentials],
  [
    new RegExp(
      `(?:${words})${suffix}[ \\t]{1,4}(?:is|was)[ \\t]{1,4}(?:now[ \\t])?["'\`]?([^\\s"'\`]{6,2000})`,
      'gi',
    ),
    isMixed,
  ],
  [new RegExp(`(?:${words})${suffix}[ \\t]{1,4}([A-Za-z0-9+/_~.=-]{16,2000})`, 'gi'), isRandom],
  [
    new RegExp(
      `(?:^|[\\n\\v])[ \\t]{0,20}(?:ENV|ARG)[ \\t]{1,9}\\w{0,60}?(?:${words})${suffix}[ \\t]{1,9}["']?([^\\s"'=]{1,2000})`,
      'gi',
    ),
  ],
];

function findElsewhere(text: Text, report: Report): void {
  const { view } = text;
  for (const match of view.matchAll(flag)) {
    const name = match[1] ?? '';
    if (!isSecretName(name)) continue;
    reportValue(text, report, {
      nameStart: -1,
      name,
      separator: '=',
      spaced: false,
      start: match.index + match[0].length,
      flag: true,
    });
  }
  for (const match of view.matchAll(named)) {
    reportValue(text, report, {
      nameStart: -1,
      name: 'value',
      separator: ':',
      spaced: true,
      start: match.index + match[0].length,
    });
  }
  for (const [pattern, accept] of patterns) {
    for (const match of view.matchAll(pattern)) {
      const value = match[1] ?? '';
      if (isReference(value) || (accept !== undefined && !accept(value))) continue;
      const start = match.index + match[0].lastIndexOf(value);
      report(start, start + value.length);
    }
  }
}

function isBasicCredentials(value: string): boolean {
  try {
    return /^[\x20-\x7e]*:[\x20-\x7e]*$/.test(atob(value.slice(0, 400)));
  } catch {
    return false;
  }
}

/** In a sentence: letters and digits, and not `16-byte`, `128bit`, `base64`, `sha256:…`. */
function isMixed(value: string): boolean {
  return (
    /\d/.test(value) &&
    /[A-Za-z]/.test(value) &&
    !/^(?:\d+[-a-z]*$|sha|md5|base|utf|aes|rsa|hs\d|v\d|https?:)/i.test(value)
  );
}

function isRandom(value: string): boolean {
  return /[a-z]/.test(value) && /[A-Z]/.test(value) && /\d.*\d/.test(value) && !systemPath.test(value);
}
