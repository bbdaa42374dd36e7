import type { Effect } from '../types.ts';
import { effectsByName, found, type Language, modules, set } from './language.ts';

/** Modules with what they are for: an import shows what the program is about to do. */
const MODULES: [RegExp, Effect][] = [
  [
    /^(subprocess|pty|pexpect|ptyprocess|fabric|invoke|sh|plumbum|pip|ensurepip|pipes|commands|win32api|win32process|winrm|psutil|multiprocessing|popen2)$/,
    'commands',
  ],
  [
    /^(socket|socketserver|ssl|urllib|urllib2|urllib3|requests|httpx|http|httplib|httplib2|aiohttp|pycurl|treq|websockets?|smtplib|ftplib|telnetlib|poplib|imaplib|nntplib|xmlrpc|asyncore|asynchat|webbrowser|paramiko|asyncssh|netmiko|boto|boto3|botocore|google|azure|twisted|tornado|scapy|redis|pymongo|psycopg|psycopg2|pymysql|MySQLdb|asyncpg|kafka|pika|zmq|grpc|dns|slack_sdk|tweepy|openai|anthropic)$/,
    'network',
  ],
  [
    /^(pickle|cPickle|marshal|shelve|dill|cloudpickle|joblib|jsonpickle|code|codeop|imp|importlib|runpy|zipimport|pkgutil|ctypes|cffi|codecs|builtins|__builtin__|gc|pdb|bdb|types|timeit|cProfile|profile|trace|doctest|lib2to3|sitecustomize)$/,
    'dynamic',
  ],
  [/^(tempfile|dbm|fileinput|winreg|crontab|send2trash)$/, 'writes'],
  [/^(base64|binascii|zlib|bz2|lzma)$/, 'decodes'],
];

const importsOf = (code: string): string[] =>
  [...code.matchAll(/\b(?:import|from)[ \t]+([\w., \t]{1,200})/g)].flatMap((match) =>
    (match[1] ?? '').split(/[ \t,.]+/),
  );

