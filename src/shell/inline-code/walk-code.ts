import { suspect } from '../lines.ts';
import { printedText } from '../printed.ts';
import type { Arg, Effect, Input, Invocation, Scope, Walk } from '../types.ts';

// Reads programs given in the line itself (python -c, node -e, a here-document for ruby …) without understanding the
// languages: strings and comments are told from code, and then every name that is called must be one that only computes
// or prints. Whatever is not known to be harmless is named by what it may do, so that a policy can judge it.

type Language = 'python' | 'js' | 'perl' | 'ruby' | 'php' | 'other';

type Interpreter = { language: Language; code: RegExp; module?: boolean };

const INTERPRETERS: [RegExp, Interpreter][] = [
  [/^(python|pypy)[\d.]*$/, { language: 'python', code: /^-[bBdEiIOqsSuvxP]*c$/, module: true }],
  [/^(node|nodejs|bun|tsx|ts-node)$/, { language: 'js', code: /^(-e|-p|-pe|--eval|--print)$/ }],
  [/^deno$/, { language: 'js', code: /^eval$/ }],
  [/^perl[\d.]*$/, { language: 'perl', code: /^-[0-9a-zA-Z]*[eE]$/ }],
  [/^j?ruby[\d.]*$/, { language: 'ruby', code: /^-[a-z]*e$/ }],
  [/^php[\d.]*$/, { language: 'php', code: /^(-r|-R|-B|--run)$/ }],
  [/^(lua|luajit|julia|rscript|r|elixir|groovy|scala)[\d.]*$/, { language: 'other', code: /^(-e|--eval)$/ }],
  [/^osascript$/, { language: 'other', code: /^-e$/ }],
];

const interpreterOf = (program: string): Interpreter | undefined =>
  INTERPRETERS.find(([name]) => name.test(program))?.[1];

const MAX_LITERALS = 60;
const MAX_CODE = 16 * 1024;
const MAX_LINE = 4000;

/**
 * Looks into a program given to an interpreter: notes what it may do on the invocation and, unless it is harmless,
 * adds what its strings would run as *suspected* invocations, which can only deny.
 *
 * @returns false when the program is no interpreter
 */
export function walkCode(walk: Walk, scope: Scope, invocation: Invocation): boolean {
  const interpreter = interpreterOf(invocation.program);
  if (!interpreter) return false;
  const sources = sourcesOf(invocation, interpreter);
  if (sources.length === 0) return true;
  const text = sources.map((source) => source.text).join('\n');
  const read = readCode(text, interpreter.language);
  const certain = sources.every((source) => source.known) && text.length <= MAX_CODE;
  const effects: Effect[] = certain ? read.effects : [...read.effects, 'other'];
  invocation.code = {
    text: text.slice(0, MAX_CODE),
    effects: certain ? effects : effects.filter((effect) => effect !== 'harmless'),
    paths: read.literals.filter(isPath).map(toArg),
  };
  invocation.reads = [...invocation.reads, ...invocation.code.paths];
  if (invocation.code.effects.includes('harmless')) return true;
  const own: Scope = { ...scope, depth: scope.depth + 1, via: [...scope.via, invocation.program] };
  const lines = text.includes('\n') || text.length > 200 ? read.lines : [text, ...read.lines];
  for (const line of lines.slice(0, MAX_LITERALS)) suspect(walk, own, line);
  return true;
}

function sourcesOf(invocation: Invocation, interpreter: Interpreter): Arg[] {
  const { args } = invocation;
  const sources: Arg[] = [];
  let script = false;
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] as Arg;
    if (interpreter.code.test(arg.text) && args[i + 1]) {
      sources.push(args[i + 1] as Arg);
      i++;
      // python and php end their options here
      if (interpreter.language === 'python') break;
      continue;
    }
    const long = /^--(?:eval|print|run)=(.*)$/s.exec(arg.text);
    if (long) sources.push({ ...arg, text: long[1] as string });
    if (interpreter.module && arg.text === '-m') return [];
    // the program comes on standard input, and its arguments follow
    if (arg.text === '-') break;
    if (!arg.text.startsWith('-')) {
      script = true;
      if (interpreter.language !== 'js' || sources.length > 0) break;
    }
  }
  if (sources.length > 0) {
    const ran = sources.flatMap((source) => source.from ?? []);
    if (ran.length > 0) invocation.executes = ran;
    return sources;
  }
  const fed = args.find((arg) => arg.from);
  if (fed?.from) invocation.executes = fed.from;
  if (script) return [];
  return textOf(invocation.input, invocation);
}

