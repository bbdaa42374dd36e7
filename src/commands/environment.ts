import { words } from '../shell/names.ts';
import type { Arg, Invocation } from '../shell/types.ts';
import { within } from '../shell/zones.ts';

// Variables before a command (`NAME=value command`, `export`, `env`, `cross-env`). Most programs read some: names of other
// programs to run, code to load, hosts to talk to. Nobody can list all of those, so only what is listed here passes.

const names = (text: string): ReadonlySet<string> => new Set(words(text));

/** Variables that only say how much is printed, in which mode an application runs, or how many threads it takes. */
const ANY_VALUE = names(`
  NODE_ENV CI DEBUG VERBOSE QUIET PORT TZ LANG LANGUAGE TERM COLORTERM FORCE_COLOR NO_COLOR CLICOLOR CLICOLOR_FORCE COLUMNS
  LINES LOG_LEVEL LOGLEVEL LOG_FORMAT RUST_BACKTRACE RUST_LIB_BACKTRACE RUST_LOG RUST_TEST_THREADS RUST_TEST_NOCAPTURE
  RUST_MIN_STACK CGO_ENABLED GOOS GOARCH GOARM GOAMD64 GOMAXPROCS GOGC GOTRACEBACK GO111MODULE GODEBUG GORACE GOEXPERIMENT
  GOMEMLIMIT PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE PYTHONHASHSEED PYTHONIOENCODING PYTHONUTF8 PYTHONOPTIMIZE
  PYTHONFAULTHANDLER PYTHONASYNCIODEBUG PYTHONTRACEMALLOC PYTHONNOUSERSITE PYTHONSAFEPATH FLASK_ENV FLASK_DEBUG DJANGO_DEBUG
  RAILS_ENV RACK_ENV RAILS_LOG_TO_STDOUT RAILS_MAX_THREADS MIX_ENV MIX_TEST_PARTITION ERL_CRASH_DUMP_SECONDS APP_ENV BABEL_ENV
  ASPNETCORE_ENVIRONMENT DOTNET_ENVIRONMENT DOTNET_CLI_TELEMETRY_OPTOUT DOTNET_NOLOGO CYPRESS_CRASH_REPORTS JEST_WORKERS
  GIT_TERMINAL_PROMPT GIT_OPTIONAL_LOCKS GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_AUTHOR_DATE GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL
  GIT_COMMITTER_DATE GIT_LFS_SKIP_SMUDGE GIT_MERGE_AUTOEDIT GIT_PAGER_IN_USE HUSKY HUSKY_SKIP_HOOKS SKIP DOCKER_BUILDKIT
  COMPOSE_DOCKER_CLI_BUILD COMPOSE_PROJECT_NAME COMPOSE_PROFILES BUILDKIT_PROGRESS DOCKER_DEFAULT_PLATFORM DEBIAN_FRONTEND
  NEEDRESTART_MODE NODE_NO_WARNINGS NODE_DEBUG NO_UPDATE_NOTIFIER ADBLOCK OPEN_SOURCE_CONTRIBUTOR PWDEBUG TS_NODE_TRANSPILE_ONLY
  TS_NODE_FILES NEXT_TELEMETRY_DISABLED TURBO_TELEMETRY_DISABLED NX_DAEMON NX_SKIP_NX_CACHE NX_VERBOSE_LOGGING
  ASTRO_TELEMETRY_DISABLED CHECKPOINT_DISABLE GENERATE_SOURCEMAP BROWSERSLIST_IGNORE_OLD_DATA OMP_NUM_THREADS MKL_NUM_THREADS
  OPENBLAS_NUM_THREADS NUMEXPR_NUM_THREADS CUDA_VISIBLE_DEVICES CUDA_LAUNCH_BLOCKING HF_HUB_OFFLINE TRANSFORMERS_OFFLINE
  HF_DATASETS_OFFLINE TOKENIZERS_PARALLELISM TF_CPP_MIN_LOG_LEVEL TF_ENABLE_ONEDNN_OPTS PYTORCH_CUDA_ALLOC_CONF
  PYTORCH_ENABLE_MPS_FALLBACK WANDB_MODE WANDB_DISABLED WANDB_SILENT PIP_NO_CACHE_DIR PIP_DISABLE_PIP_VERSION_CHECK
  PIP_NO_INPUT PIP_ROOT_USER_ACTION UV_NO_PROGRESS UV_OFFLINE UV_FROZEN UV_LOCKED UV_NO_CACHE UV_LINK_MODE POETRY_NO_INTERACTION
  POETRY_VIRTUALENVS_CREATE POETRY_VIRTUALENVS_IN_PROJECT PYTEST_DISABLE_PLUGIN_AUTOLOAD SOURCE_DATE_EPOCH
  MACOSX_DEPLOYMENT_TARGET CARGO_TERM_COLOR CARGO_TERM_VERBOSE CARGO_TERM_PROGRESS_WHEN CARGO_INCREMENTAL CARGO_NET_OFFLINE
  CARGO_BUILD_JOBS CMAKE_BUILD_TYPE CMAKE_EXPORT_COMPILE_COMMANDS CMAKE_BUILD_PARALLEL_LEVEL CMAKE_COLOR_DIAGNOSTICS
  CTEST_OUTPUT_ON_FAILURE CTEST_PARALLEL_LEVEL GTEST_FILTER GTEST_COLOR QT_QPA_PLATFORM SDL_VIDEODRIVER SDL_AUDIODRIVER
 
  DISPLAY GPG_TTY LESSCHARSET MANWIDTH GREP_COLOR GREP_COLORS LS_COLORS LSCOLORS JQ_COLORS HOMEBREW_NO_AUTO_UPDATE
  HOMEBREW_NO_INSTALL_CLEANUP HOMEBREW_NO_ANALYTICS ANSIBLE_NOCOWS ANSIBLE_FORCE_COLOR TF_LOG TF_INPUT TF_IN_AUTOMATION
  AWS_PROFILE AWS_REGION AWS_DEFAULT_REGION AWS_DEFAULT_OUTPUT PGUSER PGPASSWORD PGDATABASE PGPORT PGCONNECT_TIMEOUT
  PGAPPNAME PGTZ MYSQL_PWD REDISCLI_AUTH COMPOSER_NO_INTERACTION COMPOSER_MEMORY_LIMIT COMPOSER_ALLOW_SUPERUSER XDEBUG_MODE
  SYMFONY_DEPRECATIONS_HELPER BUNDLE_WITHOUT BUNDLE_WITH BUNDLE_JOBS BUNDLE_FROZEN BUNDLE_DEPLOYMENT DISABLE_SPRING
  COVERAGE SIMPLECOV SEED PARALLEL_WORKERS MALLOC_ARENA_MAX MALLOC_CHECK_ MALLOC_PERTURB_ TIMEFORMAT HISTTIMEFORMAT HISTCONTROL
  PS1 PS2 OPTIND REPLY IFS FOO BAR BAZ VAR A B C X Y N PR REPO BRANCH BASE HEAD TAG SHA COMMIT ISSUE OWNER TITLE BODY MSG
  MESSAGE RUN RUN_ID PR_NUMBER VERSION ID DATE UPDATE_SNAPSHOTS RUN_SLOW WORKERS THREADS JOBS`);

