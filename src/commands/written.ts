import { known } from '../shell/arg.ts';
import { interpreterOf } from '../shell/inline-code/languages.ts';
import { MAX_CODE, readCode } from '../shell/inline-code/read-code.ts';
import { programs } from '../shell/lists.ts';
import { AS_ANOTHER, SHELLS } from '../shell/names.ts';
import { printedText } from '../shell/printed.ts';
import { runsPackage } from '../shell/runners.ts';
import type { Arg, Invocation } from '../shell/types.ts';
import { mayHoldSecrets, resolvePath, type Surroundings, within } from '../shell/zones.ts';
import { pathOf } from './arguments.ts';
import { createBuilt } from './built.ts';

// A line may write a file and run it in one go. The file on disk then says nothing about what would run, so a command
// that obeys what an earlier command of the line wrote or fetched is not allowed.

/** Programs that run code of the project: their scripts, settings, tests or sources. */
export const RUNS_CODE = programs('run-code');
/**
 * Those of `RUNS_CODE` that run only files that are named or that hold their settings, and no other source
 * files.
 */
const ONLY_SETTINGS = programs('obey-settings-only');

/** Those of `RUNS_CODE` whose options name files of other machines, or patterns. */
const OWN_VALUES = programs('values-elsewhere');

/** Whether a program runs the project's code, so that a path or an address in an option may be code or settings. */
export const obeysValues = (program: string): boolean => RUNS_CODE.has(program) && !OWN_VALUES.has(program);

/**
 * Whether a program takes settings or code from standard input that were not read and judged as a program.
 */
export const obeysInput = ({ program, args, input, code }: Invocation): boolean =>
  (input.kind === 'text' || input.kind === 'pipe') &&
  code === undefined &&
  ((RUNS_CODE.has(program) && !programs('data-only').has(program)) || program === 'rustc') &&
  args.some(({ text }) => /^(-|-f-|(.*=)?\/dev\/stdin|.*=-)$/.test(text));

const COPIES = programs('copy-sources');

/** Programs that run the tests in the files that they are given. */
const TESTERS = programs('testers');
/** Programs that only read and rewrite the files that they are given. They obey only their settings. */
export const REWRITERS = programs('rewriters');

/** Files that a tool obeys although nobody names them to it. */
const SETTINGS =
  /^(package\.json|\.npmrc|\.yarnrc(\.yml)?|\.pnpmfile\.cjs|pnpm-workspace\.yaml|bunfig\.toml|(GNU)?[Mm]akefile|.*\.(mk|cmake|gemspec|gradle|kts|tf|tofu|hcl|nix|nimble|rockspec|csproj|fsproj|sln|targets|props|pth|code-workspace)|CMakeLists\.txt|CMakePresets\.json|build\.ninja|\.?justfile|Justfile|Taskfile.*|Rakefile|Gemfile|Podfile|Fastfile|Cargo\.toml|build\.rs|config\.toml|rust-toolchain(\.toml)?|go\.(mod|work)|pom\.xml|gradle\.properties|nuget\.config|composer\.json|mix\.exs|Package\.swift|setup\.(py|cfg)|pyproject\.toml|uv\.toml|pip\.conf|conftest\.py|pytest\.ini|tox\.ini|noxfile\.py|tasks\.py|requirements[\w.-]*\.(txt|in)|Pipfile|environment\.ya?ml|manage\.py|(site|user)customize\.py|deno\.jsonc?|.*\.config\.[cm]?[jt]s|\.\w+rc(\.\w+)?|\.(pre-commit-config|lefthook)\.ya?ml|lefthook\.ya?ml|nodemon\.json|nx\.json|turbo\.json|WORKSPACE|BUILD(\.bazel)?|MODULE\.bazel|\.bazelrc|(docker-)?compose[\w.-]*\.ya?ml|Dockerfile[\w.-]*|Vagrantfile|Procfile|\.envrc|\.?mise\.toml|\.tool-versions|\.gitattributes|\.gitmodules|build\.xml|build\.sbt|[\w-]*\.cabal|stack\.yaml|dune(-project)?|build\.zig|phpunit\.xml|\.rspec|(serverless|skaffold|kustomization|mkdocs|_config|shard|sqlc|buf(\.gen)?|Chart|values|Pulumi[\w.-]*|template|action|\.?goreleaser)\.ya?ml|(cdk|wrangler|sst|dagger|vercel|firebase)\.(json|toml)|Tiltfile|Earthfile|Brewfile|conf\.py|(deps|bb)\.edn|project\.clj)$/;