function textOf(input: Input, invocation: Invocation): Arg[] {
  if (input.kind === 'text') return [{ text: input.text, known: input.known, glob: false, quoted: true }];
  if (input.kind !== 'pipe') return [];
  const printed = printedText(input.from);
  if (printed !== null) return [toArg(printed)];
  invocation.executes = input.from;
  return [];
}

const toArg = (text: string): Arg => ({ text, known: true, glob: false, quoted: true });

const isPath = (text: string) => text.length < 300 && /^(~|\.{0,2}\/|\.\.$|\.[a-z])|^[\w.-]+\//i.test(text);

type Scanned = { code: string; literals: string[] };

/** Stands for a string in scanned code. */
const MARK = '\uE000';

/** Parts code from strings and comments, in one pass. */
function scan(text: string, language: Language): Scanned {
  const literals: string[] = [];
  const embedded: string[] = [];
  const hash = language === 'python' || language === 'perl' || language === 'ruby' || language === 'other';
  const pieces: string[] = [];
  // what stands just before; a string that grows by characters is slow to look into
  let tail = '';
  const put = (piece: string) => {
    pieces.push(piece);
    tail = (tail + piece).slice(-24);
  };
  let i = 0;
  while (i < text.length) {
    const char = text[i] as string;
    const last = tail.slice(-1);
    if (hash && char === '#' && !/[$@{\\]/.test(last)) {
      const end = text.indexOf('\n', i);
      i = end < 0 ? text.length : end;
      continue;
    }
    if ((language === 'js' || language === 'php') && text.startsWith('//', i)) {
      const end = text.indexOf('\n', i);
      i = end < 0 ? text.length : end;
      continue;
    }
    if ((language === 'js' || language === 'php') && text.startsWith('/*', i)) {
      const end = text.indexOf('*/', i + 2);
      i = end < 0 ? text.length : end + 2;
      continue;
    }
    if (char === '"' || char === "'" || char === '`') {
      const triple = language === 'python' && text.startsWith(char.repeat(3), i) ? char.repeat(3) : char;
      const end = closing(text, i + triple.length, triple);
      const body = text.slice(i + triple.length, end);
      const prefix = language === 'python' ? (/[A-Za-z]{1,2}$/.exec(tail.slice(-2))?.[0] ?? '') : '';
      if (char === '`' && language !== 'js' && language !== 'python') put(' backtick ');
      if (char === '`' && language === 'js' && /[\w$.)\]]/.test(last)) put('(');
      literals.push(unescaped(body));
      put(MARK);
      embedded.push(...inside(body, char, prefix, language));
      i = end + triple.length;
      continue;
    }
    if (language === 'perl' || language === 'ruby') {
      const quote = quoteLike(text, i, tail, language);
      if (quote) {
        if (quote.runs) put(' backtick ');
        literals.push(...quote.literals);
        if (quote.code) embedded.push(quote.code);
        put(MARK);
        i = quote.end;
        continue;
      }
    }
    if (char === '/' && language !== 'python' && language !== 'other' && startsRegex(tail)) {
      const end = closing(text, i + 1, '/');
      if (end < text.length && !text.slice(i, end).includes('\n')) {
        put(MARK);
        literals.push('');
        i = end + 1;
        continue;
      }
    }
    put(char);
    i++;
  }
  for (const part of embedded.slice(0, MAX_LITERALS)) {
    const nested = scan(part.slice(0, 2000), language);
    pieces.push(`\n${nested.code}`);
    literals.push(...nested.literals);
  }
  return { code: pieces.join(''), literals };
}