const PLAIN = /^[\w.,:@%+=* -]*$/;
const LOCAL = /^(localhost|127\.0\.0\.1|::1|0\.0\.0\.0)$/;
const LOCAL_URL =
  /^[\w+]+:\/\/([^@/\s]*@)?(localhost|127\.0\.0\.1|\[::1\]|0\.0\.0\.0)(:\d+)?([/?][^\s`$]*)?$|^(sqlite|file):(\/{0,3}(?!\/)(\.\/)?[\w./-]+|\S*:memory:)$/;
const SOURCES =
  /^(\.|(\.\/)?(src|lib|app|apps|tests?|backend|server|api|packages|python|scripts)(\/[\w-]+)*)\/?$/;
/** Folders of programs that a person has installed. */
const BIN =
  /^(\$\{?PATH\}?|(\/usr|\/usr\/local|\/opt\/[\w.@/+-]+|\/snap|\/usr\/lib\/[\w.@/+-]+|\/usr\/local\/[\w.@/+-]+)?\/s?bin|(\.\/)?node_modules\/\.bin|(\.\/)?\.?venv\/bin|(\.\/)?vendor\/bin|~?\/?.*\/(\.(local|cargo|npm-global|deno|bun|nvm|volta|pyenv|rbenv|asdf|sdkman|yarn|dotnet|poetry|fly|krew)|go)\/([\w.+/-]+\/)?(bin|shims|tools)|\$\(go env GOPATH\)\/bin|\$\(npm bin\))$/;
/** The folders below a home in which version managers and toolchains lie by themselves. */
const USUAL_HOME =
  /^(\/root|\/home\/[^/]+|\/Users\/[^/]+|~|\$\{?HOME\}?)\/(\.(nvm|asdf|pyenv|rbenv|nodenv|goenv|volta|fnm|sdkman|cargo|rustup|bun|deno|dotnet)|\.sdkman\/candidates\/java\/[\w.-]+|go|\.local\/share\/(pnpm|fnm|mise)|Library\/(pnpm|Android\/sdk)|Android\/Sdk|flutter)\/?$/;
/** A compiler's flag that loads no plugin and names no other program. */
const FLAG =
  '-(O\\w?|g\\w*|W(?!l,|a,|p,|rapper)[\\w=+-]*|std=[\\w+]+|[DU]\\w+(=[\\w.]*)?|I(?!/tmp)(\\.|\\w)[\\w./-]*|l\\w+|pthread|static|shared|pg|pipe|w|v|c|s|m(arch|tune|cpu|fpu|32|64|avx2?|sse[\\d.]*)(=[\\w.-]+)?|f(?!plugin|use-ld|pass)[\\w=,-]+|-coverage)';
/** Matches the flags of a compiler when all of them are harmless. */
export const COMPILER_FLAGS = `(${FLAG}( |$))*`;
/** Matches a compiler by its usual name. */
export const COMPILER =
  '(ccache )?([\\w]+-[\\w-]+-)?(gcc|g\\+\\+|clang|clang\\+\\+|cc|c\\+\\+|ld|lld|ld\\.lld|mold|ar|as|nm|ranlib|gfortran)(-\\d+)?';

const flags = new RegExp(`^${COMPILER_FLAGS}$`);
const compiler = new RegExp(`^${COMPILER}$`);
const list = (value: string, each: RegExp) => value.split(':').every((part) => each.test(part));

/** Variables that do no harm with some values. */
const SOME_VALUES: [RegExp, (value: string, root: string) => boolean][] = [
  [/^LC_[A-Z]+$/, (value) => PLAIN.test(value)],
  [/^PATH$/, (value, root) => list(value.replaceAll(`${root}/`, ''), BIN)],
  [
    /^(DY)?LD_LIBRARY_PATH$/,
    (value) => list(value, /^(\/usr|\/opt)\/(?!.*\.\.)[\w./+-]+$|^\$\w*LD_LIBRARY_PATH$/),
  ],
  [
    /^PYTHONPATH$/,
    (value, root) =>
      value
        .split(':')
        .every((at) => at === root || at === '$PYTHONPATH' || SOURCES.test(at.replace(`${root}/`, ''))),
  ],
  [/^PYTHONWARNINGS$/, (value) => /^(ignore|default|error|always|once)(::\w+)?$/.test(value)],
  [/^(DJANGO_SETTINGS_MODULE|FLASK_APP)$/, (value) => /^[\w.]+(:\w+)?$/.test(value)],
  [
    /^PYTEST_ADDOPTS$/,
    (value) => /^(-[qvsx]+|--tb=\w+|--color=\w+|-n ?\w+|--no-cov|--maxfail=\d+| )+$/.test(value),
  ],
  [/^ENV$/, (value) => /^(test|testing|dev|development|local|staging|prod|production|ci)$/.test(value)],
  [/^(CC|CXX|LD|AR|AS|NM|RANLIB|FC)$/, (value) => compiler.test(value)],
  [/^(C|CXX|CPP|LD|F|FC|CGO_C|CGO_CXX|CGO_LD|CGO_CPP)FLAGS$|^LDLIBS$/, (value) => flags.test(value)],
  [
    /^RUSTFLAGS$|^RUSTDOCFLAGS$/,
    (value) =>
      /^(-[ADFW] ?[\w:-]+|-C ?(debuginfo|opt-level|target-cpu|target-feature|lto|debug-assertions|overflow-checks|instrument-coverage|codegen-units|panic)(=[\w+,.-]+)?|--cfg ?\w+|-Zsanitizer=\w+| )+$/.test(
        value,
      ),
  ],
  [
    /^GOFLAGS$/,
    (value) => /^(-(mod=\w+|count=\d+|v|race|trimpath|buildvcs=\w+|tags=[\w,]+|p=\d+)| )+$/.test(value),
  ],
  [/^GOTOOLCHAIN$/, (value) => /^(local|auto|go[\d.]+(\+auto)?)$/.test(value)],
  [/^MAKEFLAGS$/, (value) => /^(-?-?j ?\d*|-[ks]|--no-print-directory| )+$/.test(value)],
  [
    /^NODE_OPTIONS$/,
    (value) =>
      /^(--(max-old-space-size|max_old_space_size|max-semi-space-size|no-warnings|no-deprecation|enable-source-maps|trace-warnings|trace-deprecation|inspect|inspect-brk|unhandled-rejections|stack-trace-limit|no-experimental-fetch|openssl-legacy-provider|experimental-(vm-modules|strip-types|transform-types|sqlite|json-modules|require-module|fetch|webstorage|websocket))(=\w+)?\s*)+$/.test(
        value,
      ),
  ],
  [
    /^(JAVA_OPTS|MAVEN_OPTS|GRADLE_OPTS|JAVA_TOOL_OPTIONS|JDK_JAVA_OPTIONS|SBT_OPTS)$/,
    (value) =>
      /^(-Xm[xsn]\d+[kmgKMG]|-Xss\d+[kmgKMG]|-ea|-XX:MaxMetaspaceSize=\w+|-XX:MaxRAMPercentage=[\d.]+|-Dfile\.encoding=[\w-]+|-Dorg\.gradle\.daemon=\w+| )+$/.test(
        value,
      ),
  ],
  [/^JAVA_HOME$/, (value) => /^(\/usr\/lib\/jvm|\/opt|\/Library\/Java)\/(?!.*\.\.)[\w./+-]+$/.test(value)],
  // where version managers and toolchains lie if nobody says otherwise
  [
    /^(NVM_DIR|ASDF_DIR|ASDF_DATA_DIR|PYENV_ROOT|RBENV_ROOT|NODENV_ROOT|GOENV_ROOT|VOLTA_HOME|FNM_DIR|SDKMAN_DIR|CARGO_HOME|RUSTUP_HOME|GOPATH|BUN_INSTALL|DENO_INSTALL|PNPM_HOME|ANDROID_HOME|ANDROID_SDK_ROOT|FLUTTER_HOME|DOTNET_ROOT|JAVA_HOME)$/,
    (value) => USUAL_HOME.test(value),
  ],
  [/^[A-Z]{1,2}SAN_OPTIONS$/, (value) => /^[\w=:,.-]*$/.test(value)],
  [
    /^npm_config_(loglevel|yes|fund|audit|color|progress|legacy_peer_deps|engine_strict|update_notifier)$/i,
    (value) => /^\w*$/.test(value),
  ],
  [/^GIT_TRACE(_\w+)?$|^GIT_CURL_VERBOSE$/, (value) => /^(0|1|2|true|false)$/.test(value)],
  [
    /^(GIT_|GH_|GLAB_|MAN|SYSTEMD_|AWS_|BAT_|DELTA_)?PAGER$/,
    (value) => /^(cat|less|more|true)( -\w+)?$/.test(value),
  ],
  [
    /^(GIT_)?(SEQUENCE_)?EDITOR$|^VISUAL$|^BROWSER$/,
    (value) => /^(true|false|:|vim?|nano|cat|none|code --wait)$/.test(value),
  ],
  [/^MPLBACKEND$/, (value) => /^\w+$/.test(value)],
  [/^LESS$/, (value) => /^-?\w+$/.test(value)],
  [/^(PGHOST|HOST|(?!(DOCKER|PODMAN|BUILDX?)_)[A-Z]+_HOST)$/, (value) => LOCAL.test(value)],
  [
    /^((TEST|APP|DEV|LOCAL)_)?(DATABASE|DB|REDIS|MONGO\w*|POSTGRES\w*|MYSQL|AMQP|RABBITMQ\w*|BROKER|CELERY_\w+|API|BASE|APP|SERVER|BACKEND|FRONTEND|SITE|NEXTAUTH|PLAYWRIGHT_BASE|CYPRESS_BASE|ELASTICSEARCH|S3_ENDPOINT|AWS_ENDPOINT)_UR[IL]$/,
    (value) => LOCAL_URL.test(value),
  ],
  [
    /^(CARGO_TARGET_DIR|TMPDIR|COVERAGE_FILE|GOCACHE|GOTMPDIR)$/,
    (value, root) =>
      /^(\/tmp(\/|$)|[\w.])[\w./-]*$/.test(value.replace(`${root}/`, '')) && !value.includes('..'),
  ],
  // what the bundler puts into the application, and what tests read
  [
    /^(VITE|NEXT_PUBLIC|REACT_APP|NUXT_PUBLIC|EXPO_PUBLIC|PUBLIC|GATSBY|VUE_APP|TEST|TESTS|E2E|BENCH|FEATURE|ENABLE|DISABLE|SKIP|WITH|TF_VAR)_\w+$/,
    (value) => /^[^`$]*$/.test(value),
  ],
];

