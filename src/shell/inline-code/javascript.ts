import { effectsByName, found, type Language, modules, set } from './language.ts';

/** Node, Deno and Bun. */
export const JAVASCRIPT: Language = {
  syntax: {
    comment: '//',
    blockComments: true,
    backtick: 'template',
    patterns: true,
    opens: (quote) => (quote === '`' ? '${' : null),
  },
  computedCalls: true,
  writes: 'javascript',
  effects: effectsByName({
    commands: `
      execSync execFile execFileSync child_process spawn_sync spawn_process reallyExit _kill execa execaSync
      execaCommand shelljs zx pty Worker cluster dlopen setuid setgid`,
    deletes: `
      unlinkSync rmSync rmdirSync removeSync removeAsync emptyDirSync truncateSync ftruncateSync deleteSync
      trash rimrafSync flushall flushdb`,
    writes: `
      writeFile writeFileSync appendFile appendFileSync createWriteStream chmodSync chownSync lchownSync
      fchmodSync fchownSync renameSync copyFileSync cpSync symlinkSync linkSync mkdirSync mkdtempSync
      utimesSync futimesSync lutimesSync writeSync writevSync openSync writeTextFile writeTextFileSync
      writeFileStr outputFile outputFileSync outputJson outputJsonSync writeJson writeJsonSync ensureDir
      ensureDirSync ensureFile ensureFileSync moveSync copySync createSync makeTempDir makeTempFile chdir
      umask`,
    network: `
      dgram tls http2 XMLHttpRequest axios EventSource WebTransport createServer createConnection createSocket
      listenTls connectTls startTls serveHttp resolveDns sendBeacon superagent nodemailer ssh2
      upgradeWebSocket`,
    dynamic: `
      Function constructor vm runInThisContext runInNewContext runInContext compileFunction SourceTextModule
      _linkedBinding internalBinding mainModule _load _compile _extensions createRequire registerHooks Reflect
      Proxy worker_threads getBuiltinModule loadEnvFile inspector Inspector repl setFlagsFromString
      importScripts AsyncFunction GeneratorFunction WebAssembly __proto__ __defineGetter__ ffi FFI JSCallback`,
    decodes:
      'fromCharCode fromCodePoint unescape inflateSync gunzipSync unzipSync brotliDecompressSync inflateRawSync',
  }),
  harmless: set(`
      log error warn info debug table dir trace group groupEnd count time timeEnd print stringify parse keys
      values entries fromEntries assign freeze isArray from of forEach map filter reduce reduceRight each some
      every find findIndex findLast findLastIndex indexOf lastIndexOf includes concat flat flatMap push pop
      shift unshift splice slice fill join reverse sort toSorted toReversed with at has get set add size next
      hasOwn is split trim trimStart trimEnd replace replaceAll match matchAll search test substr substring
      charAt charCodeAt codePointAt padStart padEnd repeat startsWith endsWith toUpperCase toLowerCase
      toLocaleUpperCase toLocaleLowerCase toLocaleString toString toFixed toPrecision toISOString toJSON
      toDateString valueOf localeCompare normalize raw Number String Boolean Array Object Symbol BigInt Map
      Set WeakMap WeakSet Date RegExp Error TypeError RangeError SyntaxError Promise resolve reject then catch
      finally all allSettled race any now getTime getFullYear getMonth getDate getDay getHours getMinutes
      getSeconds getTimezoneOffset UTC resolvedOptions parseInt parseFloat isNaN isFinite isInteger
      isSafeInteger encodeURIComponent decodeURIComponent encodeURI decodeURI setTimeout clearTimeout
      setInterval clearInterval setImmediate queueMicrotask structuredClone nextTick floor ceil round trunc
      sqrt cbrt sin cos tan atan atan2 log2 log10 exp pow abs min max random hypot sign require import
      readFileSync readFile readTextFile readTextFileSync existsSync readdirSync statSync lstatSync readDir
      readDirSync basename dirname extname isAbsolute relative createHash createHmac update digest md5 sha1
      sha256 randomUUID randomBytes randomInt cwd uptime memoryUsage hrtime cpuUsage platform arch release
      version type machine cpus freemem totalmem hostname tmpdir loadavg availableParallelism getuid Intl
      NumberFormat DateTimeFormat format URL URLSearchParams TextEncoder TextDecoder encode decode Buffer
      byteLength alloc isBuffer inspect deepEqual equal strictEqual deepStrictEqual ok exit expect main sum
      len range`),
  keywords: set(`
      if else for while do return function class new await async yield in of instanceof typeof void import
      export from as with try catch finally throw break continue const let var switch case default this super
      static get set null undefined true false console process JSON Math x`),
  inspect: (code, literals) => [
    ...modules(literals, [
      [
        /^(node:)?child_process$|^(execa|cross-spawn|shelljs|zx|node-pty|sudo-prompt|foreground-child)$/,
        'commands',
      ],
      [
        /^(node:)?(net|http|https|http2|tls|dgram|dns|dns\/promises)$|^(got|axios|node-fetch|undici|request|superagent|needle|phin|ky|ws|ssh2|socket\.io(-client)?|nodemailer|bent|follow-redirects|npm-registry-fetch)$/,
        'network',
      ],
      [
        /^(node:)?(vm|module|worker_threads|cluster|repl|inspector|inspector\/promises|wasi|sea|test)$/,
        'dynamic',
      ],
      [/^(bun:(ffi|jsc)|data:.*)$/s, 'dynamic'],
      [/^(rimraf|del|trash)$/, 'deletes'],
    ]),
    ...found(code, [
      // the name of a property or a module is put together at run time
      [/\[\s?\uE000\s?\+/, 'dynamic'],
      [/\b(require|import)\s?\((?!\uE000\s?\))/, 'dynamic'],
      // the result of a call is called: require('x')(…)
      [/[^}\s]\s?\)\s?\(/, 'dynamic'],
      // `require` under another name
      [/\brequire\b(?!\s?[(.])/, 'dynamic'],
      // Bun.$`…`, zx, execa
      [/\$\s?\(\uE000/, 'commands'],
      [/\bDeno\.(Command|run|dlopen|connect|listen)\b|\bBun\.(spawn|spawnSync|\$)/, 'commands'],
      [/\bDeno\.(connect|listen|serve)\w*|\bBun\.(connect|listen|serve|udpSocket)\b/, 'network'],
      [/\bBun\.write\b/, 'writes'],
      // the whole environment
      [/(?:\.\s?|\{\s?)env\b(?!\s?(?:\.\s?(?!toObject)\w|\[|\?\.|:|\())/, 'other'],
      [/\bprocess\b(?!\s?(?:\.\s?(?!report\b)\w|\?\.|:))|\b(?:globalThis|global)\s?\[/, 'other'],
      [/\b__(?!dirname\b|filename\b)\w+/, 'dynamic'],
    ]),
    ...(literals.includes('env') && /\[\s?\uE000/.test(code) ? (['other'] as const) : []),
    // code from outside the project, and scripts of it that do more than compute, by their names
    ...(/\b(require|import)\b/.test(code) &&
    literals.some((text) =>
      /^(\/|\.\.\/|~|file:|https?:)|^\.\/(\S*[/._-])?(deploy|release|publish|destroy|nuke|wipe|drop|purge|teardown|seed|migrate)/.test(
        text,
      ),
    )
      ? (['other'] as const)
      : []),
  ],
};