/** A slash begins a regular expression unless a value stands before it. */
function startsRegex(before: string): boolean {
  const word = /(?:^|[^\w$@%])(\w+)\s*$/.exec(before)?.[1];
  if (word)
    return /^(if|unless|and|or|not|return|split|grep|map|print|puts|when|while|until|case|typeof|in|of)$/.test(
      word,
    );
  return !/[\w$)\]\uE000]\s*$/.test(before);
}

function closing(text: string, from: number, quote: string): number {
  for (let i = from; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text.startsWith(quote, i)) return i;
  }
  return text.length;
}

const unescaped = (body: string) =>
  body
    .replace(/\\x([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\(['"`\\])/g, '$1')
    .replace(/\\n/g, '\n');

/** Code inside a string: f"{…}", `${…}`, "#{…}", "@{[…]}". */
function inside(body: string, quote: string, prefix: string, language: Language): string[] {
  if (quote === "'" && language !== 'python') return [];
  const open =
    language === 'python'
      ? /f/i.test(prefix)
        ? '{'
        : null
      : language === 'js'
        ? quote === '`'
          ? '${'
          : null
        : language === 'ruby'
          ? '#{'
          : language === 'perl'
            ? '@{['
            : language === 'php'
              ? '{$'
              : null;
  if (open === null) return [];
  const parts: string[] = [];
  for (let at = body.indexOf(open); at >= 0 && parts.length < MAX_LITERALS; at = body.indexOf(open, at + 1)) {
    const end = body.indexOf('}', at);
    parts.push(body.slice(at + open.length, end < 0 ? undefined : end));
  }
  return parts;
}

const PAIRS: Record<string, string> = { '(': ')', '[': ']', '{': '}', '<': '>' };

/** q(…), qx(…), %x(…), %w[…], m/…/, s/…/…/, tr/…/…/ */
function quoteLike(text: string, at: number, before: string, language: Language) {
  if (/[\w$@%&>.]/.test(before.slice(-1))) return null;
  const match =
    language === 'perl'
      ? /^(qx|qq|qw|qr|q|m|s|tr|y)\s{0,2}([^\w\s,;=)])/.exec(text.slice(at, at + 8))
      : /^(%[qQwWixr]?)([([{<|!])/.exec(text.slice(at, at + 4));
  if (!match) return null;
  const [head, kind, open] = match as unknown as [string, string, string];
  if (language === 'perl' && text.slice(at + head.length - 1).startsWith('=>')) return null;
  const close = PAIRS[open] ?? open;
  const first = closing(text, at + head.length, close);
  const body = text.slice(at + head.length, first);
  if (!/^(s|tr|y)$/.test(kind)) {
    const isRegex = kind === 'm' || kind === 'qr' || kind === '%r';
    return {
      end: first + 1,
      literals: isRegex ? [''] : [body],
      runs: kind === 'qx' || kind === '%x',
      code: null,
    };
  }
  const from = PAIRS[open] ? text.indexOf(open, first + 1) + 1 : first + 1;
  const second = closing(text, Math.max(from, first + 1), close);
  const flags = /^[a-z]*/.exec(text.slice(second + 1, second + 12))?.[0] ?? '';
  const runs = flags.includes('e') && kind === 's';
  return {
    end: second + 1 + flags.length,
    literals: [''],
    runs: false,
    code: runs ? text.slice(from, second) : null,
  };
}

const set = (names: string) => new Set(names.split(/\s+/).filter((name) => name !== ''));

const BY_EFFECT: [Effect, Set<string>][] = [
  [
    'commands',
    set(`system popen popen2 popen3 popen4 exec execv execve execvp execl execlp execle execSync execFile execFileSync spawn spawnSync
      spawnl spawnv spawnlp fork forkpty shell_exec passthru proc_open pcntl_exec subprocess child_process pty backtick Open3
      getoutput getstatusoutput check_output check_call Popen posix_spawn execute os_execute ProcessBuilder Runtime startfile
      capture2 capture3 capture2e syscall Command pexpect fabric invoke sh shell kill killpg abort_all daemon dup2`),
  ],
  [
    'deletes',
    set(`rmtree remove unlink unlinkSync rm rmSync rmdir rmdirSync removedirs rm_rf rm_r rm_f remove_dir remove_entry
      removeSync delete delete_all destroy deleteMany deleteOne dropDatabase drop truncate truncateSync ftruncate rimraf del
      emptyDir emptyDirSync rmtree_safe send2trash remove_tree purge wipe`),
  ],
  [
    'writes',
    set(`write_text write_bytes writeFile writeFileSync appendFile appendFileSync createWriteStream chmod chown chmodSync chownSync
      lchmod lchown rename renameSync move copy copyfile copytree copy2 copyFile copyFileSync cp cpSync symlink symlinkSync link linkSync mkdir
      mkdirSync makedirs mkdir_p mkdtemp touch writelines putenv setuid setgid seteuid file_put_contents fwrite fputs writev
      write writeSync writeTextFile writeTextFileSync mv ln install utime mknod mkfifo to_csv to_excel to_sql to_parquet savefig extractall`),
  ],
  [
    'network',
    set(`socket urllib urllib2 urllib3 urlopen urlretrieve requests httpx aiohttp http https fetch net dgram tls request
      fsockopen stream_socket_client TCPSocket UDPSocket TCPServer LWP Socket XMLHttpRequest axios WebSocket smtplib ftplib
      telnetlib webbrowser paramiko boto3 botocore curl_init curl_exec sendto connect create_connection getaddrinfo HTTP Net wget nmap Faraday
      HTTParty RestClient Mechanize`),
  ],
  [
    'dynamic',
    set(`eval execfile compile getattr setattr delattr globals locals vars builtins importlib import_module runpy
      Function constructor vm runInThisContext runInNewContext runInContext instance_eval class_eval module_eval send public_send
      __send__ const_get method_missing define_method marshal pickle cPickle shelve dill codecs ctypes cffi dlopen binding
      mainModule _load createRequire Reflect Proxy call_user_func call_user_func_array create_function preg_replace include
      include_once require_once loadstring dofile loadfile load_module worker_threads Worker unserialize unsafe_load UnsafeLoader`),
  ],
  [
    'decodes',
    set(`b64decode b32decode b16decode a85decode unhexlify atob base64_decode decode64 strict_decode64 decodebytes fromhex unpack
      str_rot13 gzinflate gzuncompress hex2bin zlib base64 binascii decompress fromCharCode`),
  ],
];

/** Called names that compute, print or look. */
const HARMLESS = set(`
  print printf println puts p pp say echo var_dump print_r log error warn info debug table dir trace write_stdout sprintf format die exit
  len range sorted reversed enumerate zip map filter reduce sum min max abs round pow divmod int float str bool list dict set tuple
  frozenset bytes bytearray repr ascii chr ord hex oct bin hash id type isinstance issubclass callable iter next any all slice
  dumps loads load safe_load flush compile_ dump stringify parse keys values items entries get has add append extend insert pop index count sort reverse
  join split rsplit splitlines strip lstrip rstrip trim trimStart trimEnd upper lower title capitalize casefold swapcase replace
  replaceAll startswith endswith startsWith endsWith find rfind findall finditer search match matchAll fullmatch sub subn test
  group groups groupdict span isdigit isalpha isalnum isspace isupper islower isnumeric zfill ljust rjust center partition encode
  decode forEach each some every findIndex indexOf lastIndexOf includes concat flat flatMap push shift unshift splice fill from of
  isArray assign freeze fromEntries toString toFixed toUpperCase toLowerCase toLocaleString toISOString padStart padEnd charAt
  charCodeAt codePointAt substring substr at Number String Boolean Array Object Symbol BigInt Map Set WeakMap Date RegExp Error
  Promise resolve then catch finally allSettled race now getTime getFullYear getMonth getDate getDay getHours getMinutes
  parseInt parseFloat isNaN isFinite isInteger encodeURIComponent decodeURIComponent setTimeout floor ceil sqrt cbrt sin cos tan
  atan atan2 log2 log10 exp random randint choice choices shuffle sample uniform gauss seed gcd lcm factorial comb perm isqrt prod
  mean median stdev mode variance today date datetime timedelta strftime strptime isoformat fromisoformat timestamp fromtimestamp
  utcnow time perf_counter monotonic sleep localtime gmtime ctime mktime asctime Counter defaultdict OrderedDict deque namedtuple
  most_common product permutations combinations chain accumulate groupby islice cycle count_ partial lru_cache Path PurePath cwd
  home exists is_file is_dir iterdir glob rglob read_text read_bytes resolve_ as_posix relative_to with_suffix getcwd listdir walk
  scandir stat getsize getmtime basename dirname abspath realpath expanduser normpath splitext isfile isdir islink relpath getenv getpid
  getppid uname cpu_count system_ platform machine processor python_version node release version architecture arch cpus freemem
  totalmem hostname gethostname tmpdir uptime memoryUsage hrtime nextTick getuid gettempdir
  open read readline readlines close stdin reader DictReader require readFileSync readFile existsSync readdirSync statSync lstatSync
  extname isAbsolute relative createHash update digest hexdigest md5 sha1 sha256 sha512 randomUUID randomBytes uuid1 uuid4 token_hex
  token_urlsafe getsizeof getrecursionlimit exc_info format_exc print_exc pprint dedent indent fill wrap shorten Decimal Fraction
  is_available device_count array zeros ones arange linspace reshape dot shape astype tolist head tail describe mean_ read_csv DataFrame Series
  find_spec files metadata distribution distributions import_ super self__ property staticmethod classmethod dataclass field Enum auto
  Struct structuredClone queueMicrotask clearTimeout console process JSON Math Intl NumberFormat DateTimeFormat URL URLSearchParams
  TextEncoder TextDecoder Buffer byteLength inspect deepEqual equal strictEqual ok fdiv between to_s to_i to_f to_a to_h to_sym to_json inspect_
  upto downto times step select reject collect inject each_with_index each_with_object each_line each_char size length first last empty
  nil is_a respond_to freeze_ dup uniq compact flatten zip_ tally sum_ minmax sort_by group_by max_by min_by chars bytes_ lines gsub tr
  chomp chop squeeze capitalize_ center_ strftime_ parse_ pretty_generate generate iso8601 defined_ uc lc ucfirst lcfirst reverse_
  wantarray ref exists_ defined delete_key_ local int_ rand srand strlen str_replace str_repeat explode implode count_chars in_array array_map
  array_filter array_keys array_values array_merge array_sum json_encode json_decode phpversion php_sapi_name date_ strtoupper strtolower ucwords
  number_format file_get_contents file_exists is_array is_string is_null isset empty_ extension_loaded phpinfo ini_get get_loaded_extensions
  PHP_EOL PHP_VERSION tostring tonumber pairs ipairs type_ concat_ gmatch rep byte char unpack_ cat_ paste nchar toupper tolower
  main run_tests expect describe_ it_ `);

/** Words of the languages themselves; a bracket may follow them. */
const WORDS =
  set(`if elif else elsif for foreach while until unless switch case when match return function def lambda class new await async yield in of
  not and or is import from as with try except catch finally raise throw throws pass break continue del global nonlocal const let var my our
  use no strict warnings begin end do_ then next last redo unless eq ne lt gt le ge cmp x print true false null undefined None True False nil
  typeof instanceof void this self void echo static public private fn BEGIN END STDIN STDOUT STDERR ENV ARGV ARGF File Dir Time Date DateTime JSON YAML_
  Math Integer Float String Array Hash Set Kernel RUBY_VERSION RUBY_PLATFORM puts Comparable Struct Rational Complex Random SecureRandom uuid hex
  POSIX Data Dumper List Util utf8 feature scalar push pop shift unshift splice sort keys values each exists defined map grep join split reverse
  length index rindex sprintf printf say chomp chop lc uc abs int sqrt hex oct ord chr local localtime gmtime time qw package sub wantarray die warn exit
  local_ substr first max min sum uniq all any none strftime mktime floor ceil binmode STDIN_ eof close readline ref undef ucfirst lcfirst
  then loop rescue ensure module attr_accessor require_relative_ lines p pp n a i F l ne e`);

const SAFE_DUNDER = set(
  '__version__ __name__ __file__ __doc__ __init__ __main__ __len__ __str__ __repr__ __dirname __filename __FILE__ __LINE__ __END__',
);

const BUILTIN_MODULES: [RegExp, Effect][] = [
  [/^(node:)?child_process$/, 'commands'],
  [/^(node:)?(net|http|https|http2|tls|dgram|dns)$/, 'network'],
  [/^(node:)?(vm|module|worker_threads|cluster|repl|inspector)$/, 'dynamic'],
  [/^base64$/, 'decodes'],
];

/**
 * What a program may do, told from its names and strings alone.
 *
 * @returns `lines` are its strings, and neighbouring ones joined as an argument list or a sum would join them
 */
export function readCode(
  text: string,
  language: Language,
): { effects: Effect[]; literals: string[]; lines: string[] } {
  const { code, literals } = scan(text.slice(0, MAX_CODE), language);
  const effects = new Set<Effect>();
  const names = namesOf(code);
  const own = declared(code, language);
  for (const { name, called, member, sigil } of names) {
    if (sigil && !called) continue;
    const effect = BY_EFFECT.find(([, known]) => known.has(name))?.[0];
    const harmless =
      (name === 'write' && /\b(stdout|stderr)\.$/.test(member)) ||
      (name === 'compile' && /\bre\.$/.test(member)) ||
      (own.has(name) && !called);
    if (harmless) continue;
    if (effect) {
      effects.add(effect);
      continue;
    }
    if (name.startsWith('__') && !SAFE_DUNDER.has(name)) effects.add('dynamic');
    if (sigil && called && language === 'php') effects.add('dynamic');
    const asked = called || ((language === 'perl' || language === 'ruby') && !sigil);
    if (!asked || own.has(name) || WORDS.has(name) || HARMLESS.has(name)) continue;
    if (language === 'perl' && member === '{') continue;
    effects.add('other');
  }
  // a string is a function where one is called back: array_map("unlink", …)
  for (const literal of language === 'php' ? literals : []) {
    const called = BY_EFFECT.find(([, known]) => known.has(literal))?.[0];
    if (called) effects.add(called);
  }
  for (const literal of language === 'js' ? literals : []) {
    for (const [module, effect] of BUILTIN_MODULES) if (module.test(literal)) effects.add(effect);
  }
  // a computed member that is called may be any
  if (/\]\s?\(/.test(code) && (language === 'js' || language === 'python')) effects.add('dynamic');
  if (language === 'js' && /\[\s?\uE000\s?\+|\b(require|import)\s?\((?!\uE000\s?\))/.test(code))
    effects.add('dynamic');
  if (/\bopen\s?\(/.test(code) && (opensToWrite(code, literals) || language === 'perl'))
    effects.add('writes');
  if (/\b(os|Path|pathlib|PurePath)\b/.test(code) && /\.replace\s?\(/.test(code)) effects.add('writes');
  if (language === 'perl' && /\bopen\b|\bdo\s?\uE000|\brequire\b/.test(code)) effects.add('writes');
  if (language === 'ruby' && /\b(Kernel|IO|Process|FileUtils|Shellwords)\b/.test(code)) effects.add('other');
  // Bun.$`…`, zx, execa
  if (language === 'js' && /\$\s?\(\uE000/.test(code)) effects.add('commands');
  if (language === 'other' && APPLESCRIPT.test(code)) effects.add('other');
  if (language === 'other' && /\bdo shell script\b|\bos\.execute|\bio\.popen/.test(code))
    effects.add('commands');
  const paths = /\bhomedir\b|\bPath\.home\b|\bHOME\b/.test(text) ? ['~'] : [];
  return {
    effects: effects.size === 0 ? ['harmless'] : [...effects],
    literals: [...literals, ...paths],
    lines: joinedLiterals(code, literals),
  };
}

/** Tells another application what to do. */
const APPLESCRIPT =
  /\b(tell|app|application|Application|keystroke|empty|quit|the clipboard|system attribute|mount volume|set volume|run script|load script)\b/;

const opensToWrite = (code: string, literals: string[]) =>
  literals.some((literal) => /^[rbt]?[wax+][bt+]{0,2}$/.test(literal)) ||
  /\bopen\s?\([^()]{0,200},(?!\s?(\uE000|encoding|newline|errors))/.test(code);

type Name = { name: string; called: boolean; member: string; sigil: boolean };

function namesOf(code: string): Name[] {
  const names: Name[] = [];
  const pattern = /[A-Za-z_][\w]*/g;
  for (let match = pattern.exec(code); match && names.length < 5000; match = pattern.exec(code)) {
    const name = match[0];
    const before = code.slice(Math.max(0, match.index - 16), match.index);
    const after = code.slice(match.index + name.length, match.index + name.length + 3);
    // string prefixes (f"…"), and flags and keys
    if (after.startsWith(MARK) && /^[rRbBfFuU]{1,2}$/.test(name)) continue;
    if (/^\s?=>/.test(after) || /^:[^:]/.test(after)) continue;
    const sigil = /[$@%&]\{?$/.test(before) && !/&&\s?$/.test(before);
    names.push({
      name,
      called: /^[?!]?\s?\(/.test(after) || /\bnew\s$/.test(before),
      member: /[\w.]*[{.]$/.exec(before)?.[0] ?? '',
      sigil,
    });
  }
  return names;
}

/** Names that the program gives itself. */
function declared(code: string, language: Language): Set<string> {
  const own = new Set<string>();
  const add = (pattern: RegExp) => {
    for (const match of code.matchAll(pattern)) {
      for (const name of (match[1] ?? '').split(/[\s,*:{}[\]()]+/))
        if (/^[A-Za-z_]\w*$/.test(name)) own.add(name);
    }
  };
  add(/\b([A-Za-z_]\w*)\s?=(?![=~>])/g);
  add(/\b(?:const|let|var|my|our|local)\s([^=;]{1,200})/g);
  add(/\b(?:def|function|sub|fn|class)\s(\w+)/g);
  add(/\b(?:def|function)\s?\w{0,60}\s?\(([^)]{0,200})\)/g);
  add(/\bfor\s([\w\s,()]{1,100}?)\sin\b/g);
  add(/\blambda\s([\w\s,]{0,100}):/g);
  add(/\(([\w\s,]{0,100})\)\s?=>/g);
  add(/\b(\w+)\s?=>/g);
  add(/\bas\s(\w+)/g);
  if (language === 'ruby') add(/\|([\w\s,]{1,100})\|/g);
  return own;
}

/** Each string, and those that stand in one list or one sum together. */
function joinedLiterals(code: string, literals: string[]): string[] {
  const lines: string[] = [];
  let at = 0;
  let list: string[] = [];
  let previous = -1;
  const flush = () => {
    if (list.length > 1) lines.push(list.join(' '));
    list = [];
  };
  // suspicions, so the first ones do
  for (let i = code.indexOf(MARK); i >= 0 && at < 20 * MAX_LITERALS; i = code.indexOf(MARK, i + 1)) {
    const literal = literals[at] ?? '';
    at++;
    const between = previous < 0 ? null : code.slice(previous + 1, i).replace(/\s+/g, '');
    const joined = between !== null && /^[+.]$/.test(between) && (list.at(-1)?.length ?? 0) < MAX_LINE;
    if (joined) list.push(`${list.pop() ?? ''}${literal}`);
    else if (between !== null && /^\]?,\[?$/.test(between)) list.push(literal);
    else {
      flush();
      list = [literal];
    }
    if (literal !== '') lines.push(list.length === 1 ? (list[0] as string) : literal);
    previous = i;
  }
  flush();
  return [...new Set(lines)]
    .filter((line) => /[a-z]/i.test(line) && line.length < MAX_LINE)
    .slice(0, MAX_LITERALS);
}
