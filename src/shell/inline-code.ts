// Longer than 400 lines because the names that make a program harmless or harmful stand beside what reads them.

import { known, suspect } from './arg.ts';
import { words } from './names.ts';
import { printedText } from './printed.ts';
import type { Arg, Effect, Input, Invocation, Scope, Walk } from './types.ts';

// Programs that the line itself contains: python -c, node -e, a here-document for ruby … A language is not parsed: strings
// are told from code, and only a program of Python, JavaScript, Perl or Ruby that calls nothing but what computes, reads
// or prints is harmless. Of any other one its names say what it may do, so that rules can deny it.

/** How an interpreter is given a program on the command line. */
type Interpreter = {
  language: 'python' | 'javascript' | 'bare' | 'other' | 'awk';
  /** the option or word before the program */
  code: RegExp;
  /** the same option with the program attached: -e'…' */
  attached?: RegExp;
  /** the option that runs a module instead of a program: -m json.tool */
  module?: RegExp;
  /** other options may come between `code` and the program */
  optionsFirst?: boolean;
  /** the program is the first word that is not an option; this matches the options that take the next word */
  firstWord?: RegExp;
  /** options that take the next word */
  valued?: RegExp;
  /** its options may follow a word */
  optionsLast?: boolean;
};

const INTERPRETERS: [RegExp, Interpreter][] = [
  [
    /^(python|pypy)[\d.]*$/,
    {
      language: 'python',
      code: /^-[bBdEiIOqsSuvxP]*c$/,
      attached: /^-[bBdEiIOqsSuvxP]*c(.+)$/s,
      module: /^-[bBdEiIOqsSuvxP]*m/,
      valued: /^-[WX]$/,
    },
  ],
  [
    /^(node|nodejs|bun|tsx|ts-node)$/,
    { language: 'javascript', code: /^(-e|-p|-pe|--eval|--print)$/, optionsLast: true },
  ],
  [/^deno$/, { language: 'javascript', code: /^eval$/, optionsFirst: true, optionsLast: true }],
  [
    /^perl[\d.]*$/,
    { language: 'bare', code: /^-[0-9a-zA-Z]*[eE]$/, attached: /^-[lanpwWtTsSUuc0-7]*[eE](.+)$/s },
  ],
  [/^j?ruby[\d.]*$/, { language: 'bare', code: /^-[a-z]*e$/, attached: /^-[lanpwWvscS]*e(.+)$/s }],
  [/^php[\d.]*$/, { language: 'other', code: /^(-r|-R|-B|--run)$/, attached: /^-[rRB](.+)$/s }],
  [/^lua(jit)?[\d.]*$/, { language: 'other', code: /^-e$/, attached: /^-e(.+)$/s }],
  [/^(julia|rscript|r|elixir|groovy|scala)[\d.]*$/, { language: 'other', code: /^(-e|-E|--eval|--print)$/ }],
  [/^osascript$/, { language: 'other', code: /^-e$/ }],
  [
    /^[gmn]?awk$/,
    {
      language: 'awk',
      code: /^(-e|--source)$/,
      firstWord: /^(-F|-v|-i|-l|--assign|--field-separator|--include|--load)$/,
    },
  ],
];

/** Most characters of a program that are read. A longer program is never harmless. */
const MAX_CODE = 16 * 1024;
const MAX_LITERALS = 60;

/**
 * Reads a program that the line gives to an interpreter and notes on the invocation what the program may do. Unless it
 * is harmless, adds what its strings would run as *suspected* invocations, which can only deny.
 */