export const PYTHON: Language = {
  syntax: {
    comment: '#',
    tripleQuotes: true,
    backtick: 'string',
    opens: (_quote, prefix) => (/f/i.test(prefix) ? '{' : null),
  },
  computedCalls: true,
  writes: 'python',
  effects: effectsByName({
    commands: `
      getoutput getstatusoutput check_output check_call Popen startfile create_subprocess_exec
      create_subprocess_shell spawnle spawnlpe spawnve spawnvpe posix_spawnp ProcessPoolExecutor send_signal
      pidfd_send_signal openpty initgroups ptrace`,
    deletes: 'remove_file drop_all drop_table drop_index flushall flushdb truncate_table',
    writes: `
      write_text write_bytes copy2 copyfileobj copymode copystat hardlink_to symlink_to link_to make_archive
      unpack_archive mkstemp NamedTemporaryFile TemporaryDirectory to_csv to_excel to_sql to_parquet setxattr
      removexattr sendfile umask chroot chflags setpriority commit executescript executemany fdopen openat
      FileHandler savetxt savez`,
    network: `
      urlretrieve open_connection start_server open_unix_connection socketpair create_server fromfd AF_INET
      SOCK_STREAM HTTPServer HTTPConnection HTTPSConnection ThreadingHTTPServer SimpleXMLRPCServer`,
    dynamic: `
      compile getattr setattr delattr globals locals vars builtins __builtins__ import_module run_path
      run_module exec_module load_module spec_from_file_location InteractiveConsole interact unsafe_load
      full_load UnsafeLoader FullLoader attrgetter methodcaller FunctionType CodeType settrace setprofile
      addaudithook breakpoint read_pickle`,
    decodes: 'b32decode b16decode b85decode a85decode decodebytes a2b_base64 a2b_hex rot13',
  }),
  harmless: set(`
      print pprint pp repr format len range sorted reversed enumerate zip map filter reduce sum min max abs
      round pow divmod int float complex str bool list dict set tuple frozenset bytes bytearray ascii chr ord
      hex oct bin hash id type isinstance issubclass callable iter next any all slice super property
      staticmethod classmethod dataclass field dumps dump loads load safe_load flush keys values items get has
      add append extend insert pop popitem index count sort reverse setdefault update discard union
      intersection difference join split rsplit splitlines strip lstrip rstrip upper lower title capitalize
      casefold swapcase replace startswith endswith find rfind findall finditer search match fullmatch sub
      subn group groups groupdict span start end isdigit isalpha isalnum isspace isupper islower isnumeric
      isdecimal isidentifier zfill ljust rjust center partition rpartition removeprefix removesuffix
      expandtabs encode decode translate maketrans dedent indent fill wrap shorten random randint randrange
      choice choices shuffle sample uniform gauss seed gcd lcm factorial comb perm isqrt prod sqrt cbrt floor
      ceil trunc fabs exp log log2 log10 sin cos tan asin acos atan atan2 hypot degrees radians isnan isinf
      isclose mean median stdev mode variance quantiles today now utcnow date time datetime timedelta strftime
      strptime isoformat fromisoformat timestamp fromtimestamp utcfromtimestamp total_seconds perf_counter
      monotonic process_time sleep localtime gmtime ctime mktime asctime timezone ZoneInfo Counter defaultdict
      OrderedDict deque namedtuple most_common product permutations combinations chain accumulate groupby
      islice cycle starmap zip_longest pairwise partial lru_cache itemgetter wraps total_ordering Path
      PurePath PurePosixPath cwd home exists is_file is_dir iterdir glob rglob read_text as_posix relative_to
      with_suffix with_name resolve absolute getcwd listdir walk scandir stat lstat getsize getmtime basename
      dirname abspath realpath expanduser expandvars normpath normcase splitext splitdrive isfile isdir islink
      ismount relpath commonpath commonprefix getenv getpid getppid uname cpu_count getloadavg platform
      machine processor python_version python_implementation node release version architecture gethostname
      getuid geteuid getgid getlogin gettempdir gettempprefix getpreferredencoding getdefaultencoding open
      read readline readlines close stdin reader DictReader md5 sha1 sha224 sha256 sha384 sha512 blake2b
      digest hexdigest uuid1 uuid3 uuid4 uuid5 token_hex token_urlsafe token_bytes getsizeof getrecursionlimit
      exc_info format_exc print_exc b64encode b32encode b16encode hexlify pstats Stats sort_stats strip_dirs print_stats Decimal Fraction quantize as_tuple as_integer_ratio to_integral_value is_nan is_finite Enum IntEnum auto
      Struct calcsize parse unparse literal_eval walk is_available device_count get_device_name array zeros ones arange linspace reshape dot
      shape astype tolist head tail describe read_csv read_json read_parquet read_excel DataFrame Series isna
      isnull notna notnull dropna fillna groupby agg value_counts nunique sort_values nlargest nsmallest astype drop_duplicates
      duplicated to_string to_dict to_list corr std select_dtypes memory_usage pivot_table crosstab quantile info find_spec files metadata
      distribution distributions requires entry_points get_distribution getsource getdoc getfile signature
      getmembers exit`),
  keywords: set(`
      if elif else for while return def lambda class async await yield in of not and or is import from as with
      try except finally raise pass break continue del global nonlocal assert match case print True False None
      self cls x Exception ValueError TypeError KeyError IndexError RuntimeError SystemExit AssertionError
      StopIteration OSError FileNotFoundError NotImplementedError ZeroDivisionError`),
  inspect: (code, literals, text) => [
    // in another encoding a comment may be code
    ...found(text, [[/#[^\n]*coding[:=][ \t]*(?!utf-?8\b)/i, 'dynamic']]),
    ...modules(importsOf(code), MODULES),
    // modules that are used without an import, as in a part of a longer program
    ...found(code, [
      [/\b(subprocess|pty|pexpect|pip)\s?\./, 'commands'],
      [
        /\b(socket|urllib\d?|requests|httpx|aiohttp|smtplib|ftplib|telnetlib|webbrowser|paramiko|boto3)\s?\./,
        'network',
      ],
      [/\b(pickle|marshal|ctypes|builtins|importlib|codecs|runpy|shelve|dill|joblib)\s?\./, 'dynamic'],
      [/\bfrom\s+(os|posix|nt)\s+import\b[^\n;]*\b(replace|open)\b/, 'writes'],
      [/\bos\.(replace|rename|renames|open|write|fdopen)\b/, 'writes'],
      // what it reads is put together at run time
      [
        /\b(open|Path)\s?\([^()]{0,200}(\+|%|\.\s?(join|format|replace)\b)|\uE000\s?\)?\s?\/|\/\s?\uE000/,
        'other',
      ],
      [
        /\byaml\s?\.\s?(load|load_all|full_load|unsafe_load)\b(?!\s?\([^()]{0,200}(SafeLoader|CSafeLoader))/,
        'dynamic',
      ],
      // a function of a module under another name: r = os.replace
      [
        /=\s?(os|shutil|sys|signal|io|posix|nt|pathlib|tempfile|site|threading|asyncio)\s?\.\s?(?!path\b|environ\b|sep\b|name\b|argv\b|stdin\b|stdout\b|version\w*\b|platform\b|executable\b|maxsize\b|linesep\b|modules\b|flags\b|byteorder\b)[a-z]\w*\b(?!\s?\()/,
        'other',
      ],
      // `open` under another name
      [/\bopen\b(?!\s?\()/, 'other'],
      // the whole environment
      [/\benvironb?\b(?!\s?(\.\s?get\b|\[|\.\s?keys\b))/, 'other'],
      [
        /\b(yaml|torch|numpy|np|joblib)\.load\s?\((?![\s\S]{0,200}(SafeLoader|weights_only\s?=\s?True))/,
        'dynamic',
      ],
      [/\bmodules\s?\[/, 'dynamic'],
      [/\b__(?!version__|name__|file__|doc__|init__|main__|len__|str__|repr__)\w+/, 'dynamic'],
    ]),
    // what is imported from elsewhere runs
    ...(/\bsys\s?\.\s?path\b/.test(code) && literals.some((text) => /^(\/|~|\.\.)/.test(text))
      ? (['dynamic'] as const)
      : []),
    ...(/\b(os|Path|pathlib|PurePath)\b/.test(code) && /\.replace\s?\(/.test(code)
      ? (['writes'] as const)
      : []),
    ...(/\bopen\s?\(/.test(code) && opensToWrite(code, literals) ? (['writes'] as const) : []),
    ...(/\bread_\w+\s?\(/.test(code) && literals.some((text) => /^\w+:\/\//.test(text))
      ? (['network'] as const)
      : []),
  ],
};

const opensToWrite = (code: string, literals: string[]) =>
  literals.some((literal) => /^[rbt]?[wax+][bt+]{0,2}$/.test(literal)) ||
  /\bopen\s?\([^()]{0,200},(?!\s?(\uE000|encoding|newline|errors))/.test(code);