/** The names of an application's own settings, by their shape. */
const OWN =
  /^(?!(NPM|YARN|PNPM|PIP|UV|POETRY|CONDA|GIT|SSH|CARGO|RUSTUP|RUSTC|GO|NODE|DENO|BUN|PYTHON|PYTEST|RUBY|GEM|BUNDLE|PERL|PHP|LUA|JAVA|JDK|MAVEN|MVN|GRADLE|DOTNET|COREHOST|CORECLR|COMPlus|NUGET|LD|DYLD|BASH|ZSH|DOCKER|KUBE\w*|HELM|AWS|AZURE|GCLOUD|CLOUDSDK|GOOGLE|BAT|LESS|MAN|RIPGREP|FZF|CMAKE|MAKE|CC|GCC|LLVM|COMPILER|R|JULIA|ELECTRON|PUPPETEER|CHROME|BROWSER|LORE|CLAUDE|ANTHROPIC|EDITOR|GCONV|LOCPATH|GTK|QT|MESON|NIX|MISE|ASDF|ANSIBLE|VAGRANT|PG|MYSQL|PSQL|XDG|TERM\w*|TMUX|SYSTEMD|SUDO|WINE)_)[A-Z][A-Z0-9_]*_(ENV|ENVIRONMENT|PORT|MODE|LEVEL|DEBUG|VERBOSE|TIMEOUT|TIMEOUT_MS|ENABLED|DISABLED|COUNT|LIMIT|SIZE|SEED|WORKERS|THREADS|JOBS|RETRIES|LANG|LOCALE|FORMAT|TEST|TESTS|DELAY|INTERVAL|REGION|USER|USERNAME|NAME|VERSION)$/;