export function walkCode(walk: Walk, scope: Scope, invocation: Invocation): void {
  const interpreter = INTERPRETERS.find(([name]) => name.test(invocation.program))?.[1];
  if (!interpreter) return;
  const sources = sourcesOf(invocation, interpreter);
  if (sources.length === 0) return;
  const { language } = interpreter;
  const text = sources.map((source) => source.text).join('\n');
  // awk programs are frequent, and most of them only print, so these are not read
  if (language === 'awk' && !/system|getline|extension|inet|[|>@]/.test(text)) return;
  const { effects, literals, lines } = readCode(text, language);
  if (!sources.every((source) => source.known && !source.glob)) effects.add('other');
  // Perl and Ruby run `id|` and `|id` when they read the files they are given
  if (language === 'bare' && invocation.args.some(isPipe)) effects.add('commands');
  invocation.code = {
    text: text.slice(0, MAX_CODE),
    effects: effects.size === 0 ? ['harmless'] : [...effects],
    paths: literals.filter(isPath).map(toArg),
  };
  // a pattern may find secrets
  const reads = invocation.code.paths.map((arg) => ({ ...arg, glob: /[*?[]/.test(arg.text) }));
  invocation.reads = [...invocation.reads, ...reads];
  if (effects.size === 0 || language === 'awk') return;
  const own: Scope = { ...scope, depth: scope.depth + 1, via: [...scope.via, invocation.program] };
  for (const line of text.includes('\n') || text.length > 200 ? lines : [text, ...lines])
    suspect(walk, own, line);
}

const isPipe = (arg: Arg) => /^\s*\|\s*\S|\S\s*\|\s*$/.test(arg.text) && !/\n/.test(arg.text);
const isPath = (text: string) => text.length < 300 && /^(~|\.{0,2}\/|\.\.$|\.[a-z])|^[\w.-]+\//i.test(text);
const toArg = (text: string): Arg => known(text, { quoted: true });

/** Returns the programs that an interpreter is given, and notes the commands that print them. */
function sourcesOf(invocation: Invocation, interpreter: Interpreter): Arg[] {
  const { args } = invocation;
  const { code, attached, module, optionsFirst, firstWord, valued, optionsLast } = interpreter;
  const sources: Arg[] = [];
  let script = false;
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] as Arg;
    if (code.test(arg.text)) {
      let at = i + 1;
      while (optionsFirst && args[at]?.text.startsWith('-')) at++;
      const source = args[at];
      if (source) {
        sources.push(source);
        i = at;
        // the interpreter's options end here
        if (module) break;
        continue;
      }
    }
    const text = /^--(?:eval|print|run|source)=(.*)$/s.exec(arg.text)?.[1] ?? attached?.exec(arg.text)?.[1];
    if (text !== undefined) {
      sources.push({ ...arg, text });
      if (module) break;
      continue;
    }
    if (module?.test(arg.text)) return [];
    // `-`: the program comes on standard input, and the words that follow are its arguments
    if (arg.text === '-') break;
    if (firstWord?.test(arg.text) || valued?.test(arg.text)) i++;
    else if (!arg.text.startsWith('-')) {
      if (firstWord) {
        if (sources.length === 0 && !args.slice(0, i).some(namesFile)) sources.push(arg);
        break;
      }
      script = true;
      if (!optionsLast || sources.length > 0) break;
    }
  }
  if (sources.length > 0) {
    const ran = sources.flatMap((source) => source.from ?? []);
    if (ran.length > 0) invocation.executes = ran;
    return sources;
  }
  if (firstWord) return [];
  const fed = args.find((arg) => arg.from);
  if (fed?.from) invocation.executes = fed.from;
  return script ? [] : textOf(invocation.input, invocation);
}

const namesFile = (arg: Arg) => /^(-f|--file|-E|--exec)/.test(arg.text);

function textOf(input: Input, invocation: Invocation): Arg[] {
  if (input.kind === 'text') return [{ text: input.text, known: input.known, glob: false, quoted: true }];
  if (input.kind !== 'pipe') return [];
  const printed = printedText(input.from);
  if (printed !== null) return [toArg(printed)];
  invocation.executes = input.from;
  return [];
}

