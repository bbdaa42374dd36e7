import { programs } from '../shell/lists.ts';
import { isInterpreter, SHELLS } from '../shell/names.ts';
import { runsPackage } from '../shell/runners.ts';
import type { Arg, Invocation } from '../shell/types.ts';
import { resolvePath, type Surroundings, within } from '../shell/zones.ts';
import { pathOf } from './arguments.ts';
import { EDITS } from './writers.ts';

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

export const asksThisMachine = ({ args }: Invocation) =>
  args.some(({ text }) => /^(https?:\/\/)?(localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])(:|\/|$)/.test(text));

/** What a line writes and fetches before it runs something. */
export type Written = {
  /** Says why a command is left although it is harmless by itself; null if nothing speaks against it. */
  doubt(invocation: Invocation, targets: Arg[]): string | null;
  /** Notes what a command writes, links or brings. */
  note(invocation: Invocation, targets: Arg[]): void;
};

/** Returns a memory of what the commands of one line write, in their order. */
export function createWritten(place: Surroundings): Written {
  const written: string[] = [];
  const links: string[] = [];
  let fetched = false;

  function obeys(invocation: Invocation): boolean {
    const { program, path, args } = invocation;
    const named = path.includes('/') && !/^\/(usr|bin|sbin|opt)\//.test(path);
    if (!named && !SHELLS.has(program) && !RUNS_CODE.has(program) && !isInterpreter(program)) return false;
    if (fetched && !OWN_VALUES.has(program)) return true;
    const obeyed = args
      .filter((_, i) => isObeyed(invocation, i))
      .map((arg) => pathOf(arg, invocation, place));
    const own = named ? [resolvePath(path, invocation.cwd, place.home) ?? path] : [];
    return written.some((file) => {
      // the program may be in a folder that was copied here
      if (own.some((one) => within(one, file))) return true;
      if (obeyed.some((word) => word === file || word.endsWith(`=${file}`))) return true;
      // a sed or a psql runs what it is told to, and no settings of the project
      if (programs('data-programs').has(program) || named || SHELLS.has(program)) return false;
      return isObeyedName(file) || (!ONLY_SETTINGS.has(program) && SOURCE.test(file));
    });
  }

  return {
    doubt(invocation, targets) {
      const { args, reads } = invocation;
      if ((fetched || written.length > 0) && obeys(invocation))
        return 'runs what this line writes or fetches';
      const through = [...args, ...reads, ...targets].some((arg) =>
        links.some((link) => within(pathOf(arg, invocation, place), link)),
      );
      return through ? 'works through a link that this line makes' : null;
    },
    note(invocation, targets) {
      const { program, writes } = invocation;
      const redirected = new Set(writes.map(({ target }) => target));
      for (const target of targets) {
        const path = pathOf(target, invocation, place);
        if (path.startsWith('/dev/')) continue;
        if (program === 'ln') links.push(path);
        // what is edited stays the project's, but for settings; what a build writes comes from its sources
        const edits = !redirected.has(target) && EDITS.has(program) && !isObeyedName(path);
        const builds = !redirected.has(target) && RUNS_CODE.has(program) && !COPIES.has(program);
        if (!edits && !builds) written.push(path);
      }
      fetched ||= fetches(invocation);
    },
  };
}

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
