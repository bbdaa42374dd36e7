import { words } from '../shell/names.ts';
import type { Invocation } from '../shell/types.ts';

// Variables before a command (`NAME=value command`, `export`, `env`, `cross-env`). Most programs read some: names of other
// programs to run, code to load, hosts to talk to. Nobody can list all of those, so only what is listed here passes.

/** Variables that only say how much is printed, in which mode an application runs, or how many threads it takes. */
const ANY_VALUE: ReadonlySet<string> = new Set(
  words(`
  NODE_ENV CI DEBUG VERBOSE QUIET PORT TZ LANG LANGUAGE TERM COLORTERM FORCE_COLOR NO_COLOR CLICOLOR CLICOLOR_FORCE COLUMNS LINES
  LOG_LEVEL LOGLEVEL RUST_BACKTRACE RUST_LIB_BACKTRACE RUST_LOG RUST_TEST_THREADS CGO_ENABLED GOOS GOARCH GOARM GOMAXPROCS GOGC
  GOTRACEBACK GO111MODULE GODEBUG PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE PYTHONHASHSEED PYTHONIOENCODING PYTHONUTF8
  FLASK_ENV FLASK_DEBUG DJANGO_DEBUG RAILS_ENV RACK_ENV RAILS_LOG_TO_STDOUT MIX_ENV APP_ENV BABEL_ENV ASPNETCORE_ENVIRONMENT
  DOTNET_ENVIRONMENT DOTNET_CLI_TELEMETRY_OPTOUT DOTNET_NOLOGO GIT_TERMINAL_PROMPT GIT_OPTIONAL_LOCKS GIT_AUTHOR_NAME
  GIT_AUTHOR_EMAIL GIT_AUTHOR_DATE GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL GIT_COMMITTER_DATE GIT_LFS_SKIP_SMUDGE HUSKY SKIP
  DOCKER_BUILDKIT COMPOSE_PROJECT_NAME COMPOSE_PROFILES BUILDKIT_PROGRESS DEBIAN_FRONTEND NODE_NO_WARNINGS NODE_DEBUG
  NEXT_TELEMETRY_DISABLED TURBO_TELEMETRY_DISABLED NX_DAEMON GENERATE_SOURCEMAP OMP_NUM_THREADS CUDA_VISIBLE_DEVICES
  HF_HUB_OFFLINE TRANSFORMERS_OFFLINE TOKENIZERS_PARALLELISM PIP_DISABLE_PIP_VERSION_CHECK UV_OFFLINE UV_FROZEN UV_NO_PROGRESS
  SOURCE_DATE_EPOCH CARGO_TERM_COLOR CARGO_INCREMENTAL CARGO_NET_OFFLINE CMAKE_BUILD_TYPE CTEST_OUTPUT_ON_FAILURE GTEST_FILTER
  QT_QPA_PLATFORM DISPLAY GPG_TTY HOMEBREW_NO_AUTO_UPDATE TF_LOG TF_INPUT TF_IN_AUTOMATION AWS_PROFILE AWS_REGION
  AWS_DEFAULT_REGION PGUSER PGPASSWORD PGDATABASE PGPORT MYSQL_PWD REDISCLI_AUTH XDEBUG_MODE HISTTIMEFORMAT
  PS1 PS2 OPTIND REPLY IFS FOO BAR BAZ VAR A B C X Y N PR REPO BRANCH BASE HEAD TAG SHA COMMIT ISSUE OWNER TITLE BODY MSG
  MESSAGE RUN RUN_ID PR_NUMBER VERSION ID DATE UPDATE_SNAPSHOTS COVERAGE SEED WORKERS THREADS JOBS`),
);