/** Takes the place of a string in code. */
const MARK = '\uE000';
/** A string that ends where it seems to, and the code between two of them. `f"…"` and `…${x}…` hold code themselves. */
const STRINGS = /(\b[rRbBuUfF]{1,2})?("""[^"\\]*"""|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")/g;

/** Names that do more than compute in one language or another, with what they may do; a longer name may begin so. */
const FAR: [Exclude<Effect, 'harmless'>, RegExp][] = [
  [
    'commands',
    named(`system popen\\w* exec\\w* spawn\\w* fork\\w* subprocess backtick\\w* shell\\w* syscall sh kill\\w* daemon
      invoke Command child_process pty cluster Worker Open3 capture[23]\\w* pipeline\\w* IO Process passthru proc_open
      pcntl\\w* run system2 cmd ProcessBuilder Runtime qx qr execa zx setuid`),
  ],
  [
    'deletes',
    named(`rmtree remove\\w* unlink\\w* rm rmSync rmdir\\w* rm_\\w+ delete\\w* destroy\\w* dropDatabase drop\\w* truncate\\w*
      ftruncate\\w* rimraf\\w* del emptyDir\\w* trash send2trash purge wipe flushall file_remove`),
  ],
  [
    'writes',
    named(`chmod\\w* chown\\w* rename\\w* move\\w* copy\\w* cp mv symlink\\w* mkdir\\w* makedirs touch install putenv mknod
      mkfifo write\\w* append(File|_?text)\\w* createWriteStream output\\w* ensure(Dir|File)\\w* savefig to_csv to_json to_excel
      to_parquet extractall FileUtils binwrite syswrite file_put_contents fwrite fputs openSync chdir savetxt sink
      saveRDS tofile`),
  ],
  [
    'network',
    named(`socket\\w* Socket fetch\\w* urlopen request\\w* https? HTTP Net net connect\\w* create_connection open_connection sendto
      WebSocket urllib\\w* httpx aiohttp smtplib ftplib telnetlib imaplib poplib paramiko dgram tls dns axios got
      createServer\\w* listen\\w* TCPSocket UDPSocket Addrinfo open-uri URI fsockopen curl\\w* gen_tcp download\\w* inet[46]?
      LWP IMAP\\w* serve`),
  ],
  [
    'dynamic',
    named(`eval\\w* execfile dlopen unserialize importlib (?<!re\\.)compile compileFunction pickle read_pickle marshal ctypes codecs builtins runpy shelve joblib
      Function constructor vm runIn\\w+ createRequire Reflect Proxy worker_threads globalThis getattr setattr
      globals locals instance_eval class_eval send public_send __send__ const_get method define_method Marshal
      loadstring dofile loadfile library source load_module extension array_map call_user_func\\w* use`),
  ],
  [
    'decodes',
    named(`b64decode base64_decode decode64 atob unhexlify hex2bin fromhex unpack\\w* decompress gunzipSync inflate\\w*
      fromCharCode fromCodePoint`),
  ],
];

function named(list: string): RegExp {
  return new RegExp(`(?<![\\w$@%])(?:${words(list).join('|')})\\b(?!\\s?[=:][^=:])`, 'g');
}

/** Functions that compute, read or print, in Python and JavaScript. */
const HARMLESS = new Set(
  words(`
    print pprint repr format len range sorted reversed enumerate zip map filter reduce sum min max abs round int float
    str bool list dict set tuple frozenset bytes ord chr hex oct bin type isinstance iter next any all slice dumps loads
    load safe_load keys values items get has append extend insert pop index count sort reverse update union difference join split
    rsplit splitlines strip lstrip rstrip upper lower title capitalize startswith endswith find rfind findall finditer
    search match fullmatch sub group groups isdigit isalpha isalnum zfill ljust rjust center partition encode decode
    dedent randint random choice sample uniform seed gcd lcm factorial comb sqrt floor ceil exp log log2 log10 sin cos
    tan pi isnan isclose mean median stdev quantize now today date time datetime timedelta strftime strptime isoformat
    fromisoformat timestamp fromtimestamp perf_counter sleep Counter defaultdict OrderedDict deque most_common product
    permutations combinations chain groupby islice Path exists is_file is_dir iterdir glob rglob read_text getcwd
    listdir walk stat getsize basename dirname abspath splitext isfile isdir getenv open read readline readlines close
    reader DictReader md5 sha1 sha256 sha512 digest hexdigest uuid4 getsizeof Decimal Fraction version literal_eval
    parse unparse find_spec python_version array zeros ones arange linspace reshape dot
    log error warn info table stringify entries fromEntries assign isArray from of forEach flatMap every some
    findIndex indexOf lastIndexOf includes concat flat push shift splice fill toSorted at add next hasOwn trim trimStart
    trimEnd replace replaceAll matchAll test substr substring charAt charCodeAt padStart padEnd repeat startsWith
    endsWith toUpperCase toLowerCase toLocaleString toString toFixed toPrecision toISOString localeCompare Number
    String Boolean Array Object BigInt Map Set Date RegExp Error Promise resolve then catch getTime getFullYear
    parseInt parseFloat isNaN isFinite isInteger encodeURIComponent decodeURIComponent setTimeout trunc pow hypot
    require import readFileSync readFile existsSync readdirSync statSync extname relative createHash randomUUID
    randomBytes cwd uptime memoryUsage hostname NumberFormat DateTimeFormat exit argv byteLength inspect`),
);
/** Words before a bracket that call nothing. */
const KEYWORDS =
  /^(if|elif|else|for|while|return|in|of|and|or|not|is|with|as|lambda|await|async|function|new|typeof|switch|catch|yield|assert|except|print|case|void)$/;
/** Modules of Python that only compute, or whose harmful functions have names of their own. */
const MODULES =
  /^(json|sys|os|re|math|cmath|datetime|time|collections|itertools|functools|pathlib|statistics|random|string|textwrap|csv|hashlib|uuid|platform|decimal|fractions|tomllib|ast|typing|dataclasses|enum|operator|glob|pprint|shlex|difflib|calendar|secrets|locale|unicodedata|zoneinfo|yaml|toml|numpy|configparser|xml|html|struct|bisect|heapq|fnmatch|timeit|importlib\.util|importlib\.metadata)(\.|$)/;
const FOREIGN_MODULE =
  /^(node:)?(fs\/promises|module|repl|inspector\S*|wasi|v8|test)$|^(\/|\.\.\/|~|file:|https?:|data:)|^\.\/\S*(deploy|release|publish|destroy|migrate|seed)/;
/** All that Perl and Ruby may say in a harmless program: words are calls there without a bracket. */
const BARE = new Set(
  words(`
    print printf puts p say if unless elsif else end and or not next last my foreach for while until do then split join
    length lc uc lcfirst ucfirst sprintf keys sort uniq reverse scalar push shift pop substr index sum count size each
    map select to_i to_s to_f strip chomp chop upcase downcase first gsub sub tr s m y g i x ge gi eof lines nil true
    false defined exists abs int upto times BEGIN END`),
);

/** Returns what a program may do, judged by its names and strings alone; nothing if it is harmless. */
function readCode(
  text: string,
  language: Interpreter['language'],
): { effects: Set<Effect>; literals: string[]; lines: string[] } {
  const literals: string[] = [];
  let code = text.slice(0, MAX_CODE);
  if (language === 'python') code = code.replace(/(^|\n|[;\s])#[^\n]*/g, '$1');
  if (language === 'javascript') code = code.replace(/(^|[\s;])\/\/[^\n]*/g, '$1');
  // patterns of Perl, Ruby and JavaScript
  if (language === 'bare')
    code = code.replace(
      /\b(s|y|tr)(\W)(?:(?!\2)[^\\]|\\.)*\2(?:(?!\2)[^\\@$`]|\\.|\$\d|\$&)*\2[gimsx]*(?=\W|$)/g,
      '',
    );
  if (language !== 'python')
    code = code.replace(
      /(^|[(,=~!&|;]\s*|\b(?:if|unless|split|and|or|not)\s+)\/(?:[^/\\\n]|\\.)+\/[gimsuxy]*/g,
      '$1',
    );
  code = code.replace(STRINGS, (_, prefix: string | undefined, string: string) => {
    const quotes = string.startsWith('"""') ? 3 : 1;
    const body = string.slice(quotes, -quotes);
    literals.push(unescaped(body));
    // code inside a string is read as code
    const holds =
      (language === 'bare' && string.startsWith('"') && /[$@`]|#\{/.test(body)) ||
      (/f/i.test(prefix ?? '') && body.includes('{'));
    return holds ? ` ${MARK} ${body} ` : ` ${MARK}`;
  });
  const effects = new Set<Effect>();
  for (const [effect, names] of FAR) {
    if (code.search(names) >= 0) effects.add(effect);
    // a call in what seems to be a string: nobody can tell in all languages where these end
    const calls = [...text.matchAll(names)].some(({ 0: name, index }) =>
      /^\s?\(/.test(text.slice(index + name.length)),
    );
    if (calls) effects.add(effect);
  }
  if (language !== 'python' && language !== 'awk' && /`[^`]*`|%x\W|\bqx\W/.test(code))
    effects.add('commands');
  if (language === 'awk') {
    if (/\|\s?&|\|\s?getline|[^|]\|\s?[("\w$\uE000]/.test(code)) effects.add('commands');
    if (/\bprintf?\b[^;}\n]{0,500}>/.test(code)) effects.add('writes');
    if (/@\s?(load|include|\w+\s?\()/.test(code)) effects.add('dynamic');
    if (literals.some((one) => one.startsWith('/inet'))) effects.add('network');
  } else if (!isPlain(code, literals, language) || text.length > MAX_CODE) effects.add('other');
  if (/\bdo shell script\b/.test(text)) effects.add('commands');
  for (const literal of literals) {
    // PHP calls a function that a string names
    for (const [effect, names] of language === 'other' ? FAR : [])
      if (/^\w+$/.test(literal) && literal.search(names) === 0) effects.add(effect);
    if (/^(node:)?child_process$/.test(literal) || (language === 'bare' && /^\s*\||\|\s*$/.test(literal)))
      effects.add('commands');
    if (/^(node:)?(net|https?|http2|tls|dgram|dns|got|axios|undici|socket|open-uri)$/.test(literal))
      effects.add('network');
  }
  if (/\bopen\s?\([^()]{0,200},\s?(mode\s?=\s?)?['"][rbt]*[wax+]/.test(text)) effects.add('writes');
  if (/\bhomedir\b|\bPath\.home\b|\bHOME\b/.test(text)) literals.push('~');
  const lines = joinedLiterals(code, literals);
  if (effects.size === 0) return { effects, literals, lines };
  // what stands in quotes inside of another string, or where no string was found
  const quoted = [...text.matchAll(/"([^"\n]{2,400})"/g), ...text.matchAll(/'([^'\n]{2,400})'/g)]
    .map(([, inside = '']) => inside)
    .slice(0, MAX_LITERALS);
  return { effects, literals: [...literals, ...quoted], lines: [...new Set([...lines, ...quoted])] };
}

/** Whether code calls only what computes, reads or prints. */
function isPlain(code: string, literals: string[], language: Interpreter['language']): boolean {
  if (language === 'other' || (language !== 'javascript' && code.includes('`')) || /["'\\]/.test(code))
    return false;
  if (language === 'bare')
    return (
      !/\bwhile\s+1\b|[<>]\s?[\w$]*[<>]|\bENV\b|@ARGV|%\w|\?\uE000/.test(code) &&
      [...code.matchAll(/(?<![\w$@])[A-Za-z_]\w*/g)].every(
        ([name]) => BARE.has(name) || new RegExp(`\\|[\\w, ]*\\b${name}\\b[\\w, ]*\\|`).test(code),
      )
    );
  // a computed member, the result of a call, a hidden name or the whole environment
  if (
    /\byaml\s?\.\s?load\b|\]\s?\(|\)\s?\(|\b__(?!name__|version__|file__|dirname|filename|doc__)\w+|\[\s?\uE000\s?\+/.test(
      code,
    )
  )
    return false;
  if (
    /\benviron\b(?!\s?(\.\s?get\b|\[))|\.\s?env\b(?!\s?\.\s?\w)|\bprocess\b(?!\s?\.)|\$\s?[(\uE000]/.test(
      code,
    )
  )
    return false;
  if (/\brequire\b(?!\s?\(\s?\uE000\s?\))|\bimport\s?\((?!\s?\uE000\s?\))|\bopen\b(?!\s?\()/.test(code))
    return false;
  if (/\b(os|Path|pathlib)\b/.test(code) && /\.\s?replace\b/.test(code)) return false;
  if (language === 'javascript') {
    if (/\b(require|import)\b/.test(code) && literals.some((one) => FOREIGN_MODULE.test(one))) return false;
    if (/\b(Bun|Deno|binding|mainModule|_load|dlopen)\b/.test(code)) return false;
  } else {
    const modules = [...code.matchAll(/(?:^|[\n;])\s*(?:from\s+([\w.]+)\s+)?import\s+([\w., ]+)/g)].flatMap(
      ([, from, list = '']) => (from === undefined ? list.split(',') : [from]),
    );
    if (!modules.every((one) => MODULES.test(one.trim()))) return false;
    // a function of a module under another name, or given to another function
    if (
      /\b(os|shutil|sys|signal|io|pathlib)\s?\.\s?(?!path\b|environ\b|sep\b|argv\b|stdin\b|stdout\b|stderr\b|version\w*|platform\b|executable\b|name\b|maxsize\b)[a-z]\w*\b(?!\s?\()/.test(
        code,
      )
    )
      return false;
    if (/\b(open|Path)\s?\([^()]{0,200}(\+|%|\.\s?(join|format)\b)/.test(code)) return false;
  }
  const own = new Set(
    [
      ...code.matchAll(
        /\b(?:def|function|class)\s+(\w+)|\b(\w+)\s?=\s?(?:\(?[\w\s,]{0,100}\)?\s?=>|lambda\b|function\b)/g,
      ),
    ].map(([, one, other]) => one ?? other ?? ''),
  );
  return [...code.matchAll(/([A-Za-z_$][\w$]*)\s?\(/g)].every(
    ([, name = '']) => HARMLESS.has(name) || KEYWORDS.test(name) || own.has(name),
  );
}

/** Returns each string, and also the strings of each list or sum joined together. */
function joinedLiterals(code: string, literals: string[]): string[] {
  const lines: string[] = [];
  let list: string[] = [];
  let previous = -1;
  for (const [at, match] of [...code.matchAll(/\uE000/g)].slice(0, 20 * MAX_LITERALS).entries()) {
    const literal = literals[at] ?? '';
    const between = previous < 0 ? null : code.slice(previous + 1, match.index).replace(/\s+/g, '');
    if (between !== null && /^[+.]$/.test(between)) list.push(`${list.pop() ?? ''}${literal}`);
    else if (between !== null && /^\]?,\[?$/.test(between)) list.push(literal);
    else list = [literal];
    lines.push(literal, list.join(' '));
    previous = match.index;
  }
  const found = lines.filter((line) => /[a-z]/i.test(line) && line.length < 4000);
  return [...new Set(found)].slice(0, MAX_LITERALS);
}

const ESCAPE =
  /\\(?:[xu]\{([0-9a-f]{1,6})\}|x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8})|([0-7]{1,3})|N\{([^}\n]{1,40})\}|(['"`\\])|(n)|\n)/gi;

/** Returns what a string stands for, with the escapes that one of the languages knows. */
export const unescaped = (body: string): string =>
  body.includes('\\')
    ? body.replace(ESCAPE, (_, ...groups: (string | undefined)[]) => {
        const [braced, x, u, long, octal, name, sign, n] = groups;
        const hex = braced ?? x ?? u ?? long;
        const code = hex ? Number.parseInt(hex, 16) : octal ? Number.parseInt(octal, 8) : null;
        if (code !== null) return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ' ';
        if (name !== undefined) return /^full stop$/i.test(name) ? '.' : ' ';
        return sign ?? (n === undefined ? '' : '\n');
      })
    : body;