/**
 * Names of several words that no tool is known to obey, by their shape: the first word is no tool's, and the last one
 * says neither what to run or load nor where to go.
 */
const UNCLAIMED =
  /^(?!(NPM|YARN|PNPM|PIP\w*|UV|POETRY|CONDA|GIT|GH|SSH|CARGO|RUST\w*|GO\w*|NODE|DENO|BUN|PYTHON\w*|PYTEST|TOX|RUBY\w*|GEM|BUNDLE|PERL\w*|PHP|LUA|JAVA|JDK|MAVEN|MVN|GRADLE|ORG|SBT|DOTNET|COREHOST|CORECLR|COMPlus|NUGET|LD|DYLD|BASH|ZSH|FISH|DOCKER|COMPOSE|BUILDX|PODMAN|CONTAINER|KUBE\w*|HELM|AWS|AZURE|GCLOUD|CLOUDSDK|GOOGLE|BAT|LESS\w*|MAN\w*|RIPGREP|FZF|C?MAKE\w*|CC|CXX|GCC|LLVM|CLANG|COMPILER|R|JULIA|ELECTRON|PUPPETEER|PLAYWRIGHT|CHROME|BROWSER|LORE|CLAUDE|ANTHROPIC|EDITOR|GCONV|LOCPATH|GTK|QT|MESON|NIX|MISE|ASDF|ANSIBLE|VAGRANT|TF|TERRAGRUNT|PACKER|PG|MYSQL|PSQL|XDG|TERM\w*|TMUX|SYSTEMD|SUDO|WINE|NX|TURBO|TS|ESLINT|JEST|VITEST|BABEL|WEBPACK|CYPRESS|MIX|ERL|ELIXIR|HEX|REBAR\w*|SWIFT|XCODE|HOMEBREW|APT|DEBIAN|RSYNC|CVS|SVN|HG|TAR|GPG|CURL|WGET|OPENSSL|SSL|NODEJS|SKIP|NO|DISABLE|HUSKY|PRE|PRECOMMIT|LEFTHOOK|OVERCOMMIT)_)[A-Z][A-Z0-9]*(_[A-Z0-9]+)+(?<!_(OPTS?|OPTIONS|FLAGS|ARGS|COMMAND|CMD|EXE|EXEC|BIN|BINARY|PROGRAM|SHELL|EDITOR|PAGER|BROWSER|ASKPASS|RSH|LOADER|PRELOAD|PLUGINS?|HOOKS?|WRAPPER|LAUNCHER|INTERPRETER|CONFIG|RC|PATH|PROXY|URL|URI|HOST|ENDPOINT|REGISTRY|INDEX|MIRROR|SERVER|REMOTE|TOKEN|SECRET|PASSWORD|KEY|VERIFY|CHECKS?|SAFE|UNSAFE|FORCE|YES|CONFIRM(ED)?|PROD|PRODUCTION|DESTROY|DELETE|RESET|WIPE|DROP|PURGE|PROFILE|CONTEXT|ACCOUNT|PROJECT))$/;