const PLAIN = /^[\w.,:@%+=* -]*$/;
const LOCAL_URL =
  /^[\w+]+:\/\/([^@/\s]*@)?(localhost|127\.0\.0\.1|\[::1\]|0\.0\.0\.0)(:\d+)?([/?][^\s`$]*)?$|^(sqlite|file):(\/{0,3}(?!\/)(\.\/)?[\w./-]+|\S*:memory:)$/;
const SOURCES =
  /^(\$PYTHONPATH|\.|(\.\/)?(src|lib|app|apps|tests?|backend|server|api|packages|python|scripts)(\/[\w-]+)*)?\/?$/;
/** Folders of programs that a person has installed. */
const BIN =
  /^(\$\{?PATH\}?|(\/usr|\/usr\/local|\/opt\/[\w.@/+-]+|\/snap|\/usr\/lib\/[\w.@/+-]+|\/usr\/local\/[\w.@/+-]+)?\/s?bin|(\.\/)?node_modules\/\.bin|(\.\/)?\.?venv\/bin|(\.\/)?vendor\/bin|~?\/?.*\/(\.(local|cargo|npm-global|deno|bun|nvm|volta|pyenv|rbenv|asdf|sdkman|yarn|dotnet|poetry|fly|krew)|go)\/([\w.+/-]+\/)?(bin|shims|tools)|\$\(go env GOPATH\)\/bin|\$\(npm bin\))$/;

/** Variables that do no harm with some values, in which the project's folder is left out. */
const SOME_VALUES: [name: RegExp, value: RegExp][] = [
  [/^LC_[A-Z]+$/, PLAIN],
  [/^DJANGO_SETTINGS_MODULE$|^FLASK_APP$/, /^[\w.]+(:\w+)?$/],
  [/^ENV$/, /^(test|testing|dev|development|local|staging|prod|production|ci)$/],
  [
    /^RUSTFLAGS$|^RUSTDOCFLAGS$/,
    /^(-[ADFW] ?[\w:-]+|-C ?(debuginfo|opt-level|target-cpu|lto|debug-assertions|overflow-checks|instrument-coverage)(=[\w+,.-]+)?|--cfg ?\w+| )+$/,
  ],
  [
    /^NODE_OPTIONS$/,
    /^(--(max[-_]old[-_]space[-_]size|no-warnings|no-deprecation|enable-source-maps|trace-[a-z]+|unhandled-rejections|stack-trace-limit|openssl-legacy-provider|experimental-(vm-modules|strip-types|transform-types|sqlite|json-modules|require-module))(=\w+)?\s*)+$/,
  ],
  [/^GIT_TRACE(_\w+)?$|^GIT_CURL_VERBOSE$/, /^(0|1|2|true|false)$/],
  [/^(GIT_|GH_|GLAB_|MAN|SYSTEMD_|AWS_|BAT_|DELTA_)?PAGER$/, /^(cat|less|more|true)( -\w+)?$/],
  [/^(GIT_)?(SEQUENCE_)?EDITOR$|^VISUAL$|^BROWSER$/, /^(true|false|:|vim?|nano|cat|none|code --wait)$/],
  [/^(PGHOST|HOST|(?!(DOCKER|PODMAN|BUILDX?)_)[A-Z]+_HOST)$/, /^(localhost|127\.0\.0\.1|::1|0\.0\.0\.0)$/],
  [/^(?!PIP|UV|NPM|YARN|GO|CARGO)[A-Z][A-Z_]*_UR[IL]$/, LOCAL_URL],
  [/^(CARGO_TARGET_DIR|TMPDIR|COVERAGE_FILE|GOCACHE)$/, /^(?!.*\.\.)(\/tmp(\/|$)|[\w.])[\w./-]*$/],
  // what the bundler puts into the application, and what tests read
  [
    /^(VITE|NEXT_PUBLIC|REACT_APP|NUXT_PUBLIC|EXPO_PUBLIC|GATSBY|VUE_APP|TEST|E2E|FEATURE|TF_VAR)_\w+$/,
    /^[^`$]*$/,
  ],
];
const LISTS: Record<string, RegExp> = { PATH: BIN, PYTHONPATH: SOURCES };

/** The names of an application's own settings, by their shape. */
const OWN =
  /^(?!(NPM|YARN|PNPM|PIP|UV|POETRY|CONDA|GIT|SSH|CARGO|RUSTUP|RUSTC|GO|NODE|DENO|BUN|PYTHON|PYTEST|RUBY|GEM|BUNDLE|PERL|PHP|LUA|JAVA|JDK|MAVEN|MVN|GRADLE|DOTNET|COREHOST|CORECLR|COMPlus|NUGET|LD|DYLD|BASH|ZSH|DOCKER|KUBE\w*|HELM|AWS|AZURE|GCLOUD|CLOUDSDK|GOOGLE|BAT|LESS|MAN|RIPGREP|FZF|CMAKE|MAKE|CC|GCC|LLVM|COMPILER|R|JULIA|ELECTRON|PUPPETEER|CHROME|BROWSER|LORE|CLAUDE|ANTHROPIC|EDITOR|GCONV|LOCPATH|GTK|QT|MESON|NIX|MISE|ASDF|ANSIBLE|VAGRANT|PG|MYSQL|PSQL|XDG|TERM\w*|TMUX|SYSTEMD|SUDO|WINE)_)[A-Z][A-Z0-9_]*_(ENV|ENVIRONMENT|PORT|MODE|LEVEL|DEBUG|VERBOSE|TIMEOUT|TIMEOUT_MS|ENABLED|DISABLED|COUNT|LIMIT|SIZE|SEED|WORKERS|THREADS|JOBS|RETRIES|LANG|LOCALE|FORMAT|TEST|TESTS|DELAY|INTERVAL|REGION|USER|USERNAME|NAME|VERSION)$/;

/**
 * Variables that the shell obeys or that are already exported. So setting one has an effect on the next
 * commands.
 */