/** In these folders every file is obeyed. */
const SETTINGS_FOLDER =
  /(^|\/)(\.git|\.husky|\.cargo|\.mvn|\.vscode|\.idea|\.bundle|\.yarn|node_modules|\.?venv)\//;
/** Whether a tool obeys a file by its name or its folder. */
export const isObeyedName = (path: string): boolean =>
  SETTINGS.test(path.slice(path.lastIndexOf('/') + 1)) || SETTINGS_FOLDER.test(path);
/** Files with source code. */
export const SOURCE =
  /\.([cm]?[jt]sx?|pyi?|rb|php|go|rs|java|kt|scala|exs?|lua|pl|pm|t|sh|bash|cs|fs|swift|c|cc|cpp|h|hpp|zig|jl|r)$/i;

export const FETCHERS = programs('downloaders');

/**
 * Returns a file of code or settings in the project that a command fetches from another host, also if its
 * name comes from the address. Null if there is none. Such a file runs with the project's next test or build.
 *
 * @param targets what the command writes
 * @param isTemp whether a path lies among temporary files
 */
export function fetchedCode(
  invocation: Invocation,
  targets: Arg[],
  isTemp: (arg: Arg) => boolean,
): Arg | null {
  const { program, args, input } = invocation;
  const passesOn = /^(tee|cat|sponge|dd)$/.test(program) && input.kind === 'pipe';
  const fetchers = passesOn ? input.from.filter((stage) => FETCHERS.has(stage.program)) : [invocation];
  if (!fetchers.some((stage) => FETCHERS.has(stage.program) && !asksThisMachine(stage))) return null;
  const isCode = ({ text }: Arg) =>
    SOURCE.test(text) ||
    SETTINGS.test(text.slice(text.lastIndexOf('/') + 1)) ||
    /(^|\/)[jt]sconfig[\w.-]*\.json$/.test(text) ||
    SETTINGS_FOLDER.test(`${text}/`);
  const keepsName =
    (program === 'wget' && targets.every(({ text }) => text.endsWith('/') || !/\.\w+$/.test(text))) ||
    (program === 'curl' && args.some(({ text }) => /^-[a-zA-Z]*O$|^--remote-name/.test(text)));
  const named = keepsName
    ? args
        .filter(({ text }) => /^(https?:)?\/\/|^[\w-]+(\.[\w-]+)+\//.test(text))
        .map((arg) => ({ ...arg, text: arg.text.replace(/[?#].*$/s, '').replace(/^.*\//s, '') }))
    : [];
  if (keepsName && targets.length > 0 && targets.every(isTemp)) return null;
  return [...targets, ...named].find((arg) => isCode(arg) && !isTemp(arg)) ?? null;
}

/**
 * Whether a command keeps a file that it fetches over plain HTTP, where anybody on the way may replace it.
 */
export function fetchesOpenly(invocation: Invocation, targets: Arg[]): boolean {
  const { program, args } = invocation;
  if (!FETCHERS.has(program) || asksThisMachine(invocation)) return false;
  const texts = args.map(({ text }) => text);
  const keeps =
    targets.some(({ text }) => !text.startsWith('/dev/') && text !== '-') ||
    (program === 'wget' && !/(^| )(-\w*O ?|--output-document=)(-|\/dev\/)|--spider/.test(texts.join(' '))) ||
    (program === 'curl' && texts.some((text) => /^(-[a-zA-Z]*O$|--remote-name)/.test(text)));
  return (
    keeps && texts.some((text) => /^(--url=)?http:\/\//.test(text) || /^[\w-]+(\.[\w-]+)+\/\S*$/.test(text))
  );
}

export const asksThisMachine = ({ args }: Invocation) =>
  args.some(({ text }) => /^(https?:\/\/)?(localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])(:|\/|$)/.test(text));

/**
 * Notes what the commands of one line write, in their order.
 *
 * @param line the commands, as they are written
 * @param allows whether a shell script with that text would be allowed
 */
export function createWritten(line: string, place: Surroundings, allows: (script: string) => boolean) {
  /** the files that were written, with their text where the line shows it */
  const made = new Map<string, string | null>();
  const edited = new Set<string>();
  const built = createBuilt(line, place);
  let fetched = false;

  /** Whether a command obeys what a command before it wrote or fetched. */
  function isObeyedBy(invocation: Invocation): boolean {
    const { program, path, args } = invocation;
    if (made.size === 0 && !fetched) return false;
    const named = path.includes('/') && !/^\/(usr|bin|sbin|opt)\//.test(path);
    const runs =
      named ||
      SHELLS.has(program) ||
      RUNS_CODE.has(program) ||
      /^(python|pypy|perl|ruby|php|lua)[\d.]*$/.test(program);
    if (!runs) return false;
    if (fetched && !OWN_VALUES.has(program)) return true;
    const own = named
      ? [pathOf({ text: path, known: true, glob: false, quoted: false }, invocation, place)]
      : [];
    const obeyed = args.filter((_, i) => isObeyed(invocation, i));
    const words = [...own, ...obeyed.map((arg) => pathOf(arg, invocation, place))];
    const sources = !named && !SHELLS.has(program) && !ONLY_SETTINGS.has(program);
    return [...made].some(([path, text]) => {
      const name = path.slice(path.lastIndexOf('/') + 1);
      if (!named && words[0] === path && onlyComputes(program, text)) return false;
      if (TESTERS.has(program) && !SETTINGS.test(name) && isPlainSource(name, text, place)) return false;
      const script = named || (SHELLS.has(program) && words[0] === path);
      if (script && (own[0] ?? words[0]) === path && isShellScript(path, text) && allows(text)) return false;
      // the program may be in a folder that was copied here
      if (
        words.some((word) => word === path || word.endsWith(`=${path}`)) ||
        own.some((one) => within(one, path))
      )
        return true;
      // a sed or a psql runs what it is told to, and no settings of the project
      if (programs('data-programs').has(program) || named || SHELLS.has(program)) return false;
      if (SETTINGS.test(name) || SETTINGS_FOLDER.test(path)) return true;
      return sources && SOURCE.test(name) && !edited.has(path) && !isPlainSource(name, text, place);
    });
  }

  function note(invocation: Invocation, targets: Arg[]): void {
    const { program, args, writes, code } = invocation;
    const edits = /^g?sed$|^perl$/.test(program);
    // what a compiler or a build writes comes from the project, as everything that it runs does
    const builds = RUNS_CODE.has(program) && !edits;
    const redirected = new Set(writes.map((write) => write.target));
    const appended = new Set(writes.filter(({ append }) => append).map((write) => write.target));
    const adds = program === 'tee' && args.some(({ text }) => /^(-\w*a|--append)/.test(text));
    for (const target of targets) {
      const path = pathOf(target, invocation, place);
      const byCode = code?.writesTo?.includes(target) ?? false;
      const copied = COPIES.has(program) || redirected.has(target) || byCode;
      if (path.startsWith('/dev/') || (!copied && (builds || !edits))) continue;
      // if a file is written twice, the second writing may fail and leave the text of the first one; in a file that is
      // none of the project's, anything may stand before what is added
      const added = (adds || appended.has(target)) && !within(path, place.root);
      const shown = !made.has(path) && !added && (redirected.has(target) || program === 'tee');
      made.set(path, shown ? textWritten(invocation) : null);
      const changes = edits || (byCode && READS_FIRST.test(code?.text ?? ''));
      if (changes && !redirected.has(target)) edited.add(path);
    }
    fetched ||= fetches(invocation);
    if (!fetched && [...made.keys()].every(isPlain)) built.note(invocation, targets, isPlain);
  }

  /** Whether a path is a source file that the line wrote, and that does nothing far-reaching. */
  function isPlain(path: string): boolean {
    const text = made.get(path);
    return text !== undefined && isPlainSource(path.slice(path.lastIndexOf('/') + 1), text, place);
  }

  /**
   * Whether a command runs a program that the line has just written into a file, and that would be allowed on
   * standard input: `cat > /tmp/a.py <<E … python /tmp/a.py`.
   */
  function isShown({ program, path, args, cwd, via, remote }: Invocation): boolean {
    const interprets = /^(python[\d.]*|node|ruby|lua)$/.test(program);
    const named = program !== '' && path.includes('/') && !interprets && !SHELLS.has(program);
    const [file, ...rest] = named ? [{ text: path, known: true }, ...args] : args;
    // the program may load another file that the line writes
    if (made.size > 1) return false;
    const shell = named || SHELLS.has(program);
    if (!file?.known || !(shell || interprets)) return false;
    if (remote || cwd !== place.cwd || via.some((one) => AS_ANOTHER.has(one))) return false;
    const at = resolvePath(file.text, cwd, place.home);
    const text = at === null ? null : made.get(at);
    if (!text || text.split('\n').includes(END)) return false;
    if (shell) return rest.length === 0 && isShellScript(at ?? '', text) && allows(text);
    const words = [path, '-', ...rest.map((arg) => arg.text)];
    if (!rest.every((arg) => arg.known) || !words.every((word) => /^[\w./=:-]+$/.test(word))) return false;
    return allows(`${words.join(' ')} <<'${END}'\n${text}\n${END}`);
  }

  /**
   * Returns why a command that no rule knows is harmless because the line itself made its program; null if it
   * is not.
   */
  function harmlessAs(invocation: Invocation): string | null {
    if (built.isRunBy(invocation, [...made.keys()])) return 'runs what this line compiled of the project';
    return isShown(invocation) ? 'runs a program that the line shows' : null;
  }

  return { isObeyedBy, harmlessAs, note };
}

/** Ends the here-document. Such a program is judged as a here-document that its interpreter reads. */
const END = 'END_OF_THE_PROGRAM';

/**
 * Whether a program runs or obeys the file that an argument names. sed and awk obey the file behind `-f`.
 * Programs that rewrite files obey the files that their options name. For `npx` and the like, only the
 * program that it runs counts, and not the arguments of that program.
 */
function isObeyed(invocation: Invocation, at: number): boolean {
  const { program, args } = invocation;
  const before = args[at - 1]?.text ?? '';
  if (recordsOnly(invocation)) return false;
  if (EDITORS.test(program)) return /^(-\w*f|--file)$/.test(before);
  if (runsPackage(program)) return at <= args.findIndex(({ text }) => !text.startsWith('-'));
  if (args[at]?.text.startsWith('-')) return true;
  if (REWRITERS.has(program)) return /^-c$|^--(config|plugin|parser|re|cu|for)/.test(before);
  return true;
}

/** Matches an inline program that reads what it changes. */
const READS_FIRST = /\b(read_text|read_bytes|readFileSync|readFile)\b|\.read\(/;
const EDITORS = /^g?sed$|^[gmn]?awk$/;

/**
 * Whether a command does not run the files that it names: a shell only checks them, or git only shows, checks
 * or records them.
 */
const recordsOnly = ({ program, args }: Invocation) =>
  (SHELLS.has(program) &&
    args[0]?.text === '-n' &&
    args.slice(1).every(({ text }) => /^[\w./]/.test(text))) ||
  (program === 'git' &&
    /^apply (--check|--stat|--numstat)( [^-]\S*)+$/.test(args.map(({ text }) => text).join(' '))) ||
  (program === 'git' &&
    /^(diff|add|status|log|show|blame|commit|ls-files|grep)$/.test(
      args.find(({ text }) => !text.startsWith('-'))?.text ?? '',
    ));

/** Whether a file is a script for a shell, by its first line or the end of its name. */
const isShellScript = (path: string, text: string | null): text is string =>
  text !== null &&
  (/^#!.*\b(ba|da|z|k)?sh\b/.test(text) || (/\.(ba|z)?sh$/.test(path) && !text.startsWith('#!')));

/** Returns the text that a command writes into its targets, if the line shows it. */
function textWritten(invocation: Invocation): string | null {
  const { program, input } = invocation;
  if (program === 'tee') return input.kind === 'text' && input.known ? input.text : null;
  return printedText([invocation]);
}

/** The interpreter whose language a source file is written in, by the end of its name. */
const INTERPRETER_OF: [RegExp, string][] = [
  [/\.[cm]?[jt]sx?$/, 'node'],
  [/\.pyi?$/, 'python'],
  [/\.rb$/, 'ruby'],
  [/\.php$/, 'php'],
  [/\.lua$/, 'lua'],
];
/** Names in other languages for running programs or talking to other hosts. */
const FAR =
  /exec|process|Command|Runtime|spawn|system|http|socket|net[:/.]|unsafe|syscall|ffi|dlopen|asm|embed|include_|include!|generate|extern|libc|reqwest|ureq|getenv|environ/i;
/** Names in these languages for deleting, reading or writing files, and for reading the environment. */
const FILES =
  /\b(fs|env|os|ioutil|filepath|nio|cgo|plugin|reflect|sys|path)\b\s*([.:/!"(=;},*]|as\b)|\b(env|option_env)!|\bio\.(Source|File)|\bjava\.io|\b(File|Files|Path|Paths|Directory|FileInfo|DirectoryInfo|Environment|Source|URL|Class|Method|Port|Code|Node)\b\s*[.(,)]|File(Reader|Writer|Manager|Handle|Stream|InputStream|OutputStream|Utils)|\b[io]?fstream\b|contentsOf|\.write\(to|NSHome|WebClient|forName|delete(Recursively|OnExit)|(?<![.\w>])(remove|unlink|rename|rmdir|[fd]?re?open|fopen|fdopen|opendir|open|openat|creat|truncate|popen|fork|kill|chmod|nftw|dlsym|mmap)\s*[(;,)]|#\s*include\s*([^"<\s]|["<]\s*([./]|[^">\n]*\.\.))|##|:(file|os)\b|import\s+"C"|\(\s*path\s*=|"(~|\.\.)?\/\w[^"]*"/;

/** Whether a program only computes and prints. The line must show its text. */
function onlyComputes(program: string, text: string | null): boolean {
  const language = interpreterOf(program)?.language;
  if (text === null || language === undefined || text.length > MAX_CODE) return false;
  return readCode(text, language).effects.every((effect) => effect === 'harmless');
}

/**
 * Whether a source file that this line writes does nothing far-reaching when the project's tests or builds run it: it
 * starts no program, deletes nothing, talks to no host, and names no secret.
 */
function isPlainSource(name: string, text: string | null, place: Surroundings): boolean {
  if (text === null || text.length > MAX_CODE) return false;
  const interpreter = INTERPRETER_OF.find(([ending]) => ending.test(name))?.[1];
  const language = interpreter === undefined ? undefined : interpreterOf(interpreter)?.language;
  if (language === undefined)
    return (
      /\.(go|rs|java|kt|scala|cs|swift|exs?|zig|c|cc|cpp|h|hpp)$/.test(name) &&
      !FAR.test(text) &&
      !FILES.test(text)
    );
  const { effects, literals } = readCode(text, language);
  return (
    effects.every((effect) => ['harmless', 'writes', 'named', 'other'].includes(effect)) &&
    !literals.some((literal) => mayHoldSecrets(known(literal), place.cwd, place))
  );
}

/** Whether a command brings files from elsewhere: it downloads, unpacks or clones. */
function fetches({ program, args, writes }: Invocation): boolean {
  const texts = args.map((arg) => arg.text);
  const has = (pattern: RegExp) => texts.some((text) => pattern.test(text));
  const local = has(/^[\w+]+:\/\/(localhost|127\.0\.0\.1|\[::1\])/);
  switch (program) {
    case 'curl':
      return (
        !local &&
        has(/^-[a-zA-Z]*[oO]|^--(output|remote-name)/) &&
        !has(/^\/dev\/null$|^-[a-zA-Z]*o\/dev\/null$/)
      );
    case 'wget':
      return (
        !local &&
        !has(/^-q?O-$|^--spider$|^--output-document=-$/) &&
        !/(^| )-q?O (-|\/dev\/null)( |$)/.test(texts.join(' ')) &&
        writes.length === 0
      );
    case 'unzip':
      return !has(/^-[a-zA-Z]*[lvptZz]/);
    case 'tar':
    case 'bsdtar':
    case 'gtar':
      return has(/^-{0,2}[a-zA-Z]*x[a-zA-Z]*$|^--(extract|get)$/) && !has(/^-{0,2}[a-zA-Z]*[tc][a-zA-Z]*$/);
    case '7z':
    case '7za':
    case 'unrar':
      return /^[ex]$/.test(texts[0] ?? '');
    case 'rsync':
    case 'scp':
    case 'sftp':
      return texts.slice(0, -1).some((text) => /^[^/]*[^/\\]:/.test(text) && !text.startsWith('-'));
    case 'git':
      return /^(clone|submodule)$/.test(texts.find((text) => !text.startsWith('-')) ?? '');
    case 'gh':
      return /^(repo clone|release download|run download|gist clone|pr checkout)/.test(
        texts.slice(0, 2).join(' '),
      );
    default:
      return false;
  }
}