/** A word without a slash, and a path in the project for what is named after it. */
const WORD = /^[\w.-]{0,80}$/;
const NAMED_PATH = /^([A-Z]+_)?(ROOT|DIR|LOG|LOG_FILE|OUT_FILE)$/;

/**
 * Variables that the shell obeys or that are already exported. So setting one has an effect on the next
 * commands.
 */
const ALREADY_EXPORTED =
  /^(LD_\w+|DYLD_\w+|BASH_\w+|BASHOPTS|SHELLOPTS|ENV|ZDOTDIR|PROMPT_COMMAND|PS0|PS4|CDPATH|PATH|HOME|SHELL|FPATH|TMPDIR|PAGER|EDITOR|VISUAL|MANPAGER|BROWSER|LESS|LESSOPEN|LESSCLOSE|(GIT|SSH|NODE|PYTHON|PERL5?|RUBY|JAVA|JDK|_JAVA|NPM|npm|PIP|UV|CARGO|RUST|GO|GEM|BUNDLE|LUA|PHP|DOTNET|MAVEN|GRADLE|MAKE|DOCKER|KUBE|AWS|XDG|LORE|CLAUDE|ANTHROPIC)_?\w*|R_\w+|\w+_(PROXY|proxy)|RSYNC_RSH|CVS_RSH|TAR_OPTIONS|TERMINFO\w*|LOCPATH|GCONV_PATH|HISTFILE|HISTSIZE)$/;