const ALREADY_EXPORTED =
  /^(LD_\w+|DYLD_\w+|BASH_\w+|BASHOPTS|SHELLOPTS|ENV|ZDOTDIR|PROMPT_COMMAND|PS0|PS4|CDPATH|PATH|HOME|SHELL|FPATH|TMPDIR|PAGER|EDITOR|VISUAL|MANPAGER|BROWSER|LESS|LESSOPEN|LESSCLOSE|(GIT|SSH|NODE|PYTHON|PERL5?|RUBY|JAVA|JDK|_JAVA|NPM|npm|PIP|UV|CARGO|RUST|GO|GEM|BUNDLE|LUA|PHP|DOTNET|MAVEN|GRADLE|MAKE|DOCKER|KUBE|AWS|XDG|LORE|CLAUDE|ANTHROPIC)_?\w*|R_\w+|\w+_(PROXY|proxy)|RSYNC_RSH|CVS_RSH|TAR_OPTIONS|TERMINFO\w*|LOCPATH|GCONV_PATH|HISTFILE|HISTSIZE)$/;

const harmless = (name: string, text: string, root: string): boolean => {
  const value = text.replaceAll(`${root}/`, '').replaceAll(root, '.');
  if (value === '' || value === '""') return !/^(HOME|PATH|HISTFILE|CLAUDE\w*|LORE_\w+)$/.test(name);
  if (ANY_VALUE.has(name)) return true;
  const each = LISTS[name];
  if (each) return value.split(':').every((part) => each.test(part));
  const known = SOME_VALUES.filter(([pattern]) => pattern.test(name));
  if (known.length > 0) return known.some(([, pattern]) => pattern.test(value));
  return OWN.test(name) && PLAIN.test(value);
};

/** Variables that switch off the checks of a hook, which git would run. */
const HOOK_SWITCHES = /HUSKY|HOOK|OVERCOMMIT|PRE_?COMMIT|GITLEAKS|^SKIP$/;
/** Commands for which hooks play no part, or that do nothing but run hooks. */
const NO_HOOKS =
  /^(npm|pnpm|yarn|bun|poetry|uv|bundle|composer) (ci|i|install|add|sync)$|^(pre-commit|prek|env|cross-env|docker) /;

const ASSIGNMENT = /^([A-Za-z_]\w*)(?:=([\s\S]*))?$/;
/** Programs that set variables for what runs next. What `env` and `cross-env` set stands before the command. */
const SETS = /^(export|declare|typeset|readonly|local|set)$/;
const SETS_BEFORE = /^(env|cross-env)$/;

/** Returns the names of variables that a builtin sets to what is known only when it runs. */
function namesFilled({ program, args }: Invocation): string[] {
  const texts = args.map(({ text }) => text);
  if (/^(read|mapfile|readarray|getopts|let)$/.test(program))
    return texts.flatMap((text) => /^(?:-a)?([A-Za-z_]\w*)/.exec(text)?.[1] ?? []);
  const option = { printf: '-v', wait: '-p' }[program];
  if (option === undefined) return [];
  return texts.flatMap((text, i) =>
    text === option ? (texts[i + 1] ?? []) : text.startsWith(option) ? text.slice(2) : [],
  );
}

/**
 * Returns the name of a variable that a command sets, for itself or for what runs next, and that may make a program run,
 * load or contact something else; null when there is none.
 *
 * @param root the project's folder
 */
export function hijackOf(invocation: Invocation, root: string): string | null {
  const { program, args, env } = invocation;
  if (env.length === 0 && !MAY_SET.test(program)) return null;
  const isSwitch = ({ name, value }: (typeof env)[number]) =>
    value.text !== '' && (HOOK_SWITCHES.test(name) || (program === 'git' && name.startsWith('SKIP')));
  const hooked = NO_HOOKS.test([program, args[0]?.text].join(' ')) ? undefined : env.find(isSwitch);
  if (hooked) return hooked.name;
  for (const { name, value } of env) if (!harmless(name, value.text, root)) return name;
  const filled = namesFilled(invocation).find((name) => ALREADY_EXPORTED.test(name) && !ANY_VALUE.has(name));
  if (filled !== undefined) return filled;
  const before = SETS_BEFORE.test(program);
  const end = before ? args.findIndex(({ text }) => !/^-|^[A-Za-z_]\w*=/.test(text)) : -1;
  const exports =
    program === 'export' || before || (program !== 'set' && args.some(({ text }) => /^-\w*x/.test(text)));
  for (const { text } of before || SETS.test(program) ? args.slice(0, end < 0 ? undefined : end) : []) {
    const [, name, value] = ASSIGNMENT.exec(text) ?? [];
    if (name === undefined) continue;
    // variables that `env` sets belong to the command behind it, which is judged on its own
    const switches = program !== 'env' && (!before || args.some((arg) => arg.text === 'git'));
    if (value !== '' && switches && HOOK_SWITCHES.test(name) && (exports || name !== 'SKIP')) return name;
    if (value === undefined) {
      // exported without a value: the one that the line gave it before was only checked if the name is one of these
      if (exports && !before && !ANY_VALUE.has(name) && !ALREADY_EXPORTED.test(name) && !OWN.test(name))
        return name;
    } else if ((exports || ALREADY_EXPORTED.test(name)) && !harmless(name, value, root)) return name;
  }
  return null;
}
const MAY_SET =
  /^(export|declare|typeset|readonly|local|set|env|cross-env|read|mapfile|readarray|getopts|let|printf|wait)$/;