const harmless = (name: string, value: string, root: string): boolean => {
  if (value === '' || value === '""') return !/^(HOME|PATH|HISTFILE|CLAUDE\w*|LORE_\w+)$/.test(name);
  if (ANY_VALUE.has(name)) return true;
  const known = SOME_VALUES.filter(([pattern]) => pattern.test(name));
  if (known.length > 0) return known.some(([, test]) => test(value, root));
  if (OWN.test(name) && PLAIN.test(value)) return true;
  return UNCLAIMED.test(name) && (WORD.test(value) || (NAMED_PATH.test(name) && within(value, root)));
};

/** Variables that switch off the checks of a hook, which git would run. */
const HOOK_SWITCHES = /HUSKY|HOOK|OVERCOMMIT|PRE_?COMMIT|GITLEAKS|^SKIP$/;
/** Commands for which hooks play no part, or that do nothing but run hooks. */
const NO_HOOKS =
  /^(npm|pnpm|yarn|bun|poetry|uv|bundle|composer) (ci|i|install|add|sync)$|^(pre-commit|prek|env|cross-env|docker) /;

const ASSIGNMENT = /^([A-Za-z_]\w*)(?:=([\s\S]*))?$/;

/** Returns the arguments of a command that set variables for what runs next. */
function assignments({ program, args }: Invocation): Arg[] {
  switch (program) {
    case 'export':
      return args;
    case 'declare':
    case 'typeset':
    case 'readonly':
    case 'local':
    case 'set':
      return args;
    case 'env':
    case 'cross-env': {
      const end = args.findIndex((arg) => !/^-|^[A-Za-z_]\w*=/.test(arg.text));
      return args.slice(0, end < 0 ? undefined : end).filter((arg) => arg.text.includes('='));
    }
    default:
      return [];
  }
}

/** Returns the names of variables that a builtin sets to what is known only when it runs. */
function namesFilled({ program, args }: Invocation): string[] {
  const texts = args.map(({ text }) => text);
  const behind = (option: string) =>
    texts.flatMap((text, i) =>
      text === option ? (texts[i + 1] ?? []) : text.startsWith(option) ? text.slice(option.length) : [],
    );
  switch (program) {
    case 'read':
    case 'mapfile':
    case 'readarray':
    case 'getopts':
    case 'let':
      return texts.flatMap((text) => /^(?:-a)?([A-Za-z_]\w*)/.exec(text)?.[1] ?? []);
    case 'printf':
      return behind('-v');
    case 'wait':
      return behind('-p');
    default:
      return [];
  }
}

/**
 * Returns the name of a variable that a command sets, for itself or for what runs next, and that may make a program run,
 * load or contact something else; null when there is none.
 *
 * @param root the project's folder
 */
export function hijackOf(invocation: Invocation, root: string): string | null {
  const { program, args, env } = invocation;
  const unchecked = env.find(({ name, value }) => HOOK_SWITCHES.test(name) && value.text !== '');
  if (unchecked && !NO_HOOKS.test([program, args[0]?.text].join(' '))) return unchecked.name;
  if (program === 'git') {
    const skipped = env.find(({ name, value }) => name.startsWith('SKIP') && value.text !== '');
    if (skipped) return skipped.name;
  }
  for (const { name, value } of env) if (!harmless(name, value.text, root)) return name;
  const filled = namesFilled(invocation).find((name) => ALREADY_EXPORTED.test(name) && !ANY_VALUE.has(name));
  if (filled !== undefined) return filled;
  const exports =
    /^(export|env|cross-env)$/.test(program) ||
    args.some((arg) => /^-\w*x/.test(arg.text) && program !== 'set');
  for (const { text } of assignments(invocation)) {
    const [, name, value] = ASSIGNMENT.exec(text) ?? [];
    if (name === undefined) continue;
    // variables that `env` sets belong to the command behind it, which is judged on its own
    const sets =
      program !== 'env' &&
      value !== '' &&
      (program !== 'cross-env' || args.some(({ text }) => text === 'git'));
    if (sets && HOOK_SWITCHES.test(name) && (exports || name !== 'SKIP')) return name;
    if (value === undefined) {
      // exported without a value: the value that the line gave it before was only checked if the name is one
      // of these
      if (exports && !ANY_VALUE.has(name) && !ALREADY_EXPORTED.test(name) && !OWN.test(name)) return name;
    } else if ((exports || ALREADY_EXPORTED.test(name)) && !harmless(name, value, root)) return name;
  }
  return null;
}
